"""The wheels and tarballs for Linux in dist/: they run without a compiler, everywhere alike, with the bits of build/ezlda.

`make test-release` builds them first. Programs for 64-bit ARM run under an emulator, with a Python and a NumPy that
release/arm64_python.sh unpacks."""
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MADE = Path(os.environ.get("EZLDA_RELEASE_BUILD", ROOT / "build-release"))
DIST = Path(os.environ.get("EZLDA_DIST", ROOT / "dist"))
PLAIN = Path(os.environ.get("EZLDA_BUILD", ROOT / "build")).resolve() / "ezlda"
CPUS = ("x86_64", "aarch64")
OLDEST_GLIBC = (2, 28)
COMPILERS = ["c++", "cc", "clang", "gcc", "g++", "cmake", "ninja", "make", "nvcc"]
ARM = MADE / "arm64-python"
NATIVE = os.uname().machine
TRAIN = ["--topics", "100", "--iterations", "50", "--quiet"]


def only(pattern):
    found = sorted(DIST.glob(pattern))
    assert len(found) == 1, f"{DIST}/{pattern}: {found}; run make wheels release"
    return found[0]


def wheel_of(cpu):
    return only(f"ezlda-*-cp39-abi3-*_{cpu}.whl")


def run(words, **more):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout[-3000:]}"
    return done.stdout


def no_compilers(folder):
    """The variables of this process with a PATH that has the folder and nothing else."""
    return {**{k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "EZLDA_B"))}, "PATH": str(folder)}


def other_pythons():
    """One Python for each minor version from 3.9 that this machine has."""
    found = {}
    places = [*(Path(folder) for folder in os.environ.get("PATH", "").split(":")),
              *Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin")]
    for place in places:
        for program in sorted(place.glob("python3.*")):
            match = re.fullmatch(r"python3\.(\d+)", program.name)
            if match and int(match[1]) >= 9 and "shims" not in program.parts:
                found.setdefault(int(match[1]), program)
    return [found[minor] for minor in sorted(found)]


@pytest.fixture(scope="session")
def tree(tmp_path_factory):
    """The folders of the tarballs by processor, unpacked when they are first asked for."""
    class Folders(dict):
        def __missing__(self, cpu):
            folder = tmp_path_factory.mktemp(cpu)
            with tarfile.open(only(f"ezlda-*-linux-{cpu}.tar.gz")) as archive:
                archive.extractall(folder)
            self[cpu], = folder.iterdir()
            return self[cpu]
    return Folders()


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    """A new virtual environment of this Python with the wheel and NumPy; kept packages of others are not used."""
    folder = tmp_path_factory.mktemp("environment")
    run([sys.executable, "-m", "venv", folder])
    run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel_of(NATIVE)])
    return folder


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "drawn.ezc"
    run([PLAIN, "synth", "--docs", "2000", "--words", "3000", "--topics", "20", "--seed", "7", "-q", "-o", path])
    return path


def train(command, corpus, folder, **more):
    summary = folder / "summary.json"
    run([*command, "train", corpus, *TRAIN, "--summary", summary, "-o", folder / "made.ezm"], **more)
    return json.loads(summary.read_text())["topics_hash"]


@pytest.fixture(scope="session")
def wanted(corpus, tmp_path_factory):
    return train([PLAIN], corpus, tmp_path_factory.mktemp("plain"))


# ---- what is in the files ----


@pytest.mark.parametrize("cpu", CPUS)
def test_wheel_runs_on_old_distributions(cpu):
    shown = run([MADE / "python" / "bin" / "auditwheel", "show", wheel_of(cpu)])
    tag = re.search(rf'platform tag:\s*"manylinux_(\d+)_(\d+)_{cpu}"', shown)
    assert tag and (int(tag[1]), int(tag[2])) <= OLDEST_GLIBC, shown
    named = re.search(rf"manylinux_(\d+)_(\d+)_{cpu}\.whl$", wheel_of(cpu).name)
    assert (int(named[1]), int(named[2])) >= (int(tag[1]), int(tag[2]))


@pytest.mark.parametrize("cpu", CPUS)
def test_wheel_is_small_and_has_licences(cpu):
    assert wheel_of(cpu).stat().st_size < 6_000_000
    with zipfile.ZipFile(wheel_of(cpu)) as archive:
        names = archive.namelist()
        licences = {Path(name).stem for name in names if "/licenses/" in name}
        assert {"LICENSE", "hdf5", "liblzma", "libxml2", "openmp", "snowball", "uchardet", "utf8proc", "xxhash", "zlib",
                "zstd"} <= licences
        assert all(archive.read(name).strip() for name in names if "/licenses/" in name)
        assert any(name.endswith(".data/scripts/ezlda") for name in names)
        assert sum(name.endswith(".so") for name in names) == 1


@pytest.mark.parametrize("cpu", CPUS)
def test_programs_need_only_the_c_library(cpu, tree):
    for path in (tree[cpu] / "bin" / "ezlda", *(tree[cpu] / "lib").glob("libezlda.so")):
        text = run(["readelf", "-d", "-V", path])
        needed = set(re.findall(r"Shared library: \[([^]]*)\]", text))
        assert needed <= {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2",
                          "ld-linux-aarch64.so.1"}, needed
        versions = [tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_(\d+\.\d+)", text)]
        assert versions and max(versions) <= OLDEST_GLIBC


@pytest.mark.parametrize("cpu", CPUS)
def test_tarball_has_what_users_install(cpu, tree):
    top = tree[cpu]
    for name in ("README.md", "LICENSE", "bin/ezlda", "include/ezlda.h", "lib/libezlda.so", "share/man/man1/ezlda.1",
                 "share/bash-completion/completions/ezlda", "share/zsh/site-functions/_ezlda",
                 "share/fish/vendor_completions.d/ezlda.fish", "share/doc/ezlda/licences/zlib.txt"):
        assert (top / name).stat().st_size > 500, name


@pytest.fixture(scope="session")
def static_tree(tmp_path_factory):
    folder = tmp_path_factory.mktemp("static")
    with tarfile.open(only("ezlda-*-linux-x86_64-musl.tar.gz")) as archive:
        archive.extractall(folder)
    tree, = folder.iterdir()
    return tree


@pytest.mark.skipif(NATIVE != "x86_64", reason="the command is for x86-64")
def test_static_command_runs_in_an_empty_folder(static_tree, corpus, wanted, tmp_path):
    """A root folder with the command and a corpus: no C library, no /proc, no /tmp."""
    text = run(["readelf", "-l", "-d", static_tree / "bin" / "ezlda"])
    assert "INTERP" not in text and "NEEDED" not in text
    shutil.copy(static_tree / "bin" / "ezlda", tmp_path / "ezlda")
    shutil.copy(corpus, tmp_path / "c.ezc")
    inside = [*(["unshare", "-r"] if os.geteuid() else []), "/usr/sbin/chroot", tmp_path, "/ezlda"]
    run([*inside, "train", "c.ezc", *TRAIN, "--summary", "s.json", "-o", "m.ezm"])
    assert json.loads((tmp_path / "s.json").read_text())["topics_hash"] == wanted
    (tmp_path / "t.txt").write_text("river bank water boat\n" * 50 + "größe straße müde käse\n" * 50)
    (tmp_path / "l.txt").write_bytes(("größe straße müde käse\n" * 50).encode("latin-1"))
    for name in "t", "l":
        run([*inside, "import", f"{name}.txt", "--unit", "lines", "-q", "-o", f"{name}.ezc"])
    assert json.loads(run([*inside, "info", "l.ezc", "--json"]))["words"] == 4


def test_static_tarball_has_the_command_and_its_pages(static_tree):
    names = {str(path.relative_to(static_tree)) for path in static_tree.rglob("*") if path.is_file()}
    assert {"bin/ezlda", "README.md", "LICENSE", "share/man/man1/ezlda.1", "share/bash-completion/completions/ezlda",
            "share/zsh/site-functions/_ezlda", "share/fish/vendor_completions.d/ezlda.fish"} <= names
    assert not [name for name in names if name.startswith(("lib/", "include/"))]
    licences = {Path(name).stem for name in names if "/licences/" in name}
    assert {"LICENSE", "hdf5", "musl", "openmp", "zlib"} <= licences


def test_checksums_fit():
    run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=DIST)
    listed = {line.split()[1] for line in (DIST / "SHA256SUMS").read_text().splitlines()}
    assert {wheel_of(cpu).name for cpu in CPUS} <= listed


# ---- the same bits ----


def arm_command(words):
    return ["qemu-aarch64", "-L", ARM, *words]


def test_tarballs_give_the_same_bits(corpus, wanted, tree, tmp_path):
    assert train([tree[NATIVE] / "bin" / "ezlda"], corpus, tmp_path) == wanted


def test_mpi_job_gives_the_same_bits(corpus, wanted, tree, tmp_path):
    """The module of the tarball opens Debian's Open MPI."""
    job = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "2"]
    assert train([*job, tree[NATIVE] / "bin" / "ezlda"], corpus, tmp_path) == wanted
    for cpu in CPUS:
        for name, library in (("openmpi", "libmpi.so.40"), ("mpich", "libmpi.so.12")):
            assert f"[{library}]" in run(["readelf", "-d", tree[cpu] / "lib" / "ezlda" / f"libezlda-{name}.so"])


def test_arm_command_gives_the_same_bits(corpus, wanted, tree, tmp_path):
    run([ROOT / "release" / "arm64_python.sh", ARM])
    assert train(arm_command([tree["aarch64"] / "bin" / "ezlda"]), corpus, tmp_path) == wanted
    drawn = tmp_path / "drawn.ezc"
    run(arm_command([tree["aarch64"] / "bin" / "ezlda", "synth", "--docs", "2000", "--words", "3000", "--topics", "20",
                     "--seed", "7", "-q", "-o", drawn]))
    assert drawn.read_bytes() == corpus.read_bytes()


def test_arm_wheel_gives_the_same_bits(corpus, wanted, tmp_path):
    run([ROOT / "release" / "arm64_python.sh", ARM])
    with zipfile.ZipFile(wheel_of("aarch64")) as archive:
        archive.extractall(tmp_path)
    script, = tmp_path.glob("ezlda-*.data/scripts/ezlda")
    python = arm_command([ARM / "usr" / "bin" / "python3"])
    more = {"env": {**os.environ, "PYTHONPATH": f"{tmp_path}:{ARM / 'site'}"}}
    assert train([*python, script], corpus, tmp_path, **more) == wanted
    code = ("import sys, ezlda; m = ezlda.train(ezlda.Corpus.read(sys.argv[1]), 100, 50, progress=False); "
            "theta = m.infer(ezlda.Corpus.read(sys.argv[1])[:20]); assert theta.shape == (20, 100); print(m.topics_hash)")
    assert run([*python, "-c", code, corpus], **more).split()[-1] == wanted


def test_wheel_gives_the_same_bits(corpus, wanted, environment, tmp_path):
    bin_folder = environment / "bin"
    assert train([bin_folder / "ezlda"], corpus, tmp_path, env=no_compilers(bin_folder)) == wanted
    assert short_suite(bin_folder / "python", corpus) == wanted


SHORT = """
import pickle, sys
import numpy as np
import ezlda, ezlda.options, ezlda.tl
corpus = ezlda.Corpus.read(sys.argv[1])
assert len(list(corpus[:5])) == 5
model = ezlda.train(corpus, 100, 50, progress=False)
assert model.topics(5) and model.doc_topic().shape == (len(corpus), 100)
again = pickle.loads(pickle.dumps(model))
assert np.array_equal(again.components(), model.components())
assert model.infer(corpus[:10]).shape == (10, 100)
texts = ezlda.Corpus.from_texts(["a river and a bank", "the bank of a river", "music and a violin"], min_docs=1)
assert len(texts) == 3 and ezlda.devices()["devices"]
try:
    ezlda.Corpus.read("no-such-file.csv")
except FileNotFoundError as error:
    assert "no-such-file.csv" in str(error)
for kind in (type(corpus._handle), type(model._handle)):
    try:
        kind()
    except TypeError:
        continue
    raise SystemExit(f"{kind} can be made by hand")
print(model.topics_hash)
"""


def short_suite(python, corpus):
    return run([python, "-c", SHORT, corpus], env=no_compilers(Path(python).parent)).split()[-1]


@pytest.mark.parametrize("python", other_pythons(), ids=lambda path: path.name)
def test_wheel_on_other_pythons(python, corpus, wanted, tmp_path):
    run([python, "-m", "venv", tmp_path / "venv"])
    place = tmp_path / "venv" / "bin"
    run([place / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel_of(NATIVE)])
    assert short_suite(place / "python", corpus) == wanted
    assert run([place / "ezlda", "--version"]) == run([PLAIN, "--version"])


# ---- the Python suite without compilers ----


def test_python_suite_passes(tmp_path):
    """The packages of the suite come from PyPI once, into build-release; the package is the wheel."""
    folder = MADE / "python-suite"
    run([ROOT / "scripts" / "python_env.sh", "--packages", folder, sys.executable])
    place = folder / "bin"
    run([place / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
         "--force-reinstall", wheel_of(NATIVE)])
    assert not any(shutil.which(tool, path=str(place)) for tool in COMPILERS)
    shutil.copytree(ROOT / "python" / "tests", tmp_path / "tests")
    done = subprocess.run([place / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"], cwd=tmp_path,
                          env={**no_compilers(place), "EZLDA_BIN": str(place / "ezlda")}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    print(done.stdout[-3000:])
    assert done.returncode == 0 and re.search(r"\d{2,} passed", done.stdout), done.stdout[-3000:]


# ---- the command of the wheel behaves as the binary ----


@pytest.fixture(scope="session")
def script(environment):
    return environment / "bin" / "ezlda"


@pytest.mark.parametrize("words", [
    [], ["trian"], ["--version"], ["--help"], ["help", "train"], ["train", "--help"], ["train", "none.txt", "-k", "5", "-o", "x"],
    ["train", "-k", "none"], ["devices", "--json"], ["info", "\udcff.ezm"]], ids=" ".join)
def test_command_prints_and_ends_as_the_binary(words, script, tree, tmp_path):
    arguments = [os.fsencode(word) for word in words]
    results = []
    for program in (script, tree[NATIVE] / "bin" / "ezlda"):
        done = subprocess.run([os.fsencode(program), *arguments], cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        results.append((done.returncode, re.sub(rb'"memory[a-z_]*": \d+', b"", done.stdout), done.stderr))
    assert results[0] == results[1]


def test_command_reads_standard_input(script, tmp_path):
    text = "".join(f"river bank water number{i % 7} boat\n" for i in range(200))
    out = tmp_path / "read.ezc"
    subprocess.run([script, "import", "-", "--min-docs", "1", "-q", "-o", out], input=text, text=True, check=True)
    assert json.loads(run([script, "info", out, "--json", "-q"]))["documents"] == 200


def test_command_ends_by_the_signal(script, corpus, tmp_path):
    """The first Ctrl-C ends a run after its iteration and keeps the model, a run of import ends by the signal."""
    model = tmp_path / "long.ezm"
    process = subprocess.Popen([script, "train", corpus, "-k", "50", "-i", "1000000", "-o", model],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode in (0, 130) and model.exists()
    process = subprocess.Popen([script, "import", "-", "-q", "-o", tmp_path / "x.ezc"], stdin=subprocess.PIPE)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == -signal.SIGINT


def test_command_fits_the_terminal(script, corpus, wanted, tree, tmp_path):
    model = tmp_path / "m.ezm"
    run([script, "train", corpus, "-k", "5", "-i", "5", "-q", "-o", model])
    shown = []
    for program in (script, tree[NATIVE] / "bin" / "ezlda"):
        ours, theirs = pty.openpty()
        subprocess.run(["stty", "cols", "60"], stdin=theirs, check=True)
        process = subprocess.Popen([program, "topics", model, "--words", "40"], stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        text = b""
        while True:
            try:
                block = os.read(ours, 65536)
            except OSError:
                break
            if not block:
                break
            text += block
        assert process.wait() == 0
        os.close(ours)
        shown.append(text)
    assert shown[0] == shown[1]
    assert max(map(len, shown[0].split(b"\r\n"))) <= 60


def test_command_reports_a_full_disk(script, corpus):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([script, "info", corpus, "--json"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and "standard output: cannot write" in done.stderr

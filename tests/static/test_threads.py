"""ThreadSanitizer over the threaded paths: OpenMP, the writer of checkpoints, the device that is opened ahead.

The build is clang's, with LLVM's OpenMP runtime: Archer reports to the sanitizer what synchronises in it. The command has
the CUDA backend inside and finds the emulated driver of the plain build, which is not watched itself.
"""
import os
import subprocess
import urllib.request
from pathlib import Path

import pytest
from conftest import BUILD, ROOT, run

TSAN = Path(os.environ.get("EZLDA_TSAN", ROOT / "build-tsan"))
OPTIONS = "ignore_noninstrumented_modules=1:exitcode=66"
WATCHED = ["-fsanitize=thread", "-fopenmp", "-O1"]


@pytest.fixture(scope="module")
def settings():
    found = sorted(Path("/usr/lib").glob("llvm-*/lib/libarcher.so"))
    assert found, "libarcher.so was not found (Debian: libomp-dev)"
    return {"OMP_TOOL_LIBRARIES": str(found[-1]), "TSAN_OPTIONS": OPTIONS, "OMP_NUM_THREADS": "4",
            "LD_LIBRARY_PATH": str(BUILD / "emulated"), "EZLDA_TEST_DEVICE": "cpu"}


@pytest.fixture(scope="module")
def ezlda(settings, tmp_path_factory):
    os.chdir(tmp_path_factory.mktemp("threads"))

    def command(line, status=0):
        done = run([TSAN / "emulated" / "ezlda", *line.split()], **settings)
        assert done.returncode == status and "ThreadSanitizer" not in done.stdout, done.stdout
        return done.stdout
    return command


@pytest.fixture(scope="module")
def model(ezlda):
    themes = ["river water fish boat lake bridge", "music violin concert melody opera choir"]
    with open("lines.txt", "w") as file:
        file.writelines(f"{themes[i % 2]} {themes[i * i % 2]} word{i % 90} other{i % 70}\n" for i in range(3000))
    ezlda("import lines.txt -o c.ezc --min-length 2 --stopwords none --threads 4")
    Path("pages").mkdir()
    for i in range(150):
        name = ("harbour.html", "letters.xml", "notes.md")[i % 3]
        Path("pages", f"{i}-{name}").write_bytes((ROOT / "tests" / "data" / "pages" / name).read_bytes())
    ezlda("train c.ezc -k 12 -i 10 --threads 4 --device cpu --keep-topics -o m.ezm")
    return "m.ezm"


RACE = """#include <stdio.h>
int main(void) { int sum = 0;
#pragma omp parallel for num_threads(4) %s
for (int i = 0; i < 100000; i++) sum += i & 1;
printf("%%d\\n", sum); return 0; }
"""


def test_races_are_seen_and_synchronised_loops_are_not(compiled, settings):
    racing = run([compiled(RACE % "", *WATCHED)], **settings)
    assert racing.returncode == 66 and "data race" in racing.stdout
    tame = run([compiled(RACE % "reduction(+ : sum)", *WATCHED)], **settings)
    assert (tame.returncode, tame.stdout) == (0, "50000\n")


@pytest.mark.parametrize("line", [
    "synth -o s.ezc --docs 300 --words 400 --length 50 --topics 6 --threads 4",
    "train c.ezc -k 300 -i 6 --device cpu --threads 4 --optimize-interval 2 --optimize-burn-in 0 -o a.ezm",
    "train c.ezc -k 12 -i 12 --device cpu --threads 3 --checkpoint kept --every 1it -o b.ezm",
    "train c.ezc -k 12 -i 14 --device cpu --threads 4 --checkpoint kept --resume -o b.ezm",
    "train c.ezc -k 8 -i 3 --device cuda --threads 4 -o d.ezm",
    "train lines.txt -k 8 -i 2 --device auto --min-length 2 --stopwords none --threads 4 -o e.ezm",
    "train s.ezc -k 8 -i 3 --sampler three-branch --device cpu --threads 4 -o f.ezm",
    "infer m.ezm lines.txt --device cpu --threads 4 -o inferred.tsv", "eval m.ezm lines.txt --device cpu --threads 4",
    "export m.ezm --to npz --threads 4 -o m.npz", "export m.ezm --to pyldavis-json --threads 4 -o m.json",
    "import pages --keep-fields title --threads 4 -o p.ezc", "report m.ezm c.ezc --threads 4 -o r.html", "diff m.ezm b.ezm --threads 4",
    "sweep c.ezc -k 4,6 -i 5 --device cpu --threads 4 -o swept"])
def test_no_races(ezlda, model, line):
    ezlda(line)


def test_no_races_while_a_report_is_served(settings, model):
    serving = subprocess.Popen([TSAN / "emulated" / "ezlda", "report", "m.ezm", "c.ezc", "--serve", "--port", "0",
                                "--threads", "4"], env={**os.environ, **settings}, text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    try:
        address = next(word for line in serving.stdout for word in line.split() if word.startswith("http://"))
        for path in ("", "api/document?number=1", "api/search?query=river"):
            assert urllib.request.urlopen(address + path, timeout=60).read()
    finally:
        serving.terminate()
        rest = serving.communicate(timeout=60)[0]
    assert serving.returncode in (0, -15, 143) and "ThreadSanitizer" not in rest, rest

"""Every allocation of a small run fails once, in turn: the command ends with a clear error, or succeeds and has written
what it writes without the failure. Nothing half written is left. In a sanitized build, nothing leaks either.

The program is tests/ezlda-faults of the build under test (fail_allocation.c). Normally every 7th allocation is failed;
EZLDA_FAULTS_FULL=1 asks for all of them.
"""
import concurrent.futures
import gzip
import lzma
import os
import struct
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("EZLDA_BUILD", ROOT / "build")) / "tests" / "ezlda-faults"
STRIDE = 1 if os.environ.get("EZLDA_FAULTS_FULL") else 7
LIMIT_S = 120
SANITIZER = 99  # exit status of a sanitizer's report

TEXT = "".join(f"d{i}\tlabel\t{words}\n" for i, words in enumerate(
    ["the river and the boats of 1984", "choir sang an aria", "river boat river boat choir", "", "the old opera choir"]))
JSON = "".join(f'{{"id": "d{i}", "text": "{line.split(chr(9))[2]}", "year": {1990 + i}}}\n'
               for i, line in enumerate(TEXT.splitlines()))
UCI = "3\n4\n5\n1 1 2\n1 2 1\n2 2 3\n2 3 1\n3 4 2\n"

# What is run, in this order; {in} holds the inputs, {out} is empty before. Each leaves what later ones need in {in}.
STEPS = {
    "import_text": ["import", "{in}/lines.mallet", "--format", "mallet", "--stopwords", "en", "-o", "{out}/c.ezc"],
    "import_json": ["import", "{in}/docs.jsonl.gz", "--keep-fields", "year", "--keep-order", "--ngrams", "2", "--stemmer",
                    "english", "-o", "{out}/j.ezc"],
    "import_csv": ["import", "{in}/table.csv.xz", "-o", "{out}/t.ezc"],
    "import_uci": ["import", "{in}/docword.txt.zst", "--vocab", "{in}/vocab.txt", "--format", "uci", "-o",
                   "{out}/u.ezc"],
    "import_joined": ["import", "{in}/c.ezc", "{in}/j.ezc", "--min-docs", "2", "-o", "{out}/cj.ezc"],
    "train": ["train", "{in}/c.ezc", "-k", "3", "-i", "6", "--seed", "1", "--optimize-interval", "2",
              "--optimize-burn-in", "1", "--keep-topics", "--log", "{out}/log.jsonl", "-o", "{out}/m.ezm"],
    "train_seeds": ["train", "{in}/c.ezc", "-k", "3", "-i", "4", "--seeds", "{in}/seeds.txt", "--checkpoint",
                    "{out}/kept", "--every", "2it", "-o", "{out}/s.ezm"],
    "train_init": ["train", "{in}/c.ezc", "-k", "3", "-i", "2", "--init", "{in}/m.ezm", "-o", "{out}/i.ezm"],
    "infer": ["infer", "{in}/m.ezm", "{in}/lines.mallet", "--format", "mallet", "-o", "{out}/theta.tsv"],
    "export_state": ["export", "{in}/m.ezm", "--corpus", "{in}/c.ezc", "--to", "mallet-state", "-o", "{out}/state.gz"],
    "export_npz": ["export", "{in}/m.ezm", "--to", "npz", "-o", "{out}/m.npz"],
    "export_gensim": ["export", "{in}/m.ezm", "--to", "gensim", "-o", "{out}/gensim"],
    "export_csv": ["export", "{in}/m.ezm", "--to", "csv", "-o", "{out}/tables"],
    "export_pyldavis": ["export", "{in}/m.ezm", "--to", "pyldavis-json", "-o", "{out}/vis.json"],
    "import_state": ["import", "{in}/state.gz", "--format", "mallet-state", "-o", "{out}/back.ezc"],
    "topics": ["topics", "{in}/m.ezm"],
    "docs": ["docs", "{in}/m.ezm"],
    "eval": ["eval", "{in}/m.ezm", "{in}/c.ezc"],
    "diff": ["diff", "{in}/m.ezm", "{in}/s.ezm"],
    "report": ["report", "{in}/m.ezm", "{in}/c.ezc", "-o", "{out}/report.html"],
    "plan": ["plan", "{in}/c.ezc", "-k", "3"],
    "info": ["info", "{in}/m.ezm"],
}
# Their output holds times or paths, or is of another kind; that they end well is all that is asked.
NOT_COMPARED = {"log.jsonl", "kept", "report.html"}


def sections(data):
    """A model's sections, less the one that holds times."""
    table, _, count = struct.unpack_from("<QQI", data, len(data) - 64)
    entries = (struct.unpack_from("<4sIQQQ", data, table + 32 * i) for i in range(count))
    return {tag: data[offset:offset + length] for tag, _, offset, length, _ in entries if tag != b"RUN "}


def content(folder):
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and name.parts[0] not in NOT_COMPARED:
            data = path.read_bytes()
            found[str(name)] = sections(data) if path.suffix == ".ezm" else data
    return found


def run(step, inputs, out, **faults):
    out.mkdir()
    arguments = [part.replace("{in}", str(inputs)).replace("{out}", str(out)) for part in STEPS[step]]
    environment = {**os.environ, **faults, "OMP_WAIT_POLICY": "passive",
                   "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "detect_leaks=1") + f":exitcode={SANITIZER}"}
    if step != "info":
        arguments += ["--threads", "1"]
    return subprocess.run([str(PROGRAM), *arguments], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "lines.mallet").write_text(TEXT)
    (folder / "docs.jsonl.gz").write_bytes(gzip.compress(JSON.encode()))
    (folder / "table.csv.xz").write_bytes(lzma.compress(b'id,text\n1,"the river, and"\n2,choir sang\n'))
    (folder / "docword.txt").write_text(UCI)
    subprocess.run(["zstd", "-q", str(folder / "docword.txt")], check=True)
    (folder / "vocab.txt").write_text("river\nboat\nchoir\nopera\n")
    (folder / "seeds.txt").write_text("river, boat\n2: choir\n")
    return folder


@pytest.fixture(scope="module")
def expected(inputs, tmp_path_factory):
    """Runs without a failure: what is written, and how many allocations there are."""
    results = {}
    for step in STEPS:
        out = tmp_path_factory.mktemp("whole") / step
        count = out.parent / "count"
        done = run(step, inputs, out, EZLDA_COUNT_ALLOCATIONS=str(count))
        assert done.returncode == 0, (step, done)
        results[step] = content(out), int(count.read_text()), done.stdout
        for path in out.iterdir():
            path.rename(inputs / path.name)
    return results


def fault_of(step, inputs, out, whole, which):
    """What is wrong about a run with this failure; "" where all is well."""
    try:
        done = run(step, inputs, out, EZLDA_FAIL_ALLOCATION=which)
    except subprocess.TimeoutExpired:
        return f"{step}, allocation {which}: no end in sight"
    errors = done.stderr.decode(errors="replace")
    where = f"{step}, allocation {which}: status {done.returncode}\n{errors[-3000:]}"
    lines = [line for line in errors.splitlines() if line.startswith("ezlda: ")]
    if done.returncode not in (0, 1):
        return where
    if done.returncode == 0 and content(out) != whole:
        return f"{where}\nother content than without the failure"
    if done.returncode == 1 and (not lines or lines[-1].strip() == "ezlda:"):
        return f"{where}\nno message"
    left = content(out)
    if done.returncode == 1 and any(whole.get(name) != left[name] for name in left):
        return f"{where}\nleft behind: {list(left)}"
    return ""


@pytest.mark.parametrize("step", STEPS)
def test_every_allocation_may_fail(step, inputs, expected, tmp_path):
    whole, count, _ = expected[step]
    assert count > 10
    cases = [str(n) for n in range(1, count + 1, STRIDE)] + [f"{n}+" for n in range(4, count + 1, 5 * STRIDE)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = pool.map(lambda which: fault_of(step, inputs, tmp_path / which, whole, which), cases)
        faults = [fault for fault in faults if fault]
    assert not faults, f"{len(faults)} of {len(cases)} failures\n" + "\n\n".join(faults[:5])

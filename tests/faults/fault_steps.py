"""Small runs of the command whose allocations and file operations are failed, in the program that has the injectors
(tests/ezlda-faults of the build under test)."""
import gzip
import lzma
import os
import struct
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("EZLDA_BUILD", ROOT / "build")) / "tests" / "ezlda-faults"
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
                    "english", "--stem-below", "2", "-o", "{out}/j.ezc"],
    "import_like": ["import", "{in}/docs.jsonl.gz", "--like", "{in}/j.ezc", "-o", "{out}/l.ezc"],
    "import_csv": ["import", "{in}/table.csv.xz", "-o", "{out}/t.ezc"],
    "import_encoded": ["import", "{in}/latin1.txt.gz", "--encoding", "latin1", "-o", "{out}/e.ezc"],
    "import_uci": ["import", "{in}/docword.txt.zst", "--vocab", "{in}/vocab.txt", "--format", "uci", "-o",
                   "{out}/u.ezc"],
    "import_cells": ["import", "{in}/cells", "-o", "{out}/x.ezc"],
    "import_folder": ["import", "{in}/folder", "-o", "{out}/f.ezc"],
    "import_pages": ["import", "{in}/pages", "--keep-fields", "title,date", "-o", "{out}/p.ezc"],
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
    "export_csv": ["export", "{in}/m.ezm", "--to", "csv", "--corpus", "{in}/c.ezc", "-o", "{out}/tables"],
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


def run(step, inputs, out, more=(), **faults):
    out.mkdir(exist_ok=True)
    arguments = [part.replace("{in}", str(inputs)).replace("{out}", str(out)) for part in [*STEPS[step], *more]]
    environment = {**os.environ, **faults, "OMP_WAIT_POLICY": "passive",
                   "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "detect_leaks=1") + f":exitcode={SANITIZER}"}
    if step != "info":
        arguments += ["--threads", "1"]
    return subprocess.run([str(PROGRAM), *arguments], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S)


def write_inputs(folder):
    (folder / "lines.mallet").write_text(TEXT)
    (folder / "docs.jsonl.gz").write_bytes(gzip.compress(JSON.encode()))
    (folder / "table.csv.xz").write_bytes(lzma.compress(b'id,text\n1,"the river, and"\n2,choir sang\n'))
    (folder / "latin1.txt.gz").write_bytes(gzip.compress("un café à la crème\nzwölf Bäume\n".encode("latin1") * 5000))
    (folder / "docword.txt").write_text(UCI)
    subprocess.run(["zstd", "-q", str(folder / "docword.txt")], check=True)
    (folder / "vocab.txt").write_text("river\nboat\nchoir\nopera\n")
    (folder / "cells").mkdir()
    (folder / "cells" / "matrix.mtx").write_text("%%MatrixMarket matrix coordinate integer general\n"
                                                 "3 2 3\n1 1 2\n3 2 1\n2 1 4\n")
    (folder / "cells" / "features.tsv").write_text("G1\tboat\nG2\triver\nG3\tboat\n")
    (folder / "cells" / "barcodes.tsv").write_text("AC-1\nGT-1\n")
    (folder / "folder" / "sub").mkdir(parents=True)
    for name in ("a.txt", "b.txt", "sub/c.txt"):
        (folder / "folder" / name).write_text(f"the river and the boats of {name}\n")
    (folder / "pages").mkdir()
    for page in ("harbour.html", "letters.xml", "notes.md"):
        (folder / "pages" / page).write_bytes((ROOT / "tests" / "data" / "pages" / page).read_bytes())
    (folder / "seeds.txt").write_text("river, boat\n2: choir\n")
    return folder


def fault(done, what, left, whole):
    """Returns what a run with an injected failure did wrong, or ""."""
    errors = done.stderr.decode(errors="replace")
    where = f"{what}: status {done.returncode}\n{errors[-3000:]}"
    lines = [line for line in errors.splitlines() if line.startswith("ezlda: ")]
    if done.returncode not in (0, 1):
        return where
    if done.returncode == 0 and left != whole:
        return f"{where}\nother content than without the failure"
    if done.returncode == 1 and (not lines or lines[-1].strip() == "ezlda:"):
        return f"{where}\nno message"
    if done.returncode == 1 and any(whole.get(name) != left[name] for name in left):
        return f"{where}\nleft behind: {list(left)}"
    return ""

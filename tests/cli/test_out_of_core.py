"""Runs larger than memory: the same bits in any number of chunks, clear errors, nothing left behind."""
import json
import os
import random
import re
import resource
import signal
import subprocess
import time

import pytest

OPTIONS = ["-k", 12, "-i", 4, "--eval-every", 2, "--device", "cpu", "--threads", 1, "-q"]
MODEL = 0.98  # the share of a model file that does not depend on how long the run took


@pytest.fixture(scope="module")
def texts(ezlda, tmp_path_factory):
    path = tmp_path_factory.mktemp("texts") / "c.ezc"
    assert ezlda("synth", "-o", path, "--docs", 900, "--words", 300, "--length", 60, "--topics", 8, "-q").status == 0
    return path


@pytest.fixture(scope="module")
def least(ezlda, texts):
    """The least memory that a run needs, from the message."""
    result = ezlda("train", texts, *OPTIONS, "--out-of-core", "--memory", 1000, "-o", "/dev/null")
    assert result.status == 2
    return int(re.search(r"at least (\d+)", result.stderr)[1])


@pytest.fixture
def train(ezlda, texts, tmp_path):
    def run(*arguments, **keywords):
        name = f"{len(list(tmp_path.iterdir()))}"
        result = ezlda("train", texts, *OPTIONS, *arguments, "-o", tmp_path / f"{name}.ezm", "--summary",
                       tmp_path / f"{name}.json", **keywords)
        assert result.status == 0, result
        summary = json.loads((tmp_path / f"{name}.json").read_text())
        bytes_ = (tmp_path / f"{name}.ezm").read_bytes()
        return summary, bytes_[:int(MODEL * len(bytes_))]

    return run


def same(a, b):
    return a[1] == b[1] and all(a[0][key] == b[0][key] for key in ("topics_hash", "alpha_sum", "beta")) \
        and [(x[0], x[2]) for x in a[0]["llpt"]] == [(x[0], x[2]) for x in b[0]["llpt"]]


def test_one_model_in_any_number_of_parts(train, least):
    whole = train()
    parts = set()
    for memory, threads in ((least + 30000, 1), (least + 100000, 1), (least + 300000, 2), (10 ** 9, 1)):
        got = train("--out-of-core", "--memory", memory, "--threads", threads)
        parts.add(got[0]["chunks"])
        assert same(got, whole), memory
    assert len(parts) == 4 and min(parts) == 1 and max(parts) > 15


def test_seeds_fitted_priors_and_kept_topics(train, least, tmp_path):
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("w1 w20\n5: w3\n")
    more = ["--seeds", seeds, "--optimize-interval", 2, "--optimize-burn-in", 1, "--keep-topics"]
    whole = train(*more)
    assert whole[0]["beta"] != 0.01
    got = train(*more, "--out-of-core", "--memory", 2 * least)
    assert got[0]["chunks"] > 1 and same(got, whole)


def test_continues_from_a_model_and_from_a_checkpoint(train, ezlda, texts, least, tmp_path):
    kept, other, folder = tmp_path / "kept.ezm", tmp_path / "other.ezm", tmp_path / "checkpoints"
    core = ["--out-of-core", "--memory", least + 200000]
    assert ezlda("train", texts, *OPTIONS, "--keep-topics", *core, "-o", kept).status == 0
    assert ezlda("train", texts, *OPTIONS, "--seed", 9, "-o", other).status == 0
    for model in (kept, other):  # its tokens' topics, and inferred ones
        assert same(train("--init", model, *core), train("--init", model))
    long = ["-i", 6]
    train("--checkpoint", folder, "--every", "2it", *core)
    assert same(train(*long, "--checkpoint", folder, "--resume"), train(*long))
    train("--checkpoint", tmp_path / "more", "--every", "2it")
    assert same(train(*long, "--checkpoint", tmp_path / "more", "--resume", *core), train(*long))


def test_refusals(fails, texts, tmp_path):
    out = ["-o", tmp_path / "m.ezm"]
    fails(2, ["out of core is for the device cpu", "cuda"], "train", texts, "-k", 3, "--out-of-core", "--device", "cuda",
          "-q", *out)
    fails(2, "--memory needs --out-of-core", "train", texts, "-k", 3, "--memory", "1G", *out)
    fails(2, "--scratch needs --out-of-core", "train", texts, "-k", 3, "--scratch", tmp_path, *out)
    fails(2, ["memory is 1000 bytes", "at least"], "train", texts, "-k", 3, "--out-of-core", "--memory", 1000, "-q", *out)


def test_a_scratch_folder_that_is_missing_or_full(fails, texts, tmp_path):
    arguments = ["train", texts, *OPTIONS, "--out-of-core", "-o", tmp_path / "m.ezm"]
    fails(1, ["nowhere: cannot make a scratch file of", "No such file"], *arguments, "--scratch", tmp_path / "nowhere")
    full = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
    fails(1, [f"{tmp_path}: cannot make a scratch file of", "File too large"], *arguments, preexec_fn=full)


def scratch_files(pid):
    """Descriptors of a process that are files without a name."""
    found = []
    for fd in os.listdir(f"/proc/{pid}/fd"):
        try:
            found.append(os.readlink(f"/proc/{pid}/fd/{fd}"))
        except OSError:
            pass
    return [name for name in found if name.endswith("(deleted)")]


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 0), (signal.SIGKILL, -9)])
def test_nothing_is_left_behind(binary, texts, least, tmp_path, number, status):
    folder = tmp_path / "scratch"
    folder.mkdir()
    process = subprocess.Popen([binary, *map(str, ["train", texts, "-k", 12, "-i", 10 ** 6, "--out-of-core", "--memory",
                                                   2 * least, "--threads", 1, "--scratch", folder, "-o", tmp_path / "m.ezm",
                                                   "-q"])])
    end = time.monotonic() + 60
    while not any(str(folder) in name for name in scratch_files(process.pid)) and time.monotonic() < end:
        time.sleep(0.05)
    assert any(str(folder) in name for name in scratch_files(process.pid))
    time.sleep(0.3)
    assert list(folder.iterdir()) == []
    process.send_signal(number)
    assert process.wait(60) == status
    assert list(folder.iterdir()) == []
    assert [p.name for p in tmp_path.iterdir() if p != folder] == (["m.ezm"] if status == 0 else [])


@pytest.mark.parametrize("parts", [False, True])
def test_a_corpus_that_changes_during_a_run(binary, texts, least, tmp_path, parts):
    """A byte of the file changes: the run ends with an error, because it has read the old content too. If only the time
    of the file changes, or a new file takes its name, the run continues."""
    corpus, log, model = tmp_path / "c.ezc", tmp_path / "log", tmp_path / "m.ezm"
    core = ["--out-of-core", "--memory", str(least + 4096)] if parts else []

    def change(descriptor):
        os.pwrite(descriptor, bytes([os.pread(descriptor, 1, 300)[0] ^ 1]), 300)

    for meanwhile, whole in (("change", False), ("touch", True), ("replace", True)):
        corpus.write_bytes(texts.read_bytes())
        for path in (log, model):
            path.unlink(missing_ok=True)
        process = subprocess.Popen([binary, "train", corpus, *map(str, OPTIONS), "-i", "1000000", "--log", log, "-q", *core,
                                    "-o", model], stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 60
        while not (log.exists() and log.stat().st_size) and time.monotonic() < until:
            time.sleep(0.01)
        if meanwhile == "replace":
            (tmp_path / "new").write_bytes(b"")
            (tmp_path / "new").rename(corpus)
        else:
            with open(corpus, "r+b") as file:
                if meanwhile == "change":
                    change(file.fileno())
                os.utime(corpus, ns=(1, 1))
        if not parts or whole:
            process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert model.exists() == whole, (meanwhile, process.returncode, errors)
        assert whole or (process.returncode == 1 and "was written to while it was in use" in errors), errors


def test_a_corpus_that_changes_while_it_is_read(binary, texts, least, tmp_path):
    """Whichever bytes change while the file is read, the command ends with that message."""
    corpus, draw = tmp_path / "c.ezc", random.Random(5)
    size = texts.stat().st_size
    for changes in (1, 30, 3000) * 3:
        corpus.write_bytes(texts.read_bytes())
        log = tmp_path / f"log{changes}"
        log.unlink(missing_ok=True)
        process = subprocess.Popen([binary, "train", corpus, *map(str, OPTIONS), "-i", "1000000", "--log", log, "-q",
                                    "--out-of-core", "--memory", str(least + 4096), "-o", tmp_path / "m.ezm"],
                                   stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 60
        while not (log.exists() and log.stat().st_size) and time.monotonic() < until:
            time.sleep(0.01)
        with open(corpus, "r+b") as file:
            for _ in range(changes):
                at = draw.randrange(size)
                os.pwrite(file.fileno(), bytes([os.pread(file.fileno(), 1, at)[0] ^ 1 << draw.randrange(8)]), at)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 1 and "was written to while it was in use" in errors, errors

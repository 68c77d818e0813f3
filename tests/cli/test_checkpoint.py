"""Checkpoints: a run that was stopped resumes and ends with the same bits (tests/faults: killed at any time)."""
import json
import os
import resource
import signal
import subprocess
import time

import pytest

OPTIONS = ["-k", 12, "-i", 60, "--optimize-interval", 7, "--optimize-burn-in", 5, "-q"]


@pytest.fixture(scope="module")
def texts(ezlda, tmp_path_factory):
    path = tmp_path_factory.mktemp("texts") / "c.ezc"
    assert ezlda("synth", "-o", path, "--docs", 1500, "--words", 800, "--length", 60, "--topics", 8, "-q").status == 0
    return path


def summary_of(ezlda, *arguments, folder):
    result = ezlda("train", *arguments, "-o", folder / "m.ezm", "--summary", folder / "s.json")
    assert result.status == 0, result
    return json.loads((folder / "s.json").read_text())


@pytest.fixture(scope="module")
def whole(ezlda, texts, device, tmp_path_factory):
    """The summary of an uninterrupted run."""
    return summary_of(ezlda, texts, *OPTIONS, "--device", device, folder=tmp_path_factory.mktemp("whole"))


def same(a, b):
    return all(a[key] == b[key] for key in ("topics_hash", "alpha_sum", "beta", "iterations")) \
        and [(x[0], x[2]) for x in a["llpt"]] == [(x[0], x[2]) for x in b["llpt"]]


def newest_in(folder):
    """Returns the iteration of the newest checkpoint, which may be later than asked: a checkpoint that is due while another
    one is written waits."""
    return max(int(path.name[11:19]) for path in folder.iterdir())


def terminated(binary, log, *arguments, number=signal.SIGTERM):
    """Runs the command, ends it by a signal once its log has a line, and returns the exit status."""
    process = subprocess.Popen([binary, *map(str, arguments), "--log", log], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE,
                               preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))  # nohup ignores it
    deadline = time.time() + 60
    while time.time() < deadline and process.poll() is None and not (log.exists() and log.stat().st_size):
        time.sleep(0.01)
    process.send_signal(number)
    process.communicate(timeout=60)
    return process.returncode


@pytest.mark.slow
def test_another_device_continues(ezlda, binary, texts, whole, device, tmp_path):
    folder = tmp_path / "checkpoints"
    arguments = [texts, *OPTIONS, "--checkpoint", folder, "--every", "4it"]
    assert ezlda("train", *arguments[:4], 30, *arguments[5:], "-o", tmp_path / "m.ezm", "--device", device).status == 0
    resumed = summary_of(ezlda, *arguments, "--resume", "--device", "reference", folder=tmp_path)
    assert resumed["topics_hash"] == whole["topics_hash"]


def test_the_log_continues(ezlda, texts, device, tmp_path):
    """Lines of iterations that are not repeated stay as they are; lines of repeated iterations and an incomplete line
    are removed."""
    log, folder = tmp_path / "log", tmp_path / "checkpoints"

    def logged(iterations, *arguments):
        result = ezlda("train", texts, "-k", 6, "-i", iterations, "-q", "--device", device, "--checkpoint",
                       folder, "--every", "4it", "--log", log, "-o", tmp_path / "m.ezm", *arguments)
        assert result.status == 0, result
        lines = log.read_text().splitlines()
        assert [json.loads(line)["iteration"] for line in lines] == list(range(1, iterations + 1))
        return lines

    first = logged(10, "--resume")
    with open(log, "a", encoding="ascii") as file:
        file.write(first[9].replace("10", "11", 1) + '\n{"iteration": 1')
    done = newest_in(folder)
    assert done >= 4 and logged(15, "--resume")[:done] == first[:done]
    assert logged(15)[:done] != first[:done]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_sigterm_writes_a_checkpoint_and_no_model(binary, ezlda, texts, whole, device, tmp_path, number):
    folder = tmp_path / "checkpoints"
    arguments = [texts, *OPTIONS, "--checkpoint", folder, "--device", device]
    status = terminated(binary, tmp_path / "log", "train", *arguments[:4], 100000, *arguments[5:], "-o",
                        tmp_path / "m.ezm", number=number)
    assert status == 128 + number and not (tmp_path / "m.ezm").exists()
    (name,) = [p.name for p in folder.iterdir()]
    if int(name[11:19]) < 60:
        assert same(summary_of(ezlda, *arguments, "--resume", folder=tmp_path), whole)


def test_one_run_at_a_time(binary, fails, ezlda, texts, device, tmp_path):
    """A folder is free again when its run has ended, even by SIGKILL."""
    folder, log = tmp_path / "checkpoints", tmp_path / "log"
    arguments = ["train", texts, "-k", 12, "-q", "--eval-every", 0, "--device", device, "--checkpoint", folder, "-o",
                 tmp_path / "m.ezm"]
    process = subprocess.Popen([binary, *map(str, arguments), "-i", "100000", "--every", "10h", "--log", log],
                               stderr=subprocess.PIPE)
    try:
        deadline = time.time() + 60
        while time.time() < deadline and process.poll() is None and not (log.exists() and log.stat().st_size):
            time.sleep(0.01)
        for more in ([], ["--resume"]):
            fails(1, f"{folder}: another run is at work in this folder", *arguments, "-i", 2, "--log", log, *more)
        assert process.poll() is None and log.read_text().startswith('{"iteration": 1,'), "its log is left alone"
    finally:
        process.kill()
        process.communicate()
    assert ezlda(*arguments, "-i", 2, "--every", "1it").status == 0
    assert any(folder.iterdir())


@pytest.mark.slow
def test_a_damaged_checkpoint_is_skipped(ezlda, texts, whole, device, tmp_path):
    folder = tmp_path / "checkpoints"
    arguments = [texts, *OPTIONS, "--checkpoint", folder, "--every", "10it", "--device", device]
    for iterations in (15, 45):
        assert ezlda("train", *arguments[:4], iterations, *arguments[5:], "--resume", "-o",
                     tmp_path / "m.ezm").status == 0
    older, newest = sorted(folder.iterdir())
    data = bytearray(newest.read_bytes())
    data[len(data) // 2] ^= 1
    newest.write_bytes(data)
    (folder / "checkpoint-00000090.ezk").write_bytes(b"not a checkpoint")
    (folder / "notes.txt").write_text("mine")
    result = ezlda("train", *[a for a in arguments if a != "-q"], "--resume", "-o", tmp_path / "m.ezm", "--summary",
                   tmp_path / "s.json")
    assert result.status == 0 and result.stderr.count("skipped: ") == 2, result.stderr
    assert f"resuming after iteration {int(older.name[11:19])}" in result.stderr
    assert same(json.loads((tmp_path / "s.json").read_text()), whole)
    assert (folder / "notes.txt").read_text() == "mine"


@pytest.mark.slow
@pytest.mark.parametrize("change, words", [
    (["--seed", 2], "seed is 1 there and 2 here"), (["-k", 13], "topics is 12 there and 13 here"),
    (["--beta", 0.02], "beta is 0.01"), (["--alpha", 0.3], "the sum of alpha is "),
    (["--estimator", "esca"], "estimator"), (["--start", "random"], "start"),
    (["--optimize-interval", 9], "optimize-interval is 7 there and 9 here")])
def test_what_would_change_the_model_is_refused(ezlda, fails, texts, tmp_path, change, words):
    folder = tmp_path / "checkpoints"
    arguments = [texts, *OPTIONS, "--checkpoint", folder, "--every", "5it", "--device", "cpu"]
    assert ezlda("train", *arguments[:4], 12, *arguments[5:], "-o", tmp_path / "m.ezm").status == 0
    fails(2, ["of another run", words], "train", *arguments, *change, "--resume", "-o", tmp_path / "m.ezm")


def test_a_new_run_leaves_checkpoints_of_another_alone(ezlda, fails, texts, tmp_path):
    """Only the checkpoints of the highest iterations are kept, so a new run would remove its own at once."""
    folder = tmp_path / "checkpoints"
    arguments = ["--checkpoint", folder, "--device", "cpu", "-o", tmp_path / "m.ezm", "--every"]
    assert ezlda("train", texts, "-k", 12, "-i", 32, *arguments, "30it", "-q").status == 0
    assert newest_in(folder) == 30
    arguments.append("5it")
    fails(2, ["of another run", "topics is 12 there and 13 here"], "train", texts, "-k", 13, "-i", 8, *arguments, "-q")
    result = ezlda("train", texts, "-k", 12, "-i", 8, *arguments)
    assert result.status == 0 and "has a checkpoint of this very run" in result.stderr
    assert len(list(folder.iterdir())) == 2 and newest_in(folder) == 30  # that of the earlier run is as good as new
    fails(2, "only 8 are asked for", "train", texts, "-k", 12, "-i", 8, *arguments, "--resume", "-q")


def test_damaged_checkpoints_do_not_push_good_ones_out(ezlda, texts, tmp_path):
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    for iteration in (80, 90):
        (folder / f"checkpoint-{iteration:08}.ezk").write_bytes(b"not a checkpoint")
    assert ezlda("train", texts, "-k", 12, "-i", 32, "--checkpoint", folder, "--every", "5it", "--device", "cpu", "-q",
                 "-o", tmp_path / "m.ezm").status == 0
    assert 0 < len([p for p in folder.iterdir() if int(p.name[11:19]) < 80]) <= 2


def test_an_unreadable_checkpoint_is_kept(ezlda, fails, texts, tmp_path):
    """Resuming from a folder with an unreadable checkpoint fails, and the file stays: it may be complete."""
    folder = tmp_path / "checkpoints"
    arguments = [texts, "-k", 12, "-i", 32, "--checkpoint", folder, "--every", "10it", "--device", "cpu", "-q", "-o",
                 tmp_path / "m.ezm"]
    assert ezlda("train", *arguments).status == 0
    newest = max(folder.iterdir())
    newest.rename(tmp_path / "kept")
    newest.mkdir()  # stands for one that is another user's: no permission stops root
    before = sorted(folder.iterdir())
    for more in ([], ["--resume"]):
        fails(1, [str(newest), "cannot read"], "train", *arguments, *more)
    assert sorted(folder.iterdir()) == before


def test_special_files_are_neither_read_nor_written(ezlda, texts, whole, device, tmp_path):
    """Pipes and links with the name of a checkpoint: opening a pipe would block, and a link leads out of the folder."""
    folder, victim = tmp_path / "checkpoints", tmp_path / "victim"
    folder.mkdir()
    victim.write_text("precious")
    os.mkfifo(folder / "checkpoint-00000010.ezk")
    os.mkfifo(folder / "checkpoint-00000090.ezk")
    (folder / "checkpoint-00000020.ezk").symlink_to(victim)
    result = ezlda("train", texts, *[o for o in OPTIONS if o != "-q"], "--checkpoint", folder, "--every", "10it", "--resume",
                   "--device", device, "-o", tmp_path / "m.ezm", "--summary", tmp_path / "s.json")
    assert result.status == 0 and result.stderr.count("skipped: ") == 3, result.stderr
    assert "found a pipe" in result.stderr
    assert victim.read_text() == "precious"
    assert same(json.loads((tmp_path / "s.json").read_text()), whole)


def test_a_file_is_not_a_folder(fails, texts, tmp_path):
    (tmp_path / "file").write_text("mine")
    fails(1, "expected a folder for checkpoints, found a file", "train", texts, "-k", 12, "--checkpoint",
          tmp_path / "file", "-q", "-o", tmp_path / "m.ezm")


def test_another_corpus_is_refused(ezlda, fails, texts, corpus, tmp_path):
    folder = tmp_path / "checkpoints"
    arguments = [*OPTIONS, "--checkpoint", folder, "--every", "5it", "--device", "cpu", "-o", tmp_path / "m.ezm"]
    assert ezlda("train", texts, *arguments).status == 0
    fails(2, "the hash of the corpus is", "train", corpus, *arguments, "--resume")


def test_a_full_disk_does_not_end_the_run(ezlda, texts, whole, device, tmp_path):
    """If no checkpoint can be written, training continues. A limit on file sizes stands in for the full disk; the model
    goes to /dev/null, to which the limit does not apply."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, resource.RLIM_INFINITY))
    result = ezlda("train", texts, *OPTIONS, "--checkpoint", tmp_path / "checkpoints", "--every", "1it", "--device", device,
                   "-o", "/dev/null", "--summary", tmp_path / "s.json", preexec_fn=limit)
    assert result.status == 0 and result.stderr.startswith("no checkpoint: "), result  # --quiet does not hide it
    assert "the run continues" in result.stderr and result.stderr.count("\n") == 1
    assert same(json.loads((tmp_path / "s.json").read_text()), whole)
    assert [p.name for p in (tmp_path / "checkpoints").iterdir()] == []


@pytest.mark.slow
def test_a_removed_folder_is_made_again(binary, texts, tmp_path):
    folder = tmp_path / "checkpoints"
    process = subprocess.Popen([binary, "train", str(texts), "-k", "12", "-i", "100000", "-q", "--device", "cpu",
                                "--checkpoint", str(folder), "--every", "1it", "-o", str(tmp_path / "m.ezm")])
    try:
        deadline = time.time() + 60
        for _ in range(2):
            while time.time() < deadline and not list(folder.glob("*.ezk")):
                time.sleep(0.05)
            assert list(folder.glob("*.ezk"))
            while subprocess.run(["rm", "-rf", str(folder)], stderr=subprocess.DEVNULL).returncode:
                pass  # one was written meanwhile
    finally:
        process.kill()
        process.wait()


def test_misuse(fails, texts, tmp_path):
    out = ["-o", tmp_path / "m.ezm", "-k", 4]
    fails(2, "expected a folder for checkpoints, found ''", "train", texts, "--checkpoint", "", *out, "-q")
    fails(2, "--resume needs --checkpoint", "train", texts, "--resume", *out)
    fails(2, ["--every", "'5x'"], "train", texts, "--checkpoint", tmp_path / "c", "--every", "5x", *out)
    for time in ("5", "5it", "-1s", "soon"):
        fails(2, ["--patience", f"'{time}'"], "train", texts, f"--patience={time}", *out)
    (tmp_path / "file").write_text("")
    fails(1, "file", "train", texts, "--checkpoint", tmp_path / "file" / "folder", *out, "-q")


def test_without_a_checkpoint_it_begins_at_the_start(ezlda, texts, whole, device, tmp_path):
    assert same(summary_of(ezlda, texts, *OPTIONS, "--checkpoint", tmp_path / "none", "--resume", "--device", device,
                           folder=tmp_path), whole)

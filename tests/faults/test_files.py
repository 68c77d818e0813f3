"""Files that fail under the command: short and interrupted reads and writes, every single call failed once, processes
killed at every call, full disks, folders that vanish; the modes of written files. (fail_io.c)

Normally some of the calls of each name are failed; EZLDA_FAULTS_FULL=1 asks for all of them.
"""
import concurrent.futures
import json
import os
import re
import signal
import stat
import subprocess
import time

import pytest

from fault_steps import PROGRAM, STEPS, content, fault, run

FULL = bool(os.environ.get("EZLDA_FAULTS_FULL"))
# What each call is made to answer.
ERRORS = {"open": "EMFILE", "read": "EIO", "write": "ENOSPC", "fsync": "EIO", "close": "EDQUOT", "rename": "EACCES",
          "mkdir": "EROFS", "unlink": "EACCES", "mmap": "ENOMEM", "readdir": "EIO"}
WRITERS = [step for step in STEPS if any("{out}" in part for part in STEPS[step])]
ONCE = {step: ("--patience", "0s") if step.startswith("train") else () for step in STEPS}


def some(count):
    """Numbers of calls: all, or the first, the last and one between."""
    return range(1, count + 1) if FULL else sorted({1, (count + 1) // 2, count} - {0})


def all_of(cases, look):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = [text for text in pool.map(look, cases) if text]
    assert not faults, f"{len(faults)} of {len(cases)} failures\n" + "\n\n".join(faults[:5])


@pytest.mark.parametrize("how", ["short", "EINTR"])
def test_short_and_interrupted_calls_change_nothing(how, inputs, expected, tmp_path):
    def look(step):
        out = tmp_path / step
        done = run(step, inputs, out, EZLDA_FAIL_IO=f"read:1+={how},write:1+={how}")
        if done.returncode:
            return f"{step}: {done.stderr.decode()}"
        return fault(done, step, content(out), expected[step].content)

    all_of([step for step in STEPS if step != "report" or FULL], look)


def test_every_call_may_fail(inputs, expected, tmp_path):
    """A message and nothing half written, or the right files."""

    def look(case):
        step, call, n = case
        out = tmp_path / f"{step}-{call}-{n}"
        done = run(step, inputs, out, ONCE[step], EZLDA_FAIL_IO=f"{call}:{n}={ERRORS[call]}")
        left = {name: data for name, data in content(out).items() if call != "unlink" or ".tmp" not in name}
        return fault(done, f"{step}, {call} {n}", left, expected[step].content)

    all_of([(step, call, n) for step in STEPS for call in ERRORS for n in some(expected[step].calls[call])], look)


def test_killed_at_any_call(inputs, expected, tmp_path):
    """A file under its final name is complete; the same command then succeeds."""

    def look(case):
        step, call, n, how = case
        out = tmp_path / f"{step}-{call}-{n}-{how}"
        done = run(step, inputs, out, EZLDA_FAIL_IO=f"{call}:{n}={how}")
        whole = expected[step].content
        left = {name: data for name, data in content(out).items() if ".tmp" not in name}
        if done.returncode != -signal.SIGKILL or any(whole[name] != left[name] for name in left):
            return f"{case}: status {done.returncode}, left {list(left)}"
        done = run(step, inputs, out, ("--resume",) if step == "train_seeds" else ())
        left = {name: data for name, data in content(out).items() if ".tmp" not in name}
        return fault(done, f"{case}, again", left, whole) or (done.stderr.decode() if done.returncode else "")

    steps = WRITERS if FULL else ["import_text", "train_seeds", "infer", "export_gensim"]
    cases = [(step, call, n, "kill") for step in steps for call in ("open", "write", "fsync", "rename", "close")
             for n in some(expected[step].calls[call])]
    all_of(cases + [(step, "write", n, "half") for step in steps for n in some(expected[step].calls["write"])], look)


def test_a_model_that_cannot_be_written_waits(inputs, expected, tmp_path):
    """A model is tried again until a full disk has room. With --patience 0s a full disk is an error."""
    whole = expected["train"].content
    done = run("train", inputs, tmp_path / "a", EZLDA_FAIL_IO="write:1-2=ENOSPC")
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 0 and content(tmp_path / "a") == whole, done
    assert sum("No space left on device; the model is in memory" in line for line in lines) == 1, lines
    assert sum("written now" in line for line in lines) == 1
    done = run("train", inputs, tmp_path / "b", ("--patience", "1s"), EZLDA_FAIL_IO="write:1+=ENOSPC")
    assert done.returncode == 1 and content(tmp_path / "b") == {}, done
    done = run("train", inputs, tmp_path / "c", ("--patience", "0s"), EZLDA_FAIL_IO="fsync:1=EIO")
    assert done.returncode == 1 and b"in memory" not in done.stderr and content(tmp_path / "c") == {}, done


def begin(arguments, **keywords):
    return subprocess.Popen([str(PROGRAM), *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            **keywords)


def wait_until(true):
    deadline = time.monotonic() + 60
    while not true() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert true()


def test_the_folder_of_the_model_vanishes_and_comes_back(inputs, expected, tmp_path):
    folder, log = tmp_path / "models", tmp_path / "log"
    folder.mkdir()
    process = begin(["train", inputs / "c.ezc", "-k", 3, "-i", 1000000, "-q", "--log", log, "-o", folder / "m.ezm"])
    try:
        wait_until(lambda: log.exists() and log.stat().st_size)
        folder.rmdir()
        process.send_signal(signal.SIGINT)
        line = process.stderr.readline().decode()
        assert f"{folder}/m.ezm: cannot create: No such file or directory; the model is in memory" in line
        folder.mkdir()
        assert process.wait(60) == 0 and [p.name for p in folder.iterdir()] == ["m.ezm"]
    finally:
        process.kill()
        process.communicate()


def test_an_interrupt_ends_the_waiting(inputs, expected, tmp_path):
    process = begin(["train", inputs / "c.ezc", "-k", 3, "-i", 2, "-q", "-o", tmp_path / "m.ezm"],
                    env={**os.environ, "EZLDA_FAIL_IO": "write:1+=ENOSPC"})
    try:
        assert "in memory" in process.stderr.readline().decode()
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 1 and errors.decode().endswith("cannot write: No space left on device\n")
    assert list(tmp_path.iterdir()) == []


def test_a_last_checkpoint_waits_for_room(inputs, expected, tmp_path):
    """A checkpoint after SIGTERM is tried again until a full disk has room."""
    folder, log = tmp_path / "kept", tmp_path / "log"
    process = begin(["train", inputs / "c.ezc", "-k", 3, "-i", 1000000, "--checkpoint", folder, "--every", "10h", "--log",
                     log, "-o", tmp_path / "m.ezm"], env={**os.environ, "EZLDA_FAIL_IO": "write:1-2=ENOSPC"})
    try:
        wait_until(lambda: log.exists() and log.stat().st_size)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 143 and b"no checkpoint: " in errors and b"tried again every 5 seconds\n" in errors
    assert len(list(folder.glob("*.ezk"))) == len(list(folder.iterdir())) == 1


def test_a_full_scratch_folder_does_not_end_a_run(inputs, expected, tmp_path):
    """Out of core: neither the copy of the topics for a checkpoint nor the counts at the end find room."""
    command = [PROGRAM, "train", inputs / "c.ezc", "-k", 3, "-i", 6, "--eval-every", 0, "--out-of-core", "--memory", "1M",
               "--scratch", tmp_path, "--every", "2it", "--summary", tmp_path / "s.json", "-o", tmp_path / "m.ezm"]
    topics = []
    for rule in ("mmap:100=ENOSPC", "mmap:3+=ENOSPC"):
        done = subprocess.run([*map(str, command), "--checkpoint", tmp_path / rule[:8]], stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "EZLDA_FAIL_IO": rule}, timeout=60)
        assert done.returncode == 0, done
        topics.append(json.loads((tmp_path / "s.json").read_text())["topics_hash"])
    assert topics[0] == topics[1]
    assert "no checkpoint after iteration 2: " in done.stderr and "no checkpoint after iteration 4: " in done.stderr
    assert "the counts are kept in memory" in done.stderr


def test_a_disk_of_64_kilobytes(inputs, expected, tmp_path):
    """Imports, a doc-topic table and a report on a small tmpfs of their own: an error, and no file is left."""
    disk, texts = tmp_path / "disk", tmp_path / "many.txt"
    disk.mkdir()
    texts.write_text("".join(f"word{i} word{i + 1} word{3 * i}\n" for i in range(20000)))
    assert subprocess.run([PROGRAM, "import", texts, "--format", "text", "--stopwords", "none", "-o", tmp_path / "c.ezc",
                           "-q"]).returncode == 0
    assert subprocess.run([PROGRAM, "train", tmp_path / "c.ezc", "-k", "3", "-i", "1", "-q", "-o",
                           tmp_path / "m.ezm"]).returncode == 0
    commands = [["import", texts, "--format", "text", "--stopwords", "none", "-o", disk / "c.ezc"],
                ["train", tmp_path / "c.ezc", "-k", 3, "-i", 2, "--patience", "0s", "--checkpoint", disk / "kept", "--every",
                 "1it", "-o", disk / "m.ezm"],
                *(["infer", tmp_path / "m.ezm", tmp_path / "c.ezc", "-i", 1, "--to", to, "-o", disk / "theta"]
                  for to in ("sparse", "tsv", "npy", "mallet")),
                ["report", tmp_path / "m.ezm", tmp_path / "c.ezc", "-o", disk / "report.html"],
                ["export", tmp_path / "m.ezm", "--to", "csv", "-o", disk / "tables"]]
    script = ["mount -t tmpfs -o size=64k tmpfs \"$0\" || exit 77", 'EZLDA=$1; shift; cd "$0"']
    for command in commands:
        words = " ".join(f"'{part}'" for part in command)
        script.append(f'"$EZLDA" {words} -q && exit 78; find "$0" -type f | grep . && exit 79')
    done = subprocess.run(["unshare", "-rm", "sh", "-c", "\n".join(script + ["exit 0"]), disk, PROGRAM],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode in (1, 77):
        pytest.skip(f"no tmpfs of one's own here: {done.stderr.strip()}")
    assert done.returncode == 0, done
    messages = [line for line in done.stderr.splitlines() if not line.startswith("no checkpoint: ")]
    assert len(messages) == len(commands) and all("No space left on device" in line for line in messages), done.stderr


@pytest.mark.parametrize("mask, mode", [(0o022, 0o644), (0o077, 0o600), (0o007, 0o660)])
def test_files_have_the_mode_that_the_umask_leaves(mask, mode, inputs, expected, tmp_path):
    before = os.umask(mask)
    try:
        for step in ("import_text", "train_seeds", "infer", "export_gensim", "export_state", "report"):
            assert run(step, inputs, tmp_path / "out").returncode == 0
    finally:
        os.umask(before)
    for path in (tmp_path / "out").rglob("*"):
        allowed = mode | (mode & 0o444) >> 2 if path.is_dir() else mode
        assert stat.S_IMODE(path.stat().st_mode) == allowed, path


def test_a_replaced_file_keeps_its_mode(inputs, expected, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "c.ezc").write_text("")
    (tmp_path / "out" / "c.ezc").chmod(0o640)
    assert run("import_text", inputs, tmp_path / "out").returncode == 0
    assert stat.S_IMODE((tmp_path / "out" / "c.ezc").stat().st_mode) == 0o640


def test_a_link_with_the_name_of_a_temporary_file_is_not_followed(inputs, expected, tmp_path):
    """The name of a temporary file has the process number, which the test knows in advance (the shell becomes the
    command by exec). A link there is not followed."""
    (tmp_path / "victim").write_text("precious")
    script = 'for t in m.ezm s.json; do ln -s victim $t.$$-0.tmp; done; exec "$0" "$@"'
    command = [PROGRAM, "train", inputs / "c.ezc", "-k", "3", "-i", "2", "-q", "-o", "m.ezm", "--summary", "s.json"]
    assert subprocess.run(["sh", "-c", script, *command], cwd=tmp_path).returncode == 0
    assert (tmp_path / "victim").read_text() == "precious"
    names = sorted(re.sub(r"\d+-", "", p.name) for p in tmp_path.iterdir())
    assert names == ["m.ezm", "m.ezm.0.tmp", "s.json", "s.json.0.tmp", "victim"]


def test_half_written_checkpoints_of_the_dead_are_removed(inputs, expected, tmp_path):
    kept = tmp_path / "out" / "kept"
    kept.mkdir(parents=True)
    dead = subprocess.Popen(["true"])
    dead.wait()
    mine = ["notes.txt.tmp", f"checkpoint-1.txt.{dead.pid}-0.tmp", f"checkpoint-00000001.ezk.{os.getpid()}-0.tmp"]
    for name in [f"checkpoint-00000003.ezk.{dead.pid}-0.tmp", *mine]:
        (kept / name).write_text("")
    assert run("train_seeds", inputs, tmp_path / "out").returncode == 0
    assert sorted(p.name for p in kept.iterdir()) == sorted([*mine, "checkpoint-00000002.ezk"])

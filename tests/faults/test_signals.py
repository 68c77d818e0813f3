"""A signal ends a command while it writes: the exit status reports the signal, no temporary file remains. (fail_io.c)"""
import os
import signal
import subprocess

import pytest

from fault_steps import PROGRAM, STEPS, content

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def stopped_at(call, arguments, number):
    """Runs the command up to that call (NAME:N) and returns the stopped process; `number` then has its default action.
    With one thread nothing else happens before the signal."""
    process = subprocess.Popen([str(PROGRAM), *map(str, arguments), "-q", "--threads", "1"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               env={**os.environ, "EZLDA_FAIL_IO": f"{call}=stop"},
                               preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status), (arguments, status, process.stderr.read())
    return process


def end(process, number):
    process.send_signal(number)
    process.send_signal(signal.SIGCONT)
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


def arguments_of(step, inputs, out):
    return [part.replace("{in}", str(inputs)).replace("{out}", str(out)) for part in STEPS[step]]


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("step, call", [
    ("import_text", "fsync:1"), ("infer", "write:1"), ("infer", "fsync:1"), ("report", "fsync:1"), ("export_npz", "rename:1"),
    ("export_gensim", "fsync:1"), ("export_gensim", "fsync:4"), ("export_csv", "write:2")])
def test_nothing_is_left(step, call, number, inputs, expected, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    process = stopped_at(call, arguments_of(step, inputs, out), number)
    assert [path for path in out.rglob("*") if ".tmp" in path.name], "it is being written"
    assert end(process, number) == (-number, b"")
    assert list(out.iterdir()) == []


def test_the_folder_that_would_be_replaced_stays(inputs, expected, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    command = arguments_of("export_gensim", inputs, out)
    assert subprocess.run([str(PROGRAM), *command], stdout=subprocess.DEVNULL).returncode == 0
    assert end(stopped_at("fsync:3", command, signal.SIGTERM), signal.SIGTERM) == (-signal.SIGTERM, b"")
    assert [path.name for path in out.iterdir()] == ["gensim"]
    assert content(out) == expected["export_gensim"].content


def test_pictures_of_a_report(inputs, expected, tmp_path):
    """The names of these files are not known in advance."""
    command = ["report", inputs / "m.ezm", inputs / "c.ezc", "--svg", tmp_path / "pictures"]
    assert end(stopped_at("fsync:3", command, signal.SIGINT), signal.SIGINT)[0] == -signal.SIGINT
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("calls, whole", [(["fsync:1", "rename:1"], []), (["fsync:3", "rename:2"], ["m.ezm"])])
def test_the_second_interrupt_of_a_run(calls, whole, inputs, expected, tmp_path):
    """A second interrupt while the model or the summary is written ends the run at once."""
    command = ["train", inputs / "c.ezc", "-k", 3, "-i", 2, "-o", tmp_path / "m.ezm", "--summary", tmp_path / "s.json"]
    process = stopped_at(f"{calls[0]}=stop,{calls[1]}", command, signal.SIGTERM)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGCONT)
    assert os.WIFSTOPPED(os.waitpid(process.pid, os.WUNTRACED)[1])
    assert len(list(tmp_path.iterdir())) == len(whole) + 1
    assert end(process, signal.SIGTERM) == (-signal.SIGTERM, b"")
    assert [path.name for path in tmp_path.iterdir()] == whole

"""ezlda train: reports, progress, interrupts, determinism."""
import json
import os
import pty
import re
import signal
import subprocess
import time

import pytest

from conftest import read_to_end

SUMMARY = {"documents": int, "words": int, "tokens": int, "topics": int, "iterations": int, "seconds_sampling": float,
           "tokens_per_second": float, "llpt": list, "skipped": float, "topics_hash": str, "peak_rss_bytes": int,
           "device_memory_peak_bytes": int, "chunks": int, "seconds_tokens": float, "seconds_open": float,
           "seconds_setup": float, "seconds_checks": float, "word_samples": int, "device": str, "threads": int, "seed": int,
           "alpha_sum": float, "beta": float,
           "stopped": (str, type(None)), "estimator": str, "start": str, "sampler": str, "g": (int, type(None)),
           "w_format": str, "balance": str, "version": str}


def train(ezlda, corpus, folder, *arguments, k=6, iterations=12, device="cpu"):
    """Trains quietly; returns the summary."""
    result = ezlda("train", corpus, "-k", k, "-i", iterations, "--device", device, "-q", "-o", folder / "m.ezm",
                   "--summary", folder / "s.json", *arguments)
    assert result == ("", "", 0), result
    return json.loads((folder / "s.json").read_text())


def test_short_documents_and_the_default_alpha(ezlda, articles, tmp_path):
    def said(*arguments):
        result = ezlda("train", articles, "-k", 6, "-i", 1, "--device", "cpu", "-o", tmp_path / "m.ezm", *arguments)
        assert result.status == 0
        return "alpha: 50 over all topics outweighs documents of" in result.stderr

    fixed = "--fixed-priors"
    assert said(fixed) and not said(fixed, "-q") and not said(fixed, "--alpha", 0.1) and not said()


def test_summary(ezlda, corpus, device, tmp_path):
    summary = train(ezlda, corpus, tmp_path, "--eval-every", 5, "--seed", 9, "--alpha", "sum:3", device=device)
    assert list(summary) == list(SUMMARY)
    for key, kind in SUMMARY.items():
        assert isinstance(summary[key], (int, float) if kind is float else kind), key
    info = json.loads(ezlda("info", corpus, "--json").stdout)
    assert [summary[k] for k in ("documents", "words", "tokens")] == [info[k] for k in ("documents", "words", "tokens")]
    assert summary["topics"] == 6 and summary["iterations"] == 12 and summary["seed"] == 9
    assert [entry[0] for entry in summary["llpt"]] == [5, 10, 12]
    assert all(len(entry) == 3 and entry[1] >= 0 and entry[2] < 0 for entry in summary["llpt"])
    assert re.fullmatch(r"[0-9a-f]{16}", summary["topics_hash"])
    assert abs(summary["alpha_sum"] - 3) < 1e-9 and summary["beta"] == 0.01
    assert summary["peak_rss_bytes"] > 1 << 20 and 0 <= summary["skipped"] <= 1
    assert (summary["device_memory_peak_bytes"] > 0) == device.startswith("cuda")
    chosen = {"estimator": "leave-one-out", "start": "keyword", "sampler": "many-branch", "g": None,
              "w_format": "hybrid"}
    assert {key: summary[key] for key in chosen} == chosen


def test_summary_has_the_options_as_they_were_given(ezlda, corpus, device, tmp_path):
    chosen = {"estimator": "esca", "start": "random", "sampler": "three-branch", "g": 2, "w_format": "sparse"}
    options = [word for key, value in chosen.items()
               for word in ("-g" if key == "g" else "--" + key.replace("_", "-"), value)]
    summary = train(ezlda, corpus, tmp_path, *options, device=device)
    assert {key: summary[key] for key in chosen} == chosen


def test_info_of_a_model_agrees_with_its_summary(ezlda, corpus, tmp_path):
    summary = train(ezlda, corpus, tmp_path)
    info = json.loads(ezlda("info", tmp_path / "m.ezm", "--json").stdout)
    assert info["kind"] == "model"
    for key in "documents words tokens topics iterations seed beta estimator topics_hash device".split():
        assert info[key] == summary[key], key
    assert info["llpt"] == summary["llpt"][-1][2]
    text = ezlda("info", tmp_path / "m.ezm").stdout
    assert re.search(rf"^topics hash +{summary['topics_hash']}$", text, re.M)


def test_log(ezlda, corpus, tmp_path):
    train(ezlda, corpus, tmp_path, "--log", tmp_path / "log", "--eval-every", 4, iterations=10)
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [line["iteration"] for line in lines] == list(range(1, 11))
    assert [line["iteration"] for line in lines if line["llpt"] is not None] == [4, 8, 10]
    for line in lines:
        assert list(line) == "iteration seconds iteration_seconds tokens_per_second skipped moved llpt".split()
        assert 0 <= line["skipped"] <= 1 and 0 <= line["moved"] <= 1
    seconds = [line["seconds"] for line in lines]
    assert seconds == sorted(seconds)


@pytest.mark.parametrize("estimator", ["leave-one-out", "esca"])
def test_the_model_depends_on_the_seed_and_not_on_how_it_is_computed(ezlda, corpus, device, tmp_path, estimator):
    def hash_of(*arguments, on=device):
        return train(ezlda, corpus, tmp_path, "--estimator", estimator, *arguments, device=on)["topics_hash"]

    expected = hash_of(on="reference")
    for arguments in (["--threads", 1], ["--threads", 2], ["--threads", 3], ["--threads", 8],
                      ["--sampler", "three-branch"], ["--sampler", "two-branch"], ["-g", 1], ["-g", 4], ["-g", 8], ["--w-format", "dense"],
                      ["--w-format", "sparse"], ["--keep-topics"], ["--eval-every", 1]):
        assert hash_of(*arguments) == expected, arguments
    assert hash_of("--seed", 12345) != expected
    assert hash_of("--beta", 0.5) != expected


def test_raw_form_and_corpus_file_give_the_same_model(ezlda, articles, tmp_path):
    options = ["--min-length", 2, "--stopwords", "none"]
    assert ezlda("import", articles, *options, "-o", tmp_path / "a.ezc", "-q").status == 0
    raw = train(ezlda, articles, tmp_path, *options)
    assert train(ezlda, tmp_path / "a.ezc", tmp_path)["topics_hash"] == raw["topics_hash"]
    result = ezlda("train", "-", "--format", "jsonl", *options, "-k", 6, "-i", 12, "-q", "-o", tmp_path / "m",
                   "--summary", tmp_path / "s", stdin=articles.read_bytes())
    assert result.status == 0, result
    assert json.loads((tmp_path / "s").read_text())["topics_hash"] == raw["topics_hash"]


def test_closing_lines_and_plain_progress(ezlda, corpus, tmp_path):
    result = ezlda("train", corpus, "-k", 12, "-i", 10, "--eval-every", 5, "-o", tmp_path / "m.ezm")
    assert result.status == 0
    assert re.search(r"^iteration 5/10, [\d.]+ [kMG]? ?tokens/s, LLPT -\d+\.\d+, \d+:\d\d left$",
                     result.stderr, re.M), result.stderr
    assert re.search(r"^iteration 10/10, .* LLPT -\d+\.\d+$", result.stderr, re.M)
    assert "\r" not in result.stderr and "\x1b" not in result.stderr
    assert "12 topics, 10 iterations" in result.stdout and "The 10 largest topics:" in result.stdout
    table = result.stdout.split("largest topics:\n")[1].split("\n\nNext:")[0].splitlines()
    assert table[0].split() == ["topic", "share", "words"] and len(table) == 11


def test_same_output_twice_keeps_nothing_but_the_model(ezlda, corpus, tmp_path):
    train(ezlda, corpus, tmp_path)
    first = json.loads(ezlda("topics", tmp_path / "m.ezm", "--json").stdout)
    train(ezlda, corpus, tmp_path)
    assert json.loads(ezlda("topics", tmp_path / "m.ezm", "--json").stdout) == first
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m.ezm", "s.json"]


def test_log_is_flushed_after_each_iteration(binary, corpus, tmp_path):
    """The log is a pipe here: whole lines arrive after each iteration, not when a buffer is full."""
    os.mkfifo(tmp_path / "log")
    process = subprocess.Popen([binary, "train", corpus, "-k", "6", "-i", "80", "-q", "-o", tmp_path / "m", "--log",
                                tmp_path / "log"])
    pieces = []
    with open(tmp_path / "log", "rb", buffering=0) as log:
        while piece := log.read(1 << 20):
            pieces.append(piece)
    assert process.wait(timeout=60) == 0
    assert all(piece.endswith(b"\n") for piece in pieces)
    assert b"".join(pieces).count(b"\n") == 80 and len(b"".join(pieces)) > 8192


def wait_for_lines(process, path, n):
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        if path.exists() and path.read_text().count("\n") >= n:
            return
        time.sleep(0.02)
    raise AssertionError(f"{path}: no {n} lines; status {process.poll()}")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupt_ends_after_the_iteration_and_writes_the_model(ezlda, binary, corpus, tmp_path, number):
    log = tmp_path / "log"
    process = subprocess.Popen([binary, "train", corpus, "-k", "6", "-i", "100000000", "--eval-every", "0", "-o",
                                tmp_path / "m.ezm", "--log", log, "--summary", tmp_path / "s.json"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))  # a shell's & ignores it
    try:
        wait_for_lines(process, log, 3)
        process.send_signal(number)
        _, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, stderr
    done = int(re.search(r"^stopped after iteration (\d+) of 100000000$", stderr, re.M)[1])
    summary = json.loads((tmp_path / "s.json").read_text())
    assert done == summary["iterations"] == len(log.read_text().splitlines()) >= 3
    assert [entry[0] for entry in summary["llpt"]] == [done], "the last iteration is scored"
    again = train(ezlda, corpus, tmp_path, "--eval-every", 0, iterations=done)
    assert again["topics_hash"] == summary["topics_hash"], "stopped early is trained shorter"


def test_a_terminal_that_closes_costs_no_model(ezlda, binary, corpus, tmp_path):
    """A closed terminal sends SIGHUP twice (from the terminal and from its shell), and later output fails with EIO."""
    log = tmp_path / "log"
    child, terminal = pty.fork()  # it is the child's controlling terminal
    if not child:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        os.execv(binary, [binary, "train", str(corpus), "-k", "6", "-i", "100000000", "-o", str(tmp_path / "m.ezm"), "--log",
                          str(log), "--eval-every", "1"])
    deadline = time.monotonic() + 60
    while not (log.exists() and log.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.close(terminal)
    os.kill(child, signal.SIGHUP)
    _, status = os.waitpid(child, 0)
    assert os.WIFEXITED(status), status
    assert json.loads(ezlda("info", tmp_path / "m.ezm", "--json").stdout)["iterations"] == log.read_text().count("\n")


def test_nohup_stays(binary, corpus, tmp_path):
    log = tmp_path / "log"
    process = subprocess.Popen([binary, "train", corpus, "-k", "6", "-i", "100000000", "-q", "--eval-every", "0", "-o",
                                tmp_path / "m.ezm", "--log", log], stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    try:
        wait_for_lines(process, log, 1)
        process.send_signal(signal.SIGHUP)
        wait_for_lines(process, log, log.read_text().count("\n") + 50)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0 and (tmp_path / "m.ezm").exists()


def read_terminal(binary, arguments, columns):
    """Runs the command in a pseudo-terminal of that width; returns the output."""
    import fcntl
    import struct
    import termios
    main, worker = pty.openpty()
    fcntl.ioctl(worker, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([binary, *map(str, arguments)], stdout=worker, stderr=worker,
                               env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"})
    os.close(worker)
    output = read_to_end(main).decode()
    assert process.wait(timeout=60) == 0
    return output


@pytest.mark.parametrize("columns", [100, 40])
def test_live_line_on_a_terminal(binary, corpus, tmp_path, columns):
    arguments = ["train", corpus, "-k", 6, "-i", 30, "--eval-every", 10, "-o", tmp_path / "m"]
    output = read_terminal(binary, arguments, columns)
    lines = re.findall(r"\r((?:\[=*>? *\] )?iteration \d+/30[^\r\n]*)\x1b\[K", output)
    bar = "[" + 20 * "=" + "] " if columns == 100 else ""
    assert lines and lines[-1].startswith(bar + "iteration 30/30")
    assert all(len(line) < columns for line in lines)
    assert ("LLPT" in lines[-1]) == (columns == 100)
    after = output[output.rindex(lines[-1]):]
    assert after[len(lines[-1]):].startswith("\x1b[K\r\x1b[K"), "the line is wiped at the end"


def test_words_wrap_on_a_terminal(binary, model):
    output = read_terminal(binary, ["topics", model, "-n", 6], 60)
    rows = output.replace("\r", "").splitlines()
    assert all(len(row) <= 60 for row in rows)
    assert any(row.startswith(" " * 20) for row in rows)

"""ezlda train --live: a page on this machine that shows the run; the model is the same with and without it."""
import contextlib
import http.client
import json
import re
import signal
import socket
import subprocess
import time

import pytest

TRAIN = ["-k", "4", "--seed", "3", "-q", "--stopwords", "none", "--min-length", "2"]


class Run:
    """A run that is watched. iterations: more than a test needs, because the tests end it."""

    def __init__(self, binary, corpus, model, *more, iterations=2000000):
        self.process = subprocess.Popen([binary, "train", corpus, *TRAIN, "-i", str(iterations), "-o", model, "--live", *map(str, more)],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        line = self.process.stderr.readline()
        found = re.fullmatch(r"watch the run at http://127\.0\.0\.1:(\d+)(/[0-9a-f]{32}/)\n", line)
        assert found, line + self.process.stderr.read()
        self.port, self.path = int(found[1]), found[2]

    def get(self, path, **keywords):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path, **keywords)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers

    def json(self, what):
        status, body, _ = self.get(self.path + what)
        assert status == 200
        return json.loads(body)

    def until(self, what, ready):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            found = self.json(what)
            if ready(found):
                return found
            time.sleep(0.02)
        raise AssertionError(f"{what}: {found}")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@pytest.fixture(name="run")
def make_run(binary, articles, tmp_path):
    with contextlib.closing(Run(binary, articles, tmp_path / "m.ezm")) as running:
        yield running


def test_progress_and_topics(run, tmp_path):
    first = run.until("progress", lambda found: found.get("iteration", 0) > 0)
    topics = run.until("topics", lambda found: found.get("iteration", 0) > 0)
    later = run.until("progress", lambda found: found["iteration"] > first["iteration"] and len(found["llpt"]) > 1)
    assert len(topics["tokens"]) == 4 and sum(topics["tokens"]) == later["tokens"]
    assert sorted(found["topic"] for found in topics["topics"]) == [0, 1, 2, 3]
    sizes = [topics["tokens"][found["topic"]] for found in topics["topics"]]
    assert sizes == sorted(sizes, reverse=True) and all(len(found["words"]) > 3 for found in topics["topics"])
    assert later["iterations"] == 2000000 and later["rate"] > 0 and 0 <= later["moved"] <= 1 and not later["ended"]
    assert len(later["curve"]) <= 400 and later["curve"] == sorted(later["curve"])
    status, page, headers = run.get(run.path)
    assert status == 200 and "<title>m.ezm</title>" in page and "connect-src 'self'" in page
    assert headers["Cache-Control"] == "no-store" and headers["Referrer-Policy"] == "no-referrer"


def test_an_interrupt_ends_the_run_and_the_page(run, tmp_path):
    run.until("progress", lambda found: found.get("iteration", 0) > 0)
    assert run.end() == 0 and (tmp_path / "m.ezm").exists()
    with pytest.raises(ConnectionError):
        run.get(run.path)


def test_nothing_is_answered_without_the_token(run):
    for path in ("/", "/progress", "/topics", "/" + "0" * 32 + "/", run.path[:-2] + "/", run.path.upper() + "progress", "/etc/passwd"):
        assert run.get(path)[0] == 403, path
    for path in ("x", "../progress", "progress/", "etc/passwd"):
        assert run.get(run.path + path)[0] == 404, path
    assert run.get(run.path, headers={"Host": "evil.example"})[0] == 403


def test_only_the_loopback_listens(run):
    rows = [line.split() for line in open("/proc/net/tcp", encoding="ascii").read().splitlines()[1:]]
    assert [row[1] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == run.port] == [f"0100007F:{run.port:04X}"]


def test_the_model_is_the_same(ezlda, binary, articles, tmp_path):
    """A page asks for progress and topics all the time."""
    assert ezlda("train", articles, *TRAIN, "-i", 1500, "-o", tmp_path / "plain.ezm").status == 0
    seen = set()
    with contextlib.closing(Run(binary, articles, tmp_path / "live.ezm", iterations=1500)) as running:
        with contextlib.suppress(ConnectionError, http.client.HTTPException):
            while running.process.poll() is None:
                seen.add(running.json("topics").get("iteration"))
        assert running.process.wait(timeout=60) == 0
    assert seen - {None}
    assert (tmp_path / "plain.ezm").stat().st_size == (tmp_path / "live.ezm").stat().st_size
    hashes = [re.search(r"topics hash +(\w+)", ezlda("info", tmp_path / name).stdout)[1] for name in ("plain.ezm", "live.ezm")]
    assert hashes[0] == hashes[1]


def test_checks_are_shown(binary, ezlda, tmp_path):
    """Without -i the run makes checks, and their perplexity is shown."""
    assert ezlda("synth", "-o", tmp_path / "c.ezc", "--docs", 800, "--words", 500, "--length", 60, "--topics", 8, "--seed", 5).status == 0
    arguments = [binary, "train", tmp_path / "c.ezc", "-k", 8, "-q", "-o", tmp_path / "m.ezm", "--live"]
    with subprocess.Popen([*map(str, arguments)], stderr=subprocess.PIPE, text=True) as process:
        address = re.search(r":(\d+)(/\w+/)", process.stderr.readline())
        checks = []
        with contextlib.suppress(ConnectionError, http.client.HTTPException):
            while process.poll() is None and len(checks) < 2:
                connection = http.client.HTTPConnection("127.0.0.1", int(address[1]), timeout=60)
                connection.request("GET", address[2] + "progress")
                checks = json.loads(connection.getresponse().read()).get("checks", []) or checks
        process.send_signal(signal.SIGTERM)  # ends the run with the model so far
        assert process.wait(timeout=60) == 0
    assert len(checks) > 1 and all(1 < perplexity < 1000 for _, perplexity in checks)
    assert [iteration for iteration, _ in checks] == sorted({iteration for iteration, _ in checks})


def test_a_run_out_of_core_shows_its_progress(binary, articles, ezlda, tmp_path):
    assert ezlda("import", articles, "--stopwords", "none", "--min-length", 2, "-q", "-o", tmp_path / "a.ezc").status == 0
    arguments = [binary, "train", str(tmp_path / "a.ezc"), "-k", "4", "-i", "2000000", "-q", "--out-of-core", "-o", str(tmp_path / "m.ezm"), "--live"]
    with contextlib.closing(Run.__new__(Run)) as running:
        running.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        found = re.search(r":(\d+)(/\w+/)", running.process.stderr.readline())
        running.port, running.path = int(found[1]), found[2]
        running.until("progress", lambda got: got.get("iteration", 0) > 1)
        assert running.json("topics") == {}
        assert running.end() == 0


def test_a_port_in_use_is_reported(ezlda, articles, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = ezlda("train", articles, *TRAIN, "-i", 5, "-o", tmp_path / "m.ezm", "--live", "--live-port", port)
    assert result.status == 1 and f"127.0.0.1:{port}" in result.stderr and not (tmp_path / "m.ezm").exists()


def test_a_port_needs_the_page(articles, fails, tmp_path):
    fails(2, "--live-port needs --live", "train", articles, *TRAIN, "--live-port", 0, "-o", tmp_path / "m.ezm")

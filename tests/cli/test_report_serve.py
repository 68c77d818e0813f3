"""ezlda report --serve: what the local service answers, and what it refuses."""
import contextlib
import http.client
import json
import os
import re
import resource
import signal
import subprocess
import time
import urllib.parse
from pathlib import Path

import pytest
from report_page import page_data

IMPORT = ["--min-length", 2, "--stopwords", "none"]


class Service:
    def __init__(self, binary, *arguments, preexec_fn=lambda: None):
        self.process = subprocess.Popen([binary, "report", *map(str, arguments), "--serve", "--port", "0", "-q"],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        # background jobs hand an interrupt down that is switched off
                                        preexec_fn=lambda: (preexec_fn(), signal.signal(signal.SIGINT, signal.SIG_DFL)))
        line = self.process.stdout.readline()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/ \(Ctrl-C ends\)\n", line), line + self.process.stderr.read()
        self.port = int(re.search(r":(\d+)/", line)[1])

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def get(self, path, method="GET", **keywords):
        connection = self.connect()
        connection.request(method, path, **keywords)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers

    def json(self, path):
        status, body, _ = self.get(path)
        return status, json.loads(body)

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)

    def close(self):
        """Ends the server if it is still running."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="module")
def service(binary, model, articles):
    with contextlib.closing(Service(binary, model, articles, *IMPORT)) as running:
        yield running


def test_the_served_page(service):
    status, body, headers = service.get("/")
    page = body.decode()
    assert status == 200 and headers["Content-Type"] == "text/html; charset=utf-8"
    assert "connect-src 'self'" in page and page_data(page)["serve"] is True
    assert headers["X-Content-Type-Options"] == "nosniff"
    status, body, headers = service.get("/", method="HEAD")
    assert status == 200 and body == b"" and int(headers["Content-Length"]) == len(page.encode())


def test_a_served_document(service):
    status, document = service.json("/api/document?number=61")
    assert status == 200 and document["name"] == "article 61" and document["label"] == "theme 1"
    assert sum(count for _, _, count in document["bag"]) == document["tokens"] == 30
    assert {word for word, _, _ in document["bag"]} <= {"music", "violin", "concert", "melody", "opera", "choir"}
    assert document["mix"] == sorted(document["mix"], key=lambda item: -item[1])
    assert service.json("/api/document?number=50")[1]["bag"] == []  # it is empty
    for number in ("120", "-1", "1e3", "99999999999999999999", "x"):
        status, answer = service.json(f"/api/document?number={number}")
        assert status == 404 and answer["error"]
    assert service.json("/api/document")[0] == 400


def test_a_served_text(ezlda, binary, tmp_path):
    texts = ["River — Été 😀 river, fish!\nThe end of the water.", "", "Water river </script> fish"]
    with open(tmp_path / "a.jsonl", "w", encoding="utf-8") as file:
        for text in texts:
            file.write(json.dumps({"text": text}) + "\n")
    read = ["--stopwords", "en", "--keep-markup"]
    ezlda("train", tmp_path / "a.jsonl", *read, "-k", 2, "-i", 5, "-q", "--keep-topics", "-o", tmp_path / "a.ezm")
    with contextlib.closing(Service(binary, tmp_path / "a.ezm", tmp_path / "a.jsonl")) as service:
        for number, words in enumerate(("River Été river fish end water", "", "Water river script fish")):
            document = service.json(f"/api/document?number={number}")[1]
            shown, found, at = document["text"], [], 0
            assert shown["text"] == texts[number] and shown["cut"] is False
            units = texts[number].encode("utf-16-le")
            topics = {}
            for gap, length, topic in zip(*[iter(shown["words"])] * 3):
                found.append(units[2 * (at + gap):2 * (at + gap + length)].decode("utf-16-le"))
                at += gap + length
                topics[found[-1].lower(), topic] = topics.get((found[-1].lower(), topic), 0) + 1
            assert found == words.split()
            assert topics == {(word, topic): count for word, topic, count in document["bag"]}


def test_a_served_search(service):
    status, found = service.json("/api/search?query=ARTICLE%2010")
    assert status == 200
    assert [document["name"] for document in found["documents"]] == [f"article {i}" for i in (10, *range(100, 110))]
    assert found["total"] == 11
    assert service.json("/api/search?query=theme+2")[1]["total"] == 40
    assert len(service.json("/api/search?query=article")[1]["documents"]) == 50
    assert service.json("/api/search?query=17")[1]["documents"][0]["number"] == 17
    assert service.json("/api/search?query=%E6%95%B0%E6%8D%AE")[1]["documents"][0]["name"] == "数据库"
    assert service.json("/api/search?query=")[1] == {"documents": [], "total": 0}
    for query in ("%FF", "%00", "%zz", "a" * 3000):
        assert service.json(f"/api/search?query={query}")[0] == 400


def test_case_and_accents_do_not_matter(ezlda, binary, tmp_path):
    with open(tmp_path / "names.jsonl", "w", encoding="utf-8") as file:
        for name in "ÜBER Alles", "über ALLES", "other", "ΣΊΣΥΦΟΣ", "Straße", "№ 5™", "がっこう", "ﬁeld", "Le syste\u0300me", "le Système", "Ёлка", "한국":
            json.dump({"id": name, "text": "river water fish"}, file)
            file.write("\n")
    ezlda("train", tmp_path / "names.jsonl", "-k", 2, "-i", 2, "-q", "-o", tmp_path / "names.ezm")
    with contextlib.closing(Service(binary, tmp_path / "names.ezm")) as service:
        for query, total in (("Über a", 2), ("BER ALLES", 2), ("σίσυ", 1), ("another", 0), ("uber", 2),
                             ("σισυ", 1), ("systeme", 2), ("SYSTÈME", 2), ("syste\u0300me", 2), ("стем", 0),
                             ("елка", 1), ("σίσυφος", 1), ("ΣΙΣΥΦΟΣ", 1), ("strasse", 1), ("STRASSE", 1), ("straße", 1),
                             ("no 5tm", 1), ("№ 5™", 1), ("か", 0), ("がっ", 1), ("FIELD", 1), ("한", 1), ("하", 0), ("\u0301", 0)):
            assert service.json(f"/api/search?query={urllib.parse.quote(query)}")[1]["total"] == total, query
        assert service.json("/api/document?number=2")[1]["bag"] == []  # no corpus was given


@pytest.mark.parametrize("path", ["/etc/passwd", "//etc/passwd", "/../../etc/passwd", "/%2e%2e/etc/passwd", "/api",
                                  "/api/document/", "/index.html", "/..%2f..%2fetc/passwd", "/api/../../etc/passwd",
                                  "/api/document/../../../etc/passwd", "/.", "/..", "/%00", "/proc/self/environ"])
def test_no_path_is_opened(service, path):
    assert service.get(path)[0] == 404


def test_only_this_machine_and_only_reading(service):
    assert service.get("/", headers={"Host": "evil.example"})[0] == 403
    assert service.get("/", headers={"Host": f"localhost:{service.port}"})[0] == 200
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert service.get("/", method=method)[0] == 405


@pytest.mark.parametrize("query", ["number=../../etc/passwd", "number=/etc/passwd", "number=-1", "number=1;ls",
                                   "number=18446744073709551616", "number=%00", "file=/etc/passwd"])
def test_a_document_is_a_number(service, query):
    assert service.get(f"/api/document?{query}")[0] in (400, 404)


def test_only_the_loopback_listens(service):
    listening = []
    for table in ("tcp", "tcp6"):
        if Path(f"/proc/net/{table}").exists():
            rows = [line.split() for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]]
            listening += [row[1] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == service.port]
    assert listening == [f"0100007F:{service.port:04X}"]


def test_no_file_is_open_for_writing(service):
    assert service.get("/api/search?query=river")[0] == 200
    folder = Path(f"/proc/{service.process.pid}")
    written = [os.readlink(file) for file in (folder / "fd").iterdir()
               if int(re.search(r"flags:\s*(\d+)", (folder / "fdinfo" / file.name).read_text())[1], 8) & os.O_ACCMODE]
    assert [path for path in written if not path.startswith(("pipe:", "socket:", "anon_inode:", "/dev/"))] == []


@pytest.mark.parametrize("request_bytes, status", [
    (b"\r\n\r\n", 400), (b"GET\r\n\r\n", 400), (b"GET / HTTP/1.1\r\n\r\n", 400), (b"GET / SPDY/9\r\n\r\n", 505),
    (b"GET http://x/ HTTP/1.1\r\n\r\n", 400), (b"GET /" + b"a" * 9000, 431), (b"GET / HTTP/1.1\0\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400)])
def test_bad_requests(service, request_bytes, status):
    connection = service.connect()
    connection.connect()
    connection.sock.sendall(request_bytes)
    answer = http.client.HTTPResponse(connection.sock)
    answer.begin()
    assert answer.status == status
    assert service.get("/api/document?number=1")[0] == 200


def test_silent_connections_do_not_block(service):
    held = [service.connect() for _ in range(40)]
    for connection in held:
        connection.connect()
    held[-1].sock.sendall(b"GET / HT")
    assert service.get("/api/document?number=1")[0] == 200
    for connection in held:
        connection.close()


def test_too_few_descriptors_for_all_clients(binary, model):
    """If descriptors run out, the service closes the oldest connections; it neither waits for them nor polls without a
    pause."""
    few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10))
    with contextlib.closing(Service(binary, model, preexec_fn=few)) as service:
        held = [service.connect() for _ in range(25)]
        for connection in held:
            connection.connect()
        begin = time.monotonic()
        assert service.get("/api/document?number=1")[0] == 200
        assert time.monotonic() - begin < 5
        for connection in held:
            connection.close()


@pytest.mark.slow
def test_a_slow_request_is_dropped(service):
    """A client that sends its request byte by byte is disconnected: the whole request has ten seconds."""
    connection = service.connect()
    connection.connect()
    begin = time.monotonic()
    with pytest.raises(ConnectionError):
        while time.monotonic() - begin < 30:
            connection.sock.sendall(b"G")
            time.sleep(0.1)


def test_an_interrupt_ends_the_service(binary, model):
    with contextlib.closing(Service(binary, model)) as service:
        assert service.end() == 0
        assert service.process.stderr.read() == ""
        with pytest.raises(ConnectionError):
            service.connect().connect()


def test_a_port_in_use_is_reported(ezlda, service, model):
    result = ezlda("report", model, "--serve", "--port", service.port, "-q")
    assert result.status == 1 and f"127.0.0.1:{service.port}" in result.stderr


def test_the_name_itself_comes_first(ezlda, binary, tmp_path):
    """Lines of text are called by their number, which is one above that of the document."""
    (tmp_path / "a.txt").write_text("".join(f"river water {'fish' if i % 2 else 'music'}\n" for i in range(140)))
    assert ezlda("train", tmp_path / "a.txt", "--stopwords", "none", "--max-docs-share", 1, "-k", 2, "-i", 5, "-q", "-o",
                 tmp_path / "m.ezm").status == 0
    with contextlib.closing(Service(binary, tmp_path / "m.ezm", tmp_path / "a.txt")) as running:
        names = [document["name"] for document in running.json("/api/search?query=12")[1]["documents"]]
        assert names == ["12", "112", *map(str, range(120, 130))]
        assert running.json("/api/search?query=123")[1]["documents"][0]["number"] == 122
        assert running.json("/api/search?query=123")[1]["total"] == 1

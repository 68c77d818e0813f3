"""The first five minutes: `ezlda train FILE` chooses what is not given, writes a page on request, and says what to type next."""
import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import termios
import threading

import pytest
from conftest import BINARY, read_to_end

THEMES = [["sea", "ship", "lamp", "rock", "wave"], ["garden", "wall", "rose", "tree", "soil"]]


def lines(n, words=12):
    return "".join(" ".join(THEMES[i % 2][(i * 3 + j) % 5] for j in range(words)) + "\n" for i in range(n))


def first_run(ezlda, folder, *arguments, **keywords):
    result = ezlda("train", *arguments, "-i", 5, "--device", "cpu", "--stopwords", "none", cwd=folder, **keywords)
    assert result.status == 0, result
    return result


@pytest.mark.parametrize("docs, words, topics", [(50, 60, 5), (50, 12, 2), (99, 60, 5), (100, 60, 10), (999, 20, 10), (1000, 20, 20)])
def test_topics_are_chosen_by_size(ezlda, tmp_path, docs, words, topics):
    (tmp_path / "a.txt").write_text(lines(docs, words))
    result = first_run(ezlda, tmp_path, "a.txt")
    assert f"\n{topics} topics, chosen for {docs:,} documents (-k sets another number;" in result.stdout, result.stdout
    assert re.search(rf"^topics +{topics}$", ezlda("info", tmp_path / "a.ezm").stdout, re.M)


def test_names_are_chosen_and_nothing_is_overwritten(ezlda, tmp_path):
    (tmp_path / "texts").mkdir()
    for name in ("my letters.txt", "my letters.csv"):
        (tmp_path / "texts" / name).write_text(("text\n" if name.endswith("csv") else "") + lines(20))
    for i, name in enumerate(["texts/my letters.txt", "texts/my letters.csv", "texts/my letters.txt"]):
        chosen = f"my letters{f'-{i + 1}' if i else ''}.ezm"
        assert f"\n{chosen}: " in first_run(ezlda, tmp_path, name).stdout
        assert (tmp_path / chosen).exists()
    assert first_run(ezlda, tmp_path, "texts/", "--unit", "files").stdout.count("texts.ezm: ") == 1
    assert "\nmodel.ezm: " in first_run(ezlda, tmp_path, "-", stdin=lines(20).encode()).stdout
    assert not list(tmp_path.glob("texts/*.ezm"))


def test_the_page_is_written_with_the_model(ezlda, tmp_path):
    (tmp_path / "a.csv").write_text("body,year\n" + "".join(f"{line},{2000 + i % 9}\n" for i, line in
                                                            enumerate(lines(60).splitlines())))
    result = first_run(ezlda, tmp_path, "a.csv", "--text-field", "body", "--keep-fields", "year", "--report", "a.html")
    assert re.search(r"^a\.html: \d+ kB, open it in a browser$", result.stdout, re.M)
    page = (tmp_path / "a.html").read_text()
    assert '"year"' in page and "ezlda report" not in result.stdout
    again = ezlda("report", "a.ezm", "a.csv", "-o", "b.html", cwd=tmp_path, env={"SOURCE_DATE_EPOCH": "0"})
    assert again.status == 0
    strip = lambda text: re.sub(r'"created":"[^"]*"', "", text)
    assert strip((tmp_path / "b.html").read_text()) == strip(page)


def test_it_ends_with_commands_that_work(ezlda, tmp_path):
    (tmp_path / "it's.txt").write_text(lines(60))
    result = first_run(ezlda, tmp_path, "it's.txt", "-k", 3)
    assert "chosen for" not in result.stdout
    commands = [shlex.split(line) for line in result.stdout.split("\nNext:\n")[1].splitlines()]
    assert [c[1] for c in commands] == ["report", "docs", "infer"]
    (tmp_path / "NEW_TEXT").write_text(lines(3))
    for command in commands:
        done = ezlda(*command[1:], cwd=tmp_path)
        assert done.status == 0, done
    assert (tmp_path / "it's.html").exists() and (tmp_path / "new.tsv").exists()


def test_the_page_may_not_be_an_input(fails, tmp_path):
    (tmp_path / "a.txt").write_text(lines(20))
    fails(2, "--report: '", "train", tmp_path / "a.txt", "--report", tmp_path / "a.txt", "-o", tmp_path / "m.ezm")
    fails(2, "name the same file", "train", tmp_path / "a.txt", "--report", tmp_path / "m.ezm", "-o", tmp_path / "m.ezm")


def progress_on_a_terminal(folder, columns=120, **environment):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    reader = threading.Thread(target=lambda: said.append(read_to_end(ours)))
    said = []
    reader.start()
    result = subprocess.run([BINARY, "train", "a.txt", "-k", "5", "-i", "80", "--device", "cpu", "-o", "a.ezm"], cwd=folder,
                            stdout=subprocess.PIPE, stderr=theirs, timeout=300,
                            env={**os.environ, "TERM": "xterm", **environment})
    os.close(theirs)
    reader.join(300)
    assert result.returncode == 0
    return said[0].decode()


def test_progress_has_colours_on_a_terminal_only(ezlda, tmp_path):
    (tmp_path / "a.txt").write_text(lines(2000, 60))
    coloured = progress_on_a_terminal(tmp_path)
    assert re.search(r"\r\[=*>? *\] \x1b\[1miteration \d+/80\x1b\[0m, [^\x1b]+, \x1b\[32m\d+:\d\d left\x1b\[0m\x1b\[K", coloured), coloured[:400]
    plain = progress_on_a_terminal(tmp_path, NO_COLOR="1")
    assert re.search(r"\r\[=*>? *\] iteration \d+/80, [^\x1b]+ left\x1b\[K", plain) and "\x1b[1m" not in plain
    assert all(len(bar) == 22 for bar in re.findall(r"\[=*>? *\]", plain))
    assert "\r[====================] iteration 80/80" in plain and "skipped" not in coloured + plain
    narrow = progress_on_a_terminal(tmp_path, columns=60, NO_COLOR="1")
    assert "\riteration 80/80" in narrow and "[" not in narrow.replace("\x1b[", "")
    assert "\x1b" not in first_run(ezlda, tmp_path, "a.txt").stderr

"""Several inputs without --format: what is recognised as another format than the first is refused."""
import json
import os
import threading

import pytest

CONTENT = {"txt": "some plain words\nmore words\n", "csv": "id,text\n1,red words\n", "ldac": "1 0:2\n",
           "jsonl": '{"text": "blue words"}\n', "json": '{"text": "blue words"}\n', "tsv": "id\ttext\n1\tred words\n"}


def write(folder, name):
    (folder / name).write_text(CONTENT[name.split(".")[-1]])
    return folder / name


def documents(ezlda, *arguments, **keywords):
    result = ezlda("info", *arguments, "--stopwords", "none", "--json", **keywords)
    assert result.status == 0, result
    return json.loads(result.stdout)["documents"]


@pytest.mark.parametrize("first, second, formats", [("de.txt", "fr.csv", ["text (", "csv (CSV)"]),
                                                    ("fr.csv", "de.txt", ["csv (CSV)", "text ("]),
                                                    ("fr.csv", "x.tsv", ["csv (CSV)", "tsv (TSV)"]),
                                                    ("de.txt", "x.json", ["text (", "jsonl (JSON Lines)"]),
                                                    ("x.jsonl", "x.ldac", ["jsonl (", "ldac ("])])
def test_two_formats_are_refused(fails, tmp_path, first, second, formats):
    a, b = write(tmp_path, first), write(tmp_path, second)
    for command in (["info"], ["import", "-o", tmp_path / "c.ezc"]):
        fails(2, [first, second, "--format", *formats], *command, a, b)
        fails(2, [first, second, "--format", *formats], *command, a, a, b)


def test_a_named_format_is_for_all(ezlda, tmp_path):
    a, b = write(tmp_path, "de.txt"), write(tmp_path, "fr.csv")
    assert documents(ezlda, a, b, "--format", "text") == 4


def test_an_array_of_json_is_not_text(fails, tmp_path):
    (tmp_path / "x.json").write_text('[{"text": "blue words"}]\n')
    fails(2, ["x.json", "array of objects"], "info", write(tmp_path, "de.txt"), tmp_path / "x.json")


def test_texts_may_begin_with_numbers(ezlda, tmp_path):
    a = write(tmp_path, "a.txt")
    for content in ("1\n2\n3\n1 2 3\nwords\n", "2 1:3 2:5\n", '{"a": 1}\nwords\n', "text, and more\nwords\n", ""):
        (tmp_path / "b.txt").write_text(content)
        assert documents(ezlda, a, tmp_path / "b.txt") == 2 + content.count("\n")


def test_decoded_before_it_is_recognised(ezlda, fails, tmp_path):
    for name in ("a.txt", "b.json", "c.txt"):
        (tmp_path / name).write_bytes(CONTENT[name.split(".")[-1]].encode("utf-16"))
    fails(2, "jsonl (JSON Lines)", "info", tmp_path / "a.txt", tmp_path / "b.json", "--encoding", "utf-16")
    assert documents(ezlda, tmp_path / "a.txt", tmp_path / "c.txt", "--encoding", "utf-16") == 4


def test_pipes_are_read_once(ezlda, fails, tmp_path):
    text, words = write(tmp_path, "de.txt"), CONTENT["txt"].encode()
    assert documents(ezlda, text, "-", stdin=words) == 4
    assert documents(ezlda, "-", text, stdin=words) == 4
    fails(2, ["standard input", "fr.csv"], "info", "-", write(tmp_path, "fr.csv"), stdin=words)
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(words,))
    writer.start()
    assert documents(ezlda, text, tmp_path / "pipe") == 4
    writer.join()


def labels(ezlda, tmp_path, *folders):
    """Names and labels of the imported documents, and the notes."""
    run = {"cwd": tmp_path}
    notes = ezlda("import", *folders, "--stopwords", "none", "-o", "c.ezc", **run).stderr
    assert ezlda("train", "c.ezc", "-k", 2, "-i", 1, "--device", "cpu", "-q", "-o", "m.ezm", **run).status == 0
    assert ezlda("export", "m.ezm", "--to", "csv", "--corpus", "c.ezc", "-o", "out", **run).status == 0
    rows = (tmp_path / "out" / "doc_fields.csv").read_text().splitlines()
    return [row.split(",")[1::2] for row in rows[1:]], notes


def folders(tmp_path):
    (tmp_path / "x" / "sub").mkdir(parents=True)
    (tmp_path / "y").mkdir()
    for name in ("x/a.txt", "x/sub/b.txt", "y/a.txt"):
        (tmp_path / name).write_text("some words\n")


@pytest.mark.parametrize("given, expected", [
    (["x", "y"], [["x/a.txt", "x"], ["x/sub/b.txt", "sub"], ["y/a.txt", "y"]]),
    (["x/", "./y//"], [["x/a.txt", "x"], ["x/sub/b.txt", "sub"], ["./y//a.txt", "y"]]),
    (["x/.", "y"], [["x/./a.txt", ""], ["x/./sub/b.txt", "sub"], ["y/a.txt", "y"]]),
    (["x"], [["a.txt", ""], ["sub/b.txt", "sub"]]), (["x//"], [["a.txt", ""], ["sub/b.txt", "sub"]])])
def test_folders_are_labels(ezlda, tmp_path, given, expected):
    folders(tmp_path)
    assert labels(ezlda, tmp_path, *given)[0] == expected


def test_names_of_files_in_other_encodings(ezlda, tmp_path):
    """Contents have --encoding; names are kept as far as they are UTF-8."""
    strange = os.fsencode(tmp_path) + b"/x/caf\xe9"
    os.makedirs(strange)
    for name in (b"/\xe9t\xe9.txt", b"/plain.txt"):
        with open(strange + name, "w", encoding="ascii") as file:
            file.write("some words\n")
    assert labels(ezlda, tmp_path, "x")[0] == [["caf\ufffd/plain.txt", "caf\ufffd"],
                                               ["caf\ufffd/\ufffdt\ufffd.txt", "caf\ufffd"]]
    one, other = (os.fsdecode(strange + name) for name in (b"/\xe9t\xe9.txt", b"/plain.txt"))
    assert documents(ezlda, one, other, "--format", "text") == 2


def test_nothing_in_a_folder_is_lost_silently(ezlda, fails, tmp_path):
    folders(tmp_path)
    for name in ("x/pipe2", "x/pipe", "x/sub/pipe", "y/pipe"):
        os.mkfifo(tmp_path / name)
    (tmp_path / "x" / "link.txt").symlink_to(tmp_path / "y" / "a.txt")
    (tmp_path / "y" / "folder").symlink_to(tmp_path / "x")
    found, notes = labels(ezlda, tmp_path, "x", "y")
    assert [name for name, _ in found] == ["x/a.txt", "x/link.txt", "x/sub/b.txt", "y/a.txt"]
    assert "x/pipe: neither file nor folder, ignored (4 in all)\n" in notes
    (tmp_path / "y" / "gone.txt").symlink_to(tmp_path / "nothing")
    fails(1, "y/gone.txt: cannot follow the link: No such file", "import", "x", "y", "-o", "d.ezc", "-q", cwd=tmp_path)


@pytest.mark.parametrize("words", ["some\nwords\n", "0\tsome\t3\n1\twords\t1\n"])
def test_a_mark_before_a_vocabulary(ezlda, tmp_path, words):
    (tmp_path / "c.ldac").write_text("2 0:3 1:1\n")
    hashes = []
    for mark in ("", "\ufeff"):
        (tmp_path / "v.txt").write_text(mark + words, encoding="utf-8")
        result = ezlda("info", tmp_path / "c.ldac", "--vocab", tmp_path / "v.txt", "--json")
        hashes.append(json.loads(result.stdout)["hash"])
    assert hashes[0] == hashes[1]

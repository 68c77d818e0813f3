"""ezlda import --encoding: text that is not UTF-8, as Python encodes it."""
import gzip
import json

import pytest

WORDS = ["café naïve crème", "Zwölf Bäume über Straßen", "señor mañana", "plain words only"]
INPUTS = {
    "lines.txt": "".join(line + "\n" for line in WORDS),
    "lines-crlf.txt": "".join(line + "\r\n" for line in WORDS),
    "table.csv": "id,text\n" + "".join(f'{i},"{line}"\n' for i, line in enumerate(WORDS)),
    "table.tsv": "id\ttext\n" + "".join(f"{i}\t{line}\n" for i, line in enumerate(WORDS)),
    "records.jsonl": "".join(json.dumps({"text": line}, ensure_ascii=False) + "\n" for line in WORDS),
    "some.mallet": "".join(f"d{i}\tx\t{line}\n" for i, line in enumerate(WORDS)),
}


def words_of(ezlda, path, *options):
    result = ezlda("info", path, *options, "--json", "-q")
    assert result.status == 0, result
    facts = json.loads(result.stdout)
    return {key: facts[key] for key in ("documents", "words", "tokens", "hash")}


@pytest.mark.parametrize("encoding", ["latin1", "windows-1252", "utf-16", "utf-16le", "utf-16be", "utf-32"])
@pytest.mark.parametrize("name", INPUTS)
def test_text_in_an_encoding_is_the_same_text(ezlda, tmp_path, name, encoding):
    (tmp_path / "utf8").mkdir()
    (tmp_path / "utf8" / name).write_text(INPUTS[name], newline="")
    expected = words_of(ezlda, tmp_path / "utf8" / name)
    assert expected["documents"] == len(WORDS)
    python_name = {"windows-1252": "cp1252"}.get(encoding, encoding)
    for path, pack in ((tmp_path / name, bytes), (tmp_path / f"{name}.gz", gzip.compress)):
        path.write_bytes(pack(INPUTS[name].encode(python_name)))
        assert words_of(ezlda, path, "--encoding", encoding) == expected


def test_folder_in_an_encoding(ezlda, fails, tmp_path):
    folder = tmp_path / "letters"
    folder.mkdir()
    for i, line in enumerate(WORDS):
        (folder / f"{i}.txt").write_bytes(line.encode("latin1"))
    fails(1, ["0.txt:1: expected UTF-8, found the byte 0xe9", "--encoding latin1 or windows-1252"], "info", folder, "--encoding", "utf-8")
    facts = words_of(ezlda, folder, "--encoding", "latin1")
    assert facts["documents"] == 4 and facts["tokens"] == 12


def test_standard_input_in_an_encoding(ezlda):
    result = ezlda("info", "-", "--encoding", "utf-16", "--json", "-q", stdin=INPUTS["lines.txt"].encode("utf-16"))
    assert result.status == 0 and json.loads(result.stdout)["tokens"] == 12


def test_encodings_that_are_refused(fails, corpus, tmp_path):
    text = tmp_path / "t.txt"
    text.write_bytes(b"one\ntwo \x81\n")
    for command in (["info"], ["import", "-o", tmp_path / "c.ezc"], ["train", "-k", 2, "-o", tmp_path / "m"]):
        fails(2, ['unknown encoding "klingon"', "--encoding"], *command, text, "--encoding", "klingon")
        fails(1, ["t.txt:2: expected windows-1252, found the byte 0x81"], *command, text, "--encoding", "windows-1252")
    fails(2, "has no text in an encoding", "info", corpus, "--encoding", "latin1")


PHRASE = "naïve Müller café"


def test_folder_of_mixed_encodings(ezlda, tmp_path):
    folder, plain = tmp_path / "mixed", tmp_path / "plain"
    folder.mkdir()
    plain.mkdir()
    for i, encoding in enumerate(["utf-8", "utf-8-sig", "latin1", "cp1252", "utf-16", "utf-16le", "utf-32"]):
        (folder / f"{i}.txt").write_bytes(PHRASE.encode(encoding))
        (plain / f"{i}.txt").write_text(PHRASE, encoding="utf-8")
    assert words_of(ezlda, folder) == words_of(ezlda, plain)
    notes = [ezlda("info", folder, "--threads", n).stderr for n in (1, 3)]
    assert "2 files UTF-8" in notes[0] and "2 files windows-1252" in notes[0] and notes[0] == notes[1], notes
    assert "encodings:" not in ezlda("info", plain).stderr


def test_an_encoding_that_is_wrong_for_some_files_is_reported(ezlda, tmp_path):
    folder = tmp_path / "mixed"
    folder.mkdir()
    for i, encoding in enumerate(["utf-8", "utf-8-sig", "latin1", "latin1"]):
        (folder / f"{i}.txt").write_bytes(PHRASE.encode(encoding))
    notes = [ezlda("info", folder, "--encoding", "latin1", "--threads", n).stderr for n in (1, 3)]
    assert "2 files seem to be UTF-8, but --encoding latin1 reads them otherwise" in notes[0] and notes[0] == notes[1], notes
    done = ezlda("info", folder / "0.txt", "--encoding", "latin1")
    assert done.status == 0 and "1 file seems to be UTF-8" in done.stderr, done.stderr
    for name, encoding in (("2.txt", "latin1"), ("0.txt", "utf-8")):
        assert "seem" not in ezlda("info", folder / name, "--encoding", encoding).stderr


@pytest.mark.parametrize("lines", [3, 30000])
def test_file_of_mixed_lines(ezlda, tmp_path, lines):
    text = (PHRASE + "\n").encode() * lines
    (tmp_path / "m.txt").write_bytes(text + (PHRASE + "\n").encode("latin1") + text)
    (tmp_path / "u.txt").write_bytes(text + (PHRASE + "\n").encode() + text)
    assert words_of(ezlda, tmp_path / "m.txt") == words_of(ezlda, tmp_path / "u.txt")
    result = ezlda("info", tmp_path / "m.txt")
    assert f"m.txt:{lines + 1}: not UTF-8" in result.stderr and "1 such line is" in result.stderr, result.stderr


def test_files_in_latin1_and_others_are_found(ezlda, tmp_path):
    for name in INPUTS:
        (tmp_path / name).write_bytes(INPUTS[name].encode("latin1"))
        (tmp_path / "utf8").mkdir(exist_ok=True)
        (tmp_path / "utf8" / name).write_text(INPUTS[name], newline="", encoding="utf-8")
        assert words_of(ezlda, tmp_path / name) == words_of(ezlda, tmp_path / "utf8" / name)


def test_nul_bytes_are_refused(fails, tmp_path):
    (tmp_path / "b.txt").write_bytes(b"one two\nthree\0four\n")
    fails(1, ["b.txt:2: expected text, found a NUL byte"], "info", tmp_path / "b.txt")

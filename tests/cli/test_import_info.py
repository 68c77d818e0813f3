"""ezlda import, synth and info."""
import json
import re


def info(ezlda, *arguments):
    result = ezlda("info", *arguments, "--json")
    assert result.status == 0, result
    return json.loads(result.stdout)


def test_import_keeps_every_document(ezlda, articles, tmp_path):
    result = ezlda("import", articles, "-o", tmp_path / "a.ezc", "--min-length", 2, "--stopwords", "none")
    assert result.status == 0
    assert re.search(r"a\.ezc: 120 documents, 18 words, 3,570 tokens, text kept in 7.6 kB\n$", result.stdout)
    facts = info(ezlda, tmp_path / "a.ezc")
    assert facts["kind"] == "corpus" and facts["documents"] == 120 and facts["empty_documents"] == 1
    assert facts["tokens"] == 3570 and facts["longest"] == 30 and {"name", "label"} <= set(facts["fields"])
    raw = info(ezlda, articles, "--min-length", 2, "--stopwords", "none")
    assert raw["hash"] == facts["hash"] and raw["tokens"] == facts["tokens"]


def test_info_as_text_agrees_with_json(ezlda, corpus):
    facts = info(ezlda, corpus)
    shown = dict(re.split(r"  +", line, maxsplit=1) for line in ezlda("info", corpus).stdout.splitlines())
    for key in ("documents", "empty_documents", "words", "tokens", "pairs", "longest", "bytes"):
        assert int(shown[key.replace("_", " ")].replace(",", "")) == facts[key]
    assert shown["hash"] == facts["hash"] and facts["bytes"] == corpus.stat().st_size


def test_synth_is_the_same_for_the_same_seed(ezlda, tmp_path):
    def draw(seed, *more):
        arguments = ["--docs", 50, "--words", 100, "--length", 20, "--topics", 4, "--seed", seed, "-q", *more]
        assert ezlda("synth", "-o", tmp_path / "c.ezc", *arguments) == ("", "", 0)
        return (tmp_path / "c.ezc").read_bytes()

    first = draw(1)
    assert draw(1) == first and draw(1, "--threads", 3) == first
    assert draw(2) != first
    facts = info(ezlda, tmp_path / "c.ezc")
    assert facts["documents"] == 50 and facts["words"] == 100


def test_output_through_a_symbolic_link_and_over_an_old_file(ezlda, corpus, tmp_path):
    (tmp_path / "real.ezc").write_bytes(b"old")
    (tmp_path / "link.ezc").symlink_to("real.ezc")
    assert ezlda("import", corpus, "-o", tmp_path / "link.ezc", "-q").status == 0
    assert (tmp_path / "link.ezc").is_symlink()
    assert info(ezlda, tmp_path / "real.ezc")["hash"] == info(ezlda, corpus)["hash"]


def test_output_in_the_working_directory(ezlda, corpus, tmp_path):
    assert ezlda("import", corpus, "-o", "here.ezc", "-q", cwd=tmp_path).status == 0
    assert [p.name for p in tmp_path.iterdir()] == ["here.ezc"]

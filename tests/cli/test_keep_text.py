"""ezlda import --keep-text: the text of the documents beside the bags."""
import json


def info(ezlda, path):
    result = ezlda("info", path, "--json")
    assert result.status == 0, result
    return json.loads(result.stdout)


def imported(ezlda, source, path, *options):
    result = ezlda("import", source, "--stopwords", "none", *options, "-o", path)
    assert result.status == 0, result
    return info(ezlda, path), result.stdout + result.stderr


def test_text_is_kept_unless_it_is_not_wanted(ezlda, articles, tmp_path):
    kept, said = imported(ezlda, articles, tmp_path / "kept.ezc")
    plain, less = imported(ezlda, articles, tmp_path / "plain.ezc", "--no-keep-text")
    assert (plain["text"], kept["text"]) == ("not kept", "kept")
    assert ", text kept in " in said and "text kept" not in less
    assert plain["hash"] == kept["hash"] and plain["tokens"] == kept["tokens"]
    assert kept["bytes"] == (tmp_path / "kept.ezc").stat().st_size > plain["bytes"]


def test_joined_files_keep_it_if_all_have_it(ezlda, articles, fails, tmp_path):
    imported(ezlda, articles, tmp_path / "a.ezc", "--keep-text")
    imported(ezlda, articles, tmp_path / "b.ezc", "--no-keep-text")
    both = ezlda("import", tmp_path / "a.ezc", tmp_path / "a.ezc", "-o", tmp_path / "aa.ezc")
    assert both.status == 0 and info(ezlda, tmp_path / "aa.ezc")["text"] == "kept"
    mixed = ezlda("import", tmp_path / "a.ezc", tmp_path / "b.ezc", "-o", tmp_path / "ab.ezc")
    assert "b.ezc: has no text of its documents, so the joined corpus keeps none" in mixed.stderr
    assert info(ezlda, tmp_path / "ab.ezc")["text"] == "not kept"
    fails(2, "has no text to keep", "import", tmp_path / "b.ezc", "--keep-text", "-o", tmp_path / "c.ezc")
    (tmp_path / "docword.txt").write_text("1\n1\n1\n1 1 2\n")
    fails(2, "gives no text to keep", "import", tmp_path / "docword.txt", "--keep-text", "-o", tmp_path / "c.ezc")

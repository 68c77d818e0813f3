"""ezlda import --keep-order: the order of the words beside the bags."""
import json


def info(ezlda, path):
    result = ezlda("info", path, "--json")
    assert result.status == 0, result
    return json.loads(result.stdout)


def imported(ezlda, source, path, *options):
    result = ezlda("import", source, "--stopwords", "none", "-q", *options, "-o", path)
    assert result.status == 0, result
    return info(ezlda, path)


def test_the_order_is_kept_beside_the_same_bags(ezlda, articles, tmp_path):
    plain = imported(ezlda, articles, tmp_path / "plain.ezc")
    kept = imported(ezlda, articles, tmp_path / "kept.ezc", "--keep-order")
    assert (plain["word_order"], kept["word_order"]) == ("not kept", "kept")
    assert plain["hash"] == kept["hash"] and plain["tokens"] == kept["tokens"]
    assert kept["bytes"] == (tmp_path / "kept.ezc").stat().st_size > plain["bytes"]


def test_threads_do_not_change_the_file(ezlda, articles, tmp_path):
    imported(ezlda, articles, tmp_path / "1.ezc", "--keep-order", "--threads", 1)
    imported(ezlda, articles, tmp_path / "3.ezc", "--keep-order", "--threads", 3)
    assert (tmp_path / "1.ezc").read_bytes() == (tmp_path / "3.ezc").read_bytes()


def test_joined_files_keep_it_if_all_have_it(ezlda, articles, fails, tmp_path):
    imported(ezlda, articles, tmp_path / "a.ezc", "--keep-order")
    imported(ezlda, articles, tmp_path / "b.ezc", "--keep-order")
    imported(ezlda, articles, tmp_path / "c.ezc")

    def join(*names):
        result = ezlda("import", *(tmp_path / name for name in names), "-o", tmp_path / "all.ezc")
        assert result.status == 0, result
        return info(ezlda, tmp_path / "all.ezc")["word_order"], result.stderr

    assert join("a.ezc", "b.ezc")[0] == "kept"
    order, notes = join("a.ezc", "c.ezc")
    assert order == "not kept" and "c.ezc: has no order of words, so the joined corpus keeps none" in notes
    fails(2, "c.ezc: has no order of words to keep", "import", tmp_path / "a.ezc", tmp_path / "c.ezc", "--keep-order",
          "-o", tmp_path / "none.ezc")


def test_bags_of_words_have_none(fails, tmp_path):
    (tmp_path / "docword.x.txt").write_text("1\n2\n1\n1 2 3\n")
    fails(2, "read as uci (a UCI bag of words), which gives no order of words to keep", "import",
          tmp_path / "docword.x.txt", "--keep-order", "-o", tmp_path / "x.ezc")

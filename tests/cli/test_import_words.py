"""ezlda import --tokens: text without spaces between words, text that is cut already, and words as people write them."""
import json
import os

import pytest

CHINESE = "我们研究机器学习。\n机器学习研究数据,we like Python数据\nplain words only\n"


@pytest.fixture
def imported(ezlda, tmp_path):
    """Imports a text and returns the run and the words, most frequent first."""
    def make(text, *options, **keywords):
        (tmp_path / "in.txt").write_text(text, encoding="utf-8")
        done = ezlda("import", tmp_path / "in.txt", "--format", "text", "-o", tmp_path / "c.ezc", *options, **keywords)
        assert done.status == 0, done
        trained = ezlda("train", tmp_path / "c.ezc", "-k", 2, "-i", 2, "-q", "-o", tmp_path / "m.ezm")
        assert trained.status == 0, trained
        topics = ezlda("topics", tmp_path / "m.ezm", "--words", 100, "--json")
        return done, {word["word"] for topic in json.loads(topics.stdout)["topics"] for word in topic["words"]}
    return make


def without_icu():
    return {"env": {**os.environ, "EZLDA_ICU": "none"}}


def test_chinese_is_cut_into_words(imported):
    done, words = imported(CHINESE, "--stopwords", "none")
    if "was not found" in done.stderr:
        pytest.skip("ICU is not installed")
    assert {"机器", "学习", "研究", "数据", "python"} <= words
    assert "words: cut by the dictionaries of ICU" in done.stderr and "in 2 of 3 documents (Han)" in done.stderr


def test_without_icu_a_warning_names_the_package(imported, ezlda, tmp_path):
    done, words = imported(CHINESE, "--stopwords", "none", **without_icu())
    assert {"机器", "器学", "学习", "python"} <= words
    assert "2 of 3 documents have text without spaces" in done.stderr and "libicu72" in done.stderr
    # Text that does not need ICU is read without a word about it.
    done, _ = imported("plain words only\nmore plain words\n", "--stopwords", "none", **without_icu())
    assert "ICU" not in done.stderr
    (tmp_path / "zh.txt").write_text(CHINESE, encoding="utf-8")
    refused = ezlda("import", tmp_path / "zh.txt", "--tokens", "icu", "-o", tmp_path / "x.ezc", **without_icu())
    assert refused.status == 1 and "libicuuc was not found" in refused.stderr and not (tmp_path / "x.ezc").exists()


def test_new_text_is_cut_like_the_text_of_the_model(imported, ezlda, tmp_path):
    for tokens, new in (("pairs", "机器学习"), ("pre", "We,like 机器学习")):
        imported(CHINESE + "We,like 机器学习\n", "--stopwords", "none", "--tokens", tokens)
        (tmp_path / "new.txt").write_text(new + "\n", encoding="utf-8")
        done = ezlda("infer", tmp_path / "m.ezm", tmp_path / "new.txt", "--format", "text", "-o", tmp_path / "out.tsv")
        assert done.status == 0 and "does not know" not in done.stderr and "knows" not in done.stderr, done


def test_text_that_is_cut_already(imported, ezlda, tmp_path):
    done, words = imported("New_York , 3,14 机器学习 The\n", "--tokens", "pre", "--stopwords", "en")
    assert words == {"New_York", ",", "3,14", "机器学习"}
    refused = ezlda("import", tmp_path / "in.txt", "--tokens", "post", "-o", tmp_path / "x.ezc")
    assert refused.status == 2 and "pre" in refused.stderr


def test_words_as_people_write_them(imported):
    _, words = imported("Größte GRÖẞTE ΛΟΓΟΣ λογος İzmir\n", "--stopwords", "none")
    assert words == {"größte", "λογος", "izmir"}
    done, words = imported("ISPARTA ısparta kapı kızı ışık sarı\n", "--stopwords", "none")
    assert "ısparta" in words and "isparta" not in words and "as in Turkish" in done.stderr

"""Phrases that replace their words, and stems that are shown as words, from import to infer."""
import json
import random

import pytest

PLACES = ["the New York Times", "in New York", "a prime minister", "stories and characters", "the story of a character",
          "movies and stories"]


def text(docs, seed=1):
    """Documents of filler words with one of the sentences above in each."""
    chance = random.Random(seed)
    fill = ["".join(chance.choice("bcdfgklmnprst") + chance.choice("aeiou") for _ in range(3)) for _ in range(60)]
    lines = [" ".join(chance.choices(fill, k=8)) + ". " + PLACES[d % len(PLACES)] + ". " + " ".join(chance.choices(fill, k=8))
             for d in range(docs)]
    return "\n".join(lines) + "\n"


def imported(ezlda, tmp_path, *options, docs=300, name="c"):
    (tmp_path / "t.txt").write_text(text(docs), encoding="utf-8")
    result = ezlda("import", tmp_path / "t.txt", "--stopwords", "en", *options, "-o", tmp_path / f"{name}.ezc")
    assert result.status == 0, result.stderr
    return tmp_path / f"{name}.ezc", result


def trained(ezlda, corpus, tmp_path, *options):
    model = tmp_path / "m.ezm"
    assert ezlda("train", corpus, "-k", 3, "-i", 20, "--device", "cpu", "-q", *options, "-o", model).status == 0
    return model


def words_of(ezlda, model):
    lines = ezlda("topics", model, "-n", 1000, "--tsv").stdout.splitlines()[1:]
    return {line.split("\t")[2] for line in lines if line.split("\t")[3] != "0"}


def test_phrases_replace_their_words(ezlda, tmp_path):
    corpus, result = imported(ezlda, tmp_path, "--phrases", "auto")
    assert "phrases: " in result.stderr
    plain, _ = imported(ezlda, tmp_path, name="plain")
    words = words_of(ezlda, trained(ezlda, corpus, tmp_path))
    assert {"new_york", "prime_minister"} <= words and not {"york", "prime", "minister"} & words
    tokens = [json.loads(ezlda("info", c, "--json").stdout)["tokens"] for c in (corpus, plain)]
    assert tokens[1] - tokens[0] >= 150  # two words of every second document became one, and more in some
    assert "phrases joined" in json.loads(ezlda("info", corpus, "--json").stdout)["text_read_with"]


def test_new_text_gets_the_phrases_of_the_model(ezlda, tmp_path):
    corpus, _ = imported(ezlda, tmp_path, "--phrases", "auto", "--stemmer", "english", "--min-docs", 2)
    model = trained(ezlda, corpus, tmp_path)
    new = tmp_path / "new.txt"
    new.write_text("New York: prime minister, story and character\n" + "blue moon\n" * 20)
    result = ezlda("infer", model, new, "-o", tmp_path / "t.tsv", "--device", "cpu")
    assert result.status == 0 and "phrases joined" in result.stderr
    assert "21 documents, 4 tokens" in result.stdout  # new_york, prime_minister, stories, characters
    assert "not in the model: 2 words, 40 tokens" in result.stdout  # blue, moon: no phrase of the model
    result = ezlda("infer", model, new, "-o", tmp_path / "t.tsv", "--device", "cpu", "--phrases", "none")
    assert "phrases joined" not in result.stderr and "21 documents, 2 tokens" in result.stdout


@pytest.mark.parametrize("seeds", ["stories", "story", "Storied", '"New York"', "new_york", "new-york"])
def test_seeds_find_words_by_any_form(ezlda, tmp_path, seeds):
    corpus, _ = imported(ezlda, tmp_path, "--phrases", "auto", "--stemmer", "english")
    (tmp_path / "seeds.txt").write_text(seeds + "\n")
    words = words_of(ezlda, trained(ezlda, corpus, tmp_path, "--seeds", tmp_path / "seeds.txt"))
    assert "stories" in words and not {"stori", "story", "charact"} & words


def test_ngrams_that_multiply_the_vocabulary_are_reported(ezlda, tmp_path):
    _, result = imported(ezlda, tmp_path, "--ngrams", 2)
    assert "words became" in result.stderr and "--phrases auto" in result.stderr
    _, result = imported(ezlda, tmp_path, "--ngrams", 2, "--min-docs", 10)
    assert "words became" not in result.stderr


def test_phrases_that_make_no_sense(fails, tmp_path):
    (tmp_path / "t.txt").write_text("a b\n")
    for value in ("2", "many", "0"):
        fails(2, ["phrases", "expected auto, none or a number above 0 and up to 1", f'"{value}"'], "import", tmp_path / "t.txt",
              "--phrases", value, "-o", tmp_path / "x.ezc")
    fails(2, "choose one", "import", tmp_path / "t.txt", "--phrases", "auto", "--ngrams", 2, "-o", tmp_path / "x.ezc")


def test_corpora_that_show_stems_by_other_words_are_joined_with_a_warning(ezlda, tmp_path):
    first, _ = imported(ezlda, tmp_path, "--stemmer", "english", name="a")
    (tmp_path / "u.txt").write_text("story of a movie\n" * 3)
    for reading, warned in ((["--stemmer", "english", "--stopwords", "en"], True), (["--like", first], False)):
        assert ezlda("import", tmp_path / "u.txt", *reading, "-q", "-o", tmp_path / "b.ezc").status == 0
        result = ezlda("import", first, tmp_path / "b.ezc", "-o", tmp_path / "both.ezc")
        assert result.status == 0 and ("--like" in result.stderr) == warned, result.stderr


def test_the_order_holds_phrases(ezlda, tmp_path):
    hashes = set()
    for threads in (1, 3):
        corpus, _ = imported(ezlda, tmp_path, "--phrases", "auto", "--keep-order", "--threads", threads)
        hashes.add(corpus.read_bytes())
    assert len(hashes) == 1
    model = trained(ezlda, corpus, tmp_path)
    scores = json.loads(ezlda("eval", model, corpus, "--measures", "coherence", "--json", "--device", "cpu").stdout)
    assert scores["coherence"]["npmi_window"] == 10

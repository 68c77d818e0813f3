"""Priors that are fitted, seeds, continuing from a model, stopping when converged."""
import json

import pytest


def train(ezlda, corpus, folder, *arguments, name="m", **keywords):
    """Trains quietly; returns the summary."""
    result = ezlda("train", corpus, "-q", "-o", folder / f"{name}.ezm", "--summary", folder / f"{name}.json", *arguments,
                   **keywords)
    assert result.status == 0, result
    return json.loads((folder / f"{name}.json").read_text())


def test_fitted_priors_are_the_same_everywhere(ezlda, corpus, device, tmp_path):
    options = ["-k", 9, "-i", 12, "--optimize-interval", 3, "--optimize-burn-in", 2]
    runs = [train(ezlda, corpus, tmp_path, *options, *how) for how in
            (["--device", "reference"], ["--device", device], ["--device", device, "--threads", 3])]
    assert len({(run["topics_hash"], run["alpha_sum"], run["beta"]) for run in runs}) == 1
    plain = train(ezlda, corpus, tmp_path, "-k", 9, "-i", 12, "--device", device, "--fixed-priors")
    assert plain["topics_hash"] != runs[0]["topics_hash"] and plain["beta"] == 0.01
    assert abs(plain["alpha_sum"] - 50) < 1e-4


@pytest.mark.slow
def test_fitted_priors_come_near_those_that_drew_the_corpus(ezlda, tmp_path):
    """Six topics drawn with alpha 5/6 each; the start is far off."""
    assert ezlda("synth", "-o", tmp_path / "c.ezc", "--docs", 1500, "--words", 300, "--length", 80, "--topics", 6, "-q",
                 "--alpha", 0.3, "--beta", 0.05).status == 0
    run = train(ezlda, tmp_path / "c.ezc", tmp_path, "-k", 6, "-i", 200, "--device", "cpu")
    assert 0.6 * 1.8 < run["alpha_sum"] < 1.5 * 1.8


def test_symmetric_alpha(ezlda, corpus, tmp_path):
    options = ["-k", 4, "-i", 30, "--optimize-interval", 5, "--optimize-burn-in", 0, "--device", "cpu"]
    values = []
    for more in ([], ["--symmetric-alpha"]):
        train(ezlda, corpus, tmp_path, *options, *more)
        topics = json.loads(ezlda("topics", tmp_path / "m.ezm", "--json").stdout)["topics"]
        values.append({topic["alpha"] for topic in topics})
    assert len(values[0]) == 4 and len(values[1]) == 1


def test_burn_in_and_interval(ezlda, corpus, tmp_path):
    plain = train(ezlda, corpus, tmp_path, "-k", 5, "-i", 9, "--device", "cpu")
    late = train(ezlda, corpus, tmp_path, "-k", 5, "-i", 9, "--device", "cpu", "--optimize-interval", 5,
                 "--optimize-burn-in", 5)
    assert late["topics_hash"] == plain["topics_hash"] and late["alpha_sum"] == plain["alpha_sum"]


@pytest.mark.slow
def test_seeds_lead_their_topics(ezlda, articles, device, tmp_path):
    (tmp_path / "seeds.txt").write_text("# themes\n2: river, fish\n# more\nviolin opera nothing\n0: parser\n", encoding="utf-8")
    result = ezlda("train", articles, "--stopwords", "none", "-k", 4, "-i", 40, "--alpha", 0.1, "--device", device,
                   "--seeds", tmp_path / "seeds.txt", "-o", tmp_path / "m.ezm")
    assert result.status == 0 and "does not have 1 of 6 words ('nothing')" in result.stderr
    topics = json.loads(ezlda("topics", tmp_path / "m.ezm", "--json", "-n", 6).stdout)["topics"]
    words = [{word["word"] for word in topic["words"]} for topic in topics]
    assert {"river", "fish", "water"} <= words[2] and {"violin", "opera", "choir"} <= words[3] and "parser" in words[0]


def test_seeded_training_is_the_same_everywhere(ezlda, corpus, device, tmp_path):
    (tmp_path / "seeds.txt").write_text("w1 w2\n4: w3 w1\n", encoding="utf-8")
    options = ["-k", 6, "-i", 8, "--seeds", tmp_path / "seeds.txt"]
    hashes = {train(ezlda, corpus, tmp_path, *options, *how)["topics_hash"] for how in
              (["--device", "reference"], ["--device", device], ["--device", device, "--w-format", "sparse"],
               ["--device", device, "--w-format", "dense", "--threads", 1])}
    assert len(hashes) == 1
    assert train(ezlda, corpus, tmp_path, *options, "--seed-weight", 0.1)["topics_hash"] not in hashes


@pytest.mark.parametrize("text, words", [
    ("7: river\n", ["seeds.txt:1", "topic 7", "0 to 4"]), ("ok\nx: river\n", ["seeds.txt:2", "number of a topic", "'x'"]),
    ("# nothing\n", ["no seed words"]), ("a b\nc\nd\ne\nf\ng\n", ["seeds.txt:6", "topic 5"]),
    ("a\n\n\n\n\nb\n", ["seeds.txt:6", "topic 5", "empty lines count"]),
    ('a\nb "c d\n', ["seeds.txt:2", "never closed"]), ('a\n"" b\n', ["seeds.txt:2", "in quotes"]),
    ("river\nbr\udcfccke\n", ["seeds.txt:2: expected UTF-8, found the byte 0xfc"]),
    ("river\nfi\0sh\n", ["seeds.txt:2: expected text, found a NUL byte"])])
def test_bad_seeds(articles, fails, tmp_path, text, words):
    (tmp_path / "seeds.txt").write_bytes(text.encode("utf-8", "surrogateescape"))
    fails(1, words, "train", articles, "-k", 5, "--seeds", tmp_path / "seeds.txt", "-o", tmp_path / "m.ezm", "-q")


def test_seeds_that_the_corpus_lacks(articles, fails, tmp_path):
    (tmp_path / "seeds.txt").write_text("nowhere\n", encoding="utf-8")
    fails(2, ["none of the 1 seed words", "'nowhere'", "words of its vocabulary"], "train", articles, "-k", 5, "--seeds", tmp_path / "seeds.txt",
          "-o", tmp_path / "m.ezm", "-q")


TEXT = "New York bridges\nThe Rivers of New York\nBridges and rivers\nStraße rivers bridge\n" * 5


@pytest.mark.parametrize("reading, seeds, same", [
    (["--stopwords", "en", "--stemmer", "english"],
     ["river", "Rivers", "RIVERING", "\ufeffriver", '"the Rivers"'], True),
    (["--stopwords", "none"], ["straße", "Straße", "STRAẞE", '"straße"', " straße # remark"], True),
    (["--stopwords", "none", "--keep-case"], ["rivers", "Rivers"], False),
    (["--stopwords", "en", "--ngrams", 2], ["new_york", '"New York"', "New_York", '"New of york"', "\n0: New_York"], True),
    (["--stopwords", "none"], ["york\n\nnew", "0: york\n2: new", "york,\n # topic 1\n ,\nNew"], True),
    (["--stopwords", "none"], ["york\n\nnew", "york\nnew"], False)])
def test_seeds_are_read_as_the_text_was(ezlda, tmp_path, reading, seeds, same):
    """Seeds that the rules make one word are one seed; an empty line is a topic without seeds."""
    (tmp_path / "t.txt").write_text(TEXT, encoding="utf-8")
    assert ezlda("import", tmp_path / "t.txt", *reading, "-o", tmp_path / "t.ezc", "-q").status == 0
    hashes = []
    for text in seeds:
        (tmp_path / "seeds.txt").write_text(text, encoding="utf-8")
        hashes.append(train(ezlda, tmp_path / "t.ezc", tmp_path, "-k", 3, "-i", 3, "--device", "cpu", "--seed-weight", 5,
                            "--seeds", tmp_path / "seeds.txt")["topics_hash"])
    assert len(set(hashes)) == (1 if same else len(hashes)), hashes


def test_seeds_of_words_that_are_not_from_text(ezlda, fails, tmp_path):
    """A corpus without rules of text uses a seed as it is written."""
    (tmp_path / "b.ldac").write_text("2 0:3 1:2\n1 1:4\n")
    (tmp_path / "v.txt").write_text("River\nfish\n")
    asked = ["train", tmp_path / "b.ldac", "--vocab", tmp_path / "v.txt", "-k", 3, "-i", 2, "-q", "--seeds",
             tmp_path / "seeds.txt", "-o", tmp_path / "m.ezm"]
    (tmp_path / "seeds.txt").write_text("river FISH\n")
    fails(2, "none of the 2 seed words", *asked)
    for text in ("River\n", "\ufeffRiver\n", "\ufeff0: River"):
        (tmp_path / "seeds.txt").write_text(text, encoding="utf-8")
        assert ezlda(*asked).status == 0


def test_continuing_equals_not_stopping(ezlda, corpus, device, tmp_path):
    options = ["--device", device, "--keep-topics", "--optimize-interval", 4, "--optimize-burn-in", 2]
    whole = train(ezlda, corpus, tmp_path, "-k", 6, "-i", 20, *options, name="whole")
    part = train(ezlda, corpus, tmp_path, "-k", 6, "-i", 13, *options, name="part")
    rest = train(ezlda, corpus, tmp_path, "--init", tmp_path / "part.ezm", "-i", 7, *options, name="rest")
    for key in ("topics_hash", "alpha_sum", "beta", "iterations"):
        assert rest[key] == whole[key], key
    assert rest["llpt"][-1][2] == whole["llpt"][-1][2]
    stays = train(ezlda, corpus, tmp_path, "--init", tmp_path / "part.ezm", "-i", 7, "--device", device, "--fixed-priors",
                  name="stays")
    assert stays["beta"] == part["beta"] and stays["alpha_sum"] == part["alpha_sum"]


def test_continuing_on_a_grown_corpus(ezlda, articles, device, tmp_path):
    """New documents, with words that the model does not have."""
    text = articles.read_text(encoding="utf-8")
    grown = tmp_path / "grown.jsonl"
    grown.write_text(text + "".join(json.dumps({"id": f"new {i}", "text": "violin concert melody synthesizer oboe"}) + "\n"
                                    for i in range(30)), encoding="utf-8")
    common = ["--stopwords", "none", "--alpha", 0.1, "--device", device]
    train(ezlda, articles, tmp_path, "-k", 4, "-i", 60, *common, name="old")
    hashes = {train(ezlda, grown, tmp_path, "--init", tmp_path / "old.ezm", "-i", 10, "--stopwords", "none",
                    "--device", where, name="new")["topics_hash"] for where in ("reference", device)}
    assert len(hashes) == 1
    old, new = (json.loads(ezlda("topics", tmp_path / f"{name}.ezm", "--json", "-n", 8).stdout)["topics"]
                for name in ("old", "new"))
    tokens = lambda topic, text: sum(word["tokens"] for word in topic["words"] if word["word"] == text)
    music = max(range(4), key=lambda k: tokens(new[k], "synthesizer"))
    assert tokens(new[music], "synthesizer") >= 15
    assert sum(tokens(old[music], word) for word in ("violin", "concert", "melody")) > 30


def test_continuing_asks_for_what_fits(corpus, ezlda, fails, tmp_path):
    train(ezlda, corpus, tmp_path, "-k", 6, "-i", 2, "--device", "cpu", name="m")
    fails(2, ["--topics is 7", "has 6"], "train", corpus, "-k", 7, "--init", tmp_path / "m.ezm", "-o", tmp_path / "n.ezm")
    fails(2, "-k/--topics K is required with --alpha", "train", corpus, "--alpha", 0.1, "-o", tmp_path / "n.ezm")


@pytest.mark.slow
def test_until_converged(ezlda, corpus, tmp_path):
    options = ["-k", 6, "-i", 3000, "--alpha", 0.1, "--device", "cpu", "--eval-every", 10]
    result = ezlda("train", corpus, *options, "--until-converged", 0.02, "-o", tmp_path / "m.ezm",
                   "--summary", tmp_path / "s.json")
    summary = json.loads((tmp_path / "s.json").read_text())
    assert result.status == 0 and 30 <= summary["iterations"] < 3000
    # Four more samples for the words of topics follow, ten iterations apart.
    settled = summary["iterations"] - 40
    assert summary["stopped"].startswith(f"converged after iteration {settled}: further iterations are expected to gain")
    assert summary["stopped"] in result.stderr
    strict = train(ezlda, corpus, tmp_path, *options, "--until-converged", 0.002)
    assert strict["iterations"] >= summary["iterations"]
    # As expected: no more than a little above the gain is left.
    long = train(ezlda, corpus, tmp_path, *options[:3], 3 * summary["iterations"], *options[4:])
    assert long["llpt"][-1][2] - summary["llpt"][-1][2] < 0.06

"""ezlda report: the page's data, policy and pictures. No browser needed."""
import base64
import hashlib
import json
import math
import os
import re
import xml.etree.ElementTree as ElementTree

import pytest
from report_page import data_of, page_data, unpack

IMPORT = ["--min-length", 2, "--stopwords", "none"]
DAY = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}  # 2023-11-14

# Words and names that would do harm if the page did not escape them.
HOSTILE = ["</script><script>alert(1)</script>", "<!--", "<img src=x onerror=alert(1)>", "]]>", "&amp;", "a\"b'c",
           "\u202egnp\u202c", "\u2028line\u2029", "😀👩‍🚀", "x" * 10000, "{{SCRIPT}}", "back\\slash", "\x7f\x1b[31m"]


@pytest.fixture(scope="module")
def report(ezlda, model, articles, tmp_path_factory):
    """The report of the articles, as text."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    result = ezlda("report", model, articles, *IMPORT, "-o", path, "--title", "Articles", env=DAY)
    assert result.status == 0, result
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def data(report):
    return page_data(report)


def write_corpus(path, words, names):
    """A bag of words with one document for each name; every document has every word."""
    path.write_text("\n".join([str(len(names)), str(len(words)), str(len(names) * len(words)),
                               *(f"{d + 1} {w + 1} {1 + (d * w) % 3}" for d in range(len(names))
                                 for w in range(len(words)))]) + "\n")
    vocabulary = path.with_name("vocab.txt")
    vocabulary.write_text("\n".join(words) + "\n", encoding="utf-8")
    return vocabulary


# ---- the page ----------------------------------------------------------------------------------------------------


def test_the_policy_names_the_style_and_the_script(report):
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', report)[1]
    style = re.search(r"<style>(.*?)</style>", report, re.S)[1]
    script = re.findall(r"<script>(.*?)</script>", report, re.S)
    assert len(script) == 1

    def source(text):
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"

    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules == {"default-src": "'none'", "style-src": source(style), "script-src": source(script[0]),
                     "img-src": "data:", "connect-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}


def test_nothing_is_loaded_from_elsewhere(report):
    skeleton = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", report, flags=re.S)
    assert all(target.startswith("data:") for target in re.findall(r'(?:src|href)\s*=\s*"?([^" >]*)', skeleton))
    assert "{{" not in skeleton and not re.search(r"@import|url\((?!['\"]?data:)", report)


def test_the_same_input_gives_the_same_file(ezlda, model, articles, report, tmp_path):
    for threads in 1, 3:
        path = tmp_path / f"{threads}.html"
        assert ezlda("report", model, articles, *IMPORT, "-o", path, "--title", "Articles", "--threads", threads,
                     env=DAY).status == 0
        assert path.read_text(encoding="utf-8") == report


def test_facts_are_the_models(ezlda, model, data):
    info = json.loads(ezlda("info", model, "--json").stdout)
    facts = data["facts"]
    assert data["version"] == 1 and data["title"] == "Articles" and data["created"] == "2023-11-14"
    assert facts["topics"] == 4 and facts["documents"] == 120 and facts["seed"] == "5" and facts["iterations"] == 60
    assert facts["tokens"] == info["tokens"] and facts["topics_hash"] == info["topics_hash"]
    assert data["llpt"][-1][0] == 60 and data["llpt"][-1][2] < 0
    assert data["serve"] is False and data["compare"] is None


def test_topics(data):
    topics = data["topics"]
    tokens = unpack("d", topics["tokens"])
    assert sum(tokens) == data["facts"]["tokens"]
    x, y = unpack("f", topics["x"]), unpack("f", topics["y"])
    assert len(x) == len(y) == 4 and max(map(abs, [*x, *y])) == 1
    similar, similarity = unpack("H", topics["similar"]), unpack("f", topics["similarity"])
    assert len(similar) == len(similarity) == 12
    for k in range(4):
        assert sorted(similar[3 * k:3 * k + 3]) == [j for j in range(4) if j != k]
        assert list(similarity[3 * k:3 * k + 3]) == sorted(similarity[3 * k:3 * k + 3], reverse=True)
    assert len(unpack("f", topics["coherence"])) == 4 and 0 < data["scores"]["diversity"] <= 1


@pytest.fixture(scope="module")
def synthetic(ezlda, corpus, tmp_path_factory):
    path = tmp_path_factory.mktemp("synthetic") / "six.ezm"
    assert ezlda("train", corpus, "-k", 6, "-i", 20, "--alpha", 0.2, "-q", "-o", path).status == 0
    return path


def test_words_of_topics_come_first_for_some_lambda(ezlda, synthetic, tmp_path):
    assert ezlda("report", synthetic, "-q", "-o", tmp_path / "r.html", "--words", 5).status == 0
    data = data_of(tmp_path / "r.html")
    expected = [{} for _ in range(6)]
    for step in range(11):
        shown = ezlda("topics", synthetic, "--lambda", step / 10, "-n", 5, "--json").stdout
        for topic in json.loads(shown)["topics"]:
            expected[topic["topic"]].update((word["word"], word["tokens"]) for word in topic["words"])
    assert data["topic_words"]["each"] == 5
    text = data["vocabulary"]["text"]
    start, word, count = (unpack("I", data["topic_words"][key]) for key in ("start", "word", "count"))
    for k in range(6):
        assert {text[word[i]]: count[i] for i in range(start[k], start[k + 1])} == expected[k]
        assert list(count[start[k]:start[k + 1]]) == sorted(count[start[k]:start[k + 1]], reverse=True)
    words = unpack("d", data["vocabulary"]["tokens"])
    assert list(words) == sorted(words, reverse=True) and sum(words) == data["facts"]["tokens"]


def test_first_documents_are_those_of_docs(ezlda, synthetic, tmp_path):
    assert ezlda("report", synthetic, "-q", "-o", tmp_path / "r.html", "--docs", 7).status == 0
    data = data_of(tmp_path / "r.html")
    number, places = unpack("I", data["documents"]["number"]), unpack("I", data["topic_docs"])
    shown = ezlda("docs", synthetic, "--topic", 2, "-n", 7, "--tsv").stdout.splitlines()[1:]
    assert [number[places[i]] for i in range(14, 21)] == [int(line.split("\t")[1]) for line in shown]


def test_topics_of_words(data):
    start, topic, count = (unpack(kind, data["word_topics"][key])
                           for kind, key in (("I", "start"), ("H", "topic"), ("I", "count")))
    words = unpack("d", data["vocabulary"]["tokens"])
    assert len(start) == len(words) + 1
    for w, tokens in enumerate(words):
        own = list(count[start[w]:start[w + 1]])
        assert sum(own) == tokens and own == sorted(own, reverse=True)
        assert len(set(topic[start[w]:start[w + 1]])) == len(own)


def test_documents(data):
    documents, text = data["documents"], data["vocabulary"]["text"]
    number, tokens, mix, bag = (unpack("I", documents[key]) for key in ("number", "tokens", "mix_start", "bag_start"))
    assert list(number) == sorted(set(number)) and len(documents["name"]) == len(number)
    assert set(documents["label"]) == {"theme 0", "theme 1", "theme 2"} and documents["bag_kind"] == "likely"
    share, counts, words = unpack("f", documents["mix_share"]), unpack("H", documents["bag_count"]), \
        unpack("I", documents["bag_word"])
    assert list(number) == list(range(120))  # so few that all are there
    places = unpack("I", data["topic_docs"])
    for i in range(len(number)):
        assert sum(counts[bag[i]:bag[i + 1]]) == (tokens[i] if i in places else 0)
        assert (tokens[i] > 0) == (sum(share[mix[i]:mix[i + 1]]) > 0) and sum(share[mix[i]:mix[i + 1]]) <= 1.0001
        assert len(set(words[bag[i]:bag[i + 1]])) == bag[i + 1] - bag[i]
    assert max(words) < len(text)
    assert len(places) == 40 and all(p < len(number) or p == 0xffffffff for p in places)


def test_many_documents_are_those_of_topics_only(ezlda, tmp_path):
    with open(tmp_path / "long.jsonl", "w", encoding="utf-8") as file:
        for i in range(300):
            json.dump({"id": f"{i} " + "name " * 600, "text": "river water fish"}, file)
            file.write("\n")
    ezlda("train", tmp_path / "long.jsonl", "-k", 3, "-i", 5, "-q", "-o", tmp_path / "long.ezm")
    assert ezlda("report", tmp_path / "long.ezm", "-q", "-o", tmp_path / "r.html", "--docs", 4).status == 0
    documents = data_of(tmp_path / "r.html")["documents"]
    assert 4 <= len(documents["name"]) <= 12  # 900 kB of names would be too much


def test_kept_topics_colour_the_words(ezlda, articles, tmp_path):
    ezlda("train", articles, *IMPORT, "-k", 3, "-i", 20, "--keep-topics", "-q", "-o", tmp_path / "kept.ezm")
    assert ezlda("report", tmp_path / "kept.ezm", articles, *IMPORT, "-q", "-o", tmp_path / "r.html").status == 0
    documents = data_of(tmp_path / "r.html")["documents"]
    assert documents["bag_kind"] == "kept"
    bag, topic, count = (unpack(kind, documents[key])
                         for kind, key in (("I", "bag_start"), ("H", "bag_topic"), ("H", "bag_count")))
    mix, mix_topic, tokens = (unpack(kind, documents[key])
                              for kind, key in (("I", "mix_start"), ("H", "mix_topic"), ("I", "tokens")))
    for i in (i for i in range(len(bag) - 1) if bag[i] < bag[i + 1]):
        of = {}
        for j in range(bag[i], bag[i + 1]):
            of[topic[j]] = of.get(topic[j], 0) + count[j]
        assert sorted(of) == sorted(mix_topic[mix[i]:mix[i + 1]]) and sum(of.values()) == tokens[i]


def test_scores_are_those_of_eval(ezlda, model, articles, tmp_path):
    """The report has the scores of eval, for the same text with and without its order."""
    for order, windows in (["--keep-order"], (10, 110)), ([], (0, 0)):
        corpus = tmp_path / f"{windows[0]}.ezc"
        assert ezlda("import", articles, *IMPORT, *order, "-q", "-o", corpus).status == 0
        assert ezlda("report", model, corpus, "-q", "-o", tmp_path / "r.html").status == 0
        scores = data_of(tmp_path / "r.html")["scores"]
        scored = json.loads(ezlda("eval", model, corpus, "--measures", "coherence", "--json").stdout)["coherence"]
        assert (scores["npmi_window"], scores["c_v_window"]) == windows and scores["note"] == ""
        for name in "u_mass", "npmi", "c_v", "diversity", "exclusivity":
            assert scores[name] == pytest.approx(scored[name]), (name, windows)


def test_without_a_corpus(ezlda, model, tmp_path):
    assert ezlda("report", model, "-q", "-o", tmp_path / "r.html").status == 0
    data = data_of(tmp_path / "r.html")
    assert data["title"] == "articles.ezm" and list(data["scores"]) == ["note"] and data["fields"] == []
    assert "need the corpus" in data["scores"]["note"]
    assert data["documents"]["bag_kind"] == "none" and data["documents"]["bag_word"] == ""
    assert data["documents"]["label"] is None and len(data["documents"]["name"]) > 10
    assert all(math.isnan(value) for value in unpack("f", data["topics"]["coherence"]))


# ---- flags -------------------------------------------------------------------------------------------------------


def test_topics_of_the_same_words_are_flagged(ezlda, tmp_path):
    """Many topics on a corpus of one theme are flagged as alike."""
    lines = ["alpha beta gamma delta epsilon zeta eta theta " * 12] * 40
    (tmp_path / "one.txt").write_text("\n".join(lines))
    ezlda("import", tmp_path / "one.txt", "--format", "text", "--stopwords", "none", "-q", "-o", tmp_path / "one.ezc")
    ezlda("train", tmp_path / "one.ezc", "-k", 4, "-i", 3, "--start", "random", "--beta", 100, "-q",
          "-o", tmp_path / "one.ezm")
    assert ezlda("report", tmp_path / "one.ezm", tmp_path / "one.ezc", "-q", "-o", tmp_path / "r.html").status == 0
    flags = data_of(tmp_path / "r.html")["topics"]["flag"]
    kinds = {flag["kind"] for flag in flags}
    assert kinds == {"duplicate", "junk"}
    assert sum(flag["kind"] == "duplicate" for flag in flags) == 3  # the largest is nobody's duplicate
    assert all(flag["reason"] for flag in flags)
    assert all(flag["other"] != flag["topic"] for flag in flags if flag["kind"] == "duplicate")
    assert any("whole corpus" in flag["reason"] for flag in flags)


def test_good_topics_are_not_flagged(data):
    assert [flag for flag in data["topics"]["flag"] if flag["kind"] == "junk"] == []


def test_few_long_documents_are_not_junk(ezlda, tmp_path):
    """A low NPMI is not flagged if the corpus has few, long documents with all words in each."""
    words = [f"w{chr(97 + i)}{chr(97 + i)}" for i in range(20)]
    (tmp_path / "books.txt").write_text("".join(" ".join(words[d:] + words) + "\n" for d in range(6)))
    ezlda("train", tmp_path / "books.txt", "--stopwords", "none", "-k", 3, "-i", 20, "-q", "-o", tmp_path / "b.ezm")
    ezlda("report", tmp_path / "b.ezm", tmp_path / "books.txt", "-q", "-o", tmp_path / "b.html")
    data = data_of(tmp_path / "b.html")
    assert data["scores"]["npmi"] < -0.5  # as gensim has it
    assert not [flag for flag in data["topics"]["flag"] if "NPMI" in flag["reason"]]


def test_empty_topics_are_flagged(ezlda, tmp_path):
    (tmp_path / "two.txt").write_text("river water\n" * 3)
    ezlda("import", tmp_path / "two.txt", "--format", "text", "--stopwords", "none", "-q", "-o", tmp_path / "two.ezc")
    ezlda("train", tmp_path / "two.ezc", "-k", 50, "-i", 3, "-q", "-o", tmp_path / "two.ezm")
    assert ezlda("report", tmp_path / "two.ezm", tmp_path / "two.ezc", "-q", "-o", tmp_path / "r.html").status == 0
    topics = data_of(tmp_path / "r.html")["topics"]
    empty = [flag["topic"] for flag in topics["flag"] if flag["kind"] == "empty"]
    assert empty == [k for k, tokens in enumerate(unpack("d", topics["tokens"])) if tokens == 0] and len(empty) > 40
    assert all(math.isfinite(value) for key in "xy" for value in unpack("f", topics[key]))


# ---- hostile content ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile(ezlda, tmp_path_factory):
    """A corpus of harmful words, names and labels, and its model."""
    folder = tmp_path_factory.mktemp("hostile")
    words = [word for word in HOSTILE if word not in ("\u2028line\u2029",)]
    vocabulary = write_corpus(folder / "docword.txt", words, HOSTILE)
    assert ezlda("import", folder / "docword.txt", "--format", "uci", "--vocab", vocabulary, "-q",
                 "-o", folder / "words.ezc").status == 0
    with open(folder / "names.jsonl", "w", encoding="utf-8") as file:
        for i, name in enumerate(HOSTILE):
            json.dump({"id": name, "text": "river water fish boat " * (i + 1), "label": HOSTILE[-1 - i]}, file)
            file.write("\n")
    for corpus, *options in (["words.ezc"], ["names.jsonl", "--stopwords", "none"]):
        assert ezlda("train", folder / corpus, *options, "-k", 3, "-i", 5, "-q",
                     "-o", folder / (corpus + ".ezm")).status == 0
    return folder


@pytest.mark.parametrize("corpus, options", [("words.ezc", []), ("names.jsonl", ["--stopwords", "none"])])
def test_hostile_text_stays_text(ezlda, hostile, tmp_path, corpus, options):
    assert ezlda("report", hostile / f"{corpus}.ezm", hostile / corpus, *options, "-q", "-o", tmp_path / "r.html",
                 "--title", HOSTILE[0]).status == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    body = page[page.index('id="ezlda-data">') + 16:]
    raw = body[:body.index("</script>")]
    assert not re.search("[<>&\u2028\u2029\x00-\x1f\x7f]", raw)
    data = page_data(page)
    assert data["title"] == HOSTILE[0] and "<title>&lt;/script&gt;" in page
    assert page.lower().count("<script") == 2 and page.lower().count("</script") == 2
    if corpus == "words.ezc":
        assert set(data["vocabulary"]["text"]) == {word for word in HOSTILE if word != "\u2028line\u2029"}
    else:
        assert set(data["documents"]["name"]) == set(data["documents"]["label"]) == set(HOSTILE)


def test_hostile_text_in_pictures(ezlda, hostile, tmp_path):
    assert ezlda("report", hostile / "words.ezc.ezm", "-q", "--svg", tmp_path / "svg", "--title", HOSTILE[0]).status == 0
    names = {element for path in (tmp_path / "svg").iterdir() for element in ElementTree.parse(path).iter()}
    tags = {element.tag.rpartition("}")[2] for element in names}
    assert tags == {"svg", "title", "style", "rect", "g", "circle", "text", "tspan"}


def test_another_corpus_is_named(ezlda, tmp_path, fails):
    """The text may be read without the filters of the run; a corpus with other documents is refused."""
    text, out = tmp_path / "a.jsonl", tmp_path / "r.html"
    text.write_text("".join(json.dumps({"text": f"river water lone{chr(97 + i)}"}) + "\n" for i in range(20)))
    filters = ["--stopwords", "none", "--min-docs", 3]
    assert ezlda("train", text, *filters, "-k", 2, "-i", 5, "-q", "-o", tmp_path / "m.ezm").status == 0
    for given in ([], filters):
        assert ezlda("report", tmp_path / "m.ezm", text, *given, "-q", "-o", out).status == 0
    assert ezlda("export", tmp_path / "m.ezm", "--to", "csv", "--corpus", text, "-q", "-o", tmp_path / "csv").status == 0
    text.write_text(text.read_text().replace("river", "boat", 1))
    wrong = [f"{text}: expected the corpus that the model was trained on (20 documents, 2 words, 40 tokens",
             "found another (20, 23, 60"]
    fails(2, wrong, "report", tmp_path / "m.ezm", text, "-q", "-o", out)
    text.write_text(text.read_text() + '{"text": "river boat"}\n')
    scored = ezlda("report", tmp_path / "m.ezm", text, "-q", "-o", out)
    assert scored.status == 2 and "found another (21, 23, 62" in scored.stderr


# ---- a second model ----------------------------------------------------------------------------------------------


def test_compare(ezlda, model, articles, tmp_path):
    ezlda("train", articles, *IMPORT, "-k", 6, "-i", 30, "--seed", 9, "-q", "-o", tmp_path / "six.ezm")
    assert ezlda("report", model, "-q", "-o", tmp_path / "r.html", "--compare", tmp_path / "six.ezm").status == 0
    compare = data_of(tmp_path / "r.html")["compare"]
    shown = ezlda("diff", model, tmp_path / "six.ezm", "--tsv").stdout.splitlines()
    assert compare["title"] == "six.ezm" and compare["topics"] == 6
    assert len(compare["pairs"]) + len(compare["alone_a"]) == 4
    assert len(compare["pairs"]) + len(compare["alone_b"]) == 6
    assert len(compare["words_b"]) == 6 and len(unpack("d", compare["tokens_b"])) == 6
    assert len(compare["nearest_b"]) == len(compare["alone_b"])
    assert sum(line.startswith(("kept", "drifted")) for line in shown) == len(compare["pairs"]), shown
    assert all(0 <= similarity <= 1 for _, _, similarity in compare["pairs"])


def test_one_topic(ezlda, tmp_path):
    (tmp_path / "state").write_text("#doc source pos typeindex type topic\n#alpha : 0.5 \n#beta : 0.01\n"
                                    + "".join(f"{d} name{d} {w} {w} word{w} 0\n" for d in range(3) for w in range(4)))
    assert ezlda("import", tmp_path / "state", "-q", "-o", tmp_path / "s.ezc", "--model", tmp_path / "s.ezm").status == 0
    assert ezlda("report", tmp_path / "s.ezm", tmp_path / "s.ezc", "-q", "-o", tmp_path / "r.html",
                 "--svg", tmp_path / "svg").status == 0
    data = data_of(tmp_path / "r.html")
    assert data["topics"]["similar"] == "" and list(unpack("f", data["topics"]["x"])) == [0]
    assert data["documents"]["bag_kind"] == "kept"


def test_a_title_that_is_not_utf8(ezlda, model, tmp_path):
    title = os.fsdecode(b"caf\xe9 \xe2\x80")
    assert ezlda("report", model, "-q", "-o", tmp_path / "r.html", "--title", title).status == 0
    assert data_of(tmp_path / "r.html")["title"] == "caf? ??"


# ---- pictures ----------------------------------------------------------------------------------------------------


def test_pictures(ezlda, model, tmp_path, fails):
    folder = tmp_path / "svg"
    for _ in range(2):  # the second replaces the first
        assert ezlda("report", model, "-q", "--svg", folder).status == 0
        assert sorted(p.name for p in folder.iterdir()) == ["map.svg", *(f"topic-{k}.svg" for k in range(4))]
    drawn = ElementTree.parse(folder / "map.svg").getroot()
    assert len(drawn.findall(".//{*}circle")) == 4
    (folder / "mine.txt").write_text("x")
    fails(1, "mine.txt", "report", model, "-q", "--svg", folder)


# ---- what is refused ---------------------------------------------------------------------------------------------


def test_refused(ezlda, model, corpus, tmp_path, fails):
    fails(2, "nothing to do", "report", model)
    fails(2, "--port", "report", model, "-o", tmp_path / "r.html", "--port", 99)
    fails(2, "trained on", "report", model, corpus, "-q", "-o", tmp_path / "r.html")
    fails(1, "No such file", "report", tmp_path / "none.ezm", "-o", tmp_path / "r.html")
    fails(1, "directory", "report", model, "-o", tmp_path / "none" / "r.html")
    fails(2, "--words", "report", model, "-o", tmp_path / "r.html", "--words", 0)

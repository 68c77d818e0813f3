"""ezlda report: topics whose words do not occur together are flagged if the corpus is large enough to tell."""
import json
import random

from report_page import data_of

THEMES = 5


def letters(number):
    return "".join(chr(97 + int(digit)) for digit in f"{number:04}")


def write_themes(path, docs, words, length):
    """Documents of one theme each; returns them."""
    draw = random.Random(7)
    made = [[letters(10 * draw.randrange(words) + d % THEMES) for _ in range(length)] for d in range(docs)]
    path.write_text("".join(json.dumps({"text": " ".join(doc)}) + "\n" for doc in made))
    return made


def npmi_flags(ezlda, model, corpus, page):
    assert ezlda("report", model, corpus, "-q", "-o", page).status == 0
    data = data_of(page)
    return data["scores"]["npmi"], [flag for flag in data["topics"]["flag"] if "NPMI" in flag["reason"]]


def import_in_order(ezlda, text, corpus):
    assert ezlda("import", text, "--keep-order", "--stopwords", "none", "-q", "-o", corpus).status == 0


def test_rare_words_of_a_theme_are_not_junk(ezlda, tmp_path):
    """Most pairs of words are expected in less than one window, so that good topics have an NPMI below 0, too."""
    corpus, model = tmp_path / "c.ezc", tmp_path / "m.ezm"
    write_themes(tmp_path / "t.jsonl", 400, 400, 30)
    import_in_order(ezlda, tmp_path / "t.jsonl", corpus)
    assert ezlda("train", corpus, "-k", THEMES, "-i", 200, "--alpha", 0.1, "-q", "-o", model).status == 0
    npmi, flags = npmi_flags(ezlda, model, corpus, tmp_path / "r.html")
    assert npmi < -0.1 and flags == []


def test_words_of_all_themes_are_junk(ezlda, tmp_path):
    """Topics made of random words are flagged."""
    state, corpus, model = tmp_path / "s", tmp_path / "c.ezc", tmp_path / "m.ezm"
    docs = write_themes(tmp_path / "t.jsonl", 2000, 25, 30)
    number = {word: i for i, word in enumerate(sorted({word for doc in docs for word in doc}))}
    topic = {word: random.Random(word).randrange(THEMES) for word in number}
    lines = [f"{d} {d} {i} {number[word]} {word} {topic[word]}" for d, doc in enumerate(docs)
             for i, word in enumerate(doc)]
    state.write_text("\n".join(["#doc source pos typeindex type topic", "#alpha : " + "0.1 " * THEMES, "#beta : 0.01",
                                *lines]) + "\n")
    assert ezlda("import", state, "-q", "-o", corpus, "--model", model).status == 0
    _, flags = npmi_flags(ezlda, model, corpus, tmp_path / "r.html")
    assert [flag["topic"] for flag in flags] == list(range(THEMES))
    assert all(flag["reason"].endswith("of 190 pairs that are frequent enough to tell)") for flag in flags), flags


def test_stop_words_and_codes_are_junk(ezlda, tmp_path):
    """French left among English text, and lines of code; topics of subjects are not flagged."""
    draw = random.Random(3)
    french = "de des la et les un en une le du que qui".split()
    codes = "ax max pl di tm ei giz wm bhj cx ww hz".split()
    law, sea = "gun law tax trial court judge vote act bill jury".split(), "sea ship lamp rock wave sail oar captain harbour net".split()
    kinds = [french, codes, law, sea]
    (tmp_path / "a.txt").write_text("".join(" ".join(draw.choice(kinds[i % 4]) for _ in range(30)) + "\n" for i in range(200)))
    reading = ["--stopwords", "none"]
    assert ezlda("train", tmp_path / "a.txt", *reading, "-k", 4, "-i", 60, "-q", "-o", tmp_path / "m.ezm").status == 0
    assert ezlda("report", tmp_path / "m.ezm", tmp_path / "a.txt", "-q", "-o", tmp_path / "r.html").status == 0
    topics = {}
    for row in ezlda("topics", tmp_path / "m.ezm", "--tsv", "-n", 1).stdout.splitlines()[1:]:
        topics[row.split("\t")[2]] = int(row.split("\t")[0])
    of = {name: number for word, number in topics.items() for name, words in
          (("french", french), ("codes", codes), ("law", law), ("sea", sea)) if word in words}
    assert len(of) == 4
    reasons = {flag["topic"]: flag["reason"] for flag in data_of(tmp_path / "r.html")["topics"]["flag"]}
    assert reasons[of["french"]] == "10 of its first 10 words are stop words of french (--stopwords auto,fr removes them)"
    assert reasons[of["codes"]] == "10 of its first 10 words have at most 3 letters: codes?"
    assert of["law"] not in reasons and of["sea"] not in reasons

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

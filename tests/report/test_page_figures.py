"""Figures of the page are those of the command, and nothing is shown that the report does not know."""
import json

import pytest
from selenium.webdriver.common.keys import Keys


@pytest.mark.parametrize("words", [5, 45])
def test_words_are_the_commands_for_every_lambda(browser, command, words):
    command("report", "m.ezm", "--words", words, "-q", "-o", "words.html")
    browser.open((command.folder / "words.html").as_uri(), "#topic=3&lambda=0.04")  # 0, the nearest that there is
    for step in range(11):
        shown = json.loads(command("topics", "m.ezm", "--lambda", step / 10, "-n", words, "--json"))["topics"][3]
        expected = [word["word"] for word in shown["words"]]
        assert len(expected) == words and browser.texts(".words-table tbody th") == expected
        assert browser.text(".lambda-value") == f"λ = {step / 10:.1f}"
        browser.one("#lambda").send_keys(Keys.ARROW_RIGHT)
    browser.js("dispatchEvent(new Event('beforeprint'))")
    assert browser.text("#appendix tbody tr:nth-child(4) td:nth-child(2)").split() == expected[:10]


def test_a_time_without_documents_is_a_gap(browser, command):
    """Nothing in 2003 and 2004, a lone year after them; a third label whose documents are empty."""
    with open(command.folder / "gap.jsonl", "w", encoding="utf-8") as file:
        for i in range(60):
            text = ("river water fish " if i % 2 else "music violin opera ") * 3
            json.dump({"id": f"d{i}", "text": text, "year": (2001, 2002, 2005)[i % 3], "label": f"class {i % 3}"}, file)
            file.write("\n")
        json.dump({"id": "undated", "text": "river", "year": "0000", "label": "class 0"}, file)
        file.write("\n")
        json.dump({"id": "empty", "text": "", "year": 2001, "label": "nothing"}, file)
    reading = ["gap.jsonl", "--stopwords", "none", "--keep-fields", "year"]
    command("train", *reading, "-k", 2, "-i", 20, "-q", "-o", "gap.ezm")
    command("report", "gap.ezm", *reading, "-q", "-o", "gap.html")
    browser.open((command.folder / "gap.html").as_uri(), "#topic=1")
    chart = "[...document.querySelectorAll('.chart')].find((node) => node.getAttribute('aria-label').includes('year'))"
    assert browser.js(f"return {chart}.querySelector('.line').getAttribute('d').split('M').length") == 3
    assert browser.js(f"return {chart}.querySelectorAll('.lone').length") == 1
    assert browser.js(f"return {chart}.outerHTML.includes('NaN')") is False
    read = browser.js(f"""const node = {chart}, box = node.getBoundingClientRect();
        return [0, 0.25, 0.5, 0.75, 1].map((at) => {{
          const left = box.left + box.width * (52 + 496 * at) / 560;
          node.dispatchEvent(new PointerEvent("pointermove", {{ bubbles: true, clientX: left, clientY: box.top + 20 }}));
          return [node.parentNode.nextSibling.textContent, node.querySelector(".cross-dot").getAttribute("visibility")];
        }})""")
    assert [text.split(":")[0] for text, _ in read] == ["2001", "2002", "2003", "2004", "2005"]
    assert [text.endswith(": no documents") for text, _ in read] == [False, False, True, True, False]
    assert [dot for _, dot in read] == ["visible", "visible", "hidden", "hidden", "visible"]
    assert sorted(browser.texts(".category")) == ["class 0", "class 1", "class 2"]
    said = "Ignored: 1 document whose value is not a date (“\\u20680000\\u2069”)."
    assert browser.js(f"return document.body.textContent.includes('{said}')")
    browser.shot("gap")
    browser.js("const box = document.querySelector('#shade'); box.selectedIndex = box.options.length - 1; "
               "box.dispatchEvent(new Event('change'))")
    assert "early" in browser.text(".map-legend")
    assert browser.trouble() == []


def test_all_shares_and_values_are_printed(browser, command):
    """Documents with more topics than their mix lists, and a field of thirty values."""
    with open(command.folder / "long.jsonl", "w", encoding="utf-8") as file:
        for i in range(30):
            words = " ".join(f"word{chr(97 + k)}{chr(97 + (i + j) % 9)}" for k in range(20) for j in range(8))
            json.dump({"id": f"d{i}", "text": words, "edition": f"edition {i:02}"}, file)
            file.write("\n")
    reading = ["long.jsonl", "--stopwords", "none", "--keep-fields", "edition"]
    command("train", *reading, "-k", 20, "-i", 30, "--alpha", 0.1, "-q", "-o", "long.ezm")
    command("report", "long.ezm", *reading, "-q", "-o", "long.html")
    browser.open((command.folder / "long.html").as_uri(), "#topic=1")
    lines = command("docs", "long.ezm", "--topic", 1, "-n", 10, "--tsv").splitlines()
    share = lines[0].split("\t").index("share")
    expected = [float(line.split("\t")[share]) for line in lines[1:]]
    assert browser.js("return ezlda.app.model.documents.ofTopic(1).map((doc) => doc.share)") == pytest.approx(expected, 1e-3)
    shown = browser.texts(".documents .value")
    assert len(shown) == len(expected) and "0 %" not in shown
    assert len(browser.texts(".category")) == 30


def test_the_mean_similarity_is_that_of_diff(browser, command):
    """Topics without a token match each other, and say nothing about the two models."""
    for seed in 1, 2:
        command("train", "c.ezc", "-k", 300, "-i", 20, "--alpha", 0.001, "--seed", seed, "-q", "-o", f"many{seed}.ezm")
    command("report", "many1.ezm", "--compare", "many2.ezm", "-q", "-o", "many.html")
    browser.open((command.folder / "many.html").as_uri(), "#view=compare")
    expected = json.loads(command("diff", "many1.ezm", "many2.ezm", "--json"))["mean_similarity"]
    pairs = browser.js("return ezlda.app.model.data.compare.pairs")
    assert abs(sum(pair[2] for pair in pairs) / len(pairs) - expected) > 0.01  # empty topics change the plain mean
    shown = dict(zip(browser.texts(".figures dt"), browser.texts(".figures dd")))
    assert shown["mean similarity"] == f"{expected:.2f}"


def test_the_rank_of_a_word_counts_words_that_the_page_lacks(browser, command):
    """42,000 words, of which the last 1,500 occur once: beyond the 40,000 most frequent the page has a few only."""
    words, docs = 42000, 60
    with open(command.folder / "docword.txt", "w", encoding="utf-8") as file:
        file.write(f"{docs}\n{words}\n{words}\n")
        for doc in range(docs):
            file.writelines(f"{doc + 1} {w + 1} {2 if w < words - 1500 else 1}\n" for w in range(doc, words, docs))
    (command.folder / "vocab.docword.txt").write_text("".join(f"w{w + 1}\n" for w in range(words)))
    command("import", "docword.txt", "--format", "uci", "--vocab", "vocab.docword.txt", "-q", "-o", "rare.ezc")
    command("train", "rare.ezc", "-k", 3, "-i", 3, "-q", "-o", "rare.ezm")
    command("report", "rare.ezm", "-q", "-o", "rare.html")
    browser.open((command.folder / "rare.html").as_uri())
    known = browser.js("return ezlda.app.model.text")
    assert 40000 < len(known) < words and known[:40000] == [f"w{w + 1}" for w in range(40000)]
    for place in (0, 39999, 40000, len(known) - 1):
        browser.js("ezlda.app.state.openWord(arguments[0])", place)
        shown = dict(zip(browser.texts(".word .figures dt"), browser.texts(".word .figures dd")))
        assert shown["by frequency"] == f"{int(known[place][1:]):,}"
    assert int(known[-1][1:]) > len(known)

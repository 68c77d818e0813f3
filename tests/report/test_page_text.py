"""The text of a document in the page: as written, each word in its topic's colour, reached by pointer and keys."""
import json
import random

import pytest
from selenium.webdriver.common.keys import Keys

from conftest import command_can_report

pytestmark = pytest.mark.skipif(not command_can_report(), reason="the command cannot report")
THEMES = ["sea ship lamp rock wave sail".split(), "garden wall rose tree soil seed".split()]


def text_of(i):
    draw = random.Random(i)
    words = [draw.choice(THEMES[i % 2]) for _ in range(30)]
    return f"😀 The {words[0].title()}’s “{words[1]}” </script><!-- é\n\n" + ", ".join(words[2:]) + " — the End."


@pytest.fixture(name="page")
def make_page(command):
    if not (command.folder / "texts.html").exists():
        with open(command.folder / "texts.jsonl", "w", encoding="utf-8") as file:
            for i in range(120):
                json.dump({"id": f"text {i}", "text": text_of(i), "author": "Ann"}, file)
                file.write("\n")
        command("import", "texts.jsonl", "--stopwords", "en", "--keep-markup", "--keep-fields", "author", "-q", "-o", "texts.ezc")
        command("train", "texts.ezc", "-k", 2, "-i", 30, "-q", "--keep-topics", "-o", "texts.ezm")
        command("report", "texts.ezm", "texts.ezc", "-q", "-o", "texts.html")
    return (command.folder / "texts.html").as_uri()


def open_first(browser, page, topic=0):
    browser.open(page)
    number = browser.js("return ezlda.app.model.documents.ofTopic(arguments[0])[0].number", topic)
    browser.js("ezlda.app.state.openDocument(arguments[0])", number)
    browser.until(lambda: browser.all(".text-word"))
    return number


def test_the_text_is_as_written_and_every_word_has_its_topic(browser, page):
    number = open_first(browser, page)
    assert browser.text(".document .text") == text_of(number)
    words = browser.js("return [...document.querySelectorAll('.text-word')].map((n) => [n.textContent, n.dataset.topic])")
    theme = THEMES[number % 2]
    assert [word.lower() for word, _ in words if word.lower() in theme] == [
        word.strip("“”,’s").lower() if word.strip("“”,.’").lower() not in theme else word.strip("“”,.’").lower()
        for word in text_of(number).replace("’s", "").split() if word.strip("“”,.—").lower() in theme]
    assert len({topic for word, topic in words if word in theme}) == 1
    bag = browser.js("return ezlda.app.model.documents.get(arguments[0])", number)["bag"]
    assert len(words) == sum(count for _, _, count in bag)
    assert "author" in browser.text(".kept") and browser.trouble() == []
    browser.shot("text")


def test_a_word_says_why(browser, page):
    open_first(browser, page)
    assert "arrow keys" in browser.text(".why")
    browser.js("document.querySelector('.text').focus()")
    browser.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    word, topic = browser.js("const n = document.querySelector('.text-word'); return [n.textContent, n.dataset.topic]")
    why = browser.text(".why")
    assert why.startswith(word) and "% of the document" in why and "tokens here" in why
    assert browser.js("return document.querySelector('.why .topic-link').dataset.topic") == topic
    assert browser.js("return document.querySelector('.text-word.shown').textContent") == word
    browser.js("document.querySelectorAll('.text-word')[3].dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))")
    assert browser.text(".why").startswith(browser.js("return document.querySelectorAll('.text-word')[3].textContent"))
    browser.js("document.querySelector('.text').focus()")
    browser.keys(Keys.ENTER)
    browser.until(lambda: "topic=" in browser.address() and not browser.all(".text"))


def test_words_of_a_topic_stand_out(browser, page):
    open_first(browser, page)
    link = "document.querySelector('.largest [data-topic]')"
    browser.js(f"{link}.focus()")
    topic = browser.js(f"return {link}.dataset.topic")
    assert browser.js("return [...document.querySelectorAll('.text-word.lit')].every((n) => n.dataset.topic === arguments[0])", topic)
    assert browser.all(".text-word.lit") and browser.all(".text.some")
    browser.js(f"{link}.blur()")
    assert not browser.all(".text-word.lit") and not browser.all(".text.some")

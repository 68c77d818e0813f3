"""Fields of the documents in the page: dates as curves with counts, numbers in their order, values beside a document."""
import json
import random

import pytest
from selenium.webdriver.common.keys import Keys

from conftest import command_can_report

pytestmark = pytest.mark.skipif(not command_can_report(), reason="the command cannot report")
THEMES = ["sea ship lamp rock wave sail".split(), "garden wall rose tree soil seed".split(),
          "music violin opera song tune choir".split(), "court judge law trial crime jury".split()]


def write_letters(path, docs=840):
    draw = random.Random(5)
    with open(path, "w", encoding="utf-8") as file:
        for i in range(docs):
            year, month = 1990 + i % 14, 1 + i // 14 % 12
            text = " ".join(draw.choice(THEMES[i % 4]) for _ in range(12))
            json.dump({"id": f"letter {i}", "text": text, "day": f"{year}-{month:02}-05", "rating": str(1 + i % 4 * 3),
                       "author": "Ann <b>Lee</b>" if i % 2 else ""}, file)
            file.write("\n")


@pytest.fixture(name="page")
def make_page(command):
    def made(step="auto", topics=4):
        name = f"letters-{step}-{topics}"
        if not (command.folder / f"{name}.html").exists():
            write_letters(command.folder / "letters.jsonl")
            command("train", "letters.jsonl", "--stopwords", "none", "--keep-fields", "day,rating,author", "-k", topics,
                    "-i", 20, "-q", "-o", f"{name}.ezm")
            command("report", f"{name}.ezm", "letters.jsonl", "-q", "--step", step, "-o", f"{name}.html")
        return (command.folder / f"{name}.html").as_uri()
    return made


def chart(name):
    return f"[...document.querySelectorAll('.chart')].find((node) => node.getAttribute('aria-label').includes('by {name}'))"


@pytest.mark.parametrize("step, first, points", [("auto", "1990", 14), ("year", "1990", 14), ("quarter", "1990-Q1", 56),
                                                 ("month", "1990-01", 168), ("5-years", "1990-1994", 3), ("week", "1990-01-01", 727)])
def test_labels_of_time_do_not_touch(browser, page, step, first, points):
    browser.open(page(step), "#topic=1")
    field = "ezlda.app.model.fields.find((field) => field.name === 'day')"
    assert browser.js(f"const field = {field}, made = field.series(field.usualStep()); return [made.texts[0], made.n]") == [first, points]
    boxes = browser.js(f"""const node = {chart('day')}, floor = node.getBoundingClientRect().bottom;
        return [...node.querySelectorAll('.tick')].map((tick) => tick.getBoundingClientRect())
          .filter((box) => box.bottom > floor - 14).map((box) => [box.left, box.right])""")
    assert len(boxes) >= min(4, points)
    assert all(right + 4 <= left for (_, right), (left, _) in zip(boxes, boxes[1:])), boxes
    browser.shot(f"time-{step}")


def test_points_have_counts(browser, page):
    browser.open(page("year"), "#topic=1")
    read = browser.js(f"""const node = {chart('day')}, box = node.getBoundingClientRect();
        node.dispatchEvent(new PointerEvent("pointermove", {{ bubbles: true, clientX: box.left + box.width * 52 / 560, clientY: box.top + 20 }}));
        return node.parentNode.nextSibling.textContent""")
    assert read.startswith("1990: ") and " ± " in read and " of tokens in 60 documents (" in read
    assert browser.js(f"return {chart('day')}.querySelector('.counts').getAttribute('d').split('M').length") == 15
    assert browser.trouble() == []


def test_numbers_are_in_their_order(browser, page):
    browser.open(page(), "#topic=0")
    assert browser.texts(".categories .category") == ["1", "4", "7", "10"]
    assert browser.js("return [...document.querySelectorAll('.categories li')].map((row) => row.title)") == ["210 documents"] * 4


def test_a_document_shows_its_fields(browser, page):
    browser.open(page(), "#document=1")
    browser.until(lambda: browser.all(".kept"))
    assert browser.texts(".kept div") == ["day1991-01-05", "rating4", "authorAnn <b>Lee</b>"]
    assert browser.text(".kicker") == "Document 1" and browser.text(".document h2") == "letter 1"
    browser.shot("document-fields")
    browser.open(page(), "#document=2")
    browser.until(lambda: browser.all(".kept"))
    assert browser.texts(".kept dt") == ["day", "rating"]


def test_lines_are_called_by_their_number(browser, command):
    (command.folder / "lines.txt").write_text("".join(" ".join(THEMES[i % 2]) + "\n" for i in range(130)))
    command("train", "lines.txt", "--stopwords", "none", "-k", 2, "-i", 5, "-q", "-o", "lines.ezm")
    command("report", "lines.ezm", "lines.txt", "-q", "-o", "lines.html")
    browser.open((command.folder / "lines.html").as_uri(), "#document=122")
    browser.until(lambda: browser.all(".document h2"))
    assert browser.text(".document h2") == "Line 123" and browser.text(".kicker") == "Document"
    browser.keys(Keys.ESCAPE)
    browser.search("12")
    assert browser.texts(".result.document .name")[:2] == ["Line 12", "Line 120"]


@pytest.mark.parametrize("topics", [3, 4, 8, 10])
def test_no_box_covers_a_circle_at_first(browser, page, topics):
    browser.open(page("auto", topics))
    for box in (".map-legend", ".map-controls"):
        covered = browser.js("""const box = document.querySelector(arguments[0]).getBoundingClientRect();
            const home = ezlda.app.map.canvas.getBoundingClientRect(), off = (at, low, high) => Math.max(low - at, 0, at - high);
            return Array.from({ length: ezlda.app.model.K }, (_, topic) => ezlda.app.map.paint.place(topic)).filter(({ x, y, r }) =>
              Math.hypot(off(x + home.left, box.left, box.right), off(y + home.top, box.top, box.bottom)) < r - 0.5).length""", box)
        assert covered == 0, box
    browser.shot(f"map-{topics}")

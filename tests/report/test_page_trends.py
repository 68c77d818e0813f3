"""All topics at once over time and over groups: forms, steps, bands, counts, labels, and the documents behind a point."""
import json
import math
import random
import re
import subprocess

import pytest
from conftest import BINARY, command_can_report
from selenium.webdriver.common.keys import Keys

commanded = pytest.mark.skipif(not command_can_report(), reason="the command cannot report")
THEMES = ["sea ship lamp rock wave sail".split(), "garden wall rose tree soil seed".split(),
          "music violin opera song tune choir".split()]


@pytest.fixture(name="letters")
def make_letters(command):
    """A page of letters from 1990 to 2003; the share of music grows. Each letter is of one theme."""
    if not (command.folder / "trends.html").exists():
        draw = random.Random(3)
        with open(command.folder / "trends.jsonl", "w", encoding="utf-8") as file:
            for i in range(900):
                year = 1990 + i % 14
                theme = 2 if draw.random() < (year - 1990) / 15 else i // 14 % 2
                text = " ".join(draw.choices(THEMES[theme], k=8 + i % 9))
                json.dump({"id": f"letter {i}", "text": text, "day": f"{year}-{1 + i // 14 % 12:02}-{1 + i % 28:02}",
                           "rating": str(1 + i % 3 * 5)}, file)
                file.write("\n")
        command("train", "trends.jsonl", "--stopwords", "none", "--keep-fields", "day,rating", "-k", 3, "-i", 60, "--seed", 2, "-q",
                "-o", "trends.ezm")
        command("report", "trends.ezm", "trends.jsonl", "-q", "-o", "trends.html")
    return (command.folder / "trends.html").as_uri()


def music(browser):
    return browser.js("return [0, 1, 2].find((k) => THEME.some((word) => ezlda.app.model.headWords(k).includes(word)))"
                      .replace("THEME", json.dumps(THEMES[2])))


@pytest.mark.parametrize("form, marks", [("multiples", ".multiple .line"), ("stacked", ".layer"), ("ranked", ".rank")])
def test_each_form_draws_its_topics(browser, form, marks):
    browser.open("small", f"#view=trends&trend={form}")
    assert len(browser.all(marks)) == {"multiples": 20, "stacked": 20}.get(form) or len(browser.all(marks)) > 12
    assert len(browser.all(".behind .counts")) == 1
    assert browser.trouble() == []
    browser.shot(f"trends-{form}")


@pytest.mark.parametrize("size", [(1440, 900), (420, 800)])
@commanded
def test_labels_do_not_touch(browser, letters, size):
    browser.open(letters, "#view=trends", size=size)
    for trend in ("month", "stacked.month", "stacked.week", "stacked.quarter", "stacked.year", "ranked.month", "ranked.5-years",
                  "stacked.f1", "ranked.f1", "multiples.f1"):
        browser.js("ezlda.app.state.set({ trend: arguments[0] })", trend)
        charts = browser.js("""return [...document.querySelectorAll(".trend-charts svg")].map((chart) => {
            const home = chart.getBoundingClientRect();
            return [...chart.querySelectorAll("text")].map((node) => node.getBoundingClientRect())
              .map((box) => [box.left, box.right, box.top, box.bottom, home.left, home.right]); })""")
        for boxes in charts:
            for i, (left, right, top, bottom, low, high) in enumerate(boxes):
                assert left >= low - 12 and right <= high + 12, trend
                for other in boxes[:i]:
                    assert right <= other[0] or left >= other[1] or bottom <= other[2] + 3 or top >= other[3] - 3, (trend, boxes)
        assert len(charts) >= 2


@commanded
def test_steps_join_bins(browser, letters):
    """Each step has the same documents and tokens; its shares and bands are those of its documents."""
    browser.open(letters, "#view=trends")
    steps = browser.js("""const field = ezlda.app.model.fields.find((one) => one.time);
        return field.steps().map(([key]) => { const made = field.series(key); return [key, made.n, made.texts[0],
          made.docs.reduce((a, b) => a + b), made.total.reduce((a, b) => a + b)]; })""")
    assert [(key, n, first) for key, n, first, _, _ in steps] == [
        ("week", 730, "1990-01-01"), ("month", 168, "1990-01"), ("quarter", 56, "1990-Q1"),
        ("year", 14, "1990"), ("5-years", 3, "1990-1994"), ("decade", 2, "1990s"),
        ("century", 2, "1900-1999")]
    assert {docs for *_, docs, _ in steps} == {900} and len({total for *_, total in steps}) == 1
    topic = music(browser)
    for step in "year", "decade":
        got = browser.js("""const field = ezlda.app.model.fields.find((one) => one.time), made = field.series(arguments[0]);
            const of = made.of(arguments[1]); return made.texts.map((text, i) => [text, of.share[i], of.half[i], made.docs[i]])""", step, topic)
        for text, share, half, docs in got:
            rows = documents(browser, text[:3] if step == "decade" else text, topic)
            n, c = sum(n for n, _ in rows), sum(c for _, c in rows)
            assert len(rows) == docs and share == pytest.approx(c / n, abs=2e-3)
            squares = sum((own - share * length) ** 2 for length, own in rows) * docs / (docs - 1)
            assert half == pytest.approx(1.645 * math.sqrt(squares) / n, rel=0.03)


def documents(browser, years, topic):
    """Tokens of all documents of some years, and those of a topic: each letter is in one topic."""
    return browser.js("""const { documents } = ezlda.app.model, rows = [], [years, topic] = arguments;
        const field = ezlda.app.model.fields.find((one) => one.time), wanted = new Set(Array.from({ length: field.bins }, (_, i) => i));
        for (const doc of [0, 1, 2].flatMap((k) => documents.inBins(field.index, wanted, k, 1e6))) {
          if (!doc.fields.find(([name]) => name === "day")[1].startsWith(years) || rows[doc.number]) continue;
          const [first] = doc.mix; rows[doc.number] = [doc.tokens, first[0] === topic ? doc.tokens : 0]; }
        return rows.filter((row) => row)""", years, topic)


@commanded
def test_a_point_leads_to_its_documents(browser, letters):
    browser.open(letters, "#view=trends")
    topic = music(browser)
    plot = browser.one(f".multiple[data-topic='{topic}'] .plot")
    browser.js("arguments[0].focus()", plot)
    browser.keys(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.END)
    value = plot.get_attribute("aria-valuetext")
    assert re.match(r"2003: \d+\.\d+ % ± \d\.\d+ %, 64 documents", value), value
    assert browser.text(f".multiple[data-topic='{topic}'] .readout") == value
    browser.keys(Keys.ENTER)
    browser.until(lambda: browser.all(".trend-documents .document-link"))
    numbers = browser.js("return [...document.querySelectorAll('.trend-documents .document-link')].map((one) => +one.dataset.document)")
    assert len(numbers) == 20 and {1990 + number % 14 for number in numbers} == {2003}
    assert browser.text(".trend-documents .kicker") == "day 2003"
    browser.until(lambda: f"t{topic}.at2003" in browser.address())
    browser.all(".trend-documents .document-link")[0].send_keys(Keys.ENTER)
    browser.until(lambda: browser.all(".document .kept"))
    browser.keys(Keys.ESCAPE)  # back to the trends, with the point still open
    assert len(browser.all(".trend-documents .document-link")) == 20
    assert browser.trouble() == []


@commanded
def test_the_address_keeps_the_settings(browser, letters):
    browser.open(letters, "#view=trends&trend=stacked.tokens.month.f9.nonsense.t77.at1990")
    assert browser.text(".choice [aria-pressed='true']") == "Stacked"
    browser.one("select[aria-label='Step']").send_keys("Quarter")
    browser.until(lambda: "quarter" in browser.address())
    assert browser.address().startswith("#view=trends&trend=stacked.tokens.")
    browser.open(letters, browser.address())
    assert browser.js("return document.querySelector(\"select[aria-label='Step']\").value") == "quarter"


@commanded
def test_charts_of_a_topic_have_steps_and_lead_here(browser, letters):
    browser.open(letters, "#topic=1")
    browser.one("select[aria-label='Step of day']").send_keys("Month")
    chart = "[...document.querySelectorAll('.chart')].find((node) => node.getAttribute('aria-label').includes('by day'))"
    assert browser.js(f"return {chart}.querySelector('.counts').getAttribute('d').split('M').length") == 169
    browser.js(f"{chart}.parentNode.focus()")
    browser.keys(Keys.END, Keys.ENTER)
    browser.until(lambda: browser.all(".trend-documents .kicker"))
    assert browser.text(".trend-documents .kicker") == "day 2003-12"


def test_log_axes_and_the_same_axis(browser):
    heights = {}
    for trend in "multiples", "log", "same", "tokens":
        browser.open("small", f"#view=trends&trend={trend}")
        heights[trend] = browser.js("return [...document.querySelectorAll('.multiple .line')].map((node) => node.getAttribute('d'))")
        tops = set(browser.texts(".multiple svg > .tick:not([text-anchor])"))
        assert (len(tops) == 1) == (trend == "same")
    assert len({tuple(paths) for paths in heights.values()}) == 4
    assert browser.trouble() == []


def test_a_thousand_topics_come_in_parts(browser):
    browser.open("thousand", "#view=trends")
    assert len(browser.all(".multiple")) == 60
    browser.one(".trend-charts .quiet").click()
    assert len(browser.all(".multiple")) == 120
    browser.open("thousand", "#view=trends&trend=ranked")
    assert len(browser.all(".rank-name")) == 24


def test_a_report_without_fields_has_no_trends(browser):
    browser.open("plain", "#view=trends")
    assert browser.js("return document.body.dataset.view") == "overview" and "Trends" not in browser.texts(".tab")


@commanded
def test_the_server_gives_all_documents_of_a_point(browser, letters, command):
    serving = subprocess.Popen([BINARY, "report", "trends.ezm", "trends.jsonl", "--serve", "--port", "0"], cwd=command.folder, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        address = next(word for line in serving.stdout for word in line.split() if word.startswith("http://"))
        browser.open(address, "#view=trends")
        days = set()
        for topic in range(3):
            answer = browser.js("return fetch(`/api/slice?field=0&topic=${arguments[0]}&first=1&last=2`).then((got) => got.json())", topic)
            shares = [document["share"] for document in answer["documents"]]
            days |= {document["fields"][0][1] for document in answer["documents"]}
            assert shares == sorted(shares, reverse=True) and all(share > 0 for share in shares)
        assert days == {"1990-02-15", "1990-03-01"}
        for wrong in "", "?field=9&topic=1&first=0&last=2", "?field=0&topic=3&first=0&last=2", "?field=0&topic=1&first=0&last=x":
            assert browser.js("return fetch('/api/slice' + arguments[0]).then((got) => got.status)", wrong) == 400
    finally:
        serving.terminate()
        serving.communicate(timeout=20)

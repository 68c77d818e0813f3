"""The page of an edited model: hidden and merged topics are nowhere, and counts of topics are of those that are shown."""
import pytest
from selenium.webdriver.common.keys import Keys

from conftest import command_can_report

pytestmark = pytest.mark.skipif(not command_can_report(), reason="the command cannot report")
SHOWN = [1, 2, 4, 5, 6, 8, 10]  # of 12 topics
TOPIC = "return ezlda.app.state.now.topic"


@pytest.fixture(name="page")
def make_page(command):
    page = command.folder / "edited.html"
    if not page.exists():
        (command.folder / "edited.ezm").write_bytes((command.folder / "m.ezm").read_bytes())
        command("edit", "edited.ezm", "merge 2,9,11", "hide 0,3,7", "rename 4 Boats")
        command("report", "edited.ezm", "c.ezc", "--compare", "n.ezm", "-q", "-o", page.name)
    return page.as_uri()


def test_steps_skip_hidden_topics(browser, page):
    browser.open(page)
    for key, order in (Keys.ARROW_RIGHT, SHOWN + SHOWN[:1]), (Keys.ARROW_LEFT, SHOWN[::-1] + SHOWN[-1:]):
        browser.js("ezlda.app.state.openPanel('overview')")
        seen = []
        for _ in order:
            browser.keys(key)
            seen.append(browser.js(TOPIC))
        assert seen == order
    browser.js("ezlda.app.state.openTopic(2)")
    for button, topic in (2, 4), (1, 2), (1, 1), (1, 10), (2, 1):
        browser.one(f".topic-head .steps button:nth-of-type({button})").click()
        assert browser.js(TOPIC) == topic
    assert browser.trouble() == []


@pytest.mark.parametrize("topic", [0, 9])
def test_an_address_opens_no_hidden_topic(browser, page, topic):
    browser.open(page, f"#topic={topic}")
    assert browser.js("return [ezlda.app.state.now.panel, ezlda.app.state.now.topic]") == ["overview", -1]
    browser.search(str(topic))
    assert topic not in [int(text) for text in browser.texts(".result .number")]
    assert browser.trouble() == []


def test_counts_are_of_shown_topics(browser, page):
    browser.open(page)
    assert "7topics" in browser.text(".overview .lead .figures").replace(" ", "")
    assert "of 7 topics" in browser.js("return ezlda.app.map.canvas.getAttribute('aria-label')")
    ranks = []
    for topic in SHOWN:
        browser.js("ezlda.app.state.openTopic(arguments[0])", topic)
        text = browser.text(".topic-head .figures")
        assert " of 7" in text and "of 12" not in text
        ranks.append(browser.js("return ezlda.app.model.rankOf(arguments[0])", topic))
    assert sorted(ranks) == [1, 2, 3, 4, 5, 6, 7]


def test_ticks_of_sizes_are_inside_the_plot(browser, page):
    browser.open(page)
    right, ticks = browser.js("""const node = [...document.querySelectorAll('.overview .chart')]
          .find((chart) => chart.getAttribute('aria-label').startsWith('Shares of tokens of 7 topics'));
        return [Math.max(...[...node.querySelectorAll('.grid')].map((line) => line.getBoundingClientRect().right)),
          [...node.querySelectorAll('.tick')].map((tick) => [tick.textContent, tick.getBoundingClientRect().right])]""")
    assert all(end <= right + 1 for _, end in ticks), (right, ticks)
    assert {text for text, _ in ticks if text.isdigit()} <= {str(n) for n in range(1, 8)}
    browser.shot("edited")


def test_the_map_has_no_hidden_topics(browser, page):
    browser.open(page)
    found = browser.js("""const map = ezlda.app.map, found = new Set();
        for (let x = 0; x < map.canvas.clientWidth; x += 4)
          for (let y = 0; y < map.canvas.clientHeight; y += 4) found.add(map.paint.at(x, y, 3));
        return [...found]""")
    assert set(found) <= {-1, *SHOWN} and len(found) > 4
    browser.one("canvas").click()
    for key in (Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.ARROW_DOWN, Keys.ARROW_RIGHT) * 6:
        browser.keys(key)
        assert browser.js(TOPIC) in [-1, *SHOWN]

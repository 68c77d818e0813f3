"""The slider above the list of topics: bundles of topics that are alike."""
import json

import pytest
from conftest import command_can_report
from selenium.webdriver.common.by import By

commanded = pytest.mark.skipif(not command_can_report(), reason="the command cannot report")


@pytest.fixture(name="bundled")
def make_bundled(command):
    if not (command.folder / "bundled.html").exists():
        command("synth", "-o", "bundled.ezc", "--docs", 150, "--words", 200, "--length", 40, "--topics", 8, "-q")
        command("train", "bundled.ezc", "-k", 9, "-i", 30, "-q", "-o", "bundled.ezm")
        command("tree", "bundled.ezm", "-q", "-n", 12, "-o", "bundled.json")
        command("report", "bundled.ezm", "-q", "-o", "bundled.html")
    return (command.folder / "bundled.html").as_uri(), json.loads((command.folder / "bundled.json").read_text())


def bundles_of(tree, n):
    """The topics of each of n bundles, as sets."""
    members = [{i} for i in range(9)]
    for node in tree["nodes"][9:18 - n]:
        members.append(members[node["left"]] | members[node["right"]])
        members[node["left"]] = members[node["right"]] = None
    return sorted(sorted(m) for m in members if m)


@commanded
@pytest.mark.parametrize("size", [(1440, 900), (420, 800)])
def test_the_slider_shows_the_cuts_of_the_tree(browser, bundled, size):
    address, tree = bundled
    browser.open(address, "#view=topics", size=size)
    assert browser.js("return document.querySelector('.zoom output').textContent") == "all topics"
    for n in (8, 4, 2):
        browser.js("const r = document.querySelector('.zoom input'); r.value = arguments[0]; r.dispatchEvent(new Event('input'));", n)
        rows = browser.all(".bundle")
        found = [sorted(int(link.get_attribute("data-topic")) for link in row.find_elements(By.CSS_SELECTOR, ".topic-link"))
                 for row in rows]
        assert len(rows) == n and sorted(found) == bundles_of(tree, n)
        assert browser.js("return document.querySelector('.virtual').hidden")
    browser.shot(f"tree-{size[0]}")
    browser.js("const r = document.querySelector('.zoom input'); r.value = 9; r.dispatchEvent(new Event('input'));")
    assert not browser.all(".bundle") and not browser.js("return document.querySelector('.virtual').hidden")
    assert browser.trouble() == []


@commanded
def test_a_bundle_leads_to_its_topics(browser, bundled):
    browser.open(bundled[0], "#view=topics")
    browser.js("const r = document.querySelector('.zoom input'); r.value = 3; r.dispatchEvent(new Event('input'));")
    link = browser.all(".bundle .topic-link")[0]
    topic = link.get_attribute("data-topic")
    browser.js("arguments[0].click()", link)
    browser.until(lambda: browser.js("return document.querySelector('.panel .kicker')?.textContent") == f"Topic {topic}")
    assert browser.trouble() == []


def test_a_page_without_a_tree_has_no_slider(browser):
    browser.open("small", "#view=topics")
    assert not browser.all(".zoom") and browser.all(".virtual .row")

"""The page of a run that is watched: progress, scores, topics and the end, in a browser."""
import re
import signal
import subprocess

import pytest
from conftest import BINARY, LIMIT_S, command_can_report
from selenium.webdriver.common.keys import Keys
from test_page_accessibility import AXE, faults

pytestmark = pytest.mark.skipif(not command_can_report(), reason="the command cannot train")


@pytest.fixture(name="run")
def make_run(command):
    """A run that lasts until the test ends it."""
    process = subprocess.Popen([BINARY, "train", "c.ezc", "-k", "6", "-i", "2000000", "-q", "-o", "live.ezm", "--live"], cwd=command.folder,
                               stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    process.address = re.search(r"http://\S+", process.stderr.readline())[0]
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=LIMIT_S)


def test_a_run_is_shown_and_its_end(browser, run):
    browser.open(run.address)
    browser.until(lambda: len(browser.all(".live-topics li")) == 6 and len(browser.all(".live-curves .chart")) >= 3)
    assert browser.text("#state") == "Training" and browser.text("#title") == "live.ezm"
    assert re.fullmatch(r"[\d,]+ of 2,000,000", browser.text(".figures dd"))
    names = browser.texts(".figures dt")
    assert {"iterations", "so far", "left, at most", "tokens/s", "of tokens moved"} <= set(names)
    assert all(len(words.split()) == 10 for words in browser.texts(".live-topics .words"))
    plot = browser.one(".live-curves .plot")
    browser.js("arguments[0].focus()", plot)
    browser.keys(Keys.HOME)
    assert "after" in plot.get_attribute("aria-valuetext")  # and the charts stay while they are read
    if AXE:
        assert faults(browser) == []
    assert browser.trouble() == []
    browser.shot("live")
    run.send_signal(signal.SIGINT)
    assert run.wait(timeout=LIMIT_S) == 0
    browser.until(lambda: browser.text("#state") == "The run has ended.")


def test_the_page_asks_nobody_else(browser, run):
    browser.open(run.address)
    browser.until(lambda: browser.all(".live-topics li"))
    assert all(url.startswith(run.address) for url in browser.requests())

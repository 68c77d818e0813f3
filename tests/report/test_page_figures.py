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
    assert browser.text("#appendix tbody tr:nth-child(4) td:nth-child(3)").split() == expected[:10]

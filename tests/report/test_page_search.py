"""The search of `ezlda serve` in a browser: by keyboard alone, with the view in the address."""
import re
import signal
import subprocess

import pytest
from selenium.webdriver.common.keys import Keys

from conftest import BINARY, command_can_report
from test_page_text import make_page  # noqa: F401  (makes texts.ezc and texts.ezm)

pytestmark = pytest.mark.skipif(not command_can_report(), reason="the command cannot report")


@pytest.fixture(name="address")
def serve(command, page):
    assert page
    process = subprocess.Popen([BINARY, "serve", command.folder / "texts.ezm", command.folder / "texts.ezc", "--port", "0",
                                "--token", "t", "-q"], stdout=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        yield re.match(r"(http://\S+) ", process.stdout.readline())[1]
    finally:
        process.kill()
        process.communicate()


def wait(browser, said):
    browser.until(lambda: re.search(said, browser.text(".find-said")))


def test_documents_are_found_by_keyboard(browser, address):
    browser.open(address)
    browser.keys("s")
    browser.until(lambda: browser.all("#find-query"))
    wait(browser, r"120 documents")
    assert browser.js("return document.activeElement.id") == "find-query"
    browser.keys('"the end" lamp', Keys.ENTER)
    wait(browser, "ignored: .*the.*end")
    assert {mark.lower() for mark in browser.texts(".snippet mark")} == {"lamp"}
    browser.js("document.querySelector('.facet').focus()")
    browser.keys(Keys.ENTER)
    browser.until(lambda: "topic:" in browser.js("return document.querySelector('#find-query').value"))
    browser.until(lambda: "topic" in browser.address() and not browser.all(".find[aria-busy]"))
    browser.js("document.querySelector('.found').focus()")
    browser.keys(Keys.ENTER)
    browser.until(lambda: browser.all(".text-word") and "document=" in browser.address())
    browser.js("history.back()")
    browser.until(lambda: browser.all(".found"))
    browser.until(lambda: "topic:" in browser.js("return document.querySelector('#find-query').value"))
    assert browser.trouble() == []
    browser.shot("search")


def test_a_facet_narrows_all_alternatives_down(browser, address):
    browser.open(address, "#view=find&find=q%3Dlamp+OR+rose")
    wait(browser, r"\d+ documents")
    both = int(re.match(r"\d+", browser.text(".find-said"))[0])
    browser.js("document.querySelector('.facet').click()")
    browser.until(lambda: re.fullmatch(r"\(lamp OR rose\) topic:\d", browser.js("return document.querySelector('#find-query').value")))
    browser.until(lambda: 0 < int(re.match(r"\d+", browser.text(".find-said"))[0]) < both)
    for query, narrowed in (("", "x"), ("lamp", "lamp x"), ("(a OR b) c", "(a OR b) c x"), ('"a OR b"', '"a OR b" x'), ("a (b)OR(c)", "(a (b)OR(c)) x")):
        assert browser.js("return ezlda.findResults.narrowed(arguments[0], 'x')", query) == narrowed


def test_a_view_is_a_link(browser, address):
    browser.open(address, "#view=find&find=q%3Dlamp%26show%3Dtable%26rows%3Dauthor%26topic%3D1")
    browser.until(lambda: browser.all(".find-table tbody tr"))
    assert browser.texts(".find-table tbody th") == ["Ann"] and "%" in browser.text(".find-table tbody td")
    assert browser.js("return document.querySelector('#find-query').value") == "lamp"
    browser.js("[...document.querySelectorAll('.find .choice button')].find((b) => b.textContent === 'Compare').click()")
    browser.until(lambda: browser.all(".compared"))
    assert "show%3Dcompare" in browser.address() or browser.until(lambda: "show%3Dcompare" in browser.address())
    rows = browser.js("return document.querySelectorAll('.compared tr').length")
    assert rows == 2 and "lamp" in browser.texts(".sides section:first-child .chip")
    browser.shot("search-compare")


def test_a_wrong_query_says_what_was_expected(browser, address):
    browser.open(address, "#view=find&find=q%3D(lamp")
    wait(browser, re.escape("at character 6: expected ')', found the end"))
    assert not browser.all(".found")


def test_what_is_shown_can_be_saved(browser, address):
    browser.open(address, "#view=find&find=q%3Dlamp")
    browser.until(lambda: browser.all(".found"))
    browser.js("""window.saved = []; URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return "blob:x"; };
        HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };""")
    browser.js("document.querySelector('.export button').click()")
    browser.until(lambda: len(browser.js("return saved")) == 2)
    name, text = sorted(browser.js("return saved"), key=len)
    total = int(re.match(r"\d+", browser.text(".find-said"))[0])
    assert name == "documents.csv" and text.startswith("number,name,\"author\",tokens") and text.count("\n") == total + 1


def test_a_report_in_a_file_has_no_search(browser, page):
    browser.open(page, "#view=find&find=q%3Dlamp")
    assert "Search" not in browser.texts(".tab") and browser.js("return document.body.dataset.view") == "overview"

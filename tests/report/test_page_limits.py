"""The report page at its limits: hostile text, many topics, little data, narrow screens, paper, dark, a server."""
import base64
import http.server
import itertools
import json
import math
import re
import threading
import urllib.parse
from contextlib import contextmanager

import pytest
from conftest import BUILD
from sample_data import HOSTILE
from selenium.webdriver.common.keys import Keys

VIEWS = ["", "#topic=0", "#topic=3", "#view=topics", "#view=compare", "#document=5", "#document=449"]

# What reaches beyond the right edge; text cut off with an ellipsis does not count.
OVERFLOW = """const cut = (node) => node !== document.body &&
  (getComputedStyle(node).textOverflow === "ellipsis" || cut(node.parentElement));
return [...document.querySelectorAll("#panel *, .top *")].filter((node) => !node.closest(".visually-hidden") &&
  node.getBoundingClientRect().right > innerWidth + 1 && !cut(node)).map((node) => node.outerHTML.slice(0, 150))"""

UNNAMED = """const controls = document.querySelectorAll("button, input, select, canvas, [role=img], [role=listbox]");
const labelled = (node) => node.labels && node.labels.length;
return [...controls].filter((node) => !(node.getAttribute("aria-label") || node.textContent.trim() || labelled(node)))
  .map((node) => node.outerHTML.slice(0, 120))"""


def show(browser, address):
    browser.js("location.hash = arguments[0]; dispatchEvent(new HashChangeEvent('hashchange'))", address)
    browser.until(lambda: browser.all("#panel > article") and not browser.all("#panel .wait"))


def test_hostile_text_is_text(browser):
    browser.open("hostile")
    for address in VIEWS:
        show(browser, address)
        assert browser.js("return window.hurt") is None
        assert browser.all("main script, main img, main iframe, main [onerror], main [onload], main [href]") == []
    browser.shot("hostile")
    assert browser.trouble() == []


def test_hostile_words_open(browser):
    browser.open("hostile")
    for word in HOSTILE:
        browser.js("ezlda.app.state.openWord(ezlda.app.model.text.indexOf(arguments[0]))", word)
        shown = browser.text(".word h2")
        assert shown == word or len(word) > 200 and shown.startswith(word[:150]) or not word.isprintable()
        assert browser.js(OVERFLOW) == [], word
    assert browser.js("return window.hurt") is None and browser.trouble() == []


def test_hostile_words_are_found(browser):
    browser.open("hostile")
    for query in ("<script>", "&lt;", "__proto__", "😀", "שלום"):
        browser.search(query)
        assert browser.all(".result.word"), query
        browser.keys(Keys.ESCAPE, Keys.ESCAPE)
    assert browser.js("return window.hurt") is None and browser.trouble() == []


def test_a_thousand_topics(browser):
    browser.open("thousand", "#topic=500")
    browser.shot("thousand")
    show(browser, "#view=topics")
    assert 10 < len(browser.all(".row")) < 60  # only those in sight exist
    browser.js("document.querySelector('.virtual').focus()")
    browser.keys(Keys.END, Keys.ENTER)
    assert browser.js("return ezlda.app.state.now.topic") == 999
    show(browser, "#view=compare")
    assert len(browser.all(".row")) < 60
    assert browser.trouble() == []


def test_ten_thousand_topics_open(browser):
    browser.open("ten thousand")
    browser.keys(Keys.ARROW_LEFT)
    assert browser.text(".topic-head .kicker") == "Topic 9999"
    browser.shot("ten-thousand")
    assert browser.trouble() == []


@pytest.mark.parametrize("kind", ["plain", "one"])
def test_little_data(browser, kind):
    browser.open(kind)
    assert browser.texts("#tabs button") == ["Overview", "Topics"]
    assert "Training" not in browser.texts("h3") and not browser.all(".scores")
    assert "There is no corpus." in browser.texts(".overview .part > .note")  # instead of the scores
    browser.keys(Keys.ARROW_RIGHT)
    assert "Words" in browser.texts("h3") and "Documents" not in browser.texts("h3")
    browser.keys("c")  # there is nothing to compare with
    assert browser.js("return document.body.dataset.view") == "topic"
    assert browser.trouble() == []


@pytest.mark.parametrize("kind", ["small", "hostile"])
def test_phone_width(browser, kind):
    browser.open(kind, size=(360, 740))
    for address in VIEWS:
        show(browser, address)
        assert browser.js(OVERFLOW) == [], address
        browser.shot(f"phone-{kind}-{VIEWS.index(address)}")


def contrast(one, other):
    def luminance(colour):
        channels = [float(v) / 255 for v in colour[colour.index("(") + 1:-1].split(",")[:3]]
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_colours_are_readable(browser, dark):
    browser.open(address="#topic=7", dark=dark)
    colours = browser.js("return ezlda.palette.ofTheme()")
    for name in ("ink", "soft", "accent", "flag"):
        for ground in ("paper", "map", "faint"):
            assert contrast(colours[name], colours[ground]) > 4.5, f"{name} on {ground}"
    browser.shot("dark" if dark else "light")


# How colours look to eyes that lack one kind of cone (Machado, Oliveira and Fernandes 2009), on linear RGB.
EYES = {
    "all cones": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]],
    "deuteranopia": [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]],
    "tritanopia": [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]],
}
CONES = [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.63]]
OKLAB = [[0.2105, 0.7936, -0.0041], [1.978, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]]


def seen(colour, eyes):
    """OKLab coordinates of a colour #rrggbb as these eyes see it."""
    channels = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in channels]

    def times(matrix, vector):
        return [sum(weight * v for weight, v in zip(row, vector)) for row in matrix]
    return times(OKLAB, [max(0, v) ** (1 / 3) for v in times(CONES, [max(0, v) for v in times(EYES[eyes], linear)])])


@pytest.mark.parametrize("eyes", EYES)
def test_colours_of_a_documents_topics_are_distinguishable(browser, eyes):
    browser.open()
    colours = browser.js("return [0, 1, 2, 3, 4, 5, 6, 7].map(ezlda.palette.few([0, 1, 2, 3, 4, 5, 6]))")
    assert len(set(colours)) == 8  # seven topics, and the grey of all others
    near = min(math.dist(seen(a, eyes), seen(b, eyes)) for a, b in itertools.combinations(colours, 2))
    assert near > 0.07  # about seven times what can just be told apart


def test_the_theme_can_be_switched_and_is_remembered(browser):
    browser.open()
    paper = "return getComputedStyle(document.body).backgroundColor"
    light = browser.js(paper)
    browser.keys("d", "d")
    dark = browser.js(paper)
    assert contrast(light, dark) > 10
    browser.driver.refresh()
    browser.until(lambda: browser.js("return document.body.dataset.ready") == "true")
    assert browser.js(paper) == dark
    browser.keys("d")
    assert browser.js(paper) == light


def test_prints_with_all_topics(browser):
    browser.open(address="#topic=7&names=7:Robots", dark=True)
    browser.js("dispatchEvent(new Event('beforeprint'))")
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert len(browser.all("#appendix tbody tr")) == 20 and "Robots" in browser.text("#appendix")
    assert not browser.one(".search").is_displayed() and browser.one("#appendix").is_displayed()
    assert browser.js("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.texts("#appendix th")[:3] == ["Topic", "Name", "Words"]
    gap = browser.js("""const cells = [...document.querySelectorAll('#appendix tbody tr:nth-child(8) td')], range = new Range();
        return cells.slice(0, 3).map((cell) => { range.selectNodeContents(cell); const box = range.getBoundingClientRect();
          return [box.left, box.right]; })""")
    assert all(right + 8 <= left for (_, right), (left, _) in zip(gap, gap[1:])), gap
    paper = base64.b64decode(browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    (BUILD / "screenshots").mkdir(parents=True, exist_ok=True)
    (BUILD / "screenshots" / "report.pdf").write_bytes(paper)
    assert paper.startswith(b"%PDF")
    pages = max(int(n) for n in re.findall(rb"/Count (\d+)", paper))
    assert 2 <= pages <= 5, "parts that are moved to the next page leave half of one empty"


def test_prints_all_pairs_of_two_models(browser):
    browser.open(address="#view=compare")
    browser.js("dispatchEvent(new Event('beforeprint'))")
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    compare = browser.js("return ezlda.app.model.data.compare")
    assert len(browser.all(".all-pairs tbody tr")) == sum(len(compare[key]) for key in ("pairs", "alone_a", "alone_b"))
    assert not browser.one(".virtual").is_displayed() and browser.one(".all-pairs").is_displayed()
    assert browser.js("return getComputedStyle(document.querySelector('.map canvas')).objectFit") == "contain"


@pytest.mark.parametrize("size", [(1440, 900), (700, 900)])
def test_circles_of_few_topics_are_whole(browser, command, size):
    command("train", "c.ezc", "-k", 2, "-i", 10, "-q", "-o", "two.ezm")
    command("report", "two.ezm", "-q", "-o", "two.html", "--svg", "two")
    browser.open((command.folder / "two.html").as_uri(), size=size)
    width, height = browser.js("const { camera } = ezlda.app.map; return [camera.width, camera.height]")
    for topic in range(2):
        place = browser.js("return ezlda.app.map.paint.place(arguments[0])", topic)
        assert place["r"] <= place["x"] <= width - place["r"] and place["r"] <= place["y"] <= height - place["r"]
    browser.shot(f"two-{size[0]}")
    picture = (command.folder / "two" / "map.svg").read_text(encoding="utf-8")
    for x, r in re.findall(r'<circle cx="([\d.]+)" cy="[\d.]+" r="([\d.]+)"', picture):
        assert float(r) <= float(x) <= 800 - float(r)


def test_controls_have_names_and_headings_an_order(browser):
    browser.open()
    for address in VIEWS:
        show(browser, address)
        assert browser.js(UNNAMED) == [], address
        assert len(browser.all("h1")) == 1 and len(browser.all("#panel h2")) == 1, address
    assert browser.js("return document.documentElement.lang") == "en"
    ids = browser.js("return [...document.querySelectorAll('[id]')].map((node) => node.id)")
    assert len(ids) == len(set(ids))


def test_the_policy_forbids_all_but_the_page(browser, any_kind):
    browser.open(any_kind)
    policy = browser.js("return document.querySelector('meta[http-equiv]').content")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";") if rule.strip())
    assert rules["default-src"] == "'none'" and rules["connect-src"] == "'none'" and rules["base-uri"] == "'none'"
    assert "unsafe" not in policy and "http" not in policy and "*" not in policy
    browser.js("""const script = document.createElement("script");
        script.textContent = "window.hurt = 7";
        document.body.append(script);
        new Image().src = "https://example.org/x.png";
        fetch("https://example.org/").catch(() => 0);""")
    browser.until(lambda: len(browser.js("return window.seen")) >= 3)
    assert browser.js("return window.hurt") is None


@contextmanager
def server(page):
    """A stand-in for the command's server: the page, documents by number, a search."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            address = urllib.parse.urlparse(self.path)
            query = urllib.parse.parse_qs(address.query)
            asked.append(self.path)
            doc = {"number": 777777, "name": "A far <b>document</b>", "label": None, "tokens": 3,
                   "mix": [[2, 0.7], [4, 0.3]]}
            status, body = 200, page.read_bytes()
            if address.path == "/api/document":
                known = query["number"] == ["777777"]
                found = {**doc, "bag": [["far", 2, 2], ["away", 4, 1]]}
                status, body = (200, json.dumps(found)) if known else (404, json.dumps({"error": "no such document"}))
            elif address.path == "/api/search":
                body = json.dumps({"documents": [doc], "total": 1})
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body if isinstance(body, bytes) else body.encode())

        def log_message(self, *_):
            pass

    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_port}/", asked
    finally:
        running.shutdown()
        thread.join()
        running.server_close()


def test_documents_on_demand(browser, pages):
    with server(pages("served")) as (address, asked):
        browser.open(address)
        browser.search("a far doc")
        browser.until(lambda: browser.all(".result.document"))
        browser.keys(Keys.ENTER)
        browser.until(lambda: browser.texts(".bag-word bdi") == ["far", "away"])
        assert browser.text(".document h2") == "A far <b>document</b>"
        assert any("query=a%20far%20doc" in path for path in asked) and "/api/document?number=777777" in asked
        browser.js("ezlda.app.state.openDocument(888888)")
        browser.until(lambda: browser.all("#panel .error"))
        assert "no such document" in browser.text("#panel .error")
        assert [url for url in browser.requests() if not url.startswith(address)] == []


def test_documents_on_demand_from_the_command(browser, command_server):
    browser.open(command_server)
    bag = browser.js("return [...ezlda.unpack.table('u32', ezlda.app.model.data.documents.bag_start)]")
    number = next(number for number in range(400) if bag[number] == bag[number + 1])  # the page lacks its words
    browser.js("ezlda.app.state.openDocument(arguments[0])", number)
    browser.until(lambda: browser.all(".bag-word"))
    assert browser.text(".document .kicker") == f"Document {number}"
    browser.search("1")
    browser.until(lambda: browser.all(".result.document"))
    assert browser.trouble() == []
    assert [url for url in browser.requests() if not url.startswith(command_server)] == []

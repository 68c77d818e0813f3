"""What the report page does in a real browser: views, map, slider, search, names, keys."""
import json
import math
import re

import pytest
from conftest import command_can_report
from sample_data import Planted, sample
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.keys import Keys

PANEL = "#panel > article"


def panel(browser):
    return browser.js("return document.body.dataset.view")


def first_words(browser):
    return browser.texts(".words-table tbody th")


def test_opens_without_trouble_and_without_the_network(browser, any_kind):
    browser.open(any_kind)
    browser.shot(f"overview-{any_kind}")
    facts = browser.js("return ezlda.app.model.facts")
    shown = dict(zip(browser.texts(".lead .figures dt"), browser.texts(".lead .figures dd")))
    assert shown["topics"] == f"{facts['topics']:,}"
    assert browser.trouble() == []
    assert len(browser.requests()) == 1  # the file itself


def test_every_view_opens_without_trouble(browser, any_kind):
    browser.open(any_kind)
    for address in ("#topic=0", "#topic=5&lambda=0.2", "#view=topics", "#view=compare", "#document=42", "#word=none",
                    "#topic=x", "#topic=99999", "#lambda=7", "#names=%E0%A4%A", "#%%%", "#view=__proto__"):
        browser.js("location.hash = arguments[0]", address)
        browser.until(lambda: browser.all(PANEL))
    assert browser.trouble() == []


def test_overview_says_what_scores_mean(browser):
    browser.open()
    scores = sample()["scores"]
    for name in ("npmi", "c_v", "u_mass", "diversity", "exclusivity"):
        assert browser.text(f"[data-score={name}] strong").replace("−", "-") == f"{scores[name]:.3f}"
        assert len(browser.text(f"[data-score={name}] p")) > 40
    ends = {"npmi": "windows of 10 words.", "c_v": "over documents.", "u_mass": "over documents."}
    for name in ("npmi", "c_v", "u_mass", "diversity", "exclusivity"):
        assert ("Counted" in browser.text(f"[data-score={name}] p")) == (name in ends)
        assert browser.text(f"[data-score={name}] p").endswith(ends.get(name, "."))
    assert "71.4 %" in browser.text(".effort") and "8.30 %" in browser.text(".effort")


def test_llpt_against_iteration_and_time(browser, any_kind):
    browser.open(any_kind)
    before = browser.texts(".chart .tick")
    browser.js("[...document.querySelectorAll('.choice button')].find((b) => b.textContent === 'Time').click()")
    after = browser.texts(".chart .tick")
    assert before != after and any(text.endswith(" s") for text in after)


def relevance(data, topic, weight):
    planted = Planted(data["facts"]["topics"], 1)
    tokens, beta = planted.tokens[topic], data["facts"]["beta"]
    scored = []
    for word, count in planted.counts[topic].items():
        p = (count + beta) / (tokens + data["facts"]["words"] * beta)
        lift = p / (planted.word_tokens[word] / data["facts"]["tokens"])
        scored.append((-(weight * math.log(p) + (1 - weight) * math.log(lift)), word))
    return [planted.words[word] for _, word in sorted(scored)[:30]]


def test_the_slider_orders_words_by_relevance(browser):
    browser.open(address="#topic=7")
    data, slider = sample(), "#lambda"
    assert first_words(browser) == relevance(data, 7, 0.6)
    for key, weight in ((Keys.END, 1.0), (Keys.HOME, 0.0), (Keys.ARROW_RIGHT, 0.1)):
        browser.one(slider).send_keys(key)
        assert first_words(browser) == relevance(data, 7, weight)
        browser.until(lambda: f"lambda={weight:g}" in browser.address())
    browser.shot("slider")


def test_the_slider_on_any_report(browser, any_kind):
    browser.open(any_kind, "#topic=1")
    browser.one("#lambda").send_keys(Keys.END)
    shares = [float(text.rstrip(" %")) for text in browser.texts(".words-table tbody td:nth-child(3)")]
    assert shares == sorted(shares, reverse=True) and shares[0] > 0


def test_a_topic_shows_all_its_parts(browser):
    browser.open(address="#topic=7")
    assert [re.sub(r"\s+", " ", t) for t in browser.texts(".part h3")] == [
        "Words", "What sets it apart", "Similar topics", "By year", "By label", "Documents"]
    assert "Near-duplicate" in browser.text(".flag-note")
    assert len(browser.all(".similar li")) == 8 and len(browser.all(".documents li")) == 8
    assert all(browser.js("return [...document.querySelectorAll('.mix')].map((m) => m.children.length > 1)"))


def test_a_click_on_the_map_selects(browser, any_kind):
    browser.open(any_kind)
    topic = browser.js("return ezlda.app.model.bySize()[0]")
    browser.pointer(topic)
    assert browser.text(".card .number") == str(topic)
    browser.pointer(topic, click=True)
    browser.until(lambda: browser.address() == f"#topic={topic}")
    assert browser.text(".topic-head .kicker") == f"Topic {topic}"
    browser.until(lambda: browser.text("#live").startswith(f"Topic {topic},"))
    browser.shot(f"topic-{any_kind}")


def test_the_map_tells_why_a_topic_is_flagged(browser):
    browser.open()
    browser.pointer(3)
    assert browser.text(".card-flag").startswith("Junk: its words are spread over all topics")


def test_the_map_zooms_and_pans(browser, any_kind):
    browser.open(any_kind)
    camera = "const c = ezlda.app.map.camera; return [c.zoom, c.x, c.y]"
    start = browser.js(camera)
    ActionChains(browser.driver, duration=0).scroll_from_origin(
        ScrollOrigin.from_element(browser.one(".map canvas")), 0, -300).perform()
    browser.until(lambda: browser.js(camera)[0] > start[0])
    zoomed = browser.js(camera)
    ActionChains(browser.driver, duration=50).drag_and_drop_by_offset(browser.one(".map canvas"), 80, 40).perform()
    moved = browser.js(camera)
    assert moved[0] == zoomed[0] and moved[1] < zoomed[1] and moved[2] < zoomed[2]
    browser.keys("0")
    browser.until(lambda: browser.js(camera) == pytest.approx(start))
    for button, larger in (("Zoom in", True), ("Zoom out", False)):
        before = browser.js(camera)[0]
        browser.js("document.querySelector(`.map-controls [aria-label^='${arguments[0]}']`).click()", button)
        assert (browser.js(camera)[0] > before) == larger


def test_arrows_walk_on_the_map(browser, any_kind):
    browser.open(any_kind, "#topic=0")
    browser.keys("m")
    xs, ys = (browser.js(f"return [...ezlda.app.model.topics.{axis}]") for axis in "xy")
    for key, axis, sign in ((Keys.ARROW_RIGHT, xs, 1), (Keys.ARROW_LEFT, xs, -1),
                            (Keys.ARROW_UP, ys, -1), (Keys.ARROW_DOWN, ys, 1)):
        before = browser.js("return ezlda.app.state.now.topic")
        browser.keys(key)
        after = browser.js("return ezlda.app.state.now.topic")
        beyond = [t for t in range(len(axis)) if (axis[t] - axis[before]) * sign > 1e-6]
        assert (axis[after] - axis[before]) * sign > 0 if beyond else after == before


def test_keys_everywhere(browser, any_kind):
    browser.open(any_kind)
    last = browser.js("return ezlda.app.model.K") - 1
    for key, wanted in ((Keys.ARROW_RIGHT, 0), (Keys.ARROW_RIGHT, 1), (Keys.ARROW_LEFT, 0), (Keys.ARROW_LEFT, last)):
        browser.keys(key)
        assert browser.js("return ezlda.app.state.now.topic") == wanted
    browser.keys(Keys.ESCAPE)
    assert panel(browser) == "overview"
    for key, view in (("l", "topics"), ("c", "compare"), ("o", "overview")):
        browser.keys(key)
        assert panel(browser) == view
    browser.keys("/")
    assert browser.js("return document.activeElement.id") == "query"
    browser.keys("l?o")  # typed, not obeyed
    assert browser.js("return document.activeElement.value") == "l?o" and panel(browser) == "overview"
    browser.keys(Keys.ESCAPE, Keys.ESCAPE, "?")
    assert browser.js("return document.querySelector('dialog[open] h2').textContent") == "Keys"
    browser.keys(Keys.ESCAPE)
    assert not browser.all("dialog[open]")


def test_the_focus_is_not_lost(browser):
    browser.open(address="#topic=4")
    browser.one(".steps button:last-child").send_keys(Keys.ENTER)
    browser.keys(Keys.ENTER)  # the same button, of the next topic
    assert browser.js("return ezlda.app.state.now.topic") == 6
    browser.one(".similar .topic-link").send_keys(Keys.ENTER)
    assert browser.js("return document.activeElement.id") == "panel"
    browser.keys("o")
    assert browser.js("return document.body.contains(document.activeElement) && document.activeElement.id") == "panel"


def test_the_list_by_keys_and_orders(browser, any_kind):
    browser.open(any_kind, "#view=topics")
    browser.js("[...document.querySelectorAll('.choice button')].find((b) => b.textContent === 'Size').click()")
    order = browser.js("return [...ezlda.app.model.bySize()]")
    assert browser.texts(".list .row .number")[:5] == [str(t) for t in order[:5]]
    browser.js("document.querySelector('.virtual').focus()")
    browser.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    active = browser.js("return document.activeElement.getAttribute('aria-activedescendant')")
    assert browser.one(f"#{active}").get_attribute("aria-posinset") == "2"
    browser.keys(Keys.ENTER)
    assert browser.js("return ezlda.app.state.now.topic") == order[1]


def test_a_word_leads_to_its_topics(browser):
    browser.open()
    browser.search("network")
    browser.keys(Keys.ENTER)
    assert browser.text(".word h2") == "network"
    planted = Planted(20, 1)
    word = planted.words.index("network")
    homes = sorted((t for t in range(20) if word in planted.counts[t]), key=lambda t: -planted.counts[t][word])
    assert browser.texts(".words-table tbody .number") == [str(t) for t in homes]
    browser.until(lambda: browser.address() == "#word=network")
    browser.shot("word")


def test_any_word_is_found(browser, any_kind):
    browser.open(any_kind)
    word = browser.js("return ezlda.app.model.text[3]")
    browser.search(word)
    browser.keys(Keys.ENTER)
    assert browser.text(".word h2") == word and browser.all(".words-table tbody tr")


def test_a_number_leads_to_the_topic(browser, any_kind):
    for typed in ("11", "Topic 11", "topic11"):
        browser.open(any_kind)
        browser.search(typed)
        assert browser.texts(".result.topic .number") == ["11"]
        browser.keys(Keys.ENTER)
        assert browser.js("return ezlda.app.state.now.topic") == 11


def test_accents_need_not_be_typed(browser):
    browser.open(address="#topic=4&names=4:Déjà%20vu")
    browser.js("""const { text, data } = ezlda.app.model;
        [text[7], text[9], text[11], text[40]] = ["Système", "peche", "systemes", "pêche"];
        [text[50], text[51]] = ["strasse", "λόγοσ"];
        data.documents.name[5] = "Über a\\u0300 la carte";
        data.documents.name[6] = "ΕΜΠΡΟΣ 1898";""")
    system = ["Système", "systemes"]
    for typed, kind, found in (("systeme", "word", system), ("SYSTÈME", "word", system),
                               ("peche", "word", ["peche", "pêche"]), ("pêche", "word", ["pêche", "peche"]),
                               ("Straße", "word", ["strasse"]), ("λογος", "word", ["λόγοσ"]),
                               ("ΛΌΓΟΣ", "word", ["λόγοσ"]), ("εμπρός", "document", ["ΕΜΠΡΟΣ 1898"]),
                               ("uber à la", "document", ["Über a\u0300 la carte"])):
        browser.search(typed)
        assert browser.texts(f".result.{kind} .name") == found, typed
        browser.keys(Keys.ESCAPE, Keys.ESCAPE)
    browser.search("deja")
    assert browser.texts(".result.topic .number") == ["4"]


def test_a_rare_word_is_found_among_many_that_begin_with_it(browser):
    browser.open()
    browser.js("const { text } = ezlda.app.model; for (let i = 0; i < 30; i++) text[i] = 'qu'.padEnd(i + 3, 'a')")
    browser.js("ezlda.app.model.text[60] = 'qu'")
    browser.search("qu")
    assert browser.texts(".result.word .name")[:2] == ["qu", "qua"]


def test_a_document_shows_its_words_by_topic(browser, any_kind):
    browser.open(any_kind, "#topic=2")
    browser.until(lambda: browser.all(".documents li"))
    number = browser.one(".document-link").get_attribute("data-document")
    browser.js("document.querySelector('.document-link').click()")
    browser.until(lambda: browser.all(".bag-word"))
    assert browser.address() in (f"#document={number}", "#topic=2")  # the address follows a moment later
    total = browser.js("""return [...document.querySelectorAll('.bag-word')].reduce((sum, node) =>
        sum + Number((node.querySelector('sup') || {textContent: 1}).textContent), 0)""")
    assert f"{total:,} tokens" in browser.text(".document .meta")
    kept = browser.js("return ezlda.app.model.data.documents.bag_kind") == "kept"
    assert kept == (any_kind == "small")
    assert ("end of training" if kept else "did not keep") in browser.js(
        "return document.querySelector('.bags').parentNode.querySelector('.note').textContent")
    browser.shot(f"document-{any_kind}")
    browser.keys(Keys.ESCAPE)
    assert browser.js("return [ezlda.app.state.now.panel, ezlda.app.state.now.topic]") == ["topic", 2]


def test_documents_are_found_by_name(browser):
    browser.open()
    name = sample()["documents"]["name"][9]
    browser.search(name[:12])
    assert browser.texts(".result.document .name")[0] == name
    browser.keys(Keys.ENTER)
    browser.until(lambda: browser.texts(".document h2") == [name])


def test_a_search_says_what_the_page_does_not_have(browser):
    browser.open()
    lacks = "This page has 160 of 18,774 documents; ezlda report --serve finds all."
    browser.search("no such document")
    assert browser.texts(".results > p") == ["Nothing found. " + lacks]
    browser.until(lambda: browser.text("#live") == "Nothing found. " + lacks)
    browser.shot("nothing-found")
    browser.keys(Keys.ESCAPE, Keys.ESCAPE)
    browser.search("galaxy")
    assert browser.all(".result.word") and browser.texts(".results > p") == [lacks]
    browser.keys(Keys.ESCAPE, Keys.ESCAPE)
    browser.search("on")  # there are as many as are shown
    assert len(browser.all(".result")) == 14 and not browser.all(".results > p")


@pytest.mark.skipif(not command_can_report(), reason="the command cannot report")
def test_all_documents_of_a_small_corpus_are_found(browser):
    browser.open("command")
    browser.search("no such document")
    assert browser.texts(".results > p") == ["Nothing found."]
    browser.keys(Keys.ESCAPE, Keys.ESCAPE)
    number = browser.js("""const { bag_start } = ezlda.app.model.data.documents;
        const start = ezlda.unpack.table("u32", bag_start);
        return start.findIndex((at, i) => at === start[i + 1])""")
    browser.search(f"document {number}")
    browser.keys(Keys.ENTER)
    browser.until(lambda: browser.texts(".document .kicker") == [f"Document {number}"])
    assert browser.all(".document .largest li") and not browser.all(".bag-word")
    assert "--serve" in browser.texts(".document .note")[-1]


def test_names_are_kept_and_exported(browser, any_kind, downloaded, downloads):
    browser.open(any_kind, "#topic=4")
    browser.keys("n", "Qubits & gates; 100 % <b>", Keys.ENTER)
    browser.until(lambda: "names=4:" in browser.address())
    browser.keys(Keys.ARROW_RIGHT, "n", "שמות", Keys.ENTER)
    browser.until(lambda: ";5:" in browser.address())
    browser.driver.refresh()
    browser.until(lambda: browser.js("return document.body.dataset.ready") == "true")
    assert browser.js("return [...ezlda.app.state.now.names]") == [[4, "Qubits & gates; 100 % <b>"], [5, "שמות"]]
    browser.search("qubits &")
    assert browser.texts(".result.topic .number") == ["4"]
    browser.keys(Keys.ESCAPE, Keys.ESCAPE)
    for old in downloads.iterdir():
        old.unlink()
    browser.one("#names").click()
    browser.shot(f"names-{any_kind}")
    for button in browser.all("dialog[open] .actions button")[:2]:
        button.click()
    assert downloaded("topic-names.tsv") == "topic\tname\n4\tQubits & gates; 100 % <b>\n5\tשמות\n"
    assert json.loads(downloaded("topic-names.json"))["names"] == {"4": "Qubits & gates; 100 % <b>", "5": "שמות"}
    browser.all("dialog[open] .names button")[0].click()
    browser.until(lambda: "4:" not in browser.address())
    assert browser.trouble() == []


def test_back_returns_to_what_was_open(browser):
    browser.open(address="#topic=3")
    browser.js("document.querySelector('.similar .topic-link').click()")
    browser.until(lambda: browser.address() != "#topic=3")
    browser.driver.back()
    browser.until(lambda: browser.js("return ezlda.app.state.now.topic") == 3)
    assert browser.text(".topic-head .kicker") == "Topic 3"


def test_back_keeps_the_names(browser):
    browser.open(address="#topic=3")
    for topic, name in ((3, "Sport"), (9, "War")):
        browser.js("ezlda.app.state.openTopic(arguments[0])", topic)
        browser.until(lambda: browser.address().startswith(f"#topic={topic}"))
        browser.js("ezlda.app.state.setName(...arguments)", topic, name)
        browser.until(lambda: name in browser.address())
    browser.driver.back()
    browser.until(lambda: browser.js("return ezlda.app.state.now.topic") == 3)
    names = "return [...ezlda.app.state.now.names]"
    assert browser.js(names) == [[3, "Sport"], [9, "War"]] and "War" in browser.address()
    browser.driver.forward()
    browser.until(lambda: browser.js("return ezlda.app.state.now.topic") == 9)
    assert browser.js(names) == [[3, "Sport"], [9, "War"]]
    browser.js("location.hash = '#topic=5&names=5:Ships'")  # an address that is typed says all
    browser.until(lambda: browser.js("return ezlda.app.state.now.topic") == 5)
    assert browser.js(names) == [[5, "Ships"]]
    browser.js("ezlda.app.state.openTopic(9)")
    browser.until(lambda: browser.address().startswith("#topic=9"))
    browser.js("ezlda.app.state.setName(9, 'Trade')")
    browser.until(lambda: "Trade" in browser.address())
    for step, topic in ((browser.driver.back, 5), (browser.driver.forward, 9)):
        step()
        browser.until(lambda: browser.js("return ezlda.app.state.now.topic") == topic)
        assert browser.js(names) == [[5, "Ships"], [9, "Trade"]]


def test_the_map_lights_the_open_document_only(browser):
    browser.open()
    numbers = browser.js("return [0, 1].map((i) => ezlda.app.model.documents.ofTopic(4 * i)[0].number)")
    lit = "return [...(ezlda.app.map.paint.look.mix || new Map()).keys()]"
    browser.js("ezlda.app.state.openDocument(arguments[0])", numbers[0])
    browser.until(lambda: browser.js(lit))
    browser.js("ezlda.app.model.documents.get = async () => ({ ...(await 0), number: 1, name: 'x', tokens: 0, mix: [] })")
    browser.js("ezlda.app.state.openDocument(arguments[0])", numbers[1])
    browser.until(lambda: not browser.js(lit))


def test_compare_puts_matched_topics_side_by_side(browser, any_kind):
    browser.open(any_kind, "#view=compare")
    compare = browser.js("return ezlda.app.model.data.compare")
    best = max(pair[2] for pair in compare["pairs"])
    assert browser.text(".compare .match .value") == f"{best:.2f}"
    figures = dict(zip(browser.texts(".figures dt"), browser.texts(".figures dd")))
    assert figures["matched"] == str(len(compare["pairs"])) and figures["only here"] == str(len(compare["alone_a"]))
    browser.shot(f"compare-{any_kind}")
    browser.js("[...document.querySelectorAll('.choice button')].find((b) => b.textContent === 'Worst first').click()")
    if compare["alone_a"]:
        near, similarity = compare["nearest_a"][0]
        assert browser.text(".compare .none") == f"no partner; nearest is {near} ({similarity:.2f})"

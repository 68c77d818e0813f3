"""Labels on the map: they keep off each other and off other topics' circles, and a click on one opens its topic."""
import math

import pytest
from selenium.webdriver.common.action_chains import ActionChains

SMALL = 9  # circles that could not hold a line of text may be crossed: a map of many topics has no room else

# Draws the map and returns what is written on it: [topic, words, left, top, right, bottom] of every label.
WRITTEN = """const { map } = ezlda.app, kept = CanvasRenderingContext2D.prototype.fillText, said = [];
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  said.push([text, x, y, x + this.measureText(text).width]);
  kept.call(this, text, x, y);
};
map.paint.draw();
CanvasRenderingContext2D.prototype.fillText = kept;
return said.filter((_, i) => i % 2 === 0).map(([number, x, y, right], i) => {
  const words = said[2 * i + 1];
  return [Number(number), words[0], x, y - 10, words[0] ? words[3] : right, y + 2];
});"""
CIRCLES = "return Array.from({length: ezlda.app.model.K}, (_, topic) => ezlda.app.map.paint.place(topic))"
CROWD = """const { x, y } = ezlda.app.model.topics;
for (let i = 0; i < x.length; i++) { x[i] *= arguments[0]; y[i] *= arguments[0]; }"""


def crossed(label, circles):
    """Circles of other topics that a label touches."""
    topic, _, left, top, right, bottom = label
    return [other for other, c in enumerate(circles) if other != topic and c["r"] >= SMALL and math.hypot(
        c["x"] - min(max(c["x"], left), right), c["y"] - min(max(c["y"], top), bottom)) < c["r"]]


def overlap(a, b):
    return a[2] < b[4] and b[2] < a[4] and a[3] < b[5] and b[3] < a[5]


@pytest.mark.parametrize("kind, crowd, least", [("small", 1, 18), ("small", 0.55, 8), ("thousand", 1, 24)])
def test_labels_keep_off_other_circles(browser, kind, crowd, least):
    browser.open(kind)
    browser.js(CROWD, crowd)
    labels, circles = browser.js(WRITTEN), browser.js(CIRCLES)
    browser.shot(f"labels-{kind}-{crowd}")
    assert len(labels) >= least and browser.js(WRITTEN) == labels
    assert {label[0]: crossed(label, circles) for label in labels if crossed(label, circles)} == {}
    assert not any(overlap(a, b) for i, a in enumerate(labels) for b in labels[:i])


@pytest.mark.parametrize("kind, crowd", [("small", 0.55), ("thousand", 1)])
def test_a_click_on_a_label_opens_its_topic(browser, kind, crowd):
    browser.open(kind)
    browser.js(CROWD, crowd)
    box = browser.js("const { left, top } = ezlda.app.map.canvas.getBoundingClientRect(); return [left, top]")
    for label in browser.js(WRITTEN)[:12]:
        x, y = box[0] + (label[2] + label[4]) / 2, box[1] + (label[3] + label[5]) / 2
        chain = ActionChains(browser.driver, duration=0)
        chain.w3c_actions.pointer_action.move_to_location(round(x), round(y)).click()
        chain.perform()
        assert browser.js("return ezlda.app.state.now.topic") == label[0], label
        browser.js("ezlda.app.state.openPanel('overview')")
        browser.js(WRITTEN)


def test_a_topic_without_a_label_shows_it_when_pointed_at(browser):
    browser.open()
    browser.js(CROWD, 0.3)
    before = browser.js(WRITTEN)
    topic = next(t for t in range(20) if t not in [label[0] for label in before])
    browser.js("ezlda.app.map.point(arguments[0])", topic)
    after = browser.js(WRITTEN)
    assert [label[0] for label in after if label not in before] == [topic]  # no other has moved
    assert next(label[1] for label in after if label[0] == topic) == browser.js(
        "return ezlda.app.parts.titleOf(arguments[0], 2)", topic)
    browser.js("ezlda.app.map.point(-1)")
    assert browser.js(WRITTEN) == before


# [[topic, words, left, top, right, bottom] of every label as drawn], [{x, y, r} of every topic].
PICTURE = """const number = (node, name) => Number(node.getAttribute(name)), circles = [];
for (const node of document.querySelectorAll("circle")) {
  const topic = parseInt(node.querySelector("title").textContent, 10);
  circles[topic] = { x: number(node, "cx"), y: number(node, "cy"), r: number(node, "r") };
}
return [[...document.querySelectorAll("g text")].map((node) => {
  const box = node.getBBox(), [topic, ...words] = node.textContent.split(" ");
  return [Number(topic), words.join(" "), box.x, number(node, "y") - 9, box.x + box.width, number(node, "y") + 2];
}), circles];"""


@pytest.mark.parametrize("topics, least", [(12, 11), (60, 20)])
def test_labels_of_the_picture_keep_off_other_circles(browser, command, topics, least):
    command("train", "c.ezc", "-k", topics, "-i", 20, "--seed", 3, "-q", "-o", "picture.ezm")
    command("report", "picture.ezm", "-q", "--svg", f"pictures-{topics}")
    browser.driver.get((command.folder / f"pictures-{topics}" / "map.svg").as_uri())
    browser.shot(f"picture-{topics}")
    labels, circles = browser.js(PICTURE)
    assert len(circles) == topics and least <= len(labels) <= topics
    for i, label in enumerate(labels):
        assert crossed(label, circles) == [], label
        assert not any(overlap(label, other) for other in labels[:i]), label
        assert label[2] >= 0 and label[4] <= 800, label
        own = circles[label[0]]  # inside its circle or next to it, not across its edge
        inside = math.hypot((label[4] - label[2]) / 2, 5) < own["r"]
        assert inside or math.hypot(own["x"] - min(max(own["x"], label[2]), label[4]),
                                    own["y"] - min(max(own["y"], label[3]), label[5])) > own["r"] - 1, label

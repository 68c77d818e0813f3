"""Accessibility: no serious fault that axe-core finds in any view; every control is reached by keys; contrast; motion.

axe-core comes from a package of PyPI that has it (axe-playwright-python, axe-core-python), or from the file that
EZLDA_AXE names; without it its tests are skipped. Nothing of it is in this repository.
"""
import importlib.util
import os
import re
from pathlib import Path

import pytest
from conftest import ROOT
from selenium.webdriver.common.keys import Keys

VIEWS = {"overview": "", "topics": "#view=topics", "topic": "#topic=3", "flagged topic": "#topic=7", "word": "#word=model",
         "document": "#document=5", "compare": "#view=compare", "multiples": "#view=trends", "stacked": "#view=trends&trend=stacked",
         "ranked": "#view=trends&trend=ranked", "groups": "#view=trends&trend=f1.t3.atcs"}
PASSED = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe_source():
    if os.environ.get("EZLDA_AXE"):
        return Path(os.environ["EZLDA_AXE"]).read_text(encoding="utf-8")
    for name in "axe_playwright_python", "axe_core_python":
        spec = importlib.util.find_spec(name)
        for folder in (spec.submodule_search_locations or []) if spec else []:
            if (Path(folder) / "axe.min.js").exists():
                return (Path(folder) / "axe.min.js").read_text(encoding="utf-8")
    return None


AXE = axe_source()
needs_axe = pytest.mark.skipif(not AXE, reason="axe-core is not installed (pip install axe-playwright-python, or EZLDA_AXE=FILE)")


def faults(browser):
    browser.js(AXE)
    found = browser.driver.execute_async_script("""const done = arguments[arguments.length - 1];
        axe.run(document, { runOnly: arguments[0], resultTypes: ["violations"] }).then((got) => done(got.violations),
          (error) => done([{ id: String(error), impact: "serious", nodes: [] }]))""", PASSED)
    return [f"{one['id']} ({one['impact']}): " + "; ".join(node["html"][:120] for node in one["nodes"][:3]) for one in found
            if one["impact"] in ("serious", "critical")]


@needs_axe
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_no_serious_fault(browser, view, dark):
    browser.open("small", VIEWS[view], dark=dark)
    assert faults(browser) == []


@needs_axe
def test_axe_finds_no_serious_fault_on_a_narrow_screen_and_in_dialogs(browser):
    browser.open("small", "#view=trends", size=(390, 800))
    assert faults(browser) == []
    browser.open("small", "#topic=3", size=(390, 800))
    assert faults(browser) == []
    for key in "#keys", "#names":
        browser.open("small")
        browser.one(key).click()
        assert faults(browser) == []
    browser.open("small")
    browser.search("gene")
    assert faults(browser) == []


# Whether an element can be reached: it, or something that contains it, has the focus in turn.
REACHED = """const wanted = [...document.querySelectorAll("button, input, select, a[href], [tabindex='0']")].filter((node) =>
    node.checkVisibility({ contentVisibilityAuto: false, visibilityProperty: true }) && !node.disabled && node.getClientRects().length);
  window.left = new Set(wanted); return wanted.length;"""


@pytest.mark.parametrize("view", VIEWS)
def test_the_tab_key_reaches_everything(browser, view):
    """Rows of long lists are reached by arrow keys inside their list, which is one stop."""
    browser.open("small", VIEWS[view])
    number = browser.js("document.body.tabIndex = -1; document.body.focus();" + REACHED)
    rows = browser.js("return [...left].filter((node) => node.closest('.row')).length")
    for _ in range(number + 12):
        browser.keys(Keys.TAB)
        if browser.js("left.delete(document.activeElement); return left.size") <= rows:
            break
    rest = browser.js("return [...left].filter((node) => !node.closest('.row')).map((node) => node.outerHTML.slice(0, 100))")
    assert rest == []


def test_the_focus_can_be_seen(browser):
    browser.open("small", "#view=trends")
    for _ in range(30):
        browser.keys(Keys.TAB)
        seen = browser.js("""const node = document.activeElement, style = getComputedStyle(node);
            return [style.outlineStyle, parseFloat(style.outlineWidth), style.borderTopColor, node.className]""")
        assert seen[0] != "none" and seen[1] >= 1, seen


def contrast(first, second):
    def light(colour):
        parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    one, two = sorted((light(first), light(second)))
    return (two + 0.05) / (one + 0.05)


@pytest.mark.parametrize("which", [0, 1], ids=["light", "dark"])
def test_colours_of_text_have_contrast(which):
    """WCAG AA: 4.5 for text on each surface that it lies on, 3 for lines and bars."""
    style = (ROOT / "report" / "style.css").read_text(encoding="utf-8")
    colour = {name: pair[which] for name, *pair in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", style)}
    for text in "ink", "soft", "accent", "flag":
        for surface in "paper", "map", "faint":
            assert contrast(colour[text], colour[surface]) >= 4.5, (text, surface)
    assert contrast(colour["flag"], colour["flag-paper"]) >= 4.5
    assert contrast(colour["bar"], colour["paper"]) >= 2.4 and contrast(colour["accent"], colour["paper"]) >= 3


def test_nothing_moves_if_motion_is_not_wanted(browser):
    browser.open("small", "#topic=3")
    assert browser.js("return matchMedia('(prefers-reduced-motion: reduce)').matches")
    before = browser.js("ezlda.app.map.camera.zoomAt(4, 100, 100); ezlda.app.map.camera.fit(); return ezlda.app.map.camera.zoom")
    assert before == 1
    style = (ROOT / "report" / "style.css").read_text(encoding="utf-8")
    assert "animation" not in style and "transition" not in style


def test_charts_are_read_by_keys(browser):
    """Every chart is a slider whose value is the text of its point."""
    for view in VIEWS.values():
        browser.open("small", view)
        for plot in browser.all(".plot")[:4]:
            assert plot.get_attribute("role") == "slider" and plot.get_attribute("aria-label")
            browser.js("arguments[0].focus()", plot)
            browser.keys(Keys.HOME)
            first = plot.get_attribute("aria-valuetext")
            browser.keys(Keys.ARROW_RIGHT)
            assert len(first) > 5 and plot.get_attribute("aria-valuetext") != first
            assert plot.get_attribute("aria-valuenow") == "1"
    assert browser.trouble() == []

#!/usr/bin/env python3
"""How fast the report page opens in headless Chromium, and how long each kind of interaction takes there.

    bench/report_timing.py [PAGE.html ...] [--topics 20,1000,10000] [--rounds 5] [--json OUT.json]

Without pages, samples of those numbers of topics are made (tests/report/sample_data.py). First paint is the browser's
own mark, "ready" the moment when the page answers; an interaction lasts from the event to the end of the frame that it
causes. "busy" is the processor time of the page's main thread for one, which a loaded machine does not lengthen.
"""
import argparse
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "report"))
from sample_data import assemble, sample  # noqa: E402

# Each is done several times; what counts is the time until the frame after it is there.
INTERACTIONS = {
    "open a topic": "app.state.openTopic((7 * i + 3) % K)",
    "move the slider": "const s = document.getElementById('lambda'); s.value = i % 2 ? 0.2 : 0.9; "
                       "s.dispatchEvent(new Event('input'))",
    "light a word on the map": "app.map.spotlight(i)",
    "open a word": "app.state.openWord(i)",
    "search": "const q = document.getElementById('query'); q.focus(); q.value = ['ne', 'a', 'gal', '1', 'zo'][i % 5]; "
              "q.dispatchEvent(new Event('input'))",
    "zoom the map": "app.map.zoom(i % 2 ? 1.5 : 0.7)",
    "hover over the map": "const box = app.map.canvas.getBoundingClientRect(); app.map.canvas.dispatchEvent(new "
                          "PointerEvent('pointermove', {clientX: box.left + 300 + 10 * i, clientY: box.top + 300}))",
    "list of topics": "app.state.openPanel(i % 2 ? 'overview' : 'topics')",
    "list by name": "app.state.openPanel('topics'); "
                    "[...document.querySelectorAll('.choice button')][3 - i % 2].click()",
    "overview": "app.state.openPanel(i % 2 ? 'topics' : 'overview')",
    "trends": "app.state.openPanel(app.model.fields.some((field) => field.bins > 1) && i % 2 === 0 ? 'trends' : 'overview')",
    "stacked trends": "app.openTrend({ form: i % 2 ? 'stacked' : 'ranked' })",
    "compare": "app.state.openPanel(app.model.data.compare && i % 2 === 0 ? 'compare' : 'overview')",
}

PAINT = """const [done] = arguments;
(function look() {
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  if (paint) done(paint.startTime); else setTimeout(look, 20);
})();"""

MEASURE = """const [body, done] = arguments, app = ezlda.app, K = app.model.K;
const act = new Function("app", "K", "i", body);
const times = [];
const frame = () => new Promise((next) => requestAnimationFrame(() => { const c = new MessageChannel();
  c.port1.onmessage = next; c.port2.postMessage(0); }));
(async () => {
  for (let i = 0; i < 8; i++) {
    await frame();
    await new Promise((next) => setTimeout(next, 40));
    const start = performance.now();
    act(app, K, i);
    await frame();
    times.push(performance.now() - start);
  }
  done(times);
})();"""


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for switch in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--window-size=1440,900"):
        options.add_argument(switch)
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})  # so that what is measured can be given as text
    return driver


def busy(driver):
    """Milliseconds of processor that the page's main thread has used."""
    values = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return 1000 * next(value["value"] for value in values if value["name"] == "TaskDuration")


def measure(driver, page, rounds):
    paints, readies, times, used = [], [], {name: [] for name in INTERACTIONS}, {name: [] for name in INTERACTIONS}
    for _ in range(rounds):
        driver.get("about:blank")
        driver.get(page.resolve().as_uri() + "#topic=0")
        paints.append(driver.execute_async_script(PAINT))
        readies.append(driver.execute_script("return performance.getEntriesByType('navigation')[0].domInteractive"))
        for name, body in INTERACTIONS.items():
            before = busy(driver)
            took = driver.execute_async_script(MEASURE, body)
            times[name] += took
            used[name].append((busy(driver) - before) / len(took))
    return {"page": page.name, "bytes": page.stat().st_size, "load": os.getloadavg()[0],
            "first paint": statistics.median(paints), "ready": statistics.median(readies),
            "interactions": {name: {"median": statistics.median(times[name]), "slowest": max(times[name]),
                                    "busy": statistics.median(used[name])} for name in INTERACTIONS}}


def show(row):
    print(f"{row['page']}: {row['bytes'] / 1e6:.2f} MB, load {row['load']:.1f}, "
          f"first paint {row['first paint']:.0f} ms, ready {row['ready']:.0f} ms")
    print(f"  {'ms':26} {'median':>8} {'slowest':>8} {'busy':>8}")
    for name, row in row["interactions"].items():
        print(f"  {name:26} {row['median']:8.0f} {row['slowest']:8.0f} {row['busy']:8.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--topics", default="20,1000,10000", help="sizes of the samples if no page is given")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ezlda-bench-") as folder:
        pages = given.pages
        for topics in [] if pages else map(int, given.topics.split(",")):
            pages = pages + [Path(folder) / f"sample-{topics}.html"]
            pages[-1].write_text(assemble(sample(topics)), encoding="utf-8")
        driver = browser()
        try:
            rows = [measure(driver, page, given.rounds) for page in pages]
        finally:
            driver.quit()
    for row in rows:
        show(row)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

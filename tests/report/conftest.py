"""One headless Chromium for all tests of the report page, the pages that they open, and screenshots of what they saw.

Pages: samples of several kinds (sample_data.py), and if the command under test (EZLDA_BIN) has `report`, the page
that it writes for a small model. Screenshots lie in the folder `screenshots` of the build (EZLDA_BUILD).
"""
import base64
import json
import os
import subprocess
import time
from pathlib import Path

import pytest
from sample_data import assemble, sample
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("EZLDA_BUILD", ROOT / "build"))
BINARY = os.environ.get("EZLDA_BIN", str(BUILD / "ezlda"))
LIMIT_S = 20
KINDS = {"small": {}, "hostile": {"hostile": True}, "plain": {"plain": True}, "served": {"serve": True},
         "one": {"topics": 1, "plain": True}, "thousand": {"topics": 1000}, "ten thousand": {"topics": 10000}}

# Written before the page's own script runs: what the content policy forbids and what goes wrong is kept.
WATCH = """window.seen = [];
addEventListener("securitypolicyviolation", (e) => seen.push(`policy: ${e.violatedDirective} ${e.blockedURI}`));
addEventListener("error", (e) => seen.push(`error: ${e.message}`));
addEventListener("unhandledrejection", (e) => seen.push(`rejected: ${e.reason}`));"""


class Browser:
    def __init__(self, driver, pages):
        self.driver, self.pages = driver, pages

    def open(self, kind="small", address="", size=(1440, 900), dark=False):
        """A fresh page of a kind, or of an address that begins with http or file."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}]})
        self.driver.get("about:blank")
        for kept in ("browser", "performance"):
            self.driver.get_log(kept)
        self.driver.get((kind if kind.startswith(("http:", "file:")) else self.pages(kind).as_uri()) + address)
        self.until(lambda: self.js("return document.body.dataset.ready") == "true")
        return self

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, condition):
        return WebDriverWait(self.driver, LIMIT_S, poll_frequency=0.02).until(lambda _: condition())

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        return self.js("return [...document.querySelectorAll(arguments[0])].map((node) => node.textContent)", selector)

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0]).textContent", selector)

    def keys(self, *keys):
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def search(self, text):
        self.keys("/")
        self.one("#query").send_keys(text)
        self.until(lambda: self.all(".result") or self.all(".results .nothing"))

    def address(self):
        return self.js("return location.hash")

    def place(self, topic):
        """Where a topic is on the screen."""
        return self.js("""const map = ezlda.app.map, box = map.canvas.getBoundingClientRect();
            const place = map.paint.place(arguments[0]); return [box.left + place.x, box.top + place.y];""", topic)

    def pointer(self, topic, click=False):
        x, y = self.place(topic)
        chain = ActionChains(self.driver, duration=0)
        chain.w3c_actions.pointer_action.move_to_location(round(x), round(y))
        if click:
            chain.w3c_actions.pointer_action.click()
        chain.perform()

    def trouble(self):
        """Everything that went wrong: violations, errors, what the console says at level WARNING and above."""
        said = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("WARNING", "SEVERE")]
        return self.js("return window.seen") + said

    def requests(self):
        """Addresses that the page asked the network for."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        timed = self.js("return performance.getEntriesByType('resource').map((entry) => entry.name)")
        return [url for url in sent + timed if not url.startswith(("data:", "about:", "blob:"))]

    def shot(self, name):
        (BUILD / "screenshots").mkdir(parents=True, exist_ok=True)
        picture = self.driver.execute_cdp_cmd("Page.captureScreenshot", {})["data"]
        (BUILD / "screenshots" / f"report-{name}.png").write_bytes(base64.b64decode(picture))


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """The file of a kind of page, made when first asked for."""
    folder, made = tmp_path_factory.mktemp("pages"), {}

    def page(kind):
        if kind not in made:
            made[kind] = folder / f"{kind.replace(' ', '-')}.html"
            if kind == "command":
                write_with_command(folder, made[kind])
            else:
                made[kind].write_text(assemble(sample(**KINDS[kind])), encoding="utf-8")
        return made[kind]
    return page


def command_can_report():
    try:
        return subprocess.run([BINARY, "help", "report"], capture_output=True, timeout=LIMIT_S).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def write_with_command(folder, page):
    steps = ["synth -o c.ezc --docs 400 --words 600 --length 60 --topics 12 --seed 5",
             "train c.ezc -k 12 -i 60 --seed 5 -o m.ezm", "train c.ezc -k 12 -i 60 --seed 6 -o n.ezm",
             f"report m.ezm c.ezc --compare n.ezm -o {page.name}"]
    for step in steps:
        done = subprocess.run([BINARY, *step.split()], cwd=folder, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"{step}: {done.stderr}"


def pytest_generate_tests(metafunc):
    """Tests of what every report must do run on the sample and, if the command has `report`, on the page that it writes."""
    if "any_kind" in metafunc.fixturenames:
        metafunc.parametrize("any_kind", ["small"] + (["command"] if command_can_report() else []))
    if "command_server" in metafunc.fixturenames:
        metafunc.parametrize("command_server", ["ezlda"] if command_can_report() else [], indirect=True)
    if "command" in metafunc.fixturenames:
        metafunc.parametrize("command", ["ezlda"] if command_can_report() else [], indirect=True)


@pytest.fixture
def command(pages):
    """Runs the command in the folder of its page's model and corpus (m.ezm, c.ezc); gives what it printed."""
    folder = pages("command").parent

    def run(*arguments):
        done = subprocess.run([BINARY, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout
    run.folder = folder
    return run


@pytest.fixture
def command_server(pages):
    """The address where the command shows the report with documents on demand."""
    folder = pages("command").parent
    serving = subprocess.Popen([BINARY, "report", "m.ezm", "c.ezc", "--serve", "--port", "0"], cwd=folder, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        yield next(word for line in serving.stdout for word in line.split() if word.startswith("http://"))
    finally:
        serving.terminate()
        serving.communicate(timeout=LIMIT_S)


@pytest.fixture(scope="session")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="session")
def driver(downloads):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for switch in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                   "--disable-background-networking", "--disable-component-update", "--no-first-run"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": True, "enablePage": False})
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    running = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    running.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    yield running
    running.quit()


@pytest.fixture
def browser(driver, pages):
    return Browser(driver, pages)


@pytest.fixture
def downloaded(downloads):
    """The text of a file that the page saved; waits for it."""
    def read(name):
        end = time.monotonic() + LIMIT_S
        while not (downloads / name).exists() and time.monotonic() < end:
            time.sleep(0.02)
        return (downloads / name).read_text(encoding="utf-8")
    return read

// Starts the page: reads the data, creates the map, the panel and the tools, and shows the view that the state names.
(() => {
  const { el, id } = ezlda.dom;

  const TABS = [["overview", "Overview"], ["topics", "Topics"], ["trends", "Trends"], ["compare", "Compare"],
    ["find", "Search"]];

  function makeTabs({ model, state }) {
    const tabs = TABS.filter(([name]) => ezlda.hasView(model, name)).map(([name, text]) => ({ name,
      node: el("button", { type: "button", class: "tab", text, on: { click: () => state.openPanel(name) } }) }));
    const mark = () => tabs.forEach(({ name, node }) => {
      if (state.now.panel === name) node.setAttribute("aria-current", "page");
      else node.removeAttribute("aria-current");
    });
    mark();
    state.listen(mark);
    id("tabs").append(...tabs.map((tab) => tab.node));
  }

  // The panel shows one view. A change of topic, word, document or panel makes a new one.
  function makePanel(app) {
    const home = id("panel");
    let view = null;
    // The focused element is gone with the old view: focus the same button in the new one, or the panel.
    function refocus(old) {
      const like = [...home.querySelectorAll(".steps button")].find((button) => button.title === old.title);
      (like || home).focus({ preventScroll: true });
    }
    function show() {
      const { now } = app.state;
      app.fromTrends = now.panel === "trends" || (now.panel === "document" && app.fromTrends); // Esc goes back there
      const focused = home.contains(document.activeElement) ? document.activeElement : null;
      view = ezlda.views[now.panel](app, now);
      home.replaceChildren(view.node);
      if (focused) refocus(focused);
      home.scrollTop = 0;
      document.body.dataset.view = now.panel;
      document.title = now.panel === "overview" ? ezlda.format.clip(app.model.data.title, 120)
        : `${view.title} · ${ezlda.format.clip(app.model.data.title, 80)}`;
    }
    show();
    app.state.listen((now, changed) => {
      if (["panel", "topic", "word", "document"].some((key) => changed.has(key))) {
        show();
        ezlda.dom.announce(view.say || view.title);
      } else if (view.update) view.update(changed);
    });
    app.focusPanel = () => (view.focus ? view.focus() : home.focus());
    id("skip").addEventListener("click", () => app.focusPanel());
  }

  // Unpacks the remaining tables while the page is idle, so that the first click does not wait.
  function warm(model) {
    const rest = window.requestIdleCallback || ((call) => setTimeout(call, 200));
    const steps = [() => model.wordTopics(0), () => model.documents.warm(), () => model.setApart(0, 1),
      ...model.fields.map((field) => () => field.table.spread)];
    const next = () => { if (steps.length) { steps.shift()(); rest(next); } };
    rest(next);
  }

  function start() {
    const data = JSON.parse(id("ezlda-data").textContent);
    if (data.version !== 1) throw new Error(`expected data of version 1, found version ${data.version}`);
    id("ezlda-data").remove();
    const app = { model: ezlda.openModel(data) };
    ezlda.app = app;
    document.body.style.setProperty("--digits", String(app.model.K - 1).length);
    id("title").textContent = ezlda.format.clip(data.title, 120);
    app.state = ezlda.createState(app.model);
    app.parts = ezlda.createParts(app.model, app.state);
    // Opens the view of all topics at a point, given by its text.
    app.openTrend = (point) => app.state.set({ panel: "trends", topic: -1, word: -1, document: -1,
      trend: ezlda.trendSettings.write(app.model, { ...ezlda.trendSettings.read(app.model, ""), ...point }) });
    app.theme = ezlda.createTheme(() => { if (app.map) app.map.recolour(); });
    document.body.dataset.view = app.state.now.panel;
    app.map = ezlda.createMap(app, id("map"));
    makeTabs(app);
    makePanel(app);
    app.search = ezlda.createSearch(app, id("search"));
    app.names = ezlda.createNames(app);
    const keyboard = ezlda.createKeyboard(app);
    id("tools").append(app.names.opener, app.theme.opener, keyboard.opener);
    ezlda.preparePrint(app);
    document.body.dataset.ready = "true";
    warm(app.model);
  }

  try {
    start();
  } catch (error) {
    id("panel").replaceChildren(el("p", { class: "wait error", text: `The report cannot be shown: ${error.message}` }));
    throw error;
  }
})();

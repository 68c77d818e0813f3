// Keys that work everywhere on the page, and the dialog that lists them.
(() => {
  const { el } = ezlda.dom;

  const HELP = [
    ["/", "search"],
    ["← →", "previous and next topic by number"],
    ["← ↑ → ↓ on the map", "go to the nearest topic in that direction"],
    ["Shift + arrows on the map", "pan"],
    ["+ − 0", "zoom the map in, out, show all"],
    ["o", "overview"], ["l", "list of topics"], ["t", "topics over time or groups"],
    ["s", "search all documents"], ["m", "go to the map"], ["← → Enter on a chart", "read its points, open one"], ["c", "compare with the other model"],
    ["n", "name the topic"],
    ["d", "light, dark or system colours"],
    ["Esc", "back: document or word, topic, overview"],
    ["?", "this list"],
  ];

  function makeDialog({ model, parts }) {
    const dialog = el("dialog", { class: "dialog", "aria-labelledby": "keys-title" });
    const views = { c: "compare", t: "trends", s: "find" };
    const rows = HELP.filter(([key]) => ezlda.hasView(model, views[key] || "overview")).map(([key, what]) =>
      el("div", {}, el("dt", {}, el("kbd", { text: key })), el("dd", { text: what })));
    dialog.append(el("h2", { id: "keys-title", text: "Keys" }), el("dl", { class: "keys" }, rows),
      el("p", { class: "actions" }, parts.closeButton(dialog)));
    document.body.append(dialog);
    return dialog;
  }

  function create(app) {
    const { model, state } = app;
    const dialog = makeDialog(app);

    function step(by) {
      const { topic } = state.now;
      if (model.shownCount) state.openTopic(model.stepFrom(topic < 0 && by < 0 ? 0 : topic, by));
    }

    function back() {
      const { panel, topic } = state.now;
      if ((panel === "word" || panel === "document") && topic >= 0) state.openTopic(topic);
      else if (panel === "document" && app.fromTrends) state.openPanel("trends");
      else state.openPanel("overview");
    }

    function editName() {
      const field = ezlda.dom.id("topic-name");
      if (!field) return;
      field.focus();
      field.select();
    }

    function openPanel(name) {
      state.openPanel(name);
      app.focusPanel();
    }

    const KEYS = {
      "/": () => app.search.focus(), "?": () => dialog.showModal(), Escape: back,
      ArrowLeft: () => step(-1), ArrowRight: () => step(1),
      o: () => openPanel("overview"), l: () => openPanel("topics"),
      ...Object.fromEntries([["c", "compare"], ["t", "trends"], ["s", "find"]].filter(([, name]) => ezlda.hasView(model, name))
        .map(([key, name]) => [key, () => openPanel(name)])),
      m: () => app.map.focus(), n: editName, d: () => app.theme.next(),
      "+": () => app.map.zoom(1.5), "=": () => app.map.zoom(1.5), "-": () => app.map.zoom(1 / 1.5),
      0: () => app.map.camera.fit(),
    };

    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      // Input fields keep their keys except Escape, which leaves them; a dialog keeps all keys.
      const inDialog = event.target.closest("dialog"), inField = event.target.closest("input, select, textarea");
      if (inDialog || (inField && event.key !== "Escape") || !Object.hasOwn(KEYS, event.key)) return;
      event.preventDefault();
      KEYS[event.key]();
    });
    return { opener: ezlda.dom.button("?", "Keys (?)", () => dialog.showModal(), { class: "tool", id: "keys" }) };
  }

  ezlda.createKeyboard = create;
})();

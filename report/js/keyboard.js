// Keys that work everywhere on the page, and the list of them.
(() => {
  const { el } = ezlda.dom;

  const HELP = [["/", "search"], ["← →", "previous and next topic by number"], ["← ↑ → ↓ on the map", "walk to the nearest topic that way"],
    ["Shift + arrows on the map", "pan"], ["+ − 0", "zoom the map in, out, show all"], ["o", "overview"], ["l", "list of topics"],
    ["m", "to the map"], ["c", "compare with the other model"], ["n", "name the topic"], ["d", "light, dark, as the system"],
    ["Esc", "back: document or word, topic, overview"], ["?", "this list"]];

  function create(app) {
    const { model, state } = app;
    const dialog = el("dialog", { class: "dialog", "aria-labelledby": "keys-title" }, el("h2", { id: "keys-title", text: "Keys" }),
      el("dl", { class: "keys" }, HELP.filter(([key]) => key !== "c" || model.data.compare).map(([key, what]) =>
        el("div", {}, el("dt", {}, el("kbd", { text: key })), el("dd", { text: what })))),
      el("p", { class: "actions" }, el("button", { type: "button", class: "plain-button primary", text: "Close", on: { click: () => dialog.close() } })));
    document.body.append(dialog);

    function step(by) {
      const { topic } = state.now;
      state.openTopic(topic < 0 ? (by > 0 ? 0 : model.K - 1) : (topic + by + model.K) % model.K);
    }

    function back() {
      const { panel, topic } = state.now;
      if ((panel === "word" || panel === "document") && topic >= 0) state.openTopic(topic);
      else state.openPanel("overview");
    }

    const panel = (name) => () => { state.openPanel(name); app.focusPanel(); };
    const KEYS = { "/": () => app.search.focus(), ArrowLeft: () => step(-1), ArrowRight: () => step(1), Escape: back, "?": () => dialog.showModal(),
      o: panel("overview"), l: panel("topics"), m: () => app.map.focus(), d: () => app.theme.next(),
      c: () => { if (model.data.compare) panel("compare")(); },
      n: () => { const name = ezlda.dom.id("topic-name"); if (name) { name.focus(); name.select(); } },
      "+": () => app.map.zoom(1.5), "=": () => app.map.zoom(1.5), "-": () => app.map.zoom(1 / 1.5), 0: () => app.map.camera.fit() };

    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest("input, select, textarea, dialog");
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (typing && !(event.key === "Escape" && !event.target.closest("dialog"))) return;
      if (!Object.hasOwn(KEYS, event.key)) return;
      event.preventDefault();
      KEYS[event.key]();
    });
    return { opener: ezlda.dom.button("?", "Keys (?)", () => dialog.showModal(), { class: "tool", id: "keys" }) };
  }

  ezlda.createKeyboard = create;
})();

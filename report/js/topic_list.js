// All topics in a list: by number, size, coherence or name.
(() => {
  const { el, bdi, choice } = ezlda.dom;
  const { count, percent, score, clip } = ezlda.format;

  const ORDERS = [["number", "Number"], ["size", "Size"], ["coherence", "Coherence"], ["name", "Name"]];

  function sorted(app, by) {
    const { model, state } = app;
    const all = Array.from({ length: model.K }, (_, i) => i);
    const { tokens, coherence } = model.topics;
    const worth = (topic) => (Number.isNaN(coherence[topic]) ? -Infinity : coherence[topic]);
    if (by === "size") return Array.from(model.bySize());
    if (by === "coherence") return all.sort((a, b) => worth(b) - worth(a) || a - b);
    if (by === "name") {
      const key = (topic) => (state.now.names.has(topic) ? `0${state.now.names.get(topic)}` : `1${model.headWords(topic)[0] || ""}`);
      const keys = all.map((topic) => key(topic).toLowerCase());
      return all.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : tokens[b] - tokens[a]));
    }
    return all;
  }

  function view(app) {
    const { model, state, parts } = app;
    const largest = model.share(model.bySize()[0]) || 1;
    const list = ezlda.virtualList({
      label: "Topics", rowHeight: 44,
      name: (topic) => `Topic ${topic}: ${clip(parts.titleOf(topic), 80)}, ${percent(model.share(topic))} of tokens` +
        (model.flags.has(topic) ? `, ${model.flags.get(topic).map((f) => f.kind).join(", ")}` : ""),
      row: (topic) => [parts.swatch(parts.colourOf(topic)), el("span", { class: "number", text: topic }),
        bdi(parts.titleOf(topic, 6), { class: state.now.names.has(topic) ? "given" : "words" }),
        model.flags.has(topic) ? el("span", { class: "tag", text: model.flags.get(topic)[0].kind }) : null,
        parts.bar(model.share(topic) / largest), el("span", { class: "value", text: percent(model.share(topic)) }),
        el("span", { class: "value coherence", title: "Coherence", text: score(model.topics.coherence[topic], 2) })],
      open: (topic) => state.openTopic(topic),
    });
    const order = app.listOrder || "number";
    const sort = (by) => { app.listOrder = by; list.set(sorted(app, by)); };
    sort(order);
    return {
      title: "Topics",
      node: el("article", { class: "list" }, el("header", { class: "list-head" }, el("h2", { text: `${count(model.K)} topics` }),
        choice("Order", ORDERS, order, sort)), list.node),
      update: (changed) => { if (changed.has("names")) list.refresh(); },
      focus: () => list.node.focus({ preventScroll: true }),
    };
  }

  ezlda.views.topics = view;
})();

// The list of all topics, by number, size, coherence or name.
(() => {
  const { el, bdi, choice, value } = ezlda.dom;
  const { count, percent, score, clip } = ezlda.format;

  const ORDERS = [["number", "Number"], ["size", "Size"], ["coherence", "Coherence"], ["name", "Name"]];

  function sorted({ model, state }, by) {
    const all = Array.from(model.shown());
    if (by === "size") return Array.from(model.bySize());
    if (by === "coherence") {
      const worth = Array.from(model.topics.coherence, (v) => (Number.isNaN(v) ? -Infinity : v));
      return all.sort((a, b) => worth[b] - worth[a] || a - b);
    }
    if (by === "name") { // topics with a name come first
      const { names } = state.now;
      const key = (topic) => (names.has(topic) || model.nameOf(topic) ? `0${names.get(topic) || model.nameOf(topic)}` : `1${model.headWords(topic)[0] || ""}`);
      const keys = all.map((topic) => key(topic).toLowerCase());
      return all.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
    }
    return all;
  }

  function view(app) {
    const { model, state, parts } = app;
    const largest = model.share(model.bySize()[0]) || 1;
    const kinds = (topic) => (model.flags.get(topic) || []).map((flag) => flag.kind);

    const list = ezlda.virtualList({
      label: "Topics",
      rowHeight: 44,
      name: (topic) => [`Topic ${topic}: ${clip(parts.titleOf(topic), 80)}`, `${percent(model.share(topic))} of tokens`,
        ...kinds(topic)].join(", "),
      row: (topic) => [
        parts.swatch(parts.colourOf(topic)),
        el("span", { class: "number", text: topic }),
        bdi(parts.titleOf(topic, 6), { class: state.now.names.has(topic) ? "given" : "words" }),
        model.groupOf(topic) ? el("span", { class: "tag group", text: model.groupOf(topic) }) : null,
        kinds(topic).length ? el("span", { class: "tag", text: kinds(topic)[0] }) : null,
        parts.bar(model.share(topic) / largest),
        value(percent(model.share(topic))),
        value(score(model.topics.coherence[topic], 2), { class: "value coherence", title: "Coherence" }),
      ],
      open: state.openTopic,
    });

    const zoom = ezlda.treeZoom.zoom(app, list.node);
    const order = app.listOrder || "number";
    const sort = (by) => { app.listOrder = by; list.set(sorted(app, by)); };
    sort(order);
    return {
      title: "Topics",
      node: el("article", { class: "list" },
        el("header", { class: "list-head" }, el("h2", { text: `${count(model.shown().length)} topics` }),
          zoom ? zoom[0] : null, choice("Order", ORDERS, order, sort)),
        list.node, zoom ? zoom[1] : null),
      update: (changed) => { if (changed.has("names")) list.refresh(); },
      focus: () => list.node.focus({ preventScroll: true }),
    };
  }

  ezlda.views.topics = view;
})();

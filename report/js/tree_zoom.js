// A slider from all topics to a few bundles of similar ones: a cut of the tree that the report has.
(() => {
  const { el, bdi, value } = ezlda.dom;
  const { count, percent, clip } = ezlda.format;
  const MOST_LISTED = 12; // topics of a bundle

  // The nodes of the tree: K topics, then the merges. null: the report has no tree.
  function open(model) {
    const { data, K } = model;
    if (!data.tree) return null;
    const { left, right } = ezlda.unpack.lazy(data.tree, { left: "u16", right: "u16" });
    const topicsOf = Array.from({ length: K }, (_, topic) => (model.hidden.has(topic) ? [] : [topic]));
    for (let i = 0; i < left.length; i++) topicsOf.push([...topicsOf[left[i]], ...topicsOf[right[i]]]);

    // The nodes that are left when n bundles are.
    function cut(n) {
      const last = 2 * K - n;
      const gone = new Set();
      for (let node = K; node < last; node++) { gone.add(left[node - K]); gone.add(right[node - K]); }
      return topicsOf.map((_, node) => node).filter((node) => node < last && !gone.has(node) && topicsOf[node].length);
    }
    const words = (node) => (data.tree.words[node] || []).map((word) => model.text[word]);
    const share = (node) => topicsOf[node].reduce((sum, topic) => sum + model.share(topic), 0);
    return { cut, topicsOf, words, share };
  }

  // The slider, and the list of bundles below it, which hides `plain` while fewer than all topics are shown.
  function zoom(app, plain) {
    const { model, parts } = app;
    const tree = open(model);
    if (!tree) return null;
    const list = el("ul", { class: "plain bundles", hidden: true });
    const note = el("output", { class: "note" });
    const range = el("input", { type: "range", min: Math.min(2, model.K), max: model.K, value: app.zoomLevel || model.K,
      "aria-label": "Number of bundles", on: { input: () => show(Number(range.value)) } });

    function row(node, largest) {
      const topics = tree.topicsOf[node].slice().sort((a, b) => model.share(b) - model.share(a) || a - b);
      const single = topics.length === 1;
      const name = tree.words(node).slice(0, 6).map((word) => clip(word, 24)).join(" ");
      return el("li", { class: "bundle" },
        el("p", { class: "bundle-head" }, single ? parts.topicLink(topics[0], { words: 6 }) : bdi(name, { class: "words" }),
          parts.bar(tree.share(node) / largest), value(percent(tree.share(node)))),
        single ? null : el("p", { class: "note" }, `${count(topics.length)} topics: `,
          topics.slice(0, MOST_LISTED).map((topic) => parts.topicLink(topic, { words: 3 })),
          topics.length > MOST_LISTED ? ` and ${count(topics.length - MOST_LISTED)} more` : null));
    }

    function show(n) {
      const whole = n >= model.K;
      app.zoomLevel = n;
      plain.hidden = !whole;
      list.hidden = whole;
      note.textContent = whole ? "all topics" : `${count(n)} bundles`;
      if (whole) return list.replaceChildren();
      const nodes = tree.cut(n).sort((a, b) => tree.share(b) - tree.share(a) || a - b);
      return list.replaceChildren(...nodes.map((node) => row(node, tree.share(nodes[0]))));
    }
    show(Number(range.value));
    return [el("label", { class: "zoom" }, "Detail ", range, note), list];
  }

  ezlda.treeZoom = { open, zoom };
})();

// Two models side by side: matching pairs of topics, best first, and topics without a partner.
(() => {
  const { el, bdi, choice, value } = ezlda.dom;
  const { count, percent, clip } = ezlda.format;

  const ORDERS = [["best", "Best match first"], ["worst", "Worst first"], ["number", "Number"]];

  // Rows are {a, b, similarity, near}: a or b is -1 if there is no partner; then near is [topic, similarity] of the
  // nearest topic of the other model, if the report has it.
  function rowsOf(compare, by) {
    const pairs = compare.pairs.map(([a, b, similarity]) => ({ a, b, similarity }));
    const near = (side, i) => (compare[`nearest_${side}`] || [])[i] || null;
    const alone = [...compare.alone_a.map((a, i) => ({ a, b: -1, similarity: -1, near: near("a", i) })),
      ...compare.alone_b.map((b, i) => ({ a: -1, b, similarity: -1, near: near("b", i) }))];
    if (by === "best") pairs.sort((x, y) => y.similarity - x.similarity || x.a - y.a);
    if (by === "worst") pairs.sort((x, y) => x.similarity - y.similarity || x.a - y.a);
    if (by === "number") return [...pairs, ...alone].sort((x, y) => (x.a < 0) - (y.a < 0) || x.a - y.a || x.b - y.b);
    return by === "worst" ? [...alone, ...pairs] : [...pairs, ...alone];
  }

  function rowName(row) {
    if (row.b < 0) return `Topic ${row.a} has no partner`;
    if (row.a < 0) return `Topic ${row.b} of the other model has no partner`;
    return `Topic ${row.a} matches topic ${row.b} of the other model, similarity ${row.similarity.toFixed(2)}`;
  }

  // The two cells of a pair: (a) -> children for this model's topic, (b) -> for the other's.
  function cells({ model, state, parts }, compare) {
    const tokens = ezlda.unpack.table("f64", compare.tokens_b);
    const total = tokens.reduce((sum, n) => sum + n, 0) || 1;
    const line = (words) => el("p", { class: "words" }, bdi(words.map((word) => clip(word, 24)).join(" ")));
    return {
      here: (a) => [el("p", {}, parts.topicName(a, { bare: !state.now.names.has(a) }), value(percent(model.share(a)))),
        line(model.topWords(a, 1, 10).map((item) => model.text[item.word]))],
      there: (b) => [el("p", {}, el("span", { class: "number", text: b }), value(percent(tokens[b] / total))),
        line(compare.words_b[b] || [])],
    };
  }

  const none = (near) => el("p", { class: "none",
    text: near ? `no partner; nearest is ${near[0]} (${near[1].toFixed(2)})` : "no partner" });

  function view(app) {
    const { model, state, parts } = app;
    const { compare } = model.data;
    const { here, there } = cells(app, compare);
    const match = (similarity) => [value(similarity.toFixed(2)), parts.bar(similarity, { class: "bar small" })];
    const list = ezlda.virtualList({
      label: "Matched topics",
      rowHeight: 92,
      name: rowName,
      row: ({ a, b, similarity, near }) => [
        el("div", { class: "side" }, a < 0 ? none(near) : here(a)),
        el("div", { class: "match" }, similarity < 0 ? null : match(similarity)),
        el("div", { class: "side" }, b < 0 ? none(near) : there(b)),
      ],
      open: (row) => { if (row.a >= 0) state.openTopic(row.a); },
    });
    list.set(rowsOf(compare, "best"));

    const figures = [[count(compare.pairs.length), "matched"], [count(compare.alone_a.length), "only here"],
      [count(compare.alone_b.length), "only there"], [compare.mean_similarity.toFixed(2), "mean similarity"]];
    return {
      title: "Compare",
      node: el("article", { class: "compare" },
        el("header", { class: "lead" },
          el("p", { class: "kicker", text: "Two models, topic by topic" }),
          el("h2", {}, bdi(clip(compare.title, 120))),
          ezlda.dom.figures(figures),
          choice("Order", ORDERS, "best", (by) => list.set(rowsOf(compare, by)))),
        el("div", { class: "compare-head", "aria-hidden": "true" }, el("span", {}, bdi(clip(model.data.title, 60))),
          el("span", { text: "similarity" }), el("span", {}, bdi(clip(compare.title, 60)))),
        list.node),
      update: (changed) => { if (changed.has("names")) list.refresh(); },
      focus: () => list.node.focus({ preventScroll: true }),
    };
  }

  ezlda.compareRows = rowsOf;
  ezlda.views.compare = view;
})();

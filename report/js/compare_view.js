// Two models side by side: pairs of topics that match, best first, and those that have no partner.
(() => {
  const { el, bdi, choice } = ezlda.dom;
  const { count, percent, clip } = ezlda.format;

  const ORDERS = [["best", "Best match first"], ["worst", "Worst first"], ["number", "Number"]];

  function rowsOf(compare, by) {
    const pairs = compare.pairs.map(([a, b, similarity]) => ({ a, b, similarity }));
    const alone = [...compare.alone_a.map((a) => ({ a, b: -1, similarity: -1 })),
      ...compare.alone_b.map((b) => ({ a: -1, b, similarity: -1 }))];
    if (by === "best") pairs.sort((x, y) => y.similarity - x.similarity || x.a - y.a);
    if (by === "worst") pairs.sort((x, y) => x.similarity - y.similarity || x.a - y.a);
    if (by === "number") return [...pairs, ...alone].sort((x, y) => (x.a < 0) - (y.a < 0) || x.a - y.a || x.b - y.b);
    return by === "worst" ? [...alone, ...pairs] : [...pairs, ...alone];
  }

  function view(app) {
    const { model, state, parts } = app;
    const { compare } = model.data;
    const tokensB = ezlda.unpack.table("f64", compare.tokens_b);
    const totalB = tokensB.reduce((sum, tokens) => sum + tokens, 0) || 1;
    const wordsB = (b) => (compare.words_b[b] || []).map((word) => clip(word, 24)).join(" ");
    const mean = compare.pairs.reduce((sum, pair) => sum + pair[2], 0) / (compare.pairs.length || 1);

    const list = ezlda.virtualList({
      label: "Matched topics", rowHeight: 92,
      name: (row) => (row.b < 0 ? `Topic ${row.a} has no partner` : row.a < 0 ? `Topic ${row.b} of the other model has no partner`
        : `Topic ${row.a} matches topic ${row.b} of the other model, similarity ${row.similarity.toFixed(2)}`),
      row: (row) => [
        el("div", { class: "side" }, row.a < 0 ? el("p", { class: "none", text: "no partner" }) : [
          el("p", {}, parts.topicLink(row.a, { bare: !state.now.names.has(row.a) }),
            el("span", { class: "value", text: percent(model.share(row.a)) })),
          el("p", { class: "words" }, bdi(model.headWords(row.a).concat(model.topWords(row.a, 1, 4).map((i) => model.text[i.word]))
            .filter((word, i, all) => all.indexOf(word) === i).map((word) => clip(word, 24)).join(" ")))]),
        el("div", { class: "match" }, row.similarity < 0 ? null : [el("span", { class: "value", text: row.similarity.toFixed(2) }),
          parts.bar(row.similarity, { class: "bar small" })]),
        el("div", { class: "side" }, row.b < 0 ? el("p", { class: "none", text: "no partner" }) : [
          el("p", {}, el("span", { class: "number other", text: row.b }),
            el("span", { class: "value", text: percent(tokensB[row.b] / totalB) })),
          el("p", { class: "words" }, bdi(wordsB(row.b)))])],
      open: (row) => { if (row.a >= 0) state.openTopic(row.a); },
    });
    list.set(rowsOf(compare, "best"));

    const figures = [["matched", compare.pairs.length], ["only here", compare.alone_a.length], ["only there", compare.alone_b.length]];
    return {
      title: "Compare",
      node: el("article", { class: "compare" },
        el("header", { class: "lead" }, el("p", { class: "kicker", text: "Two models, topic by topic" }), el("h2", {}, bdi(clip(compare.title, 120))),
          el("dl", { class: "figures small" }, figures.map(([name, value]) => el("div", {}, el("dd", { text: count(value) }), el("dt", { text: name }))),
            el("div", {}, el("dd", { text: mean.toFixed(2) }), el("dt", { text: "mean similarity" }))),
          choice("Order", ORDERS, "best", (by) => list.set(rowsOf(compare, by)))),
        el("div", { class: "compare-head", "aria-hidden": "true" }, el("span", {}, bdi(clip(model.data.title, 60))), el("span", { text: "similarity" }),
          el("span", {}, bdi(clip(compare.title, 60)))), list.node),
      update: (changed) => { if (changed.has("names")) list.refresh(); },
    };
  }

  ezlda.views.compare = view;
})();

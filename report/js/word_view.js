// One word: how frequent it is and the topics where it lives.
(() => {
  const { el, bdi } = ezlda.dom;
  const { count, percent, times, clip } = ezlda.format;

  function view(app, { word }) {
    const { model, parts } = app;
    const text = model.text[word];
    const list = model.wordTopics(word);
    const tokens = model.vocabulary.tokens[word];
    const known = list.reduce((sum, item) => sum + item.count, 0);
    const rest = Math.max(0, tokens - known);
    const largest = list.length ? list[0].here : 1;
    const rows = list.map((item) => el("tr", { "data-topic": item.topic }, el("th", { scope: "row" }, parts.topicLink(item.topic)),
      el("td", { class: "bar-cell" }, parts.bar(item.here / largest)), el("td", { class: "value", text: percent(item.here) }),
      el("td", { class: "value", text: percent(item.p) }), el("td", { class: "value", text: times(item.lift) })));
    const table = el("table", { class: "words-table" }, el("thead", {}, el("tr", {}, el("th", { scope: "col", text: "Topic" }),
      el("th", { scope: "col", colspan: "2", text: "Share of the word’s tokens" }),
      el("th", { scope: "col", class: "right", text: "Of topic" }), el("th", { scope: "col", class: "right", text: "vs corpus" }))),
    el("tbody", {}, rows));
    return {
      title: clip(text, 40), say: `Word ${clip(text, 60)}, in ${list.length} topics`,
      node: el("article", { class: "word" },
        el("header", { class: "lead" }, el("p", { class: "kicker", text: "Word" }),
          el("h2", { title: clip(text, 300) }, bdi(clip(text, 200))),
          el("dl", { class: "figures small" },
            [["tokens", count(tokens)], ["of the corpus", percent(model.inCorpus(word))], ["by frequency", count(word + 1)]].map(
              ([label, value]) => el("div", {}, el("dd", { text: value }), el("dt", { text: label }))))),
        parts.section("Topics where it lives", rest > 0.5
          ? `The ${list.length} largest; ${percent(rest / tokens)} of its tokens are in others. They are lit on the map.`
          : "All of its tokens are in these topics. They are lit on the map.", table)),
    };
  }

  ezlda.views.word = view;
})();

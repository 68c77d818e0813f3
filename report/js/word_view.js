// One word: its frequency, and the topics in which it occurs.
(() => {
  const { el, bdi } = ezlda.dom;
  const { count, percent, times, clip } = ezlda.format;

  function table({ parts }, list) {
    const largest = list.length ? list[0].here : 1;
    const cell = (text) => el("td", { class: "value", text });
    const rows = list.map((item) => el("tr", { "data-topic": item.topic },
      el("th", { scope: "row" }, parts.topicLink(item.topic)), el("td", {}, parts.bar(item.here / largest)),
      cell(percent(item.here)), cell(percent(item.p)), cell(times(item.lift))));
    const columns = ["topic", "bar", "share", "lift", "lift"].map((name) => el("col", { class: `col-${name}` }));
    const heads = [["Topic", 1], ["Share of the word’s tokens", 2], ["Of topic", 1], ["vs corpus", 1]];
    return el("table", { class: "words-table" }, el("colgroup", {}, columns),
      el("thead", {}, el("tr", {}, heads.map(([text, colspan], i) =>
        el("th", { scope: "col", text, colspan, class: i > 1 ? "right" : null })))),
      el("tbody", {}, rows));
  }

  function view(app, { word }) {
    const { model } = app;
    const text = model.text[word], tokens = model.vocabulary.tokens[word];
    const list = model.wordTopics(word);
    const rest = tokens - list.reduce((sum, item) => sum + item.count, 0);
    const note = rest > 0.5 ? `The ${list.length} largest; ${percent(rest / tokens)} of its tokens are in others.`
      : "All of its tokens are in these topics.";
    return {
      title: clip(text, 40),
      say: `Word ${clip(text, 60)}, in ${list.length} topics`,
      node: el("article", { class: "word" },
        el("header", { class: "lead" },
          el("p", { class: "kicker", text: "Word" }), el("h2", { title: clip(text, 300) }, bdi(clip(text, 200))),
          ezlda.dom.figures([[count(tokens), "tokens"], [percent(model.inCorpus(word)), "of the corpus"],
            [count(model.wordRank(word)), "by frequency"]])),
        app.parts.section("Topics with this word", `${note} They are highlighted on the map.`, table(app, list))),
    };
  }

  ezlda.views.word = view;
})();

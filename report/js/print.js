// Printing: light colours, the map as it is, the open panel, and a table of all topics after it. Lists in which only
// the visible rows exist are printed as tables.
(() => {
  const { el, bdi } = ezlda.dom;
  const { count, percent, score, clip } = ezlda.format;
  const MOST = 2000, WORDS = 10;

  // Names are those that were typed into the page, or that the model's edits give.
  const named = ({ model, state }) => state.now.names.size > 0 || Array.from(model.shown()).some(model.nameOf);

  function row(app, topic) {
    const { model, state } = app;
    const words = model.topWords(topic, state.now.lambda, WORDS).map((item) => clip(model.text[item.word], 24));
    return el("tr", {},
      el("td", { class: "value", text: topic }),
      named(app) ? el("td", {}, bdi(state.now.names.get(topic) || model.nameOf(topic))) : null,
      el("td", {}, bdi(words.join(" "))),
      el("td", { class: "value", text: percent(model.share(topic)) }),
      el("td", { class: "value", text: score(model.topics.coherence[topic], 2) }),
      el("td", { text: (model.flags.get(topic) || []).map((flag) => flag.kind).join(" ") }));
  }

  function table(app) {
    const topics = Array.from(app.model.shown());
    const K = topics.length;
    const heads = ["Topic", ...(named(app) ? ["Name"] : []), "Words", "Tokens", "Coherence", ""].map((text) =>
      el("th", { text, class: ["Topic", "Tokens", "Coherence"].includes(text) ? "value" : "" }));
    const rows = topics.slice(0, MOST).map((topic) => row(app, topic));
    return [el("h2", { text: "All topics" }),
      K > MOST ? el("p", { text: `The first ${count(MOST)} of ${count(K)}.` }) : "",
      el("table", { class: "all-topics" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows))];
  }

  function pairs(app) {
    const { data } = app.model;
    const words = (list) => bdi(list.slice(0, WORDS).map((word) => clip(word, 24)).join(" "));
    const here = (a) => words(app.model.topWords(a, 1, WORDS).map((item) => app.model.text[item.word]));
    const heads = ["Topic", clip(data.title, 60), "Similarity", "Topic", clip(data.compare.title, 60)];
    const line = ({ a, b, similarity }) => el("tr", {},
      el("td", { class: "value", text: a < 0 ? "" : a }), el("td", {}, a < 0 ? "no partner" : here(a)),
      el("td", { class: "value", text: similarity < 0 ? "" : similarity.toFixed(2) }),
      el("td", { class: "value", text: b < 0 ? "" : b }),
      el("td", {}, b < 0 ? "no partner" : words(data.compare.words_b[b] || [])));
    const rows = ezlda.compareRows(data.compare, "best");
    return [el("h2", { text: "Topics of both models" }),
      rows.length > MOST ? el("p", { text: `The first ${count(MOST)} of ${count(rows.length)} rows.` }) : "",
      el("table", { class: "all-topics all-pairs" },
      el("thead", {}, el("tr", {}, heads.map((text) => el("th", {}, bdi(text))))),
      el("tbody", {}, rows.slice(0, MOST).map(line)))];
  }

  function prepare(app) {
    const home = ezlda.dom.id("appendix");
    window.addEventListener("beforeprint", () => {
      home.replaceChildren(...(app.state.now.panel === "compare" ? pairs(app) : []), ...table(app));
      app.theme.forPrint(true);
    });
    window.addEventListener("afterprint", () => {
      home.replaceChildren();
      app.theme.forPrint(false);
    });
  }

  ezlda.preparePrint = prepare;
})();

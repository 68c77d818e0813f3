// On paper: light colours, the map as it is, the open panel, and a table of all topics behind it.
(() => {
  const { el, bdi } = ezlda.dom;
  const { count, percent, score, clip } = ezlda.format;
  const MOST = 2000, WORDS = 10;

  function row({ model, state }, topic) {
    const words = model.topWords(topic, state.now.lambda, WORDS).map((item) => clip(model.text[item.word], 24));
    return el("tr", {},
      el("td", { class: "value", text: topic }),
      el("td", {}, bdi(state.now.names.get(topic) || "")),
      el("td", {}, bdi(words.join(" "))),
      el("td", { class: "value", text: percent(model.share(topic)) }),
      el("td", { class: "value", text: score(model.topics.coherence[topic], 2) }),
      el("td", { text: (model.flags.get(topic) || []).map((flag) => flag.kind).join(" ") }));
  }

  function table(app) {
    const { K } = app.model;
    const heads = ["Topic", "Name", "Words", "Tokens", "Coherence", ""].map((text) => el("th", { text }));
    const rows = Array.from({ length: Math.min(K, MOST) }, (_, topic) => row(app, topic));
    return [el("h2", { text: "All topics" }),
      K > MOST ? el("p", { text: `The first ${count(MOST)} of ${count(K)}.` }) : "",
      el("table", { class: "all-topics" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows))];
  }

  function prepare(app) {
    const home = ezlda.dom.id("appendix");
    window.addEventListener("beforeprint", () => {
      home.replaceChildren(...table(app));
      app.theme.forPrint(true);
    });
    window.addEventListener("afterprint", () => {
      home.replaceChildren();
      app.theme.forPrint(false);
    });
  }

  ezlda.preparePrint = prepare;
})();

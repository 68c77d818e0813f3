// On paper: light colours, the map as it is, the open panel, and a table of all topics behind it.
(() => {
  const { el, bdi } = ezlda.dom;
  const { count, percent, score, clip } = ezlda.format;
  const MOST = 2000;

  function table({ model, state }) {
    const rows = Array.from({ length: Math.min(model.K, MOST) }, (_, topic) => el("tr", {}, el("td", { class: "value", text: topic }),
      el("td", {}, bdi(state.now.names.get(topic) || "")), el("td", {}, bdi(model.topWords(topic, state.now.lambda, 10)
        .map((item) => clip(model.text[item.word], 24)).join(" "))), el("td", { class: "value", text: percent(model.share(topic)) }),
      el("td", { class: "value", text: score(model.topics.coherence[topic], 2) }),
      el("td", { text: (model.flags.get(topic) || []).map((flag) => flag.kind).join(" ") })));
    return [el("h2", { text: "All topics" }), model.K > MOST ? el("p", { text: `The first ${count(MOST)} of ${count(model.K)}.` }) : "",
      el("table", { class: "all-topics" }, el("thead", {}, el("tr", {}, ["Topic", "Name", "Words", "Tokens", "Coherence", ""].map((text) =>
        el("th", { text })))), el("tbody", {}, rows))];
  }

  function create(app) {
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

  ezlda.preparePrint = create;
})();

// The words of a topic: the relevance slider, and for each word its share here, in the corpus, and where else it lives.
(() => {
  const { el, bdi } = ezlda.dom;
  const { percent, times, clip } = ezlda.format;
  const MOST = 30;

  // Rows are made once and filled again at each step of the slider.
  function makeRow({ state, map }) {
    const word = el("bdi");
    const link = el("button", { type: "button", class: "word-link" }, word);
    const fill = el("span"), mark = el("i");
    const share = el("td", { class: "value" }), lift = el("td", { class: "value" });
    const hereFill = el("span"), hereText = el("span", { class: "value" });
    const also = el("td", { class: "also" });
    const row = el("tr", {}, el("th", { scope: "row" }, link),
      el("td", { class: "bar-cell" }, el("span", { class: "bar against", "aria-hidden": "true" }, fill, mark)), share, lift,
      el("td", { class: "here" }, el("span", { class: "bar small", "aria-hidden": "true" }, hereFill), hereText), also);
    const made = { row, word, fill, mark, share, lift, hereFill, hereText, also, id: -1 };
    link.addEventListener("click", () => state.openWord(made.id));
    row.addEventListener("pointerenter", () => map.spotlight(made.id));
    row.addEventListener("pointerleave", () => map.spotlight(-1));
    return made;
  }

  function fillRow(app, made, item, topic, largest) {
    const text = app.model.text[item.word];
    made.id = item.word;
    made.row.dataset.word = item.word;
    made.word.textContent = clip(text, 60);
    made.word.title = clip(text, 300);
    made.fill.style.width = `${(100 * item.p) / largest}%`;
    made.mark.style.left = `${Math.min(100, (100 * item.corpus) / largest)}%`;
    made.share.textContent = percent(item.p);
    made.share.title = `${percent(item.p)} of this topic, ${percent(item.corpus)} of the corpus`;
    made.lift.textContent = times(item.lift);
    made.hereFill.style.width = `${100 * item.here}%`;
    made.hereText.textContent = `${Math.round(100 * item.here)} %`;
    const others = app.model.wordTopics(item.word).filter((other) => other.topic !== topic).slice(0, 2);
    made.also.replaceChildren(...others.map((other) => el("button", { type: "button", class: "chip", text: other.topic,
      title: `Topic ${other.topic}: ${clip(app.parts.titleOf(other.topic), 60)}`, "aria-label": `Also in topic ${other.topic}`,
      on: { click: () => app.state.openTopic(other.topic) } })));
  }

  function create(app, topic) {
    const { model, state } = app;
    const rows = [];
    const body = el("tbody");
    const shown = el("output", { class: "lambda-value" });
    const slider = el("input", { type: "range", min: "0", max: "1", step: "0.05", id: "lambda", "aria-describedby": "lambda-note",
      on: { input: () => state.set({ lambda: Number(slider.value) }) } });

    function update() {
      const { lambda } = state.now;
      const items = model.topWords(topic, lambda, MOST);
      const largest = items.reduce((most, item) => Math.max(most, item.p), 1e-12);
      while (rows.length < items.length) rows.push(makeRow(app));
      items.forEach((item, i) => fillRow(app, rows[i], item, topic, largest));
      body.replaceChildren(...rows.slice(0, items.length).map((made) => made.row));
      slider.value = lambda;
      slider.setAttribute("aria-valuetext", `λ = ${lambda}`);
      shown.textContent = `λ = ${lambda.toFixed(2)}`;
    }

    const head = ["Word", "Share in topic", null, "vs corpus", "Here", "Also in"];
    const notes = { "Share in topic": "The bar is the word's share of the topic, the mark its share of the corpus",
      "vs corpus": "Share in the topic over share in the corpus", "Here": "Share of the word's tokens that are in this topic" };
    const table = el("table", { class: "words-table" }, el("caption", { class: "visually-hidden", text: `Words of topic ${topic} by relevance` }),
      el("thead", {}, el("tr", {}, head.filter(Boolean).map((name) => el("th", { scope: "col", text: name, title: notes[name],
        colspan: name === "Share in topic" ? 2 : null, class: name === "Word" || name === "Share in topic" ? null : "right" })))), body);
    update();
    const node = app.parts.section("Words", null,
      el("div", { class: "lambda" }, el("label", { for: "lambda", text: "Relevance" }), shown,
        el("span", { class: "end", text: "distinctive" }), slider, el("span", { class: "end", text: "frequent" }),
        el("p", { class: "note", id: "lambda-note",
          text: "Right: words by their share in the topic. Left: words that are rare elsewhere." })), table);
    return { node, update };
  }

  // Words that part this topic from those around it, as chips.
  function apart({ model, parts }, topic) {
    const items = model.setApart(topic, 14);
    if (!items.length) return null;
    return parts.section("What sets it apart", "Words that it has and the topics most like it have less of.",
      el("ul", { class: "plain chips" }, items.map((item) => el("li", {}, parts.wordLink(item.word),
        el("span", { class: "value", text: times(item.ratio) })))));
  }

  ezlda.topicWords = { create, apart };
})();

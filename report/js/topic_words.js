// The words of a topic: the relevance slider and, for each word, its share here, in the corpus and in other topics.
(() => {
  const { el, value } = ezlda.dom;
  const { percent, times, clip } = ezlda.format;
  const MOST_ALSO = 2, MOST_APART = 14;

  // Heading, columns that it spans, meaning.
  const HEADS = [["Word", 1, null],
    ["Share in topic", 2, "The bar is the word's share of the topic, the mark its share of the corpus"],
    ["vs corpus", 1, "Share in the topic divided by share in the corpus"],
    ["Here", 1, "Share of the word's tokens that are in this topic"],
    ["Also in", 1, "The topics that hold most of the word's other tokens"]];

  // Rows are made once and refilled at each step of the slider.
  function makeRow({ state, map }) {
    const made = { id: -1, word: el("bdi"), fill: el("span"), mark: el("i"), share: el("td", { class: "value" }),
      lift: el("td", { class: "value" }), hereFill: el("span"), here: value(""), also: el("td", { class: "also" }) };
    const open = { type: "button", class: "word-link", on: { click: () => state.openWord(made.id) } };
    made.row = el("tr", {},
      el("th", { scope: "row" }, el("button", open, made.word)),
      el("td", {}, el("span", { class: "bar against", "aria-hidden": "true" }, made.fill, made.mark)),
      made.share, made.lift,
      el("td", { class: "here" }, el("span", { class: "bar small", "aria-hidden": "true" }, made.hereFill), made.here),
      made.also);
    made.row.addEventListener("pointerenter", () => map.spotlight(made.id));
    made.row.addEventListener("pointerleave", () => map.spotlight(-1));
    return made;
  }

  function alsoIn({ model, parts, state }, word, topic) {
    const others = model.wordTopics(word).filter((other) => other.topic !== topic).slice(0, MOST_ALSO);
    return others.map((other) => el("button", {
      type: "button", class: "chip", text: other.topic, "aria-label": `Also in topic ${other.topic}`,
      title: `Topic ${other.topic}: ${clip(parts.titleOf(other.topic), 60)}`,
      on: { click: () => state.openTopic(other.topic) },
    }));
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
    made.here.textContent = `${Math.round(100 * item.here)} %`;
    made.also.replaceChildren(...alsoIn(app, item.word, topic));
  }

  function makeTable(topic, body) {
    const columns = ["word", "bar", "share", "lift", "here", "also"].map((name) => el("col", { class: `col-${name}` }));
    const heads = HEADS.map(([text, colspan, title], i) =>
      el("th", { scope: "col", text, colspan, title, class: i > 1 ? "right" : null }));
    return el("table", { class: "words-table" },
      el("caption", { class: "visually-hidden", text: `Words of topic ${topic} by relevance` }),
      el("colgroup", {}, columns), el("thead", {}, el("tr", {}, heads)), body);
  }

  function create(app, topic) {
    const { model, state } = app;
    const rows = [], body = el("tbody");
    const shown = el("output", { class: "lambda-value" });
    const slider = el("input", {
      type: "range", min: "0", max: "1", step: "0.1", id: "lambda", "aria-describedby": "lambda-note",
      on: { input: () => state.set({ lambda: Number(slider.value) }) },
    });

    function update() {
      const { lambda } = state.now;
      const items = model.topWords(topic, lambda);
      const largest = items.reduce((most, item) => Math.max(most, item.p), 1e-12);
      while (rows.length < items.length) rows.push(makeRow(app));
      items.forEach((item, i) => fillRow(app, rows[i], item, topic, largest));
      body.replaceChildren(...rows.slice(0, items.length).map((made) => made.row));
      slider.value = lambda;
      slider.setAttribute("aria-valuetext", `λ = ${lambda}`);
      shown.textContent = `λ = ${lambda.toFixed(1)}`;
    }

    update();
    const note = "Right: words by their share in the topic. Left: words that are rare elsewhere.";
    const node = app.parts.section("Words", null,
      el("div", { class: "lambda" },
        el("label", { for: "lambda", text: "Relevance" }), shown,
        el("span", { class: "end", text: "distinctive" }), slider, el("span", { class: "end", text: "frequent" }),
        el("p", { class: "note", id: "lambda-note", text: note })),
      makeTable(topic, body));
    return { node, update };
  }

  // Words that distinguish this topic from similar ones, as chips.
  function apart({ model, parts }, topic) {
    const items = model.setApart(topic, MOST_APART);
    if (!items.length) return null;
    return parts.section("What sets it apart", "Words that are more frequent here than in the most similar topics.",
      el("ul", { class: "plain chips" }, items.map((item) =>
        el("li", {}, parts.wordLink(item.word), value(item.only ? "almost only here" : times(item.ratio))))));
  }

  ezlda.topicWords = { create, apart };
})();

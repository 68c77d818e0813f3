// One topic: its number and name, its words, what is like it, its documents, its course over the corpus.
(() => {
  const { el, bdi, button } = ezlda.dom;
  const { count, percent, score, clip, known } = ezlda.format;

  function head(app, topic) {
    const { model, state, parts } = app;
    const step = (by) => () => state.openTopic((topic + by + model.K) % model.K);
    const name = el("input", { class: "topic-name", id: "topic-name", type: "text", maxlength: "80", autocomplete: "off",
      spellcheck: "false", placeholder: clip(model.headWords(topic).slice(0, 3).map((w) => clip(w, 24)).join(" "), 60),
      "aria-label": `Name of topic ${topic}`, title: "Give this topic a name",
      on: { change: () => state.setName(topic, name.value), keydown: (event) => {
        if (event.key === "Escape") name.value = state.now.names.get(topic) || "";
        if (event.key === "Enter" || event.key === "Escape") { name.blur(); event.stopPropagation(); }
      } } });
    name.value = state.now.names.get(topic) || "";
    const facts = [["of tokens", percent(model.share(topic))], ["by size", `${count(model.rankOf(topic))} of ${count(model.K)}`],
      ["coherence", score(model.topics.coherence[topic])],
      ["α", known(model.topics.alpha[topic]) ? model.topics.alpha[topic].toPrecision(3) : "–"]];
    const node = el("header", { class: "topic-head" },
      el("div", { class: "steps" }, el("p", { class: "kicker" }, parts.swatch(parts.colourOf(topic)), `Topic ${topic}`),
        button("‹", "Previous topic (left arrow)", step(-1)), button("›", "Next topic (right arrow)", step(1))),
      el("h2", { class: "visually-hidden", text: `Topic ${topic}` }), name,
      el("dl", { class: "figures small" }, facts.filter(([, value]) => value !== "–").map(([label, value]) =>
        el("div", {}, el("dd", { text: value }), el("dt", { text: label })))),
      (model.flags.get(topic) || []).map((flag) => parts.flagNote(flag)));
    return { node, sync: () => { if (document.activeElement !== name) name.value = state.now.names.get(topic) || ""; } };
  }

  function similar({ model, parts }, topic) {
    const list = model.similar(topic);
    if (!list.length) return null;
    return parts.section("Similar topics", null, el("ul", { class: "plain similar" }, list.map((item) => el("li", {},
      parts.topicLink(item.topic), parts.bar(item.similarity, { class: "bar small" }),
      el("span", { class: "value", text: item.similarity.toFixed(2) }),
      el("p", { class: "shared note" }, sharedText(model.sharedWords(topic, item.topic, 6), model))))));
  }

  const sharedText = (items, model) => (items.length
    ? ["both: ", bdi(items.map((item) => clip(model.text[item.word], 24)).join(" "))] : ["no first words in common"]);

  function documents({ model, state, parts }, topic) {
    const docs = model.documents.ofTopic(topic);
    if (!docs.length) return null;
    const weight = new Map();
    for (const doc of docs) for (const [other, share] of doc.mix) weight.set(other, (weight.get(other) || 0) + share);
    weight.delete(topic);
    const others = [...weight].sort((a, b) => b[1] - a[1]).map(([other]) => other);
    const colour = ezlda.palette.few([topic, ...others]);
    const list = el("ol", { class: "plain documents" }, docs.map((doc) => el("li", {},
      el("button", { type: "button", class: "document-link", "data-document": doc.number,
        on: { click: () => state.openDocument(doc.number) } },
      bdi(parts.documentName(doc), { class: "name" }),
      el("span", { class: "meta" }, doc.label ? bdi(clip(doc.label, 40)) : null, `${count(doc.tokens)} tokens`),
      parts.mixBar(doc.mix, colour),
      el("span", { class: "value", text: percent((doc.mix.find(([other]) => other === topic) || [0, 0])[1]) })))));
    const legend = el("p", { class: "legend" }, colour.topics.slice(0, 6).map((other) =>
      parts.topicLink(other, { colour: colour(other), words: 2 })));
    return parts.section("Documents", "Those with the largest share of this topic, and what else they hold.", legend, list);
  }

  function view(app, { topic }) {
    const { parts, model } = app;
    const top = head(app, topic);
    const words = ezlda.topicWords.create(app, topic);
    return {
      title: `Topic ${topic}`,
      say: `Topic ${topic}, ${clip(parts.titleOf(topic, 5), 120)}, ${percent(model.share(topic))} of tokens` +
        (model.flags.get(topic) || []).map((flag) => `, flagged as ${flag.kind}`).join(""),
      node: el("article", { class: "topic" }, top.node, words.node, ezlda.topicWords.apart(app, topic), similar(app, topic),
        ezlda.topicTrend.create(app, topic), documents(app, topic)),
      update: (changed) => {
        if (changed.has("lambda")) words.update();
        if (changed.has("names")) top.sync();
      },
    };
  }

  ezlda.views.topic = view;
})();

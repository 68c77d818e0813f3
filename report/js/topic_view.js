// One topic: its number and name, its words, similar topics, its course over the fields, its documents.
(() => {
  const { el, bdi, button, value } = ezlda.dom;
  const { count, percent, score, clip, known } = ezlda.format;

  // The title is an input field: typing in it names the topic.
  function nameField({ model, state }, topic) {
    const given = () => state.now.names.get(topic) || "";
    const field = el("input", {
      class: "topic-name", id: "topic-name", type: "text", maxlength: "80", autocomplete: "off", spellcheck: "false",
      placeholder: model.nameOf(topic) || model.headWords(topic).slice(0, 3).map((word) => clip(word, 24)).join(" "),
      "aria-label": `Name of topic ${topic}`, title: "Give this topic a name",
      on: {
        change: () => state.setName(topic, field.value),
        keydown: (event) => {
          if (event.key !== "Enter" && event.key !== "Escape") return;
          if (event.key === "Escape") field.value = given();
          field.blur();
          event.stopPropagation();
        },
      },
    });
    field.value = given();
    return { field, sync: () => { if (document.activeElement !== field) field.value = given(); } };
  }

  function head({ model, state, parts }, topic, field) {
    const step = (by) => () => state.openTopic(model.stepFrom(topic, by));
    const alpha = model.topics.alpha[topic];
    const facts = [[percent(model.share(topic)), "of tokens"],
      [`${count(model.rankOf(topic))} of ${count(model.shownCount)}`, "by size"],
      [score(model.topics.coherence[topic]), "coherence"], [known(alpha) ? alpha.toPrecision(3) : "–", "α"]];
    return el("header", { class: "topic-head" },
      el("div", { class: "steps" },
        el("p", { class: "kicker" }, parts.swatch(parts.colourOf(topic)), `Topic ${topic}`),
        button("‹", "Previous topic (left arrow)", step(-1)), button("›", "Next topic (right arrow)", step(1))),
      el("h2", { class: "visually-hidden", text: `Topic ${topic}` }), field,
      ezlda.dom.figures(facts.filter(([text]) => text !== "–")),
      (model.flags.get(topic) || []).map(parts.flagNote));
  }

  function similar({ model, parts }, topic) {
    const list = model.similar(topic);
    if (!list.length) return null;
    const shared = (other) => {
      const words = model.sharedWords(topic, other, 6).map((item) => clip(model.text[item.word], 24));
      return words.length ? ["both: ", bdi(words.join(" "))] : ["no first words in common"];
    };
    return parts.section("Similar topics", null, el("ul", { class: "plain similar" }, list.map((item) =>
      el("li", {}, parts.topicLink(item.topic), parts.bar(item.similarity, { class: "bar small" }),
        value(item.similarity.toFixed(2)), el("p", { class: "shared note" }, shared(item.topic))))));
  }

  // Colours for the largest topics of these documents, this topic first.
  function coloursFor(topic, docs) {
    const weight = new Map();
    for (const doc of docs) for (const [other, share] of doc.mix) weight.set(other, (weight.get(other) || 0) + share);
    weight.set(topic, Infinity);
    return ezlda.palette.few([...weight].sort((a, b) => b[1] - a[1]).map(([other]) => other));
  }

  function documents({ model, state, parts }, topic) {
    const docs = model.documents.ofTopic(topic);
    if (!docs.length) return null;
    const colour = coloursFor(topic, docs);
    const row = (doc) => {
      const open = { type: "button", class: "document-link", "data-document": doc.number,
        on: { click: () => state.openDocument(doc.number) } };
      return el("li", {}, el("button", open,
        bdi(parts.documentName(doc), { class: "name" }),
        el("span", { class: "meta" }, doc.label ? bdi(clip(doc.label, 40)) : null, `${count(doc.tokens)} tokens`),
        parts.mixBar(doc.mix, colour), value(percent(doc.share))));
    };
    const legend = colour.topics.map((other) => parts.topicLink(other, { colour: colour(other), words: 2 }));
    return parts.section("Documents", "Documents with the largest share of this topic, and their other topics.",
      el("p", { class: "legend" }, legend), el("ol", { class: "plain documents" }, docs.map(row)));
  }

  function view(app, { topic }) {
    const { parts, model } = app;
    const { field, sync } = nameField(app, topic);
    const words = ezlda.topicWords.create(app, topic);
    const flags = (model.flags.get(topic) || []).map((flag) => `, flagged as ${flag.kind}`).join("");
    return {
      title: `Topic ${topic}`,
      say: `Topic ${topic}, ${clip(parts.titleOf(topic, 5), 120)}, ${percent(model.share(topic))} of tokens${flags}`,
      node: el("article", { class: "topic" }, head(app, topic, field), words.node, ezlda.topicWords.apart(app, topic),
        similar(app, topic), ezlda.topicTrend.create(app, topic), documents(app, topic)),
      update: (changed) => {
        if (changed.has("lambda")) words.update();
        if (changed.has("names")) sync();
      },
    };
  }

  ezlda.views.topic = view;
})();

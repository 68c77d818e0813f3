// One document: its fields, its topics, its text and its words in the colours of their topics.
(() => {
  const { el, bdi, value } = ezlda.dom;
  const { count, percent, clip } = ezlda.format;

  // Groups words by topic, largest topic first.
  function groups(bag) {
    const found = new Map();
    for (const [word, topic, tokens] of bag) {
      if (!found.has(topic)) found.set(topic, { topic, tokens: 0, words: new Map() });
      const group = found.get(topic);
      group.tokens += tokens;
      group.words.set(word, (group.words.get(word) || 0) + tokens);
    }
    return [...found.values()].sort((a, b) => b.tokens - a.tokens);
  }

  function word(topic, [text, tokens]) {
    const title = `Topic ${topic}, ${tokens} token${tokens === 1 ? "" : "s"}`;
    const raised = tokens > 1 ? el("sup", { text: tokens }) : null;
    return el("span", { class: "bag-word", title }, bdi(clip(text, 60)), raised);
  }

  // Why the words of a document are not shown.
  function wordless({ data }, doc) {
    if (!doc.tokens) return "The document is empty.";
    return data.documents.bag_kind === "none" ? "The report was made without the corpus, which contains the words."
      : "This page has words only for the first documents of topics; ezlda report --serve shows all.";
  }

  function words({ model, parts }, doc, colour) {
    if (!doc.bag || !doc.bag.length) return parts.section("Words", wordless(model, doc));
    const total = doc.bag.reduce((sum, [, , tokens]) => sum + tokens, 0) || 1;
    const list = groups(doc.bag).map(({ topic, tokens, words: found }) => el("li", { "data-topic": topic },
      el("header", {}, parts.topicLink(topic, { colour: colour(topic) }), value(percent(tokens / total))),
      el("p", { class: "bag", style: { "--topic": colour(topic) } },
        [...found].sort((a, b) => b[1] - a[1]).map((pair) => word(topic, pair)))));
    const source = model.data.documents.bag_kind === "kept" ? "Each token is shown in its topic at the end of training."
      : "The model did not keep the topics of tokens: each word is shown in its most likely topic here.";
    return parts.section("Words by topic", `${source} Raised numbers: tokens of the word.`,
      el("ul", { class: "plain bags" }, list));
  }

  // The fields that were kept with the document.
  function kept(doc) {
    const given = (doc.fields || []).filter(([, text]) => text);
    if (!given.length) return null;
    return el("dl", { class: "kept" }, given.map(([name, text]) =>
      el("div", {}, el("dt", {}, bdi(clip(name, 40))), el("dd", {}, bdi(clip(text, 200))))));
  }

  function show(app, doc) {
    const { parts } = app;
    const mix = doc.mix || [];
    const colour = ezlda.palette.few(mix.map(([topic]) => topic));
    const topics = mix.map(([topic, share]) =>
      el("li", {}, parts.topicLink(topic, { colour: colour(topic), words: 4 }), value(percent(share))));
    const written = doc.text ? ezlda.documentText.create(app, doc, colour) : null;
    const list = el("ul", { class: "plain largest" }, topics);
    const light = (event) => {
      const link = event.target.closest("[data-topic]");
      written.text.light(link && event.type !== "pointerout" && event.type !== "focusout" ? Number(link.dataset.topic) : -1);
    };
    if (written) for (const type of ["pointerover", "pointerout", "focusin", "focusout"]) list.addEventListener(type, light);
    return [
      el("header", { class: "lead" },
        el("p", { class: "kicker", text: parts.isLine(doc) ? "Document" : `Document ${doc.number}` }),
        el("h2", { class: "long" }, bdi(parts.documentName(doc))),
        el("p", { class: "meta" }, doc.label ? bdi(clip(doc.label, 80)) : null, `${count(doc.tokens)} tokens`),
        kept(doc)),
      parts.section("Topics", null, parts.mixBar(mix, colour), list),
      written ? written.node : null,
      words(app, doc, colour),
    ].filter(Boolean);
  }

  function view(app, { document: number }) {
    const node = el("article", { class: "document" }, el("p", { class: "wait", text: "Loading the document…" }));
    const say = (text, kind) => node.replaceChildren(el("p", { class: kind, text }));
    app.model.documents.get(number).then((doc) => {
      if (!doc) { say(`Document ${number} is not in this page; ezlda report --serve shows all.`, "none"); return; }
      node.replaceChildren(...show(app, doc));
      if (app.parts.isLine(doc)) ezlda.dom.announce(app.parts.documentName(doc));
      if (doc.mix && doc.mix.length && app.state.now.document === number) app.map.light(doc.mix);
    }).catch((error) => say(`Document ${number}: ${error.message}`, "error"));
    return { title: `Document ${number}`, say: `Document ${number}`, node };
  }

  ezlda.views.document = view;
})();

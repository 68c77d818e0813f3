// The documents of a topic in one step of time or one group, beside the charts.
(() => {
  const { el, bdi, value } = ezlda.dom;
  const { count, percent, clip, known } = ezlda.format;
  const MOST = 20;

  function row({ parts, state }, doc, colour) {
    const open = { type: "button", class: "document-link", "data-document": doc.number,
      on: { click: () => state.openDocument(doc.number) } };
    return el("li", {}, el("button", open, bdi(parts.documentName(doc), { class: "name" }),
      parts.mixBar(doc.mix, colour), value(percent(doc.share))));
  }

  function fill(app, home, { topic, docs, total }) {
    const { documents } = app.model;
    const colour = ezlda.palette.few([topic, ...docs.flatMap((doc) => doc.mix.slice(0, 2).map(([other]) => other))]);
    const some = documents.served || documents.count >= documents.all;
    const note = docs.length ? `${docs.length < MOST && some ? "Those" : "Some"} with the largest share of the topic, of ` +
      `${count(total)}${some ? "" : "; this page has only a part of the documents, ezlda report --serve all"}.`
      : some ? "No document has the topic among its largest."
        : "This page has none of them; ezlda report --serve shows all.";
    home.replaceChildren(el("p", { class: "note", text: note }),
      el("ol", { class: "plain documents" }, docs.map((doc) => row(app, doc, colour))));
  }

  // point: {field, series, topic, i}.
  function create(app, { field, series, topic, i }) {
    const { share, tokens, half } = series.of(topic), list = el("div", { class: "of-point" });
    const wanted = new Set(series.bins[i]), { documents } = app.model;
    const band = known(half[i]) ? ` ± ${percent(half[i])}` : "";
    const facts = [[known(share[i]) ? `${percent(share[i])}${band}` : "–", "of tokens"], [count(tokens[i]), "tokens"],
      [count(series.docs[i]), "documents"]];
    const show = (docs) => fill(app, list, { topic, docs, total: series.docs[i] });
    show(documents.inBins(field.index, wanted, topic, MOST));
    if (documents.served && wanted.size) {
      documents.askBins(field.index, wanted, topic).then((docs) => show(docs.slice(0, MOST)))
        .catch((error) => list.prepend(el("p", { class: "error", text: error.message })));
    }
    return el("section", { class: "part", "aria-label": "Documents of a point" },
      el("p", { class: "kicker" }, `${clip(field.name, 40)} `, bdi(clip(series.texts[i], 60))),
      el("h3", {}, app.parts.topicLink(topic, { words: 4 })), ezlda.dom.figures(facts), list);
  }

  ezlda.trendDocuments = { create };
})();

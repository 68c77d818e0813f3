// Documents that a served report has found: a list with pieces of their texts, and counts by topic and field that narrow
// the query down.
(() => {
  const { el, bdi, value } = ezlda.dom;
  const { count, percent, clip, isolated } = ezlda.format;

  // Pieces by turns plain and found.
  const snippet = (pieces) => el("p", { class: "snippet" }, pieces.map((piece, i) =>
    (i % 2 ? el("mark", { text: piece }) : piece)));

  function row({ parts, state }, doc) {
    const colour = ezlda.palette.few(doc.mix.map(([topic]) => topic));
    const fields = doc.fields.filter(([, text]) => text).map(([name, text]) => bdi(clip(text, 60), { title: clip(name, 40) }));
    return el("li", {},
      el("button", { type: "button", class: "found", on: { click: () => state.openDocument(doc.number) } },
        el("span", { class: "name" }, bdi(parts.documentName(doc))),
        doc.snippet ? snippet(doc.snippet) : null,
        el("span", { class: "meta" }, doc.label ? bdi(clip(doc.label, 60)) : null, fields, `${count(doc.tokens)} tokens`),
        parts.mixBar(doc.mix, colour)));
  }

  // One value of a facet: pressing it adds its query to the present one.
  function facetRow(narrow, most, label, docs, query, swatch) {
    return el("li", {}, el("button", { type: "button", class: "facet", disabled: !query,
      "aria-label": `${label}: ${docs}. Narrow down to it.`, on: { click: () => narrow(query) } },
    swatch, el("span", { class: "label" }, bdi(clip(label, 60))), value(docs),
    el("span", { class: "bar", "aria-hidden": "true" }, el("span", { style: { width: `${100 * most}%` } }))));
  }

  function facet(name, values, narrow) {
    const most = Math.max(1, ...values.map((item) => item.docs));
    const list = el("ul", { class: "plain" }, values.map((item) =>
      facetRow(narrow, item.docs / most, item.text, count(item.docs), item.query, null)));
    return el("details", { open: true }, el("summary", {}, bdi(clip(name, 40))), list);
  }

  function topics({ parts }, found, narrow) {
    const most = Math.max(1e-9, ...found.topics.map(([, share]) => share));
    return el("details", { open: true }, el("summary", { text: "Topics" }), el("ul", { class: "plain" },
      found.topics.map(([topic, share]) => facetRow(narrow, share / most, `${topic} ${parts.titleOf(topic, 4)}`,
        percent(share), `topic:${topic}`, parts.swatch(parts.colourOf(topic))))));
  }

  const facets = (app, found, narrow) => [topics(app, found, narrow),
    ...found.facets.map(({ name, values }) => facet(name, values, narrow))].filter((node) => node.querySelector("li"));

  // What the line above the results says.
  function summary(found) {
    const ignored = found.ignored.length ? ` Not in the vocabulary, so ignored: ${found.ignored.map((word) =>
      isolated(clip(word, 30))).join(", ")}.` : "";
    return `${count(found.total)} document${found.total === 1 ? "" : "s"}.${ignored}`;
  }

  // A query with one more condition: alternatives that are not in brackets get them, as AND comes before OR.
  function narrowed(query, more) {
    let open = query.replace(/"[^"]*"?/g, " ");
    for (let before = ""; before !== open;) [before, open] = [open, open.replace(/\([^()]*\)/g, " ")];
    return [/(^|\s)OR(\s|$)/.test(open) ? `(${query})` : query, more].filter(Boolean).join(" ");
  }

  ezlda.findResults = { row, facets, summary, narrowed };
})();

// Tables about what a served report has found: documents and a topic by the values of one or two fields, and how two
// results differ.
(() => {
  const { el, bdi, value } = ezlda.dom;
  const { count, percent, clip } = ezlda.format;

  const shareOf = ([docs, tokens, own], topic) => (topic >= 0 ? (tokens ? own / tokens : 0) : docs);
  const shown = (cell, topic) => (topic >= 0 ? (cell[0] ? percent(shareOf(cell, topic)) : "") : cell[0] ? count(cell[0]) : "");

  // A link that narrows the query down, if there is a query for it.
  const narrowing = (narrow, text, query) => (query ? el("button", { type: "button", class: "word-link",
    on: { click: () => narrow(query) } }, bdi(clip(text, 40))) : bdi(clip(text, 40)));

  function cellOf(cell, most, topic) {
    const strength = most ? Math.min(1, shareOf(cell, topic) / most) : 0;
    return el("td", { class: "value", title: `${count(cell[0])} documents, ${count(cell[1])} tokens`,
      style: { "--strength": `${Math.round(strength * 55)}%` }, text: shown(cell, topic) });
  }

  function table(found, { rows, topic, narrow }) {
    const inner = found.columns.length > 0;
    const cells = found.rows.flatMap((row) => (inner ? row.cells : [row.all]));
    const most = Math.max(0, ...cells.map((cell) => shareOf(cell, topic)));
    const heads = [el("th", { scope: "col" }, bdi(clip(rows, 40))), el("th", { scope: "col", class: "value", text: "all" }),
      ...found.columns.map((column) => el("th", { scope: "col", class: "value" }, narrowing(narrow, column.text, column.query)))];
    const body = found.rows.map((row) => el("tr", {},
      el("th", { scope: "row" }, narrowing(narrow, row.text, row.query)),
      inner ? el("td", { class: "value", text: shown(row.all, topic) }) : cellOf(row.all, most, topic),
      row.cells.map((cell) => cellOf(cell, most, topic))));
    return el("div", { class: "find-table", tabindex: 0, role: "region", "aria-label": "Table" },
      el("table", {}, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, body)));
  }

  // Topics by how much their shares differ.
  function differences(a, b) {
    const shares = new Map();
    for (const [topic, share] of a) shares.set(topic, [share, 0]);
    for (const [topic, share] of b) shares.set(topic, [(shares.get(topic) || [0])[0], share]);
    return [...shares].map(([topic, [x, y]]) => ({ topic, x, y })).sort((p, q) => Math.abs(q.x - q.y) - Math.abs(p.x - p.y));
  }

  function words(title, list) {
    return el("section", {}, el("h3", { text: title }), list.length
      ? el("ul", { class: "plain chips" }, list.map(([word, tokens]) =>
        el("li", { class: "chip", title: `${count(tokens)} tokens` }, bdi(clip(word, 40)))))
      : el("p", { class: "none", text: "None." }));
  }

  function compared({ parts }, found) {
    const { a, b } = found;
    const list = differences(a.topics, b.topics).slice(0, 20);
    const most = Math.max(1e-9, ...list.map(({ x, y }) => Math.max(x, y)));
    const bar = (share, side) => el("span", { class: `bar ${side}`, "aria-hidden": "true" },
      el("span", { style: { width: `${100 * share / most}%` } }));
    const rows = list.map(({ topic, x, y }) => el("tr", {},
      el("td", { class: "value", text: percent(x) }), el("td", {}, bar(x, "left")), el("th", { scope: "row" }, parts.topicLink(topic)),
      el("td", {}, bar(y, "right")), el("td", { class: "value", text: percent(y) })));
    const counted = (side) => (side.counted < side.total ? `, words of ${count(side.counted)}` : "");
    return [el("p", { class: "note", text: `First: ${count(a.total)} documents${counted(a)}. Second: ${count(b.total)}${counted(b)}.` }),
      el("table", { class: "compared" }, el("caption", { class: "visually-hidden", text: "Shares of topics in both" }),
        el("tbody", {}, rows)),
      el("div", { class: "sides" }, words("More in the first", found.words_a), words("More in the second", found.words_b))];
  }

  // The same as rows of a file: documents, tokens and, if a topic is counted, its tokens.
  function tableRows(found, rows, topic) {
    const kinds = ["documents", "tokens", ...(topic >= 0 ? [`tokens of topic ${topic}`] : [])];
    const heads = ["all", ...found.columns.map((column) => column.text)];
    return [[rows, ...heads.flatMap((head) => kinds.map((kind) => `${head}: ${kind}`))],
      ...found.rows.map((row) => [row.text, ...[row.all, ...row.cells].flatMap((cell) => cell.slice(0, kinds.length))])];
  }

  const comparedRows = ({ a, b }) => [["topic", "share in the first", "share in the second"],
    ...differences(a.topics, b.topics).map(({ topic, x, y }) => [topic, x, y])];

  // A value that a spreadsheet would run as a formula gets an apostrophe before it.
  const field = (value) => {
    const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text;
  };
  const csv = (rows) => rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");

  ezlda.findTables = { table, compared, tableRows, comparedRows, csv };
})();

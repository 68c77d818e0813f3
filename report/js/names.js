// Names that the user gave to topics: listed, linked to, taken away as files, cleared. They live in the page's address.
(() => {
  const { el, bdi } = ezlda.dom;
  const { clip } = ezlda.format;

  function save(name, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = el("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  const rowsOf = (state) => [...state.now.names].sort((a, b) => a[0] - b[0]);
  const asTable = (state) => `topic\tname\n${rowsOf(state).map(([topic, name]) => `${topic}\t${name}\n`).join("")}`;
  const asJson = ({ model, state }) => `${JSON.stringify({ title: model.data.title, topics_hash: model.facts.topics_hash,
    names: Object.fromEntries(rowsOf(state)) }, null, 1)}\n`;

  function create(app) {
    const { model, state, parts } = app;
    const body = el("div");
    const dialog = el("dialog", { class: "dialog", "aria-labelledby": "names-title" }, body);
    document.body.append(dialog);

    function fill() {
      const rows = rowsOf(state);
      const act = (text, call) => el("button", { type: "button", class: "plain-button", text, on: { click: call }, disabled: rows.length === 0 });
      const copy = act("Copy link", () => navigator.clipboard.writeText(location.href.split("#")[0] + state.address())
        .then(() => { copy.textContent = "Copied"; }, () => { copy.textContent = "Copy the page’s address instead"; }));
      body.replaceChildren(el("h2", { id: "names-title", text: "Topic names" }),
        el("p", { class: "note", text: rows.length ? "Names are kept in the page’s address: the link carries them along."
          : "No topic has a name yet. Open a topic and type over its first words, or press n." }),
        el("ul", { class: "plain names" }, rows.map(([topic, name]) => el("li", {},
          parts.swatch(parts.colourOf(topic)), el("span", { class: "number", text: topic }), bdi(name, { class: "given" }),
          el("button", { type: "button", class: "quiet", text: "Remove", "aria-label": `Remove the name of topic ${topic}`,
            on: { click: () => { state.setName(topic, ""); fill(); } } })))),
        el("p", { class: "actions" }, act("Save as TSV", () => save("topic-names.tsv", "text/tab-separated-values", asTable(state))),
          act("Save as JSON", () => save("topic-names.json", "application/json", asJson(app))), copy,
          el("button", { type: "button", class: "plain-button primary", text: "Close", on: { click: () => dialog.close() } })));
    }

    const opener = el("button", { type: "button", class: "tool", id: "names", on: { click: () => { fill(); dialog.showModal(); } } });
    function label() {
      const n = state.now.names.size;
      opener.textContent = n ? `Names ${n}` : "Names";
      opener.title = `Topic names${n ? `: ${n} given` : ""}`;
    }
    label();
    state.listen((now, changed) => {
      if (!changed.has("names")) return;
      label();
      ezlda.dom.announce(`${clip(String(now.names.size), 8)} topics named`);
    });
    return { opener, asTable: () => asTable(state), asJson: () => asJson(app) };
  }

  ezlda.createNames = create;
})();

// Names that the user gave to topics: lists them, links to them, saves them as files, removes them. They are kept in
// the page's address.
(() => {
  const { el, bdi } = ezlda.dom;

  function save(name, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = el("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  const rowsOf = (state) => [...state.now.names].sort((a, b) => a[0] - b[0]);

  const asTable = ({ state }) => ["topic\tname", ...rowsOf(state).map((row) => row.join("\t")), ""].join("\n");

  function asJson({ model, state }) {
    const names = Object.fromEntries(rowsOf(state));
    return `${JSON.stringify({ title: model.data.title, topics_hash: model.facts.topics_hash, names }, null, 1)}\n`;
  }

  function create(app) {
    const { state, parts } = app;
    const dialog = el("dialog", { class: "dialog", "aria-labelledby": "names-title" });
    document.body.append(dialog);

    const row = ([topic, name]) => el("li", {},
      parts.swatch(parts.colourOf(topic)), el("span", { class: "number", text: topic }), bdi(name, { class: "given" }),
      el("button", { type: "button", class: "quiet", text: "Remove", "aria-label": `Remove the name of topic ${topic}`,
        on: { click: () => { state.setName(topic, ""); fill(); } } }));

    function copyLink(event) {
      const { target } = event;
      navigator.clipboard.writeText(location.href.split("#")[0] + state.address()).then(
        () => { target.textContent = "Copied"; },
        () => { target.textContent = "Copy the page’s address instead"; });
    }

    function fill() {
      const rows = rowsOf(state);
      const act = (text, click) =>
        el("button", { type: "button", class: "plain-button", text, disabled: rows.length === 0, on: { click } });
      const note = rows.length ? "Names are kept in the page’s address, so the link includes them."
        : "No topic has a name yet. Open a topic and type over its first words, or press n.";
      dialog.replaceChildren(
        el("h2", { id: "names-title", text: "Topic names" }), el("p", { class: "note", text: note }),
        el("ul", { class: "plain names" }, rows.map(row)),
        el("p", { class: "actions" },
          act("Save as TSV", () => save("topic-names.tsv", "text/tab-separated-values", asTable(app))),
          act("Save as JSON", () => save("topic-names.json", "application/json", asJson(app))),
          act("Copy link", copyLink), parts.closeButton(dialog)));
    }

    const open = () => { fill(); dialog.showModal(); };
    const opener = el("button", { type: "button", class: "tool", id: "names", on: { click: open } });
    function label() {
      const n = state.now.names.size;
      opener.textContent = n ? `Names ${n}` : "Names";
      opener.title = n ? `Topic names: ${n}` : "Topic names";
    }
    label();
    state.listen((now, changed) => {
      if (!changed.has("names")) return;
      label();
      ezlda.dom.announce(`Topics with a name: ${now.names.size}`);
    });
    return { opener };
  }

  ezlda.createNames = create;
})();

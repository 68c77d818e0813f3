// The search over all documents that `ezlda serve` adds to the page: a query, then its documents, a table or a comparison
// with another query. The address keeps the whole view.
(() => {
  const { el, choice, rested } = ezlda.dom;
  const { count } = ezlda.format;

  const SHOWS = [["documents", "Documents"], ["table", "Table"], ["compare", "Compare"]];
  const HELP = [["court law", "both words"], ["court OR law", "one of them"], ["-law", "not this word"],
    ["\"supreme court\"", "these words next to each other"], ["hous*", "words that begin like this"],
    ["author:smith", "a field has this word"], ["author:=\"Ann Smith\"", "a field is exactly this"],
    ["year:1990..2000", "a field from … to …"], ["topic:7", "the topic has a tenth of the document or more"],
    ["topic:7>30%", "more than this share"], ["(a OR b) -c", "brackets"]];

  const read = (text) => {
    const all = new URLSearchParams(text);
    return (name, fallback = "") => all.get(name) || fallback;
  };

  function write(values) {
    const all = new URLSearchParams();
    for (const [name, text] of Object.entries(values)) if (text) all.set(name, text);
    return all.toString();
  }

  async function ask(what, values) {
    const answer = await fetch(`api/${what}?${write(values) || "query="}`);
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(body.error || `The server answered ${answer.status}.`);
    return body;
  }

  function select(label, options, chosen, change) {
    const node = el("select", { "aria-label": label, on: { change: () => change(node.value) } },
      options.map(([name, text]) => el("option", { value: name, text, selected: name === chosen })));
    return el("label", {}, el("span", { text: label }), node);
  }

  async function exported(values, format) {
    const answer = await fetch(`api/export?${write({ ...values, format })}`);
    if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).error || `The server answered ${answer.status}.`);
    return answer.blob();
  }

  function save(blob, name) {
    const link = el("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  let about = null; // fields and limits, which do not change

  function view(app) {
    const { state, model } = app;
    const now = () => read(state.now.find);
    const set = (patch) => {
      const at = now();
      const names = ["q", "show", "sort", "rows", "columns", "topic", "step", "b"];
      state.set({ find: write({ ...Object.fromEntries(names.map((name) => [name, at(name)])), ...patch }) });
    };
    const narrow = (query) => set({ q: ezlda.findResults.narrowed(now()("q"), query) });

    const input = el("input", { type: "search", id: "find-query", autocomplete: "off", spellcheck: "false",
      "aria-label": "Query", placeholder: "court \"new york\" topic:7 year:1990..2000" });
    const form = el("form", { class: "find-form", role: "search", on: { submit: (event) => {
      event.preventDefault();
      set({ q: input.value.trim() });
    } } }, input, el("button", { type: "submit", class: "plain-button primary", text: "Search" }));
    const help = el("details", { class: "find-help" }, el("summary", { text: "What can be asked" }),
      el("dl", {}, HELP.map(([query, what]) => el("div", {}, el("dt", {}, el("code", { text: query })), el("dd", { text: what })))));
    const said = el("p", { class: "find-said", role: "status" });
    const controls = el("div", { class: "find-controls" });
    const aside = el("aside", { class: "facets", "aria-label": "Narrow down" });
    const body = el("div", { class: "find-body" });
    let asked = 0;

    const fields = (kinds) => about.fields.filter((field) => kinds.includes(field.kind) && (field.faceted || field.kind !== "text"));
    const named = (list) => list.map((field) => [field.name, field.name]);

    function sorts() {
      const topics = [...now()("q").matchAll(/\btopic:(\d+)/g)].map((found) => [`topic:${found[1]}`, `share of topic ${found[1]}`]);
      return [["best", "best match"], ["number", "their order"], ...topics,
        ...about.fields.flatMap(({ name }) => [[name, `${name}, first to last`], [`-${name}`, `${name}, last to first`]])];
    }

    // The controls of the present way to show, and the buttons that save.
    function control() {
      const at = now(), show = at("show", "documents");
      const topicList = [["", "documents"], ...Array.from(model.shown(), (topic) =>
        [String(topic), `topic ${topic} ${app.parts.titleOf(topic, 3)}`])];
      const own = {
        documents: () => [select("Sort by", sorts(), at("sort", "best"), (sort) => set({ sort }))],
        table: () => [
          select("Rows", named(fields(["date", "number", "text"])), rowsOf(), (rows) => set({ rows })),
          select("Columns", [["", "none"], ...named(fields(["text", "number", "date"]))], at("columns"), (columns) => set({ columns })),
          select("Count", topicList, at("topic"), (topic) => set({ topic })),
          select("Step", ["", "year", "quarter", "month", "day"].map((step) => [step, step || "auto"]), at("step"), (step) => set({ step }))],
        compare: () => {
          const other = el("input", { type: "search", value: at("b"), "aria-label": "Second query", placeholder: "topic:4",
            on: { change: () => set({ b: other.value.trim() }) } });
          other.value = at("b");
          return [el("label", {}, el("span", { text: "With" }), other)];
        },
      };
      const failed = (error) => { said.textContent = error.message; };
      const saved = (format) => el("button", { type: "button", class: "plain-button", text: format.toUpperCase(),
        title: show === "documents" ? `Save the first ${count(about.most)} documents as ${format.toUpperCase()}`
          : `Save what is shown as ${format.toUpperCase()}`,
        on: { click: () => saveShown(format).catch(failed) } });
      controls.replaceChildren(choice("Show", SHOWS, show, (name) => set({ show: name })), ...own[show in own ? show : "documents"](),
        el("span", { class: "export" }, "Save ", saved("csv"), saved("json")));
    }

    let kept = null; // the table that is shown: the answer of the server, and its rows
    async function saveShown(format) {
      const at = now();
      const blob = kept ? new Blob([format === "csv" ? ezlda.findTables.csv(kept.rows) : JSON.stringify(kept.found)],
        { type: format === "csv" ? "text/csv" : "application/json" })
        : await exported({ query: at("q"), sort: at("sort") }, format);
      save(blob, `${kept ? "table" : "documents"}.${format}`);
    }

    const rowsOf = () => now()("rows") || (fields(["date"])[0] || fields(["number", "text"])[0] || { name: "" }).name;

    async function documents(ticket) {
      const at = now(), values = { query: at("q"), sort: at("sort") };
      const found = await ask("find", values);
      if (ticket !== asked) return;
      said.textContent = ezlda.findResults.summary(found);
      aside.replaceChildren(...ezlda.findResults.facets(app, found, narrow));
      const list = el("ul", { class: "plain results-list" }, found.documents.map((doc) => ezlda.findResults.row(app, doc)));
      const more = el("button", { type: "button", class: "plain-button", text: "More", on: { click: async () => {
        const first = list.children.length;
        const next = await ask("find", { ...values, from: String(first) });
        list.append(...next.documents.map((doc) => ezlda.findResults.row(app, doc)));
        more.hidden = !next.documents.length || list.children.length >= found.total;
        if (next.documents.length) list.children[first].querySelector("button").focus();
      } } });
      more.hidden = list.children.length >= found.total;
      body.replaceChildren(list, more);
    }

    async function table(ticket) {
      const at = now();
      if (!rowsOf()) throw new Error("The documents have no fields (ezlda import --keep-fields).");
      const found = await ask("cross", { query: at("q"), rows: rowsOf(), columns: at("columns"), topic: at("topic"), step: at("step") });
      if (ticket !== asked) return;
      const topic = at("topic") === "" ? -1 : Number(at("topic"));
      kept = { found, rows: ezlda.findTables.tableRows(found, rowsOf(), topic) };
      said.textContent = ezlda.findResults.summary(found);
      aside.replaceChildren();
      body.replaceChildren(ezlda.findTables.table(found, { rows: rowsOf(), topic, narrow: (query) =>
        set({ q: ezlda.findResults.narrowed(at("q"), query), show: "documents" }) }));
    }

    async function compare(ticket) {
      const at = now();
      const found = await ask("compare", { a: at("q") || " ", b: at("b") || " " });
      if (ticket !== asked) return;
      said.textContent = "";
      kept = { found, rows: ezlda.findTables.comparedRows(found) };
      aside.replaceChildren();
      body.replaceChildren(...ezlda.findTables.compared(app, found));
    }

    async function refresh() {
      const ticket = ++asked;
      kept = null;
      input.value = now()("q");
      article.setAttribute("aria-busy", "true");
      try {
        about = about || await ask("fields", {});
        if (ticket !== asked) return;
        control();
        await ({ table, compare }[now()("show")] || documents)(ticket);
        if (ticket === asked) ezlda.dom.announce(said.textContent);
      } catch (error) {
        if (ticket !== asked) return;
        said.textContent = error.message;
        aside.replaceChildren();
        body.replaceChildren();
      }
      article.removeAttribute("aria-busy");
    }

    const article = el("article", { class: "find" }, el("header", { class: "lead" },
      el("h2", { text: "All documents" }), form, help, controls, said), el("div", { class: "find-main" }, aside, body));
    const soon = rested(refresh, 0);
    soon();
    return { title: "Search", node: article, update: (changed) => { if (changed.has("find")) soon(); },
      focus: () => { input.focus(); input.select(); } };
  }

  ezlda.views.find = view;
})();

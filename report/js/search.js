// One box for topics, words and documents, as a combobox: type, walk with the arrows, open with Enter.
(() => {
  const { el, bdi, rested, value } = ezlda.dom;
  const { count, percent, clip } = ezlda.format;
  const MOST = { topics: 5, words: 8, documents: 6 };

  // Looks for a text in the vocabulary: the word itself, words that begin with it, words that hold it.
  function wordFinder(text) {
    let lower = null;
    return (query, most) => {
      lower = lower || text.map((word) => word.toLowerCase());
      const same = [], begins = [], holds = [];
      for (let i = 0; i < lower.length && begins.length < most; i++) {
        const where = lower[i].indexOf(query);
        if (where > 0 && holds.length < most) holds.push(i);
        else if (where === 0) (lower[i].length === query.length ? same : begins).push(i);
      }
      return [...same, ...begins, ...holds].slice(0, most);
    };
  }

  // Topics by their number or by the name that the user gave.
  function findTopics({ model, state }, query, most) {
    const found = /^\d+$/.test(query) && Number(query) < model.K ? [Number(query)] : [];
    for (const [topic, name] of state.now.names) {
      if (name.toLowerCase().includes(query) && !found.includes(topic)) found.push(topic);
    }
    return found.slice(0, most);
  }

  // What a result shows and what it opens, by kind.
  function rows({ model, state, parts }) {
    return {
      topic: (topic) => ({
        open: () => state.openTopic(topic),
        children: [parts.swatch(parts.colourOf(topic)), el("span", { class: "number", text: topic }),
          bdi(parts.titleOf(topic, 4)), value(percent(model.share(topic)))],
      }),
      word: (word) => ({
        open: () => state.openWord(word),
        children: [bdi(clip(model.text[word], 50), { class: "name" }),
          el("span", { class: "in" }, model.wordTopics(word).slice(0, 3).map((item) =>
            el("span", { class: "chip", text: item.topic }))),
          value(count(model.vocabulary.tokens[word]))],
      }),
      document: (doc) => ({
        open: () => state.openDocument(doc.number),
        children: [bdi(clip(parts.documentName(doc), 90), { class: "name" }), value(clip(doc.label || "", 16))],
      }),
    };
  }

  function create(app, home) {
    const { documents } = app.model;
    const findWords = wordFinder(app.model.text);
    const row = rows(app);
    const input = el("input", {
      type: "search", id: "query", role: "combobox", autocomplete: "off", spellcheck: "false", "aria-label": "Search",
      "aria-expanded": "false", "aria-controls": "results", "aria-autocomplete": "list",
      placeholder: documents.count || documents.served ? "Search words, topics, documents" : "Search words and topics",
    });
    const results = el("div", { class: "results", id: "results", role: "listbox", "aria-label": "Results" });
    let options = [], active = -1, asked = 0;

    function option(kind, item) {
      const { open: opens, children } = row[kind](item);
      const index = options.length;
      const node = el("div", {
        class: `result ${kind}`, role: "option", id: `result-${index}`, "aria-selected": "false",
        on: { pointerdown: (event) => event.preventDefault(), click: () => choose(index) },
      }, children);
      options.push({ node, opens });
      return node;
    }

    function group(title, kind, items) {
      if (!items.length) return [];
      return [el("div", { role: "group", "aria-label": title },
        el("p", { class: "group", "aria-hidden": "true", text: title }), items.map((item) => option(kind, item)))];
    }

    function show(query, found) {
      options = [];
      active = -1;
      const groups = [...group("Topics", "topic", findTopics(app, query, MOST.topics)),
        ...group("Words", "word", findWords(query, MOST.words)), ...group("Documents", "document", found)];
      results.replaceChildren(...(groups.length ? groups : [el("p", { class: "nothing", text: "Nothing found." })]));
      open(true);
      ezlda.dom.announce(`${options.length} results`);
      if (options.length) mark(0);
    }

    // Where the server does not answer, what the page itself found stays.
    const ask = rested((query, ticket) => documents.findServed(query).then((found) => {
      if (ticket === asked && !results.hidden) show(query, found.slice(0, MOST.documents));
    }).catch(() => {}), 150);

    function look() {
      const query = input.value.trim().toLowerCase();
      asked += 1;
      if (!query) { open(false); return; }
      show(query, documents.served ? [] : documents.find(query, MOST.documents));
      if (documents.served) ask(query, asked);
    }

    function open(visible) {
      results.hidden = !visible;
      input.setAttribute("aria-expanded", String(visible));
      if (!visible) input.removeAttribute("aria-activedescendant");
    }

    function mark(to) {
      if (active >= 0) options[active].node.setAttribute("aria-selected", "false");
      active = (to + options.length) % options.length;
      const { node } = options[active];
      node.setAttribute("aria-selected", "true");
      node.scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", node.id);
    }

    function choose(which) {
      if (!options[which]) return;
      open(false);
      options[which].opens();
      input.value = "";
      input.blur();
    }

    // The first Escape closes the results, the second leaves the box.
    function escape() {
      if (!results.hidden) { open(false); return; }
      input.value = "";
      input.blur();
    }

    const KEYS = { ArrowDown: () => { if (options.length) mark(active + 1); },
      ArrowUp: () => { if (options.length) mark(active - 1); }, Enter: () => choose(active), Escape: escape };
    input.addEventListener("keydown", (event) => {
      if (!Object.hasOwn(KEYS, event.key)) return;
      KEYS[event.key]();
      event.preventDefault();
      event.stopPropagation();
    });
    input.addEventListener("input", look);
    input.addEventListener("focus", () => { if (input.value.trim()) look(); });
    input.addEventListener("blur", () => open(false));
    open(false);
    home.append(input, el("kbd", { text: "/", "aria-hidden": "true" }), results);
    return { focus: () => { input.focus(); input.select(); } };
  }

  ezlda.createSearch = create;
})();

// One box for topics, words and documents, as a combobox: type, walk with the arrows, open with Enter.
(() => {
  const { el, bdi, rested } = ezlda.dom;
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
        if (where < 0) continue;
        if (where > 0) { if (holds.length < most) holds.push(i); } else (lower[i].length === query.length ? same : begins).push(i);
      }
      return [...same, ...begins, ...holds].slice(0, most);
    };
  }

  function findTopics({ model, state }, query, most) {
    const found = [];
    if (/^\d+$/.test(query) && Number(query) < model.K) found.push(Number(query));
    for (const [topic, name] of state.now.names) if (name.toLowerCase().includes(query) && !found.includes(topic)) found.push(topic);
    return found.slice(0, most);
  }

  function create(app, home) {
    const { model, state, parts } = app;
    const findWords = wordFinder(model.text);
    const many = model.documents.count > 0 || model.documents.served;
    const input = el("input", { type: "search", id: "query", role: "combobox", "aria-expanded": "false", "aria-controls": "results",
      "aria-autocomplete": "list", "aria-label": "Search", autocomplete: "off", spellcheck: "false",
      placeholder: many ? "Search words, topics, documents" : "Search words and topics" });
    const results = el("div", { class: "results", id: "results", role: "listbox", "aria-label": "Results", hidden: true });
    let options = [], active = -1, asked = 0;

    function option(kind, open, children) {
      const node = el("div", { class: `result ${kind}`, role: "option", id: `result-${options.length}`, "aria-selected": "false",
        on: { pointerdown: (event) => event.preventDefault(), click: () => choose(options.findIndex((o) => o.node === node)) } }, children);
      options.push({ node, open });
      return node;
    }

    const group = (title, nodes) => (nodes.length
      ? el("div", { role: "group", "aria-label": title }, el("p", { class: "group", "aria-hidden": "true", text: title }), nodes) : null);

    const topicOption = (topic) => option("topic", () => state.openTopic(topic), [parts.swatch(parts.colourOf(topic)),
      el("span", { class: "number", text: topic }), bdi(parts.titleOf(topic, 4)), el("span", { class: "value", text: percent(model.share(topic)) })]);

    function wordOption(word) {
      const topics = model.wordTopics(word).slice(0, 3);
      return option("word", () => state.openWord(word), [bdi(clip(model.text[word], 50), { class: "name" }),
        el("span", { class: "in" }, topics.map((item) => el("span", { class: "chip", text: item.topic }))),
        el("span", { class: "value", text: count(model.vocabulary.tokens[word]) })]);
    }

    const documentOption = (doc) => option("document", () => state.openDocument(doc.number),
      [bdi(clip(parts.documentName(doc), 90), { class: "name" }), el("span", { class: "value", text: doc.label ? clip(doc.label, 16) : "" })]);

    function show(query, documents) {
      options = [];
      active = -1;
      const groups = [group("Topics", findTopics(app, query, MOST.topics).map(topicOption)),
        group("Words", findWords(query, MOST.words).map(wordOption)), group("Documents", documents.map(documentOption))].filter(Boolean);
      results.replaceChildren(...(groups.length ? groups : [el("p", { class: "nothing", text: "Nothing found." })]));
      open(true);
      ezlda.dom.announce(`${options.length} results`);
      if (options.length) mark(0);
    }

    const ask = rested((query, ticket) => model.documents.findServed(query).then((documents) => {
      if (ticket === asked && !results.hidden) show(query, documents.slice(0, MOST.documents));
    }).catch(() => { /* the words and topics stay; a search without a server finds no documents */ }), 150);

    function look() {
      const query = input.value.trim().toLowerCase();
      asked += 1;
      if (!query) { open(false); return; }
      show(query, model.documents.served ? [] : model.documents.find(query, MOST.documents));
      if (model.documents.served) ask(query, asked);
    }

    function open(visible) {
      results.hidden = !visible;
      input.setAttribute("aria-expanded", String(visible));
      if (!visible) input.removeAttribute("aria-activedescendant");
    }

    function mark(to) {
      if (active >= 0 && options[active]) options[active].node.setAttribute("aria-selected", "false");
      active = (to + options.length) % options.length;
      options[active].node.setAttribute("aria-selected", "true");
      options[active].node.scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", options[active].node.id);
    }

    function choose(which) {
      if (!options[which]) return;
      open(false);
      options[which].open();
      input.value = "";
      input.blur();
    }

    input.addEventListener("input", look);
    input.addEventListener("focus", () => { if (input.value.trim()) look(); });
    input.addEventListener("blur", () => open(false));
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" && options.length) mark(active + 1);
      else if (event.key === "ArrowUp" && options.length) mark(active - 1);
      else if (event.key === "Enter") choose(active);
      else if (event.key === "Escape") { if (!results.hidden) open(false); else { input.value = ""; input.blur(); } } else return;
      event.preventDefault();
      event.stopPropagation();
    });
    home.append(el("label", { class: "visually-hidden", for: "query", text: "Search" }), input,
      el("kbd", { text: "/", "aria-hidden": "true" }), results);
    return { focus: () => { input.focus(); input.select(); } };
  }

  ezlda.createSearch = create;
})();

// One search box for topics, words and documents, as a combobox: type, move with the arrow keys, open with Enter.
(() => {
  const { el, bdi, rested, value } = ezlda.dom;
  const { count, percent, clip, fold } = ezlda.format;
  const MOST = { topics: 5, words: 8, documents: 6 };

  // Searches the vocabulary: the word itself, first as it is spelled, then with other accents; then words that begin
  // with it and words that contain it.
  function wordFinder(text) {
    let folded = null;
    return (typed, most) => {
      folded = folded || text.map(fold);
      const query = fold(typed), found = [[], [], [], []];
      for (let i = 0; i < folded.length; i++) {
        const where = folded[i].indexOf(query);
        if (where < 0) continue;
        const whole = folded[i].length === query.length;
        found[whole ? Number(text[i].toLowerCase() !== typed) : where ? 3 : 2].push(i);
      }
      return found.flat().slice(0, most);
    };
  }

  // Finds topics by number ("12", "topic 12") or by their names.
  function findTopics({ model, state }, query, most) {
    const number = /^(?:topic\s*)?(\d+)$/.exec(query);
    const found = number ? [Number(number[1])].filter((topic) => topic < model.K && !model.hidden.has(topic)) : [];
    const names = Array.from(model.shown(), (topic) => [topic, state.now.names.get(topic) || model.nameOf(topic)]);
    for (const [topic, name] of names) {
      if (name && fold(name).includes(query) && !found.includes(topic)) found.push(topic);
    }
    return found.slice(0, most);
  }

  // What a search in this page cannot find; empty if it finds everything. A server has all documents, but no more
  // words.
  function limits({ text, facts, vocabulary, documents }) {
    const { count: here, all, served } = documents;
    const tokens = vocabulary.tokens.reduce((sum, own) => sum + own, 0);
    const said = [];
    if (here && here < all && !served) {
      said.push(`This page has ${count(here)} of ${count(all)} documents; ezlda report --serve finds all.`);
    }
    if (tokens < facts.tokens) {
      said.push(`This page has the ${count(text.length)} most frequent of ${count(facts.words)} words.`);
    }
    return said.join(" ");
  }

  // The content of a result and what it opens, by kind.
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
    let options = [], active = -1, asked = 0, missing = null;

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

    // typed: in lower case; found: documents. If there are few results, a note says what may be missing.
    function show(typed, found) {
      options = [];
      active = -1;
      const words = findWords(typed, MOST.words);
      const groups = [...group("Topics", "topic", findTopics(app, fold(typed), MOST.topics)),
        ...group("Words", "word", words), ...group("Documents", "document", found)];
      if (missing === null) missing = limits(app.model);
      const few = found.length < MOST.documents && words.length < MOST.words;
      const note = [groups.length ? "" : "Nothing found.", few ? missing : ""].filter(Boolean).join(" ");
      results.replaceChildren(...groups, ...(note ? [el("p", { class: "nothing", text: note })] : []));
      open(true);
      ezlda.dom.announce(options.length ? `${options.length} results` : note);
      if (options.length) mark(0);
    }

    // If the server does not answer, the page's own results stay.
    const ask = rested((typed, ticket) => documents.findServed(typed).then((found) => {
      if (ticket === asked && !results.hidden) show(typed, found.slice(0, MOST.documents));
    }).catch(() => {}), 150);

    function look() {
      const typed = input.value.trim().toLowerCase();
      asked += 1;
      if (!fold(typed)) { open(false); return; }
      show(typed, documents.served ? [] : documents.find(fold(typed), MOST.documents));
      if (documents.served) ask(typed, asked);
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

// The text of a document as it was written: each word that became a token has the colour of its topic, and a line above
// says why for the word under the pointer, or the one that the arrow keys reach.
(() => {
  const { el, bdi, value } = ezlda.dom;
  const { percent, clip, count } = ezlda.format;
  const HINT = "Point at a word, or use the arrow keys in the text, to see its topic.";

  // Appends the text to a node: plain pieces and one element per word. Words: gap, length and topic of each, in a row.
  function fill(node, { text, words, cut }, colour) {
    let at = 0;
    for (let i = 0; i < words.length; i += 3) {
      const from = at + words[i];
      if (from > at) node.append(text.slice(at, from));
      at = from + words[i + 1];
      const topic = words[i + 2];
      node.append(el("span", { class: "text-word", text: text.slice(from, at), "data-topic": topic,
        style: { "--topic": colour(topic) } }));
    }
    node.append(text.slice(at) + (cut ? "…" : ""));
    return node;
  }

  // What the line says about a word: its topic, the topic's share of the document, and its tokens here.
  function reason({ parts }, doc, word, tokens, colour) {
    const topic = Number(word.dataset.topic);
    const share = (doc.mix || []).find(([other]) => other === topic);
    const among = `${count(tokens.get(topic) || 0)} of ${count(doc.tokens)} tokens here`;
    return [bdi(clip(word.textContent, 60), { class: "word" }), parts.topicLink(topic, { colour: colour(topic), words: 4 }),
      value(share ? `${percent(share[1])} of the document, ${among}` : among)];
  }

  function create(app, doc, colour) {
    const node = fill(el("div", { class: "text", tabindex: 0, role: "group",
      "aria-label": "Text of the document. The arrow keys go from word to word." }), doc.text, colour);
    const why = el("p", { class: "why" }, HINT);
    const tokens = new Map();
    for (let i = 2; i < doc.text.words.length; i += 3) {
      const topic = doc.text.words[i];
      tokens.set(topic, (tokens.get(topic) || 0) + 1);
    }
    const words = node.getElementsByClassName("text-word");
    let shown = null;

    function show(word) {
      if (shown) shown.classList.remove("shown");
      shown = word;
      word.classList.add("shown");
      why.replaceChildren(...reason(app, doc, word, tokens, colour));
    }

    function step(by) {
      if (!words.length) return;
      const at = shown ? Array.prototype.indexOf.call(words, shown) : by > 0 ? -1 : words.length;
      const next = words[Math.min(words.length - 1, Math.max(0, at + by))];
      show(next);
      next.scrollIntoView({ block: "nearest" });
      const topic = Number(next.dataset.topic);
      ezlda.dom.announce(`${next.textContent}: topic ${topic}, ${app.parts.titleOf(topic)}`);
    }

    const target = (event) => event.target.closest(".text-word");
    node.addEventListener("pointerover", (event) => {
      const word = target(event);
      if (word && word !== shown) show(word);
    });
    node.addEventListener("click", (event) => {
      const word = target(event);
      if (word) app.state.openTopic(Number(word.dataset.topic));
    });
    node.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const moves = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 };
      if (Object.hasOwn(moves, event.key)) step(moves[event.key]);
      else if (event.key === "Enter" && shown) app.state.openTopic(Number(shown.dataset.topic));
      else return;
      event.preventDefault();
    });

    // Words of one topic stand out while its name in the list is pointed at or has the focus.
    node.light = (topic) => {
      node.classList.toggle("some", topic >= 0);
      for (const word of words) word.classList.toggle("lit", Number(word.dataset.topic) === topic);
    };
    const kind = app.model.data.documents.bag_kind === "kept" ? "the topic of its token at the end of training"
      : "its most likely topic here";
    const note = `Each word in the colour of ${kind}.${doc.text.cut ? " The text is cut." : ""}`;
    return { text: node, node: app.parts.section("Text", note, why, node) };
  }

  ezlda.documentText = { create, fill };
})();

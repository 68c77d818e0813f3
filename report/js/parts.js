// Small elements that several views share: a topic's name, a word, a mixture of topics, a section with its heading.
(() => {
  const { el, bdi } = ezlda.dom;
  const { clip, isolated, percent } = ezlda.format;

  const FLAGS = { duplicate: "Near-duplicate", junk: "Junk", empty: "Empty", chance: "Chance" };

  function create(model, state) {
    const { x, y } = model.topics;
    let colours = null;
    // Topics that few models of an ensemble have are grey.
    const isChance = (topic) => (model.flags.get(topic) || []).some((flag) => flag.kind === "chance");
    const colourOf = (topic) => (isChance(topic) ? ezlda.palette.OTHER : (colours || (colours = ezlda.palette.byPlace(x, y)))[topic]);

    // The name that the user gave here, or that the model has, or the first words.
    function titleOf(topic, words = 3) {
      const given = state.now.names.get(topic) || model.nameOf(topic);
      return given || model.headWords(topic).slice(0, words).map((word) => clip(word, 24)).join(" ");
    }

    const swatch = (colour) =>
      el("span", { class: "dot", style: { "background-color": colour }, "aria-hidden": "true" });

    // While the pointer is on a link, the map highlights its target.
    const pointing = (on, off, click) => ({ click, pointerenter: on, pointerleave: off });

    // A link to a topic: always its number and, unless bare, its name or first words.
    function topicLink(topic, { colour, words, bare } = {}) {
      const { map } = ezlda.app;
      const kind = state.now.names.has(topic) ? "given" : "words";
      return el("button", {
        type: "button", class: "topic-link", "data-topic": topic,
        "aria-label": `Topic ${topic}: ${clip(titleOf(topic), 80)}`,
        on: pointing(() => map.point(topic), () => map.point(-1), () => state.openTopic(topic)),
      }, swatch(colour || colourOf(topic)), el("span", { class: "number", text: topic }),
      bare ? null : bdi(titleOf(topic, words), { class: kind }));
    }

    // The same as plain text, for rows that are links as a whole.
    const topicName = (topic, { bare } = {}) => el("span", { class: "topic-link" }, swatch(colourOf(topic)),
      el("span", { class: "number", text: topic }), bare ? null : bdi(titleOf(topic), { class: "given" }));

    function wordLink(word) {
      const { map } = ezlda.app;
      const text = model.text[word];
      return el("button", {
        type: "button", class: "word-link", "data-word": word,
        on: pointing(() => map.spotlight(word), () => map.spotlight(-1), () => state.openWord(word)),
      }, bdi(clip(text, 60), { title: clip(text, 300) }));
    }

    // A strip of shares; the rest up to 1 stays empty.
    function mixBar(mix, colour) {
      const label = mix.slice(0, 3).map(([topic, share]) => `topic ${topic} ${percent(share)}`).join(", ");
      const rest = Math.max(0, 1 - mix.reduce((sum, [, share]) => sum + share, 0));
      const piece = ([topic, share]) => el("span", {
        title: `Topic ${topic} · ${isolated(clip(titleOf(topic), 60))} · ${percent(share)}`,
        style: { "flex-grow": String(Math.max(share, 0)), "background-color": colour(topic) },
      });
      return el("span", { class: "mix", role: "img", "aria-label": `Mixture: ${label}` }, mix.map(piece),
        el("span", { style: { "flex-grow": String(rest) } }));
    }

    function bar(share, attributes) {
      const width = `${Math.min(100, Math.max(0, share * 100))}%`;
      return el("span", { class: "bar", "aria-hidden": "true", ...attributes }, el("span", { style: { width } }));
    }

    const section = (title, note, ...children) => el("section", { class: "part" },
      el("header", {}, el("h3", { text: title }), note ? el("p", { class: "note", text: note }) : null), children);

    function flagNote(flag) {
      const other = Number.isInteger(flag.other) && flag.other < model.K ? [" ", topicLink(flag.other)] : null;
      return el("p", { class: "flag-note" }, el("strong", { text: `${FLAGS[flag.kind] || flag.kind}:` }), " ",
        bdi(flag.reason), other);
    }

    // Lines of plain text are called by their number, which counts from 1; documents are numbered from 0.
    const isLine = (doc) => doc.name === String(doc.number + 1);
    const givenName = (doc) => (doc.name ? clip(doc.name, 160) : `Document ${doc.number}`);
    const documentName = (doc) => (isLine(doc) ? `Line ${doc.name}` : givenName(doc));

    const closeButton = (dialog) => el("button", { type: "button", class: "plain-button primary", text: "Close",
      on: { click: () => dialog.close() } });

    return { colourOf, titleOf, swatch, topicLink, topicName, wordLink, mixBar, bar, section, flagNote, documentName, isLine, closeButton,
      FLAGS };
  }

  ezlda.createParts = create;
})();

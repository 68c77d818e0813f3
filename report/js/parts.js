// Small pieces that several views show: a topic's name, a word, a mixture of topics, a section with its heading.
(() => {
  const { el, bdi } = ezlda.dom;
  const { clip, percent } = ezlda.format;

  function create(model, state) {
    let colours = null;
    const colourOf = (topic) => (colours || (colours = ezlda.palette.byPlace(model.topics.x, model.topics.y)))[topic];

    // The name that the user gave, or the first words.
    function titleOf(topic, words = 3) {
      return state.now.names.get(topic) || model.headWords(topic).slice(0, words).map((w) => clip(w, 24)).join(" ");
    }

    const swatch = (colour, shape = "dot") => el("span", { class: shape, style: { "background-color": colour }, "aria-hidden": "true" });

    // A topic that can be opened: its number, always, and what it is called.
    function topicLink(topic, options = {}) {
      return el("button", { type: "button", class: "topic-link", "data-topic": topic,
        "aria-label": `Topic ${topic}: ${clip(titleOf(topic), 80)}`,
        on: { click: () => state.openTopic(topic), pointerenter: () => ezlda.app.map.point(topic),
          pointerleave: () => ezlda.app.map.point(-1) } },
      swatch(options.colour || colourOf(topic)), el("span", { class: "number", text: topic }),
      options.bare ? null : bdi(titleOf(topic, options.words), { class: state.now.names.has(topic) ? "given" : "words" }));
    }

    function wordLink(word, attributes) {
      return el("button", { type: "button", class: "word-link", "data-word": word, ...attributes,
        on: { click: () => state.openWord(word), pointerenter: () => ezlda.app.map.spotlight(word),
          pointerleave: () => ezlda.app.map.spotlight(-1) } }, bdi(clip(model.text[word], 60), { title: clip(model.text[word], 300) }));
    }

    // A strip of shares; what they leave to 1 stays empty.
    function mixBar(mix, colour) {
      const label = mix.slice(0, 3).map(([topic, share]) => `topic ${topic} ${percent(share)}`).join(", ");
      const rest = Math.max(0, 1 - mix.reduce((sum, [, share]) => sum + share, 0));
      return el("span", { class: "mix", role: "img", "aria-label": `Mixture: ${label}` },
        mix.map(([topic, share]) => el("span", { title: `Topic ${topic} · ${clip(titleOf(topic), 60)} · ${percent(share)}`,
          style: { "flex-grow": String(Math.max(share, 0)), "background-color": colour(topic) } })),
        el("span", { class: "rest", style: { "flex-grow": String(rest) } }));
    }

    function bar(share, attributes) {
      return el("span", { class: "bar", "aria-hidden": "true", ...attributes },
        el("span", { style: { width: `${Math.min(100, Math.max(0, share * 100))}%` } }));
    }

    const section = (title, note, ...children) => el("section", { class: "part" },
      el("header", {}, el("h3", { text: title }), note ? el("p", { class: "note", text: note }) : null), children);

    const FLAGS = { duplicate: "Near-duplicate", junk: "Junk", empty: "Empty" };
    const flagNote = (flag) => el("p", { class: "flag-note" },
      el("strong", { text: FLAGS[flag.kind] || flag.kind }), " ", bdi(flag.reason),
      Number.isInteger(flag.other) && flag.other < model.K ? [" ", topicLink(flag.other)] : null);

    function documentName(doc) {
      return doc.name ? clip(doc.name, 160) : `Document ${doc.number}`;
    }

    return { colourOf, titleOf, swatch, topicLink, wordLink, mixBar, bar, section, flagNote, documentName, FLAGS };
  }

  ezlda.createParts = create;
})();

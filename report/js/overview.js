// The first panel: the model's facts, the course of training, the sizes of topics and their scores.
(() => {
  const { el, bdi, choice, value } = ezlda.dom;
  const { known, count, compact, percent, duration, score, clip, isolated } = ezlda.format;
  const MOST_FLAGGED = 12, MOST_LARGEST = 8;

  // Key, name, smallest and largest value (or null), meaning.
  const SCORES = [
    ["npmi", "Coherence, NPMI", -1, 1,
      "How much more often a topic's first words occur together than by chance. 0 is chance, 1 is always."],
    ["c_v", "Coherence, C_v", 0, 1,
      "Whether a topic's first words occur with the same other words. From 0 to 1; higher is better."],
    ["u_mass", "Coherence, UMass", null, null,
      "Log share of documents with one of a topic's words that also contain another. Closer to 0 is better."],
    ["diversity", "Diversity", 0, 1,
      "Share of different words among the first words of all topics. 1: no two topics share one."],
    ["exclusivity", "Exclusivity", 0, 1,
      "How exclusive the first words of a topic are to it. Higher: topics overlap less."],
  ];

  function lead({ model }) {
    const { facts, data } = model;
    const figures = [
      ["topics", model.shownCount, count], ["documents", facts.documents, compact], ["words", facts.words, compact],
      ["tokens", facts.tokens, compact], ["iterations", facts.iterations, count],
    ].filter(([, number]) => known(number));
    return el("header", { class: "lead" },
      el("p", { class: "kicker", text: "Topic model" }),
      el("h2", {}, bdi(clip(data.title, 160))),
      ezlda.dom.figures(figures.map(([name, number, write]) => [write(number), name]), "figures"));
  }

  function training({ model, parts }) {
    const points = (model.data.llpt || []).filter((point) => known(point[2]));
    if (!points.length) return null;
    const last = points[points.length - 1];
    const box = el("div");
    function draw(by) {
      const column = by === "time" ? 1 : 0;
      box.replaceChildren(ezlda.charts.lines(points.map((point) => [point[column], point[2]]), {
        label: `Log-likelihood per token against ${by}: from ${score(points[0][2])} to ${score(last[2])}.`,
        xText: by === "time" ? (v) => (v ? duration(v) : "0") : count,
        yText: (v, digits) => score(v, Math.max(1, digits)),
        read: (i) => `${score(points[i][2], 4)} after ${count(points[i][0])} iterations, ${duration(points[i][1])}`,
      }));
    }
    draw("iteration");
    const note = "Log-likelihood per token (LLPT): higher is a better fit; flat means that training has converged.";
    const made = parts.section("Training", note, box, effort(model));
    const axes = [["iteration", "Iteration"], ["time", "Time"]];
    made.querySelector("header").append(choice("Horizontal axis", axes, "iteration", draw));
    return made;
  }

  // How much work the sampler skipped at the end.
  function effort({ facts }) {
    const shares = [["skipped", "of tokens skipped"], ["moved", "of tokens moved to another topic"]];
    return el("div", { class: "effort" }, shares.filter(([name]) => known(facts[name])).map(([name, what]) =>
      el("p", {}, el("strong", { text: percent(facts[name]) }), ` ${what} in the last iteration`)));
  }

  // How many of the largest topics have half of the tokens.
  function half(shares) {
    let sum = 0, n = 0;
    while (n < shares.length && sum < 0.5) sum += shares[n++];
    return n;
  }

  function sizes({ model, state, parts }) {
    const order = model.bySize(), n = model.shownCount;
    if (!n) return null;
    const shares = Array.from(order, model.share);
    const step = Math.max(1, Math.ceil(ezlda.charts.ticks(0, n, 5).values[1] || 1));
    const marks = [1];
    for (let at = step; at <= n; at += step) if (at > 1) marks.push(at);
    const chart = ezlda.charts.columns(shares, {
      label: `Shares of tokens of ${count(n)} topics, largest first: from ${percent(shares[0])} ` +
        `to ${percent(shares[shares.length - 1])}.`,
      xTicks: marks.map((at) => [at - 0.5, count(at)]), yText: ezlda.charts.shares,
      marked: (i) => model.flags.has(order[i]), click: (i) => state.openTopic(order[i]),
      read: (i) => `Topic ${order[i]} · ${isolated(clip(parts.titleOf(order[i]), 40))} · ${percent(shares[i])}`,
    });
    const first = half(shares);
    const note = `Share of tokens, largest first; half of all tokens are in the first${first > 1 ? ` ${count(first)}` : ""}.` +
      (model.flags.size ? " Flagged topics are orange." : "");
    const list = Array.from(order.slice(0, MOST_LARGEST), (topic) =>
      el("li", {}, parts.topicLink(topic, { words: 5 }), value(percent(model.share(topic)))));
    return parts.section("Topic sizes", note, chart, el("ul", { class: "plain largest" }, list));
  }

  function scores({ model, parts }) {
    const given = model.data.scores || {};
    const cards = SCORES.filter(([key]) => known(given[key])).map(([key, name, low, high, meaning]) =>
      el("div", { class: "score", "data-score": key }, el("dt", { text: name }),
        el("dd", {}, el("strong", { text: score(given[key]) }),
          low === null ? null : parts.bar((given[key] - low) / (high - low)),
          el("p", { text: meaning + counted(given, key) }))));
    const note = given.note ? el("p", { class: "note" }, bdi(given.note)) : null;
    if (!cards.length && !note) return null;
    if (!cards.length) return parts.section("Scores", null, note);
    const of = `From the first ${count(given.words)} words of topics; coherence and exclusivity are means over topics.`;
    return parts.section("Scores", of, el("dl", { class: "scores" }, cards), note);
  }

  // What the coherence scores count over; the other scores do not use documents.
  function counted(given, key) {
    if (key === "u_mass") return " Counted over documents.";
    const window = given[`${key}_window`];
    if (!known(window)) return "";
    return window ? ` Counted in windows of ${count(window)} words.` : " Counted over documents.";
  }

  function flagged({ model, parts }) {
    const rows = [...model.flags].sort((a, b) => a[0] - b[0]);
    if (!rows.length) return null;
    const row = ([topic, flags]) => el("li", {}, parts.topicLink(topic), flags.map(parts.flagNote));
    const list = el("ul", { class: "plain flagged" }, rows.slice(0, MOST_FLAGGED).map(row));
    const rest = rows.slice(MOST_FLAGGED);
    const more = rest.length === 0 ? null : el("button", {
      type: "button", class: "quiet", text: `Show the other ${count(rest.length)}`,
      on: { click: () => { list.append(...rest.map(row)); more.remove(); } },
    });
    const note = `${count(rows.length)} flagged of ${count(model.shownCount)} topics.`;
    return parts.section("Worth a second look", note, list, more);
  }

  function details({ model, parts }) {
    const { facts, data } = model;
    const digits = (number) => (known(number) ? number.toPrecision(4) : null);
    const rows = [
      ["Estimator", facts.estimator], ["α, sum over topics", digits(facts.alpha_sum)], ["β", digits(facts.beta)],
      ["Seed", facts.seed], ["Device", facts.device], ["Threads", facts.threads],
      ["Sampling", known(facts.seconds_sampling) ? duration(facts.seconds_sampling) : null],
      ["Hash of topics", facts.topics_hash], ["Hash of corpus", facts.corpus_hash],
      ["Created", [data.created, data.tool].filter(Boolean).join(", by ")],
    ].filter(([, text]) => text !== null && text !== undefined && text !== "");
    return parts.section("Details", null, el("dl", { class: "details" }, rows.map(([name, text]) =>
      el("div", {}, el("dt", { text: name }), el("dd", {}, bdi(String(text)))))));
  }

  ezlda.views = {
    overview: (app) => ({
      title: "Overview",
      node: el("article", { class: "overview" },
        [lead, sizes, training, scores, flagged, details].map((part) => part(app))),
    }),
  };
})();

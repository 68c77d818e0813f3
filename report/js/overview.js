// The panel that opens first: what the model is, how its training went, how large and how good its topics are.
(() => {
  const { el, bdi, choice } = ezlda.dom;
  const { known, count, compact, percent, duration, score, clip } = ezlda.format;

  const SCORES = [
    ["npmi", "Coherence, NPMI", -1, 1, "How much more often a topic's first words occur together than by chance. 0 is chance, 1 is always."],
    ["c_v", "Coherence, C_v", 0, 1, "Whether a topic's first words keep the same company. From 0 to 1; higher reads better."],
    ["u_mass", "Coherence, UMass", null, null, "Log share of documents with one of a topic's words that also hold another. Nearer to 0 is better."],
    ["diversity", "Diversity", 0, 1, "Share of different words among the first words of all topics. 1: no two topics share one."],
    ["exclusivity", "Exclusivity", 0, 1, "How far the first words of a topic belong to it alone. Higher: topics overlap less."],
  ];

  function lead({ model, state }) {
    const { facts, data } = model;
    const parts = [`${count(model.K)} topic${model.K === 1 ? "" : "s"}`];
    if (known(facts.documents)) parts.push(`${count(facts.documents)} documents`);
    const figures = [["topics", model.K, count], ["documents", facts.documents, compact], ["words", facts.words, compact],
      ["tokens", facts.tokens, compact], ["iterations", facts.iterations, count]].filter(([, value]) => known(value));
    return el("header", { class: "lead" },
      el("p", { class: "kicker", text: "Topic model" }),
      el("h2", {}, bdi(clip(data.title, 160))),
      el("dl", { class: "figures" }, figures.map(([name, value, write]) =>
        el("div", { title: count(value) }, el("dd", { text: write(value) }), el("dt", { text: name })))),
      state.now.names.size ? el("p", { class: "note", text: `${state.now.names.size} of ${parts[0]} named.` }) : null);
  }

  function training({ model, parts }) {
    const points = (model.data.llpt || []).filter((p) => known(p[2]));
    if (!points.length) return null;
    const box = el("div");
    const last = points[points.length - 1];
    function draw(by) {
      const column = by === "time" ? 1 : 0;
      const text = by === "time" ? (v) => duration(v) : (v) => count(v);
      box.replaceChildren(ezlda.charts.lines(points.map((p) => [p[column], p[2]]), {
        label: `Log-likelihood per token against ${by}: from ${score(points[0][2])} to ${score(last[2])}.`,
        xText: (v) => (v === 0 ? "0" : text(v)), yText: (v, digits) => score(v, Math.max(1, digits)),
        read: (i) => `${score(points[i][2], 4)} after ${count(points[i][0])} iterations, ${duration(points[i][1])}`,
      }));
    }
    draw("iteration");
    const note = "Log-likelihood per token (LLPT): higher is a better fit; flat means that training has settled.";
    const made = parts.section("Training", note, box);
    made.querySelector("header").append(choice("Horizontal axis", [["iteration", "Iteration"], ["time", "Time"]], "iteration", draw));
    made.append(effort(model));
    return made;
  }

  // How much work the sampler was spared, by iteration where the report has it.
  function effort(model) {
    const { facts, data } = model;
    const history = data.history || [];
    const box = el("div", { class: "effort" });
    for (const [column, name, note] of [[1, "skipped", "of tokens skipped"], [2, "moved", "of tokens moved to another topic"]]) {
      const points = history.filter((h) => known(h[column])).map((h) => [h[0], h[column]]);
      if (points.length > 1) {
        box.append(el("h4", { text: `Share ${note}` }), ezlda.charts.lines(points, { height: 120, zero: true, area: true,
          label: `Share ${note}, by iteration`, xText: count, yText: (v) => percent(v),
          read: (i) => `${percent(points[i][1])} ${note} in iteration ${count(points[i][0])}` }));
      } else if (known(facts[name])) {
        box.append(el("p", { class: "effort-number" }, el("strong", { text: percent(facts[name]) }), ` ${note} in the last iteration`));
      }
    }
    return box;
  }

  function sizes({ model, state, parts }) {
    const order = model.bySize();
    const values = Array.from(order, (topic) => model.share(topic));
    const half = values.reduce((found, share, i) => (found.sum < 0.5 ? { sum: found.sum + share, n: i + 1 } : found), { sum: 0, n: 0 }).n;
    const step = Math.max(1, ezlda.charts.ticks(0, model.K, 5).values[1] || 1);
    const marks = [[1, "1"]];
    for (let v = step; v <= model.K; v += step) if (v > 1) marks.push([v, count(v)]);
    const chart = ezlda.charts.columns(values, {
      label: `Shares of tokens of the ${count(model.K)} topics, largest first, from ${percent(values[0])} to ${percent(values[values.length - 1])}.`,
      xTicks: marks.map(([v, text]) => [v - 0.5, text]), yText: (v) => percent(v),
      marked: (i) => model.flags.has(order[i]), click: (i) => state.openTopic(order[i]),
      read: (i) => `Topic ${order[i]} · ${clip(parts.titleOf(order[i]), 40)} · ${percent(values[i])}`,
    });
    const note = `Share of tokens, largest first; half of all tokens are in the first ${count(half)}. Flagged topics are orange.`;
    const list = el("ul", { class: "plain largest" }, Array.from(order.slice(0, 8), (topic) => el("li", {},
      parts.topicLink(topic, { words: 5 }), el("span", { class: "value", text: percent(model.share(topic)) }))));
    return parts.section("Topic sizes", note, chart, list);
  }

  function scores({ model, parts }) {
    const given = model.data.scores;
    if (!given) return null;
    const cards = SCORES.filter(([key]) => known(given[key])).map(([key, name, low, high, meaning]) =>
      el("div", { class: "score", "data-score": key }, el("dt", { text: name }), el("dd", {}, el("strong", { text: score(given[key]) }),
        low === null ? null : parts.bar((given[key] - low) / (high - low)), el("p", { text: meaning }))));
    if (!cards.length) return null;
    const window = known(given.window) ? `counted in windows of ${given.window} words` : "counted over whole documents";
    const made = parts.section("Scores", `Means over topics, ${window}.`, el("dl", { class: "scores" }, cards));
    if (given.note) made.append(el("p", { class: "note" }, bdi(given.note)));
    return made;
  }

  function flagged({ model, parts }) {
    if (!model.flags.size) return null;
    const rows = [...model.flags].sort((a, b) => a[0] - b[0]);
    const most = 12;
    const list = el("ul", { class: "plain flagged" });
    const add = (from, to) => rows.slice(from, to).forEach(([topic, flags]) => list.append(
      el("li", {}, parts.topicLink(topic), flags.map((flag) => parts.flagNote(flag)))));
    add(0, most);
    const made = parts.section("Worth a second look", `${count(rows.length)} flagged of ${count(model.K)} topics.`, list);
    if (rows.length > most) {
      const more = el("button", { type: "button", class: "quiet", text: `Show the other ${rows.length - most}`,
        on: { click: () => { add(most, rows.length); more.remove(); } } });
      made.append(more);
    }
    return made;
  }

  function details({ model, parts }) {
    const { facts, data } = model;
    const rows = [["Estimator", facts.estimator], ["α, sum over topics", known(facts.alpha_sum) ? facts.alpha_sum.toPrecision(4) : null],
      ["β", known(facts.beta) ? facts.beta.toPrecision(4) : null], ["Seed", facts.seed], ["Device", facts.device],
      ["Threads", facts.threads], ["Sampling", known(facts.seconds_sampling) ? duration(facts.seconds_sampling) : null],
      ["Ended", facts.stopped], ["Hash of topics", facts.topics_hash], ["Hash of corpus", facts.corpus_hash],
      ["Made", [data.created, data.tool].filter(Boolean).join(", by ")]];
    return parts.section("Details", null, el("dl", { class: "details" },
      rows.filter(([, value]) => value !== null && value !== undefined && value !== "").map(([name, value]) =>
        el("div", {}, el("dt", { text: name }), el("dd", {}, bdi(String(value)))))));
  }

  ezlda.views = { overview: (app) => ({
    node: el("article", { class: "overview" }, lead(app), sizes(app), training(app), scores(app), flagged(app), details(app)),
    title: "Overview",
  }) };
})();

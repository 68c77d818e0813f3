// All topics at once over time, or over the values of another field: as small multiples, stacked or ranked, with the
// number of documents behind each point, and the documents of the point that was opened.
(() => {
  const { el, svg, bdi, choice, select } = ezlda.dom;
  const { count, clip } = ezlda.format;
  const { CHOICES } = ezlda.trendSettings;
  const LABELS = { form: "Form", measure: "Measure", scale: "Scale", axis: "Axes", order: "Order" };

  // How much a topic's share differs between the first and the second half of the points, relative to its share.
  function change(series, topic) {
    const { tokens } = series.of(topic), half = Math.floor(series.n / 2);
    const share = (from, to) => {
      let own = 0, all = 0;
      for (let i = from; i < to; i++) { own += tokens[i]; all += series.total[i]; }
      return all ? own / all : 0;
    };
    return Math.abs(Math.log((share(half, series.n) + 1e-9) / (share(0, half) + 1e-9)));
  }

  function peak(series, topic) {
    const { share } = series.of(topic);
    return share.reduce((best, v, i) => (v > (share[best] || 0) ? i : best), 0);
  }

  function ordered({ model }, series, order) {
    const topics = Array.from(order === "number" ? model.shown() : model.bySize());
    if (order !== "change" && order !== "peak") return topics;
    const key = new Map(topics.map((topic) => [topic, order === "peak" ? peak(series, topic) : -change(series, topic)]));
    return topics.sort((a, b) => key.get(a) - key.get(b));
  }

  // Bars of the number of documents of each point.
  function counts(series, width) {
    const H = 46, each = width / series.n, most = Math.max(...series.docs) || 1;
    const bar = (docs, i) => `M${(each * (i + 0.1)).toFixed(1)} ${H}v${((-(H - 14) * docs) / most).toFixed(1)}` +
      `h${(each * 0.8).toFixed(1)}V${H}Z`;
    const chart = svg("svg", { viewBox: `0 0 ${width} ${H}`, class: "chart", "aria-hidden": "true" },
      svg("path", { class: "counts", d: Array.from(series.docs, bar).join("") }),
      svg("text", { class: "tick", x: 0, y: 10, text: `at most ${count(most)} documents` }));
    const plot = el("div", { class: "plot" }, chart), readout = el("p", { class: "readout", "aria-hidden": "true", text: "\u00a0" });
    const text = (i) => `${series.texts[i]}: ${ezlda.topicTrend.behind(series.docs[i])}, ${count(series.total[i])} tokens`;
    ezlda.cursor.create(plot, { n: series.n, label: "Documents behind each point", text,
      nearest: (event) => {
        const box = chart.getBoundingClientRect();
        return Math.min(series.n - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * series.n)));
      },
      show: (i) => { readout.textContent = i < 0 ? "\u00a0" : text(i); } });
    return el("div", { class: "behind" }, plot, readout);
  }

  const NOTE = "Shares are of the tokens at each point; the band is a 90 % interval from the spread of the documents there: " +
    "share ± 1.645 standard errors of a ratio of sums. A point with one document has none.";
  const NOTES = { multiples: `${NOTE} The number above a chart is the top of its axis.`,
    stacked: "The seven first topics in this order are coloured; the sixtieth is the last that is drawn alone.",
    ranked: "The twelve largest topics of each point; a line ends when its topic is no longer among them." };

  function create(app) {
    const { model, state } = app;
    let set = ezlda.trendSettings.read(model, state.now.trend), wide = 0;
    const head = el("div", { class: "trend-controls" }), charts = el("div", { class: "trend-charts" });
    const aside = el("aside", { class: "trend-documents", "aria-label": "Documents of a point", tabindex: "-1" });
    const title = el("h2");

    const field = () => model.fields[set.field];
    const series = () => field().series(set.step);
    const keep = () => state.set({ trend: ezlda.trendSettings.write(model, set) });

    function change_(patch) {
      Object.assign(set, patch);
      if (!field().time) set.step = "";
      else if (!field().steps().some(([key]) => key === set.step)) set.step = (app.steps && app.steps.get(set.field)) || field().usualStep();
      if (set.topic >= 0 && !series().texts.includes(set.text)) set.topic = -1;
      if (field().time) (app.steps || (app.steps = new Map())).set(set.field, set.step);
      keep();
      draw();
    }

    function controls() {
      const focused = document.activeElement && head.contains(document.activeElement) ? document.activeElement.dataset.control : null;
      const fields = model.fields.filter((one) => one.bins > 1).map((one) => [String(one.index), clip(one.name, 40)]);
      const form = ezlda.trendForms[set.form];
      const named = (name, node) => { node.querySelectorAll("button").forEach((button, i) => { button.dataset.control = `${name}${i}`; }); if (node.tagName === "SELECT") node.dataset.control = name; return node; };
      head.replaceChildren(
        named("form", choice("Form", CHOICES.form, set.form, (value) => change_({ form: value }))),
        ...(fields.length > 1 ? [named("field", select("Field", fields, String(set.field), (value) => change_({ field: Number(value) })))] : []),
        ...(field().steps().length > 1 ? [named("step", select("Step", field().steps(), set.step, (value) => change_({ step: value })))] : []),
        ...form.choices.map((name) => (name === "order"
          ? named(name, select("Order of topics", CHOICES.order.map(([key, text]) => [key, `By ${text.toLowerCase()}`]), set.order, (value) => change_({ order: value })))
          : named(name, choice(LABELS[name], CHOICES[name], set[name], (value) => change_({ [name]: value }))))));
      if (focused) { const again = head.querySelector(`[data-control="${focused}"]`); if (again) again.focus({ preventScroll: true }); }
    }

    const view = {
      get set() { return set; },
      get series() { return series(); },
      openPoint(topic, i) {
        Object.assign(set, { topic, text: series().texts[i] });
        keep();
        documents();
        ezlda.dom.announce(`Documents of topic ${topic}, ${set.text}`);
        aside.focus({ preventScroll: window.innerWidth > 1100 });
      },
    };

    function documents() {
      const i = set.topic < 0 ? -1 : series().texts.indexOf(set.text);
      aside.replaceChildren(i < 0 ? el("p", { class: "note", text: "Open a point of a chart to see its documents here: click it, or move to it with the arrow keys and press Enter." })
        : ezlda.trendDocuments.create(app, { field: field(), series: series(), topic: set.topic, i }));
    }

    function draw() {
      const by = el("bdi", { text: clip(field().name, 60) });
      title.replaceChildren("All topics by ", by);
      controls();
      wide = Math.max(300, charts.clientWidth || 800);
      const topics = ordered(app, series(), set.form === "ranked" ? "size" : set.order);
      const log = set.form === "multiples" && set.scale === "log" ? " A logarithmic axis begins at a thousandth of its top." : "";
      charts.replaceChildren(el("p", { class: "note", text: NOTES[set.form] + log }), counts(series(), wide),
        ezlda.trendForms[set.form].create(app, view, topics, wide));
      documents();
    }

    const node = el("article", { class: "trends" },
      el("header", { class: "lead" }, el("p", { class: "kicker", text: field().time ? "Topics over time" : "Topics by group" }), title, head),
      el("div", { class: "trend-body" }, charts, aside));
    draw();
    new ResizeObserver(() => { if (charts.clientWidth && Math.abs(charts.clientWidth - wide) > 8) draw(); }).observe(charts);
    return {
      title: "Trends",
      node,
      focus: () => { const first = head.querySelector("button"); if (first) first.focus({ preventScroll: true }); },
      update: (changed) => {
        if (changed.has("trend") && state.now.trend !== ezlda.trendSettings.write(model, set)) {
          set = ezlda.trendSettings.read(model, state.now.trend);
          draw();
        } else if (changed.has("names")) draw();
      },
    };
  }

  ezlda.views.trends = create;
})();

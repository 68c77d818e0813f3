// Small multiples: one small chart per topic, each with its band, over time or over groups.
(() => {
  const { el, svg, value } = ezlda.dom;
  const { count, compact, percent, known } = ezlda.format;
  const W = 280, H = 104, LEFT = 4, RIGHT = 4, TOP = 16, BOTTOM = 20, EACH_PAGE = 60;
  const LOG_RANGE = 1e-3; // the lowest value of a logarithmic axis, relative to the highest

  // The y positions of values, and the largest.
  function axis(set, most) {
    const high = most || 1, room = H - TOP - BOTTOM;
    if (set.scale !== "log") return (y) => H - BOTTOM - (room * Math.min(y, high)) / high;
    return (y) => H - BOTTOM - room * Math.min(1, Math.max(0, 1 - Math.log(Math.max(y, 1e-300) / high) / Math.log(LOG_RANGE)));
  }

  const ofMeasure = (set, series, topic) => {
    const { share, tokens, half } = series.of(topic);
    if (set.measure === "share") return { values: share, half };
    return { values: tokens.map((n, i) => (series.total[i] ? n : NaN)), half: half.map((h, i) => h * series.total[i]) };
  };
  // The top of an axis: that of the bands, but at most twice the largest value.
  function largest({ values, half }) {
    const most = values.reduce((high, v) => (v > high ? v : high), 0);
    return Math.min(2 * most, values.reduce((high, v, i) => (v + half[i] > high ? v + half[i] : high), most));
  }
  const written = (set, v) => (set.measure === "share" ? percent(v) : compact(v));

  function shape(set, series, data, y) {
    const { n } = series, each = (W - LEFT - RIGHT) / (series.time ? Math.max(1, n - 1) : n);
    const xs = Array.from({ length: n }, (_, i) => LEFT + each * (series.time ? i : i + 0.5));
    const { values, half } = data, end = (sign) => Array.from(values, (v, i) => (known(half[i]) ? y(Math.max(0, v + sign * half[i])) : NaN));
    const drawn = xs.map((x, i) => [x, known(values[i]) ? y(values[i]) : NaN]);
    const nodes = [svg("line", { class: "grid", x1: LEFT, x2: W - RIGHT, y1: H - BOTTOM, y2: H - BOTTOM })];
    if (series.time) {
      const runs = ezlda.charts.runs(drawn);
      nodes.push(svg("path", { class: "band", d: ezlda.charts.between(xs, end(-1), end(1)) }),
        svg("path", { class: "line thin", d: runs.map(ezlda.charts.path).join("") }),
        ...runs.filter((run) => run.length === 1).map(([[cx, cy]]) => svg("circle", { class: "lone", cx, cy, r: 2 })));
    } else {
      const low = end(-1), high = end(1), wide = Math.min(9, each * 0.32);
      nodes.push(svg("path", { class: "column", d: drawn.filter(([, v]) => known(v)).map(([x, v]) =>
        `M${(x - wide).toFixed(1)} ${H - BOTTOM}V${v.toFixed(1)}H${(x + wide).toFixed(1)}V${H - BOTTOM}Z`).join("") }),
      svg("path", { class: "whisker", d: xs.map((x, i) => (known(low[i]) ? `M${x.toFixed(1)} ${low[i].toFixed(1)}V${high[i].toFixed(1)}` : "")).join("") }));
    }
    const marks = series.marks(each) || [];
    const ends = marks.length > 1 ? [marks[0], marks[marks.length - 1]] : marks;
    const letters = Math.floor(each / ezlda.charts.LETTER);
    const names = letters < 4 ? [] : series.texts.map((text, i) => [i, ezlda.format.drawn(text, letters - 1)]);
    for (const [i, text] of series.time ? ends : names) {
      const anchor = !series.time ? "middle" : xs[i] < 30 ? "start" : xs[i] > W - 30 ? "end" : "middle";
      nodes.push(svg("text", { class: "tick", x: xs[i], y: H - 6, "text-anchor": anchor, text }));
    }
    return { nodes, xs, drawn };
  }

  function one(app, view, topic, most) {
    const { set, series } = view;
    const data = ofMeasure(set, series, topic), top = set.axis === "same" ? most : largest(data);
    const y = axis(set, top), { nodes, xs, drawn } = shape(set, series, data, y);
    const line = svg("line", { class: "cross", y1: TOP, y2: H - BOTTOM, visibility: "hidden" });
    const dot = svg("circle", { class: "cross-dot", r: 4, visibility: "hidden" });
    const chart = svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "chart", "aria-hidden": "true" }, ...nodes,
      svg("text", { class: "tick", x: LEFT, y: 11, text: written(set, top) }), line, dot);
    const plot = el("div", { class: "plot opens" }, chart);
    const readout = el("p", { class: "readout", "aria-hidden": "true", text: "\u00a0" });
    const text = (i) => `${series.texts[i]}: ${known(data.values[i]) ? `${written(set, data.values[i])}` +
      `${known(data.half[i]) ? ` ± ${written(set, data.half[i])}` : ""}, ${ezlda.topicTrend.behind(series.docs[i])}` : "no documents"}`;
    ezlda.cursor.create(plot, { n: series.n, text, label: `Topic ${topic}: ${app.parts.titleOf(topic, 4)}`,
      nearest: (event) => {
        const box = chart.getBoundingClientRect(), at = ((event.clientX - box.left) / box.width) * W;
        return Math.min(series.n - 1, Math.max(0, Math.round((at - xs[0]) / ((xs[1] || xs[0] + 1) - xs[0]))));
      },
      show: (i) => {
        readout.textContent = i < 0 ? "\u00a0" : text(i);
        const on = i >= 0 && known(drawn[i][1]);
        for (const node of [line, dot]) node.setAttribute("visibility", on ? "visible" : "hidden");
        if (!on) return;
        line.setAttribute("x1", xs[i]); line.setAttribute("x2", xs[i]);
        dot.setAttribute("cx", xs[i]); dot.setAttribute("cy", drawn[i][1]);
      },
      open: (i) => view.openPoint(topic, i) });
    return el("figure", { class: "multiple", "data-topic": topic },
      el("figcaption", {}, app.parts.topicLink(topic, { words: 3 }), value(percent(app.model.share(topic)))), plot, readout);
  }

  function create(app, view, topics) {
    const home = el("div", { class: "multiples" }), box = el("div", {}, home);
    const most = view.set.axis === "same"
      ? topics.reduce((high, topic) => Math.max(high, largest(ofMeasure(view.set, view.series, topic))), 0) : 0;
    const more = el("button", { type: "button", class: "quiet", on: { click: next } });
    let shown = 0;
    function next() {
      const page = topics.slice(shown, shown + EACH_PAGE).map((topic) => one(app, view, topic, most));
      shown += page.length;
      home.append(...page);
      const left = topics.length - shown;
      more.textContent = `Show ${count(Math.min(EACH_PAGE, left))} more of ${count(left)}`;
      if (!left) more.remove();
      if (page.length && shown > EACH_PAGE) page[0].querySelector("button").focus({ preventScroll: true });
    }
    box.append(more);
    next();
    return box;
  }

  ezlda.trendForms = { multiples: { create, choices: ["measure", "scale", "axis", "order"] } };
})();

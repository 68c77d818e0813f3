// Ranks: the largest topics of each step, one line per topic.
(() => {
  const { el, svg } = ezlda.dom;
  const { percent, clip, drawn, isolated } = ezlda.format;
  const ROW = 30, TOP = 14, BOTTOM = 30, RANKS = 12, MOST_LABEL = 190;

  // For each step, the topics by falling share; a topic's ranks by step, from 0; -1: not among the first.
  function ranks(series, topics) {
    const first = Array.from({ length: series.n }, (_, i) => {
      if (!series.total[i]) return [];
      const share = (topic) => series.of(topic).tokens[i];
      return topics.filter((topic) => share(topic) > 0).sort((a, b) => share(b) - share(a) || a - b).slice(0, RANKS);
    });
    const of = new Map();
    first.forEach((list, i) => list.forEach((topic, rank) => {
      if (!of.has(topic)) of.set(topic, new Array(series.n).fill(-1));
      of.get(topic)[i] = rank;
    }));
    return { first, of };
  }

  function create(app, view, topics, width) {
    const { series } = view, { n } = series, { first, of } = ranks(series, topics);
    const deep = Math.max(1, ...first.map((list) => list.length)), H = TOP + BOTTOM + ROW * deep;
    const label = Math.min(MOST_LABEL, width * 0.26), letters = Math.floor((label - 24) / ezlda.charts.LETTER);
    const each = (width - 2 * label) / Math.max(1, n - 1), px = (i) => (n > 1 ? label + each * i : width / 2);
    const py = (rank) => TOP + ROW * (rank + 0.5);
    const time = [...of].map(([topic, list]) => [topic, list.filter((rank) => rank >= 0).length]);
    const colour = ezlda.palette.few(time.sort((a, b) => b[1] - a[1]).map(([topic]) => topic));
    const lines = new Map([...of].map(([topic, list]) => {
      const points = list.map((rank, i) => [px(i), rank < 0 ? NaN : py(rank)]);
      const dots = points.filter(([, y]) => !Number.isNaN(y)).map(([cx, cy]) => svg("circle", { cx, cy, r: Math.min(4, Math.max(1.6, each / 4)) }));
      return [topic, svg("g", { class: "rank", "data-topic": topic, stroke: colour(topic), fill: colour(topic) },
        svg("path", { d: ezlda.charts.runs(points).map(ezlda.charts.path).join("") }), ...dots)];
    }));
    const named = (list, x, anchor) => list.map((topic, rank) => svg("text", { class: "rank-name", x, y: py(rank) + 4, "text-anchor": anchor,
      text: drawn(`${topic} ${app.parts.titleOf(topic, 3)}`, letters) }));
    const ends = first.map((list, i) => [list, i]).filter(([list]) => list.length).map(([, i]) => i);
    const names = ends.length ? [...named(first[ends[0]], label - 12, "end"),
      ...(ends.length > 1 ? named(first[ends[ends.length - 1]], width - label + 12, "start") : [])] : [];
    const short = Math.max(3, Math.floor(each / ezlda.charts.LETTER) - 1);
    const marks = (series.marks(each) || (short < 4 ? [] : series.texts.map((text, i) => [i, drawn(text, short)]))).map(([i, text]) =>
      svg("text", { class: "tick", x: px(i), y: H - 8, "text-anchor": "middle", text }));
    const line = svg("line", { class: "cross", y1: TOP, y2: H - BOTTOM, visibility: "hidden" });
    const chart = svg("svg", { viewBox: `0 0 ${width} ${H}`, class: "chart ranks", "aria-hidden": "true" }, line, ...lines.values(), ...names, ...marks);
    const plot = el("div", { class: "plot opens" }, chart), readout = el("p", { class: "readout", "aria-hidden": "true", text: "\u00a0" });
    let rank = 0;
    const topicAt = (i) => first[i][Math.min(rank, first[i].length - 1)];
    const text = (i) => {
      const topic = topicAt(i);
      if (topic === undefined) return `${series.texts[i]}: no documents`;
      const { share, half } = series.of(topic), band = Number.isNaN(half[i]) ? "" : ` ± ${percent(half[i])}`;
      return `${series.texts[i]}, rank ${Math.min(rank, first[i].length - 1) + 1}: topic ${topic} ` +
        `${isolated(clip(app.parts.titleOf(topic, 3), 60))}, ${percent(share[i])}${band}, ${ezlda.topicTrend.behind(series.docs[i])}`;
    };
    function show(i) {
      const topic = i < 0 ? undefined : topicAt(i);
      chart.classList.toggle("chosen", topic !== undefined);
      lines.forEach((node, other) => node.classList.toggle("on", other === topic));
      line.setAttribute("visibility", i < 0 ? "hidden" : "visible");
      readout.textContent = i < 0 ? "\u00a0" : text(i);
      if (i >= 0) { line.setAttribute("x1", px(i)); line.setAttribute("x2", px(i)); }
    }
    function nearest(event) {
      const box = chart.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * width, y = ((event.clientY - box.top) / box.height) * H;
      rank = Math.min(deep - 1, Math.max(0, Math.floor((y - TOP) / ROW)));
      return n > 1 ? Math.min(n - 1, Math.max(0, Math.round((x - label) / each))) : 0;
    }
    ezlda.cursor.create(plot, { n, text, nearest, show, label: `Ranks of topics; the first ${deep} of each step`,
      across: (by) => { rank = Math.min(deep - 1, Math.max(0, rank + by)); },
      open: (i) => { if (topicAt(i) !== undefined) view.openPoint(topicAt(i), i); } });
    return el("div", { class: "stack" }, plot, readout);
  }

  ezlda.trendForms.ranked = { create, choices: [] };
})();

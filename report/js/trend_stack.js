// Topics on top of each other: the first few in colours, the others in greys, and beyond some number as one sum.
(() => {
  const { el, svg } = ezlda.dom;
  const { count, compact, percent, clip, known, isolated } = ezlda.format;
  const H = 420, LEFT = 56, RIGHT = 24, TOP = 10, BOTTOM = 28, COLOURED = 7, MOST = 60;
  const GREYS = ["#b9bdc2", "#a9aeb4"];

  function layout(app, view, topics, width) {
    const { series, set } = view;
    const chosen = topics.slice(0, MOST);
    const { n } = series, tokens = set.measure === "tokens";
    const values = chosen.map((topic) => series.of(topic)[tokens ? "tokens" : "share"]);
    const whole = Array.from(series.total, (total) => (tokens ? total : total ? 1 : NaN));
    const rest = whole.map((all, i) => all - values.reduce((sum, list) => sum + (list[i] || 0), 0));
    const high = tokens ? Math.max(...whole) || 1 : 1;
    const each = (width - LEFT - RIGHT) / (series.time ? Math.max(1, n - 1) : n);
    const px = (i) => LEFT + each * (series.time ? i : i + 0.5);
    const py = (v) => H - BOTTOM - ((H - TOP - BOTTOM) * v) / high;
    const layers = topics.length > chosen.length ? [...values, rest] : values;
    const sums = layers.map(() => new Float64Array(n));
    layers.forEach((list, layer) => { for (let i = 0; i < n; i++) sums[layer][i] = (layer ? sums[layer - 1][i] : 0) + (known(whole[i]) ? list[i] : NaN); });
    return { chosen, values, rest, n, each, px, py, high, sums, tokens };
  }

  function band(made, series, layer) {
    const { sums, px, py, each, n } = made;
    const low = (i) => (layer ? sums[layer - 1][i] : 0), xs = Array.from({ length: n }, (_, i) => px(i));
    const lows = xs.map((_, i) => py(low(i))), highs = xs.map((_, i) => (known(sums[layer][i]) ? py(sums[layer][i]) : NaN));
    if (series.time && n > 1) {
      const alone = xs.map((x, i) => (known(highs[i]) && !known(highs[i - 1]) && !known(highs[i + 1])
        ? `M${x - 1} ${lows[i]}V${highs[i]}H${x + 1}V${lows[i]}Z` : "")).join("");
      return ezlda.charts.between(xs, lows, highs) + alone;
    }
    const half = Math.min(40, each * 0.4);
    return xs.map((x, i) => (known(highs[i]) ? `M${x - half} ${lows[i]}V${highs[i]}H${x + half}V${lows[i]}Z` : "")).join("");
  }

  function axes(view, made, width) {
    const nodes = [], { series } = view, { py, px, high, tokens, each } = made;
    const rows = ezlda.charts.ticks(0, high, 5);
    for (const v of rows.values) {
      nodes.push(svg("text", { class: "tick", x: LEFT - 8, y: py(v) + 4, "text-anchor": "end",
        text: tokens ? compact(v) : ezlda.charts.shares(v, rows.digits) }));
    }
    const letters = Math.max(3, Math.floor(each / ezlda.charts.LETTER) - 1);
    const marks = series.marks(each) || (letters < 4 ? [] : series.texts.map((text, i) => [i, ezlda.format.drawn(text, letters)]));
    for (const [i, text] of marks) {
      nodes.push(svg("text", { class: "tick", x: px(i), y: H - 8, "text-anchor": "middle", text }));
    }
    return nodes;
  }

  function create(app, view, topics, width) {
    const { series, set } = view, made = layout(app, view, topics, width), { chosen, n, sums, py, px, tokens } = made;
    const colour = ezlda.palette.few(chosen), names = (layer) => (layer < chosen.length ? chosen[layer] : -1);
    const layers = sums.map((_, layer) => svg("path", { class: "layer", d: band(made, series, layer),
      fill: layer < Math.min(COLOURED, chosen.length) ? colour(chosen[layer]) : GREYS[layer % 2] }));
    const line = svg("line", { class: "cross", y1: TOP, y2: H - BOTTOM, visibility: "hidden" });
    const chart = svg("svg", { viewBox: `0 0 ${width} ${H}`, class: "chart", "aria-hidden": "true" }, ...layers,
      ...axes(view, made, width), line);
    const plot = el("div", { class: "plot opens" }, chart);
    const readout = el("p", { class: "readout", "aria-hidden": "true", text: "\u00a0" });
    let layer = 0, at = -1;
    const text = (i) => {
      const topic = names(layer), list = topic < 0 ? made.rest : made.values[layer];
      const what = topic < 0 ? "other topics" : `topic ${topic} ${isolated(clip(app.parts.titleOf(topic, 3), 60))}`;
      return `${series.texts[i]}: ${series.total[i] ? `${what}, ${tokens ? `${count(list[i])} tokens` : percent(list[i])}` : "no documents"}` +
        `, ${ezlda.topicTrend.behind(series.docs[i])}`;
    };
    function show(i) {
      at = i;
      line.setAttribute("visibility", i < 0 ? "hidden" : "visible");
      layers.forEach((node, one) => node.classList.toggle("dim", i >= 0 && one !== layer));
      readout.textContent = i < 0 ? "\u00a0" : text(i);
      if (i >= 0) { line.setAttribute("x1", px(i)); line.setAttribute("x2", px(i)); }
    }
    function nearest(event) {
      const box = chart.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * width, y = ((event.clientY - box.top) / box.height) * H;
      const i = Math.min(n - 1, Math.max(0, Math.round((x - px(0)) / ((n > 1 ? px(1) : px(0) + 1) - px(0)))));
      const found = sums.findIndex((sum) => known(sum[i]) && py(sum[i]) <= y);
      layer = found < 0 ? sums.length - 1 : found;
      return i;
    }
    ezlda.cursor.create(plot, { n, text, nearest, show, label: `${count(chosen.length)} topics${topics.length > chosen.length ? " and the others" : ""}, stacked`,
      across: (by) => { layer = Math.min(sums.length - 1, Math.max(0, layer - by)); },
      open: (i) => { if (names(layer) >= 0) view.openPoint(names(layer), i); } });
    const legend = el("p", { class: "legend" }, chosen.slice(0, COLOURED).map((topic) => app.parts.topicLink(topic, { colour: colour(topic), words: 3 })),
      topics.length > COLOURED ? el("span", { class: "rest" }, app.parts.swatch(GREYS[0]), ` ${count(topics.length - COLOURED)} other topics`) : null);
    return el("div", { class: "stack" }, legend, plot, readout);
  }

  ezlda.trendForms.stacked = { create, choices: ["measure", "order"] };
})();

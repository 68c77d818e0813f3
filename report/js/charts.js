// Line and bar charts in SVG. They scale with their box and show the value nearest to the pointer.
(() => {
  const { el, svg } = ezlda.dom;
  const { known } = ezlda.format;

  // Round values that divide a range into `about` steps.
  function ticks(low, high, about) {
    const raw = (high - low) / about || 1;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw) * power;
    const out = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) out.push(i * step + 0); // + 0: no -0
    return { values: out, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (step / power === 2.5 ? 1 : 0)) };
  }

  const LETTER = 6.6; // width of a character of a label, at most
  const COUNT_ROOM = 24; // height of the bars that count documents
  const W = 560, LEFT = 52, RIGHT = 12, TOP = 12, BOTTOM = 26;

  function frame(options) {
    const height = options.height || 190;
    const [x0, x1] = options.x, [y0, y1] = options.y;
    const px = (x) => LEFT + (W - LEFT - RIGHT) * (x1 > x0 ? (x - x0) / (x1 - x0) : 0.5);
    const py = (y) => height - BOTTOM - (height - TOP - BOTTOM) * (y1 > y0 ? (y - y0) / (y1 - y0) : 0.5);
    const box = { viewBox: `0 0 ${W} ${height}`, class: "chart" };
    const root = svg("svg", { ...box, role: "img", "aria-label": options.label });
    const rows = ticks(y0, y1, 4);
    for (const value of rows.values) {
      const text = options.yText(value, rows.digits);
      root.append(svg("line", { class: "grid", x1: LEFT, x2: W - RIGHT, y1: py(value), y2: py(value) }),
        svg("text", { class: "tick", x: LEFT - 8, y: py(value) + 4, "text-anchor": "end", text }));
    }
    for (const [value, text] of options.xTicks) {
      const anchor = px(value) > W - 40 ? "end" : px(value) < LEFT + 16 ? "start" : "middle";
      root.append(svg("text", { class: "tick", x: px(value), y: height - 7, "text-anchor": anchor, text }));
    }
    return { root, px, py, height };
  }

  const path = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

  // Shows the value at the pointer or the cursor: read(i) returns its text; click(i), if given, opens it.
  function readout(made, xs, ys, { read, click, label }) {
    const line = svg("line", { class: "cross", y1: TOP, y2: made.height - BOTTOM, visibility: "hidden" });
    const dot = svg("circle", { class: "cross-dot", r: 4, visibility: "hidden" });
    const text = el("p", { class: "readout", "aria-hidden": "true", text: "\u00a0" });
    made.root.append(line, dot);
    const nearest = (event) => {
      const box = made.root.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * W;
      let low = 0, high = xs.length - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((xs[middle] + xs[middle + 1]) / 2 < at) low = middle + 1; else high = middle;
      }
      return low;
    };
    function show(visible) {
      for (const node of [line, dot]) node.setAttribute("visibility", visible ? "visible" : "hidden");
    }
    const move = (i) => {
      show(i >= 0);
      text.textContent = i < 0 ? "\u00a0" : read(i);
      if (i < 0) return;
      line.setAttribute("x1", xs[i]); line.setAttribute("x2", xs[i]);
      if (known(ys[i])) { dot.setAttribute("cx", xs[i]); dot.setAttribute("cy", ys[i]); }
      else dot.setAttribute("visibility", "hidden");
    };
    const plot = el("div", { class: "plot" }, made.root);
    ezlda.cursor.create(plot, { n: xs.length, label, nearest, text: read, show: move, open: click });
    return el("div", { class: click ? "figure opens" : "figure" }, plot, text);
  }

  // Splits points into stretches whose y is known.
  function runs(points) {
    const found = [];
    points.forEach((point, i) => {
      if (!known(point[1])) return;
      if (!i || !known(points[i - 1][1])) found.push([]);
      found[found.length - 1].push(point);
    });
    return found;
  }

  // The area between two curves; NaN interrupts it.
  function between(xs, lows, highs) {
    return runs(xs.map((x, i) => [x, highs[i], lows[i]])).map((run) =>
      `${path(run)}${path([...run].reverse().map(([x, , low]) => [x, low])).replace("M", "L")}Z`).join("");
  }

  // points: [[x, y], ...] by rising x; NaN interrupts the line. options: label, xText, read, click, area, level (a
  // dashed line), half (half the width of a band around y), xTicks, zero.
  function lines(points, options) {
    const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
    const ends = (options.half || []).map((half, i) => ys[i] + half);
    const values = [...ys, ...ends, options.level].filter(known);
    const low = options.zero ? 0 : Math.min(...values), high = Math.max(...values);
    const room = (high - low || Math.abs(high) || 1) * 0.06;
    const range = [xs[0], xs[xs.length - 1]];
    const marks = options.xTicks || ticks(range[0], range[1], 5).values.map((v) => [v, options.xText(v)]);
    const made = frame({ ...options, x: range, y: [options.zero ? 0 : low - room, high + room], xTicks: marks });
    const drawn = points.map(([x, y]) => [made.px(x), made.py(y)]);
    const floor = made.height - BOTTOM, stretches = runs(drawn);
    if (options.counts) {
      const most = Math.max(...options.counts) || 1, half = Math.min(4, (W - LEFT - RIGHT) / points.length / 2.5);
      const bar = ([x], i) => `M${(x - half).toFixed(1)} ${floor}` +
        `v${((-COUNT_ROOM * options.counts[i]) / most).toFixed(1)}h${(2 * half).toFixed(1)}V${floor}Z`;
      made.root.append(svg("path", { class: "counts", d: drawn.map(bar).join("") }));
    }
    if (options.area) {
      made.root.append(svg("path", { class: "area", d: stretches.map((run) =>
        `${path(run)}L${run[run.length - 1][0]} ${floor}L${run[0][0]} ${floor}Z`).join("") }));
    }
    if (options.half) {
      const end = (sign) => ys.map((y, i) => made.py(Math.max(0, y + sign * options.half[i])));
      made.root.append(svg("path", { class: "band", d: between(drawn.map(([x]) => x), end(-1), end(1)) }));
    }
    if (options.level !== undefined) {
      const y = made.py(options.level);
      made.root.append(svg("line", { class: "level", x1: LEFT, x2: W - RIGHT, y1: y, y2: y }));
    }
    made.root.append(svg("path", { class: "line", d: stretches.map(path).join("") }));
    for (const [[cx, cy]] of stretches.filter((run) => run.length === 1)) {
      made.root.append(svg("circle", { class: "lone", cx, cy, r: 3 }));
    }
    return readout(made, drawn.map((p) => p[0]), drawn.map((p) => p[1]), options);
  }

  // Draws all bars as one shape, so that thousands cost no more than ten. marked(i): in the colour of flags.
  function columns(values, options) {
    const n = values.length;
    const made = frame({ ...options, x: [0, n], y: [0, Math.max(...values) * 1.04 || 1] });
    const floor = made.height - BOTTOM;
    const gap = n <= 150 ? 0.18 : 0;
    const bar = (i) => {
      const [left, right, top] = [made.px(i + gap / 2), made.px(i + 1 - gap / 2), made.py(values[i])];
      return `M${left.toFixed(2)} ${floor}V${top.toFixed(2)}H${right.toFixed(2)}V${floor}Z`;
    };
    const shape = (which) => which.map(bar).join("");
    const all = values.map((_, i) => i);
    made.root.append(svg("path", { class: "column", d: shape(all.filter((i) => !options.marked(i))) }),
      svg("path", { class: "column marked", d: shape(all.filter((i) => options.marked(i))) }));
    return readout(made, all.map((i) => made.px(i + 0.5)), values.map(made.py), options);
  }

  // Pixels between two of n points.
  const each = (n) => (W - LEFT - RIGHT) / Math.max(1, n - 1);

  // Labels of an axis of shares, with as many digits as its steps need.
  const shares = (value, digits) => `${(100 * value).toFixed(Math.max(0, digits - 2))} %`;

  ezlda.charts = { LETTER, path, runs, between, lines, columns, ticks, shares, each };
})();

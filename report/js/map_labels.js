// Decides which topics get a label on the map, and where: the selected topic first, then the largest ones for which a
// position is free of other labels and circles.
(() => {
  const { drawn } = ezlda.format;
  const FONT = '500 12px Inter, "Segoe UI", system-ui, sans-serif';
  const NUMBER = '600 10.5px Inter, "Segoe UI", system-ui, sans-serif';
  const ROOM = 13000, TRIES = 3000, CELL = 48; // at most one label per this many square pixels
  const HEIGHT = 16, SIDE = 8, ABOVE = 3; // height of a line of text; space around a label
  const GAP = 5; // from a circle to its label; labels keep more than this from other circles
  const SMALL = 9; // smaller circles hold no text, so labels may cross them

  // A label's box is [left, top, right, bottom].
  const meets = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
  const wider = ([left, top, right, bottom]) => [left - SIDE, top - ABOVE, right + SIDE, bottom + ABOVE];
  const between = (value, low, high) => Math.max(low, Math.min(high, value));
  const apart = ([left, top, right, bottom], { x, y, r }) =>
    Math.hypot(x - between(x, left, right), y - between(y, top, bottom)) - r;

  // Things with boxes, sorted into cells, so that a test looks at only a few.
  function grid() {
    const cells = new Map();
    const each = (box, call) => {
      for (let x = Math.floor(box[0] / CELL); x <= Math.floor(box[2] / CELL); x++) {
        for (let y = Math.floor(box[1] / CELL); y <= Math.floor(box[3] / CELL); y++) {
          if (call(x * 4096 + y)) return true;
        }
      }
      return false;
    };
    const add = (box, thing) => each(box, (cell) => {
      if (!cells.has(cell)) cells.set(cell, []);
      cells.get(cell).push(thing);
    });
    const some = (box, test) => each(box, (cell) => (cells.get(cell) || []).some(test));
    return { add, some };
  }

  // Boxes of a label of width w, best first: inside its circle if it fits, right, left, above, below, at the corners.
  function spots({ x, y, r }, w, view) {
    const inside = [y, y - r / 2, y + r / 2].filter((middle) =>
      Math.hypot(w / 2 + 3, Math.abs(middle - y) + HEIGHT / 2 - 2) < r).map((middle) => [x - w / 2, middle, "inside"]);
    const middle = between(x - w / 2, 6, view.width - w - 6);
    const right = x + r + GAP, left = x - r - GAP - w, out = 0.72 * r + 3;
    const around = [[right, y], [left, y], [middle, y - r - 10], [middle, y + r + 11, "below"],
      ...[x + out, x - out - w].flatMap((from) => [[from, y - out - 4], [from, y + out + 4]])];
    return [...inside, ...around].map(([from, line, kind]) =>
      ({ box: [from, line - HEIGHT / 2, from + w, line + HEIGHT / 2], kind, inside: kind === "inside" }));
  }

  function create(context) {
    const widths = new Map();
    const width = (text, font) => {
      const key = font + text;
      if (!widths.has(key)) {
        if (widths.size > 20000) widths.clear();
        context.font = font;
        widths.set(key, context.measureText(text).width);
      }
      return widths.get(key);
    };

    // Circles that labels avoid: those that could hold a label, and that of the selected topic.
    function obstacles(circles, chosen, view) {
      const found = grid();
      for (const circle of circles) {
        const { topic, x, y, r } = circle;
        if (r < SMALL && topic !== chosen) continue;
        found.add([Math.max(-CELL, x - r), Math.max(-CELL, y - r), Math.min(view.width + CELL, x + r),
          Math.min(view.height + CELL, y + r)], circle);
      }
      return found;
    }

    // topics: in order of importance; place(topic) -> {x, y, r}; title(topic, words); circles: all that are drawn, as
    // {topic, x, y, r}. The selected topic and the one under the pointer (or -1) always get a label. The latter moves
    // no other label, so that the one under the pointer stays there, but hides those that it covers.
    function layout(topics, { chosen, hover }, { place, title, circles, view }) {
      const solid = obstacles(circles, chosen, view), taken = grid();
      const most = Math.max(24, (view.width * view.height) / ROOM);
      const labels = [];

      const inSight = (box) => box[0] >= 0 && box[1] >= 0 && box[2] <= view.width && box[3] <= view.height;
      const free = (topic, { box, inside }) => inSight(box) &&
        !taken.some(wider(box), (other) => meets(wider(box), other)) &&
        !solid.some(wider(box), (other) => other.topic !== topic && apart(box, other) < (inside ? 1 : GAP + 1));

      // A label with two words, one word or, inside its circle, only the number, as there is room; null if there is
      // none.
      function fit(topic, circle, sure) {
        const texts = sure ? [title(topic, 2)] : [...new Set([title(topic, 2), title(topic, 1), ""])];
        const number = String(topic), numberWidth = width(number, NUMBER);
        for (const words of texts) {
          const text = drawn(words, 34), w = numberWidth + (text ? width(text, FONT) + 5 : 0);
          const ways = spots(circle, w, view).filter(({ inside }) => inside || words || texts.length === 1);
          const way = ways.find((one) => free(topic, one)) || (sure && ways.find(({ kind }) => kind === "below"));
          if (way) return { topic, text, number, numberWidth, ...way };
        }
        return null;
      }

      let tries = 0;
      for (const topic of topics) {
        if (labels.length >= most || tries > TRIES) break;
        const circle = place(topic);
        if (circle.x < -40 || circle.y < -20 || circle.x > view.width + 40 || circle.y > view.height + 20) continue;
        tries += 1;
        const label = fit(topic, circle, topic === chosen);
        if (!label) continue;
        taken.add(wider(label.box), wider(label.box));
        labels.push(label);
      }
      const own = labels.find((label) => label.topic === hover);
      if (hover < 0 || (own && !(own.inside && own.text !== drawn(title(hover, 2), 34)))) return labels;
      const raised = { ...fit(hover, place(hover), true), passing: true };
      return [...labels.filter((label) => label !== own && !meets(label.box, wider(raised.box))), raised];
    }

    // The topic whose label is at a position, or -1. A label that is shown only under the pointer does not count.
    function at(labels, px, py) {
      const found = labels.find(({ box, passing }) => !passing && meets(box, [px, py, px, py]));
      return found ? found.topic : -1;
    }

    function draw(labels, colours, faded) {
      context.textBaseline = "alphabetic";
      context.lineJoin = "round";
      for (const label of labels) {
        context.globalAlpha = faded(label.topic) ? 0.6 : 1;
        const inside = label.inside && !faded(label.topic);
        context.lineWidth = inside ? 2.5 : 3.5;
        context.strokeStyle = inside ? "rgb(0 0 0 / 38%)" : colours.map;
        const [left, top] = label.box, y = top + 12;
        for (const [text, font, x, fill] of [[label.number, NUMBER, left, inside ? "#fff" : colours.soft],
          [label.text, FONT, left + label.numberWidth + 5, inside ? "#fff" : colours.ink]]) {
          context.font = font;
          context.strokeText(text, x, y);
          context.fillStyle = fill;
          context.fillText(text, x, y);
        }
      }
      context.globalAlpha = 1;
    }

    return { layout, at, draw };
  }

  ezlda.mapLabels = create;
})();

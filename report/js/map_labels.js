// Which topics get their words written on the map: the chosen first, then the largest that still find room.
(() => {
  const { drawn } = ezlda.format;
  const FONT = '500 12px Inter, "Segoe UI", system-ui, sans-serif';
  const NUMBER = '600 10.5px Inter, "Segoe UI", system-ui, sans-serif';
  const MOST = 160, TRIES = 3000, CELL = 48;

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

    // Boxes already taken, in a grid of cells so that a test looks at a few only.
    function room() {
      const cells = new Map();
      const covered = (box, call) => {
        for (let x = Math.floor(box[0] / CELL); x <= Math.floor(box[2] / CELL); x++) {
          for (let y = Math.floor(box[1] / CELL); y <= Math.floor(box[3] / CELL); y++) if (call(x * 4096 + y) === false) return false;
        }
        return true;
      };
      const free = (box) => covered(box, (cell) => !(cells.get(cell) || []).some((other) =>
        box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]));
      const take = (box) => covered(box, (cell) => { cells.set(cell, [...(cells.get(cell) || []), box]); });
      return { free, take };
    }

    // topics: in order of importance; place(topic) -> {x, y, r}; sure: topics that are written whatever they cover.
    function layout(topics, sure, place, title, view) {
      const taken = room(), labels = [];
      let tries = 0;
      for (const topic of topics) {
        if (labels.length >= MOST || tries > TRIES) break;
        const { x, y, r } = place(topic);
        if (x < -40 || y < -20 || x > view.width + 40 || y > view.height + 20) continue;
        tries += 1;
        const text = drawn(title(topic), 34), number = String(topic);
        const w = width(text, FONT) + width(number, NUMBER) + 5;
        const inside = w < 2 * r - 8;
        const spots = inside ? [[x - w / 2, y - 8]] : [[x - w / 2, y + r + 3], [x - w / 2, y - r - 18], [x + r + 5, y - 8], [x - r - 5 - w, y - 8]];
        const boxes = spots.map(([left, top]) => [left - 3, top - 1, left + w + 3, top + 16]);
        const box = boxes.find(taken.free) || (sure.has(topic) ? boxes[0] : null);
        if (!box) continue;
        taken.take(box);
        labels.push({ topic, text, number, x: box[0] + 3, y: box[1] + 12.5, inside, numberWidth: width(number, NUMBER) });
      }
      return labels;
    }

    function draw(labels, colours, faded) {
      context.textBaseline = "alphabetic";
      context.lineJoin = "round";
      context.lineWidth = 3.5;
      context.strokeStyle = colours.map;
      for (const label of labels) {
        context.globalAlpha = faded(label.topic) ? 0.35 : 1;
        for (const [text, font, x, fill] of [[label.number, NUMBER, label.x, colours.soft],
          [label.text, FONT, label.x + label.numberWidth + 5, colours.ink]]) {
          context.font = font;
          context.strokeText(text, x, label.y);
          context.fillStyle = fill;
          context.fillText(text, x, label.y);
        }
      }
      context.globalAlpha = 1;
    }

    return { layout, draw };
  }

  ezlda.mapLabels = create;
})();

// Which topics get their words written on the map: the chosen first, then the largest that still find room.
(() => {
  const { drawn } = ezlda.format;
  const FONT = '500 12px Inter, "Segoe UI", system-ui, sans-serif';
  const NUMBER = '600 10.5px Inter, "Segoe UI", system-ui, sans-serif';
  const ROOM = 13000, TRIES = 3000, CELL = 48; // a label for so many square pixels of the map, and not more

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
          for (let y = Math.floor(box[1] / CELL); y <= Math.floor(box[3] / CELL); y++) {
            if (call(x * 4096 + y) === false) return false;
          }
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
      const most = Math.max(24, (view.width * view.height) / ROOM);
      const within = (left, w) => Math.max(6, Math.min(view.width - w - 6, left));
      let tries = 0;
      for (const topic of sure) {
        const { x, y, r } = place(topic);
        taken.take([x - 0.7 * r, y - 0.7 * r, x + 0.7 * r, y + 0.7 * r]);
      }
      for (const topic of topics) {
        if (labels.length >= most || tries > TRIES) break;
        const { x, y, r } = place(topic);
        if (x < -40 || y < -20 || x > view.width + 40 || y > view.height + 20) continue;
        tries += 1;
        const text = drawn(title(topic), 34), number = String(topic);
        const w = width(text, FONT) + width(number, NUMBER) + 5;
        const inside = w < 2 * r - 8;
        const free = (box) => box[0] >= -8 && box[2] <= view.width + 8 && taken.free(box);
        const left = within(x - w / 2, w);
        const spots = inside ? [[x - w / 2, y - 8]]
          : [[left, y + r + 3], [left, y - r - 18], [x + r + 5, y - 8], [x - r - 5 - w, y - 8]];
        const boxes = spots.map(([from, top]) => [from - 8, top - 5, from + w + 8, top + 20]);
        const box = boxes.find(free) || (sure.has(topic) ? boxes[0] : null);
        if (!box) continue;
        taken.take(box);
        const numberWidth = width(number, NUMBER);
        labels.push({ topic, text, number, numberWidth, x: box[0] + 8, y: box[1] + 16.5, inside });
      }
      return labels;
    }

    function draw(labels, colours, faded) {
      context.textBaseline = "alphabetic";
      context.lineJoin = "round";
      for (const label of labels) {
        context.globalAlpha = faded(label.topic) ? 0.6 : 1;
        const inside = label.inside && !faded(label.topic);
        context.lineWidth = inside ? 2.5 : 3.5;
        context.strokeStyle = inside ? "rgb(0 0 0 / 38%)" : colours.map;
        for (const [text, font, x, fill] of [[label.number, NUMBER, label.x, inside ? "#fff" : colours.soft],
          [label.text, FONT, label.x + label.numberWidth + 5, inside ? "#fff" : colours.ink]]) {
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

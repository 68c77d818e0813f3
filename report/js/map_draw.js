// Draws the map on a canvas: background, ties of the selected topic, circles (area by share of tokens), marks, labels.
(() => {
  const COVER = 0.24; // the share of the map that circles would cover without overlap
  const MOST_NAMED = 4000; // topics for which a label is tried, largest first

  // The radius of a circle, in units of the map.
  const radiusOf = (share, terrain) => terrain.side * Math.sqrt((share * COVER) / Math.PI);

  function create(app, canvas, camera, terrain) {
    const { model, state, parts } = app;
    const context = canvas.getContext("2d");
    const labels = ezlda.mapLabels(context);
    const { x: xs, y: ys } = model.topics;
    const order = model.bySize();
    let colours = ezlda.palette.ofTheme();
    let shade = parts.colourOf;
    const look = { hover: -1, word: -1, mix: null, ratio: 1 };
    let named = []; // the labels on the map

    // Circles grow slower than the map, so that zooming in separates them.
    function radius(topic) {
      const least = model.K > 3000 ? 1.4 : 2.4;
      return Math.max(least, radiusOf(model.share(topic), terrain) * camera.base * camera.zoom ** 0.55);
    }
    const place = (topic) => ({ x: camera.toX(xs[topic]), y: camera.toY(ys[topic]), r: radius(topic) });

    // The highlighted topics with their strength: those of a word or of a document; null: no highlighting.
    function lit() {
      const word = look.word >= 0 ? look.word : state.now.word;
      if (word < 0) return look.mix;
      const found = new Map();
      const list = model.wordTopics(word);
      const most = list.reduce((max, item) => Math.max(max, item.here), 1e-12);
      for (const item of list) found.set(item.topic, item.here / most);
      return found;
    }

    function ground() {
      const x = camera.toX(terrain.left), y = camera.toY(terrain.top), side = terrain.side * camera.scale();
      context.imageSmoothingQuality = "high";
      context.globalAlpha = Math.min(1, camera.zoom ** -0.4); // at high zoom the bands would fill the view with colour
      context.drawImage(terrain.image(colours.terrain), x, y, side, side);
      context.globalAlpha = 1;
      context.save();
      context.translate(camera.toX(0), camera.toY(0));
      context.scale(camera.scale(), camera.scale());
      context.lineWidth = 1 / camera.scale();
      context.strokeStyle = colours.contour;
      for (const line of terrain.lines) context.stroke(line);
      context.restore();
    }

    function ties(topic) {
      const from = place(topic);
      context.strokeStyle = colours.accent;
      for (const other of model.similar(topic)) {
        const to = place(other.topic);
        const bend = [(from.x + to.x) / 2 - (to.y - from.y) * 0.12, (from.y + to.y) / 2 + (to.x - from.x) * 0.12];
        context.globalAlpha = 0.2 + 0.6 * Math.max(0, Math.min(1, other.similarity));
        context.lineWidth = 1 + 2.5 * Math.max(0, other.similarity);
        context.beginPath();
        context.moveTo(from.x, from.y);
        context.quadraticCurveTo(...bend, to.x, to.y);
        context.stroke();
      }
      context.globalAlpha = 1;
    }

    function ring(topic, colour, width, gap) {
      const { x, y, r } = place(topic);
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.beginPath();
      context.arc(x, y, r + gap, 0, 2 * Math.PI);
      context.stroke();
    }

    // Returns the highlighted circles in sight, which labels avoid.
    function circles(bright, near) {
      const fine = model.K <= 3000, drawn = [];
      context.lineWidth = fine ? 1 : 0.5;
      for (let i = 0; i < order.length; i++) {
        const topic = order[i];
        const { x, y, r } = place(topic);
        if (x + r < 0 || y + r < 0 || x - r > camera.width || y - r > camera.height) continue;
        const off = bright && !bright.has(topic);
        if (!off) drawn.push({ topic, x, y, r });
        const plain = near && !near.has(topic) ? 0.42 : 0.85;
        context.globalAlpha = off ? 0.13 : bright ? 0.45 + 0.5 * bright.get(topic) : plain;
        context.fillStyle = off ? colours.soft : bright ? colours.accent : shade(topic);
        context.beginPath();
        context.arc(x, y, r, 0, 2 * Math.PI);
        context.fill();
        if (!fine && r < 3) continue;
        context.globalAlpha = off ? 0.3 : 0.9;
        context.strokeStyle = colours.map;
        context.stroke();
      }
      context.globalAlpha = 1;
      return drawn;
    }

    function flags(bright) {
      context.setLineDash([3, 2.5]);
      for (const topic of model.flags.keys()) if (!bright || bright.has(topic)) ring(topic, colours.flag, 1.5, 2);
      context.setLineDash([]);
    }

    function draw() {
      const bright = lit(), chosen = state.now.topic;
      context.setTransform(look.ratio, 0, 0, look.ratio, 0, 0);
      context.fillStyle = colours.map;
      context.fillRect(0, 0, camera.width, camera.height);
      ground();
      const around = chosen >= 0 && !bright ? model.similar(chosen).map((item) => item.topic) : null;
      const near = around && new Set([chosen, ...around]);
      const drawn = circles(bright, near);
      if (near) ties(chosen);
      flags(bright);
      if (chosen >= 0) { ring(chosen, colours.map, 5, 2.5); ring(chosen, colours.ink, 2.25, 2.5); }
      if (look.hover >= 0) ring(look.hover, colours.ink, 1.5, 1);
      const first = new Set([...(chosen >= 0 ? [chosen] : []), ...(bright ? bright.keys() : near || [])]);
      const others = bright ? [] : Array.from(order.subarray(0, MOST_NAMED)).filter((topic) => !first.has(topic));
      named = labels.layout([...first, ...others], { chosen, hover: look.hover },
        { place, title: parts.titleOf, circles: drawn, view: camera });
      labels.draw(named, colours, (topic) => near !== null && !near.has(topic));
    }

    // The topic at a position on the screen: that of a label, of the smallest circle around it, or of the nearest
    // circle within a few pixels.
    function at(px, py, slack) {
      let best = labels.at(named, px, py), bestScore = Infinity;
      if (best >= 0) return best;
      for (let topic = 0; topic < model.K; topic++) {
        if (model.hidden.has(topic)) continue;
        const dx = camera.toX(xs[topic]) - px, dy = camera.toY(ys[topic]) - py;
        const distance = Math.hypot(dx, dy), r = radius(topic);
        if (distance > r + slack) continue;
        const score = distance <= r ? r : 1e4 + distance - r;
        if (score < bestScore) { best = topic; bestScore = score; }
      }
      return best;
    }

    const shadeBy = (call) => { shade = call; };
    const recolour = () => { colours = ezlda.palette.ofTheme(); };
    return { draw, at, place, look, shadeBy, recolour };
  }

  ezlda.mapDraw = create;
  ezlda.mapReach = (model, terrain) => radiusOf(model.share(model.bySize()[0]), terrain);
})();

// The map as a control: pointer, wheel, touch and keys; a card at the pointer; buttons and the legend.
(() => {
  const { el, bdi, button } = ezlda.dom;
  const { known, percent, clip, score } = ezlda.format;

  // The mean time of a topic in a time field, as a number of the field's unit; NaN if it has none.
  function meanTime({ table, bins }, topic) {
    let sum = 0, weighted = 0;
    for (let bin = 0; bin < bins; bin++) {
      const share = table.total[bin] ? table.tokens[topic * bins + bin] / table.total[bin] : 0;
      sum += share;
      weighted += share * (table.at[bin] - table.at[0]);
    }
    return weighted / sum;
  }

  // Returns a function from topics to ranks of their values, for colours; NaN stays NaN.
  function ranked(values) {
    const rank = ezlda.palette.ranks(values.map((value) => (known(value) ? value : -Infinity)));
    return (topic) => (known(values[topic]) ? rank[topic] : NaN);
  }

  // Ways to colour the circles: [key, name, meaning of the ends of the scale, topic -> 0..1 or NaN].
  function shadings({ model }) {
    const ways = [["place", "position", null, null]];
    const { coherence } = model.topics;
    if (coherence.some(known)) ways.push(["coherence", "coherence", ["low", "high"], ranked(coherence)]);
    model.fields.forEach((field, number) => {
      if (!field.time || field.bins < 2) return;
      let rank = null; // computed on first use
      const means = () => Float32Array.from({ length: model.K }, (_, topic) => meanTime(field, topic));
      ways.push([`field ${number}`, `mean ${clip(field.name, 20)}`, ["early", "late"],
        (topic) => (rank || (rank = ranked(means())))(topic)]);
    });
    return ways;
  }

  function create(app, home) {
    const { model, state, parts } = app;
    const canvas = el("canvas", {
      tabindex: "0", role: "application", "aria-roledescription": "topic map", "aria-describedby": "map-help",
      "aria-label": `Map of ${model.shownCount} topics. Arrow keys move between topics.`,
    });
    const card = el("div", { class: "card", hidden: true });
    const bounds = ezlda.mapCamera.boundsOf(model.topics.x, model.topics.y);
    const terrain = ezlda.mapTerrain(model, bounds);
    let asked = false;
    const redraw = () => {
      if (!asked) requestAnimationFrame(() => { asked = false; paint.draw(); });
      asked = true;
    };
    const camera = ezlda.mapCamera.create(bounds, ezlda.mapReach(model, terrain), redraw);
    const paint = ezlda.mapDraw(app, canvas, camera, terrain);

    // Whether a box covers a part of a circle.
    function anyUnder(box) {
      const left = box.offsetLeft, top = box.offsetTop, right = left + box.offsetWidth, bottom = top + box.offsetHeight;
      const off = (at, low, high) => Math.max(low - at, 0, at - high);
      return Array.from(model.shown(), (topic) => paint.place(topic)).some(({ x, y, r }) =>
        Math.hypot(off(x, left, right), off(y, top, bottom)) < r);
    }

    function resize() {
      const { clientWidth: width, clientHeight: height } = home;
      if (!width || !height) return;
      paint.look.ratio = Math.min(2, window.devicePixelRatio || 1);
      canvas.width = Math.round(width * paint.look.ratio);
      canvas.height = Math.round(height * paint.look.ratio);
      camera.resize(width, height, Math.min(height / 3, legendBox.offsetHeight + 14));
      for (let i = 0; i < 20 && model.K <= 300 && camera.zoom === 1 && anyUnder(controls); i++) camera.base *= 0.95;
      paint.draw();
    }

    function fillCard(topic, px, py) {
      const words = model.topWords(topic, state.now.lambda, 8).map((item) => clip(model.text[item.word], 24));
      const coherence = model.topics.coherence[topic];
      const facts = [`${percent(model.share(topic))} of tokens`,
        ...(Number.isNaN(coherence) ? [] : [`coherence ${score(coherence, 2)}`])];
      const flags = (model.flags.get(topic) || []).map((flag) =>
        el("p", { class: "card-flag" }, `${parts.FLAGS[flag.kind] || flag.kind}: `, bdi(flag.reason)));
      card.replaceChildren(
        el("p", { class: "card-title" }, parts.swatch(parts.colourOf(topic)),
          el("span", { class: "number", text: topic }), bdi(parts.titleOf(topic, 3), { class: "given" })),
        el("p", { class: "card-words" }, bdi(words.join(" "))),
        el("p", { class: "card-facts", text: facts.join(" · ") }), ...flags);
      card.hidden = false;
      const left = px + 18 + card.offsetWidth > camera.width ? px - card.offsetWidth - 18 : px + 18;
      card.style.left = `${Math.max(8, left)}px`;
      card.style.top = `${Math.max(8, Math.min(py + 14, camera.height - card.offsetHeight - 8))}px`;
    }

    function hover(topic, px, py) {
      if (topic >= 0) fillCard(topic, px, py);
      else card.hidden = true;
      canvas.classList.toggle("over", topic >= 0);
      if (paint.look.hover !== topic) { paint.look.hover = topic; redraw(); }
    }

    // The nearest topic in a direction; distance off the axis counts double.
    function neighbour(from, dx, dy) {
      let best = -1, least = Infinity;
      for (const topic of model.shown()) {
        const x = model.topics.x[topic] - model.topics.x[from], y = model.topics.y[topic] - model.topics.y[from];
        const along = x * dx + y * dy, off = Math.abs(x * dy) + Math.abs(y * dx);
        if (topic !== from && along > 1e-6 && along + 2 * off < least) { best = topic; least = along + 2 * off; }
      }
      return best;
    }

    // Moves the map if a topic is out of sight.
    function reveal(topic) {
      const { x, y } = paint.place(topic);
      const edge = 30;
      if (x < edge || y < edge || x > camera.width - edge || y > camera.height - edge) {
        camera.fly(model.topics.x[topic], model.topics.y[topic], camera.zoom);
      }
    }

    const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const middle = (factor) => camera.zoomAt(factor, camera.width / 2, camera.middle());
    function key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const arrow = ARROWS[event.key];
      if (arrow && event.shiftKey) camera.pan(-60 * arrow[0], -60 * arrow[1]);
      else if (arrow) {
        const next = state.now.topic < 0 ? model.bySize()[0] : neighbour(state.now.topic, ...arrow);
        if (next >= 0) state.openTopic(next);
      } else if (event.key === "+" || event.key === "=") middle(1.5);
      else if (event.key === "-") middle(1 / 1.5);
      else if (event.key === "0") camera.fit();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }

    // One finger or the mouse pans, two fingers zoom, a press without movement selects.
    const fingers = new Map();
    let moved = 0, spread = 0;
    const local = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    function down(event) {
      if (event.button) return;
      fingers.set(event.pointerId, local(event));
      canvas.setPointerCapture(event.pointerId);
      moved = 0;
      spread = 0;
    }
    function move(event) {
      const now = local(event), before = fingers.get(event.pointerId);
      if (!before) {
        if (event.pointerType !== "touch") hover(paint.at(...now, 4), ...now);
        return;
      }
      fingers.set(event.pointerId, now);
      moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
      if (fingers.size === 2) {
        const [a, b] = [...fingers.values()];
        const distance = Math.hypot(a[0] - b[0], a[1] - b[1]);
        if (spread) camera.zoomAt(distance / spread, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
        spread = distance;
      } else if (moved > 4) {
        hover(-1);
        canvas.classList.add("drags");
        camera.pan(now[0] - before[0], now[1] - before[1]);
      }
    }
    function up(event) {
      const single = fingers.size === 1 && fingers.delete(event.pointerId);
      fingers.delete(event.pointerId);
      canvas.classList.remove("drags");
      if (!single || moved > 4 || event.type !== "pointerup") return;
      const topic = paint.at(...local(event), event.pointerType === "touch" ? 16 : 4);
      if (topic >= 0) state.openTopic(topic);
      else if (state.now.topic >= 0 || state.now.word >= 0) state.openPanel("overview");
    }

    function legend() {
      const ways = shadings(app);
      const scale = el("span", { class: "scale", hidden: true });
      const shadeOf = (share) => (Number.isNaN(share) ? ezlda.palette.OTHER : ezlda.palette.sequential(share));
      const shade = () => {
        const [, , ends, share] = ways.find(([name]) => name === choose.value);
        scale.hidden = !ends;
        if (ends) scale.replaceChildren(el("span", { text: ends[0] }), el("i"), el("span", { text: ends[1] }));
        paint.shadeBy(share ? (topic) => shadeOf(share(topic)) : parts.colourOf);
        paint.draw();
      };
      const choose = el("select", { id: "shade", on: { change: shade } },
        ways.map(([value, text]) => el("option", { value, text })));
      const help = `Near: similar words. Area: share of tokens.${model.flags.size ? " Dashed: flagged." : ""}`;
      return el("div", { class: "map-legend" }, el("label", { for: "shade", text: "Colour by" }), choose, scale,
        el("p", { class: "note", id: "map-help", text: help }));
    }

    const controls = el("div", { class: "map-controls" }, button("+", "Zoom in (+)", () => middle(1.6)),
      button("−", "Zoom out (−)", () => middle(1 / 1.6)), button("⌂", "Show all (0)", () => camera.fit()));
    const legendBox = legend();
    home.replaceChildren(canvas, controls, legendBox, card);

    canvas.addEventListener("keydown", key);
    canvas.addEventListener("pointerdown", down);
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => hover(-1));
    canvas.addEventListener("dblclick", (event) => camera.zoomAt(2, ...local(event)));
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && window.matchMedia("(max-width: 860px)").matches) return; // there the wheel scrolls the page
      event.preventDefault();
      const speed = event.deltaMode ? 0.05 : event.ctrlKey ? 0.01 : 0.0016; // lines, a pinch, pixels
      camera.zoomAt(Math.exp(-event.deltaY * speed), ...local(event));
    }, { passive: false });
    new ResizeObserver(resize).observe(home);
    resize();

    state.listen((now, changed) => {
      if (changed.has("topic") && now.topic >= 0) reveal(now.topic);
      if (["panel", "topic", "word", "document"].some((key) => changed.has(key))) {
        hover(-1);
        paint.look.word = -1;
        paint.look.mix = null;
      }
      if (changed.size > 1 || !changed.has("lambda")) redraw();
    });

    return {
      canvas, camera, paint, zoom: middle, focus: () => canvas.focus(),
      // Other views highlight a topic, or the topics of a word, while the pointer is on them.
      point: (topic) => { paint.look.hover = topic; redraw(); },
      spotlight: (word) => { paint.look.word = word; redraw(); },
      // Highlights the topics of a document, relative to the largest share.
      light: (mix) => {
        paint.look.mix = new Map(mix.map(([topic, share]) => [topic, Math.min(1, share / (mix[0][1] || 1))]));
        redraw();
      },
      recolour: () => { paint.recolour(); paint.draw(); },
    };
  }

  ezlda.createMap = create;
})();

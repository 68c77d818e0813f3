// A topic along the fields of the corpus: over time as a curve, over categories as bars, against its share of everything.
(() => {
  const { el, bdi } = ezlda.dom;
  const { percent, clip, times } = ezlda.format;
  const MOST_BARS = 15;

  function values(field, topic) {
    const n = field.values.length;
    return Array.from(field.table.share.subarray(topic * n, (topic + 1) * n));
  }

  function overTime(field, shares, mean) {
    const step = Math.max(1, Math.ceil(shares.length / 8));
    const marks = field.values.map((value, i) => [i, clip(value, 12)]).filter((_, i) => i % step === 0);
    return ezlda.charts.lines(shares.map((share, i) => [i, share]), { height: 170, zero: true, area: true, level: mean,
      xTicks: marks, xText: String, yText: (v) => percent(v),
      label: `Share of the topic by ${clip(field.name, 40)}: from ${percent(shares[0])} to ${percent(shares[shares.length - 1])}, ` +
        `largest in ${clip(field.values[shares.indexOf(Math.max(...shares))], 40)}.`,
      read: (i) => `${clip(field.values[i], 40)}: ${percent(shares[i])} of tokens (${percent(mean)} overall)` });
  }

  function overCategories(app, field, shares, mean) {
    const order = shares.map((_, i) => i).sort((a, b) => shares[b] - shares[a]).slice(0, MOST_BARS);
    const largest = Math.max(shares[order[0]], mean) || 1;
    return el("ul", { class: "plain categories" }, order.map((i) => {
      const bar = app.parts.bar(shares[i] / largest, { class: "bar against" });
      bar.append(el("i", { style: { left: `${(100 * mean) / largest}%` } }));
      return el("li", {}, bdi(field.values[i], { class: "category" }), bar, el("span", { class: "value", text: percent(shares[i]) }),
        el("span", { class: "value soft", text: times(shares[i] / (mean || 1)) }));
    }));
  }

  function create(app, topic) {
    const mean = app.model.share(topic);
    return app.model.fields.filter((field) => field.values.length).map((field) => {
      const shares = values(field, topic);
      const time = field.kind === "time" && shares.length > 1;
      const made = app.parts.section("", time ? "Share of the tokens of each moment; dashed: of all tokens."
        : "Share of the tokens of each value; the mark: of all tokens.",
      time ? overTime(field, shares, mean) : overCategories(app, field, shares, mean));
      made.querySelector("h3").append("By ", bdi(clip(field.name, 40)));
      return made;
    });
  }

  ezlda.topicTrend = { create, values };
})();

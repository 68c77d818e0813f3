// A topic over the fields of the corpus: a curve over time, or bars over categories, compared with its overall share.
(() => {
  const { el, bdi, select, value } = ezlda.dom;
  const { known, count, percent, clip, times } = ezlda.format;

  const behind = (docs) => (docs === 1 ? "1 document" : `${count(docs)} documents`);

  function overTime(app, topic, field, key) {
    const series = field.series(key), { share, half } = series.of(topic), mean = app.model.share(topic);
    const peak = share.reduce((best, one, i) => (known(share[best]) && !(one > share[best]) ? best : i), 0);
    const band = (i) => (known(half[i]) ? ` ± ${percent(half[i])}` : "");
    return ezlda.charts.lines(Array.from(share, (one, i) => [i, one]), {
      height: 170, zero: true, level: mean, xTicks: series.marks(ezlda.charts.each(series.n)), counts: series.docs,
      half: Array.from(half), yText: ezlda.charts.shares,
      label: `Share of the topic by ${clip(field.name, 40)}, largest in ${series.texts[peak]}: ` +
        `${percent(share[peak])}; overall ${percent(mean)}.`,
      read: (i) => `${series.texts[i]}: ` + (known(share[i])
        ? `${percent(share[i])}${band(i)} of tokens in ${behind(series.docs[i])} (${percent(mean)} overall)` : "no documents"),
      click: (i) => app.openTrend({ field: field.index, step: key, topic, text: series.texts[i] }),
    });
  }

  function overCategories(app, topic, field) {
    const series = field.series(""), { share } = series.of(topic), mean = app.model.share(topic);
    const order = Array.from(share, (_, i) => i).filter((i) => known(share[i]));
    if (!field.numeric) order.sort((a, b) => share[b] - share[a]);
    const largest = Math.max(...order.map((i) => share[i]), mean) || 1;
    const row = (i) => {
      const bar = app.parts.bar(share[i] / largest, { class: "bar against" });
      bar.append(el("i", { style: { left: `${(100 * mean) / largest}%` } }));
      const name = bdi(series.texts[i], { class: "category" });
      return el("li", { title: behind(series.docs[i]) }, name, bar, value(percent(share[i])),
        value(times(share[i] / (mean || 1))));
    };
    return el("ul", { class: "plain categories" }, order.map(row));
  }

  // The value is isolated because it may be written from right to left.
  function ignored(field) {
    if (!field.undated) return "";
    const first = `“\u2068${clip(field.first_undated, 40)}\u2069”`;
    return field.undated === 1 ? ` Ignored: 1 document whose value is not a date (${first}).`
      : ` Ignored: ${count(field.undated)} documents whose values are not dates (the first is ${first}).`;
  }

  function part(app, topic, field) {
    const time = field.time && field.bins > 1;
    if (!app.steps) app.steps = new Map(); // the step of each field, as last chosen
    const key = time ? app.steps.get(field.index) || field.usualStep() : "";
    if (!time && !Array.from(field.table.docs).some((docs) => docs)) return null;
    const note = time ? "Share of the tokens at each time, with its 90 % band; dashed: of all tokens. Bars: documents."
      : "Share of the tokens of each value; the mark: of all tokens.";
    const box = el("div", {}, time ? overTime(app, topic, field, key) : overCategories(app, topic, field));
    const made = app.parts.section("", note + ignored(field), box);
    made.querySelector("h3").append("By ", bdi(clip(field.name, 40)));
    if (time && field.steps().length > 1) {
      made.querySelector("header").append(select(`Step of ${clip(field.name, 40)}`, field.steps(), key, (next) => {
        app.steps.set(field.index, next);
        box.replaceChildren(overTime(app, topic, field, next));
      }));
    }
    return made;
  }

  const create = (app, topic) => app.model.fields.filter((field) => field.bins).map((field) => part(app, topic, field));

  ezlda.topicTrend = { create, behind };
})();

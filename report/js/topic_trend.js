// A topic over the fields of the corpus: a curve over time, or bars over categories, compared with its overall share.
(() => {
  const { el, bdi, value } = ezlda.dom;
  const { known, count, percent, clip, times } = ezlda.format;

  // The topic's share of the tokens of each value of a field; NaN if the value has none.
  function values(field, topic) {
    const n = field.values.length;
    return Array.from(field.table.share.subarray(topic * n, (topic + 1) * n));
  }

  // The number of documents of each value; null if the data has none.
  const documents = (field) => (field.table.docs.length ? Array.from(field.table.docs) : null);

  function behind(field, i) {
    const own = field.table.docs.length ? field.table.docs[i] : 0;
    return own === 1 ? "1 document" : own ? `${count(own)} documents` : "the documents";
  }

  // Numbers are in their own order, other values in that of their shares.
  function ordered(field, shares) {
    const present = shares.map((_, i) => i).filter((i) => known(shares[i]));
    const numbers = field.values.every((text) => /^[-+]?\d+([.,]\d+)?$/.test(text.trim()));
    const number = (i) => Number(field.values[i].trim().replace(",", "."));
    return present.sort(numbers ? (a, b) => number(a) - number(b) : (a, b) => shares[b] - shares[a]);
  }

  function overTime(field, shares, mean) {
    const marks = ezlda.charts.spaced(field.values.map((text) => clip(text, 12)));
    const peak = shares.reduce((best, share, i) => (known(shares[best]) && !(share > shares[best]) ? best : i), 0);
    return ezlda.charts.lines(shares.map((share, i) => [i, share]), {
      height: 170, zero: true, area: true, level: mean, xTicks: marks, counts: documents(field),
      yText: ezlda.charts.shares,
      label: `Share of the topic by ${clip(field.name, 40)}, largest in ${clip(field.values[peak], 40)}: ` +
        `${percent(shares[peak])}; overall ${percent(mean)}.`,
      read: (i) => `${clip(field.values[i], 40)}: ` + (known(shares[i])
        ? `${percent(shares[i])} of tokens in ${behind(field, i)} (${percent(mean)} overall)` : "no documents"),
    });
  }

  function overCategories(app, field, shares, mean) {
    const order = ordered(field, shares);
    const largest = Math.max(...order.map((i) => shares[i]), mean) || 1;
    const row = (i) => {
      const bar = app.parts.bar(shares[i] / largest, { class: "bar against" });
      bar.append(el("i", { style: { left: `${(100 * mean) / largest}%` } }));
      const name = bdi(field.values[i], { class: "category" });
      return el("li", { title: behind(field, i) }, name, bar, value(percent(shares[i])),
        value(times(shares[i] / (mean || 1))));
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
    const shares = values(field, topic), mean = app.model.share(topic);
    if (!shares.some(known)) return null;
    const time = field.kind === "time" && shares.length > 1;
    const note = time ? "Share of the tokens at each time; dashed: of all tokens." +
        (documents(field) ? " Bars: documents." : "") + (shares.every(known) ? "" : " Gaps: no documents.")
      : "Share of the tokens of each value; the mark: of all tokens.";
    const made = app.parts.section("", note + ignored(field),
      time ? overTime(field, shares, mean) : overCategories(app, field, shares, mean));
    made.querySelector("h3").append("By ", bdi(clip(field.name, 40)));
    return made;
  }

  const create = (app, topic) =>
    app.model.fields.filter((field) => field.values.length).map((field) => part(app, topic, field));

  ezlda.topicTrend = { create, values };
})();

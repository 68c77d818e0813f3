// The fields of the report as series: for each value, or each step of time, the tokens of topics, the documents, and how
// sure a topic's share is. The report has bins of one unit of time; longer steps are sums of them.
(() => {
  const MOST_POINTS = 1500, Z90 = 1.645; // standard errors on either side of a 90 % band
  const DAY_1970 = 719162; // days before 1970, counted from 1 January of the year 1
  const WIDTHS = { 2: "u16", 4: "u32", 8: "f64" };
  const MONTHS = { month: 1, quarter: 3, year: 12 };

  const padded = (number, digits) => String(number).padStart(digits, "0");
  const floor = (a, b) => Math.floor(a / b);

  function dayText(day) {
    const date = new Date((day - DAY_1970) * 864e5);
    return `${padded(date.getUTCFullYear(), 4)}-${padded(date.getUTCMonth() + 1, 2)}-${padded(date.getUTCDate(), 2)}`;
  }

  // Months from the year 0 to the beginning of a bin; days are exact, the other units have no days.
  function monthOf(field, number) {
    if (field.unit !== "day") return number * field.every * MONTHS[field.unit];
    const date = new Date((number - DAY_1970) * 864e5);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  }

  const years = (n) => ({ of: (month) => floor(month, 12 * n), text: (number) => (n === 1 ? padded(number, 4)
    : `${padded(number * n, 4)}-${padded(number * n + n - 1, 4)}`), month: (number) => number * 12 * n });

  // Steps of time: [key, name, number of a month, text of a number, first month of a number].
  const STEPS = {
    day: { name: "Day", text: dayText },
    week: { name: "Week", text: (number) => dayText(7 * number) },
    month: { name: "Month", of: (month) => month, month: (number) => number,
      text: (number) => `${padded(floor(number, 12), 4)}-${padded((number % 12) + 1, 2)}` },
    quarter: { name: "Quarter", of: (month) => floor(month, 3), month: (number) => 3 * number,
      text: (number) => `${padded(floor(number, 4), 4)}-Q${(number % 4) + 1}` },
    year: { name: "Year", ...years(1) },
    "5-years": { name: "5 years", ...years(5) },
    decade: { name: "Decade", ...years(10), text: (number) => `${number * 10}s` },
    century: { name: "Century", ...years(100) },
  };
  const SPAN = { year: 1, "5-years": 5, decade: 10, century: 100 };

  function open(data, K, index) {
    const time = data.kind === "time";
    const table = ezlda.unpack.lazy(data, { at: "u32", total: "f64", squares: "f64", docs: "u32", spread: "u16",
      tokens: WIDTHS[data.width] || "u32" });
    const field = { ...data, index, table, time, bins: 0, unit: data.unit, every: data.every || 1 };
    field.bins = time ? table.at.length : data.values.length;

    // Whether the bins can be joined into a step.
    function joins(key) {
      if (key === "day" || key === "week") return data.unit === "day";
      if (field.every > 1) return SPAN[key] !== undefined && SPAN[key] % field.every === 0;
      const order = ["day", "month", "quarter", "year"];
      return (SPAN[key] ? 3 : order.indexOf(key)) >= order.indexOf(data.unit);
    }

    function stepNumbers(key) {
      if (key === "own") return Array.from(table.at);
      return Array.from(table.at, (number) => (key === "day" ? number : key === "week" ? floor(number, 7)
        : STEPS[key].of(monthOf(field, number))));
    }

    const span = (numbers) => numbers[numbers.length - 1] - numbers[0] + 1;
    const kind = (key) => (key === "own" ? years(field.every) : STEPS[key]);

    let offered = null;
    // The steps that the dates allow: [key, name] from short to long.
    function steps() {
      if (offered) return offered;
      if (!time) return (offered = []);
      offered = Object.keys(STEPS).filter(joins).map((key) => [key, STEPS[key].name]);
      if (field.every > 1 && field.every !== 5) offered.unshift(["own", `${field.every} years`]);
      offered = offered.filter(([key], i) => {
        const points = span(stepNumbers(key));
        return points <= MOST_POINTS && (points > 1 || i === 0);
      });
      if (!offered.length) offered = [["own", `${field.every} years`]];
      return offered;
    }

    // The shortest step with 5 to 60 points (120 years) of which nine in ten, without the empty ones, have 20 documents or
    // more; else the longest with 8 points or more; else the shortest.
    function usualStep() {
      const keys = steps().map(([key]) => key);
      if (keys.includes(data.step)) return data.step;
      const fits = (key) => series(key).n <= (key === "year" ? 120 : 60);
      const full = (key) => {
        const docs = Array.from(series(key).docs).filter((count) => count);
        return series(key).n >= 5 && docs.filter((count) => count >= 20).length >= 0.9 * docs.length;
      };
      return keys.find((key) => fits(key) && full(key)) ||
        keys.filter((key) => fits(key) && series(key).n >= 8).pop() || keys.find(fits) || keys[0];
    }

    const numeric = !time && data.values.every((text) => /^[-+]?\d+([.,]\d+)?$/.test(text.trim()));
    // Numbers are in their own order, other values in that of the report.
    function order() {
      const all = data.values.map((_, i) => i);
      if (!numeric) return all;
      const number = (i) => Number(data.values[i].trim().replace(",", "."));
      return all.sort((a, b) => number(a) - number(b));
    }

    // The bins of each point of a series.
    function points(key) {
      if (!time) return order().map((i) => ({ bins: [i], text: data.values[i] }));
      const numbers = stepNumbers(key);
      const list = Array.from({ length: span(numbers) }, (_, i) =>
        ({ bins: [], number: numbers[0] + i, text: kind(key).text(numbers[0] + i) }));
      numbers.forEach((number, bin) => list[number - numbers[0]].bins.push(bin));
      return list;
    }

    const made = new Map();
    // The series of a step: n points with texts, documents and tokens; of(topic) has the topic's tokens, its share of
    // all tokens, and half the width of its 90 % band. Shares of points without tokens are NaN.
    function series(key) {
      if (made.has(key)) return made.get(key);
      const list = points(key), n = list.length;
      const sum = (column) => Float64Array.from(list, ({ bins }) => bins.reduce((all, bin) => all + column[bin], 0));
      const docs = sum(table.docs), total = sum(table.total);

      // The variance of a ratio of sums: documents of n tokens with c of the topic are c - p n away from the share p.
      // Within a bin that sum of squares is given; bins differ from the step by their own shares.
      function half(topic, i, share) {
        if (docs[i] < 2 || !(total[i] > 0)) return NaN;
        let squares = 0;
        for (const bin of list[i].bins) {
          const cell = topic * field.bins + bin, own = table.total[bin] ? table.tokens[cell] / table.total[bin] : 0;
          squares += 2 ** (table.spread[cell] / 1024) - 1 + (own - share) ** 2 * table.squares[bin];
        }
        return Z90 * Math.sqrt((squares * docs[i]) / (docs[i] - 1)) / total[i];
      }

      const topics = new Map();
      function of(topic) {
        if (topics.has(topic)) return topics.get(topic);
        const tokens = Float64Array.from(list, ({ bins }) =>
          bins.reduce((all, bin) => all + table.tokens[topic * field.bins + bin], 0));
        const share = tokens.map((count, i) => (total[i] ? count / total[i] : NaN));
        const found = { tokens, share, half: share.map((value, i) => half(topic, i, value)) };
        topics.set(topic, found);
        return found;
      }

      const out = { key, n, docs, total, of, texts: list.map((point) => point.text), bins: list.map((point) => point.bins),
        time, marks: (each) => (time ? timeMarks(list, key, each) : null) };
      made.set(key, out);
      return out;
    }

    // Marks [position, text] of the axis of time: own steps, or the longer round ones, whichever first have room.
    // each: pixels between two points.
    function timeMarks(list, key, each) {
      const month = (point) => (key === "day" || key === "week" ? monthOf({ unit: "day" }, point.number * (key === "week" ? 7 : 1))
        : kind(key).month(point.number));
      const levels = [[(point) => point.number, (point) => point.text]];
      for (const [length, text] of [[1, STEPS.month.text], [3, STEPS.month.text], [6, STEPS.month.text],
        ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((n) => [12 * n, (at) => padded(floor(at, 12), 4)])]) {
        levels.push([(point) => floor(month(point), length), (point) => text(month(point)), length]);
      }
      for (const [number, text, length] of levels) {
        const marks = [];
        list.forEach((point, i) => {
          const first = i ? number(point) !== number(list[i - 1]) : !length || month(point) % length === 0;
          if (first) marks.push([i, text(point)]);
        });
        const wide = Math.max(...marks.map(([, label]) => label.length), 1) * ezlda.charts.LETTER;
        if (marks.length && marks.every(([i], m) => !m || (i - marks[m - 1][0]) * each >= 1.5 * wide + 8)) return marks;
      }
      return [[0, list[0].text]];
    }

    return Object.assign(field, { numeric, steps, usualStep, series });
  }

  ezlda.series = { open };
})();

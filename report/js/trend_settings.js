// The settings of the view of all topics over a field, and their short form in the address: words joined by dots, such
// as "stacked.month.t12.at1994-05". Only what differs from the usual is written.
(() => {
  // Each setting with its values; the first is the usual one.
  const CHOICES = {
    form: [["multiples", "Small multiples"], ["stacked", "Stacked"], ["ranked", "Ranked"]],
    measure: [["share", "Share"], ["tokens", "Tokens"]],
    scale: [["linear", "Linear"], ["log", "Log"]],
    axis: [["own", "Own axes"], ["same", "Same axis"]],
    order: [["size", "Size"], ["change", "Change"], ["peak", "Peak"], ["number", "Number"]],
  };

  function usual(model) {
    const field = Math.max(0, model.fields.findIndex((one) => one.time && one.bins > 1));
    const set = Object.fromEntries(Object.entries(CHOICES).map(([name, values]) => [name, values[0][0]]));
    return { ...set, field, step: "", topic: -1, text: "" };
  }

  function read(model, words) {
    const set = usual(model);
    const [head, text] = words.split(".at");
    for (const word of head.split(".")) {
      const own = Object.keys(CHOICES).find((name) => CHOICES[name].some(([value]) => value === word));
      const number = Number(word.slice(1));
      if (own) set[own] = word;
      else if (/^f\d+$/.test(word) && model.fields[number] && model.fields[number].bins > 1) set.field = number;
      else if (/^t\d+$/.test(word) && number < model.K && !model.hidden.has(number)) set.topic = number;
      else set.step = word;
    }
    const field = model.fields[set.field];
    if (!field.time) set.step = "";
    else if (!field.steps().some(([key]) => key === set.step)) set.step = field.usualStep();
    if (set.topic >= 0 && text !== undefined && field.series(set.step).texts.includes(text)) set.text = text;
    else set.topic = -1;
    return set;
  }

  function write(model, set) {
    const normal = usual(model);
    const words = Object.keys(CHOICES).filter((name) => set[name] !== normal[name]).map((name) => set[name]);
    if (set.field !== normal.field) words.push(`f${set.field}`);
    const field = model.fields[set.field];
    if (field.time && set.step !== field.usualStep()) words.push(set.step);
    if (set.topic >= 0) words.push(`t${set.topic}`, `at${set.text}`);
    return words.join(".");
  }

  ezlda.trendSettings = { CHOICES, read, write };
})();

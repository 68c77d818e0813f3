// The page of a run that is watched: asks its server once per second for the progress, and for topics when there are
// newer ones.
(() => {
  const { el, bdi, value, id } = ezlda.dom;
  const { known, count, compact, percent, duration, score, clip } = ezlda.format;
  const PAUSE_MS = 1000, PATIENCE = 5; // questions without an answer until the run counts as gone

  let failed = 0, shown = null, before = new Map();
  const parts = { bar: el("span"), figures: el("div"), curves: el("div", { class: "live-curves" }), topics: el("ol", { class: "plain live-topics" }),
    note: el("p", { class: "note" }) };

  // The time left by the last tenth of the iterations, which are faster than the first ones.
  function left({ curve, iteration, iterations }) {
    const from = curve[Math.max(0, curve.length - 1 - Math.ceil(curve.length / 10))], to = curve[curve.length - 1];
    if (!from || !to || to[0] <= from[0]) return NaN;
    return ((to[1] - from[1]) / (to[0] - from[0])) * (iterations - iteration);
  }

  function figures(run) {
    const llpt = run.llpt[run.llpt.length - 1], check = run.checks[run.checks.length - 1];
    const rows = [[`${count(run.iteration)} of ${count(run.iterations)}`, "iterations"], [duration(run.elapsed), "so far"],
      [run.ended || run.iteration === run.iterations ? "–" : duration(left(run)), "left, at most"], [compact(run.rate), "tokens/s"],
      [percent(run.moved), "of tokens moved"], [llpt ? score(llpt[1], 4) : "–", "log-likelihood per token"],
      [check ? count(check[1]) : "–", "held-out perplexity"]];
    return ezlda.dom.figures(rows.filter(([text]) => text !== "–"), "figures");
  }

  function curve(title, note, points, write, low) {
    if (points.length < 2) return null;
    const [first, last] = [points[0], points[points.length - 1]];
    return el("section", { class: "part" }, el("header", {}, el("h2", { text: title }), el("p", { class: "note", text: note })),
      ezlda.charts.lines(points, { label: `${title}: ${write(first[1])} to ${write(last[1])}`, zero: low, xText: count,
        yText: (v) => write(v), height: 170, read: (i) => `${write(points[i][1])} after ${count(points[i][0])} iterations` }));
  }

  function curves(run) {
    const moved = run.curve.map(([iteration, , share]) => [iteration, share]);
    const speed = run.curve.map(([iteration, , , rate]) => [iteration, rate]);
    return [curve("Fit", "Log-likelihood per token: higher is better.", run.llpt.slice(run.llpt.length > 8 ? 2 : 0), (v) => score(v, 3)),
      curve("Held-out perplexity", "Of documents that are held out for checks: lower is better.", run.checks, (v) => count(v)),
      curve("Moved", "Share of tokens that changed their topic: it settles as topics do.", moved, percent, true),
      curve("Speed", "Tokens per second.", speed, compact, true)].filter(Boolean);
  }

  // One topic: its size, and its words; those that were not there before are marked.
  function topic(found, tokens, largest) {
    const old = before.get(found.topic);
    const words = found.words.flatMap((word) => [el("span", { class: old && !old.has(word) ? "fresh" : null }, bdi(clip(word, 24))), " "]);
    const total = tokens.reduce((sum, n) => sum + n, 0) || 1;
    return el("li", { "data-topic": found.topic }, el("p", { class: "kicker" }, `Topic ${found.topic}`, value(percent(tokens[found.topic] / total))),
      el("span", { class: "bar", "aria-hidden": "true" }, el("span", { style: { width: `${(100 * tokens[found.topic]) / largest}%` } })),
      el("p", { class: "words" }, words));
  }

  function topics(got) {
    if (!got.topics) return;
    const largest = Math.max(...got.tokens) || 1;
    parts.topics.replaceChildren(...got.topics.map((found) => topic(found, got.tokens, largest)));
    const some = got.topics.length < got.tokens.length ? `, the ${count(got.topics.length)} largest of ${count(got.tokens.length)}` : "";
    parts.note.textContent = `Topics after iteration ${count(got.iteration)}${some}. Underlined: words that were not among the first before.`;
    before = new Map(got.topics.map((found) => [found.topic, new Set(found.words)]));
    shown = got.iteration;
  }

  const ask = async (what) => (await fetch(what)).json();

  function say(text) {
    if (id("state").textContent !== text) id("state").textContent = text;
  }

  async function look() {
    try {
      const run = await ask("progress");
      failed = 0;
      if (run.iterations) {
        parts.bar.style.width = `${(100 * run.iteration) / run.iterations}%`;
        parts.figures.replaceChildren(figures(run));
        if (!parts.curves.contains(document.activeElement) && !parts.curves.matches(":hover")) parts.curves.replaceChildren(...curves(run));
        document.title = `${run.ended ? "✓" : `${Math.floor((100 * run.iteration) / run.iterations)} %`} ${id("title").textContent}`;
      }
      if (run.ended) { say("The run has ended."); return; }
      say(run.iterations ? "Training" : "Waiting for the first iteration…");
      topics(await ask("topics"));
    } catch {
      failed += 1;
      if (failed >= PATIENCE) { say("The run has ended, or its command was closed."); return; }
    }
    setTimeout(look, PAUSE_MS);
  }

  id("main").append(el("div", { class: "live-progress", "aria-hidden": "true" }, parts.bar), parts.figures, parts.curves,
    el("section", { class: "part" }, el("header", {}, el("h2", { text: "Topics" }), parts.note), parts.topics));
  ezlda.live = { shown: () => shown };
  document.body.dataset.ready = "true";
  look();
})();

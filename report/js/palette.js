// Colours that colour-blind readers can distinguish. A topic's own colour follows its position on the map, so similar
// topics have similar colours. If topics must be distinguished one by one, a few get the Okabe-Ito colours and the rest
// are grey.
(() => {
  const FEW = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#5b3f9e"];
  const OTHER = "#b9bdc2";
  const CORNERS = ["#2f6fc4", "#b0579b", "#12937f", "#e3962c"]; // top left, top right, bottom left, bottom right
  const STEPS = ["#173a6b", "#3f5a83", "#6f7780", "#a2936f", "#d3b553", "#f7de4c"]; // dark to light, blue to yellow

  const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const gamma = (v) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);

  // OKLab (Ottosson 2020): mixtures look uniform to the eye.
  function toLab(hex) {
    const [r, g, b] = channels(hex).map(linear);
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
  }

  function fromLab([L, a, b]) {
    const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const rgb = [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s];
    const hex = rgb.map((v) => Math.round(255 * gamma(Math.min(1, Math.max(0, v)))).toString(16).padStart(2, "0"));
    return `#${hex.join("")}`;
  }

  const mix = (a, b, t) => a.map((v, i) => v + (b[i] - v) * t);

  // Mixtures of opposite corners would be grey, so colours keep a minimum distance from grey.
  function vivid([L, a, b], least) {
    const chroma = Math.hypot(a, b) || 1e-6;
    const factor = Math.max(1, least / chroma);
    return [L, a * factor, b * factor];
  }

  // Ranks in 0..1, so that crowded values still spread over the colours.
  function ranks(values) {
    const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b]);
    const out = new Float32Array(values.length);
    order.forEach((which, i) => { out[which] = values.length > 1 ? i / (values.length - 1) : 0.5; });
    return out;
  }

  function byPlace(xs, ys) {
    const corners = CORNERS.map(toLab);
    const u = ranks(xs), v = ranks(ys);
    return Array.from(xs, (_, i) => fromLab(vivid(mix(mix(corners[0], corners[1], u[i]),
      mix(corners[2], corners[3], u[i]), v[i]), 0.085)));
  }

  const steps = STEPS.map(toLab);
  // A number from 0 to 1 as a colour from dark blue to yellow.
  function sequential(value) {
    const at = Math.min(0.9999, Math.max(0, value)) * (steps.length - 1);
    return fromLab(mix(steps[Math.floor(at)], steps[Math.floor(at) + 1], at % 1));
  }

  // Colours for the first few of a list of topics: returns a function from a topic to its colour.
  function few(topics) {
    const given = new Map();
    for (const topic of topics) if (!given.has(topic) && given.size < FEW.length) given.set(topic, FEW[given.size]);
    const colour = (topic) => given.get(topic) || OTHER;
    colour.topics = [...given.keys()];
    return colour;
  }

  // The colours of the style sheet in the current theme, for drawing on the canvas.
  function ofTheme() {
    const probe = document.createElement("i");
    document.body.append(probe);
    const read = (name) => {
      probe.style.color = `var(--${name})`;
      return getComputedStyle(probe).color;
    };
    const names = ["ink", "soft", "faint", "line", "paper", "map", "accent", "flag", "terrain", "contour"];
    const colours = Object.fromEntries(names.map((name) => [name, read(name)]));
    probe.remove();
    return colours;
  }

  ezlda.palette = { byPlace, sequential, few, ofTheme, ranks, OTHER };
})();

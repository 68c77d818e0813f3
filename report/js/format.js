// Formats numbers and names for people.
(() => {
  const whole = new Intl.NumberFormat("en");
  const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
  const known = (value) => typeof value === "number" && Number.isFinite(value);

  const count = (value) => (known(value) ? whole.format(Math.round(value)) : "–");
  const compact = (value) => (known(value) ? short.format(value) : "–");

  // 0.1234 -> "12.3 %"; small shares keep two significant digits.
  function percent(share) {
    if (!known(share)) return "–";
    const value = share * 100;
    if (value === 0) return "0 %";
    if (value < 0.001) return "< 0.001 %";
    return `${value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : value.toPrecision(2)} %`;
  }

  // A ratio: "× 34", "× 0.4".
  function times(ratio) {
    if (!known(ratio)) return "–";
    return `× ${ratio >= 1000 ? compact(ratio) : ratio >= 10 ? Math.round(ratio) : ratio.toPrecision(2)}`;
  }

  function duration(seconds) {
    if (!known(seconds)) return "–";
    if (seconds < 60) return `${seconds.toPrecision(3)} s`;
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }

  const score = (value, digits = 3) => (known(value) ? value.toFixed(digits).replace("-", "−") : "–");

  // At most `most` characters, by code points, in one line.
  function clip(text, most = 40) {
    const line = String(text).replace(/[\u0000-\u001f\u2028\u2029]+/g, " ");
    if (line.length <= most) return line;
    return `${[...line.slice(0, 2 * most)].slice(0, most - 1).join("")}…`;
  }

  // Drawn text cannot be isolated by an element, so characters that control direction are removed.
  const drawn = (text, most) => clip(String(text).replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ""), most);

  // Folds a text for searching: lower case, one form of s in German and Greek, no accents on Latin, Greek and Cyrillic
  // letters. The server folds in the same way (doc_search.c).
  function fold(text) {
    const lower = text.toLowerCase();
    if (/^[\u0000-\u007f]*$/.test(lower)) return lower;
    const plain = lower.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC").toLowerCase();
    return plain.replace(/\u00df/g, "ss").replace(/\u03c2/g, "\u03c3");
  }

  // Text of any direction inside a plain string.
  const isolated = (text) => `\u2068${text}\u2069`;

  ezlda.format = { isolated, known, count, compact, percent, times, duration, score, clip, drawn, fold };
})();

// A cursor over the points of a chart, for the pointer and for the keyboard: arrow keys move it, Enter opens the point.
// To a screen reader the chart is a slider whose value is the text of the point.
(() => {
  // options: n, label, nearest(event) -> point, text(point) -> string, show(point) (-1: none), open(point) or null,
  // across(point, by) -> point if the up and down keys move between the things at one point.
  function create(box, options) {
    let at = -1;
    const { n } = options;
    for (const [name, value] of Object.entries({ tabindex: "0", role: "slider", "aria-label": options.label,
      "aria-valuemin": 0, "aria-valuemax": Math.max(0, n - 1), "aria-valuenow": 0, "aria-valuetext": "no point" })) {
      box.setAttribute(name, value);
    }
    if (options.across) box.setAttribute("aria-description", "Up and down: topics. Left and right: steps.");

    function move(to) {
      at = to;
      options.show(at);
      if (at < 0) return;
      box.setAttribute("aria-valuenow", at);
      box.setAttribute("aria-valuetext", options.text(at));
    }

    box.addEventListener("pointermove", (event) => move(options.nearest(event)));
    box.addEventListener("pointerleave", () => move(-1));
    box.addEventListener("blur", () => move(-1));
    box.addEventListener("focus", () => { if (at < 0 && box.matches(":focus-visible")) move(n - 1); });
    if (options.open) box.addEventListener("click", (event) => options.open(options.nearest(event)));
    box.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -n, End: n };
      const lines = { ArrowUp: -1, ArrowDown: 1 };
      if (event.key in steps) move(Math.min(n - 1, Math.max(0, at < 0 && event.key === "ArrowLeft" ? n - 1 : at + steps[event.key])));
      else if (options.across && event.key in lines) { options.across(lines[event.key]); move(Math.max(0, at)); }
      else if ((event.key === "Enter" || event.key === " ") && options.open && at >= 0) options.open(at);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    return { at: () => at };
  }

  ezlda.cursor = { create };
})();

// A list of rows of equal height in which only the visible rows exist, so that ten thousand rows open as fast as ten.
// For the keyboard and for screen readers it is one listbox with a current option.
(() => {
  const { el } = ezlda.dom;
  const MARGIN = 6; // rows that exist above and below the visible ones
  let lists = 0;

  // options: label, rowHeight, row(item) -> children of the row, name(item) for screen readers, open(item).
  function create(options) {
    let items = [], active = -1;
    const shown = new Map();
    const spacer = el("div", { class: "rows", role: "presentation" });
    const list = el("div", { class: "virtual", role: "listbox", tabindex: "0", "aria-label": options.label }, spacer);
    const prefix = `row-${++lists}`;

    function make(index) {
      const item = items[index];
      return el("div", { class: "row", role: "option", id: `${prefix}-${index}`, "aria-posinset": index + 1,
        "aria-setsize": items.length, "aria-selected": String(index === active),
        "aria-label": options.name(item), "data-active": index === active ? "true" : null,
        style: { top: `${index * options.rowHeight}px`, height: `${options.rowHeight}px` },
        on: { click: (event) => { if (!event.target.closest("button")) { active = index; options.open(item); } } } },
      options.row(item));
    }

    function render() {
      const from = Math.max(0, Math.floor(list.scrollTop / options.rowHeight) - MARGIN);
      const end = list.scrollTop + (list.clientHeight || 800);
      const to = Math.min(items.length, Math.ceil(end / options.rowHeight) + MARGIN);
      for (const [index, node] of shown) if (index < from || index >= to) { node.remove(); shown.delete(index); }
      for (let index = from; index < to; index++) {
        if (!shown.has(index)) { shown.set(index, make(index)); spacer.append(shown.get(index)); }
      }
      if (active >= 0 && shown.has(active)) list.setAttribute("aria-activedescendant", `${prefix}-${active}`);
      else list.removeAttribute("aria-activedescendant");
    }

    function refresh() {
      for (const node of shown.values()) node.remove();
      shown.clear();
      render();
    }

    function show(index) {
      const top = index * options.rowHeight;
      if (top < list.scrollTop) list.scrollTop = top;
      else if (top + options.rowHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = top + options.rowHeight - list.clientHeight;
      }
    }

    function move(to) {
      active = Math.min(items.length - 1, Math.max(0, to));
      show(active);
      refresh();
    }

    function set(next) {
      items = next;
      active = -1;
      spacer.style.height = `${items.length * options.rowHeight}px`;
      list.scrollTop = 0;
      refresh();
    }

    list.addEventListener("scroll", render, { passive: true });
    list.addEventListener("keydown", (event) => {
      const page = Math.max(1, Math.floor(list.clientHeight / options.rowHeight) - 1);
      const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
      if (event.target !== list || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key in steps) move(active < 0 && Math.abs(steps[event.key]) === 1 ? 0 : active + steps[event.key]);
      else if ((event.key === "Enter" || event.key === " ") && active >= 0) options.open(items[active]);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    new ResizeObserver(render).observe(list);
    return { node: list, set, refresh };
  }

  ezlda.virtualList = create;
})();

// Light, dark, or the system's colours. The choice is remembered if the browser allows it.
(() => {
  const MODES = { auto: ["◐", "Colours: system"], light: ["☀", "Colours: light"], dark: ["☾", "Colours: dark"] };
  const KEY = "ezlda-theme";

  const remembered = () => {
    try { return localStorage.getItem(KEY); } catch { return null; }
  };

  function create(changed) {
    const order = Object.keys(MODES);
    let mode = order.includes(remembered()) ? remembered() : "auto";
    const next = () => set(order[(order.indexOf(mode) + 1) % order.length]);
    const opener = ezlda.dom.button("", "", next, { class: "tool", id: "theme" });

    function apply(which) {
      if (which === "auto") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = which;
    }

    function set(next) {
      mode = next;
      apply(mode);
      [opener.textContent] = MODES[mode];
      opener.title = MODES[mode][1];
      opener.setAttribute("aria-label", MODES[mode][1]);
      try { localStorage.setItem(KEY, mode); } catch { /* a page opened from a file may have no storage */ }
      changed();
    }

    set(mode);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
    return { opener, next, forPrint: (on) => { apply(on ? "light" : mode); changed(); } };
  }

  ezlda.createTheme = create;
})();

// Builds elements. Text from the data is set through textContent only; nothing here parses HTML.
(() => {
  const SVG = "http://www.w3.org/2000/svg";

  function fill(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (key === "text") node.textContent = value;
      else if (key === "on") for (const [type, call] of Object.entries(value)) node.addEventListener(type, call);
      else if (key === "style") for (const [name, to] of Object.entries(value)) node.style.setProperty(name, to);
      else node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
    return node;
  }

  // el("p", {class: "note", text: "..."}, child, ...): null children are ignored.
  const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  // Text of the corpus, isolated so that its direction does not affect the text around it.
  const bdi = (text, attributes) => el("bdi", { ...attributes, text: ezlda.format.clip(text, 300) });

  const button = (text, label, click, attributes) =>
    el("button", { type: "button", text, "aria-label": label, title: label, ...attributes, on: { click } });

  // A number in a row, in digits of equal width.
  const value = (text, attributes) => el("span", { class: "value", ...attributes, text });

  // Numbers with their names: pairs are [text, name].
  const figures = (pairs, kind = "figures small") => el("dl", { class: kind },
    pairs.map(([text, name]) => el("div", {}, el("dd", { text }), el("dt", { text: name }))));

  const id = (name) => document.getElementById(name);

  let pending = 0;
  // Sets the next message of a screen reader; if several come at once, the last one wins.
  function announce(message) {
    clearTimeout(pending);
    pending = setTimeout(() => { id("live").textContent = message; }, 120);
  }

  // Delays a call until there has been no other for some time.
  function rested(call, milliseconds) {
    let timer = 0;
    return (...given) => {
      clearTimeout(timer);
      timer = setTimeout(() => call(...given), milliseconds);
    };
  }

  // A group of buttons, one of which is pressed: choices are [value, text].
  function choice(label, choices, value, chosen) {
    const buttons = choices.map(([key, text]) => el("button", {
      type: "button", text, "aria-pressed": String(key === value),
      on: { click: () => { press(key); chosen(key); } },
    }));
    function press(key) {
      choices.forEach(([other], i) => buttons[i].setAttribute("aria-pressed", String(other === key)));
    }
    return el("div", { class: "choice", role: "group", "aria-label": label }, buttons);
  }

  // One of several choices, [value, text], in a list that drops down.
  function select(label, choices, value, chosen) {
    const node = el("select", { class: "select", "aria-label": label, title: label,
      on: { change: () => chosen(node.value) } },
    choices.map(([key, text]) => el("option", { value: key, text, selected: key === value })));
    return node;
  }

  ezlda.dom = { el, svg, bdi, button, value, figures, id, announce, rested, choice, select };
})();

// What the page shows, in one place. Views listen to changes, and the address keeps it:
// #topic=12&lambda=0.5&names=12:Genes;40:Graphs
(() => {
  const LAMBDA = 0.6;
  const PANELS = ["overview", "topics", "trends", "compare", "find"];

  // Whether a report has what a view shows.
  ezlda.hasView = (model, name) => (name === "compare" ? Boolean(model.data.compare)
    : name === "trends" ? model.fields.some((field) => field.bins > 1)
      : name === "find" ? Boolean(model.data.search) : true);

  function create(model) {
    const wordIds = new Map();
    const state = { panel: "overview", topic: -1, word: -1, document: -1, lambda: LAMBDA, trend: "", find: "", names: new Map() };
    const listeners = [];

    function wordId(word) {
      if (!wordIds.size) model.text.forEach((text, i) => wordIds.set(text, i));
      return wordIds.has(word) ? wordIds.get(word) : -1;
    }

    function address() {
      const parts = [];
      const add = (key, value) => parts.push(`${key}=${value}`);
      if (state.panel === "topic") add("topic", state.topic);
      else if (state.panel === "word") add("word", encodeURIComponent(model.text[state.word]));
      else if (state.panel === "document") add("document", state.document);
      else if (state.panel !== "overview") add("view", state.panel);
      if (state.find) add("find", encodeURIComponent(state.find));
      if (state.panel === "trends" && state.trend) add("trend", encodeURIComponent(state.trend));
      if (state.lambda !== LAMBDA) add("lambda", state.lambda);
      if (state.names.size) {
        add("names", [...state.names].sort((a, b) => a[0] - b[0])
          .map(([topic, name]) => `${topic}:${encodeURIComponent(name)}`).join(";"));
      }
      return `#${parts.join("&")}`;
    }

    const decoded = (text) => {
      try { return decodeURIComponent(text); } catch { return text; }
    };

    function readNames(text) {
      const names = new Map();
      for (const pair of text.split(";")) {
        const cut = pair.indexOf(":");
        const topic = Number(pair.slice(0, cut));
        const name = cleanName(decoded(pair.slice(cut + 1)));
        if (cut > 0 && Number.isInteger(topic) && topic >= 0 && topic < model.K && name) names.set(topic, name);
      }
      return names;
    }

    // Parses an address; anything that this report does not have is ignored.
    function read(hash) {
      const next = { panel: "overview", topic: -1, word: -1, document: -1, lambda: LAMBDA, trend: "", find: "", names: new Map() };
      for (const part of hash.replace(/^#/, "").split("&")) {
        const cut = part.indexOf("=");
        const key = part.slice(0, cut), value = part.slice(cut + 1);
        const number = value === "" ? NaN : Number(value);
        const topic = Number.isInteger(number) && number >= 0;
        if (key === "topic" && topic && number < model.K) {
          if (!model.hidden.has(number)) Object.assign(next, { panel: "topic", topic: number });
        }
        else if (key === "document" && topic) Object.assign(next, { panel: "document", document: number });
        else if (key === "lambda" && number >= 0 && number <= 1) next.lambda = Math.round(10 * number) / 10;
        else if (key === "find" && model.data.search) next.find = decoded(value).slice(0, 4000);
        else if (key === "trend") next.trend = decoded(value).slice(0, 200);
        else if (key === "names") next.names = readNames(value);
        else if (key === "view" && PANELS.includes(value)) next.panel = value;
        else if (key === "word" && wordId(decoded(value)) >= 0) {
          Object.assign(next, { panel: "word", word: wordId(decoded(value)) });
        }
      }
      if (!ezlda.hasView(model, next.panel)) next.panel = "overview";
      return next;
    }

    // Steps in quick succession, as with a key held down, become one entry of the history.
    let wantsEntry = false;
    const OURS = { ezlda: true }; // marks entries of the history that the page wrote itself
    const isShown = () => location.hash === address() || (address() === "#" && !location.hash);
    const write = ezlda.dom.rested(() => {
      if (isShown()) return;
      history[wantsEntry ? "pushState" : "replaceState"](OURS, "", address());
      wantsEntry = false;
    }, 150);

    function notify(changed) {
      for (const listener of listeners) listener(state, changed);
    }

    function set(patch) {
      const changed = new Set(Object.keys(patch).filter((key) => state[key] !== patch[key]));
      if (!changed.size) return;
      Object.assign(state, patch);
      wantsEntry = wantsEntry || ["panel", "topic", "word", "document", "find"].some((key) => changed.has(key));
      write();
      notify(changed);
    }

    const cleanName = (name) => name.replace(/[\u0000-\u001f]/g, " ").trim().slice(0, 80);

    function setName(topic, given) {
      const names = new Map(state.names);
      const name = cleanName(given);
      if (name) names.set(topic, name);
      else names.delete(topic);
      if ((state.names.get(topic) || "") !== name) set({ names });
    }

    // Going back restores what was open then; names stay as they are now.
    function follow(event) {
      if (event.type === "hashchange" && isShown()) return;
      const next = read(location.hash);
      if (event.state && event.state.ezlda) next.names = state.names;
      const changed = new Set(Object.keys(next).filter((key) => state[key] !== next[key]));
      Object.assign(state, next);
      history.replaceState(OURS, "", isShown() ? undefined : address());
      if (changed.size) notify(changed);
    }

    Object.assign(state, read(location.hash));
    history.replaceState(OURS, "");
    window.addEventListener("popstate", follow);
    window.addEventListener("hashchange", follow);

    return {
      now: state, set, setName, address, listen: (listener) => listeners.push(listener),
      openTopic: (topic) => set({ panel: "topic", topic, word: -1, document: -1 }),
      openWord: (word) => set({ panel: "word", word, document: -1 }),
      openDocument: (number) => set({ panel: "document", document: number, word: -1 }),
      openPanel: (panel) => set({ panel, topic: -1, word: -1, document: -1 }),
    };
  }

  ezlda.createState = create;
})();

// The documents in the report, and those that `ezlda report --serve` provides on demand. All have the same form:
// {number, name, label, fields: [[name, value], ...], tokens, mix: [[topic, share], ...],
// bag: [[word, topic, count], ...] or null if not known,
// text: {text, cut, words: [gap, length, topic, gap, ...]} or null}.
(() => {
  const NONE = 0xffffffff;

  function open(data, K) {
    const source = data.documents || { name: [] };
    const tables = ezlda.unpack.lazy(source, {
      tokens: "u32", number: "u32", mix_start: "u32", mix_topic: "u16", mix_share: "f32",
      bag_start: "u32", bag_word: "u32", bag_topic: "u16", bag_count: "u16",
      text_doc: "u32", text_words: "u32", text_gap: "u16", text_units: "u16", text_topic: "u16",
    });
    const names = source.name || [];
    const rows = ezlda.unpack.table("u32", data.topic_docs), shares = ezlda.unpack.table("f32", data.topic_docs_share);
    const each = K ? Math.floor(rows.length / K) : 0;
    const text = data.vocabulary.text;
    let places = null;

    function placeOf(number) {
      if (!places) places = new Map(names.map((_, i) => [tables.number[i], i]));
      return places.get(number);
    }

    let textAt = null;
    // The text of document i, if the page has it.
    function textOf(i) {
      if (!source.text) return null;
      if (!textAt) {
        let start = 0;
        textAt = new Map(source.text.map((_, j) => {
          const place = { j, start };
          start += tables.text_words[j] >> 1;
          return [tables.text_doc[j], place];
        }));
      }
      const place = textAt.get(i);
      if (!place) return null;
      const words = [], n = tables.text_words[place.j];
      for (let j = place.start; j < place.start + (n >> 1); j++) {
        words.push(tables.text_gap[j], tables.text_units[j], tables.text_topic[j]);
      }
      return { text: source.text[place.j], cut: Boolean(n & 1), words };
    }

    function at(i, withBag) {
      const mix = [];
      for (let j = tables.mix_start[i]; j < tables.mix_start[i + 1]; j++) {
        mix.push([tables.mix_topic[j], tables.mix_share[j]]);
      }
      const bag = [];
      for (let j = tables.bag_start[i]; withBag && j < tables.bag_start[i + 1]; j++) {
        bag.push([text[tables.bag_word[j]], tables.bag_topic[j], tables.bag_count[j]]);
      }
      return { number: tables.number[i], name: names[i], label: source.label ? source.label[i] : null,
        fields: (source.fields || []).map((field) => [field.name, field.values[i]]),
        tokens: tables.tokens[i], mix, bag: bag.length ? bag : null, text: withBag ? textOf(i) : null };
    }

    // A topic's first documents. If the topic is not among the largest of a document, it is added at the end of the
    // mix.
    function ofTopic(topic) {
      const list = [];
      for (let i = topic * each; i < (topic + 1) * each; i++) {
        if (rows[i] === NONE) continue;
        const doc = at(rows[i], false);
        if (!doc.mix.some(([other]) => other === topic)) doc.mix.push([topic, shares[i]]);
        list.push({ ...doc, share: shares[i] });
      }
      return list;
    }

    const bins = (source.bins || []).map((text) => ezlda.unpack.lazy({ bin: text }, { bin: "u16" }));
    // Documents of the report in these bins of a field that have a topic among their largest, by its share.
    function inBins(field, wanted, topic, most) {
      const found = [], { bin } = bins[field] || { bin: [] };
      for (let i = 0; i < bin.length; i++) {
        if (!wanted.has(bin[i])) continue;
        for (let j = tables.mix_start[i]; j < tables.mix_start[i + 1]; j++) {
          if (tables.mix_topic[j] === topic) found.push([i, tables.mix_share[j]]);
        }
      }
      return found.sort((a, b) => b[1] - a[1]).slice(0, most).map(([i, share]) => ({ ...at(i, false), share }));
    }

    async function ask(address) {
      const answer = await fetch(address);
      const body = await answer.json().catch(() => ({}));
      if (!answer.ok) throw new Error(body.error || `The server answered ${answer.status}.`);
      return body;
    }

    // Returns a promise of the document; its words are requested from the server if the report does not have them.
    async function get(number) {
      const place = placeOf(number);
      const own = place === undefined ? null : at(place, true);
      if ((own && own.bag && (own.text || !source.text)) || !data.serve) return own;
      return ask(`api/document?number=${number}`);
    }

    // The same for all documents, from the server.
    async function askBins(field, wanted, topic) {
      const list = [...wanted];
      const range = `first=${Math.min(...list)}&last=${Math.max(...list)}`;
      return (await ask(`api/slice?field=${field}&topic=${topic}&${range}`)).documents || [];
    }

    let folded = null;
    // Documents whose name contains the folded text: first the name itself, then those that begin with it.
    function find(query, most) {
      folded = folded || names.map(ezlda.format.fold);
      const first = [], rest = [];
      for (let i = 0; i < folded.length && first.length < most; i++) {
        const where = folded[i].indexOf(query);
        if (where === 0 && folded[i].length === query.length) first.unshift(i);
        else if (where === 0) first.push(i);
        else if (where > 0 && rest.length < most) rest.push(i);
      }
      return [...first, ...rest].slice(0, most).map((i) => at(i, false));
    }

    const findServed = async (query) => (await ask(`api/search?query=${encodeURIComponent(query)}`)).documents || [];

    function warm() {
      if (names.length) at(0, true);
    }

    const all = (data.facts && data.facts.documents) || names.length;
    return { count: names.length, all, ofTopic, get, find, warm, inBins, askBins, findServed, served: Boolean(data.serve) };
  }

  ezlda.documents = { open };
})();

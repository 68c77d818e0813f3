// Access to the data of the page. Topics have the model's numbers, words their positions in the vocabulary.
(() => {
  function open(data) {
    const facts = data.facts || {};
    const topics = ezlda.unpack.lazy(data.topics, {
      tokens: "f64", alpha: "f64", x: "f32", y: "f32", coherence: "f32", similar: "u16", similarity: "f32",
    });
    const inTopic = ezlda.unpack.lazy(data.topic_words, { start: "u32", word: "u32", count: "u32" });
    const ofWord = ezlda.unpack.lazy(data.word_topics, { start: "u32", topic: "u16", count: "u32" });
    const vocabulary = ezlda.unpack.lazy(data.vocabulary, { tokens: "f64", rank: "u32" });
    const text = data.vocabulary.text;
    const K = topics.tokens.length;
    const beta = facts.beta || 0.01;
    const V = facts.words || text.length;
    const total = facts.tokens || topics.tokens.reduce((sum, tokens) => sum + tokens, 0) || 1;
    const flags = new Map();
    for (const flag of data.topics.flag || []) flags.set(flag.topic, [...(flags.get(flag.topic) || []), flag]);

    const share = (topic) => topics.tokens[topic] / total;
    const inCorpus = (word) => vocabulary.tokens[word] / total;
    const probability = (count, topic) => (count + beta) / (topics.tokens[topic] + V * beta);

    // One word of a topic with all numbers that the page shows.
    function entry(word, count, topic) {
      const p = probability(count, topic);
      const corpus = inCorpus(word) || 1 / total;
      const here = Math.min(1, count / (vocabulary.tokens[word] || count));
      return { word, count, p, corpus, lift: p / corpus, here };
    }

    // All words of a topic in the report, by relevance: lambda log p(w|t) + (1 - lambda) log(p(w|t) / p(w)). Ties keep
    // the order of the table, which is that of the model's numbers.
    function byRelevance(topic, lambda) {
      const list = [];
      for (let i = inTopic.start[topic]; i < inTopic.start[topic + 1]; i++) {
        const item = entry(inTopic.word[i], inTopic.count[i], topic);
        item.relevance = lambda * Math.log(item.p) + (1 - lambda) * Math.log(item.lift);
        list.push(item);
      }
      return list.sort((a, b) => b.relevance - a.relevance);
    }

    // The first words of a topic. The report is complete for this many words and each lambda of 0, 0.1, ..., 1. Words
    // beyond them are there for another lambda, and some between them are missing.
    const first = data.topic_words.each;
    const edited = data.topics.edited || [];
    const hidden = new Set(data.topics.hidden || []);
    const nameOf = (topic) => (edited[topic] || {}).name || "";
    const groupOf = (topic) => (edited[topic] || {}).group || "";
    function topWords(topic, lambda, most = first) {
      const list = byRelevance(topic, lambda);
      const head = (edited[topic] || {}).first || [];
      const chosen = head.map((word) => list.find((item) => item.word === word)).filter(Boolean);
      return [...chosen, ...list.filter((item) => !head.includes(item.word))].slice(0, Math.min(most, first));
    }

    // Whether one word is a form of the other, like "networks" and "network", so that a title shows only one.
    function sameStem(one, other) {
      const [short, long] = one.length <= other.length ? [one, other] : [other, one];
      return short.length >= 4 && long.startsWith(short.slice(0, Math.max(4, short.length - 2)));
    }

    // A few words that represent a topic, with only the first of several forms. Cached, because they are used often.
    const heads = new Array(K);
    function headWords(topic) {
      if (heads[topic]) return heads[topic];
      const chosen = [];
      for (const item of topWords(topic, 0.7, 14)) {
        const word = text[item.word];
        if (chosen.length < 6 && !chosen.some((other) => sameStem(word, other))) chosen.push(word);
      }
      return (heads[topic] = chosen);
    }

    function wordTopics(word) {
      const list = [];
      for (let i = ofWord.start[word]; i < ofWord.start[word + 1]; i++) {
        if (hidden.has(ofWord.topic[i])) continue;
      list.push({ topic: ofWord.topic[i], ...entry(word, ofWord.count[i], ofWord.topic[i]) });
      }
      return list;
    }

    // Tokens of a word in a topic; 0 if the report has none.
    function countOf(word, topic) {
      for (let i = ofWord.start[word]; i < ofWord.start[word + 1]; i++) {
        if (ofWord.topic[i] === topic) return ofWord.count[i];
      }
      for (let i = inTopic.start[topic]; i < inTopic.start[topic + 1]; i++) {
        if (inTopic.word[i] === word) return inTopic.count[i];
      }
      return 0;
    }

    const S = K > 1 ? Math.round(topics.similar.length / K) : 0;
    const similar = (topic) => Array.from({ length: S }, (_, i) => ({
      topic: topics.similar[topic * S + i], similarity: topics.similarity[topic * S + i],
    })).filter((item) => item.topic < K && item.topic !== topic && !hidden.has(item.topic));

    // Words that distinguish a topic from similar ones, by what each adds to the divergence from their mean.
    function setApart(topic, most) {
      const around = similar(topic).slice(0, 5);
      if (!around.length) return [];
      return byRelevance(topic, 1).slice(0, 40).map((item) => {
        const counts = around.map((other) => countOf(item.word, other.topic));
        const mean = counts.reduce((sum, count, i) => sum + probability(count, around[i].topic), 0) / around.length;
        const only = counts.every((count) => count === 0); // in the data of the report
        return { ...item, ratio: item.p / mean, only, weight: item.p * Math.log(item.p / mean) };
      }).filter((item) => item.ratio > 1.2).sort((a, b) => b.weight - a.weight).slice(0, most);
    }

    function sharedWords(topic, other, most) {
      const theirs = new Set(topWords(other, 0.8, 30).map((item) => item.word));
      return topWords(topic, 0.8, 30).filter((item) => theirs.has(item.word)).slice(0, most);
    }

    // Topics that edits do not hide, by number.
    const shown = () => Uint32Array.from({ length: K }, (_, i) => i).filter((topic) => !hidden.has(topic));
    const shownCount = K - hidden.size;
    // The shown topic before (by = -1) or after (1) a topic; the first follows the last.
    function stepFrom(topic, by) {
      for (let i = 1; i <= K; i++) {
        const at = (topic + i * by + 2 * K) % K;
        if (!hidden.has(at)) return at;
      }
      return topic;
    }
    let byTokens = null;
    const bySize = () => byTokens || (byTokens = shown()
      .sort((a, b) => topics.tokens[b] - topics.tokens[a] || a - b));

    // A word's rank by frequency among all words of the model, from 1. The vocabulary begins with the most frequent
    // words; the table has the ranks of the words after them.
    function wordRank(word) {
      const plain = text.length - vocabulary.rank.length;
      return (word < plain ? word : vocabulary.rank[word - plain]) + 1;
    }

    const rankOf = (topic) => bySize().indexOf(topic) + 1;

    const fields = (data.fields || []).map((field, i) => ezlda.series.open(field, K, i));

    return { data, facts, K, topics, text, flags, fields, vocabulary, share, inCorpus, topWords, headWords,
      wordTopics, similar, setApart, sharedWords, bySize, shown, shownCount, stepFrom, nameOf, groupOf, hidden, rankOf,
      wordRank,
      documents: ezlda.documents.open(data, K) };
  }

  ezlda.openModel = open;
})();

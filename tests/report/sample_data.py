"""A data object of the report page with planted topics, and the page assembled from report/ around any data object.

    python3 tests/report/sample_data.py OUT.html [--topics 20] [--hostile] [--serve] [--plain]

The same settings give the same bytes. Hostile: words, names and labels that would do harm if they were read as HTML.
Plain: what a report without a corpus and without a second model holds.
"""
import argparse
import base64
import hashlib
import html
import json
import math
import random
import sys
from array import array
from pathlib import Path

REPORT = Path(__file__).resolve().parents[2] / "report"
NONE = 0xFFFFFFFF

THEMES = """
galaxy star dust redshift halo stellar luminosity disk cluster emission survey gas infrared dwarf
neural network training deep layer gradient attention loss learning convolution embedding weights dropout transformer
graph vertex edge coloring planar tree clique matching connected degree hypergraph bipartite chromatic path
gene protein cell expression sequence genome mutation binding transcription pathway tissue enzyme rna tumor
quantum qubit entanglement state measurement gate decoherence circuit unitary photon fidelity error spin channel
market price portfolio risk volatility option asset trading hedge return investor stochastic liquidity equity
climate temperature ocean precipitation atmospheric ice carbon warming seasonal aerosol wind drought model sea
robot control trajectory sensor motion planning vehicle feedback actuator autonomous obstacle grasp velocity pose
patient clinical trial treatment disease hospital symptom cohort therapy diagnosis dose outcome placebo chronic
speech language translation corpus word grammar parser sentence token semantic syntactic lexical dialogue phoneme
superconductor lattice electron phonon band magnetic doping conductivity fermi insulator crystal vortex cuprate
flow turbulence fluid viscosity reynolds vortex boundary pressure shear convection drag jet mixing drop
security attack encryption key protocol privacy cipher malware authentication signature adversary leakage secret proof
prime integer modular elliptic zeta arithmetic conjecture divisor lattice congruence galois cohomology cusp residue
image segmentation camera pixel object detection texture depth scene video recognition contour stereo saliency
network traffic packet router bandwidth latency wireless antenna relay congestion throughput interference spectrum base
bayesian prior posterior inference likelihood sampling estimator variance regression markov kernel chain mixture
social user community opinion twitter influence election group online survey behavior rumor friend culture
particle collider boson quark decay lepton neutrino detector higgs jet coupling luminosity scattering mass
algebra module ring ideal functor category commutative morphism sheaf homology bundle manifold derived exact
""".strip().splitlines()
COMMON = "result method show model paper study data use large new approach present system based problem".split()
SYLLABLES = [a + b for a in "b d f g k l m n p r s t v z".split() for b in "a e i o u ar en il os".split()]

HOSTILE = ["<script>window.hurt=1</script>", "<img src=x onerror=window.hurt=2>", "\"><svg onload=window.hurt=3>",
           "'; window.hurt=4; '", "</script><script>window.hurt=5</script>", "&lt;b&gt;&amp;", "{{DATA}}",
           "${window.hurt=6}", "שלום\u202eעולם", "مرحبا", "😀👩‍👩‍👧‍👦", "\u2028\u2029", "Ω" * 10000,
           "javascript:alert(1)", "a\tb\nc", "%00%3Cscript", "__proto__", "constructor"]


def packed(kind, values):
    """Base64 of a little-endian array; kind as in the array module."""
    data = array(kind, values)
    if sys.byteorder == "big":
        data.byteswap()
    return base64.b64encode(data.tobytes()).decode("ascii")


class Planted:
    """Counts of words by topic, drawn so that topics of one theme share words."""

    def __init__(self, topics, seed):
        self.random, self.topics, self.words, self.ids = random.Random(seed), topics, [], {}
        self.themes = [line.split() for line in THEMES]
        self.theme_of = [t % len(self.themes) for t in range(topics)]
        self.counts = [self.draw_topic(t) for t in range(topics)]
        self.tokens = [sum(c.values()) for c in self.counts]
        self.sort_words()

    def word(self, text):
        if text not in self.ids:
            self.ids[text] = len(self.words)
            self.words.append(text)
        return self.ids[text]

    def new_word(self):
        return "".join(self.random.choices(SYLLABLES, k=2 + int(3 * self.random.random())))

    def draw_topic(self, topic):
        r, theme = self.random, self.themes[self.theme_of[topic]]
        size = math.exp(r.gauss(9.5, 0.8 if self.topics > 20 else 0.5))
        own, rare = theme[:], 12 if self.topics <= 1000 else 2
        if self.topics > len(self.themes):
            own = [self.new_word() for _ in range(14 if self.topics <= 1000 else 6)] + r.sample(theme, 7)
            r.shuffle(own)
        words = own + r.sample(COMMON, 6) + [self.new_word() for _ in range(rare)]
        weights = [1 / (rank + 1.5) ** 0.8 * r.uniform(0.7, 1.3) for rank in range(len(words))]
        total, counts = sum(weights), {}
        for text, weight in zip(words, weights):
            word = self.word(text)
            counts[word] = counts.get(word, 0) + max(1, int(size * weight / total))
        return counts

    def sort_words(self):
        """Vocabulary most frequent first."""
        totals = [0] * len(self.words)
        for counts in self.counts:
            for word, count in counts.items():
                totals[word] += count
        order = sorted(range(len(totals)), key=lambda w: (-totals[w], w))
        place = {word: i for i, word in enumerate(order)}
        self.words = [self.words[w] for w in order]
        self.word_tokens = [totals[w] for w in order]
        self.counts = [{place[w]: c for w, c in counts.items()} for counts in self.counts]


def places(planted):
    r, n = planted.random, len(planted.themes)
    spread = 0.03 if planted.topics <= n else 0.13

    def near(centre):
        return max(-1, min(1, 0.86 * centre + r.gauss(0, spread)))
    xs = [near(math.cos(i * 2.4) * math.sqrt((i + .5) / n)) for i in planted.theme_of]
    ys = [near(math.sin(i * 2.4) * math.sqrt((i + .5) / n)) for i in planted.theme_of]
    return xs, ys


def similar(planted, xs, ys):
    """The nearest on the map among a few of the same theme: near enough for a sample."""
    k = planted.topics
    most = min(8, k - 1)
    near, alike = [], []
    for t in range(k):
        step = len(planted.themes)
        others = {(t + step * i) % k for i in range(1, 40)} | {(t + i) % k for i in range(1, most + 8)}
        scored = sorted((math.hypot(xs[t] - xs[o], ys[t] - ys[o]), o) for o in others - {t})[:most]
        near += [o for _, o in scored]
        alike += [max(0.0, 1 - d) ** 2 for d, _ in scored]
    return near, alike


def topics_part(planted):
    xs, ys = places(planted)
    near, alike = similar(planted, xs, ys)
    r, k = planted.random, planted.topics
    flags = [] if k < 8 else [
             {"topic": 3, "kind": "junk", "reason": "its words are spread over all topics: 61 % of them are among the "
              "100 most frequent words of the corpus."},
             {"topic": 7, "kind": "duplicate", "other": near[7 * min(8, k - 1)], "reason":
              f"nearly the same words as topic {near[7 * min(8, k - 1)]} (distance 0.04)."}]
    if k > 100:
        flags += [{"topic": t, "kind": "junk", "reason": "mostly words that are frequent everywhere."}
                  for t in range(40, k, k // 12)]
        flags.append({"topic": 11, "kind": "empty", "reason": "no token has this topic."})
    return {"tokens": packed("d", planted.tokens), "alpha": packed("d", [0.1 * r.uniform(.5, 2) for _ in range(k)]),
            "x": packed("f", xs), "y": packed("f", ys),
            "coherence": packed("f", [math.nan if t == 5 else r.gauss(0.12, 0.06) for t in range(k)]), "flag": flags,
            "similar": packed("H", near), "similarity": packed("f", alike)}


def words_part(planted):
    starts, words, counts = [0], [], []
    by_word = [[] for _ in planted.words]
    for t, topic in enumerate(planted.counts):
        for word, count in sorted(topic.items()):
            words.append(word)
            counts.append(count)
            by_word[word].append((-count, t))
        starts.append(len(words))
    topic_words = {"each": 30, "start": packed("I", starts), "word": packed("I", words), "count": packed("I", counts)}
    best = [sorted(pairs)[:10] for pairs in by_word]
    where = [0]
    for pairs in best:
        where.append(where[-1] + len(pairs))
    word_topics = {"start": packed("I", where), "topic": packed("H", [t for pairs in best for _, t in pairs]),
                   "count": packed("I", [-c for pairs in best for c, _ in pairs])}
    return topic_words, word_topics


def documents_part(planted, each, bag):
    """For each topic its documents: half the words from the topic, the rest from two others."""
    r, k = planted.random, planted.topics
    names, labels, tokens, numbers, mixes, bags, rows = [], [], [], [], [], [], []
    lists = [list(c) for c in planted.counts]
    for t in range(k):
        for i in range(each):
            rows.append(len(names))
            others = [t, (t + len(planted.themes) * (i + 1)) % k, r.randrange(k)]
            shares = {t: 0.0}
            for topic, share in zip(others, (0.62 - 0.04 * i, 0.2, 0.08 + 0.04 * i)):
                shares[topic] = shares.get(topic, 0) + share
            mixes.append(sorted(((s, o) for o, s in shares.items()), reverse=True))
            bags.append([(w, o, 1 + int(6 * r.random())) for o in others for w in r.choices(lists[o], k=bag // 3)])
            first, second = r.choice(planted.words[:300]), planted.words[r.choice(lists[t])]
            names.append(f"{1001 + len(names) % 1300}.{r.randrange(10 ** 5):05} On {first} and {second}")
            labels.append(f"{2010 + r.randrange(14)}")
            tokens.append(sum(c for _, _, c in bags[-1]))
            numbers.append(len(numbers) * 37 + 5)
    def starts(parts):
        sums = [0]
        for part in parts:
            sums.append(sums[-1] + len(part))
        return packed("I", sums)
    flat, mixed = [b for one in bags for b in one], [m for one in mixes for m in one]
    return {"name": names, "label": labels, "bag_kind": "kept",
            "tokens": packed("I", tokens), "number": packed("I", numbers),
            "mix_start": starts(mixes), "mix_topic": packed("H", [o for _, o in mixed]),
            "mix_share": packed("f", [s for s, _ in mixed]), "bag_start": starts(bags),
            "bag_word": packed("I", [w for w, _, _ in flat]), "bag_topic": packed("H", [t for _, t, _ in flat]),
            "bag_count": packed("H", [c for _, _, c in flat])}, \
        {"topic_docs": packed("I", rows),
         "topic_docs_share": packed("f", [next(s for s, o in mixes[row] if o == i // each) for i, row in enumerate(rows)])}


def fields_part(planted, documents):
    r, k = planted.random, planted.topics
    labels = ["astro-ph", "cs", "math", "physics", "q-bio", "stat"]

    def table(n, wave, docs):
        tokens = [int(planted.tokens[t] * wave(t, v) / n) for t in range(k) for v in range(n)]
        total = [sum(tokens[v::n]) for v in range(n)]
        return {"total": packed("d", total), "squares": packed("d", [(total[v] / docs[v]) ** 2 * docs[v] for v in range(n)]),
                "docs": packed("I", docs), "width": 4, "tokens": packed("I", tokens),
                "spread": packed("H", [round(1024 * math.log2(1 + 40 * count)) for count in tokens])}
    peak = [r.uniform(0, 20) for _ in range(k)]
    home = [planted.theme_of[t] % 6 for t in range(k)]
    names = documents["label"]
    documents["bins"] = [packed("H", [int(label) - 2004 for label in names]), packed("H", [i % 6 for i in range(len(names))])]
    kept = {"undated": 0, "first_undated": ""}
    return [{"name": "year", "kind": "time", "unit": "year", "every": 1, "step": None, "at": packed("I", range(2004, 2024)), **kept,
             **table(20, lambda t, v: 0.25 + math.exp(-((v - peak[t]) / 5) ** 2) * r.uniform(.9, 1.1), [80 + 3 * v for v in range(20)])},
            {"name": "label", "kind": "category", "values": labels, **kept,
             **table(6, lambda t, v: 3.0 if v == home[t] else 0.2 * r.uniform(.5, 1.5), [300] * 6)}]


def compare_part(planted):
    r, k = planted.random, planted.topics
    order = list(range(k))
    r.shuffle(order)
    paired = k - max(1, k // 10)
    first = [[planted.words[w] for w, _ in sorted(c.items(), key=lambda p: -p[1])[:10]] for c in planted.counts]
    words_b, tokens_b = [None] * k, [0] * k
    for a in range(k):
        words_b[order[a]] = r.sample(first[a], len(first[a]))
        tokens_b[order[a]] = planted.tokens[a] * r.uniform(.7, 1.4)
    return {"title": "the same corpus, seed 2", "topics": k, "mean_similarity": 0.77,
            "pairs": [[a, order[a], round(0.98 - 0.7 * r.random() ** 2, 4)] for a in range(paired)],
            "alone_a": list(range(paired, k)), "alone_b": [order[a] for a in range(paired, k)],
            "nearest_a": [[order[0], 0.21]] * (k - paired), "nearest_b": [[0, 0.19]] * (k - paired),
            "words_b": words_b, "tokens_b": packed("d", tokens_b)}


def make_hostile(data):
    """Bad strings everywhere a string can be; the frequent words so that they show up in a search at once."""
    vocabulary, documents = data["vocabulary"]["text"], data["documents"]
    vocabulary[:len(HOSTILE)] = HOSTILE
    documents["name"][:len(HOSTILE)] = HOSTILE
    documents["label"][:len(HOSTILE)] = HOSTILE
    data["title"] = HOSTILE[0] + " & " + HOSTILE[3]
    data["topics"]["flag"][0]["reason"] = HOSTILE[1]
    data["fields"][1]["name"], data["fields"][1]["values"][:3] = HOSTILE[2], HOSTILE[:3]
    data["compare"]["title"], data["compare"]["words_b"][0] = HOSTILE[0], HOSTILE
    data["scores"]["note"], data["facts"]["device"] = HOSTILE[0], HOSTILE[1]


def sample(topics=20, seed=1, hostile=False, serve=False, plain=False):
    planted = Planted(topics, seed)
    total = sum(planted.tokens)
    topic_words, word_topics = words_part(planted)
    each, bag = (8, 60) if topics <= 20 else (6, 30) if topics <= 1000 else (1, 6)
    documents, topic_docs = documents_part(planted, each, bag)
    facts = {"documents": 18774, "words": len(planted.words) + 4000, "tokens": total, "topics": topics,
             "iterations": 500, "seed": "1", "alpha_sum": 0.1 * topics, "beta": 0.01, "estimator": "leave-one-out",
             "device": "cpu", "threads": 2, "seconds_sampling": 43.7, "skipped": 0.714, "moved": 0.083,
             "topics_hash": "9c4f6d1a77e2b035", "corpus_hash": "51be20c3d98f4417"}
    llpt = [[i, round(i * .0874, 3), -7.1 - 2.3 * math.exp(-i / 38)] for i in [1, *range(5, 501, 5)]]
    data = {"version": 1, "title": "Abstracts of twenty fields", "created": "2026-11-15", "tool": "ezlda 0.1.0",
            "facts": facts, "llpt": llpt,
            "scores": {"u_mass": -1.82, "npmi": 0.124, "c_v": 0.587, "diversity": 0.83, "exclusivity": 0.61,
                       "words": 10, "npmi_window": 10, "c_v_window": 0, "note": ""},
            "topics": topics_part(planted),
            "vocabulary": {"text": planted.words, "tokens": packed("d", planted.word_tokens)},
            "topic_words": topic_words, "word_topics": word_topics, "documents": documents, **topic_docs,
            "fields": fields_part(planted, documents), "compare": compare_part(planted), "serve": serve}
    if hostile:
        make_hostile(data)
    if plain:
        data.update(scores={"note": "There is no corpus."}, documents=None, topic_docs="", topic_docs_share="", fields=[], compare=None,
                    llpt=[])
    return data


def assemble(data):
    """The page as the command writes it: one pass over the skeleton, hashes of style and script in the policy."""
    style = (REPORT / "style.css").read_text(encoding="utf-8")
    names = (REPORT / "order.txt").read_text(encoding="utf-8").split()
    script = "".join((REPORT / name).read_text(encoding="utf-8") for name in names)
    def digest(text):
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
    source = "'self'" if data["serve"] else "'none'"
    policy = (f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}; img-src data:; "
              f"connect-src {source}; base-uri 'none'; form-action 'none'")
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    parts = {"TITLE": html.escape(data["title"]), "CSP": policy, "STYLE": style, "SCRIPT": script, "DATA": text}
    page = (REPORT / "page.html").read_text(encoding="utf-8").split("{{")
    return page[0] + "".join(parts[piece.split("}}", 1)[0]] + piece.split("}}", 1)[1] for piece in page[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--topics", type=int, default=20)
    for flag in ("--hostile", "--serve", "--plain"):
        parser.add_argument(flag, action="store_true")
    given = parser.parse_args()
    page = assemble(sample(given.topics, hostile=given.hostile, serve=given.serve, plain=given.plain))
    given.out.write_bytes(page.encode("utf-8", "surrogatepass"))


if __name__ == "__main__":
    main()

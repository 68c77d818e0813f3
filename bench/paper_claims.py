"""The claims of the paper, one by one: what it says, what we find, how, and why the two differ."""

from dataclasses import dataclass, field
from typing import Callable

from paper_results import ratio
from paper_sizes import SETS

CULDA_GB = (4.69, 14.41, 39.01)  # totals of cuLDA and SaberLDA in the paper's table, by number of topics
# Real corpora that are of the same kind as one of the paper's: news, abstracts.
LIKE = {"rnews": "NYTimes", "arxiv": "PubMed"}


@dataclass
class Found:
    """Ours, as text; and as pairs with the paper's figure, which show a difference."""

    text: str
    pairs: list = field(default_factory=list)


@dataclass
class Claim:
    place: str  # section, figure or table
    says: str
    paper: str
    ours: Callable  # of the results: Found, or None if it was not measured
    experiments: tuple  # names, for the reason why it was not
    how: str
    differs: object  # a sentence, or a function of the results that makes one; shown if figures are not `near`
    near: Callable = lambda paper, ours: abs(ours - paper) <= 10  # points


def within(share):
    return lambda paper, ours: abs(ours - paper) <= share * abs(paper)


def at_least(paper, ours):
    return ours >= paper


def at_most(paper, ours):
    return ours <= paper


def same(paper, ours):
    return ours == paper


def short(value):
    """Two digits, and all before the point."""
    return f"{value:,.0f}" if abs(value) >= 10 else f"{value:.2g}"


def percents(values):
    return " / ".join("-" if value is None else f"{short(value)} %" for value in values)


def bytes_of(value):
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if value >= unit:
            return f"{value / unit:.2f} {name}"
    return f"{value / 1e3:.2f} kB"


def times(values):
    return " / ".join("-" if value is None else f"{value:.2f}x" for value in values)


def known(paper, ours):
    return [(p, o) for p, o in zip(paper, ours) if o is not None]


def over_sets(make, show, paper=()):
    """Ours for each data set of the paper, and beside them for the real corpora."""
    def ours(results):
        values = [make(results, name) for name in SETS]
        others = [(name, value) for name in results.real if (value := make(results, name)) is not None]
        if not others and not [value for value in values if value is not None]:
            return None
        text = show(values) if [value for value in values if value is not None] else ""
        beside = "; ".join(f"{name} {show([value])}" for name, value in others)
        alike = [(paper[SETS.index(LIKE[name])], value) for name, value in others
                 if name in LIKE and SETS.index(LIKE[name]) < len(paper)]
        return Found("; ".join(part for part in (text, beside) if part), known(paper, values) + alike)
    return ours


def unchanged(results, name):
    return results.share(name, "unchanged", results.size.half)


def max_topic(results, name):
    return results.share(name, "max_topic", results.size.half)


def s_skipped(results, name):
    return results.share(name, "s_skipped", results.size.iterations, g=2)


def final_skipped(results, name):
    return results.share(name, "final_skipped", results.size.iterations)


def by_g(results):
    rows = [(name, [results.share(name, "s_skipped", results.size.iterations, g=g) for g in (1, 2, 4, 8)])
            for name in results.corpora]
    rows = [(name, values) for name, values in rows if values[0] is not None]
    if not rows:
        return None
    grows = all(a <= b for _, values in rows for a, b in zip(values, values[1:]))
    return Found("; ".join(f"{name} {percents(values)}" for name, values in rows), [(1, int(grows))])


def speed_by_g(results):
    rows = [(name, results.rate(f"looked-up/{name}-2"), results.rate(f"looked-up/{name}-1"))
            for name in results.corpora]
    rows = [(name, ratio(two, one)) for name, two, one in rows if ratio(two, one)]
    return Found("g = 2 over g = 1: " + "; ".join(f"{name} {value:.2f}x" for name, value in rows),
                 [(1, value) for _, value in rows]) if rows else None


def exact(results):
    equal, other = results.same_hashes()
    if not equal and not other:
        return None
    text = f"the topics of all tokens are the same with two, three and many branches on {', '.join(equal)}"
    return Found(text + (f"; **not** on {', '.join(other)}" if other else ""), [(0, len(other))])


def speed_of(*labels):
    def make(results, name):
        return ratio(results.rate(f"speed/{name}-{labels[0]}"), results.rate(f"speed/{name}-{labels[1]}"))
    return make


def rates(label):
    return lambda results, name: results.rate(f"speed/{name}-{label}")


def millions(values):
    return " / ".join("-" if value is None else short(value) for value in values)


def convergence(results, name):
    """Seconds to the LLPT that two branches end with: two over three."""
    two = results.get(f"speed/{name}-two")
    if not two:
        return None
    end = two["llpt"][-1][2]
    return ratio(results.seconds_to(name, "two", end), results.seconds_to(name, "three", end))


def memory(results):
    size, parts, pairs = results.size, [], []
    for topics, total in zip((size.topics, size.many, size.most), (6.26, 7.58, 8.44)):
        resident, limited = (results.get(f"memory/PubMed-K{topics}-{label}") for label in ("resident", "limited"))
        if limited:
            parts.append(f"{topics:,}: {bytes_of(limited['memory_bytes'])} in {limited['chunks']} chunks"
                         + (f", {bytes_of(resident['memory_bytes'])} resident" if resident else ""))
            pairs.append((total, limited["memory_bytes"] / 1e9))
    return Found("total, K = " + "; ".join(parts), pairs) if parts else None


def against_culda(results):
    size, values = results.size, []
    for topics, total in zip((size.topics, size.many, size.most), CULDA_GB):
        limited = results.get(f"memory/PubMed-K{topics}-limited")
        values.append(limited and 100 * (limited["memory_bytes"] / 1e9 / total - 1))
    return Found(percents(values), known((33, -47, -78), values)) if any(values) else None


def sixteen_bits(results):
    return Found("K up to 65,536; a larger count has several entries, and none is truncated")


def dense_share(results, name):
    shape = results.shape(name, results.size.topics)
    return shape and 100 * shape["dense_share"]


def heavy_words(results, name):
    """Share of the tokens in a hundredth of the words."""
    shape = results.shape(name)
    if not shape:
        return None
    wanted = shape["words"] / 100
    return 100 * max((share for rank, _, share in shape["ranks"] if rank <= wanted), default=shape["ranks"][0][2])


def w_space(other):
    def make(results, name):
        shape = results.shape(name, results.size.many)
        return shape and 100 * (1 - shape["w_hybrid"] / shape[other])
    return make


def densities(results):
    rows = {int(key.rsplit("-", 1)[1]): found for key, found in results.all("density").items()
            if key.startswith("NYTimes-")}
    if len(rows) < 2:
        return None
    first, last = min(rows), max(rows)
    falls = all(rows[first][key] > rows[last][key] for key in ("density_w", "density_d"))
    return Found("; ".join(f"{name} {short(100 * rows[first][key])} % at K = {first:,}, "
                           f"{short(100 * rows[last][key])} % at {last:,}"
                           for name, key in (("W", "density_w"), ("D", "density_d"))), [(1, int(falls))])


def dropping_rows(results):
    """For each corpus: LLPT before; LLPT with and without dropping at three iterations; the share of tokens dropped."""
    drop, again = results.size.drop["drop"], results.size.drop["again"]
    for name in ("PubMed-shape", *results.real):
        runs = results.dropping(name)
        if runs:
            last = max(runs["plain"])
            values = [(at, runs["dropping"][at]["llpt"], runs["plain"][at]["llpt"])
                      for at in (again - 1, min(again + 4, last), last)]
            yield name, runs["plain"][drop - 1]["llpt"], values, 1 - runs["dropping"][again - 1]["sampled"]


def dropped(results):
    """The table below has the figures; here is what is lost at its middle iteration, after sampling again."""
    rows, pairs, again = [], [], results.size.drop["again"]
    for name, before, values, _ in dropping_rows(results):
        at, with_dropping, plain = values[1]
        lowest = min(entry["llpt"] for i, entry in results.dropping(name)["dropping"].items() if i >= again)
        rows.append(f"{name} {round(with_dropping, 3) - round(plain, 3):+.3f}")
        pairs.append((before, lowest))
    return Found(f"LLPT at iteration {at}, against a run without dropping: " + "; ".join(rows), pairs) if rows else None


def large_k(results):
    rows = [(name, results.get(f"large/{name}-paper"), results.get(f"large/{name}-ours")) for name in results.corpora]
    rows = [(name, found, ours) for name, found, ours in rows if found]
    if not rows:
        return None
    return Found("M tokens/s (with our defaults): "
                 + "; ".join(f"{name} {millions([found['rate']])}" + (f" ({millions([ours['rate']])})" if ours else "")
                             for name, found, ours in rows))


def umbc(results):
    found = results.get("large/UMBC-paper")
    if not found:
        return None
    each = sum(found["seconds"]) / len(found["seconds"])
    return Found(f"{short(100 * each)} s for 100 iterations of {found['tokens'] / 1e6:,.1f} M tokens, K = "
                 f"{found['topics']:,}, at the mean of {len(found['seconds'])}", [(700, 100 * each)])


def gains(experiment, over, of):
    return lambda results, name: results.speedup(experiment, name, over, of)


def busy(results, name):
    shape = results.shape(name)
    return shape and shape["busiest"]["none"] / shape["busiest"]["split"]


def occupancies(results, name):
    split, none = results.occupancy(name, "split"), results.occupancy(name, "none")
    return 100 * (split / none - 1) if split and none else None


def shard_parts(what, names):
    """How many shards, then for each corpus the speed with each number of them."""
    counts = sorted({count for gains in names.values() for count in gains})
    head = f"{' / '.join(map(str, counts))} {what}: "
    for name, gains in names.items():
        yield head + f"{name} " + times([gains.get(count) for count in counts])
        head = ""


def shard_rows(results):
    base, rows, same = {}, {}, True
    for key, found in results.all("shards").items():
        name, count, *kind = key.split("-") if results.gpu else (*key.rsplit("-", 1),)
        base.setdefault(name, results.get(f"shards/{name}-1-same" if results.gpu else f"shards/{name}-1"))
        if int(count) > 1 and base[name]:
            same = same and found["topics_hash"] == base[name]["topics_hash"]
            what = {"same": "shards of one GPU", "own": "GPUs"}.get(kind[0] if kind else "", "MPI ranks of one thread")
            rows.setdefault(what, {}).setdefault(name, {})[int(count)] = found["rate"] / base[name]["rate"]
    text = "; ".join(part for what, names in rows.items() for part in shard_parts(what, names))
    return Found(text + ("; same bits" if same else "; **other bits**")) if rows else None


def part_sizes(results, name):
    shape = results.shape(name)
    return shape and 100 * (shape["parts"]["4"] - 1)


def look_ups(results, name):
    share = results.look_up_share(name)
    return None if share is None else 100 * share


def step_share(step):
    def make(results, name):
        steps = results.steps(name, "three")
        return steps and 100 * steps[step] / results.steps_total(name, "three")
    return make


def fewer_instructions(results, name):
    two, three = results.instructions(name, "two"), results.instructions(name, "three")
    return 100 * (1 - three / two) if two and three else None


def spread(results):
    value = results.rate_spread("NYTimes")
    return None if value is None else Found(f"NYTimes: {100 * value:.1f} % over {results.size.repeats} runs",
                                            [(1, 100 * value)])

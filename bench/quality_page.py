"""The table and the picture of bench/quality, from its results.

A page marks where they go by two comments, "<!-- quality: ... -->" and "<!-- end of quality -->"; what is between them is
written again. The picture lies beside the page. Nothing but Python is needed."""

import math
import re

from bench_tools import BenchError

NAMES = {("ezlda", "default"): "ezlda", ("MALLET", "best"): "MALLET,&nbsp;best", ("pyrmallet", "default"): "pyrmallet",
         ("pyrmallet", "best"): "best", ("tomotopy", "default"): "tomotopy", ("tomotopy", "best"): "best",
         ("gensim", "default"): "gensim", ("gensim", "best"): "best", ("scikit-learn", "default"): "scikit-learn",
         ("scikit-learn", "best"): "best"}
NEEDED = {("ezlda", "default"), ("pyrmallet", "best")}  # the closest rival: "first" means little without it
ORDER = ("M10", "BBC", "kos", "20news", "arxiv", "rnews")
# Column of the results, name, digits, and whether more is better.
MEASURES = (("perplexity", "perplexity", 0, False), ("npmi", "NPMI", 3, True), ("NMI", "NMI", 3, True),
            ("P1", "P1", 3, True), ("ARI", "ARI", 3, True))
MARKS = re.compile(r"(<!-- quality:[^>]*-->\n).*?(<!-- end of quality -->)", re.S)


def mean_and_error(values):
    """The standard error is None if there is one value only."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, None
    return mean, math.sqrt(sum((x - mean) ** 2 for x in values) / (len(values) - 1) / len(values))


def collect(rows):
    """{(corpus, topics): {run: rows}} of the cells that can be judged."""
    cells = {}
    for row in rows:
        if not row["corpus"].endswith("-whole"):
            runs = cells.setdefault((row["corpus"], row["topics"]), {})
            runs.setdefault((row["tool"], row["setting"]), []).append(row)
    return {cell: cells[cell] for cell in sorted(cells, key=lambda cell: (ORDER.index(cell[0]), cell[1]))
            if NEEDED <= cells[cell].keys()}


def measured(runs, measure):
    """{run: (mean, standard error, number of seeds)} of one measure in one cell."""
    found = {}
    for run, rows in runs.items():
        values = [row[measure] for row in rows if row.get(measure) is not None]
        if values:
            found[run] = (*mean_and_error(values), len(values))
    return found


def standing(found, more_is_better):
    """{run: "first", "within" (one standard error of the difference to the first), or ""}."""
    sign = -1 if more_is_better else 1
    first = min(found, key=lambda run: sign * found[run][0])

    def of(run):
        if run == first:
            return "first"
        (mean, error, _), (best, best_error, _) = found[run], found[first]
        if error is None or best_error is None:
            return ""
        return "within" if abs(mean - best) <= math.hypot(error, best_error) else ""
    return {run: of(run) for run in found}


def hours(seconds):
    return f"{seconds / 3600:.1f} h" if seconds >= 360 else f"{seconds / 60:.0f} min"


def cell_text(run, runs, found, stands, digits):
    if run not in found:
        late = [row["would_take"] for row in runs.get(run, []) if row.get("would_take")]
        return f"({hours(late[0])})" if late else ""
    mean, error, seeds = found[run]
    text = f"{mean:,.{digits}f}" + (f"±{error:.{digits}f}" if error is not None else "")
    text += f"/{seeds}" if seeds != 5 else ""
    return {"first": f"**{text}**", "within": f"*{text}*", "": text}[stands[run]]


def table(cells, order):
    """Without spaces at the bars: the page is read as rendered."""
    lines = ["|corpus|K|measure|" + "|".join(NAMES[run] for run in order) + "|", "|---" * (3 + len(order)) + "|"]
    counts = {}
    for (corpus, topics), runs in cells.items():
        for measure, name, digits, more in MEASURES:
            found = measured(runs, measure)
            if not NEEDED <= found.keys():
                continue
            stands = standing(found, more)
            ours = stands.get(("ezlda", "default"), "")
            counts.setdefault(name, []).append(ours)
            lines.append(f"|{corpus}|{topics}|{name}|" +
                         "|".join(cell_text(run, runs, found, stands, digits) for run in order) + "|")
    return "\n".join(lines), counts


def summary(counts):
    parts = [f"{name}: first in {stands.count('first')} of {len(stands)} rows, within one standard error in "
             f"{stands.count('within')}" for name, stands in counts.items()]
    return "ezlda, " + "; ".join(parts) + "."


# ---- the picture ----------------------------------------------------------------------------------------------------

COLOURS = {"ezlda": "#000000", "MALLET": "#d55e00", "pyrmallet": "#e69f00", "tomotopy": "#0072b2", "gensim": "#009e73",
           "scikit-learn": "#cc79a7"}
LEFT, TOP, WIDTH, STEP, LARGEST = 130, 60, 620, 22, 2.0


def text(x, y, words, anchor="start", size=12):
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="{anchor}">{words}</text>'


def dot(x, y, run):
    colour = COLOURS[run[0]]
    fill = colour if run[1] == "best" or run[0] == "ezlda" else "#ffffff"
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{fill}" stroke="{colour}" stroke-width="2"/>'


def picture(cells, order):
    """Perplexity over ezlda's, a row for each cell; what is above the largest ratio stands at the right edge."""
    rows = [(cell, measured(runs, "perplexity")) for cell, runs in cells.items()]
    rows = [(cell, found) for cell, found in rows if NEEDED <= found.keys()]
    least = min([0.95] + [found[run][0] / found["ezlda", "default"][0] for _, found in rows for run in found])
    place = lambda ratio: LEFT + WIDTH * math.log(min(ratio, LARGEST) / least) / math.log(LARGEST / least)
    bottom = TOP + STEP * len(rows)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 40}" height="{bottom + 40}" '
             'font-family="sans-serif">', '<rect width="100%" height="100%" fill="#ffffff"/>',
             "<title>Perplexity of held-out documents over that of ezlda</title>"]
    for i, (tool, _) in enumerate(dict.fromkeys((run[0], None) for run in order)):
        lines += [dot(30 + 125 * i, 20, (tool, "best")), text(42 + 125 * i, 24, tool)]
    lines.append(text(30, 44, "Perplexity over ezlda's, lower is better; hollow: with defaults, filled: at its best"))
    for ratio in (0.95, 1, 1.1, 1.25, 1.5, 2):
        x = place(ratio)
        lines += [f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{bottom}" stroke="#cccccc"/>',
                  text(x, bottom + 18, f"{ratio:g}" + (" and more" if ratio == LARGEST else ""), "middle")]
    for i, ((corpus, topics), found) in enumerate(rows):
        y = TOP + STEP * i + STEP / 2
        lines.append(text(LEFT - 14, y + 4, f"{corpus}, K = {topics}", "end"))
        ours = found["ezlda", "default"][0]
        lines += [dot(place(found[run][0] / ours), y, run) for run in reversed(order) if run in found]
    return "\n".join([*lines, "</svg>"]) + "\n"


def write(rows, page):
    cells = collect(rows)
    order = [run for run in NAMES if any(run in runs for runs in cells.values())]
    whole = page.read_text(encoding="utf-8")
    if not MARKS.search(whole):
        raise BenchError(f"{page}: expected the comments <!-- quality: ... --> and <!-- end of quality -->")
    made, counts = table(cells, order)
    page.write_text(MARKS.sub(lambda m: f"{m[1]}{made}\n\n{summary(counts)}\n{m[2]}", whole), encoding="utf-8")
    page.with_suffix(".svg").write_text(picture(cells, order), encoding="utf-8")

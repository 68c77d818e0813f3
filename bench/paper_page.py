"""bench/notes/paper.md: the claims in one table, then tables and plots."""

import shutil
import textwrap

from bench_tables import table
from paper_claims import bytes_of, dropping_rows, short
from paper_list import CLAIMS
from paper_plots import draw_all
from paper_results import PASSES, Results

TITLE = """\
# The paper, measured

Each claim of the paper *ezLDA: Efficient and Scalable LDA on GPUs* (Wang, Liu, Gaihre, Yu), and what this
implementation does. `bench/paper` measures it and writes this page and its plots:

    make paper PAPER_SIZE=small             # minutes on a CPU
    make paper PAPER_SIZE=full              # on a GPU, in the sizes of the paper's data sets
"""
FULL = "in the sizes of the paper's data sets"
SCALED = """in the shapes of the paper's data sets, but much smaller. K = {topics:,}, {many:,} and {most:,} replace the
paper's 1,000, 10,000 and 32,768, and {iterations} iterations its 100: a trial of the experiments, not of the figures"""
READING = """Corpora named NYTimes, PubMed and UMBC are drawn by `ezlda synth`, {sizes}. `--corpora FOLDER` adds real
ones; docword.nytimes.txt and docword.pubmed.txt replace those drawn. Figures are in the order NYTimes / PubMed / UMBC,
then other corpora by name. The last column says why ours differs from the paper's by more than ten points of a share or a
tenth of a ratio, or is on the wrong side of a bound; rnews is compared with NYTimes there and arxiv with PubMed, which are
of the same kind. *Less certain*: documents that are drawn from a model mix topics more than text does, and the fewer
tokens a corpus has, the less certain its tokens are at a given iteration; compare real text of similar size."""
HOW = """How: *log* is `ezlda train --log`, a mean over all iterations without start and scores; *short logs* have
{short} iterations. *The paper's setting* is ESCA from a random start with K = {topics:,}, three branches and g = 2,
which all logs have unless stated; *our defaults* are leave-one-out from the keyword start with many branches. *Watched* is `bench/paper_watch.c`: a run in the
paper's setting that stops at some iterations to examine the tokens of every n-th document. `paper_shape` examines only
the corpus; `paper_drop` is a trainer of its own. *Last iteration* is number {iterations}, *half-way* {half}."""


def filled(text):
    return textwrap.fill(text, 120, break_on_hyphens=False)


def where(results):
    s = results.setting
    device = s.get("gpu") or f"{s.get('processor')}, {s.get('processors_used')} processors"
    busy = s.get("load", 0) > s.get("processors_used", 1)
    return (f"Measured with ezlda {s.get('version')}, `--device {s.get('device')}`: {device}."
            + (f" Other programs ran (load average {s['load']:.0f}): do not quote times and speeds."
               if busy else ""))


def claim_row(claim, results):
    found = claim.ours(results)
    if found is None:
        why = next(filter(None, map(results.why_not, claim.experiments)), "not run")
        return [claim.place, claim.says, claim.paper, f"not measured: {why}", claim.how, ""]
    differs = claim.differs(results) if callable(claim.differs) else claim.differs
    near = all(claim.near(paper, ours) for paper, ours in found.pairs)
    return [claim.place, claim.says, claim.paper, found.text, claim.how, "" if near else differs]


def claims_table(results):
    return table(["in the paper", "claim", "the paper", "ours", "how", "why they differ"],
                 [[cell.replace("|", "/") for cell in claim_row(claim, results)] for claim in CLAIMS])


def corpora_table(results):
    rows = []
    for name in results.corpora:
        shape = results.shape(name)
        if shape:
            kind = "real" if shape["real"] else "drawn by `ezlda synth`"
            rows.append([name, kind, f"{shape['documents']:,}", f"{shape['words']:,}", f"{shape['tokens']:,}",
                         f"{shape['longest']:,}"])
    return table(["corpus", "", "documents", "words", "tokens", "longest"], rows)


def skipped_table(results):
    """Both estimators, by g, after the last iteration."""
    rows = []
    for name in results.corpora:
        for label, title in (("paper", "ESCA, random"), ("ours", "leave-one-out, keyword")):
            look = results.look(name, results.size.iterations, label)
            if look:
                rows.append([name, title, *(f"{100 * look['s_skipped'][g - 1]:.1f}" for g in (1, 2, 4, 8)),
                             f"{100 * look['final_skipped']:.1f}", f"{100 * look['many_branch'][7]:.1f}",
                             f"{100 * look['unchanged']:.1f}", f"{100 * look['max_topic']:.1f}"])
    return table(["corpus", "estimator, start", "S' skipped, g = 1", "2", "4", "8", "final skipped", "many branches",
                  "unchanged", "in the max topic"], rows)


def number(value):
    return "-" if value is None else short(value)


def speed_table(results):
    rows = [[name, *(number(results.rate(f"speed/{name}-{label}")) for label in ("two", "three", "many", "ours"))]
            for name in results.corpora]
    return table(["M tokens/s", "two branches", "three, g = 2", "many", "leave-one-out, keyword start"], rows)


def memory_table(results):
    size, rows = results.size, []
    for topics in (size.topics, size.many, size.most):
        shape = results.shape("PubMed", topics)
        if not shape:
            continue
        resident, limited = (results.get(f"memory/PubMed-K{topics}-{label}") for label in ("resident", "limited"))
        total = [bytes_of(found["memory_bytes"]) if found else "-" for found in (resident, limited)]
        rows.append([f"{topics:,}", *(bytes_of(shape[key]) for key in ("w_hybrid", "w_dense", "w_sparse", "d", "t")),
                     total[0], f"{total[1]} ({limited['chunks']})" if limited else "-"])
    return table(["K", "W hybrid", "W dense", "W sparse", "D", "T", "total, resident", "in the paper's total (chunks)"],
                 rows)


SWITCHES = {"layouts": ("hybrid", "dense", "sparse"), "balance": ("split", "dynamic", "none"), "pairs": ("packed", "loose")}


def switch_table(results):
    rows = []
    for name in results.corpora:
        for topics in (results.size.topics, results.size.many):
            rates = [results.rate(f"{experiment}/{name}-K{topics}-{label}")
                     for experiment, labels in SWITCHES.items() for label in labels]
            if any(rates):
                rows.append([name, f"{topics:,}", *map(number, rates)])
    return table(["M tokens/s", "K", *(label for labels in SWITCHES.values() for label in labels)], rows)


def steps_table(results):
    rows = []
    for name in results.corpora:
        for label in ("two", "three"):
            steps = results.steps(name, label)
            if steps:
                rows.append([name, label, *(f"{1e3 * steps[step]:.3g}" for step in PASSES),
                             f"{1e3 * results.steps_total(name, label):.3g}"])
    return table(["corpus", "branches", *(f"{step}, ms" for step in PASSES), "all"], rows)


SKIPPING = """Percent of the tokens after the last iteration. The paper's test can decide only the max topic; with many
branches any of the eight top topics can be decided. Leave-one-out, the default, does not let a token vote for its own
topic: its models are better on held-out documents, and fewer of its tokens are certain."""
STEPS = """On a GPU: the kernels of one iteration under Nsight Compute. On a CPU: the passes of a late iteration; there the
words pass counts W too, and "update", which is part of it, is the time of counting alone."""
DROPPING = """Dropped tokens freeze the counts; the others fit themselves to these, so LLPT climbs faster for a while. When the
dropped tokens are sampled again, all of them move at once, and the gain is lost. LLPT with / without dropping:"""


def dropping_table(results):
    rows, heads = [], []
    for name, before, values, share in dropping_rows(results):
        heads = [f"iteration {at}" for at, _, _ in values]
        rows.append([name, f"{share:.0%}", f"{before:.3f}", *(f"{a:.3f} / {b:.3f}" for _, a, b in values)])
    return table(["corpus", "dropped", "before", *heads], rows)


SECTIONS = [
    ("Corpora", corpora_table, ["tokens"], "The plot shows tokens of words by their rank."),
    ("Convergence heterogeneity", skipped_table, ["unchanged", "skipped"], SKIPPING),
    ("Speed and convergence", speed_table, ["convergence", "throughput", "large"],
     "All but the last column: ESCA from a random start, as in the paper. Means over all iterations."),
    ("Memory", memory_table, ["density"],
     "PubMed. W, D and T on a GPU that holds the whole corpus; the plot shows how full W and D are."),
    ("Hybrid W, balance, packed records", switch_table, ["switches"],
     "`--w-format` hybrid, dense, sparse; `--balance` split, dynamic, none; `--records` packed, loose."),
    ("Time by step", steps_table, ["steps"], STEPS),
    ("Naive dropping", dropping_table, ["dropping"], DROPPING),
]


def section(title, make, plots, text, results, drawn, folder):
    parts = [f"## {title}"]
    if text:
        parts.append(filled(text))
    if make:
        made = make(results)
        parts.append(made if made.count("\n") > 1 else "Not measured.")
    parts += [f"![{title}: {name}]({folder}/{name}.svg)" for name in plots if name in drawn]
    return parts


def write_page(store, size, page):
    results = Results(store, size)
    folder = page.with_suffix("")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    drawn = draw_all(results, folder)
    sizes = FULL if size.topics == 1000 else SCALED.format(topics=size.topics, many=size.many, most=size.most,
                                                           iterations=size.iterations)
    parts = [TITLE.rstrip(), filled(READING.format(sizes=sizes)),
             filled(HOW.format(short=size.short, topics=size.topics, iterations=size.iterations, half=size.half)),
             filled(where(results)), "## Claims",
             claims_table(results)]
    for title, make, plots, text in SECTIONS:
        parts += section(title, make, plots, text, results, drawn, folder.name)
    page.write_text("\n\n".join(parts) + "\n", encoding="utf-8")

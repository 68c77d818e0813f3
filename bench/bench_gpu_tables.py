"""The figures of the GPU benchmark as Markdown and JSON: the bars in one table, and what stands behind them."""

import json

from bench_tables import number, table
from bench_tools import median, say

# M tokens/s at K=1024, mean of 300 iterations on an H200: the bar, and what a sketch of the kernels for this K alone
# (the probe) and the public trainer CuLDA_CGS, which is like esca, reach there.
SPEED_BARS = {("rnews", "esca"): (8000, 5600, 1150), ("arxiv", "esca"): (15000, 12070, 1020),
              ("rnews", "leave-one-out"): (6500, 3900, 1150), ("arxiv", "leave-one-out"): (9000, 5060, 1020)}
WIDE_BAR = 1500
WHOLE_BAR = 0.6
MEMORY_BARS = {1000: 6.26e9, 10000: 7.58e9, 32768: 8.44e9}  # bytes, the ezLDA paper's table for PubMed
PAPER_RATES = {"NYTimes": 991, "PubMed": 945}  # the ezLDA paper, on a V100


class Report:
    """Figures by part, what was skipped and what failed; saved after every step."""

    def __init__(self, folder, setting, judged):
        self.folder, self.setting, self.judged = folder, setting, judged
        self.figures, self.skipped, self.failures = {}, [], []

    def put(self, part, label, row):
        """A row of a part; one with the same label gives way."""
        self.figures.setdefault(part, {})[label] = row

    def rows(self, *parts):
        return [row for part in parts for row in self.figures.get(part, {}).values()]

    def skip(self, text):
        if text not in self.skipped:
            self.skipped.append(text)
            say(f"skipped: {text}")

    def fail(self, what, why):
        self.failures.append((what, why))
        say(f"FAILED: {what}: {why}")

    def save(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        everything = {"setting": self.setting, "bars": bars(self), "figures": {p: self.rows(p) for p in self.figures},
                      "skipped": self.skipped, "failures": self.failures}
        for name, text in (("gpu.json", json.dumps(everything, indent=1) + "\n"), ("gpu.md", markdown(self))):
            (self.folder / name).write_text(text, encoding="utf-8")


def bar(name, measured, asked="-", met=None, beside=""):
    return {"bar": name, "measured": measured, "asked": asked, "met": met, "beside": beside}


def hash_bars(rows):
    if not rows:
        return
    runs, equal = sum(row["runs"] for row in rows), sum(row["equal"] for row in rows)
    corpora = ", ".join(dict.fromkeys(row["corpus"] for row in rows))
    topics = ", ".join(f"{count:,}" for count in sorted({row["topics"] for row in rows}))
    yield bar(f"topics hash as by {rows[0]['judge']}", f"{equal} of {runs} runs", "all",
              equal == runs and all(row["topics_hash"] for row in rows), f"{corpora}; K = {topics}")


def rates(values):
    several = f" ({min(values):,.0f} to {max(values):,.0f})" if len(values) > 1 else ""
    return f"{median(values):,.0f}{several}"


def speed_bars(rows):
    for row in rows:
        asked, probe, public = SPEED_BARS.get((row["corpus"], row["estimator"]), (None, None, None))
        yield bar(f"{row['corpus']}, K={row['topics']}, {row['estimator']}: M tokens/s", rates(row["rates"]),
                  f"at least {asked:,}" if asked else "-", row["rate"] >= asked if asked else None,
                  f"probe {probe:,}, CuLDA_CGS {public:,} ({row['rate'] / public:.1f} times)" if asked else "")


def wide_bars(rows):
    for row in rows:
        name = f"{row['corpus']}, K={row['topics']:,}, {row['estimator']}: M tokens/s after {row['after']} iterations"
        yield bar(name, number(row["rate_after"], 0), f"at least {WIDE_BAR:,}", row["rate_after"] >= WIDE_BAR)


def synth_bars(rows):
    for row in rows:
        paper = PAPER_RATES.get(row["corpus"])
        yield bar(f"{row['corpus']} size ({row['tokens'] / 1e6:,.0f} M tokens), K={row['topics']:,}, "
                  f"{row['estimator']}: M tokens/s", number(row["rate"], 0), "trains", True,
                  f"the paper on a V100 {paper}" if paper else "")


def gigabytes(value, unknown="unknown"):
    return unknown if value is None else f"{value / 1e9:.2f} GB"


def memory_bars(rows):
    """The least of the runs at a K counts; the first is the one with the default options."""
    for topics in dict.fromkeys(row["topics"] for row in rows):
        here = [row for row in rows if row["topics"] == topics]
        known = [row["memory_bytes"] for row in here if row["memory_bytes"] is not None]
        asked = MEMORY_BARS[topics]
        beside = "; ".join(f"{row['options'] or 'default'} {gigabytes(row['memory_bytes'])}" for row in here)
        yield bar(f"PubMed size, K={topics:,}: device memory", gigabytes(min(known, default=None)),
                  f"at most {gigabytes(asked)}", min(known) <= asked if known else None, beside)


def whole_bars(rows):
    for row in (row for row in rows if row["scores"] == "default scores"):
        yield bar(f"{row['corpus']}, corpus file to model, {row['iterations']} iterations: share of sampling",
                  f"{row['share']:.0%} of {row['wall_seconds']:.2f} s", f"at least {WHOLE_BAR:.0%}",
                  row["share"] >= WHOLE_BAR,
                  f"with the start {row['sampling_seconds'] / row['wall_seconds']:.0%}")


BARS = {"hashes": hash_bars, "speed": speed_bars, "wide": wide_bars, "synth": synth_bars, "memory": memory_bars,
        "whole": whole_bars}


def bars(report):
    """All bars that were measured; a quick run, or one on another device, meets or misses none but the hashes. Runs
    that failed stand below them."""
    found = [(part, entry) for part, make in BARS.items() for entry in make(report.rows(part))]
    whole = not any(text.startswith("hashes: ") for text in report.skipped)
    judged = [entry | {"met": entry["met"] if (whole if part == "hashes" else report.judged) else None}
              for part, entry in found]
    return judged + [bar(what, "failed", met=False) for what, _ in report.failures
                     if not what.startswith(("hashes: ", "switches: "))]


def common(row):
    return [row["corpus"], f"{row['topics']:,}", row["estimator"]]


COMMON = ["corpus", "K", "estimator"]


def speed_table(rows):
    head = [*COMMON, "iterations", "M tokens/s", "last tenth", "with start", "start s", "in iterations", "skipped",
            "wall s", "device memory"]
    return table(head, [[*common(row), str(row["iterations"]), number(row["rate"], 0), number(row["late_rate"], 0),
                         number(row["rate_with_start"], 0), number(row["start_seconds"], 4),
                         number(row["start_seconds"] / row["iteration_seconds"], 1), f"{row['skipped']:.1%}",
                         number(row["wall_seconds"], 2), gigabytes(row["memory_bytes"])] for row in rows])


def llpt_table(rows):
    return table([*COMMON, "LLPT after seconds of sampling"],
                 [[*common(row), ", ".join(f"{llpt:.3f} ({seconds:.2f})" for _, seconds, llpt in row["llpt"])]
                  for row in rows])


def memory_table(rows):
    return table([*COMMON, "options", "chunks", "device memory", "host memory", "M tokens/s"],
                 [[*common(row), row["options"] or "default", str(row["chunks"] or "-"), gigabytes(row["memory_bytes"]),
                   gigabytes(row["host_memory_bytes"]), number(row["rate"], 0)] for row in rows])


def infer_table(rows):
    steps = list(dict.fromkeys(step for row in rows for step in row["steps"]))
    return table(["corpus", "estimator", "scores", "wall s", "start s", "iterations s", "share",
                  *(f"{step} s" for step in steps)],
                 [[row["corpus"], row["estimator"], row["scores"], number(row["wall_seconds"], 3),
                   number(row["start_seconds"], 3), number(row["iteration_seconds"] * row["iterations"], 3),
                   f"{row['share']:.0%}", *(number(row["steps"].get(step), 3) for step in steps)] for row in rows])


def switch_table(rows):
    keys = list(dict.fromkeys((row["corpus"], row["estimator"]) for row in rows))
    cells = {(row["switch"], row["corpus"], row["estimator"]): row for row in rows}

    def cell(switch, key):
        row = cells.get((switch, *key))
        return f"{row['rate']:,.0f} ({number(row['ratio'], 2)})" if row else "-"
    return table(["switch", *(f"{corpus}, {estimator}" for corpus, estimator in keys)],
                 [[switch, *(cell(switch, key) for key in keys)] for switch in dict.fromkeys(c[0] for c in cells)])


DETAILS = [("Speed and start (rates in M tokens/s, without scores)", ("speed", "wide"), speed_table),
           ("Synthetic corpora of the paper's sizes", ("synth",), speed_table),
           ("LLPT against time", ("synth",), llpt_table), ("Device memory", ("memory",), memory_table),
           ("Start to finish", ("whole",), infer_table),
           ("Switches: M tokens/s (times the default's)", ("switches",), switch_table)]


def markdown(report):
    met = {True: "yes", False: "**no**", None: "-"}
    setting = report.setting
    parts = ["# Bars",
             f"{setting['gpu'] or 'no GPU'}, --device {setting['device']}; {setting['processor']}, "
             f"{setting['processors_used']} processors; ezlda {setting['version']}. Several runs: median (least to "
             "most).",
             table(["bar", "measured", "asked", "met", "beside"],
                   [[entry["bar"], entry["measured"], entry["asked"], met[entry["met"]], entry["beside"]]
                    for entry in bars(report)])]
    for title, names, make in DETAILS:
        if report.rows(*names):
            parts += [f"## {title}", make(report.rows(*names))]
    failed = [f"{what}: {why}" for what, why in report.failures]
    for title, lines in (("Skipped", report.skipped), ("Failed", failed)):
        if lines:
            parts += [f"## {title}", "\n".join(f"- {line}" for line in lines)]
    return "\n\n".join(parts) + "\n"

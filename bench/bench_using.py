"""The two parts of bench/using: how fast the topics of new documents are found, and how good models are with fixed
and with fitted priors. bench/README.md says what is compared."""

import json
import shutil
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from pathlib import Path

from bench_tables import number, spread, table
from bench_tools import HERE, BenchError, median, run, say

# tomotopy's ways to infer: (name, scheme, together, share of the documents). By itself, its default, each document
# costs so much that a sample has to do; together is much faster, but there documents influence each other.
TOMOTOPY_WAYS = (("together", "PARTITION", 1, 1), ("each by itself", "COPY_MERGE", 0, 0.005))


class TomotopyInference:
    def __init__(self, corpus, settings, python, iterations):
        self.corpus, self.settings, self.python, self.iterations = corpus, settings, python, iterations
        self.model = corpus.folder / f"tomotopy.{settings.topics}.{iterations}.model"

    def script(self, *arguments):
        return run([self.python, "-W", "ignore", HERE / "tomotopy_infer.py", *arguments])

    def train(self):
        s = self.settings
        if not self.model.exists():
            self.script("train", self.corpus.folder / "train.txt", self.model, s.topics, s.alpha, s.beta, s.threads,
                        s.seed, self.iterations)

    def infer(self, iterations, scheme, together, docs):
        done = self.script("infer", self.model, self.corpus.folder / "held.txt", self.settings.threads, iterations,
                           scheme, together, docs)
        return json.loads(done.lines[-1])


def infer(turns, ezlda, tomotopy, iterations, train_iterations, rounds, keep):
    """Documents a second on the held-out half, in turns, and ezlda's training of that half beside its inference. Rounds
    are added to turns; keep is called after each."""
    say(f"models of one half, {train_iterations} iterations")
    ezlda.train(train_iterations)
    held = ezlda.pack("held")
    if tomotopy:
        tomotopy.train()
    for turn in range(rounds):
        say(f"inference of the other half, round {turn + 1} of {rounds}")
        mine = ezlda.infer("held", iterations)
        trained = ezlda.train(iterations, packed=held, model=ezlda.corpus.folder / "held.ezm")
        row = {"docs": mine.docs, "command_seconds": mine.seconds, "command_cpu_seconds": mine.cpu_seconds,
               "sampling_seconds": mine.sampling_seconds, "training_seconds": trained.seconds[-1],
               "training_cpu_seconds": trained.cpu_seconds}
        for name, scheme, together, share in TOMOTOPY_WAYS if tomotopy else []:
            row[name] = tomotopy.infer(iterations, scheme, together, int(mine.docs * share))
        turns.append(row)
        keep()


def train_ezlda(ezlda, estimator, iterations):
    done = ezlda.train(iterations, estimator)
    row = {"perplexity": ezlda.perplexity(), "gibbs": ezlda.perplexity("gibbs"), "cpu_seconds": done.cpu_seconds}
    row["alpha_sum"], row["beta"] = ezlda.priors()
    row["eval"] = ezlda.completion("held")
    return row


def train_rival(rival, iterations):
    settings, done = rival.settings, rival.train_points([iterations], False)
    alpha_sum, beta = done.priors or (settings.alpha_sum, settings.beta)
    counts, alpha = done.scored
    return {"perplexity": done.perplexity, "gibbs": rival.corpus.perplexity(counts, settings, "gibbs", alpha),
            "alpha_sum": alpha_sum, "beta": beta, "cpu_seconds": done.cpu_seconds}


@contextmanager
def own_folder(corpus):
    """The corpus in a folder for one training's files, which goes afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="row.", dir=corpus.folder))
    try:
        for name in ("train.txt", "observed.uci", "scored.uci", "held.ezc"):
            (folder / name).symlink_to((corpus.folder / name).resolve())
        yield replace(corpus, folder=folder)
    finally:
        shutil.rmtree(folder)


def train(tool, name, settings, iterations):
    """A row of one tool; others may be trained at the same time."""
    with own_folder(tool.corpus) as corpus:
        own = copy(tool)
        own.corpus, own.settings = corpus, settings
        if name.startswith("ezlda"):
            return train_ezlda(own, "esca" if name.endswith("esca") else "leave-one-out", iterations)
        return train_rival(own, iterations)


def missing(rows, ezlda, rivals, settings, plan):
    """What priors has to train: (key of the row, the tool, its settings).

    plan: iterations, tools, number of seeds and the most of some tools, interval and burn-in of the fit."""
    corpus = ezlda.corpus
    named = [("ezlda", ezlda), ("ezlda-esca", ezlda)] + [(rival.name, rival) for rival in rivals]
    for seed in range(1, plan["seeds"] + 1):
        for fitted in (False, True):
            now = replace(settings, seed=seed, optimize_interval=plan["interval"] if fitted else 0,
                          optimize_burn_in=plan["burn_in"] if fitted else 0)
            for name, tool in named:
                key = {"corpus": corpus.name, "docs": corpus.docs, "topics": settings.topics, "fitted": fitted,
                       "tool": name, "seed": seed, "iterations": plan["iterations"]}
                done = any(key.items() <= row.items() for row in rows)
                if not done and name in plan["tools"] and seed <= plan["most"].get(name, seed):
                    yield key, tool, now


def priors(rows, todo, jobs, keep):
    """Perplexity of tools with priors as given and fitted: the rows that are missing, `jobs` at a time, in their
    order. keep is called after each."""
    lock = threading.Lock()

    def go(key, tool, settings):
        text = f"{key['tool']}, K = {key['topics']}, {'fitted' if key['fitted'] else 'fixed'}, seed {key['seed']}"
        try:
            row = {**key, **train(tool, key["tool"], settings, key["iterations"])}
        except BenchError as error:
            say(f"{text} skipped: {error}")
            return
        with lock:
            rows.append(row)
            say(f"{text}: {row['perplexity']:.1f}")
            keep()

    with ThreadPoolExecutor(jobs) as pool:
        for done in [pool.submit(go, *task) for task in todo]:
            done.result()


def infer_table(turns):
    lines = [["ezlda, whole command", spread([t["docs"] / t["command_seconds"] for t in turns], 0), "1", "1"],
             ["ezlda, sampling", spread([t["docs"] / t["sampling_seconds"] for t in turns], 0), "-", "-"]]
    for name, *_ in TOMOTOPY_WAYS:
        if name in turns[0]:
            theirs = [t[name] for t in turns]
            ratios = [t["docs"] / t["command_seconds"] / (r["docs"] / r["seconds"]) for t, r in zip(turns, theirs)]
            by_cpu = [t["docs"] / t["command_cpu_seconds"] / (r["docs"] / r["cpu_seconds"])
                      for t, r in zip(turns, theirs)]
            lines.append([f"tomotopy, {name} ({theirs[0]['docs']:,} documents)",
                          spread([r["docs"] / r["seconds"] for r in theirs], 1), spread(ratios, 1), spread(by_cpu, 1)])
    ratio = spread([t["training_seconds"] / t["sampling_seconds"] for t in turns])
    by_cpu = spread([t["training_cpu_seconds"] / t["command_cpu_seconds"] for t in turns])
    return (table(["tool", "documents a second", "ezlda's command over it", "by processor seconds"], lines) +
            f"\n\nSpeed of ezlda's inference over that of its training on the same documents: {ratio} (sampling by the "
            f"clock), {by_cpu} (whole commands, processor seconds).")


def mean_and_spread(values, digits=1):
    if len(values) == 1:
        return number(values[0], digits)
    mean = sum(values) / len(values)
    deviation = (sum((x - mean) ** 2 for x in values) / (len(values) - 1)) ** 0.5
    return f"{mean:,.{digits}f} ± {deviation:.{digits}f}"


def priors_table(rows):
    head = ["corpus", "K", "priors", "tool", "seeds", "perplexity", "least to most", "by Gibbs", "ezlda eval",
            "sum of alpha", "beta"]
    groups = {}
    for row in rows:
        name = f"{row['corpus']}, {row['docs']:,} documents"
        groups.setdefault((name, row["topics"], row["fitted"], row["tool"]), []).append(row)
    lines = []
    for (name, topics, fitted, tool), group in sorted(groups.items()):
        values = [row["perplexity"] for row in group]
        sampled = [row["gibbs"] for row in group if row.get("gibbs")]
        scored = [row["eval"]["perplexity"] for row in group if row.get("eval")]
        lines.append([name, str(topics), "fitted" if fitted else "fixed", tool, str(len(group)),
                      mean_and_spread(values), f"{min(values):,.1f} to {max(values):,.1f}",
                      mean_and_spread(sampled) if sampled else "-", mean_and_spread(scored) if scored else "-",
                      number(median([row["alpha_sum"] for row in group]), 2),
                      number(median([row["beta"] for row in group]), 4)])
    return table(head, lines)


def markdown(results):
    parts = ["## Using a model"]
    for name, turns in results["infer"].items():
        parts += [f"Inference, {name}:", infer_table(turns)]
    if results["priors"]:
        parts += ["Document completion; perplexity: mean ± standard deviation over the seeds, priors: medians:",
                  priors_table(results["priors"])]
    return "\n\n".join(parts) + "\n"

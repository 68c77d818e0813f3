"""The parts of the GPU benchmark that take times: each gives its figures to the report, row by row."""

from bench_tools import median

# Documents, words, mean length and iterations; the sizes of the ezLDA paper's corpora.
PAPER_SIZES = {"NYTimes": (299_752, 101_636, 333.6, 100), "PubMed": (8_200_000, 141_043, 90, 60),
               "UMBC": (40_000_000, 200_000, 33.25, 20)}
SYNTH_TOPICS = {"NYTimes": (1000,), "PubMed": (1000,), "UMBC": (1000, 32768)}
MEMORY_TOPICS = (1000, 10000, 32768)


def figures(corpus, topics, estimator, runs):
    """What every row says about its runs; rates in M tokens per second, medians if there are several runs."""
    last, late = runs[-1], max(len(runs[-1].seconds) // 10, 1)
    return {"corpus": corpus, "topics": topics, "estimator": estimator, "iterations": len(last.seconds),
            "tokens": last.summary["tokens"], "rates": [run.rate() for run in runs],
            "rate": median([run.rate() for run in runs]), "late_rate": median([run.rate(-late) for run in runs]),
            "rate_with_start": median([run.rate_with_start() for run in runs]),
            "start_seconds": median([run.start_seconds for run in runs]),
            "iteration_seconds": median([sum(run.seconds) / len(run.seconds) for run in runs]),
            "sampling_seconds": median([run.summary["seconds_sampling"] for run in runs]),
            "wall_seconds": median([run.wall_seconds for run in runs]), "skipped": last.summary["skipped"],
            "memory_bytes": last.summary.get("device_memory_peak_bytes") or None,
            "host_memory_bytes": last.summary.get("peak_rss_bytes"), "chunks": last.summary.get("chunks"),
            "llpt": last.scores(), "topics_hash": last.summary["topics_hash"]}


def in_turns(bench, part, cases, repeats, row):
    """Runs the cases, label and what to call, in turns; after each run, row makes a row of those so far."""
    runs = {label: [] for label, _ in cases}
    for turn in range(repeats):
        for label, call in cases:
            if len(runs[label]) < turn:
                continue
            with bench.attempt(f"{part}: {' '.join(map(str, label))}") as wanted:
                if wanted:
                    runs[label].append(call())
                    bench.report.put(part, label, row(label, runs[label]))


def by_estimator(bench, corpora, topics, iterations):
    """Cases: each corpus with each estimator."""
    def case(corpus, estimator):
        return lambda: bench.train(corpus, topics, iterations, "--estimator", estimator)
    return [((name, f"K={topics}", estimator), case(corpus, estimator))
            for name, corpus in corpora for estimator in bench.args.estimators]


def found_corpora(bench, names):
    return [(name, corpus) for name in names if (corpus := bench.corpus(name))]


def speed(bench):
    cases = by_estimator(bench, found_corpora(bench, bench.args.big), 1024, 10 if bench.args.quick else 300)
    in_turns(bench, "speed", cases, bench.args.repeats,
             lambda label, runs: figures(label[0], 1024, label[2], runs))


def wide(bench):
    """Many topics; the rate after 100 iterations."""
    skip, iterations, topics = (10, 12, 2048) if bench.args.quick else (100, 120, 32768)
    cases = by_estimator(bench, found_corpora(bench, bench.args.big[:1]), topics, iterations)

    def row(label, runs):
        return figures(label[0], topics, label[2], runs) | {"after": skip, "rate_after": runs[0].rate(skip)}
    in_turns(bench, "wide", cases, 1, row)


def paper_corpus(bench, name):
    docs, words, length, _ = PAPER_SIZES[name]
    return bench.synth(name, docs // (4000 if bench.args.quick else 1), words, length, "--topics", 500)


def synth(bench):
    for name, (*_, iterations) in PAPER_SIZES.items():
        if name not in bench.args.synth:
            continue
        iterations = 5 if bench.args.quick else bench.args.synth[name] or iterations
        for topics in SYNTH_TOPICS[name]:
            for estimator in bench.args.estimators:
                with bench.attempt(f"synth: {name} K={topics} {estimator}") as wanted:
                    if wanted:
                        run = bench.train(paper_corpus(bench, name), topics, iterations, "--estimator", estimator,
                                          eval_every=max(iterations // 5, 1))
                        bench.report.put("synth", (name, topics, estimator), figures(name, topics, estimator, [run]))


def memory(bench):
    """The default, and with the options of --chunked beside it."""
    for topics in MEMORY_TOPICS:
        for options in [[]] + ([bench.args.chunked] if bench.args.chunked else []):
            with bench.attempt(f"memory: PubMed K={topics} {' '.join(options)}".rstrip()) as wanted:
                if wanted:
                    run = bench.train(paper_corpus(bench, "PubMed"), topics, 3, *options)
                    row = figures("PubMed", topics, run.summary["estimator"], [run])
                    bench.report.put("memory", (topics, *options), row | {"options": " ".join(options)})


def breakdown(summary):
    """Seconds of the steps, if the summary has them."""
    steps = summary.get("seconds") if isinstance(summary.get("seconds"), dict) else {}
    return steps | {key.removeprefix("seconds_"): value for key, value in summary.items()
                    if key.startswith("seconds_") and key != "seconds_sampling"}


def whole(bench):
    """From the corpus file to the model on disk: as anybody would call it, and scored at the end only."""
    name, iterations = bench.args.big[-1], 10 if bench.args.quick else 300
    corpus = bench.corpus(name)
    if not corpus:
        return
    cases = [((name, scores), lambda every=every: bench.train(corpus, 1024, iterations, eval_every=every))
             for scores, every in (("default scores", None), ("scored at the end", 0))]

    def row(label, runs):
        shares = [sum(run.seconds) / run.wall_seconds for run in runs]
        return figures(name, 1024, runs[-1].summary["estimator"], runs) | {
            "scores": label[1], "shares": shares, "share": median(shares), "steps": breakdown(runs[-1].summary)}
    in_turns(bench, "whole", cases, bench.args.repeats, row)


def switches(bench):
    """Each value of each switch against the default, run in the same minute."""
    iterations, default = 5 if bench.args.quick else 60, {}

    def row(label, runs):
        name, estimator, switch = label
        found = figures(name, 1024, estimator, runs) | {"switch": switch}
        default.setdefault((name, estimator), found["rate"] if switch == "default" else None)
        base = default[name, estimator]
        return found | {"ratio": found["rate"] / base if base else None}
    for name, corpus in found_corpora(bench, bench.args.big):
        for estimator in bench.args.estimators:
            def case(*options, corpus=corpus, estimator=estimator):
                return lambda: bench.train(corpus, 1024, iterations, "--estimator", estimator, *options)
            cases = [((name, estimator, "default"), case())]
            cases += [((name, estimator, f"{option} {value}"), case(option, value))
                      for option, values in bench.switches.items() for value in values[1:]]
            in_turns(bench, "switches", cases, 1, row)

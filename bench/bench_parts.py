"""The three parts of the benchmark. Tools of one comparison take turns, round by round, so that whatever else the
machine does hits all of them. Times are medians over the rounds, ratios medians of the rounds' ratios; beside them
stand quiet seconds, each iteration at its fastest."""

from bench_tools import median, quiet_seconds, say

MOST_ITERATIONS = 800
LLPT_TOKENS = 10_000_000  # above this, states of the slower tools are not turned into LLPT


STARTS = ("random", "keyword")


def stays_at_least(values, target):
    """Number (from 1) of the value from which on none is below target; None if the last one is."""
    below = [i + 1 for i, value in enumerate(values) if value < target]
    first = below[-1] + 1 if below else 1
    return first if first <= len(values) else None


def esca_curve(ezlda, start, target, iterations):
    """LLPT of every iteration, up to a number of iterations that reaches target."""
    while True:
        training = ezlda.train(iterations, "esca", start, eval_every=1)
        if stays_at_least(training.llpt, target) or iterations >= MOST_ITERATIONS:
            return training.llpt
        iterations *= 2


def race_row(rival, measure, iterations, values, their_runs, needed, our_runs):
    """Their seconds for all their iterations, ours for the needed ones; the target is their first run's value."""
    theirs = [seconds[-1] for seconds in their_runs]
    row = {"rival": rival, "measure": measure, "rival_iterations": iterations, "target": values[0],
           "rival_values": values, "rival_seconds": theirs, "rival_quiet_seconds": quiet_seconds(their_runs),
           "iterations": needed, "seconds": [], "quiet_seconds": None, "ratio": None, "quiet_ratio": None}
    if needed:
        row["seconds"] = [seconds[needed - 1] for seconds in our_runs]
        row["ratio"] = median([a / b for a, b in zip(row["seconds"], theirs)])
        row["quiet_seconds"] = quiet_seconds(our_runs, needed)
        row["quiet_ratio"] = row["quiet_seconds"] / row["rival_quiet_seconds"]
    return row


def against_warplda(ezlda, warplda, points, rounds):
    """Seconds until the LLPT that WarpLDA has after each number of iterations in points, --estimator esca, from either start."""
    say("WarpLDA: LLPT after " + ", ".join(map(str, points)))
    rival = [[warplda.train(n) for n in points]]
    targets = [run.llpt for run in rival[0]]
    curve = {start: esca_curve(ezlda, start, max(targets), 50) for start in STARTS}
    needed = {start: [stays_at_least(curve[start], target) for target in targets] for start in STARTS}
    ours = {start: [] for start in STARTS}
    for turn in range(rounds):
        say(f"round {turn + 1} of {rounds}")
        for start in STARTS:
            ours[start].append(ezlda.train(len(curve[start]), "esca", start).seconds)
        if turn:
            rival.append([warplda.train(n) for n in points])
    rows, curves = [], []
    for start in STARTS:
        for i, n in enumerate(points):
            rows.append(race_row("WarpLDA", "llpt", n, [turn[i].llpt for turn in rival],
                                 [turn[i].seconds for turn in rival], needed[start][i], ours[start]))
            rows[-1].update(estimator="esca", start=start)
        curves += [[f"ezlda esca {start}", "llpt", i + 1, ours[start][0][i], value]
                   for i, value in enumerate(curve[start])]
    curves += [["WarpLDA", "llpt", n, rival[0][i].seconds[-1], rival[0][i].llpt] for i, n in enumerate(points)]
    return rows, curves


class HeldOut:
    """Perplexity of ezlda after n iterations; the same n gives the same model, so each is trained once."""

    def __init__(self, ezlda, estimator, start):
        self.ezlda, self.estimator, self.start = ezlda, estimator, start
        self.known, self.timed = {}, []

    def at(self, n):
        if n not in self.known:
            training = self.ezlda.train(n, self.estimator, self.start)
            self.known[n] = (self.ezlda.perplexity(), training.llpt[-1])
            say(f"ezlda {self.estimator} {self.start} after {n} iterations: perplexity {self.known[n][0]:.1f}")
        return self.known[n][0]

    def reaches(self, target, grid):
        """The fewest iterations with at most the target's perplexity, which falls with the iterations."""
        below = 0
        for n in grid:
            if self.at(n) <= target:
                break
            below = n
        else:
            return None
        while n - below > 1:
            middle = (n + below) // 2
            if self.at(middle) <= target:
                n = middle
            else:
                below = middle
        return n

    def time(self):
        self.timed.append(self.ezlda.train(max(self.known), self.estimator, self.start).seconds)

    def curves(self):
        for n, values in sorted(self.known.items()):
            seconds = median([run[n - 1] for run in self.timed])
            for measure, value in zip(("perplexity", "llpt"), values):
                yield [f"ezlda {self.estimator} {self.start}", measure, n, seconds, value]


def against_held_out(ezlda, rivals, estimator, points, grid, rounds):
    """Seconds until the held-out perplexity that the rivals have after the last point's iterations, either start."""
    ours = [HeldOut(ezlda, estimator, start) for start in STARTS]
    with_llpt = ezlda.corpus.tokens <= LLPT_TOKENS
    theirs, curves, needed = {rival.name: [] for rival in rivals}, [], {}
    for rival in rivals:
        say(f"{rival.name}: perplexity after " + ", ".join(map(str, points)))
        theirs[rival.name].append(rival.train_points(points, with_llpt))
        for n, seconds, llpt, perplexity in theirs[rival.name][0].points:
            curves += [[rival.name, "perplexity", n, seconds, perplexity], [rival.name, "llpt", n, seconds, llpt]]
        for mine in ours:
            needed[rival.name, mine.start] = mine.reaches(theirs[rival.name][0].perplexity, grid)
    for turn in range(rounds):
        say(f"round {turn + 1} of {rounds}")
        for mine in ours:
            mine.time()
        for rival in rivals if turn else []:
            theirs[rival.name].append(rival.train_points(points[-1:], False))
    rows = []
    for name, runs in theirs.items():
        for mine in ours:
            rows.append(race_row(name, "perplexity", points[-1], [run.perplexity for run in runs],
                                 [run.seconds for run in runs], needed[name, mine.start], mine.timed))
            rows[-1].update(estimator=estimator, start=mine.start)
    return rows, curves + [row for mine in ours for row in mine.curves()]


def speed(training, tokens, first, last):
    """Tokens a second over iterations first to last, counted from 1."""
    before = training.seconds[first - 2] if first > 1 else 0.0
    return (last - first + 1) * tokens / (training.seconds[last - 1] - before)


def scaling(ezlda, iterations, rounds):
    """How time grows with threads and topics, and what memory is used, for both estimators."""
    threads, topics, tokens = ezlda.settings.threads, ezlda.settings.topics, ezlda.corpus.tokens
    rows = []
    for estimator in ("leave-one-out", "esca"):
        turns = []
        for turn in range(rounds):
            say(f"scaling, {estimator}: round {turn + 1} of {rounds}")
            turns.append((ezlda.train(iterations, estimator), ezlda.train(iterations, estimator, threads=1),
                          ezlda.train(iterations, estimator, topics=2 * topics)))
        all_threads, one, twice = zip(*turns)
        w_bytes = ezlda.corpus.words * topics * 4
        rows.append({
            "estimator": estimator, "iterations": iterations, "threads": threads, "topics": topics,
            "seconds": median([run.seconds[-1] for run in all_threads]),
            "quiet_seconds": [quiet_seconds([run.seconds for run in runs]) for runs in (all_threads, one, twice)],
            "threads_speedup": median([b.seconds[-1] / a.seconds[-1] for a, b in zip(all_threads, one)]),
            "double_topics_ratio": median([b.seconds[-1] / a.seconds[-1] for a, b in zip(all_threads, twice)]),
            "early_tokens_per_second": median([speed(run, tokens, 1, 5) for run in all_threads]),
            "late_tokens_per_second": median([speed(run, tokens, iterations - 4, iterations) for run in all_threads]),
            "peak_rss_bytes": max(run.peak_rss_bytes for run in all_threads),
            "rss_per_token": max(run.peak_rss_bytes for run in all_threads) / tokens,
            "rss_per_token_without_w": (max(run.peak_rss_bytes for run in all_threads) - w_bytes) / tokens,
        })
    return rows

"""The plots, as SVG. Each function draws one, or says by None that it has nothing to draw."""

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

from paper_results import PASSES  # noqa: E402

# The same results give the same file.
matplotlib.rcParams.update({"svg.hashsalt": "ezlda", "svg.fonttype": "none", "font.size": 9, "axes.grid": True,
                            "axes.axisbelow": True,
                            "grid.alpha": 0.3, "legend.fontsize": 8, "legend.frameon": False, "axes.spines.top": False,
                            "axes.spines.right": False})
COLORS = plt.rcParams["axes.prop_cycle"].by_key()["color"]


def panels(titles, width=3.3, height=2.6):
    figure, axes = plt.subplots(1, len(titles), figsize=(width * len(titles), height), squeeze=False)
    for axis, title in zip(axes[0], titles):
        axis.set_title(title)
    return figure, axes[0]


def unchanged(results):
    names = [name for name in results.corpora if results.looks(name)]
    if not names:
        return None
    figure, axes = panels(["unchanged topic", "in the word's max topic"], width=4)
    for axis, key in zip(axes, ("unchanged", "max_topic")):
        for name in names:
            looks = results.looks(name)
            axis.plot([look["iteration"] for look in looks], [100 * look[key] for look in looks], marker=".",
                      label=name)
        axis.set(xlabel="iteration", ylabel="% of the tokens", ylim=(0, 100))
    axes[0].legend()
    return figure


def skipped(results):
    names = [name for name in results.corpora if results.looks(name)]
    if not names:
        return None
    figure, axes = panels(names)
    for axis, name in zip(axes, names):
        looks = results.looks(name)
        at = [look["iteration"] for look in looks]
        for g in (1, 2, 4, 8):
            axis.plot(at, [100 * look["s_skipped"][g - 1] for look in looks], label=f"S' skipped, g = {g}")
        axis.plot(at, [100 * look["final_skipped"] for look in looks], "k--", label="final skipped")
        axis.plot(at, [100 * look["many_branch"][7] for look in looks], "k:", label="many branches")
        axis.set(xlabel="iteration", ylim=(0, 100))
    axes[0].set_ylabel("% of the tokens")
    axes[0].legend()
    return figure


LABELS = {"two": "two branches", "three": "three branches", "many": "many branches", "ours": "leave-one-out, keyword"}


def run_curves(results, x_label, points):
    """A panel for each corpus, a line for each sampler: its x and y by points."""
    names = [name for name in results.corpora if results.get(f"speed/{name}-two")]
    if not names:
        return None, None
    figure, axes = panels(names)
    for axis, name in zip(axes, names):
        for label, title in LABELS.items():
            found = results.get(f"speed/{name}-{label}")
            if found:
                axis.plot(*zip(*points(found)), label=title)
        axis.set_xlabel(x_label)
    axes[0].legend()
    return figure, axes


def convergence(results):
    figure, axes = run_curves(results, "seconds of sampling", lambda found: [entry[1:] for entry in found["llpt"]])
    if figure:
        axes[0].set_ylabel("LLPT")
    return figure


def throughput(results):
    figure, axes = run_curves(results, "iteration", lambda found: [
        (at, found["tokens"] / max(seconds, 1e-9) / 1e6) for at, seconds in enumerate(found["seconds"], 1)])
    if figure:
        axes[0].set_ylabel("M tokens/s")
        for axis in axes:
            axis.set_ylim(0, None)
    return figure


def large(results):
    names = [name for name in results.corpora if results.get(f"large/{name}-paper")]
    if not names:
        return None
    figure, (axis,) = panels([f"K = {results.size.most:,}"], width=4.5)
    for name in names:
        scores = results.get(f"large/{name}-paper")["llpt"]
        axis.plot([entry[1] for entry in scores], [entry[2] for entry in scores], marker=".", label=name)
    axis.set(xlabel="seconds of sampling", ylabel="LLPT", xscale="log")
    axis.legend()
    return figure


def density(results):
    rows = sorted((int(key.rsplit("-", 1)[1]), found) for key, found in results.all("density").items()
                  if key.startswith("NYTimes-"))
    if not rows:
        return None
    figure, (axis,) = panels(["NYTimes"], width=4.5)
    for title, key in (("W", "density_w"), ("D", "density_d")):
        axis.plot([topics for topics, _ in rows], [100 * found[key] for _, found in rows], marker=".", label=title)
    axis.set(xlabel="K", ylabel="% that is not 0", xscale="log", yscale="log")
    axis.legend()
    return figure


def tokens(results):
    names = [name for name in results.corpora if results.shape(name)]
    if not names:
        return None
    figure, axes = panels(["tokens of a word", "share of all tokens up to there"], width=4)
    for name in names:
        ranks = results.shape(name)["ranks"]
        axes[0].plot([rank for rank, *_ in ranks], [max(count, 0.5) for _, count, _ in ranks], label=name)
        axes[1].plot([rank for rank, *_ in ranks], [100 * share for *_, share in ranks], label=name)
    axes[0].set(xscale="log", yscale="log", xlabel="rank")
    axes[1].set(xscale="log", xlabel="rank", ylabel="%", ylim=(0, 100))
    axes[0].legend()
    return figure


def bars(axis, names, labels, value):
    """Groups of bars, one group a corpus."""
    width = 0.8 / len(labels)
    for i, label in enumerate(labels):
        axis.bar([x + (i - (len(labels) - 1) / 2) * width for x in range(len(names))],
                 [value(name, label) or 0 for name in names], width, label=label)
    axis.set_xticks(range(len(names)), names)
    axis.legend()


def switches(results):
    groups = (("layouts", ("hybrid", "dense", "sparse")), ("balance", ("split", "dynamic", "none")),
              ("pairs", ("packed", "loose")))
    topics = results.size.topics
    found = [(experiment, labels, names) for experiment, labels in groups
             if (names := [name for name in results.corpora
                           if results.rate(f"{experiment}/{name}-K{topics}-{labels[0]}")])]
    if not found:
        return None
    figure, axes = panels([experiment for experiment, *_ in found], width=4)
    for axis, (experiment, labels, names) in zip(axes, found):
        bars(axis, names, labels, lambda name, label, e=experiment: results.rate(f"{e}/{name}-K{topics}-{label}"))
    axes[0].set_ylabel("M tokens/s")
    return figure


def steps(results):
    cases = [(name, label) for name in results.corpora for label in ("two", "three") if results.steps(name, label)]
    if not cases:
        return None
    figure, (axis,) = panels(["an iteration, by pass"], width=max(1.1 * len(cases), 4.5))
    bottom = [0.0] * len(cases)
    for step in PASSES if results.gpu else [step for step in PASSES if step != "update"]:
        values = [1e3 * results.steps(*case)[step] for case in cases]
        axis.bar(range(len(cases)), values, 0.7, bottom=bottom, label=step)
        bottom = [a + b for a, b in zip(bottom, values)]
    axis.set_xticks(range(len(cases)), [f"{name}\n{label}" for name, label in cases])
    axis.set_ylabel("ms")
    axis.legend()
    return figure


def dropping(results):
    names = [name for name in ("PubMed-shape", *results.real) if results.dropping(name)]
    if not names:
        return None
    figure, axes = panels(names, width=4)
    for axis, name in zip(axes, names):
        for run, entries in results.dropping(name).items():
            axis.plot(list(entries), [entry["llpt"] for entry in entries.values()], label=run)
        for at in (results.size.drop["drop"], results.size.drop["again"]):
            axis.axvline(at, color="grey", linewidth=0.7)
        axis.set(xlabel="iteration", xlim=(results.size.drop["drop"] / 2, None))
        inside = [entry["llpt"] for entries in results.dropping(name).values() for at, entry in entries.items()
                  if at >= results.size.drop["drop"] / 2]
        axis.set_ylim(min(inside) - 0.02, max(inside) + 0.02)
    axes[0].set_ylabel("LLPT")
    axes[0].legend()
    return figure


PLOTS = {function.__name__: function for function in (unchanged, skipped, convergence, throughput, large, density,
                                                      tokens, switches, steps, dropping)}


def draw_all(results, folder):
    """Names of the plots that were drawn."""
    drawn = []
    for name, draw in PLOTS.items():
        figure = draw(results)
        if figure is None:
            continue
        figure.tight_layout()
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None})
        plt.close(figure)
        drawn.append(name)
    return drawn

"""Plots of models of single cells, drawn by matplotlib."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _calls, tl, topic_sets

LOWER = ("arun_2010", "cao_juan_2009", "perplexity")


def _axes(axes: Any, size: tuple[float, float] = (6.4, 4.8)) -> Any:
    return axes if axes is not None else _calls.needs("matplotlib.pyplot", "ezlda.pl").subplots(figsize=size)[1]


def models(adata: Any, measures: Sequence[str] | None = None, *, key: str = "lda", ax: Any = None) -> Any:
    """Plot the measures of the models by their number of topics, each scaled from 0 (worst) to 1 (best), and return the
    axes.

    ``measures`` are columns of uns[key]["models"]; default: perplexity, loglikelihood, mimno_2011, arun_2010 and
    cao_juan_2009, those that are there. Measures of which lower is better are turned round.
    """
    if "models" not in adata.uns.get(key, {}):
        raise KeyError(f"there is no table of models in uns[{key!r}]: ezlda.tl.lda makes it")
    table = adata.uns[key]["models"]
    known = [name for name in ("perplexity", "loglikelihood", "mimno_2011", "arun_2010", "cao_juan_2009")
             if name in table.columns]
    axes = _axes(ax)
    numbers = np.array([int(k) for k in table.index])
    for name in known if measures is None else measures:
        if name not in table.columns:
            raise KeyError(f"there is no measure {name!r}; there are {list(table.columns)}")
        values = table[name].to_numpy(dtype=np.float64)
        good = topic_sets.scaled(-values if name in LOWER else values)
        axes.plot(numbers, good, marker="o", linestyle="--", label=f"{name}{' (turned)' if name in LOWER else ''}")
    axes.set_xlabel("topics")
    axes.set_ylabel("from worst to best")
    axes.legend()
    return axes


def cell_topic(adata: Any, n_topics: int, groupby: str | None = None, *, key: str = "lda", ax: Any = None) -> Any:
    """Plot the shares of topics of all cells as a heat map, and return the axes. With ``groupby``, a column of obs, cells
    are sorted by it and each row is the mean of a group."""
    table = tl.cell_topic(adata, n_topics, key)
    if groupby is not None:
        if groupby not in adata.obs.columns:
            raise KeyError(f"there is no column {groupby!r} in obs; there are {list(map(str, adata.obs.columns))}")
        table = table.groupby(adata.obs[groupby].astype(str).to_numpy()).mean()
    else:
        table = table.iloc[np.argsort(table.to_numpy().argmax(axis=1), kind="stable")]
    axes = _axes(ax, (0.3 * n_topics + 2, 4.8))
    image = axes.imshow(table.to_numpy(), aspect="auto", interpolation="nearest", cmap="viridis")
    axes.set_xticks(range(n_topics), [str(k + 1) for k in range(n_topics)])
    axes.set_xlabel("topic")
    axes.set_yticks(*((range(len(table)), table.index) if groupby is not None else ([],)))
    axes.figure.colorbar(image, ax=axes, label="share")
    return axes


def topic_metrics(adata: Any, n_topics: int, x: str = "assignments", y: str = "mimno_2011", *, key: str = "lda",
                  ax: Any = None) -> Any:
    """Plot two measures of the topics against each other, with the topics' numbers, and return the axes. The measures are
    columns of `ezlda.tl.topic_metrics`."""
    table = tl.topic_metrics(adata, n_topics, key)
    for name in (x, y):
        if name not in table.columns:
            raise KeyError(f"there is no measure {name!r}; there are {list(table.columns)}")
    axes = _axes(ax)
    points = axes.scatter(table[x], table[y], c=table["gini"])
    for name, a, b in zip(table.index, table[x], table[y]):
        axes.annotate(name[len("Topic"):], (a, b), xytext=(3, 3), textcoords="offset points", fontsize=8)
    if x == "assignments":
        axes.set_xscale("log")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.figure.colorbar(points, ax=axes, label="gini")
    return axes


def binarize_topics(adata: Any, n_topics: int, topic: int | str, *, target: str = "region", method: str = "otsu",
                    ntop: int = 2000, smooth: bool = True, nbins: int = 100, key: str = "lda", ax: Any = None) -> Any:
    """Plot the scores of a topic ("Topic1" or 1 is the first) and the threshold of its set, and return the axes. The
    other arguments are those of `ezlda.tl.binarize_topics`."""
    topic_sets.check(method, ntop, nbins)
    named = [f"Topic{k + 1}" for k in range(n_topics)]
    if topic not in named and topic not in range(1, n_topics + 1):
        raise ValueError(f"topic is {topic!r}; expected 1 to {n_topics}, or Topic1 to {named[-1]}")
    number = named.index(topic) if topic in named else int(topic) - 1
    table = (tl.region_topic if target == "region" else tl.cell_topic)(adata, n_topics, key).to_numpy()
    table = table[table.any(axis=1)]
    scores = topic_sets.scaled((topic_sets.smoothed(table) if smooth else table)[:, number])
    mask, threshold = topic_sets.chosen(scores, method, ntop, nbins)
    axes = _axes(ax)
    axes.hist(scores, bins=nbins, log=True)
    if np.isfinite(threshold):
        axes.axvline(threshold, color="tomato", linestyle="--")
    axes.set_xlabel(f"scaled score of topic {number + 1}; {int(mask.sum()):,} of {len(mask):,} {target}s exceed {method}")
    axes.set_ylabel(f"{target}s")
    return axes

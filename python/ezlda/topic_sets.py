"""Sets of regions, genes or cells that belong to a topic: its largest scores, by a threshold of their histogram."""
from __future__ import annotations

from typing import Any

import numpy as np

METHODS = ("otsu", "li", "yen", "ntop")
TINY = 1e-100


def smoothed(table: np.ndarray) -> np.ndarray:
    """Return p (log p - mean of log p over the topics): scores that are low for what many topics share. Rows are regions
    or cells, columns are topics."""
    wide = np.asarray(table, dtype=np.float64)
    logs = np.log(wide + TINY)
    return np.asarray(wide * (logs - logs.mean(axis=1, keepdims=True)))


def scaled(values: np.ndarray) -> np.ndarray:
    """Return values moved and divided so that they lie from 0 to 1; zeros if all are equal."""
    span = np.ptp(values)
    return np.asarray((values - values.min()) / span) if span > 0 else np.zeros_like(values)


def _histogram(values: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray]:
    counts, edges = np.histogram(values, bins=bins)
    return counts.astype(np.float64), (edges[:-1] + edges[1:]) / 2


def otsu(values: np.ndarray, bins: int) -> float:
    """Return the threshold with the largest variance between the two sides (Otsu, 1979)."""
    counts, center = _histogram(values, bins)
    low, low_sum = np.cumsum(counts)[:-1], np.cumsum(counts * center)[:-1]
    high, high_sum = counts.sum() - low, (counts * center).sum() - low_sum
    between = low * high * (low_sum / np.maximum(low, 1) - high_sum / np.maximum(high, 1)) ** 2
    return float(center[int(np.argmax(between))])


def li(values: np.ndarray, bins: int) -> float:
    """Return the threshold with the smallest cross entropy (Li and Lee, 1993), among hundredths."""
    counts, center = _histogram(values, bins)
    weight = counts * center

    def entropy(threshold: float) -> float:
        below = center <= threshold
        parts = ((weight[side].sum(), counts[side].sum()) for side in (below, ~below))
        return float(-sum(w * np.log(w / n) for w, n in parts if w > 0))
    candidates = np.arange(0.01, 0.99, 0.01)
    return float(candidates[int(np.argmin([entropy(threshold) for threshold in candidates]))])


def yen(values: np.ndarray, bins: int) -> float:
    """Return the threshold with the largest correlation of the two sides (Yen et al., 1995)."""
    counts, center = _histogram(values, bins)
    p = counts / counts.sum()
    low, square = np.cumsum(p)[:-1], np.cumsum(p ** 2)
    both = square[:-1] * (square[-1] - square[:-1])
    with np.errstate(divide="ignore", invalid="ignore"):
        found = 2 * np.log(low * (1 - low)) - np.log(both)
    return float(center[int(np.argmax(np.where(np.isfinite(found), found, -np.inf)))])


def chosen(values: np.ndarray, method: str, ntop: int, bins: int) -> tuple[np.ndarray, float]:
    """Return which scaled values belong to the set, and the threshold that they exceed."""
    if method == "ntop":
        order = np.argsort(-values, kind="stable")
        mask = np.zeros(len(values), dtype=bool)
        mask[order[:ntop]] = True
        return mask, float(values[order[ntop]]) if ntop < len(values) else float("-inf")
    threshold = {"otsu": otsu, "li": li, "yen": yen}[method](values, bins)
    return values > threshold, threshold


def check(method: Any, ntop: Any, bins: Any) -> None:
    if method not in METHODS:
        raise ValueError(f"method: expected one of {list(METHODS)}, found {method!r}")
    for name, value in (("ntop", ntop), ("nbins", bins)):
        if not isinstance(value, (int, np.integer)) or value < 1:
            raise ValueError(f"{name} is {value!r}; expected a whole number from 1")

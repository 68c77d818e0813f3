#!/usr/bin/env python3
"""How often intervals hold the truth: of shares of documents, of period means and of coefficients, on simulated corpora.

A corpus is drawn from LDA with documents whose mean shares depend on a category and on time. A model is trained on it,
its topics are matched with the true ones, and `ezlda effect`, `ezlda trend` and `ezlda docs --interval` are asked for intervals.

    bench/effect_coverage.py --ezlda build/ezlda --runs 20 --docs 1000 --length 80
"""
import argparse
import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np

PARTIES = ["centre", "left", "right"]
YEARS = range(2000, 2010)


def draw_corpus(rng, options, folder):
    """Write a corpus as JSON Lines of words, and return its true shares, words of topics and mean shares."""
    k, v = options.topics, options.words
    beta = rng.dirichlet(np.full(v, options.beta), k)
    base = rng.dirichlet(np.full(k, 5.0))
    tilt = rng.dirichlet(np.full(k, 2.0), len(PARTIES)) - base
    slope = rng.dirichlet(np.full(k, 2.0)) - rng.dirichlet(np.full(k, 2.0))
    party = rng.integers(len(PARTIES), size=options.docs)
    year = rng.integers(len(YEARS), size=options.docs)
    mean = base + 0.6 * tilt[party] + 0.25 * slope * (year / 9 - 0.5)[:, None]
    mean = np.clip(mean, 0.003, None)
    mean /= mean.sum(1, keepdims=True)
    theta = np.array([rng.dirichlet(options.alpha * m) for m in mean])
    length = np.maximum(rng.poisson(options.length, options.docs), 1)
    with open(folder / "docs.jsonl", "w", encoding="utf-8") as out:
        for d in range(options.docs):
            count = rng.multinomial(length[d], theta[d] @ beta)
            text = " ".join(f"w{w}" for w in np.repeat(np.nonzero(count)[0], count[count > 0]))
            out.write(json.dumps({"id": str(d), "text": text, "party": PARTIES[party[d]], "year": str(YEARS[year[d]])}) + "\n")
    return theta, beta, mean, party, year


def run(options, *arguments):
    return subprocess.run([options.ezlda, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def match_topics(options, folder, beta):
    """The model's topic of each true topic, by the similarity of words; None for topics that no one has."""
    table = csv.DictReader(io.StringIO(run(options, "topics", folder / "m.ezm", "-n", min(options.words, 1000), "--tsv")), delimiter="\t")
    found = np.zeros_like(beta)
    for row in table:
        found[int(row["topic"]), int(row["word"][1:])] = float(row["probability"])
    similar = np.sqrt(beta) @ np.sqrt(found).T
    place, alike = {}, {}
    for _ in range(len(beta)):
        i, j = np.unravel_index(np.argmax(similar), similar.shape)
        place[i], alike[i] = j, similar[i, j]
        similar[i, :] = similar[:, j] = -1
    return [place[i] for i in range(len(beta))], alike


def held(truth, low, high):
    return np.mean((truth >= low) & (truth <= high))


def least_squares(theta, party, year):
    x = np.column_stack([np.ones(len(party)), party == 1, party == 2, np.array(YEARS)[year]])
    return np.linalg.lstsq(x.astype(float), theta, rcond=None)[0]


def measure(rng, options, folder):
    theta, beta, mean, party, year = draw_corpus(rng, options, folder)
    run(options, "import", folder / "docs.jsonl", "-o", folder / "c.ezc", "--keep-fields", "party,year", "--tokens", "pre",
        "--stopwords", "none", "--min-docs", 1, "--max-docs-share", 1)
    run(options, "train", folder / "c.ezc", "-k", options.topics, "-o", folder / "m.ezm", "--seed", options.seed, "-q",
        *(["--samples", options.samples] if options.shares else []))
    place, alike = match_topics(options, folder, beta)
    result = {}
    sampling = ["--samples", options.samples, "--thin", options.thin, "--burn-in", options.burn_in, "-q"]
    effect = json.loads(run(options, "effect", folder / "m.ezm", folder / "c.ezc", "--formula", "party + year", "--json", *sampling))
    population = least_squares(mean, party, year)  # what the coefficients would be without chance
    rows, widths = {name: [] for name in ("intercept", "left", "right", "year")}, []
    for k, j in enumerate(place):
        for c, name in enumerate(rows):
            if options.verbose:
                got = effect["topics"][j]["coefficients"][c]
                z = (got["estimate"] - population[c, k]) / got["error"]
                if abs(z) > 2.5:
                    print(f"{name} of topic {k}: z {z:.2f}, similarity to its match {alike[k]:.2f}", file=sys.stderr)
            got = effect["topics"][j]["coefficients"][c]
            rows[name].append((got["estimate"] - population[c, k]) / got["error"])
            result.setdefault("held " + name, []).append(got["low"] <= population[c, k] <= got["high"])
    for name in ("left", "right", "year"):
        result["z " + name] = rows[name]
    trend = json.loads(run(options, "trend", folder / "m.ezm", folder / "c.ezc", "--by", "year", "--step", "year", "--json", *sampling))
    for k, j in enumerate(place):
        for t, period in enumerate(trend["topics"][j]["periods"]):
            truth = mean[year == t, k].mean()
            result.setdefault("held period", []).append(period["low"] <= truth <= period["high"])
            result.setdefault("z period", []).append((period["share"] - truth) / period["error"])
    if options.shares:
        for row in csv.DictReader(io.StringIO(run(options, "docs", folder / "m.ezm", "--tsv", "--interval", 90, "--top", options.topics)),
                                  delimiter="\t"):
            j, d = int(row["topic"]), int(row["doc"])
            k = place.index(j)
            result.setdefault("held share", []).append(float(row["low"]) <= theta[d, k] <= float(row["high"]))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ezlda", default="build/ezlda")
    parser.add_argument("--folder", default="/tmp/effect-coverage")
    for name, value in (("runs", 10), ("docs", 1000), ("length", 80), ("topics", 10), ("words", 600), ("samples", 20), ("thin", 5),
                        ("burn_in", 50), ("seed", 1)):
        parser.add_argument("--" + name.replace("_", "-"), type=int, default=value)
    parser.add_argument("--alpha", type=float, default=3)
    parser.add_argument("--beta", type=float, default=0.05)
    parser.add_argument("--verbose", action="store_true", help="name what is far off")
    parser.add_argument("--shares", action="store_true", help="also the shares of documents, by ezlda train --samples")
    options = parser.parse_args()
    folder = Path(options.folder)
    folder.mkdir(exist_ok=True)
    rng, total = np.random.default_rng(options.seed), {}
    for _ in range(options.runs):
        for name, values in measure(rng, options, folder).items():
            total.setdefault(name, []).extend(values)
    for name, values in total.items():
        if name.startswith("held"):
            print(f"{name[5:]:10} {100 * np.mean(values):5.1f} % of {len(values)}")
        else:
            print(f"{name:10} mean {np.mean(values):5.2f}, deviation {np.std(values):4.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The results as Markdown tables, JSON and CSV."""

import csv
import json

from bench_tools import median


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def number(value, digits):
    return "-" if value is None else f"{value:,.{digits}f}"


def spread(values, digits=2):
    if not values:
        return "not reached"
    return f"{median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def race(rows):
    head = ["until the value of", "iterations", "value", "seconds", "quiet", "ezlda, start", "iterations",
            "seconds", "quiet", "ratio", "quiet"]
    return table(head, [[row["rival"], str(row["rival_iterations"]),
                         number(row["target"], 3 if row["measure"] == "llpt" else 1), spread(row["rival_seconds"]),
                         number(row["rival_quiet_seconds"], 2), f"{row['estimator']}, {row['start']}",
                         str(row["iterations"] or "-"), spread(row["seconds"]),
                         number(row["quiet_seconds"], 2), number(row["ratio"], 3), number(row["quiet_ratio"], 3)]
                        for row in rows])


def growth(rows):
    head = ["estimator", "seconds", "threads: 1 / all", "quiet", "2K / K", "quiet", "early M tokens/s",
            "late M tokens/s", "peak MB", "bytes a token", "less dense W"]
    return table(head, [[row["estimator"], f"{row['seconds']:.2f} for {row['iterations']}",
                         number(row["threads_speedup"], 2), number(quiet[1] / quiet[0], 2),
                         number(row["double_topics_ratio"], 2), number(quiet[2] / quiet[0], 2),
                         number(row["early_tokens_per_second"] / 1e6, 1),
                         number(row["late_tokens_per_second"] / 1e6, 1), number(row["peak_rss_bytes"] / 1e6, 0),
                         number(row["rss_per_token"], 1), number(row["rss_per_token_without_w"], 1)]
                        for row in rows for quiet in [row["quiet_seconds"]]])


def markdown(results):
    corpus, machine = results["corpus"], results["machine"]
    parts = [f"## {corpus['name']}: {corpus['docs']:,} documents, {corpus['words']:,} words, "
             f"{corpus['tokens']:,} tokens",
             f"{machine['processor']}, {results['threads']} threads, K = {results['topics']}, alpha = "
             f"{results['alpha']:g}, beta = {results['beta']:g}, {results['rounds']} rounds; seconds of sampling, "
             "median (least to most)."]
    if machine["most_load"] > results["threads"] + 0.5:
        parts.append(f"**The load average rose to {machine['most_load']:.1f}: other programs ran beside these, "
                     "unevenly. Iterations and values hold; do not quote the times or ratios.**")
    if results.get("warplda"):
        parts += ["LLPT of the training corpus (from the keyword start it says little: see bench/README.md):",
                  race(results["warplda"])]
    if results.get("heldout"):
        parts += ["Held-out perplexity, a tenth of the documents held out:",
                  race(results["heldout"])]
    if results.get("scaling"):
        parts += ["Scaling:", growth(results["scaling"])]
    return "\n\n".join(parts) + "\n"


def write(folder, results, curves):
    folder.mkdir(parents=True, exist_ok=True)
    name = results["corpus"]["name"]
    (folder / f"{name}.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    (folder / f"{name}.md").write_text(markdown(results), encoding="utf-8")
    with open(folder / f"{name}.curves.csv", "w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["tool", "measure", "iteration", "seconds", "value"])
        rows.writerows(row for row in curves if row[4] is not None)

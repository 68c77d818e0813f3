"""The results of bench/quality, a file of comma-separated values that grows by a line with every run."""

import csv


class Results:
    """One line per run, appended when the run ends: an interrupted benchmark resumes from there."""

    KEY = ("corpus", "topics", "tool", "setting", "seed")
    FIELDS = (*KEY, "version", "perplexity", "perplexity_gibbs", "npmi", "diversity", "P1", "ARI", "NMI", "alpha_sum",
              "iterations", "would_take")

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.path, self.rows = folder / "quality-results.csv", {}
        if not self.path.exists():
            self.path.write_text(",".join(self.FIELDS) + "\n", encoding="utf-8")
        with open(self.path, encoding="utf-8", newline="") as lines:
            for row in map(self.read, csv.DictReader(lines)):
                self.rows[self.key(row)] = row

    @classmethod
    def read(cls, texts):
        """Numbers as numbers, without what is empty."""
        row = {name: text if name in ("corpus", "tool", "setting", "version") else float(text)
               for name, text in texts.items() if text}
        return row | {name: int(row[name]) for name in ("topics", "seed", "iterations") if name in row}

    def key(self, row):
        return tuple(row[name] for name in self.KEY)

    def wanted(self, key, limit):
        """Whether a run is still to be done: it was not, or was given up for a limit that is larger now."""
        row = self.rows.get(key)
        return row is None or row.get("would_take", 0) > 0 and row["would_take"] <= limit

    def add(self, row):
        self.rows[self.key(row)] = row
        with open(self.path, "a", encoding="utf-8", newline="") as out:
            csv.DictWriter(out, self.FIELDS, extrasaction="ignore", lineterminator="\n").writerow(row)

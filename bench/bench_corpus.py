"""The corpus of a run, cut and written in the forms that the tools read, and the two measures on it."""

from dataclasses import dataclass
from pathlib import Path

from bench_tools import run, say


@dataclass
class Settings:
    """What all tools of a run share."""

    topics: int
    threads: int
    seed: int
    beta: float = 0.01
    alpha_sum: float = 50.0
    optimize_interval: int = 0  # iterations from one fit of the priors to the next; 0: they stay
    optimize_burn_in: int = 0

    @property
    def alpha(self):
        return self.alpha_sum / self.topics


@dataclass
class Corpus:
    """A folder with train.uci, words.txt, train.txt and, if documents were held out, observed.uci and scored.uci,
    and the same documents whole in held.uci and held.txt."""

    name: str
    folder: Path
    programs: Path
    docs: int
    words: int
    tokens: int
    held_out_docs: int = 0

    @property
    def held_out(self):
        return (self.folder / "scored.uci").exists()

    def llpt(self, assignments, settings):
        """Log2-likelihood per token of word:topic lines."""
        done = run([self.programs / "llpt", assignments, self.words, settings.topics, settings.alpha, settings.beta])
        return float(done.text())

    def perplexity(self, counts, settings, method="em", alpha=None):
        """Document-completion perplexity of topic counts; alpha: a file of a tool's own, fitted one."""
        done = run([self.programs / "heldout", counts, self.folder / "observed.uci", self.folder / "scored.uci",
                    alpha or settings.alpha, method] + ([self.held_out_docs] if self.held_out_docs else []))
        return float(done.text())


def count_tokens(uci):
    with open(uci, encoding="ascii") as lines:
        docs, words, _ = (int(next(lines)) for _ in range(3))
        return docs, words, sum(int(line.rsplit(" ", 1)[1]) for line in lines)


def prepare(name, uci, folder, programs, seed, share, held_out_docs=0, docs=0):
    """Shuffles and cuts a UCI file, or `docs` of its documents; a folder that is already there is used again."""
    mark = folder / "made_from"
    recipe = f"{Path(uci).resolve()} {Path(uci).stat().st_mtime_ns} {seed} {share} {docs}\n"
    if not mark.exists() or mark.read_text(encoding="utf-8") != recipe:
        say(f"preparing {folder}")
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            if old.is_file():
                old.unlink()
        run([programs / "split", uci, folder, seed, share] + ([docs] if docs else []))
        mark.write_text(recipe, encoding="utf-8")
    docs, words, tokens = count_tokens(folder / "train.uci")
    return Corpus(name, folder, programs, docs, words, tokens, held_out_docs)


def synthetic(ezlda, programs, folder):
    """A corpus for those who have none: drawn by ezlda synth, about two million tokens."""
    folder.mkdir(parents=True, exist_ok=True)
    packed, uci = folder / "synthetic.ezc", folder / "synthetic.uci"
    if not uci.exists():
        run([ezlda, "synth", "-o", packed, "--docs", 20000, "--words", 20000, "--length", 100, "--topics", 200,
             "--seed", 1])
        run([programs / "export", "uci", packed, uci])
    return uci

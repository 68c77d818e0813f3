"""What the results folder holds, as the claims and the plots need it; None if it was not measured."""

from bench_tools import median
from paper_sizes import SETS

# Kernels of the CUDA trainer by pass.
PASSES = {"prepare": ("ez_rates", "ez_order_zeros", "ez_sum_zeros", "ez_prepare"), "documents": ("ez_documents",),
          "words": ("ez_words",), "update": ("ez_count", "ez_clear", "ez_sum_hashed", "ez_base")}


def ratio(a, b):
    return a / b if a and b else None


class Results:
    def __init__(self, store, size):
        self.store, self.size = store, size
        self.setting = store.read("setting") or {}
        self.cache = {}

    def get(self, key):
        if key not in self.cache:
            self.cache[key] = self.store.read(key)
        return self.cache[key]

    def all(self, experiment):
        return self.store.all(experiment)

    @property
    def gpu(self):
        return str(self.setting.get("device", "")).startswith("cuda")

    @property
    def corpora(self):
        """The data sets of the paper first, then the real corpora."""
        found = [key.rsplit("-", 1)[0] for key in self.all("speed")] + list(self.all("shape"))
        others = sorted(name for name in set(found) if name not in SETS)
        return [name for name in SETS if name in found] + others

    @property
    def real(self):
        return [name for name in self.corpora if name not in SETS]

    def why_not(self, experiment):
        """Why an experiment has no result, if that is known."""
        return next((why for key, why in self.store.missing.items() if key.startswith(f"{experiment}/")), None)

    # ---- shares ------------------------------------------------------------------------------------------------------

    def looks(self, corpus, label="paper"):
        return self.get(f"shares/{corpus}-{label}") or []

    def look(self, corpus, iteration, label="paper"):
        return next((look for look in self.looks(corpus, label) if look["iteration"] == iteration), None)

    def share(self, corpus, what, iteration, label="paper", g=None):
        """In percent."""
        look = self.look(corpus, iteration, label)
        if not look:
            return None
        return 100 * (look[what][g - 1] if g else look[what])

    # ---- speeds ------------------------------------------------------------------------------------------------------

    def rate(self, key):
        """M tokens a second, a mean over all iterations."""
        found = self.get(key)
        return found and found["rate"]

    def speedup(self, experiment, corpus, over, of, topics=None):
        topics = topics or self.size.topics
        return ratio(self.rate(f"{experiment}/{corpus}-K{topics}-{over}"),
                     self.rate(f"{experiment}/{corpus}-K{topics}-{of}"))

    def seconds_to(self, corpus, label, llpt):
        """Seconds of sampling until an LLPT is reached."""
        found = self.get(f"speed/{corpus}-{label}")
        return next((seconds for _, seconds, value in found["llpt"] if value >= llpt), None) if found else None

    def shape(self, corpus, topics=None):
        found = self.get(f"shape/{corpus}")
        if found is None or topics is None:
            return found
        return next((entry for entry in found["topics"] if entry["topics"] == topics), None)

    def same_hashes(self):
        """Corpora whose topics after all iterations are the same with two, three and many branches; and others."""
        equal, other = [], []
        for corpus in self.corpora:
            hashes = {found["topics_hash"] for label in ("two", "three", "many")
                      if (found := self.get(f"speed/{corpus}-{label}"))}
            if hashes:
                (equal if len(hashes) == 1 else other).append(corpus)
        return equal, other

    def rate_spread(self, corpus):
        """Largest less smallest rate of the repeats, over their median."""
        rates = [found["rate"] for key, found in self.all("spread").items() if key.startswith(f"{corpus}-")]
        return (max(rates) - min(rates)) / median(rates) if len(rates) > 1 else None

    # ---- steps -------------------------------------------------------------------------------------------------------

    def steps(self, corpus, label):
        """Seconds of each pass in an iteration; on the CPU a mean over the last quarter."""
        found = self.get(f"steps/{corpus}-{label}")
        if not found:
            return None
        if "passes" in found:
            late = found["passes"][-max(len(found["passes"]) // 4, 1):]
            return {name: sum(entry[name] for entry in late) / len(late) for name in PASSES}
        sums = {name: 0.0 for name in PASSES}
        for kernel in found["kernels"]:
            for name, prefixes in PASSES.items():
                if kernel["name"].startswith(prefixes):
                    sums[name] += kernel["ns"] * 1e-9
        return sums

    def steps_total(self, corpus, label):
        """On the CPU the update is a part of the words pass, and measured once more beside it."""
        steps = self.steps(corpus, label)
        return steps and sum(value for name, value in steps.items() if self.gpu or name != "update")

    def look_up_share(self, corpus):
        """What looking up C1, C2 and deciding adds to the documents pass, as a share of the iteration."""
        two, three = self.steps(corpus, "two"), self.steps(corpus, "three")
        if not two or not three:
            return None
        return max(three["documents"] - two["documents"], 0) / self.steps_total(corpus, "three")

    def instructions(self, corpus, label):
        found = self.get(f"steps/{corpus}-{label}")
        if not found or "kernels" not in found:
            return None
        return sum(kernel.get("instructions", 0) for kernel in found["kernels"])

    def occupancy(self, corpus, label):
        """The occupancy of the kernels of the words pass, weighted by their time."""
        found = self.get(f"steps/{corpus}-three" if label == "split" else f"occupancy/{corpus}-{label}")
        words = [kernel for kernel in (found or {}).get("kernels", ()) if kernel["name"].startswith("ez_words")]
        spent = sum(kernel["ns"] for kernel in words)
        return sum(kernel["occupancy"] * kernel["ns"] for kernel in words) / spent if spent else None

    # ---- naive dropping ----------------------------------------------------------------------------------------------

    def dropping(self, corpus):
        """LLPT by iteration of the two runs."""
        found = self.get(f"dropping/{corpus}")
        if not found:
            return None
        runs = {"plain": {}, "dropping": {}}
        for entry in found:
            runs[entry["run"]][entry["iteration"]] = entry
        return runs

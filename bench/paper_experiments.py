"""The experiments of the paper, the most important first within a corpus. Each gives its results to the store."""

import json
import shutil

from bench_tools import BenchError, run
from paper_runs import Data, profile
from paper_sizes import SETS

PAPER = ["--estimator", "esca", "--start", "random"]  # as in the paper; ours: the command's defaults
TWO, THREE = ["--sampler", "two-branch"], ["--sampler", "three-branch", "-g", 2]
LAYOUTS = {"hybrid": [], "dense": ["--w-format", "dense"], "sparse": ["--w-format", "sparse"]}
BALANCES = {name: ["--balance", name] for name in ("split", "dynamic", "none")}
RECORDS = {name: ["--records", name] for name in ("packed", "loose")}
PAPER_MEMORY = {1000: "6.26G", 10000: "7.58G", 32768: "8.44G"}  # totals of the paper's table


def shape(paper, data):
    """What depends on the corpus alone."""
    size = paper.size
    topics = ",".join(map(str, (size.topics, size.many, size.most)))
    paper.measure(f"shape/{data.name}", lambda: paper.program(
        "paper_shape", data, topics=topics, workers=160)[0] | {"real": data.real})


def shares(paper, data):
    """Tokens that stay, that lie in the max topic, that are skipped; with the paper's estimator and with ours."""
    size = paper.size
    both = [("paper", "esca", "random"), ("ours", "leave-one-out", "keyword")]
    for label, estimator, start in both[:1] if paper.is_big(data) else both:
        paper.measure(f"shares/{data.name}-{label}",
                      lambda e=estimator, s=start: paper.program(
                          "paper_watch", data, k=size.topics, iterations=size.iterations, estimator=e, start=s,
                          at=",".join(map(str, size.looks)), sample=size.sample, device=paper.args.device,
                          threads=paper.args.threads))


def speed(paper, data):
    """Convergence and tokens a second: the paper's three branches and ours against two."""
    size = paper.size
    cases = {"three": [*PAPER, *THREE], "two": [*PAPER, *TWO], "ours": [], "many": PAPER}
    for label, options in list(cases.items())[:3 if paper.is_big(data) else None]:
        paper.measure(f"speed/{data.name}-{label}",
                      lambda o=options: paper.training(data, size.topics, size.iterations, *o, every=size.score_every))


def large(paper, data):
    """Many topics."""
    size = paper.size
    cases = [("paper", [*PAPER, *THREE]), ("ours", [])]
    for label, options in cases[:1] if paper.is_big(data) else cases:
        paper.measure(f"large/{data.name}-{label}",
                      lambda o=options: paper.training(data, size.most, size.wide, *o, every=max(size.wide // 4, 1)))


def memory(paper, data):
    """Device memory by number of topics: everything resident, and within the paper's totals."""
    size = paper.size
    if not paper.gpu:
        paper.lack(f"memory/{data.name}", "device memory is measured on a GPU")
        return
    for topics in (size.topics, size.many, size.most):
        for label, options in (("resident", []), ("limited", ["--device-memory", PAPER_MEMORY.get(topics, "1G")])):
            paper.measure(f"memory/{data.name}-K{topics}-{label}",
                          lambda k=topics, o=options: paper.training(data, k, 2, *o))


def looked_up(paper, data):
    """Speed by g."""
    size = paper.size
    for g in (1, 2, 4, 8):
        paper.measure(f"looked-up/{data.name}-{g}", lambda n=g: paper.training(
            data, size.topics, size.short, *PAPER, "--sampler", "three-branch", "-g", n))


def switch(paper, data, experiment, cases, topics=None, gpu=False):
    """A short training for each case of a switch."""
    if gpu and not paper.gpu:
        paper.lack(f"{experiment}/{data.name}", "the switch is one of the GPU's trainer")
        return
    topics = topics or paper.size.topics
    for label, chosen in cases.items():
        paper.measure(f"{experiment}/{data.name}-K{topics}-{label}",
                      lambda o=chosen: paper.training(data, topics, paper.short(data), *PAPER, *THREE, *o))


def layouts(paper, data):
    """W hybrid, dense and sparse."""
    switch(paper, data, "layouts", LAYOUTS)
    if not paper.is_big(data):
        switch(paper, data, "layouts", LAYOUTS, topics=paper.size.many)


def balance(paper, data):
    switch(paper, data, "balance", BALANCES, gpu=True)


def pairs(paper, data):
    switch(paper, data, "pairs", RECORDS, gpu=True)


def density(paper, data):
    size = paper.size
    for topics in size.density:
        paper.measure(f"density/{data.name}-{topics}", lambda k=topics: paper.program(
            "paper_watch", data, k=k, iterations=size.iterations, at=size.iterations, sample=size.sample // 10,
            device=paper.args.device, threads=paper.args.threads)[0])


# ---- steps ----------------------------------------------------------------------------------------------------------

def steps(paper, data):
    """Time by step: kernels under Nsight Compute on a GPU, passes on the CPU."""
    size, cases = paper.size, {"two": TWO, "three": THREE}
    if not paper.gpu:
        paper.lack(f"instructions/{data.name}", "instructions are counted on a GPU")
    for label, options in cases.items():
        if paper.gpu:
            paper.measure(f"steps/{data.name}-{label}", lambda o=options: kernels(paper, data, o))
        else:
            sampler, *g = options[1::2]
            paper.measure(f"steps/{data.name}-{label}", lambda s=sampler, n=g: {"passes": paper.program(
                "paper_steps", data, k=size.topics, iterations=size.iterations, sampler=s, g=n[0] if n else 0,
                threads=paper.args.threads)})


def occupancy(paper, data):
    """Without balance; with it, the kernels of three branches tell."""
    if not paper.gpu:
        paper.lack(f"occupancy/{data.name}", "occupancy is measured on a GPU")
        return
    paper.measure(f"occupancy/{data.name}-none", lambda: kernels(paper, data, [*THREE, *BALANCES["none"]]))


def trained_model(paper, data):
    """A model that has its tokens' topics, to go on from."""
    size = paper.size
    path = paper.args.work / f"{data.name}-K{size.topics}-i{size.half}.ezm"
    if not path.exists():
        run([paper.args.ezlda, "train", data.path(), "-k", size.topics, "-i", size.half, "-o", path, "--quiet", "--fixed-priors",
             "--device", paper.args.device, "--eval-every", 0, "--keep-topics", *PAPER, *THREE],
            timeout=paper.timeout())
    return path


def kernels(paper, data, options):
    """The kernels of one iteration in the middle of a run: those between the first two calculations of rates."""
    if not shutil.which("ncu"):
        raise BenchError("ncu (Nsight Compute) is not in the path")
    model = trained_model(paper, data)
    found = profile(paper, [paper.args.ezlda, "train", data.path(), "--init", model, "-i", 1, "--quiet", "--fixed-priors",
                            "--eval-every", 0, "--device", paper.args.device, "--estimator", "esca", "-o", paper.scratch / "m.ezm",
                            *options])
    begins = [i for i, kernel in enumerate(found) if kernel["name"] == "ez_rates"]
    if not begins:
        raise BenchError("ncu (Nsight Compute): no kernel ez_rates in its table")
    return {"kernels": found[begins[0]:begins[1] if len(begins) > 1 else None]}


# ---- shards ---------------------------------------------------------------------------------------------------------

def real_gpus(paper):
    devices = json.loads(run([paper.args.ezlda, "devices", "--json"], timeout=60).text())["devices"]
    return sum(device["device"].startswith("cuda") and device["usable"] for device in devices)


def shards(paper, data):
    """One GPU named several times, several GPUs if there are any, MPI ranks on a CPU."""
    size = paper.size
    counts = (1, 2, 4) if paper.gpu else (1, 2)
    several = real_gpus(paper) if paper.gpu else 0
    for count in counts:
        key = f"shards/{data.name}-{count}"
        if not paper.gpu:
            paper.measure(key, lambda n=count: rank_training(paper, data, n))
            continue
        for label, numbers in (("same", [0] * count), ("own", range(count))):
            if label == "same" or 1 < count <= several:
                device = "cuda:" + ",".join(map(str, numbers))
                paper.measure(f"{key}-{label}", lambda d=device: paper.training(
                    data, size.topics, size.short, "--device", d))


def rank_training(paper, data, count):
    """A training by `count` MPI ranks, one thread each; one rank needs no MPI."""
    launcher = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", count]
    if count == 1:
        return paper.training(data, paper.size.topics, paper.size.short, "--threads", 1)
    if not shutil.which("mpirun"):
        raise BenchError("mpirun is not in the path")
    with paper.launched_by(launcher):
        return paper.training(data, paper.size.topics, paper.size.short, "--threads", 1)


# ---- the rest -------------------------------------------------------------------------------------------------------

def dropping(paper, data):
    """Naive dropping of tokens that stayed, on the CPU."""
    drop = paper.size.drop
    paper.measure(f"dropping/{data.name}", lambda: paper.program(
        "paper_drop", data, k=drop["topics"], iterations=drop["iterations"], drop=drop["drop"], again=drop["again"],
        most=drop["most"], threads=paper.args.threads))


def spread(paper, data):
    """The same training several times."""
    size = paper.size
    for turn in range(size.repeats):
        paper.measure(f"spread/{data.name}-{turn}",
                      lambda: paper.training(data, size.topics, size.short, *PAPER, *THREE))


EVERY = (*SETS, "real")
# What to run on which corpora; "real": all real ones that are given, "drop": one of PubMed's shape for the CPU.
EXPERIMENTS = {
    "shape": (shape, EVERY), "shares": (shares, EVERY), "memory": (memory, ("PubMed",)), "speed": (speed, EVERY),
    "balance": (balance, EVERY), "pairs": (pairs, EVERY), "layouts": (layouts, ("real", "NYTimes", "UMBC")),
    "steps": (steps, ("real", "NYTimes")), "occupancy": (occupancy, ("NYTimes",)),
    "looked-up": (looked_up, ("real", "NYTimes")),
    "large": (large, EVERY), "density": (density, ("NYTimes",)), "dropping": (dropping, ("drop", "real")),
    "shards": (shards, ("real", "NYTimes")), "spread": (spread, ("NYTimes",)),
}


def drop_data(paper):
    """A corpus of PubMed's shape that a plain loop on the CPU can train on."""
    drop = paper.size.drop
    return Data("PubMed-shape", lambda: paper.synth("drop", drop["docs"], drop["words"], drop["length"], "--topics",
                                                    paper.size.planted))


def synthetic(paper, name):
    docs, words, length = paper.size.sets[name]
    return Data(name, lambda: paper.synth(name, docs, words, length, "--topics", paper.size.planted))

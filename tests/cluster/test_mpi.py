"""Several ranks train one model: the same bits as one process, for every number of ranks and threads."""
import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("EZLDA_BUILD", ROOT / "build"))
BINARY = os.environ.get("EZLDA_BIN", str(BUILD / "ezlda"))
DEVICE = os.environ.get("EZLDA_TEST_DEVICE", "cpu")
LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"],
             "mpich": ["mpirun.mpich"]}
LIMIT_S = 120


def launcher(name, ranks):
    if not (BUILD / f"libezlda-{name}.so").exists() or not shutil.which(LAUNCHERS[name][0]):
        pytest.fail(f"no {name} on this machine (scripts/bootstrap.sh test)")
    return [*LAUNCHERS[name], "-n", str(ranks)]


def command(mpi, ranks, *arguments):
    return [*(launcher(mpi, ranks) if ranks else []), BINARY, *map(str, arguments)]


def train(mpi, ranks, folder, *arguments, status=0, quiet=True):
    """A run with that many ranks (0: without MPI); its summary, or the whole result if it must fail."""
    summary = folder / "summary.json"
    done = subprocess.run(command(mpi, ranks, "train", *arguments, *(["-q"] if quiet else []), "--device", DEVICE,
                                  "--summary", summary, "-o", folder / "model.ezm"),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LIMIT_S)
    if status:
        assert done.returncode != 0, done
        return done
    assert done.returncode == 0, done
    return json.loads(summary.read_text())


def same(a, b):
    return all(a[key] == b[key] for key in ("topics_hash", "alpha_sum", "beta", "iterations", "tokens", "documents")) \
        and [(x[0], x[2]) for x in a["llpt"]] == [(x[0], x[2]) for x in b["llpt"]]


def topics(model):
    return subprocess.run([BINARY, "topics", str(model)], check=True, stdout=subprocess.PIPE).stdout


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Document lengths of a heavy tail, and a word that is in every document."""
    path = tmp_path_factory.mktemp("corpus") / "c.ezc"
    subprocess.run([BINARY, "synth", "-o", path, "--docs", "400", "--words", "900", "--length", "50", "--topics", "9",
                    "-q"], check=True)
    return path


OPTIONS = ("-k", 30, "-i", 12, "--optimize-interval", 3, "--optimize-burn-in", 4, "--eval-every", 4)


@pytest.fixture(scope="module")
def alone(corpus, tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    return train("openmpi", 0, folder, corpus, *OPTIONS, "--keep-topics"), topics(folder / "model.ezm"), folder


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
@pytest.mark.parametrize("threads", [1, 2])
def test_one_hash(ranks, threads, corpus, alone, tmp_path):
    summary = train("openmpi", ranks, tmp_path, corpus, *OPTIONS, "--threads", threads)
    assert same(summary, alone[0])
    assert summary["device"] == (f"{DEVICE}, {ranks} ranks" if ranks > 1 else DEVICE)
    assert topics(tmp_path / "model.ezm") == alone[1]


@pytest.mark.parametrize("ranks", [2, 3])
def test_mpich(ranks, corpus, alone, tmp_path):
    assert same(train("mpich", ranks, tmp_path, corpus, *OPTIONS, "--threads", 1), alone[0])


@pytest.mark.parametrize("more", [["--estimator", "esca"], ["--w-format", "dense"], ["--w-format", "sparse"],
                                  ["--start", "random"], ["-k", 100]], ids=lambda m: str(m[1]))
def test_settings(more, corpus, tmp_path):
    """With 100 topics the corpus has enough documents for long pieces at the start, a rank has not."""
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    options = ("-i", 3, *more) if "-k" in more else ("-k", 500, "-i", 3, *more)
    assert same(train("openmpi", 2, two, corpus, *options), train("openmpi", 0, one, corpus, *options))


def test_large_k(corpus, tmp_path):
    options = ("-k", 40000, "-i", 2)
    alone = train("openmpi", 0, tmp_path, corpus, *options)
    assert same(train("openmpi", 2, tmp_path, corpus, *options), alone)


def test_seeds_and_continuing(corpus, alone, tmp_path):
    seeds = tmp_path / "seeds.txt"
    words = subprocess.run([BINARY, "topics", str(alone[2] / "model.ezm"), "-n", "3", "--json"], check=True,
                           stdout=subprocess.PIPE).stdout
    known = [word["word"] for word in json.loads(words)["topics"][0]["words"]]
    seeds.write_text(" ".join(known) + "\n")
    for more in (["--seeds", seeds, "-k", 30], ["--init", alone[2] / "model.ezm"],
                 ["--init", alone[2] / "model.ezm", "--seed", 7]):
        first = train("openmpi", 0, tmp_path, corpus, "-i", 3, *more)
        assert same(train("openmpi", 3, tmp_path, corpus, "-i", 3, *more), first)


def test_more_ranks_than_documents(tmp_path):
    tiny = tmp_path / "tiny.ezc"
    subprocess.run([BINARY, "synth", "-o", tiny, "--docs", "2", "--words", "20", "--length", "30", "--topics", "2",
                    "-q"], check=True)
    alone = train("openmpi", 0, tmp_path, tiny, "-k", 4, "-i", 5)
    assert same(train("openmpi", 4, tmp_path, tiny, "-k", 4, "-i", 5), alone)


def test_only_rank_0_prints(corpus, tmp_path):
    done = subprocess.run(command("openmpi", 3, "train", corpus, "-k", 5, "-i", 2, "--device", DEVICE, "--log",
                                  tmp_path / "log", "-o", tmp_path / "m.ezm"),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LIMIT_S)
    assert done.returncode == 0, done
    assert done.stderr.count("3 ranks, Open MPI") == 1, done.stderr
    assert done.stdout.count("400 documents") == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["log", "m.ezm"]


@pytest.fixture
def started():
    """Starts a job that is ended with the test."""
    running = []

    def start(mpi, ranks, *arguments):
        running.append(subprocess.Popen(command(mpi, ranks, *arguments), stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True))
        return running[-1]

    yield start
    for process in running:
        for pid in [*descendants(process.pid), process.pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.communicate()


def checkpoints(folder):
    return sorted(p.name for p in folder.iterdir()) if folder.exists() else []


def wait_for(condition, process):
    end = time.monotonic() + LIMIT_S
    while not condition():
        assert process.poll() is None and time.monotonic() < end, process.communicate()
        time.sleep(0.02)


def descendants(pid):
    """Processes of ezlda below this one."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            name = (entry / "comm").read_text().strip()
        except (OSError, IndexError):
            continue
        found.append((int(entry.name), int(fields[1]), name))
    below, known = [], {pid}
    for _ in range(8):
        for child, parent, name in found:
            if parent in known and child not in known:
                known.add(child)
                if name == "ezlda":
                    below.append(child)
    return below


def test_a_lost_rank_ends_the_job_which_resumes_on_others(corpus, started, tmp_path):
    long = ("-k", 30, "-i", 100000, "--eval-every", 0)
    folder = tmp_path / "points"
    process = started("openmpi", 3, "train", corpus, *long, "--device", DEVICE, "-q", "--threads", 1, "--checkpoint",
                      folder, "--every", "5it", "-o", tmp_path / "m.ezm")
    wait_for(lambda: len(checkpoints(folder)) >= 2, process)
    os.kill(descendants(process.pid)[1], signal.SIGKILL)
    _, stderr = process.communicate(timeout=LIMIT_S)
    assert process.returncode != 0 and "signal 9" in stderr, stderr
    assert not (tmp_path / "m.ezm").exists()
    newest = int(checkpoints(folder)[-1].split("-")[-1].split(".")[0])
    last = newest + 10
    options = ("-k", 30, "-i", last, "--eval-every", 0)
    resumed = train("openmpi", 2, tmp_path, corpus, *options, "--checkpoint", folder, "--resume")
    assert resumed["topics_hash"] == train("openmpi", 0, tmp_path, corpus, *options)["topics_hash"]


def test_sigterm_to_any_rank_leaves_a_checkpoint(corpus, started, tmp_path):
    folder = tmp_path / "points"
    process = started("openmpi", 2, "train", corpus, "-k", 30, "-i", 100000, "--device", DEVICE, "-q", "--checkpoint",
                      folder, "--every", "5it", "-o", tmp_path / "m.ezm")
    wait_for(lambda: checkpoints(folder), process)
    os.kill(descendants(process.pid)[-1], signal.SIGTERM)
    _, stderr = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 143 and stderr.count("a checkpoint is in") == 1, (process.returncode, stderr)


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_sighup_before_the_run_ends_the_job(mpi, started, tmp_path):
    """The corpus is a pipe that nobody writes to. UCX, which MPI may bring along, takes SIGHUP for itself."""
    os.mkfifo(tmp_path / "pipe")
    process = started(mpi, 2, "train", tmp_path / "pipe", "-k", 3, "-i", 2, "--device", DEVICE, "-o", tmp_path / "m.ezm")
    lines = iter(process.stderr.readline, "")
    assert any(line.startswith("2 ranks, ") for line in lines)
    time.sleep(0.5)  # rank 0 is past this, the others soon
    for rank in descendants(process.pid):
        with contextlib.suppress(ProcessLookupError):  # the first one's end may have ended it
            os.kill(rank, signal.SIGHUP)
    _, stderr = process.communicate(timeout=20)
    assert process.returncode != 0 and "cannot" not in stderr, stderr


def test_a_failure_names_the_rank_and_ends_the_job(tmp_path):
    done = train("openmpi", 2, tmp_path, tmp_path / "missing.ezc", "-k", 5, "-i", 2, status=1)
    assert "ezlda: rank " in done.stderr and "missing.ezc" in done.stderr


def start_unlike(mpi, first, second, **environment):
    """Two ranks with arguments of their own."""
    return subprocess.run([*launcher(mpi, 1), BINARY, "train", *map(str, first), ":", "-n", "1", BINARY, "train",
                           *map(str, second)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=LIMIT_S, env={**os.environ, **environment})


DIFFERENT = [
    (["--seed", 2], "seed is 2 at rank 1 and 1 at rank 0"),
    (["-k", 31], "topics is 31 at rank 1 and 30 at rank 0"),
    (["-i", 13], "iterations is 13 at rank 1 and 12 at rank 0"),
    (["--alpha", 0.3], "the sum of alpha is 9 at rank 1 and 3 at rank 0"),
    (["--optimize-interval", 4], "optimize-interval is 4 at rank 1 and 10 at rank 0"),
    (["--eval-every", 3], "eval-every is 3 at rank 1 and 50 at rank 0"),
    (["--checkpoint", "POINTS"], "checkpoint (1: there is a folder) is 1 at rank 1"),
]


@pytest.mark.parametrize("more, said", DIFFERENT, ids=lambda value: str(value)[:20])
def test_ranks_with_other_options_are_refused(more, said, corpus, tmp_path):
    common = [corpus, "-k", 30, "-i", 12, "--alpha", 0.1, "--device", DEVICE, "-q", "-o", tmp_path / "m.ezm"]
    more = [tmp_path / "points" if word == "POINTS" else word for word in more]
    done = start_unlike("mpich", common, common + more)
    assert done.returncode != 0 and said in done.stderr and "all must do the same" in done.stderr, done
    assert not (tmp_path / "m.ezm").exists()


@pytest.mark.parametrize("mpi", LAUNCHERS)
def test_a_rank_that_fails_ends_those_that_are_at_work(mpi, tmp_path):
    """Rank 1 does not come to the first sum: rank 0 would wait there, or count for a long time before."""
    rest = ["-k", 30, "-i", 12, "--device", DEVICE, "-q", "-o", tmp_path / "m.ezm"]
    text = tmp_path / "long.txt"
    text.write_text("".join(f"word{i % 997} other{i % 89} third{i % 31}\n" for i in range(400000)))
    begin = time.monotonic()
    done = start_unlike(mpi, [text, "--keep-numbers", *rest], [tmp_path / "missing.ezc", *rest])
    assert done.returncode != 0 and "ezlda: rank 1: " in done.stderr and "missing.ezc" in done.stderr, done
    assert time.monotonic() - begin < LIMIT_S / 2


def test_ranks_with_another_corpus_are_refused(corpus, tmp_path):
    other = tmp_path / "other.ezc"
    subprocess.run([BINARY, "synth", "-o", other, "--docs", "400", "--words", "900", "--length", "50", "--topics", "9",
                    "--seed", "2", "-q"], check=True)
    rest = ["-k", 30, "-i", 12, "--device", DEVICE, "-q", "-o", tmp_path / "m.ezm"]
    done = start_unlike("openmpi", [corpus, *rest], [other, *rest])
    assert done.returncode != 0 and "all must do the same, with the same corpus" in done.stderr, done
    if DEVICE == "cpu":
        done = start_unlike("mpich", [corpus, *rest], [corpus, *rest, "--device", "reference"])
        assert done.returncode != 0 and "the device is reference at rank 1 and cpu at rank 0" in done.stderr, done


def test_processes_that_do_not_know_of_each_other_are_refused(corpus, tmp_path):
    arguments = [corpus, "-k", 5, "-i", 1, "--device", DEVICE, "-q", "-o", tmp_path / "m.ezm"]
    done = start_unlike("mpich", arguments, arguments, EZLDA_MPI="openmpi")
    assert done.returncode != 0 and "2 processes were started, but openmpi reports one; set EZLDA_MPI" in done.stderr, done
    task = {**os.environ, "SLURM_STEP_NUM_TASKS": "2", "SLURM_PROCID": "1"}
    alone = [BINARY, "train", *map(str, arguments)]
    done = subprocess.run(alone, stderr=subprocess.PIPE, text=True, env=task, timeout=LIMIT_S)
    assert done.returncode == 1 and "srun has started 2 tasks without MPI" in done.stderr
    assert not (tmp_path / "m.ezm").exists()
    assert subprocess.run(alone, env={**task, "EZLDA_MPI": "none"}, timeout=LIMIT_S).returncode == 0


def test_ranks_join_in_memory_if_the_scratch_folder_is_full(corpus, tmp_path):
    """The scratch folder has room for the topics and counts of each rank, but not for what the ranks have together."""
    faults, hashes = BUILD / "tests" / "ezlda-faults", []
    for rule in ("mmap:1000=ENOSPC", "mmap:7+=ENOSPC"):
        done = subprocess.run([*launcher("mpich", 2), faults, "train", corpus, "-k", "20", "-i", "3", "--out-of-core",
                               "--scratch", tmp_path, "--summary", tmp_path / "s.json", "-o", tmp_path / "m.ezm"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LIMIT_S,
                              env={**os.environ, "EZLDA_FAIL_IO": rule, "EZLDA_MPI": str(BUILD / "libezlda-mpich.so")})
        assert done.returncode == 0, done
        hashes.append(json.loads((tmp_path / "s.json").read_text())["topics_hash"])
    assert "what the ranks have is kept in memory" in done.stderr and hashes[0] == hashes[1], done.stderr
    assert "65536 bytes: No space left on device; it is kept in memory" in done.stderr  # the model


def test_a_missing_module_is_named(corpus, tmp_path):
    done = subprocess.run([BINARY, "train", corpus, "-k", "5", "-i", "1", "--device", DEVICE, "-o", tmp_path / "m.ezm"],
                          env={**os.environ, "EZLDA_MPI": "nowhere"}, stderr=subprocess.PIPE, text=True,
                          timeout=LIMIT_S)
    assert done.returncode == 1 and "libezlda-nowhere.so" in done.stderr
    assert not (tmp_path / "m.ezm").exists()


@pytest.mark.parametrize("mpi", LAUNCHERS)
def test_a_program_that_is_started_by_its_name(mpi, corpus, tmp_path):
    """Its module lies beside it, not where the user happens to be."""
    (tmp_path / "ezlda").write_text("")
    (tmp_path / f"libezlda-{mpi}.so").write_text("no library")
    done = subprocess.run([*launcher(mpi, 2), "ezlda", "train", str(corpus), "-k", "5", "-i", "1", "--device", DEVICE,
                           "-o", "m.ezm"], cwd=tmp_path, stderr=subprocess.PIPE, text=True, timeout=LIMIT_S,
                          env={**os.environ, "PATH": f"{Path(BINARY).parent}:{os.environ['PATH']}"})
    assert done.returncode == 0 and "2 ranks" in done.stderr, done


@pytest.mark.parametrize("mpi", LAUNCHERS)
def test_a_job_is_joined_and_ended_once(mpi, tmp_path):
    launch = launcher(mpi, 2)
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", {"openmpi": "ompi-c", "mpich": "mpich"}[mpi]], check=True,
                           stdout=subprocess.PIPE, text=True).stdout.split()
    program = tmp_path / "join_twice"
    subprocess.run(["gcc", ROOT / "tests" / "cluster" / "join_twice.c", f"-I{ROOT}/include", "-o", program,
                    BUILD / "libezlda.so", f"-Wl,-rpath,{BUILD}", *flags], check=True)
    for arguments, said in (([], "2\nMPI was ended in this process before"), (["itself"], "2\n")):
        done = subprocess.run([*launch, program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=LIMIT_S)
        assert done.returncode == 0 and said in done.stdout, done

"""What bench/quality compares: each tool with defaults, and at its best, in one function per tool.

A function gets a Job and returns Trained: phi (topics by words, rows sum to 1), alpha (one per topic) and theta
(documents by topics), each as the tool itself gives them. Every tool uses one thread."""

import gzip
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy

import quality_corpora as corpora


class TooSlow(Exception):
    """A run would take longer than it may; the argument is the number of seconds."""


def process_seconds(pid):
    """Processor seconds that a running process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Clock:
    """Called with the share of the work that is done; gives up early on a run that would exceed the limit.

    Seconds are those of the processor, so a busy machine does not change what is given up."""

    def __init__(self, limit, look=20.0):
        self.limit, self.look, self.pid = limit, look, os.getpid()

    def seconds(self):
        return process_seconds(self.pid)

    def at(self, share):
        seconds = self.seconds()
        if share > 0 and seconds >= self.look and seconds / share > self.limit:
            raise TooSlow(seconds / share)


@dataclass
class Job:
    folder: Path  # of the corpus
    bags: object  # its training documents, a CSR matrix
    topics: int
    seed: int
    clock: Clock
    out: Path  # a folder for files of the run
    program: Path  # the command ezlda


@dataclass
class Trained:
    phi: object
    alpha: object
    theta: object
    iterations: int = 0


def normal(rows):
    return rows / rows.sum(axis=1, keepdims=True)


def in_order(names, bags):
    """The columns of a tool's words, by our numbers; every tool must know every word."""
    place = {name: i for i, name in enumerate(names)}
    return [place[corpora.word_name(v)] for v in range(bags.shape[1])]


def ezlda(job, *options):
    model, summary = job.out / "model.ezm", job.out / "summary.json"
    train = ["--vocab", job.folder / "words.txt", "--seed", job.seed, "--quiet", "--summary", summary, "-o", model]
    call = lambda *words: subprocess.run([str(word) for word in words], check=True)
    call(job.program, "train", job.folder / "train.uci", "-k", job.topics, *train, *options)
    call(job.program, "export", model, "--to", "npz", "-o", job.out / "model.npz", "--quiet")
    call(job.program, "infer", model, job.folder / "train.uci", "--vocab", job.folder / "words.txt", "--to", "npy",
         "-o", job.out / "theta.npy", "--quiet")
    z = numpy.load(job.out / "model.npz")
    counts = numpy.zeros(z["topic_word_shape"])
    for k in range(len(counts)):
        part = slice(z["topic_word_indptr"][k], z["topic_word_indptr"][k + 1])
        counts[k, z["topic_word_indices"][part]] = z["topic_word_data"][part]
    columns = in_order(z["vocab"], job.bags)
    return Trained(normal(counts[:, columns] + z["beta"]), z["alpha"], numpy.load(job.out / "theta.npy"),
                   json.loads(summary.read_text(encoding="utf-8"))["iterations"])


def mallet(job, *options):
    """MALLET_CLASSPATH: its classes and the jars that they need."""
    java = ["java", "-Xmx8g", "-cp", os.environ["MALLET_CLASSPATH"]]
    text, packed, state, weights, shares = (job.out / name for name in ("text", "packed", "state.gz", "weights", "docs"))
    with open(text, "w", encoding="ascii") as out:
        for d, words in enumerate(corpora.documents(job.bags)):
            print(f"d{d}", "x", *words, file=out)
    subprocess.run([*java, "cc.mallet.classify.tui.Csv2Vectors", "--input", text, "--output", packed, "--keep-sequence",
                    "--preserve-case", "--token-regex", r"\S+"], check=True, capture_output=True)
    train = [*java, "cc.mallet.topics.tui.TopicTrainer", "--input", packed, "--num-topics", job.topics, "--num-threads", 1,
             "--random-seed", job.seed, "--output-state", state, "--topic-word-weights-file", weights,
             "--output-doc-topics", shares, *options]
    with subprocess.Popen([str(word) for word in train], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
        job.clock.pid = run.pid
        try:
            for line in run.stderr:  # "<10> LL/token: -9.1" after every ten of a thousand iterations
                if line.startswith("<"):
                    job.clock.at(int(line[1:line.index(">")]) / 1000)
        except TooSlow:
            run.kill()
            raise
        finally:
            job.clock.pid = os.getpid()
    if run.returncode:
        raise subprocess.CalledProcessError(run.returncode, "MALLET")
    with gzip.open(state, "rt", encoding="utf-8") as lines:
        alpha = [float(x) for x in [next(lines), next(lines)][1].split(":")[1].split()]
    phi = numpy.zeros((job.topics, job.bags.shape[1]))
    numbers = {corpora.word_name(v): v for v in range(job.bags.shape[1])}
    with open(weights, encoding="utf-8") as lines:
        for topic, word, weight in map(str.split, lines):
            phi[int(topic), numbers[word]] = float(weight)
    theta = numpy.loadtxt(shares, usecols=range(2, 2 + job.topics), ndmin=2)
    return Trained(normal(phi), numpy.array(alpha), theta, 1000)


def pyrmallet(job, **options):
    from pyrmallet import LatentDirichletAllocation
    texts = [" ".join(words) for words in corpora.documents(job.bags)]
    model = LatentDirichletAllocation(n_components=job.topics, random_state=job.seed, callback_interval=50,
                                      callback=lambda done, of, _: job.clock.at(done / of), **options).fit(texts)
    columns = in_order(model.feature_names_in_, job.bags)
    return Trained(normal(model.components_[:, columns]), numpy.array(model._model.alpha), model.doc_topic_distributions_,
                   model.max_iter)


def tomotopy(job, iterations, burn_in=None):
    """iterations: of the example in its documentation, which calls train(10) ten times, or a thousand."""
    import tomotopy as tp
    model = tp.LDAModel(k=job.topics, seed=job.seed)
    if burn_in is not None:
        model.burn_in = burn_in
    for words in corpora.documents(job.bags):
        model.add_doc(words)
    for done in range(0, iterations, 10):
        job.clock.at(done / iterations)
        model.train(10, workers=1)
    columns = in_order(model.used_vocabs, job.bags)
    phi = numpy.array([model.get_topic_word_dist(k) for k in range(job.topics)])
    return Trained(phi[:, columns], numpy.array(model.alpha), numpy.array([doc.get_topic_dist() for doc in model.docs]),
                   iterations)


def gensim(job, passes=1, **options):
    from gensim.models import LdaModel

    class Watched(LdaModel):
        seen = 0

        def do_estep(self, chunk, *arguments, **rest):
            self.seen += len(chunk)
            result = super().do_estep(chunk, *arguments, **rest)
            job.clock.at(self.seen / (job.bags.shape[0] * passes))
            return result
    bags = [list(zip(row.indices.tolist(), row.data.tolist())) for row in job.bags]
    names = {v: corpora.word_name(v) for v in range(job.bags.shape[1])}
    model = Watched(bags, job.topics, names, passes=passes, random_state=job.seed, **options)
    return Trained(model.get_topics(), numpy.array(model.alpha), normal(model.inference(bags)[0]), passes)


def scikit_learn(job, max_iter=10):
    from sklearn.decomposition import LatentDirichletAllocation

    class Watched(LatentDirichletAllocation):
        steps = 0

        def _em_step(self, *arguments, **rest):
            super()._em_step(*arguments, **rest)
            self.steps += 1
            job.clock.at(self.steps / max_iter)
    model = Watched(job.topics, max_iter=max_iter, random_state=job.seed)
    theta = model.fit_transform(job.bags)
    return Trained(normal(model.components_), numpy.full(job.topics, model.doc_topic_prior_), theta, model.n_iter_)


# In the order of the table: name, setting, what is done.
RUNS = {
    ("ezlda", "default"): ezlda,
    ("MALLET", "best"): lambda job: mallet(job, "--optimize-interval", 10),
    ("pyrmallet", "default"): pyrmallet,
    ("pyrmallet", "best"): lambda job: pyrmallet(job, optimize_interval=10),
    ("tomotopy", "default"): lambda job: tomotopy(job, 100),
    ("tomotopy", "best"): lambda job: tomotopy(job, 1000, burn_in=200),
    ("gensim", "default"): gensim,
    ("gensim", "best"): lambda job: gensim(job, passes=20, alpha="auto", eta="auto", iterations=400),
    ("scikit-learn", "default"): scikit_learn,
    ("scikit-learn", "best"): lambda job: scikit_learn(job, 100),
}

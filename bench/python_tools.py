"""What bench/python_speed.py compares: each tool trains in one call of its own, as its users do, and is looked at now
and then. The clock stands still while topics are scored; what a tool does in other processes meanwhile is its gain."""

import time


class Done(Exception):
    """The limit is reached, or the target."""


class Watch:
    """Called by a tool after every step: keeps the clock, and scores the topics at growing intervals."""

    def __init__(self, score, limit, tell, growth=1.3):
        self.score, self.limit, self.tell, self.growth = score, limit, tell, growth
        self.steps, self.due, self.paused = 0, 0.0, 0.0
        self.start = time.monotonic()

    def seconds(self):
        return time.monotonic() - self.start - self.paused

    def step(self, topics):
        """topics: a call that gives the topics as they are, K by words."""
        self.steps += 1
        now = self.seconds()
        if now < self.due and now < self.limit:
            return
        before = time.monotonic()
        reached = self.tell(self.steps, now, self.score(topics()))
        self.due = max(now * self.growth, now + 0.5)
        self.paused += time.monotonic() - before
        if reached or now >= self.limit:
            raise Done


def scikit_learn(train, s, watch, method):
    from sklearn.decomposition import LatentDirichletAllocation

    class Watched(LatentDirichletAllocation):
        def _em_step(self, *arguments, **options):
            super()._em_step(*arguments, **options)
            watch.step(lambda: self.components_)
    Watched(s["topics"], doc_topic_prior=s["alpha"], topic_word_prior=s["beta"], learning_method=method,
            max_iter=10**6, evaluate_every=-1, random_state=s["seed"], n_jobs=s["threads"]).fit(train)


def gensim(train, s, watch):
    from gensim.matutils import Sparse2Corpus
    from gensim.models import LdaMulticore

    class Watched(LdaMulticore):
        def do_mstep(self, *arguments, **options):
            super().do_mstep(*arguments, **options)
            watch.step(self.state.get_lambda)
    documents = list(Sparse2Corpus(train, documents_columns=False))
    names = {w: str(w) for w in range(train.shape[1])}
    watch.start = time.monotonic()
    Watched(documents, s["topics"], names, workers=s["threads"], passes=10**6, alpha=s["alpha"], eta=s["beta"],
            eval_every=None, random_state=s["seed"])


def tomotopy(train, s, watch):
    import numpy
    import tomotopy as tp
    model = tp.LDAModel(k=s["topics"], alpha=s["alpha"], eta=s["beta"], seed=s["seed"])
    model.optim_interval = 0
    for d in range(train.shape[0]):
        part = slice(train.indptr[d], train.indptr[d + 1])
        words = numpy.repeat(train.indices[part], train.data[part])
        if len(words):
            model.add_doc(list(map(str, words)))
    watch.start = time.monotonic()
    model.train(0, workers=s["threads"])
    numbers = numpy.array(list(model.used_vocabs), dtype=numpy.int64)

    def topics():
        made = numpy.zeros((s["topics"], train.shape[1]), dtype=numpy.float32)
        for k in range(s["topics"]):
            made[k, numbers] = model.get_topic_word_dist(k)
        return made
    while True:
        model.train(1, workers=s["threads"])
        watch.step(topics)


def lda(train, s, watch):
    from lda import LDA

    class Watched(LDA):
        def _sample_topics(self, rands):
            super()._sample_topics(rands)
            watch.step(lambda: self.nzw_ + self.eta)
    Watched(s["topics"], n_iter=10**6, alpha=s["alpha"], eta=s["beta"], random_state=s["seed"],
            refresh=10**6).fit(train)


ITERATIONS = (1, 2, 3, 5, 8, 12, 18, 27, 40, 60, 100)


def ours(train, s, watch):
    """Every point is a fit of its own, by the clock from the matrix to the model."""
    from ezlda import LatentDirichletAllocation
    for n in ITERATIONS:
        start = time.monotonic()
        made = LatentDirichletAllocation(
            s["topics"], doc_topic_prior=s["alpha"], topic_word_prior=s["beta"], max_iter=n, random_state=s["seed"],
            n_jobs=s["threads"], device=s.get("device", "cpu")).fit(train)
        watch.tell(n, time.monotonic() - start, watch.score(made.components_))


TOOLS = {
    "ezlda": ours,
    "scikit-learn batch": lambda *rest: scikit_learn(*rest, "batch"),
    "scikit-learn online": lambda *rest: scikit_learn(*rest, "online"),
    "gensim LdaMulticore": gensim,
    "tomotopy": tomotopy,
    "lda": lda,
}

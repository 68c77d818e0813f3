"""Training, with progress bars, callbacks and interrupts."""
from __future__ import annotations

import warnings
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Sequence

import numpy as np

from . import _calls, _ezlda
from .bars import Bar, make_bar
from .corpus import Corpus
from .errors import InterruptWarning
from .model import Model

BAR_EVERY = 0.05  # seconds

#: One entry of a model's history.
RECORD = np.dtype([("iteration", "u4"), ("iterations", "u4"), ("tokens", "u8"), ("seconds", "f8"),
                   ("iteration_seconds", "f8"), ("skipped", "f8"), ("moved", "f8"), ("llpt", "f8")])


class Progress(NamedTuple):
    """What a callback is told after an iteration."""

    iteration: int
    iterations: int
    tokens: int
    seconds: float  #: of sampling, scoring left out
    iteration_seconds: float
    skipped: float  #: share of tokens decided without their document's counts
    moved: float  #: share of tokens whose topic changed
    llpt: float  #: log2-likelihood a token; NaN where it was not scored


Callback = Callable[[Progress], Any]


def as_list(callbacks: Callback | Sequence[Callback] | None) -> list[Callback]:
    """One callback, several or none, as a list."""
    return [callbacks] if callable(callbacks) else list(callbacks or ())


def _watcher(bar: Bar | None, callbacks: Sequence[Callback]) -> tuple[Callable[..., bool] | None, float]:
    """What the library calls, and how often it must."""
    def watch(*values: Any) -> bool:
        told = Progress(*values)
        if bar:
            bar.show(told)
        stops = [bool(callback(told)) for callback in callbacks]  # all of them are told
        return any(stops)
    return (watch if bar or callbacks else None), (0.0 if callbacks else BAR_EVERY)


def seed_pairs(seeds: Mapping[int, Iterable[str]] | Sequence[Iterable[str]] | None) -> list[tuple[int, str]] | None:
    """Seeds as pairs: from a mapping of topics to words, or from lists of words of topics 0, 1, ..."""
    if seeds is None:
        return None
    lists = seeds.items() if isinstance(seeds, Mapping) else enumerate(seeds)
    pairs = [(int(topic), word) for topic, words in lists for word in ([words] if isinstance(words, str) else words)]
    for topic, word in pairs:
        if not isinstance(word, str):
            raise TypeError(f"seeds of topic {topic}: expected words, found {word!r:.80}")
    return pairs


def run_training(context: Any, corpus: Corpus, options: dict[str, Any], *, alpha: Any = None, seeds: Any = None,
                 init: Model | None = None, progress: bool | None = False,
                 callbacks: Sequence[Callback] = ()) -> tuple[Model, bool]:
    """Trains; also tells whether it was interrupted."""
    vector = None
    if alpha is not None and np.ndim(alpha) > 0:
        vector = np.ascontiguousarray(alpha, dtype=np.float64)
    elif alpha is not None:
        options = {**options, "alpha": alpha}
    bar = make_bar(progress)
    watch, interval = _watcher(bar, callbacks)
    try:
        handle, records, interrupted = _ezlda.train(context, corpus._handle, options, vector, seed_pairs(seeds),
                                                    init._handle if init is not None else None, watch, interval)
    finally:
        if bar:
            bar.close()
    return Model._of(handle, np.frombuffer(records, dtype=RECORD)), interrupted


def train(corpus: Any, topics: int | None = None, iterations: int = 200, *, seed: int = 1, alpha: Any = None,
          beta: float | None = None, init: Model | None = None, seeds: Any = None, device: str = "auto",
          threads: int = 0, progress: bool | None = None, callback: Callback | Sequence[Callback] = (),
          **options: Any) -> Model:
    """Trains a model.

    The result depends on the corpus, topics, iterations, seed, priors, estimator and start alone: device, threads and
    sampler change the time it takes. It is the model of ``ezlda train`` with the same values.

    Parameters
    ----------
    corpus : a Corpus, or what Corpus() takes.
    topics : number of topics, 2 to 65,536; with ``init`` it is the model's.
    alpha : prior of documents' topics, a number for each topic or an array; None: 50 / topics, or that of ``init``.
    beta : prior of topics' words; None: 0.01, or that of ``init``.
    init : a model to continue from.
    seeds : words that topics start with and lean to: {topic: words}, or a list of lists.
    device : "auto", "cuda", "cuda:N", "cuda:0,1", "cuda:all", "cpu" or "reference".
    threads : 0 for one on each processor, or as OMP_NUM_THREADS says.
    progress : a tqdm bar; None: in terminals and notebooks, where tqdm is installed.
    callback : called with a `Progress` after each iteration; one that returns true ends the training.
    options : estimator, start, sampler, g, w_format, eval_every, keep_topics, optimize_interval, optimize_burn_in,
        symmetric_alpha, seed_weight, converged_gain, device_memory, checkpoint, checkpoint_seconds,
        checkpoint_iterations, resume, balance, region, loose_records, out_of_core, memory, scratch.

    KeyboardInterrupt ends the training after the current iteration: the model so far is returned, with an
    `InterruptWarning`.
    """
    model, interrupted = train_until_stopped(corpus, topics, iterations, seed=seed, alpha=alpha, beta=beta, init=init,
                                             seeds=seeds, device=device, threads=threads, progress=progress,
                                             callback=callback, **options)
    if interrupted:
        warnings.warn(f"interrupted: this is the model after {model.info['iterations']} iterations", InterruptWarning,
                      stacklevel=2)
    return model


def train_until_stopped(corpus: Any, topics: int | None, iterations: int, *, alpha: Any = None,
                        init: Model | None = None, seeds: Any = None, device: str = "auto", threads: int = 0,
                        progress: bool | None = None, callback: Callback | Sequence[Callback] = (),
                        **options: Any) -> tuple[Model, bool]:
    """As `train`; also tells whether it was interrupted."""
    _calls.check_type("init", init, Model, " (Model.load opens a file)")
    context = _calls.context(threads)
    _calls.check_device(device)
    _ezlda.open_device(context, device)
    if not isinstance(corpus, Corpus):
        corpus = Corpus(corpus, like=init)
    if topics is None:
        if init is None:
            raise ValueError("topics: how many?")
        topics = init.n_topics
    for name in ("checkpoint", "scratch"):
        if options.get(name) is not None:
            options[name] = _calls.text_path(options[name])
    given = dict(options, topics=topics, iterations=iterations, device=device)
    return run_training(context, corpus, given, alpha=alpha, seeds=seeds, init=init, progress=progress,
                        callbacks=as_list(callback))


def plan(corpus: Any, topics: int, iterations: int = 200, *, seconds: float = 10, threads: int = 0,
         **options: Any) -> dict[str, Any]:
    """What a training will take, memory and time, found by a trial of about so many seconds."""
    if not isinstance(corpus, Corpus):
        corpus = Corpus(corpus)
    return _ezlda.train_plan(_calls.context(threads), corpus._handle,
                             dict(options, topics=topics, iterations=iterations), float(seconds))

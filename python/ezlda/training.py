"""Training runs and forecasts of runs, with progress bars, callbacks and interrupts."""
from __future__ import annotations

import functools
import numbers
import warnings
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, NamedTuple, Sequence

import numpy as np

from . import _calls, _ezlda
from .bars import Bar, make_bar
from .corpus import Corpus
from .errors import ArgumentError, InterruptWarning, UnknownWordsWarning
from .model import Model
from .options import PlanOptions, TrainOptions, lists_options

if TYPE_CHECKING:
    from typing import Unpack

BAR_EVERY = 0.05  # seconds
FITTING = ("optimize_interval", "optimize_burn_in", "symmetric_alpha")  # options that fixed priors exclude

#: One record of a model's history.
RECORD = np.dtype([("iteration", "u4"), ("iterations", "u4"), ("tokens", "u8"), ("seconds", "f8"),
                   ("iteration_seconds", "f8"), ("skipped", "f8"), ("moved", "f8"), ("llpt", "f8")])


class _Figures(NamedTuple):
    """The figures of an iteration."""

    iteration: int
    iterations: int  #: the last iteration; the most that the run may make if it ends when it has settled
    tokens: int
    seconds: float  #: of sampling so far, without scoring
    iteration_seconds: float
    skipped: float  #: share of tokens decided without their document's counts
    moved: float  #: share of tokens whose topic changed
    llpt: float  #: log2-likelihood per token; NaN if this iteration was not scored


class Progress(_Figures):
    """The figures of an iteration, as a callback receives them."""

    _run: Any = None

    def model(self, threads: int = 0) -> Model:
        """Return the model so far, with the topics of this iteration: ``progress.model().topics_frame()``.

        Call it during the callback; afterwards it raises RuntimeError. It costs about as much as an iteration, and the
        run continues as if it had not been called. Raises `UnsupportedError` for a run out of core.
        """
        if self._run is None:
            raise RuntimeError("these figures do not belong to a run")
        return Model._of(_ezlda.train_snapshot(_calls.context(threads), self._run))


Callback = Callable[[Progress], Any]


def as_list(callbacks: Callback | Sequence[Callback] | None) -> list[Callback]:
    """Return one callback, several or none as a list."""
    return [callbacks] if callable(callbacks) else list(callbacks or ())


def _watcher(bar: Bar | None, callbacks: Sequence[Callback]) -> tuple[Callable[..., bool] | None, float]:
    """Return the function that the library calls, or None, and the least number of seconds between its calls."""
    def watch(run: Any, *values: Any) -> bool:
        progress = Progress(*values)
        progress._run = run
        if bar:
            bar.show(progress)
        stops = [bool(callback(progress)) for callback in callbacks]  # all of them are called
        return any(stops)
    return (watch if bar or callbacks else None), (0.0 if callbacks else BAR_EVERY)


def pass_or_warn(raised: list[Warning], level: int, text: str) -> None:
    """Log a note of the library; one about missing seeds becomes an `UnknownWordsWarning`. The library calls this, so a
    warning that a filter turns into an exception is kept in ``raised``."""
    if not text.startswith("seeds: "):
        _calls.pass_note(level, text)
        return
    try:
        warnings.warn(text, UnknownWordsWarning, stacklevel=_calls.depth_of_caller())
    except UnknownWordsWarning as warning:
        raised.append(warning)


def seed_pairs(seeds: Mapping[int, Iterable[str]] | Sequence[Iterable[str]] | None) -> list[tuple[int, str]] | None:
    """Return seeds as (topic, word) pairs, from a mapping of topics to words or from lists of words for topics 0, 1,
    ..."""
    if seeds is None:
        return None
    lists = seeds.items() if isinstance(seeds, Mapping) else enumerate(seeds)
    pairs = [(int(topic), word) for topic, words in lists for word in ([words] if isinstance(words, str) else words)]
    for topic, word in pairs:
        if not isinstance(word, str):
            raise TypeError(f"seeds of topic {topic}: expected words, found {word!r:.80}")
    return pairs


def check_iterations(iterations: Any) -> None:
    """Check a number of iterations, of which the library reads 0 as its default."""
    if isinstance(iterations, numbers.Integral) and int(iterations) < 1:
        raise ArgumentError(f"iterations is {iterations}; expected a whole number from 1")


def prior_options(fixed_priors: bool, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options with what ``fixed_priors`` means. Raises ValueError if options for fitting are given too."""
    given = [name for name in FITTING if options.get(name) is not None]
    if fixed_priors and given:
        raise ValueError(f"{given[0]} and fixed_priors exclude each other")
    return {**options, "optimize_interval": 0} if fixed_priors else options


def may_settle(options: Mapping[str, Any]) -> bool:
    """Return whether a run may end before its last iteration."""
    return options.get("iterations") is None or bool(options.get("converged_gain"))


def run_training(context: Any, corpus: Corpus, options: dict[str, Any], *, alpha: Any = None, seeds: Any = None,
                 init: Model | None = None, progress: bool | str | None = False,
                 callbacks: Sequence[Callback] = ()) -> tuple[Model, bool]:
    """Train a model. Return it and whether the run was interrupted."""
    vector = None
    if np.ndim(options.get("beta", 0.0)) > 0:
        raise ValueError("beta: expected one number, found several; to draw words to topics, use seeds")
    if alpha is not None and np.ndim(alpha) > 0:
        vector = np.ascontiguousarray(alpha, dtype=np.float64)
    elif alpha is not None:
        options = {**options, "alpha": alpha}
    bar = make_bar(progress, may_settle(options))
    watch, interval = _watcher(bar, callbacks)
    try:
        handle, records, interrupted = _ezlda.train(context, corpus._handle, options, vector, seed_pairs(seeds),
                                                    init._handle if init is not None else None, watch, interval)
        model = Model._of(handle, np.frombuffer(records, dtype=RECORD))
        if bar and not interrupted and may_settle(options):
            bar.complete(model.info["iterations"])
    finally:
        if bar:
            bar.close()
    return model, interrupted


@lists_options(TrainOptions)
def train(corpus: Any, topics: int | None = None, iterations: int | None = None, *, seed: int = 1, alpha: Any = None,
          beta: float | None = None, fixed_priors: bool = False, init: Model | None = None, seeds: Any = None,
          device: str = "auto", threads: int = 0, progress: bool | str | None = None,
          callback: Callback | Sequence[Callback] = (), **options: Unpack[TrainOptions]) -> Model:
    """Train a model and return it.

    The result depends only on the corpus, topics, iterations, seed, priors, estimator and start. Device, threads and
    sampler change how long it takes. ``ezlda train`` with the same values gives the same model.

    Parameters
    ----------
    corpus : a Corpus, or anything that Corpus() accepts.
    topics : number of topics, 2 to 65,536. Default: that of ``init``; required without ``init``.
    iterations : passes over all tokens, from 1. None (default): until the perplexity of documents that are held out for
        checks has settled, but at least 200 (small corpora: 1,000) and at most 2,000 (very large ones: 300); 200 more
        with ``init``.
    seed : the same seed gives the same model; default 1.
    alpha : prior of the documents' topics, 0.000001 to 100: one number for all topics, or an array with one per topic.
        One that is given stays as it is. None (default): fitted to the corpus.
    beta : prior of the topics' words, 0.000001 to 100, or None, as for ``alpha``.
    fixed_priors : whether to fit no prior; default False. If true, one that is not given is that of ``init``, or else
        50 / topics (alpha) and 0.01 (beta).
    init : a model to continue from.
    seeds : words that topics start with and favour, as {topic: words} or as a list of lists. An `UnknownWordsWarning`
        names those that the corpus does not have.
    device : "auto" (default), "cuda", "cuda:N", "cuda:0,1", "cuda:all", "cpu" or "reference".
    threads : number of threads; 0 (default): one per processor, or OMP_NUM_THREADS if that is set.
    progress : whether to show a progress bar: "tqdm" (or True) or "rich", whose package must be installed, or False;
        None (default): tqdm's in terminals and notebooks, if it is installed.
    callback : one function or several, called with a `Progress` after each iteration. The run ends if one returns true.
        ``progress.model()`` is the model so far.
    options : those of ``ezlda train``, with its ranges and defaults: estimator, start, sampler, g, w_format,
        word_samples, eval_every, keep_topics, optimize_interval, optimize_burn_in, symmetric_alpha, seed_weight, converged_gain,
        device_memory, checkpoint, checkpoint_seconds, checkpoint_iterations, resume, balance, region, loose_records,
        out_of_core, memory, scratch.

    Raises `ArgumentError` or TypeError for a wrong option, `DeviceError` if the device is missing or fails, and
    `OutOfMemoryError`. KeyboardInterrupt ends the run after the current iteration: the model so far is returned, with
    an `InterruptWarning`.
    """
    model, interrupted = train_until_stopped(corpus, topics, iterations, seed=seed, alpha=alpha, beta=beta,
                                             fixed_priors=fixed_priors, init=init, seeds=seeds, device=device,
                                             threads=threads, progress=progress, callback=callback, **options)
    if interrupted:
        warnings.warn(f"interrupted: this is the model after {model.info['iterations']} iterations", InterruptWarning,
                      stacklevel=2)
    return model


def train_until_stopped(corpus: Any, topics: int | None, iterations: int | None, *, alpha: Any = None,
                        fixed_priors: bool = False, init: Model | None = None, seeds: Any = None,
                        device: str = "auto", threads: int = 0, progress: bool | str | None = None,
                        callback: Callback | Sequence[Callback] = (), **options: Any) -> tuple[Model, bool]:
    """Train as `train` does. Return the model and whether the run was interrupted."""
    options = prior_options(fixed_priors, options)
    _calls.check_type("init", init, Model, " (Model.load opens a file)")
    raised: list[Warning] = []
    context = _calls.context(threads, functools.partial(pass_or_warn, raised))
    _calls.check_device(device)
    _ezlda.open_device(context, device)
    if not isinstance(corpus, Corpus):
        corpus = Corpus(corpus, like=init, like_limits=init is not None)
    if isinstance(topics, numbers.Integral) and not 2 <= topics <= 65536:
        raise ArgumentError(f"topics is {topics}; expected 2 to 65536")
    check_iterations(iterations)
    if topics is None:
        if init is None:
            raise ValueError("topics: expected a number of topics, or a model to continue from (init)")
        topics = init.n_topics
    for name in ("checkpoint", "scratch"):
        if options.get(name) is not None:
            options[name] = _calls.text_path(options[name])
    given = dict(options, topics=topics, iterations=iterations, device=device)
    made = run_training(context, corpus, given, alpha=alpha, seeds=seeds, init=init, progress=progress,
                        callbacks=as_list(callback))
    if raised:
        raise raised[0]
    return made


def run_update(context: Any, model: Model, corpus: Corpus, options: dict[str, Any], *, decay: float = 1.0,
               new_word_docs: int = 2, all_words: bool = False, fit_priors: bool = False,
               progress: bool | str | None = False, callbacks: Sequence[Callback] = ()) -> tuple[Model, bool]:
    """Update a model. Return it and whether the run was interrupted."""
    bar = make_bar(progress, False)
    watch, interval = _watcher(bar, callbacks)
    try:
        handle, records, interrupted = _ezlda.update(context, model._handle, corpus._handle, options, float(decay),
                                                     new_word_docs, bool(all_words), bool(fit_priors), watch, interval)
    finally:
        if bar:
            bar.close()
    return Model._of(handle, np.frombuffer(records, dtype=RECORD)), interrupted


def update(model: Model, corpus: Any, options: dict[str, Any], *, threads: int, callback: Callback | Sequence[Callback],
           **how: Any) -> Model:
    """Update a model (see `Model.update`)."""
    context = _calls.context(threads)
    _calls.check_device(options["device"])
    _ezlda.open_device(context, options["device"])
    check_iterations(options["iterations"])
    corpus = model.corpus_of(corpus, context)
    if options.get("checkpoint") is not None:
        options["checkpoint"] = _calls.text_path(options["checkpoint"])
    updated, interrupted = run_update(context, model, corpus, options, callbacks=as_list(callback), **how)
    if interrupted:
        warnings.warn(f"interrupted: this is the model after {updated.info['iterations_run']} iterations of the update",
                      InterruptWarning, stacklevel=3)
    return updated


@lists_options(PlanOptions)
def plan(corpus: Any, topics: int, iterations: int | None = None, *, seconds: float = 10, fixed_priors: bool = False,
         threads: int = 0, **options: Unpack[PlanOptions]) -> dict[str, Any]:
    """Forecast the memory and the time of a run, from a trial of about ``seconds`` seconds (default 10).

    The other arguments are those of `ezlda.train`. Returns a dict: docs, tokens, words, device, host_bytes,
    host_available_bytes, device_bytes, chunks, iterations (the most that the run may make if their number is not
    given), seconds_setup, seconds_iteration, seconds_score, seconds_total, tried (the iterations of the trial),
    sample_tokens.
    """
    given = prior_options(fixed_priors, dict(options))
    if not isinstance(corpus, Corpus):
        corpus = Corpus(corpus)
    return _ezlda.train_plan(_calls.context(threads), corpus._handle,
                             dict(given, topics=topics, iterations=iterations), float(seconds))

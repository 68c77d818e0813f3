"""LatentDirichletAllocation with the interface of scikit-learn's estimator."""
from __future__ import annotations

import contextlib
import numbers
import warnings
from typing import Any, Iterator, Sequence

import numpy as np

from . import _calls, _ezlda
from .corpus import Corpus
from .counts import Counts, as_counts, has_fractions, rounded
from .errors import FractionWarning
from .inferencer import warn_of_unknown
from .one_topic import OneTopic
from .sources import words_by_number
from .training import Callback, as_list, run_training, run_update

_calls.needs("scipy.sparse", "ezlda.LatentDirichletAllocation")
_calls.needs("sklearn", "ezlda.LatentDirichletAllocation")

import joblib  # noqa: E402
from scipy.special import psi  # noqa: E402
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin  # noqa: E402
from sklearn.utils import check_array, check_random_state  # noqa: E402
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data  # noqa: E402

# Matrices of these types are read as they are; others are converted to the first.
TYPES = [np.float64, np.float32, np.int64, np.int32, np.uint32, np.uint64, np.int16, np.uint16, np.int8, np.uint8]
SAMPLERS = ["many-branch", "three-branch", "two-branch"]


class LatentDirichletAllocation(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Latent Dirichlet Allocation by Gibbs sampling, with the interface of scikit-learn's estimator.

    X is a matrix of counts with one row per document: SciPy (CSR is read without a copy) or NumPy. Weights that are not
    whole numbers are rounded row by row, with a `FractionWarning`: a row keeps its sum, rounded to the nearest whole
    number, and the weights with the largest fractions are rounded up. Multiply the weights beforehand to keep more of
    them.

    If ``random_state`` is an integer, two fits are equal to the bit, on any device and with any ``n_jobs``, and equal
    to `ezlda.train` and ``ezlda train`` with the same seed, whose defaults are the same.

    Parameters
    ----------
    n_components : int, default=10
        Number of topics, 1 to 65,536.
    doc_topic_prior : float or array of n_components, default=None
        Prior of the documents' topics (alpha), 0.000001 to 100, which stays as it is. None: fitted to X.
    topic_word_prior : float, default=None
        Prior of the topics' words (beta), 0.000001 to 100, which stays as it is. None: fitted to X.
    max_iter : int, default=None
        Passes over all tokens. None: until topics have settled, as in `ezlda.train`. Sampling needs more of them than
        variational inference, but they are cheaper.
    evaluate_every : int, default=-1
        Score the training documents every evaluate_every iterations, into ``history_``; 0 or less: only at the end.
    max_doc_update_iter : int, default=100
        Passes over each document in ``transform``, ``score`` and ``perplexity``.
    n_jobs : int, default=None
        Number of threads. None: one per processor, or OMP_NUM_THREADS if that is set; -1: one per processor.
    verbose : int, default=0
        1: show a progress bar (tqdm).
    random_state : int, RandomState or None, default=None
        An integer, from 0 and below 2**64, is the seed.
    device : str, default="auto"
        "auto", "cuda", "cuda:N", "cpu" or "reference". The result does not depend on it.
    sampler : str, default="many-branch"
        "many-branch", "three-branch" or "two-branch". The result does not depend on it.
    optimize_interval : int, default=10
        Fit the priors that are None every optimize_interval iterations. 0: never, and they are 1 / n_components, as in
        scikit-learn; so is that of one topic.
    tol : float, default=0.0
        Stop when further iterations are expected to gain less than this in log2-likelihood per token (0.005 is a good
        value). This is checked whenever the documents are scored. 0: never stop early.
    partial_iter : int, default=100
        Passes over the new documents in each ``partial_fit`` after the first.
    decay : float, default=1.0
        Share of each count of the past that a ``partial_fit`` keeps, above 0 and at most 1.
    match_columns : bool, default=False
        Whether the columns of a DataFrame are matched by name with those of the first one: others may be missing, new
        or in another order. ``partial_fit`` adds columns that are new; the other methods ignore them.
    callbacks : callable or list of callables, default=None
        Each is called with an `ezlda.Progress` after each iteration. The run ends if one returns true.

    Attributes
    ----------
    components_ : array (n_components, n_features), read-only: tokens of the word in the topic, plus topic_word_prior_.
        Divided by the sums of its rows, it is p(word | topic). It is computed when it is first used.
    exp_dirichlet_component_ : array (n_components, n_features): exp(E[log p(word | topic)]).
    n_iter_ : int: number of iterations done.
    n_batch_iter_ : int: number of batches: 1 after ``fit``, and one more after each ``partial_fit``.
    bound_ : float: perplexity of the documents' tokens under their own topics, after the last iteration. After
        ``partial_fit``, the documents are those of the last call, as in ``history_`` and ``model_``.
    doc_topic_prior_, topic_word_prior_ : the priors, given or fitted.
    history_ : array of records, one per iteration: seconds, skipped, moved, llpt.
    model_ : `ezlda.Model`; with one topic, which needs no sampling, an object with only the methods that the estimator
        uses.
    seed_ : int: the seed that was used.
    n_features_in_, feature_names_in_ : as in all estimators of scikit-learn.
    """

    feature_names_in_: np.ndarray
    n_features_in_: int

    def __init__(self, n_components: int = 10, *, doc_topic_prior: Any = None, topic_word_prior: float | None = None,
                 max_iter: int | None = None, evaluate_every: int = -1, max_doc_update_iter: int = 100,
                 n_jobs: int | None = None, verbose: int = 0, random_state: Any = None, device: str = "auto",
                 sampler: str = "many-branch", optimize_interval: int = 10, tol: float = 0.0,
                 partial_iter: int = 100, decay: float = 1.0, match_columns: bool = False,
                 callbacks: Callback | Sequence[Callback] | None = None) -> None:
        self.n_components = n_components
        self.doc_topic_prior = doc_topic_prior
        self.topic_word_prior = topic_word_prior
        self.max_iter = max_iter
        self.evaluate_every = evaluate_every
        self.max_doc_update_iter = max_doc_update_iter
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state
        self.device = device
        self.sampler = sampler
        self.optimize_interval = optimize_interval
        self.tol = tol
        self.partial_iter = partial_iter
        self.decay = decay
        self.match_columns = match_columns
        self.callbacks = callbacks

    # ---- scikit-learn's own -----------------------------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self) -> int:
        return int(self.model_.n_topics)

    # ---- fitting ----------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> LatentDirichletAllocation:
        """Learn topics from X and return the estimator. ``y`` is ignored.

        Raises ValueError for a wrong parameter or matrix; the estimator then stays as it was. After KeyboardInterrupt,
        which is raised again, it holds the topics so far.
        """
        with self._unless_it_fails():
            self._fit(self._counts(X, "fit", reset=True))
        return self

    def fit_transform(self, X: Any, y: Any = None, *, normalize: bool = True) -> np.ndarray:
        """`fit`, then return `transform` of the same documents."""
        with self._unless_it_fails():
            counts = self._counts(X, "fit", reset=True)
            corpus = self._fit(counts)
        return self._infer(counts, corpus, _dtype_of(X), normalize)

    def partial_fit(self, X: Any, y: Any = None) -> LatentDirichletAllocation:
        """Add the documents of X and return the estimator. ``y`` is ignored.

        The first call trains as `fit` does, unless there was a ``fit``. A later one samples the topics of the documents
        of X alone, partial_iter times, and adds them to the counts so far, of which it keeps the share ``decay``.
        Topics keep their numbers, and priors stay. Neither the time of a call nor the size of the estimator grows with
        the documents of the past, because these are not kept. Raises ValueError if n_components has changed.
        """
        first = not hasattr(self, "model_")
        with self._unless_it_fails():
            if not first and int(self.model_.n_topics) != self.n_components:
                raise ValueError(f"n_components is {self.n_components}, and the topics so far are "
                                 f"{self.model_.n_topics}; expected as many, or a fit() before")
            counts = self._counts(X, "partial_fit", reset=first)
            if first:
                self._fit(counts)
            else:
                self._update(counts)
        return self

    @contextlib.contextmanager
    def _unless_it_fails(self) -> Iterator[None]:
        """Restore the estimator if the block raises before it has learned a model."""
        self._check_parameters()
        self._priors()
        before = dict(self.__dict__)
        try:
            yield
        except BaseException:
            if self.__dict__.get("model_") is before.get("model_"):
                self.__dict__.clear()
                self.__dict__.update(before)
            raise

    def _fit(self, counts: Counts) -> Corpus | None:
        self.seed_ = _seed_of(self.random_state)
        alpha, beta = self._priors()
        context = self._context()
        if self.n_components == 1:
            self._store(OneTopic(counts, 1.0 if alpha is None else float(np.max(alpha)), 1.0 if beta is None else beta,
                                 self._words()))
            return None
        corpus = Corpus._from_counts(counts, self._words(), context)
        options = {**self._options(), "topics": self.n_components, "iterations": self.max_iter, "beta": beta,
                   "optimize_interval": self.optimize_interval, "converged_gain": self.tol}
        model, interrupted = run_training(context, corpus, options, alpha=alpha, progress=bool(self.verbose),
                                          callbacks=as_list(self.callbacks))
        self._store(model)
        if interrupted:
            raise KeyboardInterrupt
        return corpus

    def _update(self, counts: Counts) -> None:
        context = self._context()
        more = [] if counts.words == len(self.model_.words) else list(self.feature_names_in_[len(self.model_.words):])
        if isinstance(self.model_, OneTopic):
            self._store_update(self.model_.updated(counts, self.decay, more))
            return
        if not counts.data.any():
            return  # nothing to learn
        corpus = Corpus._from_counts(counts, [*self.model_.words, *more] if more else self.model_._handle, context)
        model, interrupted = run_update(context, self.model_, corpus, {**self._options(), "iterations": self.partial_iter},
                                        decay=self.decay, all_words=True, progress=bool(self.verbose),
                                        callbacks=as_list(self.callbacks))
        self._store_update(model)
        if interrupted:
            raise KeyboardInterrupt

    def _context(self) -> Any:
        """Return a context with the device, which one topic does not need."""
        context = _calls.context(self._threads())
        if self.n_components > 1 or self.device != "auto":
            _ezlda.open_device(context, self.device)
        return context

    def _options(self) -> dict[str, Any]:
        """Return the options of a run that fits and updates share."""
        return {"seed": self.seed_, "eval_every": max(int(self.evaluate_every), 0), "device": self.device,
                "sampler": self.sampler}

    def _store(self, model: Any) -> None:
        """Store a model that was trained, and its attributes."""
        alpha, beta = self._priors()
        alpha = model.alpha if alpha is None else alpha
        self.doc_topic_prior_ = float(np.ravel(alpha)[0]) if np.all(alpha == np.ravel(alpha)[0]) else np.array(alpha)
        self.topic_word_prior_ = float(model.beta if beta is None else beta)
        self.n_batch_iter_ = 0
        self._store_update(model)

    def _store_update(self, model: Any) -> None:
        self.model_: Any = model
        self.n_iter_ = int(model.info["iterations"])
        self.n_batch_iter_ += 1
        self.bound_ = float(2.0 ** -model.llpt)
        self.history_ = model.history

    def _check_parameters(self) -> None:
        for name, least in (("n_components", 1), ("max_iter", 1), ("max_doc_update_iter", 1), ("partial_iter", 1),
                            ("optimize_interval", 0), ("evaluate_every", None)):
            value = getattr(self, name)
            if name == "max_iter" and value is None:
                continue
            most = 65536 if name == "n_components" else 2**32 - 1
            if not isinstance(value, numbers.Integral) or int(value) > most or \
                    (least is not None and int(value) < least):
                limits = "" if least is None else f" from {least} to {most:,}"
                raise ValueError(f"{name} is {value!r}; expected a whole number{limits}")
        if not isinstance(self.tol, numbers.Real) or not 0 <= self.tol < np.inf:
            raise ValueError(f"tol is {self.tol!r}; expected a number from 0")
        if not isinstance(self.decay, numbers.Real) or not 0 < self.decay <= 1:
            raise ValueError(f"decay is {self.decay!r}; expected a number above 0, at most 1")
        _calls.check_device(self.device)
        if isinstance(self.random_state, numbers.Integral) and int(self.random_state) >= 2**64:
            raise ValueError(f"random_state is {self.random_state!r}; expected a whole number below 2**64")
        if self.sampler not in SAMPLERS:
            raise ValueError(f"sampler is {self.sampler!r}; expected one of {SAMPLERS}")

    def _priors(self) -> tuple[np.ndarray | None, float | None]:
        """Return alpha, one number or one per topic, and beta; None for one that is fitted."""
        unless_given = None if self.optimize_interval else 1 / self.n_components
        alpha = unless_given if self.doc_topic_prior is None else self.doc_topic_prior
        beta = unless_given if self.topic_word_prior is None else self.topic_word_prior
        return None if alpha is None else self._checked_alpha(alpha), None if beta is None else _checked_beta(beta)

    def _checked_alpha(self, given: Any) -> np.ndarray:
        try:
            alpha = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            alpha = np.empty((0, 0))
        if alpha.shape not in ((), (self.n_components,)):
            raise ValueError(f"doc_topic_prior is {given!r}; expected a number, or n_components of them")
        _calls.check_prior("doc_topic_prior", given)
        return alpha

    def _threads(self) -> int:
        return 0 if self.n_jobs is None else int(joblib.effective_n_jobs(self.n_jobs))

    def _words(self) -> list[str] | None:
        """Return the names of the columns as words; None if they are not all different."""
        names = getattr(self, "feature_names_in_", None)
        if names is None or len(set(names)) != len(names) or not all(names):
            return None
        return list(names)

    def _counts(self, X: Any, method: str, *, reset: bool) -> Counts:
        """Return X as counts whose columns are those of the estimator."""
        if isinstance(X, Corpus):
            raise TypeError("expected a matrix of counts, found an ezlda.Corpus: pass corpus.to_csr(), or use ezlda.train")
        names = _names_of(X) if self.match_columns else None
        if names and len(set(names)) != len(names):
            raise ValueError("match_columns: expected columns with different names")
        if reset or names is None or not hasattr(self, "feature_names_in_"):
            read = self._validated(X, reset)
        else:
            read = check_array(X, accept_sparse="csr", dtype=TYPES, estimator=self, input_name="X")
        check_non_negative(read, f"LatentDirichletAllocation.{method}")
        counts = as_counts(read)
        if names is not None and not reset and hasattr(self, "feature_names_in_"):
            counts = self._matched(counts, names, method == "partial_fit")
        if not has_fractions(counts):
            return counts
        warnings.warn("weights that are not whole numbers are rounded; multiply them beforehand to keep more of them",
                      FractionWarning, stacklevel=_calls.depth_of_caller())
        return rounded(counts)

    def _validated(self, X: Any, reset: bool) -> Any:
        try:
            return validate_data(self, X, reset=reset, accept_sparse="csr", dtype=TYPES)
        except ValueError as error:
            if self.match_columns or not str(error).startswith("The feature names should match"):
                raise
            raise ValueError(f"{error}(match_columns=True matches columns by name)") from None

    def _matched(self, counts: Counts, names: list[str], grow: bool) -> Counts:
        """Return the counts with the estimator's columns; others become columns of it if ``grow``, or are removed."""
        number = {name: i for i, name in enumerate(self.feature_names_in_)}
        new = [name for name in names if name not in number]
        if grow and new:
            number.update({name: i for i, name in enumerate(new, len(number))})
            self.feature_names_in_ = np.array(list(number), dtype=object)
            self.n_features_in_ = len(number)
        column = np.array([number.get(name, -1) for name in names], dtype=np.int64)[counts.indices]
        counts = counts._replace(words=len(number), indices=column)
        known = column >= 0
        if known.all():
            return counts
        warn_of_unknown({"tokens": round(counts.data[known].sum()), "unknown_tokens": round(counts.data[~known].sum())})
        kept = np.concatenate([[0], np.cumsum(known)])
        return counts._replace(indptr=kept[counts.indptr], indices=column[known], data=counts.data[known])

    def name_words(self, names: Any) -> LatentDirichletAllocation:
        """Name the words of ``model_``, one name per column, and return the estimator. Nothing else changes.

        After a `fit` in a pipeline, pass ``get_feature_names_out()`` of the vectorizer. Raises ValueError if the number
        of names is wrong.
        """
        check_is_fitted(self, "model_")
        if isinstance(self.model_, OneTopic):
            named = words_by_number(names, self.n_features_in_) or []
            if len(named) != self.n_features_in_:
                raise ValueError(f"{len(named)} words for {self.n_features_in_} columns")
            names = named
        self.model_ = self.model_.with_words(names)
        return self

    # ---- what was learned -------------------------------------------------------------------------------------------

    @property
    def components_(self) -> np.ndarray:
        """Topics by words: tokens plus prior."""
        check_is_fitted(self, "model_")
        components: np.ndarray = self.model_._cached("components", self.model_.components)
        components.flags.writeable = False
        return components

    @property
    def exp_dirichlet_component_(self) -> np.ndarray:
        """Topics by words: exp(E[log p(word | topic)])."""
        components = self.components_
        return np.asarray(np.exp(psi(components) - psi(components.sum(axis=1, keepdims=True))))

    def transform(self, X: Any, *, normalize: bool = True) -> np.ndarray:
        """Return the topics of documents as an array, documents by topics: shares that sum to 1, or counts plus prior
        if ``normalize`` is false. A row depends on the document, the model and the seed alone."""
        check_is_fitted(self, "model_")
        return self._infer(self._counts(X, "transform", reset=False), None, _dtype_of(X), normalize)

    def _infer(self, counts: Counts, corpus: Corpus | None, dtype: Any, normalize: bool) -> np.ndarray:
        if isinstance(self.model_, OneTopic):
            return self.model_.infer(counts, dtype, normalize)
        if counts.docs == 1 and corpus is None:
            options = {"iterations": self.max_doc_update_iter, "seed": self.seed_, "device": self.device}
            row: np.ndarray | None = self.model_._infer_one(counts, options, dtype, normalize)
            if row is not None:
                return row
        context = _calls.context(self._threads())
        if corpus is None:
            _ezlda.open_device(context, self.device)
            corpus = Corpus._from_counts(counts, self.model_._handle, context)
        out = np.empty((counts.docs, self.model_.n_topics), dtype=dtype)
        options = {"iterations": self.max_doc_update_iter, "seed": self.seed_, "device": self.device}
        _ezlda.infer(context, self.model_._handle, corpus._handle, options, out, not normalize, None)
        return out

    def perplexity(self, X: Any) -> float:
        """Return the perplexity of half of each document's tokens, given the other half (document completion). Lower is
        better. NaN if no document has two tokens."""
        check_is_fitted(self, "model_")
        return self._perplexity(self._counts(X, "perplexity", reset=False))

    def score(self, X: Any, y: Any = None) -> float:
        """Return the log-likelihood of the documents' tokens at this `perplexity`. Higher is better. ``y`` is
        ignored."""
        check_is_fitted(self, "model_")
        counts = self._counts(X, "score", reset=False)
        return float(-np.log(self._perplexity(counts)) * counts.data.sum(dtype=np.float64))

    def _perplexity(self, counts: Counts) -> float:
        if isinstance(self.model_, OneTopic):
            return self.model_.perplexity(counts)
        if not counts.data.any():
            return float("nan")
        context = _calls.context(self._threads())
        corpus = Corpus._from_counts(counts, self.model_._handle, context)
        found = self.model_.evaluate(corpus, "completion", seed=self.seed_, iterations=self.max_doc_update_iter,
                                     device=self.device, threads=self._threads())["completion"]
        return float("nan") if found is None else found["perplexity"]


def _checked_beta(beta: Any) -> float:
    if not isinstance(beta, numbers.Real):
        found = "several" if np.ndim(beta) else f"{beta!r:.80}"
        raise ValueError(f"topic_word_prior: expected one number, found {found}")
    _calls.check_prior("topic_word_prior", beta)
    return float(beta)


def _names_of(X: Any) -> list[str] | None:
    """Return the names of a frame's columns; None for another matrix, or if the names are not text."""
    names = list(getattr(X, "columns", ()))
    return names if names and all(isinstance(name, str) and name for name in names) else None


def _dtype_of(X: Any) -> Any:
    """Return the type of the result: float32 if X is of that type, else float64."""
    kinds = list(getattr(X, "dtypes", ())) or [getattr(X, "dtype", None)]
    return np.float32 if all(kind == np.float32 for kind in kinds) else np.float64


def _seed_of(random_state: Any) -> int:
    if isinstance(random_state, numbers.Integral) and int(random_state) >= 0:
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))

"""scikit-learn's LatentDirichletAllocation, over this library."""
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
from .one_topic import OneTopic
from .sources import words_by_number
from .training import Callback, as_list, run_training

_calls.needs("scipy.sparse", "ezlda.LatentDirichletAllocation")
_calls.needs("sklearn", "ezlda.LatentDirichletAllocation")

import joblib  # noqa: E402
from scipy.special import psi  # noqa: E402
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin  # noqa: E402
from sklearn.utils import check_random_state  # noqa: E402
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data  # noqa: E402

# Matrices of these stay as they are; others become the first.
TYPES = [np.float64, np.float32, np.int64, np.int32, np.uint32, np.uint64, np.int16, np.uint16, np.int8, np.uint8]
SAMPLERS = ["many-branch", "three-branch", "two-branch"]


class LatentDirichletAllocation(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Latent Dirichlet Allocation by Gibbs sampling, with the names of scikit-learn's estimator.

    X is a matrix of counts, documents in rows: SciPy (CSR is read without a copy) or NumPy. Weights that are not whole
    numbers are rounded, row by row: a row keeps its sum, to the nearest whole number, and the largest fractions are
    rounded up (`FractionWarning`). Multiply them beforehand to keep more of them.

    With ``random_state`` an integer, two fits are equal to the bit, on any device and with any ``n_jobs``, and equal to
    ``ezlda train --seed`` with the same priors and iterations.

    Parameters
    ----------
    n_components : int, default=10
        Number of topics.
    doc_topic_prior : float or array of n_components, default=None
        Prior of documents' topics (alpha). None: 1 / n_components.
    topic_word_prior : float, default=None
        Prior of topics' words (beta). None: 1 / n_components.
    max_iter : int, default=200
        Passes over all tokens. Sampling takes more of them than variational inference, and they are cheaper.
    evaluate_every : int, default=-1
        Score the training documents every so many iterations, into ``history_``; 0 or less: at the end only.
    max_doc_update_iter : int, default=100
        Passes over each document in ``transform``, ``score`` and ``perplexity``.
    n_jobs : int, default=None
        Threads. None: one for each processor, or OMP_NUM_THREADS where that is set; -1: one for each processor.
    verbose : int, default=0
        1: a progress bar (tqdm).
    random_state : int, RandomState or None
        An integer is the seed.
    device : str, default="auto"
        "auto", "cuda", "cuda:N", "cpu" or "reference". The result does not depend on it.
    sampler : str, default="many-branch"
        "many-branch", "three-branch" or "two-branch". The result does not depend on it.
    optimize_interval : int, default=0
        Fit the priors to the counts every so many iterations; 0: they stay.
    tol : float, default=0.0
        Stop when further iterations promise less than this of log2-likelihood a token (0.005 is a good value); it is
        judged whenever the documents are scored. 0: never.
    partial_iter : int, default=20
        Passes of each ``partial_fit`` after the first.
    callbacks : callable or list of them, default=None
        Each is called with an `ezlda.Progress` after each iteration; one that returns true ends the training.

    Attributes
    ----------
    components_ : array (n_components, n_features), read-only: tokens of the word in the topic, and topic_word_prior_.
        Divided by the sums of its rows, it is p(word | topic). Made when it is first asked for.
    exp_dirichlet_component_ : array (n_components, n_features): exp(E[log p(word | topic)]).
    n_iter_ : int: iterations that were done.
    bound_ : float: perplexity of the training documents' tokens under their own topics, after the last iteration.
    doc_topic_prior_, topic_word_prior_ : the priors, as fitted where optimize_interval is set.
    history_ : array of records, one for each iteration: seconds, skipped, moved, llpt.
    model_ : `ezlda.Model`, with all that it can do; with one topic, where there is nothing to sample, a stand-in that
        has only what the estimator needs.
    seed_ : int: the seed that was used.
    n_features_in_, feature_names_in_ : as everywhere in scikit-learn.
    """

    def __init__(self, n_components: int = 10, *, doc_topic_prior: Any = None, topic_word_prior: float | None = None,
                 max_iter: int = 200, evaluate_every: int = -1, max_doc_update_iter: int = 100,
                 n_jobs: int | None = None, verbose: int = 0, random_state: Any = None, device: str = "auto",
                 sampler: str = "many-branch", optimize_interval: int = 0, tol: float = 0.0, partial_iter: int = 20,
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
        """Learns topics. After KeyboardInterrupt, which is raised again, the estimator holds the topics so far."""
        with self._unless_it_fails():
            self._fit(self._counts(X, "fit", reset=True))
        return self

    def fit_transform(self, X: Any, y: Any = None, *, normalize: bool = True) -> np.ndarray:
        """`fit`, then `transform` of the same documents."""
        with self._unless_it_fails():
            counts = self._counts(X, "fit", reset=True)
            corpus = self._fit(counts)
        return self._infer(counts, corpus, _dtype_of(X), normalize)

    def partial_fit(self, X: Any, y: Any = None) -> LatentDirichletAllocation:
        """Adds documents. Those of earlier calls are kept, and training goes on with all of them from the topics so
        far: max_iter iterations the first time, partial_iter each time after. Documents of ``fit`` are not kept: after
        it, topics adapt to the new documents alone."""
        first = not hasattr(self, "model_")
        with self._unless_it_fails():
            if not first and int(self.model_.n_topics) != self.n_components:
                raise ValueError(f"n_components is {self.n_components}, and the topics so far are "
                                 f"{self.model_.n_topics}; expected as many, or a fit() before")
            counts = self._counts(X, "partial_fit", reset=first)
            seen = _stacked(None if first else getattr(self, "_seen", None), counts)
            self._fit(seen, init=None if first else self.model_, keep=True)
        return self

    @contextlib.contextmanager
    def _unless_it_fails(self) -> Iterator[None]:
        """What is learned inside stays; where nothing was, the estimator is as it was before."""
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

    def _fit(self, counts: Counts, init: Any = None, keep: bool = False) -> Corpus | None:
        if init is None:
            self.seed_ = _seed_of(self.random_state)
        alpha, beta = self._priors()
        context = _calls.context(self._threads())
        if self.n_components > 1 or self.device != "auto":
            _ezlda.open_device(context, self.device)
        if self.n_components == 1:
            self._take(OneTopic(counts, float(np.max(alpha)), beta), counts if keep else None)
            return None
        corpus = Corpus._from_counts(counts, self._words() if init is None else init._handle, context)
        options = {"topics": self.n_components, "iterations": self.max_iter if init is None else self.partial_iter,
                   "seed": self.seed_, "beta": None if init is not None and self.optimize_interval else beta,
                   "eval_every": max(int(self.evaluate_every), 0), "device": self.device, "sampler": self.sampler,
                   "optimize_interval": self.optimize_interval, "converged_gain": self.tol}
        model, interrupted = run_training(
            context, corpus, options, alpha=None if init is not None and self.optimize_interval else alpha, init=init,
            progress=bool(self.verbose), callbacks=as_list(self.callbacks))
        self._take(model, counts if keep else None)
        if interrupted:
            raise KeyboardInterrupt
        return corpus

    def _take(self, model: Any, seen: Counts | None) -> None:
        """A model and what goes with it; ``seen``: its documents, where ``partial_fit`` keeps them."""
        self.model_: Any = model
        self._seen = seen
        alpha, beta = (model.alpha, model.beta) if self.optimize_interval else self._priors()
        self.doc_topic_prior_ = float(np.ravel(alpha)[0]) if np.all(alpha == np.ravel(alpha)[0]) else np.array(alpha)
        self.topic_word_prior_ = float(beta)
        self.n_iter_ = int(model.info["iterations"])
        self.bound_ = float(2.0 ** -model.llpt)
        self.history_ = model.history

    def _check_parameters(self) -> None:
        for name, least in (("n_components", 1), ("max_iter", 1), ("max_doc_update_iter", 1), ("partial_iter", 1),
                            ("optimize_interval", 0), ("evaluate_every", None)):
            value = getattr(self, name)
            most = 65536 if name == "n_components" else 2**32 - 1
            if not isinstance(value, numbers.Integral) or (least is not None and value < least) or value > most:
                told = "" if least is None else f" from {least} to {most:,}"
                raise ValueError(f"{name} is {value!r}; expected a whole number{told}")
        if not isinstance(self.tol, numbers.Real) or not 0 <= self.tol < np.inf:
            raise ValueError(f"tol is {self.tol!r}; expected a number from 0")
        _calls.check_device(self.device)
        if isinstance(self.random_state, numbers.Integral) and int(self.random_state) >= 2**64:
            raise ValueError(f"random_state is {self.random_state!r}; expected a whole number below 2**64")
        if self.sampler not in SAMPLERS:
            raise ValueError(f"sampler is {self.sampler!r}; expected one of {SAMPLERS}")

    def _priors(self) -> tuple[np.ndarray, float]:
        """Alpha, one number or one for each topic, and beta."""
        alpha = 1 / self.n_components if self.doc_topic_prior is None else self.doc_topic_prior
        beta = 1 / self.n_components if self.topic_word_prior is None else self.topic_word_prior
        try:
            alpha = np.asarray(alpha, dtype=np.float64)
        except (TypeError, ValueError):
            alpha = np.empty((0, 0))
        if alpha.shape not in ((), (self.n_components,)):
            raise ValueError(f"doc_topic_prior is {self.doc_topic_prior!r}; expected a number, or n_components of them")
        if not isinstance(beta, numbers.Real):
            raise ValueError(f"topic_word_prior is {self.topic_word_prior!r}; expected a number")
        _calls.check_prior("doc_topic_prior", alpha if self.doc_topic_prior is None else self.doc_topic_prior)
        _calls.check_prior("topic_word_prior", beta)
        return alpha, float(beta)

    def _threads(self) -> int:
        return 0 if self.n_jobs is None else int(joblib.effective_n_jobs(self.n_jobs))

    def _words(self) -> list[str] | None:
        """Columns' names as words, where they can tell words apart."""
        names = getattr(self, "feature_names_in_", None)
        if names is None or len(set(names)) != len(names) or not all(names):
            return None
        return list(names)

    def _counts(self, X: Any, method: str, *, reset: bool) -> Counts:
        X = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=TYPES)
        check_non_negative(X, f"LatentDirichletAllocation.{method}")
        counts = as_counts(X)
        if not has_fractions(counts):
            return counts
        warnings.warn("weights that are not whole numbers are rounded; multiply them beforehand to keep more of them",
                      FractionWarning, stacklevel=_calls.depth_of_caller())
        return rounded(counts)

    def name_words(self, names: Any) -> LatentDirichletAllocation:
        """Gives the words of ``model_`` these names, one for each column: after a `fit` in a pipeline, what the
        vectorizer's ``get_feature_names_out()`` says. Nothing else changes."""
        check_is_fitted(self, "model_")
        if not isinstance(self.model_, OneTopic):
            self.model_ = self.model_.with_words(names)
        elif len(named := words_by_number(names, self.n_features_in_) or []) != self.n_features_in_:
            raise ValueError(f"{len(named)} words for {self.n_features_in_} columns")
        return self

    # ---- what was learned -------------------------------------------------------------------------------------------

    @property
    def components_(self) -> np.ndarray:
        """Topics by words: tokens and prior."""
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
        """Topics of documents, documents by topics: shares, or without ``normalize`` counts and prior. A row depends
        on the document, its place in X, the model and the seed."""
        check_is_fitted(self, "model_")
        return self._infer(self._counts(X, "transform", reset=False), None, _dtype_of(X), normalize)

    def _infer(self, counts: Counts, corpus: Corpus | None, dtype: Any, normalize: bool) -> np.ndarray:
        if isinstance(self.model_, OneTopic):
            return self.model_.infer(counts, dtype, normalize)
        context = _calls.context(self._threads())
        if corpus is None:
            _ezlda.open_device(context, self.device)
            corpus = Corpus._from_counts(counts, self.model_._handle, context)
        out = np.empty((counts.docs, self.model_.n_topics), dtype=dtype)
        options = {"iterations": self.max_doc_update_iter, "seed": self.seed_, "device": self.device}
        _ezlda.infer(context, self.model_._handle, corpus._handle, options, out, not normalize, None)
        return out

    def perplexity(self, X: Any) -> float:
        """Perplexity of half of each document's tokens, given the other half (document completion): lower is better.
        NaN where no document has two tokens."""
        check_is_fitted(self, "model_")
        return self._perplexity(self._counts(X, "perplexity", reset=False))

    def score(self, X: Any, y: Any = None) -> float:
        """Log-likelihood of the documents' tokens at that `perplexity`: higher is better."""
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


def _dtype_of(X: Any) -> Any:
    """Of the result: float32 for arrays and frames of that."""
    kinds = list(getattr(X, "dtypes", ())) or [getattr(X, "dtype", None)]
    return np.float32 if all(kind == np.float32 for kind in kinds) else np.float64


def _seed_of(random_state: Any) -> int:
    if isinstance(random_state, numbers.Integral) and int(random_state) >= 0:
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def _stacked(seen: Counts | None, new: Counts) -> Counts:
    """Documents that were seen and new ones, in memory of their own."""
    if seen is None:
        return Counts(new.docs, new.words, *(np.array(part) for part in new[2:]))
    indptr = np.concatenate([seen.indptr, seen.indptr[-1] + np.asarray(new.indptr[1:], dtype=np.int64)])
    return Counts(seen.docs + new.docs, new.words, indptr, np.concatenate([seen.indices, new.indices]),
                  np.concatenate([seen.data, new.data]))

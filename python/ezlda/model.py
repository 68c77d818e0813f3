"""Models: their files, topics and documents, inference for new documents, scores."""
from __future__ import annotations

import collections.abc
import html
import os
import re
import warnings
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Sequence

import numpy as np

from . import _calls, _ezlda
from .bars import doc_bar
from .corpus import Corpus, is_table
from .counts import as_counts, bag_counts, is_sparse
from .errors import ArgumentError
from .inferencer import MOST_CELLS, Inferencer, only_document, warn_of_unknown
from .options import CallOptions, EvalOptions, InferOptions, ReportOptions, UpdateOptions, lists_options
from .pages import Report, make_report
from .sources import (are_texts, as_frame, as_texts, is_bow, is_cells, is_count_frame, is_frame, named_columns,
                      words_by_number)
from .trees import Tree

if TYPE_CHECKING:
    from typing import Unpack

ORDERS = {"probability": 0, "relevance": 1, "lift": 2}
SINGLE_OPTIONS = {"iterations", "seed", "device", "samples", "thin"}
MEASURES = {"llpt": 1, "completion": 2, "left_to_right": 4, "coherence": 8}


class Topic(NamedTuple):
    """A topic, as `Model.topics` returns it."""

    topic: int
    tokens: int
    share: float  #: share of all tokens
    alpha: float
    words: tuple[str, ...]


class Scored(NamedTuple):
    """A word or a document of a topic, as `Model.top_words` and `Model.top_docs` return it."""

    id: int
    name: str
    tokens: int  #: its tokens in the topic
    probability: float  #: p(word | topic), or the document's share of the topic
    score: float  #: the value that it was ordered by


def frame_of_topics(topics: list[Topic]) -> Any:
    """Return topics as a DataFrame with one row per topic."""
    rows = [(*t[:-1], " ".join(t.words)) for t in topics]
    return _calls.needs("pandas", "topics_frame").DataFrame(rows, columns=list(Topic._fields)).set_index("topic")


class Diff(NamedTuple):
    """The topics of two models, matched one to one, as `Model.diff` returns them."""

    pairs: list[tuple[int, int, float, int, float]]  #: topic, topic of the other, similarity, shared words, Jaccard
    alone: list[tuple[int, int, float]]  #: topic without a partner, nearest topic of the other, similarity
    alone_other: list[tuple[int, int, float]]
    mean_similarity: float
    words_common: int

    def to_frame(self) -> Any:
        """Return the pairs as a DataFrame. Raises ImportError without pandas."""
        pandas = _calls.needs("pandas", "Diff.to_frame")
        return pandas.DataFrame(self.pairs, columns=["topic", "other", "similarity", "shared_words", "jaccard"])

    def __repr__(self) -> str:
        return (f"<ezlda.Diff: {len(self.pairs)} pairs, mean similarity {self.mean_similarity:.3f}, "
                f"{len(self.alone)} and {len(self.alone_other)} topics alone>")

    def _repr_html_(self) -> str:
        """Return the pairs as a table, for notebooks."""
        rows = "".join(f"<tr><td>{a}</td><td>{b}</td><td>{similarity:.2f}</td><td>{shared}</td></tr>"
                       for a, b, similarity, shared, _ in self.pairs)
        return (f"<p>{len(self.pairs)} pairs, mean similarity {self.mean_similarity:.2f}; without a partner: "
                f"{len(self.alone)} and {len(self.alone_other)}</p><table><thead><tr><th>topic</th><th>other</th>"
                f"<th>similarity</th><th>shared words</th></tr></thead><tbody>{rows}</tbody></table>")


class Model:
    """A trained model. Read-only. `ezlda.train`, `Model.load` and `Model.from_mallet` return one."""

    _handle: Any
    _info: dict[str, Any]
    _history: np.ndarray | None
    _cache: dict[str, Any]

    def __init__(self) -> None:
        raise TypeError("use ezlda.train, Model.load or Model.from_mallet to make a model")

    @classmethod
    def _of(cls, handle: Any, history: np.ndarray | None = None) -> Model:
        model = cls.__new__(cls)
        model._handle = handle
        model._info = _ezlda.model_info(handle)
        model._history = history
        model._cache = {}
        return model

    def _cached(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    @staticmethod
    @lists_options(CallOptions)
    def train(corpus: Any, topics: int | None = None, iterations: int | None = None,
              **options: Unpack[CallOptions]) -> Model:
        """Train a model; the same as `ezlda.train`."""
        from .training import train
        return train(corpus, topics, iterations, **options)

    @lists_options(UpdateOptions)
    def update(self, corpus: Any, iterations: int = 100, *, decay: float = 1.0, new_word_docs: int = 2,
               all_words: bool = False, fit_priors: bool = False, seed: int = 1, device: str = "auto", threads: int = 0,
               progress: bool | str | None = None, callback: Any = (), **options: Unpack[UpdateOptions]) -> Model:
        """Add new documents and return the model of both, as ``ezlda update``.

        Parameters
        ----------
        corpus : the new documents, in any form that `corpus_of` accepts: texts are read as the model's were, and the
            columns of a matrix are the model's words.
        iterations : passes over the new tokens; default 100.
        decay : the share of each count of this model that stays, above 0 and at most 1 (default).
        new_word_docs : a word that this model does not have enters the vocabulary if at least that many of the new
            documents have it; default 2.
        all_words : whether every word of this model and of ``corpus`` is in the vocabulary, also without a token;
            default False.
        fit_priors : whether to fit alpha to the new documents and beta to all counts; default False: both stay.
        seed, device, threads, progress, callback : as for `ezlda.train`.
        options : sampler, g, w_format, word_samples, eval_every, keep_topics, device_memory, checkpoint,
            checkpoint_seconds, checkpoint_iterations, resume, balance, region, loose_records, as for `ezlda.train`.

        The result has the documents of ``corpus`` alone. Raises what `ezlda.train` raises, and returns the model so far
        after KeyboardInterrupt, with an `InterruptWarning`.
        """
        from .training import update
        return update(self, corpus, dict(options, iterations=iterations, seed=seed, device=device), decay=decay,
                      new_word_docs=new_word_docs, all_words=all_words, fit_priors=fit_priors, threads=threads,
                      progress=progress, callback=callback)

    # ---- edits --------------------------------------------------------------------------------------------------------

    def edit(self, *operations: str) -> Model:
        """Return this model with more edits, as ``ezlda edit``: ``model.edit("rename 7 Courts", "merge 3,9", "hide 4")``.

        Each operation is one line. Raises `ArgumentError` for a wrong operation.
        """
        for operation in operations:
            if "\n" in operation:
                raise ArgumentError(f"expected one operation per argument, found a newline in {operation!r}")
        return self._edited([*self.edits, *operations])

    def undo(self, n: int = 1) -> Model:
        """Return this model without its last ``n`` edits. Raises ValueError if it has fewer, and `ArgumentError` for a
        merge from before an update."""
        if not 0 <= n <= len(self.edits):
            raise ValueError(f"n is {n}; the model has {len(self.edits)} edits")
        return self._edited(self.edits[:len(self.edits) - n])

    def _edited(self, lines: Sequence[str]) -> Model:
        text = "".join(f"{line}\n" for line in lines)
        try:
            return Model._of(_ezlda.model_with_edits(_calls.context(), self._handle, text), self._history)
        except ArgumentError as error:
            named = re.sub(r"^edits:(\d+)", lambda number: repr(lines[int(number[1]) - 1]), str(error))
            raise ArgumentError(named) from None

    def _edits(self) -> tuple[str, list[tuple[str, str, bool]]]:
        found: tuple[str, list[tuple[str, str, bool]]] = self._cached("edits", lambda: _ezlda.model_edits(self._handle))
        return found

    @property
    def edits(self) -> list[str]:
        """The operations that edited this model, the first one first."""
        return self._edits()[0].split("\n")[:-1]  # not splitlines: names may have other separators

    @property
    def topic_names(self) -> list[str]:
        """The names that edits gave to the topics; "" for a topic without one."""
        return [name for name, _, _ in self._edits()[1]]

    @property
    def topic_groups(self) -> list[str]:
        """The groups that edits put the topics into; "" for a topic without one."""
        return [group for _, group, _ in self._edits()[1]]

    @property
    def hidden_topics(self) -> list[int]:
        """The topics that edits hid, or merged into others."""
        return [topic for topic, (_, _, hidden) in enumerate(self._edits()[1]) if hidden]

    # ---- files and other tools ------------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Load a model file (.ezm). Raises `FileError` or `FormatError` if it cannot be read."""
        return cls._of(_ezlda.model_load(_calls.context(), path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file (.ezm). It replaces an earlier file of that name only when it is complete.

        Raises `FileError` if it cannot be written.
        """
        _ezlda.model_save(_calls.context(), self._handle, path)

    @classmethod
    def from_mallet(cls, path: str | os.PathLike[str]) -> tuple[Model, Corpus]:
        """Read a MALLET state (``--output-state``). Return the model and the corpus that it was trained on."""
        model, corpus = _ezlda.model_from_mallet(_calls.context(), path)
        return cls._of(model), Corpus._of(corpus)

    def export(self, format: str, path: str | os.PathLike[str], *, corpus: Corpus | None = None,
               words: int = 0) -> None:
        """Write the model for another tool.

        ``format`` is mallet-state, mallet-keys, mallet-doc-topics, gensim, pyldavis-json, npz or csv. mallet-state
        needs the ``corpus`` and a model that was trained with keep_topics. ``words`` is the number of words per topic
        in formats that list them; 0 (default): the default of ``ezlda export``. Raises `ArgumentError` for an unknown
        format, `FileError` if the file cannot be written.
        """
        _calls.check_type("corpus", corpus, Corpus)
        _ezlda.model_export(_calls.context(), self._handle, format, path, words,
                            corpus._handle if corpus is not None else None)

    def with_words(self, words: Any) -> Model:
        """Return this model with other words: a list with one word per word of the model, or a mapping as in
        `Corpus.from_matrix`.

        Use it for models that were trained on a matrix and whose words are numbers. The corpus of the model stays the
        one that it was trained on. Raises ValueError if the number of words is wrong.
        """
        named = words_by_number(words, self._info["words"]) or []
        return Model._of(_ezlda.model_rename_words(_calls.context(), self._handle, named), self._history)

    def to_gensim(self, corpus: Corpus | None = None) -> Any:
        """Return the model as gensim's LdaModel. Raises ImportError without gensim."""
        models = _calls.needs("gensim.models", "Model.to_gensim")
        with _calls.scratch() as folder:
            path = os.path.join(folder, "gensim")
            self.export("gensim", path, corpus=corpus)
            return models.LdaModel.load(os.path.join(path, "model"))

    def to_pyldavis(self, words: int = 30) -> Any:
        """Return the PreparedData that pyLDAvis shows: ``pyLDAvis.display(model.to_pyldavis())``.

        Topics are numbered from 1, the largest first. ``words`` is the number of words per topic. Raises ImportError
        without pandas and pyLDAvis.
        """
        from .pyldavis import prepared
        return prepared(self, words)

    @lists_options(ReportOptions)
    def report(self, path: str | os.PathLike[str] | None = None, *, corpus: Corpus | None = None,
               other: Model | None = None, svg: str | os.PathLike[str] | None = None,
               **options: Unpack[ReportOptions]) -> Report:
        """Make an HTML page that shows the topics, and return it as a `Report`, which a notebook displays.

        Parameters
        ----------
        path : file to write; None (default): none.
        corpus : the corpus that the model was trained on. It adds scores, fields and the words of documents.
        other : another model to compare with.
        svg : folder to write pictures to; None (default): none.
        options : those of ``ezlda report``, with its defaults: title, other_title, created, words, docs, field, step.

        Raises `ArgumentError` if the corpus is another one, `FileError` if a file cannot be written.
        """
        _calls.check_type("corpus", corpus, Corpus)
        _calls.check_type("other", other, Model)
        return make_report(self, path, corpus, other, svg, dict(options))

    # ---- facts ----------------------------------------------------------------------------------------------------

    @property
    def info(self) -> dict[str, Any]:
        """Facts as a dict: docs, words, tokens, topics, iterations, seed, alpha_sum, beta, topics_hash, device, llpt,
        ..."""
        return dict(self._info)

    @property
    def n_topics(self) -> int:
        """The number of topics, K."""
        return int(self._info["topics"])

    @property
    def topics_hash(self) -> str:
        """A hash of the topics of all tokens, as the command prints it. It is equal for equal models."""
        return f"{self._info['topics_hash']:016x}"

    @property
    def history(self) -> np.ndarray:
        """One record per iteration of the run. A loaded model has records of the scored iterations only."""
        if self._history is not None:
            return self._history
        return np.array(self._info["llpt"], dtype=[("iteration", "u4"), ("seconds", "f8"), ("llpt", "f8")])

    @property
    def llpt(self) -> float:
        """Log2-likelihood per token of the training corpus after the last iteration; NaN if it was not scored."""
        return float(self._info["llpt"][-1][2]) if self._info["llpt"] else float("nan")

    @property
    def words(self) -> list[str]:
        """The words of the vocabulary, in the order of their numbers."""
        return _ezlda.model_words(self._handle)

    @property
    def doc_names(self) -> list[str]:
        """Names of the training documents, "" for those without one."""
        return _ezlda.model_doc_names(self._handle)

    @property
    def alpha(self) -> np.ndarray:
        """Prior of the documents' topics, one number per topic."""
        return _shortest(np.frombuffer(_ezlda.model_bytes(self._handle, "alpha"), dtype=np.float64))

    @property
    def beta(self) -> float:
        """Prior of the topics' words."""
        return float(self._info["beta"])

    @property
    def topic_tokens(self) -> np.ndarray:
        """Number of tokens of each topic."""
        return np.frombuffer(_ezlda.model_bytes(self._handle, "topic_tokens"), dtype=np.uint64)

    @property
    def found(self) -> np.ndarray | None:
        """In how many models of an ensemble (``info["members"]``) each topic was found; None for any other model."""
        content = _ezlda.model_found(self._handle)
        return None if content is None else np.frombuffer(content, dtype=np.uint32)

    def tree(self, words: int = 8, *, threads: int = 0) -> Tree:
        """Merge the topics two by two and return the `Tree`; ``words``: distinctive words of each node, at most 100."""
        return Tree(self, words, threads)

    @property
    def word_tokens(self) -> np.ndarray:
        """Number of tokens of each word in the training corpus."""
        return np.frombuffer(_ezlda.model_bytes(self._handle, "word_tokens"), dtype=np.uint64)

    @property
    def doc_tokens(self) -> np.ndarray:
        """Number of tokens of each training document."""
        return np.frombuffer(_ezlda.model_bytes(self._handle, "doc_tokens"), dtype=np.uint64)

    @property
    def token_topics(self) -> np.ndarray | None:
        """The topic of every token, by document, then by word; None unless the model was trained with keep_topics."""
        content = _ezlda.model_bytes(self._handle, "token_topics")
        return None if content is None else np.frombuffer(content, dtype=np.uint16)

    # ---- topics ---------------------------------------------------------------------------------------------------

    def topics(self, words: int = 10, *, order: str = "probability", lambda_: float = 0.6) -> list[Topic]:
        """Return all topics that are not hidden, each with its top words. The arguments are those of `top_words`;
        ``words`` is the number of words per topic."""
        hidden = set(self.hidden_topics)
        tokens, alpha, total = self.topic_tokens, self.alpha, max(self._info["tokens"], 1)
        return [Topic(k, int(tokens[k]), int(tokens[k]) / total, float(alpha[k]),
                      tuple(w.name for w in self.top_words(k, words, order=order, lambda_=lambda_)))
                for k in range(self.n_topics) if k not in hidden]

    def topics_frame(self, words: int = 10, *, order: str = "probability", lambda_: float = 0.6) -> Any:
        """Return `topics` as a DataFrame with one row per topic, and with the columns name and group if the model has
        any. Raises ImportError without pandas."""
        frame = frame_of_topics(self.topics(words, order=order, lambda_=lambda_))
        if any(self.topic_names) or any(self.topic_groups):
            frame["name"] = [self.topic_names[k] for k in frame.index]
            frame["group"] = [self.topic_groups[k] for k in frame.index]
        return frame

    def top_words(self, topic: int, n: int = 10, *, order: str = "probability", lambda_: float = 0.6) -> list[Scored]:
        """Return the top words of a topic, at most ``n`` (default 10). Words without a token in the topic are ignored.

        ``order`` is "probability" (default), "relevance", which weighs probability by ``lambda_`` (0 to 1) and lift by
        the rest, or "lift". Raises ValueError for another order, `ArgumentError` for a topic that does not exist.
        """
        if order not in ORDERS:
            raise ValueError(f"order: expected one of {list(ORDERS)}, found {order!r}")
        found = _ezlda.model_top(_calls.context(), self._handle, topic, ORDERS[order], lambda_, n)
        return [Scored(i, _ezlda.model_word(self._handle, i), tokens, p, score) for i, tokens, p, score in found]

    def get_term_topics(self, word: str | int, minimum_probability: float = 0.0) -> list[tuple[int, float]]:
        """Return the topics in which a word has tokens, the largest first, as (topic, p(word | topic)).

        ``word`` is a word or its number. Raises KeyError if the model does not have it.
        """
        if isinstance(word, str):
            numbers: dict[str, int] = self._cached("numbers", lambda: {w: i for i, w in enumerate(self.words)})
            if word not in numbers:
                raise KeyError(f"the model does not have the word {word!r}")
            word = numbers[word]
        elif not 0 <= word < self._info["words"]:
            raise KeyError(f"the model has no word {word}; it has {self._info['words']}")
        found = _ezlda.model_word_topics(self._handle, word)
        return sorted((pair for pair in found if pair[1] >= minimum_probability), key=lambda pair: (-pair[1], pair[0]))

    def summary(self, words: int = 8) -> str:
        """Return the facts of the model and its topics, the largest first, as text: ``print(model.summary())``."""
        i = self._info
        lines = [f"{i['topics']:,} topics, {i['words']:,} words, {i['docs']:,} documents, {i['tokens']:,} tokens",
                 f"{i['iterations']:,} iterations, LLPT {self.llpt:.4f}, alpha sum {i['alpha_sum']:.4g}, "
                 f"beta {self.beta:.4g}, hash {self.topics_hash}", "", " topic   share    alpha  words"]
        lines += [f"{t.topic:6d}  {100 * t.share:5.2f} %  {t.alpha:7.4g}  "
                  f"{self.topic_names[t.topic] + ': ' if self.topic_names[t.topic] else ''}{' '.join(t.words)}"
                  for t in sorted(self.topics(words), key=lambda t: -t.tokens)]
        return "\n".join(lines)

    def top_docs(self, topic: int, n: int = 10) -> list[Scored]:
        """Return the documents with the largest shares of a topic, at most ``n`` (default 10)."""
        names = self.doc_names
        return [Scored(i, names[i], tokens, share, score)
                for i, tokens, share, score in _ezlda.model_top(_calls.context(), self._handle, topic, -1, 0.0, n)]

    def components(self, dtype: Any = np.float64, *, prior: bool = True) -> np.ndarray:
        """Return the counts as an array, topics by words, plus beta if ``prior``: the mean over the model's samples.
        ``dtype`` is float64 or float32."""
        out = np.empty((self.n_topics, self._info["words"]), dtype=_calls.float_type(dtype))
        _ezlda.model_dense(self._handle, True, out, self.beta if prior else 0.0)
        return out

    def topic_word(self, dtype: Any = np.float64) -> np.ndarray:
        """Return p(word | topic) as an array, topics by words. Rows sum to 1. ``dtype`` is float64 or float32."""
        out = self.components(dtype)
        out /= out.sum(axis=1, keepdims=True, dtype=np.float64).astype(out.dtype)
        return out

    def doc_topic(self, dtype: Any = np.float64) -> np.ndarray:
        """Return the shares of topics in the last iteration as an array, training documents by topics. Rows sum to
        1."""
        out = np.empty((self._info["docs"], self.n_topics), dtype=_calls.float_type(dtype))
        _ezlda.model_dense(self._handle, False, out, 0.0)
        return out

    def counts(self, of: str = "words") -> Any:
        """Return counts as a SciPy CSR matrix: words by topics, or documents by topics if ``of`` is "docs"."""
        sparse = _calls.needs("scipy.sparse", "Model.counts")
        if of not in ("words", "docs"):
            raise ValueError(f"of: expected 'words' or 'docs', found {of!r}")
        words, rows = of == "words", self._info[of]
        indptr = np.empty(rows + 1, dtype=np.int64)
        _ezlda.model_row_starts(self._handle, words, indptr)
        entries = int(indptr[-1])
        indices, data = np.empty(entries, dtype=np.int32), np.empty(entries, dtype=np.uint32)
        _ezlda.model_rows(self._handle, words, entries, indices, data)
        return sparse.csr_matrix((data, indices, indptr), shape=(rows, self.n_topics))

    # ---- new documents and scores ---------------------------------------------------------------------------------

    def corpus_of(self, documents: Any, context: Any = None) -> Corpus:
        """Return documents as a corpus.

        ``documents`` is a corpus, which is returned as it is; a matrix whose columns are the model's words, or gensim's
        bags of words with the model's numbers; a DataFrame of counts, whose columns are words if they have names; an
        AnnData, whose words are the names of its genes; texts, also in a table (see `Corpus.from_arrow`), which are read
        as the model's text was; lists of words; or mappings of words to counts, also a single one. Raises ValueError if a matrix has another number of columns.
        """
        if isinstance(documents, Corpus):
            return documents
        context = context or _calls.context()
        if isinstance(documents, collections.abc.Mapping):
            documents = [documents]
        if is_table(documents):
            return Corpus(documents, like=self)
        if not isinstance(documents, (str, os.PathLike, collections.abc.Iterable)) and not is_cells(documents) and \
                not is_sparse(documents) and not is_frame(documents):
            raise TypeError(f"expected documents, found {documents!r:.80}")
        documents = as_frame(documents)
        if is_cells(documents):
            return Corpus(documents)
        if is_count_frame(documents):
            return Corpus(documents) if named_columns(documents) else self._corpus_of_counts(documents, context)
        if is_sparse(documents) or (isinstance(documents, np.ndarray) and documents.ndim == 2):
            return self._corpus_of_counts(documents, context)
        if not isinstance(documents, (str, os.PathLike)) and not is_frame(documents):
            documents = as_texts(documents) or list(documents)
            if not documents:
                return self._corpus_of_counts(np.zeros((0, self._info["words"]), dtype=np.int32), context)
            if is_bow(documents):
                return Corpus._from_counts(bag_counts(documents, self._info["words"]), self._handle, context)
            if not are_texts(documents):
                return Corpus(documents)
            self._doubt_single_words(documents)
        return Corpus(documents, like=self)

    def _doubt_single_words(self, texts: Sequence[str]) -> None:
        """Warn if texts look like the words of one document."""
        if len(texts) < 2 or any(not text or not isinstance(text, str) or len(text.split()) != 1 for text in texts):
            return
        known: set[str] = self._cached("word_set", lambda: set(self.words))
        if 2 * sum(text in known for text in texts) >= len(texts):
            warnings.warn(f"each of the {len(texts)} texts is one word: a document that is a list of words goes into "
                          "a list, as in infer([words])", UserWarning, stacklevel=_calls.depth_of_caller())

    def _corpus_of_counts(self, matrix: Any, context: Any) -> Corpus:
        counts = as_counts(matrix)
        if counts.words != self._info["words"]:
            raise ValueError(f"the matrix has {counts.words} columns, the model {self._info['words']} words")
        return Corpus._from_counts(counts, self._handle, context)

    @lists_options(InferOptions)
    def infer(self, documents: Any, *, iterations: int = 100, seed: int = 1, dtype: Any = np.float64,
              normalize: bool = True, device: str = "auto", threads: int = 0, progress: bool | str = False,
              **options: Unpack[InferOptions]) -> np.ndarray:
        """Infer the topics of new documents and return them as an array, documents by topics.

        Parameters
        ----------
        documents : anything that `corpus_of` accepts.
        iterations : passes over the documents; default 100.
        seed : the same seed gives the same rows; default 1. A row depends only on the model, the document's words and
            the seed, not on its number or on other documents.
        dtype : float64 (default) or float32.
        normalize : whether to return shares that sum to 1 (default) or counts plus alpha.
        device : as for `ezlda.train`.
        threads : number of threads; 0 (default): one per processor, or OMP_NUM_THREADS if that is set.
        progress : whether to show a progress bar: True, "tqdm" or "rich"; default False.
        options : samples, thin, device_memory and batch of ``ezlda infer``, with its defaults.

        An `UnknownWordsWarning` is given if the model knows less than half of the tokens.
        """
        given: dict[str, Any] = {**options, "iterations": iterations, "seed": seed, "device": device}
        quick = None if progress else self._infer_one(documents, given, dtype, normalize)
        if quick is not None:
            return quick
        context = _calls.context(threads)
        corpus = self.corpus_of(documents, context)
        out = np.empty((len(corpus), self.n_topics), dtype=_calls.float_type(dtype))
        with doc_bar(progress) as watch:
            facts = _ezlda.infer(context, self._handle, corpus._handle, given, out, not normalize, watch)
        warn_of_unknown(facts)
        return out

    def inferencer(self, *, iterations: int = 100, seed: int = 1, samples: int | None = None,
                   thin: int | None = None) -> Inferencer:
        """Return an `Inferencer`, which infers one document per call in about a millisecond: ``inferencer(words)``.

        Making it takes the time of a call of `infer`, and as much memory as the model's counts of words. The arguments
        are those of `infer`.
        """
        given = {"iterations": iterations, "seed": seed, "samples": samples, "thin": thin}
        return Inferencer(self, **{name: value for name, value in given.items() if value is not None})

    def _infer_one(self, documents: Any, options: dict[str, Any], dtype: Any, normalize: bool) -> np.ndarray | None:
        """Infer a single document with an inferencer that is kept from the second such call on. Return None if the
        documents are another number or the model is too large to prepare all of it."""
        document = only_document(documents)
        device = options.get("device", "auto")
        if document is None or device not in ("auto", "cpu") or not {*options} <= SINGLE_OPTIONS or \
                min(self._info["tokens"], self._info["words"] * self.n_topics) > MOST_CELLS:
            return None
        chosen = {name: value for name, value in options.items() if name != "device"}
        key, inferencer = self._cache.get("single", (None, None))
        if key != chosen:
            self._cache["single"] = chosen, None
            return None
        if inferencer is None:
            inferencer = Inferencer(self, **chosen)
            self._cache["single"] = chosen, inferencer
        try:
            row: np.ndarray = inferencer(document, dtype=dtype, normalize=normalize)
            return row[np.newaxis, :]
        except (TypeError, ValueError):
            return None  # the other way says what is wrong, and in which row

    @lists_options(InferOptions)
    def infer_sparse(self, documents: Any, *, top: int | None = None, threshold: float = 0.0, iterations: int = 100,
                     seed: int = 1, normalize: bool = True, device: str = "auto", threads: int = 0,
                     progress: bool | str = False, **options: Unpack[InferOptions]) -> Any:
        """Infer the topics of new documents as `infer` does and return them as a SciPy CSR matrix.

        Use it if there are many topics and a document has tokens in few of them. A row holds the topics with a token in
        the document: at most the ``top`` largest (default: all), with a share of at least ``threshold`` (default 0). A
        topic that is missing in a row has at most the share of its prior. The other arguments are those of `infer`.
        """
        sparse = _calls.needs("scipy.sparse", "Model.infer_sparse")
        if top is not None and top < 1:
            raise ValueError(f"top is {top}; expected a whole number from 1")
        context = _calls.context(threads)
        corpus = self.corpus_of(documents, context)
        given: dict[str, Any] = {**options, "iterations": iterations, "seed": seed, "device": device}
        with doc_bar(progress) as watch:
            *rows, facts = _ezlda.infer_sparse(context, self._handle, corpus._handle, given, top or 0, threshold,
                                               not normalize, watch)
        warn_of_unknown(facts)
        types = (np.int64, np.int32, np.float64)
        indptr, indices, data = (np.frombuffer(array, kind) for array, kind in zip(rows, types))
        return sparse.csr_matrix((data, indices, indptr), shape=(len(corpus), self.n_topics))

    @lists_options(EvalOptions)
    def evaluate(self, documents: Any, measures: Sequence[str] | str = ("completion", "coherence"), *,
                 threads: int = 0, **options: Unpack[EvalOptions]) -> dict[str, Any]:
        """Score the model on documents and return the scores as a dict.

        Parameters
        ----------
        documents : anything that `corpus_of` accepts. For all measures but coherence they should be new to the model.
        measures : one or several of llpt, completion, left_to_right and coherence; default: completion and coherence.
        threads : number of threads; 0 (default): one per processor, or OMP_NUM_THREADS if that is set.
        options : those of ``ezlda eval``, with its defaults: seed, iterations, samples, thin, particles, resample,
            docs, doc_tokens, words, npmi_window, c_v_window, whole_windows, device, device_memory.

        Scores count ``tokens``: tokens of the model's vocabulary, of which ``unseen_tokens`` are of words without a
        token in training. ``unknown_tokens`` are of other words; an `UnknownWordsWarning` is given if they are more
        than half. Raises ValueError for an unknown measure.
        """
        names = [measures] if isinstance(measures, str) else list(measures)
        unknown = [name for name in names if name not in MEASURES]
        if unknown or not names:
            raise ValueError(f"measures: expected some of {list(MEASURES)}, found {measures!r}")
        context = _calls.context(threads)
        found = _ezlda.evaluate(context, self._handle, self.corpus_of(documents, context)._handle,
                                dict(options, measures=sum({MEASURES[name] for name in names})))
        warn_of_unknown(found)
        return found

    # ---- errors, effects, trends ----------------------------------------------------------------------------------

    def with_samples(self, corpus: Any, *, samples: int = 20, thin: int = 5, burn_in: int = 50, seed: int = 1,
                     threads: int = 0) -> Model:
        """Return a copy of the model that keeps samples of the posterior of its training documents' topics.

        ``corpus`` is the corpus that the model was trained on. ``samples`` are kept, ``thin`` steps apart, after
        ``burn_in`` steps. Raises `ArgumentError` for another corpus.
        """
        context = _calls.context(threads)
        options = {"samples": samples, "thin": thin, "burn_in": burn_in, "seed": seed}
        return Model._of(_ezlda.model_with_samples(context, self._handle, self.corpus_of(corpus, context)._handle,
                                                   options), self._history)

    def doc_topic_samples(self) -> np.ndarray:
        """Return the kept samples as an array of counts: samples by documents by topics.

        Raises ValueError if the model keeps none.
        """
        out = np.zeros((self._kept_samples(), len(self.doc_names), self.n_topics), dtype=np.uint32)
        _ezlda.model_sample_counts(self._handle, out)
        return out

    def doc_intervals(self, level: float = 0.9, docs: Sequence[int] | None = None) -> np.ndarray:
        """Return the posterior mean of each share and the ends of its interval: documents by topics by 3.

        An interval holds ``level`` of the posterior. ``docs`` are numbers of documents; default: all. Raises
        ValueError if the model keeps no samples.
        """
        self._kept_samples()
        numbers = list(range(len(self.doc_names))) if docs is None else [int(d) for d in docs]
        out = np.zeros((len(numbers), self.n_topics, 3))
        _ezlda.model_intervals(_calls.context(), self._handle, numbers, level, out)
        return out

    def _kept_samples(self) -> int:
        n = _ezlda.model_samples(self._handle)
        if not n:
            raise ValueError("the model keeps no samples: use with_samples(corpus)")
        return n

    def effect(self, corpus: Any, formula: str, *, topics: Sequence[int] | None = None, words_field: str | None = None,
               words: int = 10, level: float = 0.9, samples: int = 20, thin: int = 5, burn_in: int = 50, seed: int = 1,
               plot: str | os.PathLike[str] | None = None, plot_field: str | None = None,
               threads: int = 0) -> dict[str, Any]:
        """Estimate how the shares of topics depend on fields of the documents.

        Parameters
        ----------
        corpus : a corpus that kept these fields, usually the one that the model was trained on.
        formula : such as ``"share ~ s(year) + party*region"``; terms as in ``ezlda effect``.
        topics : numbers of topics; default: all.
        words_field : a field whose values are compared by the ``words`` that they use most within a topic.
        level : share of the posterior in an interval.
        samples, thin, burn_in, seed : the samples of the posterior.
        plot, plot_field : draw the expected shares by a field as an SVG file.
        threads : number of threads; 0 (default): one per processor, or OMP_NUM_THREADS if that is set.

        Returns a dict with ``docs``, ``missing``, ``samples`` and ``topics``: for each topic its ``coefficients``
        (term, estimate, error, df, t, p, low, high), ``terms`` (their p-values), ``curves`` (expected shares by field)
        and ``words`` by group. Raises `ArgumentError` for a wrong formula or field.
        """
        context = _calls.context(threads)
        options = {"samples": samples, "thin": thin, "burn_in": burn_in, "seed": seed}
        return _ezlda.effect(context, self._handle, self.corpus_of(corpus, context)._handle, formula, topics,
                             words_field, level, words, None if plot is None else _calls.text_path(plot), plot_field,
                             options)

    def trend(self, corpus: Any, by: str, *, step: str | None = None, topics: Sequence[int] | None = None,
              words: int = 5, level: float = 0.9, samples: int = 20, thin: int = 5, burn_in: int = 50, seed: int = 1,
              plot: str | os.PathLike[str] | None = None, threads: int = 0) -> dict[str, Any]:
        """Estimate the shares of topics by period of the date field ``by``.

        ``step`` is day, week, month, quarter, year, decade or century; default: chosen. The other parameters are those of
        `effect`. Returns a dict with ``step``, ``docs``, ``missing``, ``bursts`` (topic, first and last period, weight)
        and ``topics``, each with its ``periods``: x (the period), docs, share, error, low, high and the words that the
        topic uses more in that period than in others.
        """
        context = _calls.context(threads)
        options = {"samples": samples, "thin": thin, "burn_in": burn_in, "seed": seed}
        return _ezlda.trend(context, self._handle, self.corpus_of(corpus, context)._handle, by, step, topics, level,
                            words, None if plot is None else _calls.text_path(plot), options)

    def diff(self, other: Model, *, threshold: float = 0.4, words: int = 10) -> Diff:
        """Match the topics of two models one to one and return a `Diff`.

        A pair has a similarity of at least ``threshold`` (0 to 1, default 0.4). ``words`` is the number of top words
        that are compared; default 10.
        """
        _calls.check_type("other", other, Model)
        found = _ezlda.models_match(_calls.context(), self._handle, other._handle, threshold, words)
        return Diff(found["pairs"], found["alone_a"], found["alone_b"], found["mean_similarity"],
                    found["words_common"])

    # ---- looks ----------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        i = self._info
        return (f"<ezlda.Model: {i['topics']:,} topics, {i['words']:,} words, {i['docs']:,} documents, "
                f"{i['iterations']:,} iterations, LLPT {self.llpt:.3f}>")

    def _repr_html_(self, most: int = 50) -> str:
        """Return a table of the largest topics, for notebooks."""
        largest = np.argsort(-self.topic_tokens.astype(np.float64), kind="stable")[:most]
        tokens, total = self.topic_tokens, max(self._info["tokens"], 1)
        rows = "".join(f"<tr><td>{k}</td><td>{100 * int(tokens[k]) / total:.2f} %</td><td style='text-align:left'>"
                       + html.escape(" ".join(w.name for w in self.top_words(int(k)))) + "</td></tr>" for k in largest)
        rest = f"<p>... and {self.n_topics - most} smaller ones</p>" if self.n_topics > most else ""
        return (f"<p>{html.escape(repr(self)[1:-1])}</p><table><thead><tr><th>topic</th><th>share</th>"
                f"<th style='text-align:left'>words</th></tr></thead><tbody>{rows}</tbody></table>{rest}")

    def __reduce__(self) -> tuple[Any, ...]:
        with _calls.scratch() as folder:
            path = os.path.join(folder, "model.ezm")
            self.save(path)
            with open(path, "rb") as file:
                return _model_from_bytes, (file.read(), self._history)


def _shortest(values: np.ndarray) -> np.ndarray:
    """Return numbers that were kept with 32 bits as the shortest decimals that mean them: 0.1 and not
    0.10000000149011612. Others stay as they are."""
    narrow = values.astype(np.float32)
    return np.where(narrow == values, narrow.astype(str).astype(np.float64), values)


def _model_from_bytes(content: bytes, history: np.ndarray | None) -> Model:
    with _calls.scratch() as folder:
        path = os.path.join(folder, "model.ezm")
        with open(path, "wb") as file:
            file.write(content)
        return Model._of(_ezlda.model_load(_calls.context(), path), history)

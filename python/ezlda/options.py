"""The names and types of options, for editors, type checkers and the help of notebooks."""
from __future__ import annotations

import inspect
import os
from typing import Any, Callable, Iterable, Literal, Mapping, Sequence, TypedDict, TypeVar, Union

Function = TypeVar("Function", bound=Callable[..., Any])
Path = Union[str, "os.PathLike[str]"]


class TextOptions(TypedDict, total=False):
    """Options of any text."""

    stopwords: str | Iterable[str] | None
    stemmer: str | None
    stem_below: int
    lemmas: str | os.PathLike[str] | None
    min_length: int
    ngrams: int
    phrases: str | None
    min_docs: int
    max_docs_share: float
    like_limits: bool
    max_vocab: int
    keep_case: bool
    keep_numbers: bool
    keep_order: bool
    keep_text: bool
    keep_markup: bool
    split: str | None
    tokens: str | None


class WordOptions(TextOptions, total=False):
    """Options of text whose fields the call names itself."""

    like: Any


class ImportOptions(TextOptions, total=False):
    """Options of files: `Corpus.read`."""

    format: str | None
    encoding: str | None
    vocab: Path | None
    text_field: str | Iterable[str] | None
    name_field: str | None
    label_field: str | None
    keep_fields: str | Iterable[str] | None
    unit: Literal["lines", "files"] | None
    include: str | None
    exclude: str | None


class SourceOptions(ImportOptions, total=False):
    """Options of `Corpus` for a source of any kind: those of the call that reads this kind."""

    threads: int
    like: Any
    tokenizer: Callable[[str], Iterable[Any]] | None
    text: str | Sequence[str] | None
    name: str | None
    label: str | None
    fields: Sequence[str] | Mapping[str, Iterable[Any]]
    words: Any
    names: Iterable[Any] | None
    labels: Iterable[Any] | None
    layer: str | None
    use_raw: bool
    mask_var: Any
    binarize: bool


class TrainOptions(TypedDict, total=False):
    """Options of `ezlda.train` that are not in its signature."""

    estimator: Literal["leave-one-out", "esca"]
    start: Literal["keyword", "random", "auto"]
    sampler: str
    g: int
    w_format: str
    word_samples: int
    eval_every: int
    keep_topics: bool
    optimize_interval: int
    optimize_burn_in: int
    symmetric_alpha: bool
    seed_weight: float
    converged_gain: float
    device_memory: int
    checkpoint: Path | None
    checkpoint_seconds: float
    checkpoint_iterations: int
    resume: bool
    balance: str
    region: int
    loose_records: bool
    out_of_core: bool
    memory: int
    scratch: Path | None


class UpdateOptions(TypedDict, total=False):
    """Options of `Model.update` that are not in its signature."""

    sampler: str
    g: int
    w_format: str
    word_samples: int
    eval_every: int
    keep_topics: bool
    device_memory: int
    checkpoint: Path | None
    checkpoint_seconds: float
    checkpoint_iterations: int
    resume: bool
    balance: str
    region: int
    loose_records: bool


class RunOptions(TrainOptions, total=False):
    """Options of runs, for calls that do not name them in their signature."""

    seed: int
    beta: float | None
    device: str


class CallOptions(RunOptions, total=False):
    """Options of `ezlda.train`, for `Model.train`, which is the same call."""

    alpha: Any
    fixed_priors: bool
    init: Any
    seeds: Any
    threads: int
    progress: bool | str | None
    callback: Any


class SweepOptions(RunOptions, total=False):
    """Options of `ezlda.sweep`."""

    iterations: int | None


class PlanOptions(RunOptions, total=False):
    """Options of `ezlda.plan`."""

    alpha: float | None


class InferOptions(TypedDict, total=False):
    """Options of `Model.infer` that are not in its signature."""

    samples: int
    thin: int
    device_memory: int
    batch: int


class EvalOptions(TypedDict, total=False):
    """Options of `Model.evaluate`."""

    seed: int
    iterations: int
    samples: int
    thin: int
    particles: int
    resample: int
    docs: int
    doc_tokens: int
    words: int
    npmi_window: int
    c_v_window: int
    whole_windows: bool
    device: str
    device_memory: int


class SynthOptions(TypedDict, total=False):
    """Options of `Corpus.synth`."""

    docs: int
    words: int
    mean_length: float
    sigma: float
    topics: int
    alpha: float
    beta: float
    zipf: float
    seed: int


class ReportOptions(TypedDict, total=False):
    """Options of `Model.report`."""

    title: str
    other_title: str
    created: str
    words: int
    docs: int
    field: str
    step: Literal["auto", "year", "quarter", "month", "day"]


class _Default:
    """Stands for the default of an option in a signature."""

    def __repr__(self) -> str:
        return "(default)"


DEFAULT = _Default()


def _keys(kind: Any) -> Iterable[str]:
    """Return the names of the options in the order of their definition."""
    keys: Iterable[str] = kind.__annotations__
    return keys


def _type_of(kind: Any, name: str) -> Any:
    """Return the type of an option as other annotations of a signature have it: as text."""
    found = kind.__annotations__[name]
    return getattr(found, "__forward_arg__", found)


def lists_options(*kinds: Any) -> Callable[[Function], Function]:
    """Return a decorator that shows the options of these kinds in the signature, instead of ``**options``."""
    def show(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        names = [name for kind in kinds for name in _keys(kind) if name not in signature.parameters]
        more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=DEFAULT,
                                  annotation=_type_of(next(k for k in kinds if name in _keys(k)), name))
                for name in dict.fromkeys(names)]
        function.__signature__ = signature.replace(parameters=own + more)  # type: ignore[attr-defined]
        return function
    return show

"""Topic models (LDA) for millions of documents and thousands of topics, on the CPU and on GPUs.

    import ezlda

    corpus = ezlda.Corpus.read("articles.jsonl.gz")
    model = ezlda.train(corpus, topics=100)
    model.topics()                       # the top words of each topic
    model.infer(["a new document"])      # its shares of the topics
    model.save("articles.ezm")

The same seed gives the same model to the last bit, on any device and with any number of threads, here and in the
command. `ezlda.LatentDirichletAllocation` has the interface of scikit-learn's estimator; `ezlda.tl.lda` and `ezlda.pl`
are for AnnData.
"""
from typing import TYPE_CHECKING, Any

from ._ezlda import version as __version__
from .corpus import Corpus
from .devices import devices
from .ensembles import consensus, ensemble
from .errors import (ArgumentError, DeviceError, Error, FileError, FormatError, FractionWarning, InternalError,
                     InterruptWarning, MissingFileError, OutOfMemoryError, StoppedError, UnknownWordsWarning,
                     UnsupportedError)
from .inferencer import Inferencer
from .model import Diff, Model, Scored, Topic
from .pages import Report
from .sweeps import Sweep, sweep
from .training import Progress, plan, train
from .trees import Node, Tree

if TYPE_CHECKING:
    from . import pl, tl
    from .estimator import LatentDirichletAllocation

__all__ = ["ArgumentError", "Corpus", "DeviceError", "Diff", "Error", "FileError", "FormatError", "FractionWarning",
           "Inferencer", "InternalError", "InterruptWarning", "LatentDirichletAllocation", "MissingFileError", "Model", "Node",
           "OutOfMemoryError", "Progress", "Report", "Scored", "StoppedError", "Sweep", "Topic", "Tree", "UnknownWordsWarning",
           "UnsupportedError", "consensus", "devices", "ensemble", "pl", "plan", "sweep", "tl", "train", "__version__"]


def __getattr__(name: str) -> Any:
    """Import the modules that need other packages when they are first used."""
    import importlib
    if name == "LatentDirichletAllocation":
        return importlib.import_module(".estimator", __name__).LatentDirichletAllocation
    if name in ("pl", "tl"):
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'ezlda' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})

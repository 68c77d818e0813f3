"""Trees of topics: merges of a model's topics, and models cut from them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _calls, _ezlda

if TYPE_CHECKING:
    from .model import Model


class Node(NamedTuple):
    """A node of a `Tree`: a topic, or topics that were merged."""

    node: int  #: a topic, if it is below the number of topics
    left: int  #: the nodes that were merged; -1: the node is a topic
    right: int
    parent: int  #: -1: the root
    topics: int  #: below the node; 1 if it is a topic
    tokens: int
    loss: float  #: what the merge lost of the words' log-likelihood, in nats
    total_loss: float  #: of all merges up to this one
    words: tuple[str, ...]  #: those that tell the node from its sibling


class Tree:
    """Topics merged two by two, always the pair that loses least. `Model.tree` returns one."""

    def __init__(self, model: Model, words: int, threads: int) -> None:
        self._model = model
        self._handle = _ezlda.tree_make(_calls.context(threads), model._handle, words)
        names = model.words
        self.nodes: list[Node] = [  #: the topics, then the merges in their order
            Node(i, *node[:-1], tuple(names[word] for word in node[-1]))
            for i, node in enumerate(_ezlda.tree_nodes(self._handle))]

    @property
    def n_topics(self) -> int:
        """Number of topics of the model."""
        return (len(self.nodes) + 1) // 2

    def losses(self) -> np.ndarray:
        """Return what all merges down to k topics lose, in nats per token, at position k; position 0 is NaN."""
        tokens = max(self.nodes[-1].tokens, 1)
        return np.array([np.nan, *(node.total_loss / tokens for node in reversed(self.nodes[self.n_topics:])), 0.0])

    def cut(self, topics: int) -> Model:
        """Return the model with this number of topics, from 2 to that of the tree."""
        return type(self._model)._of(_ezlda.tree_cut(_calls.context(), self._handle, topics))

    def to_frame(self) -> Any:
        """Return the nodes as a DataFrame. Raises ImportError without pandas."""
        return _calls.needs("pandas", "Tree.to_frame").DataFrame(self.nodes).set_index("node")

    def __repr__(self) -> str:
        return f"<ezlda.Tree of {self.n_topics:,} topics>"

"""Trees of topics, and the consensus of several seeds."""
import numpy as np
import pytest

import ezlda

TOPICS = 12


@pytest.fixture(scope="module")
def drawn():
    return ezlda.Corpus.synth(docs=200, words=300, mean_length=40, topics=6, seed=2)


@pytest.fixture(scope="module")
def fine(drawn):
    return ezlda.train(drawn, TOPICS, 30, device="cpu", keep_topics=True)


def test_a_tree_has_the_topics_and_their_merges(fine):
    tree = fine.tree(words=5)
    assert tree.n_topics == TOPICS and len(tree.nodes) == 2 * TOPICS - 1 and repr(tree) == "<ezlda.Tree of 12 topics>"
    assert [n.tokens for n in tree.nodes[:TOPICS]] == fine.topic_tokens.tolist()
    for node in tree.nodes[TOPICS:]:
        left, right = tree.nodes[node.left], tree.nodes[node.right]
        assert node.tokens == left.tokens + right.tokens and left.parent == right.parent == node.node
        assert not set(left.words) & set(right.words) and len(left.words) <= 5
    assert tree.nodes[-1].parent == -1 and tree.nodes[0].left == -1
    losses = tree.losses()
    assert len(losses) == TOPICS + 1 and np.isnan(losses[0]) and losses[TOPICS] == 0
    assert losses[1] * tree.nodes[-1].tokens == pytest.approx(tree.nodes[-1].total_loss)


def test_a_cut_is_a_model(fine, drawn):
    tree = fine.tree()
    cut = tree.cut(4)
    assert cut.n_topics == 4 and cut.topic_tokens.sum() == fine.topic_tokens.sum()
    assert cut.alpha.sum() == pytest.approx(fine.alpha.sum())
    assert cut.infer(drawn).shape == (200, 4) and cut.found is None
    del tree
    assert fine.tree().cut(4).topics_hash == cut.topics_hash
    for wrong in (1, TOPICS + 1):
        with pytest.raises(ezlda.ArgumentError, match="expected 2 to 12"):
            fine.tree().cut(wrong)


def test_an_ensemble_is_the_consensus_of_its_seeds(drawn):
    model = ezlda.ensemble(drawn, 6, 100, seeds=3, seed=5, device="cpu")
    members = [ezlda.train(drawn, 6, 100, seed=seed, device="cpu", keep_topics=True) for seed in (5, 6, 7)]
    same = ezlda.consensus(members, drawn)
    assert model.topics_hash == same.topics_hash and model.info["members"] == 3
    assert model.found.tolist() == same.found.tolist() and max(model.found) <= 3
    assert ezlda.consensus([members[0]] * 2, drawn).found.tolist() == [2] * 6
    assert members[0].found is None and members[0].info["members"] == 0


def test_a_consensus_needs_models_of_the_corpus_with_their_topics(drawn, fine):
    with pytest.raises(ValueError, match="seeds: expected 2 to 1000, found 1"):
        ezlda.ensemble(drawn, 4, 5, seeds=1)
    bare = ezlda.train(drawn, TOPICS, 10, device="cpu")
    with pytest.raises(ezlda.ArgumentError, match="keep_topics"):
        ezlda.consensus([fine, bare], drawn)
    with pytest.raises(ezlda.ArgumentError, match="2 to 1000"):
        ezlda.consensus([fine], drawn)
    with pytest.raises(ezlda.ArgumentError, match="expected the corpus"):
        ezlda.consensus([fine, fine], ezlda.Corpus.synth(docs=20, words=30, mean_length=10, topics=2))
    with pytest.raises(TypeError):
        ezlda.consensus([fine, drawn], drawn)

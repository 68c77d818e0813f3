"""The promise: the same seed gives the same model, here and in the command, in any thread."""
import re
import threading

import numpy as np
import pytest

import ezlda


def command_hash(command, tmp_path, corpus, *options):
    corpus.save(tmp_path / "c.ezc")
    command("train", tmp_path / "c.ezc", "-o", tmp_path / "m.ezm", "--quiet", *options)
    return re.search(r"topics_hash\W+([0-9a-f]{16})", command("info", tmp_path / "m.ezm", "--json"))[1]


def test_train_equals_the_command(command, tmp_path, corpus, model, device):
    assert command_hash(command, tmp_path, corpus, "-k", 8, "-i", 60, "--seed", 5, "--alpha", 0.2, "--fixed-priors",
                        "--device", device) == model.topics_hash


@pytest.mark.parametrize("kind", ["i4", "i8", "f8"])
def test_the_estimator_equals_the_command(command, tmp_path, matrix, corpus, kind, device):
    lda = ezlda.LatentDirichletAllocation(8, doc_topic_prior=0.2, topic_word_prior=0.05, max_iter=25, random_state=7,
                                          device=device).fit(matrix.astype(kind))
    assert command_hash(command, tmp_path, corpus, "-k", 8, "-i", 25, "--seed", 7, "--alpha", 0.2, "--beta", 0.05) == \
        lda.model_.topics_hash


def test_the_defaults_are_those_of_the_command(command, tmp_path, matrix, corpus, device):
    """Priors are fitted, and the run ends when it has settled."""
    few = matrix[::8]
    same = ezlda.Corpus.from_matrix(few, corpus.words)
    model = ezlda.train(same, 4, device=device, progress=False)
    lda = ezlda.LatentDirichletAllocation(4, random_state=1, device=device).fit(few)
    hashes = {command_hash(command, tmp_path, same, "-k", 4, "--device", device), model.topics_hash,
              lda.model_.topics_hash}
    assert len(hashes) == 1 and lda.n_iter_ == model.info["iterations"] >= 1000
    assert list(lda.doc_topic_prior_) == list(model.alpha) and lda.topic_word_prior_ == model.beta
    assert len(set(model.alpha)) == 4 and model.beta not in (0.01, 0.25)


def test_threads_do_not_matter(corpus, model):
    alone = ezlda.train(corpus, 8, 60, seed=5, alpha=0.2, fixed_priors=True, threads=1, device="cpu", progress=False)
    assert alone.topics_hash == model.topics_hash


def test_two_models_at_once(corpus, model):
    """From two threads, over the same corpus, beside inference with a shared model."""
    other = ezlda.train(corpus, 8, 60, seed=9, alpha=0.2, fixed_priors=True, device="cpu", progress=False)
    expected = {5: model.topics_hash, 9: other.topics_hash}
    theta = model.infer(corpus, device="cpu")
    found, failures = [], []

    def work(seed):
        try:
            for _ in range(3):
                made = ezlda.train(corpus, 8, 60, seed=seed, alpha=0.2, fixed_priors=True, device="cpu", threads=1,
                                   progress=False, callback=lambda p: None)
                found.append((seed, made.topics_hash))
                np.testing.assert_array_equal(model.infer(corpus, device="cpu", threads=1), theta)
        except BaseException as error:
            failures.append(error)
    threads = [threading.Thread(target=work, args=(seed,)) for seed in expected]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == [] and sorted(found) == sorted([(s, h) for s, h in expected.items()] * 3)


def test_a_context_is_for_one_thread(corpus):
    from ezlda import _ezlda
    context = _ezlda.context()

    def use_again(*values):
        _ezlda.devices(context)
    with pytest.raises(RuntimeError, match="another thread"):
        _ezlda.train(context, corpus._handle, {"topics": 2, "iterations": 2, "device": "cpu"}, None, None, None,
                     use_again, 0.0)
    assert _ezlda.devices(context)["choice"]

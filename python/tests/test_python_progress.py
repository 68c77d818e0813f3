"""What a run shows while it works: bars, and the model so far."""
import threading
import warnings

import numpy as np
import pytest

import ezlda


def test_the_model_so_far_is_that_of_a_shorter_run(corpus, device):
    seen = {}

    def look(progress):
        if progress.iteration in (3, 7):
            seen[progress.iteration] = progress.model()
    settings = dict(seed=2, alpha=0.2, fixed_priors=True, keep_topics=True, device=device, progress=False)
    watched = ezlda.train(corpus, 6, 9, callback=look, **settings)
    assert watched.topics_hash == ezlda.train(corpus, 6, 9, **settings).topics_hash
    for iteration, model in seen.items():
        short = ezlda.train(corpus, 6, iteration, word_samples=1, **settings)
        assert model.topics_hash == short.topics_hash and model.info["iterations"] == iteration
        np.testing.assert_array_equal(model.components(), short.components())
        np.testing.assert_array_equal(model.doc_topic(), short.doc_topic())
        np.testing.assert_array_equal(model.token_topics, short.token_topics)
        assert model.topics() == short.topics()


def test_the_model_so_far_with_seeds_and_more_topics(corpus):
    words = corpus.words

    def look(progress):
        tops.append([word.name for word in progress.model().top_words(4, 3)])
    tops = []
    ezlda.train(corpus, 300, 3, seeds={4: words[:3]}, device="cpu", progress=False, callback=look)
    assert len(tops) == 3 and set(tops[-1]) <= set(words)


def test_the_model_so_far_can_be_had_during_the_call_only(corpus, tmp_path):
    kept = []
    ezlda.train(corpus, 3, 2, device="cpu", progress=False, callback=kept.append)
    with pytest.raises(RuntimeError, match="the callback has returned"):
        kept[0].model()
    with pytest.raises(RuntimeError, match="do not belong to a run"):
        ezlda.Progress(*kept[0]).model()
    with pytest.raises(ezlda.UnsupportedError, match="out of core"):
        ezlda.train(corpus, 3, 2, device="cpu", progress=False, out_of_core=True, scratch=tmp_path,
                    callback=lambda progress: progress.model())


def test_the_model_so_far_belongs_to_the_thread_of_the_callback(corpus):
    faults = []

    def ask(progress):
        try:
            progress.model()
        except RuntimeError as error:
            faults.append(str(error))

    def look(progress):
        thread = threading.Thread(target=ask, args=(progress,))
        thread.start()
        thread.join()
    ezlda.train(corpus, 3, 2, device="cpu", progress=False, callback=look)
    assert len(faults) == 2 and "thread of the callback" in faults[0]


@pytest.mark.parametrize("kind, package", [("tqdm", "tqdm"), (True, "tqdm"), ("rich", "rich")])
def test_bars(corpus, model, capfd, kind, package, tmp_path):
    pytest.importorskip(package)
    ezlda.train(corpus, 3, 4, device="cpu", progress=kind, eval_every=2)
    shown = "".join(capfd.readouterr())
    assert "ezlda" in shown and "LLPT" in shown and ("4 of 4 it" in shown or "4/4" in shown)
    model.infer(corpus, progress=kind)
    assert "400" in "".join(capfd.readouterr())
    ezlda.sweep(corpus, [2, 3], tmp_path / "sweep", iterations=3, device="cpu", progress=kind)
    assert "ezlda sweep" in "".join(capfd.readouterr())


def test_a_bar_of_a_run_that_may_settle(corpus, capfd):
    pytest.importorskip("rich")
    ezlda.train(corpus, 3, 60, converged_gain=0.5, eval_every=5, device="cpu", progress="rich")
    shown = "".join(capfd.readouterr())
    assert " of " in shown
    with pytest.raises(ValueError, match='expected True, False, None, "tqdm" or "rich", found \'bar\''):
        ezlda.train(corpus, 3, 2, progress="bar")


def test_seeds_that_the_corpus_does_not_have(corpus):
    words = corpus.words[:2]
    with pytest.warns(ezlda.UnknownWordsWarning, match="does not have 2 of 4 words \\('zebra', 'quagga'\\)") as found:
        ezlda.train(corpus, 3, 2, seeds={0: [words[0], "zebra"], 1: ["quagga", words[1]]}, device="cpu", progress=False)
    assert len(found) == 1 and found[0].filename == __file__
    with pytest.warns(ezlda.UnknownWordsWarning, match=r"'word000', .*'word02.', \.\.\.\)"):
        ezlda.train(corpus, 3, 2, seeds={0: [words[0], *(f"word{i:03}" for i in range(200))]}, device="cpu",
                    progress=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ezlda.train(corpus, 3, 2, seeds={0: words}, device="cpu", progress=False)
        with pytest.raises(ezlda.UnknownWordsWarning, match="'zebra'"):
            ezlda.train(corpus, 3, 2, seeds=[["zebra", words[0]]], device="cpu", progress=False)
    with pytest.raises(ezlda.ArgumentError, match="none of the 1 seed words .'zebra'."):
        ezlda.train(corpus, 3, 2, seeds=[["zebra"]], device="cpu", progress=False)

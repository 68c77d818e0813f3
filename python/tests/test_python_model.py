"""ezlda.train and ezlda.Model."""
import math
import pickle
import signal
import threading
import warnings

import numpy as np
import pytest

import ezlda


def test_the_model_adds_up(model, corpus):
    info = model.info
    assert (info["topics"], info["iterations"], info["docs"]) == (8, 60, 400)
    assert model.topic_tokens.sum() == model.word_tokens.sum() == model.doc_tokens.sum() == corpus.info["tokens"]
    components = model.components(prior=False)
    np.testing.assert_array_equal(components, model.counts("words").toarray().T)
    np.testing.assert_allclose(model.components(np.float32), components + model.beta, rtol=1e-6)
    np.testing.assert_allclose(model.topic_word().sum(axis=1), 1)
    shares = (model.counts("docs").toarray() + model.alpha) / (model.doc_tokens[:, None] + model.alpha.sum())
    np.testing.assert_allclose(model.doc_topic(), shares)
    assert len(model.token_topics) == info["tokens"]
    np.testing.assert_array_equal(np.bincount(model.token_topics, minlength=8), model.topic_tokens)


def test_topics(model):
    topics = model.topics(5)
    assert [t.topic for t in topics] == list(range(8)) and sum(t.share for t in topics) == pytest.approx(1)
    best = np.argsort(-model.topic_word()[3], kind="stable")[:5]
    assert topics[3].words == tuple(model.words[w] for w in best)
    assert model.top_words(3, 2, order="lift")[0].score >= model.top_words(3, 2, order="lift")[1].score
    docs = model.top_docs(2, 3)
    assert docs[0].probability == pytest.approx(model.doc_topic()[:, 2].max())
    with pytest.raises(ValueError, match="order"):
        model.top_words(0, order="size")
    with pytest.raises(ezlda.ArgumentError):
        model.top_words(8)


def test_frames_and_looks(model):
    pytest.importorskip("pandas")
    frame = model.topics_frame(4)
    assert list(frame.columns) == ["tokens", "share", "alpha", "words"] and len(frame) == 8
    assert model.top_words(0, 1)[0].name in model._repr_html_()
    assert "8 topics" in repr(model)


def test_history(model):
    assert list(model.history["iteration"]) == list(range(1, 61))
    scored = model.history[~np.isnan(model.history["llpt"])]
    assert list(scored["iteration"]) == [20, 40, 60] and scored["llpt"][-1] == model.llpt


def test_files_and_pickle(model, tmp_path):
    model.save(tmp_path / "m.ezm")
    loaded = ezlda.Model.load(tmp_path / "m.ezm")
    assert loaded.topics_hash == model.topics_hash and list(loaded.history["iteration"]) == [20, 40, 60]
    again = pickle.loads(pickle.dumps(model))
    assert again.topics_hash == model.topics_hash and len(again.history) == 60
    (tmp_path / "bad.ezm").write_bytes(b"nothing of the kind")
    with pytest.raises(ezlda.FormatError):
        ezlda.Model.load(tmp_path / "bad.ezm")
    with pytest.raises(TypeError):
        ezlda.Model()


def test_infer(model, corpus, matrix, device):
    theta = model.infer(corpus, device=device, threads=1)
    np.testing.assert_allclose(theta.sum(axis=1), 1)
    np.testing.assert_array_equal(theta, model.infer(matrix, device=device, threads=2))
    np.testing.assert_allclose(model.infer(matrix, dtype=np.float32, device=device), theta, rtol=1e-6)
    weights = model.infer(matrix, normalize=False, device=device)
    np.testing.assert_allclose(weights.sum(axis=1), model.doc_tokens + model.alpha.sum())
    assert (theta.argmax(axis=1) == model.doc_topic().argmax(axis=1)).mean() > 0.8
    with pytest.raises(ValueError, match="7 columns"):
        model.infer(matrix[:, :7])


def test_infer_sparse(model, matrix, device):
    theta = model.infer(matrix, device=device)
    whole = model.infer_sparse(matrix, device=device)
    assert whole.shape == (400, 8) and whole.has_sorted_indices
    rows, columns = whole.nonzero()
    np.testing.assert_allclose(whole.data, theta[rows, columns])
    prior = model.alpha / (model.doc_tokens[:, None] + model.alpha.sum())
    np.testing.assert_allclose(whole.toarray() + np.where(whole.toarray() == 0, prior, 0), theta)
    first = model.infer_sparse(matrix, top=2, device=device)
    assert first.nnz <= 800 and (np.diff(first.indptr) <= np.diff(whole.indptr)).all()
    np.testing.assert_allclose(np.sort(first.toarray(), axis=1)[:, -2:], np.sort(whole.toarray(), axis=1)[:, -2:])
    large = model.infer_sparse(matrix, threshold=0.3, device=device)
    np.testing.assert_allclose(large.toarray(), np.where(theta >= 0.3, whole.toarray(), 0))
    both = model.infer_sparse(matrix, top=1, threshold=0.3, normalize=False, device=device)
    assert both.nnz == (np.diff(large.indptr) > 0).sum()
    np.testing.assert_array_equal(both.argmax(axis=1).ravel(), np.where(np.diff(large.indptr) > 0,
                                                                        large.argmax(axis=1).ravel(), 0))
    assert model.infer_sparse([]).shape == model.infer([]).shape == (0, 8)
    with pytest.raises(ValueError, match="top is 0"):
        model.infer_sparse(matrix, top=0)


def test_infer_shows_a_bar(model, matrix, capsys):
    pytest.importorskip("tqdm")
    model.infer(matrix, progress=True, device="cpu")
    assert "400/400" in capsys.readouterr().err


def test_infer_of_texts(model):
    words = [w.name for w in model.top_words(2, 10)]
    assert model.infer([words * 5])[0].argmax() == 2
    assert model.infer([" ".join(words * 5) + " and the others"])[0].argmax() == 2
    assert model.infer(["wordaa", ""]).shape == (2, 8)


def test_texts_are_read_as_those_of_the_model_were():
    texts = ["The running dogs of 1984 were barking", "A walking cat and the dogs", "Cats were running in 1984"] * 20
    corpus = ezlda.Corpus.from_texts(texts, stopwords="en", stemmer="english", ngrams=2, keep_numbers=True)
    model = ezlda.train(corpus, 2, 20, device="cpu", progress=False)
    assert "stemmer english, phrases of up to 2 words, numbers kept" in model.info["text_read_with"]
    new = ["the cat barks: 1984, running dogs"]
    assert set(ezlda.Corpus.from_texts(new, like=model).words) >= {"barking", "running_dogs", "1984"}
    theta = model.infer(new, normalize=False, device="cpu")
    np.testing.assert_array_equal(theta, model.infer(ezlda.Corpus(new, like=corpus), normalize=False, device="cpu"))
    np.testing.assert_allclose(theta.sum() - model.alpha.sum(), 6)  # cat, bark, 1984, run, dog, run_dog
    np.testing.assert_allclose(model.infer(["the of", ""]), model.alpha[None].repeat(2, 0) / model.alpha.sum())
    grown = ezlda.train(texts + ["the barking cats"], iterations=5, init=model, device="cpu", progress=False)
    assert "barking_cat" in grown.words and "bark" not in grown.words
    assert pickle.loads(pickle.dumps(model)).info["text_read_with"] == model.info["text_read_with"]


def test_words_that_the_model_does_not_know(model):
    with pytest.warns(ezlda.UnknownWordsWarning, match="knows 1 of the 3 tokens"):
        model.infer([["wordaa", "nothing", "at_all"]])
    with pytest.warns(ezlda.UnknownWordsWarning, match="knows 1 of the 3 tokens"):
        model.infer_sparse(["wordaa nothing likeit"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.infer([["wordaa", "nothing"], []])


def test_bags_and_frames_have_the_words_of_the_model(model, matrix):
    few = matrix[:20]
    bags = [[(np.int32(w), int(row[w])) for w in row.nonzero()[0]] for row in few.toarray()]
    expected = model.infer(few, device="cpu")
    np.testing.assert_array_equal(model.infer(bags, device="cpu"), expected)
    assert model.evaluate(bags, "llpt")["unknown_tokens"] == 0
    with pytest.raises(ValueError, match="too large"):
        model.infer([[(300, 1)]])
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(few.toarray(), columns=model.words)
    for same in (frame, frame.iloc[:, ::-1].astype("Int64"), pandas.DataFrame(few.toarray())):
        np.testing.assert_array_equal(model.infer(same, device="cpu"), expected)
    assert model.infer(pandas.Series(["wordaa", None])).shape == (2, 8)


def test_other_words(model, corpus, matrix, tmp_path):
    names = [f"n{w}" for w in range(300)]
    named = model.with_words(names)
    assert named.words == names and named.topics_hash == model.topics_hash and len(named.history) == 60
    np.testing.assert_array_equal(named.components(), model.components())
    np.testing.assert_array_equal(named.infer(matrix[:9], device="cpu"), model.infer(matrix[:9], device="cpu"))
    assert named.top_words(0, 1)[0].name == names[model.top_words(0, 1)[0].id] and named.token_topics is not None
    named.save(tmp_path / "named.ezm")
    assert ezlda.Model.load(tmp_path / "named.ezm").words == names
    assert named.info == {**model.info, "text_read_with": None}
    named.report(tmp_path / "r.html", corpus=corpus)
    assert model.with_words({name: w for w, name in enumerate(names)}).words == names
    assert model.words == corpus.words
    for wrong, message in ((names[1:], "299 words"), (["x"] * 300, "'x' names the columns 0 and 1"),
                           ([""] + names[1:], "column 0, found an empty one")):
        with pytest.raises(ValueError, match=message):
            model.with_words(wrong)


def test_objects_of_the_wrong_kind_are_named(model, corpus, tmp_path):
    for call, message in ((lambda: ezlda.train(corpus, init="x.ezm"), "init: expected an ezlda.Model, found 'x.ezm'"),
                          (lambda: model.report(corpus=["texts"]), "corpus: expected an ezlda.Corpus"),
                          (lambda: model.report(other=corpus), "other: expected an ezlda.Model"),
                          (lambda: model.export("csv", tmp_path / "x", corpus=[]), "corpus: expected"),
                          (lambda: model.diff("x.ezm"), "other: expected"),
                          (lambda: ezlda.Corpus.from_texts(["a"], like="x.ezm"), "like: expected")):
        with pytest.raises(TypeError, match=message):
            call()
    with pytest.raises(FileNotFoundError, match="none.ezm"):
        ezlda.Model.load(tmp_path / "none.ezm")
    with pytest.raises(FileNotFoundError):
        model.save(tmp_path / "no" / "folder.ezm")


def test_evaluate(model, corpus):
    scores = model.evaluate(corpus, ["completion", "coherence"], iterations=20)
    assert scores["training_corpus"] and 1 < scores["completion"]["perplexity"] < scores["completion"]["unigram"]
    assert len(scores["topics"]) == 8 and math.isnan(scores["llpt"]) and scores["left_to_right"] is None
    with pytest.raises(ValueError, match="measures"):
        model.evaluate(corpus, "beauty")


def test_diff(model, corpus, device):
    other = ezlda.train(corpus, 8, 60, seed=6, device=device, progress=False)
    assert [(p[0], p[1]) for p in model.diff(model).pairs] == [(k, k) for k in range(8)]
    diff = model.diff(other, threshold=0)
    assert sorted(p[1] for p in diff.pairs) == list(range(8)) and 0 < diff.mean_similarity < 1


def test_report(model, corpus, tmp_path):
    report = model.report(tmp_path / "r.html", corpus=corpus, title="Rivers & boats", svg=tmp_path / "pictures")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == report.html
    assert "<iframe" in report._repr_html_() and "Rivers" in report.html
    assert (tmp_path / "pictures" / "map.svg").exists()


def test_callbacks(corpus, device):
    seen = []

    def stop_at_seven(p):
        seen.append(p)
        return p.iteration == 7
    model = ezlda.train(corpus, 4, 100, callback=stop_at_seven, device=device, progress=False)
    assert [p.iteration for p in seen] == list(range(1, 8)) and model.info["iterations"] == 7
    assert model.info["stopped"]
    short = ezlda.train(corpus, 4, 7, device=device, progress=False)
    assert short.topics_hash == model.topics_hash


def test_the_bar(corpus, capsys):
    pytest.importorskip("tqdm")
    ezlda.train(corpus, 4, 15, device="cpu", progress=True)
    assert "15/15" in capsys.readouterr().err
    ezlda.train(corpus, 4, 15, device="cpu")
    assert capsys.readouterr().err == ""


def test_the_bar_of_a_run_that_settles(corpus, capsys):
    """Its total is a limit until the run has ended."""
    pytest.importorskip("tqdm")
    model = ezlda.train(corpus, 4, 400, converged_gain=0.1, eval_every=10, device="cpu", progress=True)
    done, shown = model.info["iterations"], capsys.readouterr().err
    assert done < 400 and " of at most 400 [" in shown
    assert f" {done}/{done} [" in shown.rpartition("\r")[2]
    ezlda.train(corpus, 4, device="cpu", progress=True, callback=lambda p: p.iteration == 3)
    assert " of at most 2000 [" in capsys.readouterr().err


def test_exceptions_in_callbacks_pass(corpus):
    def fail(p):
        raise LookupError("mine")
    with pytest.raises(LookupError, match="mine"):
        ezlda.train(corpus, 4, 10, callback=fail, device="cpu", progress=False)


@pytest.fixture
def interrupt():
    """Ctrl-C in a moment: the signal comes while the library is at work, without any callback."""
    main = threading.main_thread().ident
    timer = threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    yield
    timer.join()


def test_fixed_priors(corpus, device, tmp_path):
    fixed = ezlda.train(corpus, 8, 40, fixed_priors=True, device=device, progress=False)
    np.testing.assert_allclose(fixed.alpha, 50 / 8, rtol=1e-6)
    assert fixed.beta == pytest.approx(0.01)
    same = ezlda.train(corpus, 8, 40, optimize_interval=0, device=device, progress=False)
    assert same.topics_hash == fixed.topics_hash
    fitted = ezlda.train(corpus, 8, 40, beta=0.02, device=device, progress=False)
    assert len(set(fitted.alpha)) == 8 and fitted.beta == pytest.approx(0.02)
    for call in (ezlda.train, ezlda.plan, lambda corpus, k, **options: ezlda.sweep(corpus, [k], tmp_path, **options)):
        for name in ("optimize_interval", "optimize_burn_in", "symmetric_alpha"):
            with pytest.raises(ValueError, match=f"{name} and fixed_priors exclude each other"):
                call(corpus, 8, fixed_priors=True, **{name: 5})


def test_an_interrupt_keeps_the_model(corpus, interrupt):
    with pytest.warns(ezlda.InterruptWarning, match="interrupted"):
        model = ezlda.train(corpus, 8, 4_000_000, eval_every=0, device="cpu", threads=1, progress=False)
    done = model.info["iterations"]
    assert 1 <= done < 4_000_000 and len(model.history) == done
    np.testing.assert_equal(model.topic_tokens.sum(), corpus.info["tokens"])


def test_an_interrupt_ends_inference(model, corpus, interrupt):
    with pytest.raises(KeyboardInterrupt):
        model.infer(corpus, iterations=4_000_000, device="cpu", threads=1)


def test_an_interrupt_ends_a_sweep(corpus, tmp_path, interrupt):
    with pytest.raises(KeyboardInterrupt):
        ezlda.sweep(corpus, [4, 8], tmp_path / "sweep", iterations=4_000_000, device="cpu", progress=False)


def test_continuing_ends_in_the_same_bits(corpus, model, device):
    half = ezlda.train(corpus, 8, 30, seed=5, alpha=0.2, fixed_priors=True, eval_every=0, keep_topics=True,
                       device=device, progress=False)
    whole = ezlda.train(corpus, iterations=30, seed=5, fixed_priors=True, init=half, device=device, progress=False)
    assert whole.topics_hash == model.topics_hash


def test_seeds_and_priors(corpus, device):
    word = corpus.words[100]
    made = [ezlda.train(corpus, 8, 20, seeds=seeds, alpha=np.linspace(0.1, 0.5, 8), device=device, progress=False)
            for seeds in ({3: [word]}, [[], [], [], [word]])]
    assert made[0].topics_hash == made[1].topics_hash
    np.testing.assert_allclose(made[0].alpha, np.linspace(0.1, 0.5, 8), rtol=1e-6)


@pytest.mark.parametrize("wrong, message", [(dict(topics=1), "topics is 1"), (dict(topics=5, beta=-1), "beta"),
                                            (dict(topics=5, beta=0), "beta: expected a number from 0.000001 to 100"),
                                            (dict(topics=5, alpha=0), "alpha: expected a number from 0.000001 to 100"),
                                            (dict(topics=5, alpha=[1, 1, 1, 1, 0]), "alpha is 0"),
                                            (dict(topics=5, alpha="auto"), "alpha: expected a number"),
                                            (dict(topics=5, seed=-1), "seed"), (dict(topics=5, seed=2**64), "seed"),
                                            (dict(topics=5, seeds={-1: ["x"]}), "topic of a seed"),
                                            (dict(topics=5, iterations=-1), "iterations"),
                                            (dict(topics=5, sampler="best"), "many-branch"),
                                            (dict(topics=5, alpha=[1, 2]), "alpha"), (dict(topics=2.5), "topics"),
                                            (dict(), "topics"), (dict(topics=5, device="tpu"), "tpu")])
def test_wrong_options_are_named(corpus, wrong, message):
    with pytest.raises((ValueError, TypeError, RuntimeError), match=message):
        ezlda.train(corpus, progress=False, **wrong)


def test_numbers_do_not_wrap(model, corpus, tmp_path):
    """2**32 is not 0, nor -1 the last."""
    for wrong in (-1, 2**32, 2**64):
        for call in (lambda: model.top_words(wrong), lambda: model.infer_sparse(corpus, top=wrong),
                     lambda: model.export("csv", tmp_path / "x", words=wrong), lambda: model.diff(model, words=wrong),
                     lambda: ezlda.sweep(corpus, [wrong], tmp_path / "s", progress=False),
                     lambda: ezlda.sweep(corpus, [4], tmp_path / "s", seeds=wrong, progress=False),
                     lambda: ezlda.plan(corpus, wrong)):
            with pytest.raises(ValueError, match="expected a whole number from"):
                call()
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match="seed: expected a whole number from 0 to 18446744073709551615"):
            corpus.split(0.5, seed)
    with pytest.raises(ValueError, match="beta"):
        ezlda.sweep(corpus, [4], tmp_path / "s", beta=0, progress=False)


def test_devices_and_plan(corpus):
    found = ezlda.devices()
    assert found["devices"][-1]["device"] == "cpu" and found["choice"] in [d["device"] for d in found["devices"]]
    plan = ezlda.plan(corpus, 8, seconds=0.2, device="cpu")
    assert plan["tokens"] == corpus.info["tokens"] and plan["iterations"] == 2000
    assert ezlda.plan(corpus, 8, 30, seconds=0.2, fixed_priors=True, device="cpu")["iterations"] == 30


def test_sweep(corpus, tmp_path, device):
    sweep = ezlda.sweep(corpus, [4, 8], tmp_path / "sweep", iterations=30, device=device, progress=False)
    assert [row["topics"] for row in sweep.rows] == [4, 8] and sweep.recommended in (4, 8)
    best, other = sorted(sweep.rows, key=lambda row: row["perplexity"])
    assert best["to_best"] == best["to_best_error"] == 0 and best["topics"] == sweep.best_perplexity
    assert other["to_best"] == other["perplexity"] - best["perplexity"] and other["to_best_error"] > 0
    assert all(row["to_unigram"] == row["perplexity"] - row["unigram"] and row["to_unigram_error"] > 0
               for row in sweep.rows)
    assert sweep.load().n_topics == sweep.recommended and sweep.load(4).info["seed"] == 1


def test_words_that_a_run_does_not_have_are_reported(caplog):
    """Words of the model to continue from that the corpus does not have."""
    old = ezlda.train(["rivers boats water", "violins music opera"] * 40, 2, 5, progress=False)
    caplog.clear()
    ezlda.train(["rivers stars moons", "stars water boats"] * 40, None, 2, init=old, progress=False)
    found = [r for r in caplog.records if "does not have 3 of its 6 words (50 % of its tokens)" in r.message]
    assert [r.levelname for r in found] == ["WARNING"]
    caplog.clear()
    ezlda.train(["rivers boats water", "violins music opera", "new words"] * 40, None, 2, init=old, progress=False)
    assert not [r for r in caplog.records if r.levelname == "WARNING"]
    with pytest.raises(ezlda.ArgumentError, match="none of the words of the model to continue from"):
        ezlda.train(["quite other things", "things apart"] * 40, None, 2, init=old, progress=False)

"""The gensim export, as gensim's LdaModel opens it."""
import re

import pytest

numpy = pytest.importorskip("numpy")
pytest.importorskip("gensim")

from gensim.models import CoherenceModel, LdaModel  # noqa: E402


@pytest.fixture(scope="module")
def folder(ezlda, model, corpus, tmp_path_factory):
    path = tmp_path_factory.mktemp("gensim") / "out"
    ezlda("export", model, "--to", "gensim", "--corpus", corpus, "-o", path)
    return path


@pytest.fixture(scope="module", params=[None, "r"])
def lda(folder, request):
    return LdaModel.load(str(folder / "model"), mmap=request.param)


def bags(ezlda, corpus, model, tmp_path):
    """The documents, from a MALLET state."""
    import gzip
    path = tmp_path / "state.gz"
    ezlda("export", model, "--to", "mallet-state", "--corpus", corpus, "-o", path)
    documents = {}
    with gzip.open(path, "rt") as file:
        for line in file:
            if not line.startswith("#"):
                doc, _, _, word, _, _ = line.split(" ")
                document = documents.setdefault(int(doc), {})
                document[int(word)] = document.get(int(word), 0) + 1
    return [sorted(documents.get(d, {}).items()) for d in range(max(documents) + 1)]


def test_the_loaded_model_has_all_that_gensim_gives_its_own(lda):
    own = LdaModel(id2word=lda.id2word, num_topics=3)
    assert set(vars(own)) - set(vars(lda)) == set()
    assert {k for k in set(vars(own.state)) - set(vars(lda.state))} == set()
    assert {k for k in set(vars(own.id2word)) - set(vars(lda.id2word))} == set()
    for name in ("alpha", "eta", "expElogbeta"):
        assert getattr(lda, name).dtype == getattr(own, name).dtype


def test_probabilities_are_ours(lda, arrays):
    numpy.testing.assert_allclose(lda.get_topics(), arrays["phi"], rtol=2e-6)
    numpy.testing.assert_allclose(lda.alpha, arrays["alpha"], rtol=1e-6)


def test_exp_e_log_beta_is_gensims(lda):
    numpy.testing.assert_allclose(lda.expElogbeta, numpy.exp(lda.state.get_Elogbeta()), rtol=1e-4, atol=1e-12)


def test_top_words_are_ours(lda, arrays, ezlda, model):
    """But for words of the same count."""
    lines = ezlda("export", model, "--to", "mallet-keys", "--words", 10, "-o", "/dev/stdout").splitlines()
    for topic, line in enumerate(lines):
        count = {word: arrays["W"][topic, lda.id2word.token2id[word]] for word in line.split("\t")[2].split()}
        theirs = lda.show_topic(topic, topn=10)
        assert sorted(count.values(), reverse=True) == [arrays["W"][topic, lda.id2word.token2id[w]] for w, _ in theirs]
        assert {w for w, n in count.items() if n > min(count.values())} <= {w for w, _ in theirs}
    assert len(lda.show_topics(num_topics=-1, formatted=False)) == len(lines)
    assert re.match(r'[\d.]+\*"\w+"', lda.print_topic(0))


def test_dictionary(lda, arrays, ezlda, corpus, model, tmp_path):
    words = lda.id2word
    documents = bags(ezlda, corpus, model, tmp_path)
    assert len(words) == len(arrays["vocab"]) and words.num_docs == len(arrays["doc_lengths"])
    assert [words[v] for v in range(len(words))] == list(arrays["vocab"])
    assert all(words.cfs[v] == n for v, n in enumerate(arrays["word_counts"]))
    assert words.num_nnz == sum(map(len, documents)) and words.num_pos == arrays["word_counts"].sum()
    assert words.dfs == {v: sum(v in dict(d) for d in documents) for v in range(len(words))}


def test_documents_have_their_topics(lda, arrays, ezlda, corpus, model, tmp_path):
    """gensim infers by other means, so nearly."""
    documents = bags(ezlda, corpus, model, tmp_path)
    shares = [lda.get_document_topics(d, minimum_probability=0) for d in documents]
    assert all(abs(sum(p for _, p in s) - 1) < 1e-4 for s in shares)
    theirs = numpy.array([[p for _, p in s] for s in shares])
    lengths = numpy.linalg.norm(theirs, axis=1) * numpy.linalg.norm(arrays["theta"], axis=1)
    assert ((theirs * arrays["theta"]).sum(axis=1) / lengths).mean() > 0.9


def test_coherence_and_update_work(lda, folder, ezlda, corpus, model, tmp_path):
    documents = bags(ezlda, corpus, model, tmp_path)
    score = CoherenceModel(model=lda, corpus=documents, coherence="u_mass", topn=5).get_coherence()
    assert -20 < score < 0
    fresh = LdaModel.load(str(folder / "model"))
    fresh.update(documents[:50])
    fresh.save(str(tmp_path / "again"))
    assert LdaModel.load(str(tmp_path / "again")).num_topics == lda.num_topics


def test_without_the_corpus(ezlda, model, tmp_path):
    ezlda("export", model, "--to", "gensim", "-o", tmp_path / "plain")
    lda = LdaModel.load(str(tmp_path / "plain" / "model"))
    assert lda.id2word.dfs == {} and lda.id2word.num_nnz == 0 and lda.show_topic(0)

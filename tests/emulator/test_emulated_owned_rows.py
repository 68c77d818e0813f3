"""Rows of W that a GPU counts from the topics of all GPUs: the CPU's model bit for bit."""
import pytest

from emulated_corpora import import_bags
from test_emulated_shards import kernels_in, train

DOCS, TOPICS = 14, 40
OWNED = {"ez_owned_dense", "ez_owned_sparse", "ez_owned_by_warp", "ez_owned_by_lanes"}
TWO = {"SIMT_DEVICES": "2"}


def make_bags():
    """Words at the limits of the kernels: 32 and 33 tokens, 256 and 257, K and K + 1, and as many tokens as make their topics
    as large as the cells of two to four and of nine GPUs. Words are spread over all documents, or only in the first or the last
    one."""
    docs = [{} for _ in range(DOCS)]
    word = 0
    equal = [2 * TOPICS * gpus for gpus in (2, 3, 4, 9)]
    for n in [1, 2, 31, 32, 33, TOPICS, TOPICS + 1, 256, 257, *equal, *(n + 1 for n in equal), *[35] * 40]:
        for i in range(n):
            bag = docs[(i + word) % DOCS]
            bag[word] = bag.get(word, 0) + 1
        word += 1
    for doc in (0, DOCS - 1):
        for n in (1, 32, 33, TOPICS, TOPICS + 1, 4 * TOPICS + 1):
            docs[doc][word] = n
            word += 1
    return docs


@pytest.fixture(scope="module")
def corpus(ezlda, tmp_path_factory):
    return import_bags(ezlda, tmp_path_factory.mktemp("corpus") / "c.ezc", make_bags())


@pytest.fixture(scope="module")
def alone(ezlda, corpus, tmp_path_factory):
    """The result of the CPU."""
    known = {}

    def outcome(*options):
        if options not in known:
            known[options] = train(ezlda, corpus, tmp_path_factory.mktemp("alone"), "cpu", *options)
        return known[options]

    return outcome


CASES = [
    ("0,0", "", {"SIMT_LAZY": "1"}),
    ("0,0,0", "", {"SIMT_RACES": "1", "SIMT_PROCESSORS": "1", "SIMT_BLOCKS": "1"}),
    ("0,0,0,0", "--balance none", {}),
    (",".join("0" * 9), "--estimator esca", {"SIMT_SHUFFLE": "3"}),
    ("0,1", "", {**TWO, "SIMT_LAZY": "1"}),
    ("0,1,1", "--optimize-interval 1 --optimize-burn-in 0", TWO),
    (",".join("010101010"), "", TWO),
]


@pytest.mark.parametrize("devices, options, settings", CASES)
def test_one_model(devices, options, settings, ezlda, corpus, alone, tmp_path):
    options = ["-k", TOPICS, *options.split()]
    got = train(ezlda, corpus, tmp_path, "cuda:" + devices, *options, SIMT_LOG=str(tmp_path / "log"), **settings)
    assert got == alone(*options)
    kernels = kernels_in(tmp_path / "log")
    assert {"ez_owned_dense", "ez_owned_by_warp", "ez_owned_by_lanes", "ez_sum_shards"} <= kernels
    assert "ez_count_hashed" not in kernels


@pytest.mark.parametrize("devices", ["0,0,0", "0,1"])
@pytest.mark.parametrize("form, kernels", [("dense", {"ez_owned_dense"}), ("sparse", OWNED - {"ez_owned_dense"})])
def test_forms_of_rows(form, kernels, devices, ezlda, corpus, alone, tmp_path):
    got = train(ezlda, corpus, tmp_path, "cuda:" + devices, "-k", TOPICS, "--w-format", form,
                SIMT_LOG=str(tmp_path / "log"), **TWO)
    assert got == alone("-k", TOPICS)
    assert OWNED & kernels_in(tmp_path / "log") == kernels


def test_histograms_of_few_topics(ezlda, corpus, alone, tmp_path):
    """Counts are large; all rows are dense, and most are summed."""
    options = ["-k", 2, "--optimize-interval", 1, "--optimize-burn-in", 0]
    assert train(ezlda, corpus, tmp_path, "cuda:0,1,0", *options, **TWO) == alone(*options)


@pytest.mark.parametrize("devices, options, settings", [
    (",".join("0" * 10), "-k 40", {}),
    ("0,0", "-k 40 --seeds SEEDS", {}),
    ("0,1", "-k 6000", {**TWO, "SIMT_SHARED": "24000"}),
])
def test_rows_that_add_up(devices, options, settings, ezlda, corpus, alone, tmp_path):
    """More GPUs than one launch reads, base counts, counts that do not fit on chip."""
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("0 1 2\n7: 5 3\n", encoding="ascii")
    options = [str(seeds) if word == "SEEDS" else word for word in options.split()]
    got = train(ezlda, corpus, tmp_path, "cuda:" + devices, *options, SIMT_LOG=str(tmp_path / "log"), **settings)
    assert got == alone(*options)
    kernels = kernels_in(tmp_path / "log")
    assert not OWNED & kernels and "ez_count_hashed" in kernels


def test_a_gpu_with_less_memory(ezlda, tmp_path):
    """Two of three shards, which share a GPU, stream their documents in chunks: then no shard owns rows."""
    bags = [{word: 15 for word in range(doc % 10, 100, 10)} for doc in range(80)]
    many = import_bags(ezlda, tmp_path / "c.ezc", bags)
    expected = train(ezlda, many, tmp_path, "cpu", "-k", 40)
    result = ezlda("train", many, "-k", 40, "-i", 1, "--fixed-priors", "--device", "cuda:0,0,1", "-o", tmp_path / "m.ezm",
                   "--device-memory", "210k", SIMT_LOG=str(tmp_path / "log"), **TWO)
    assert result.status == 0 and result.stderr.count("chunks") == 2, result
    assert not OWNED & kernels_in(tmp_path / "log")
    assert train(ezlda, many, tmp_path, "cuda:0,0,1", "-k", 40, "--device-memory", "210k", **TWO) == expected

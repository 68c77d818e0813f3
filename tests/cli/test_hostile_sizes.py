"""Very large sizes: the result is right, or the command refuses them before it uses up memory."""
import json
import resource

import pytest

LARGEST = 2**32 - 1


def write_uci(path, docs, words, rows):
    path.write_text(f"{docs}\n{words}\n{len(rows)}\n" + "".join(f"{d} {w} {n}\n" for d, w, n in rows))
    return path


@pytest.fixture
def counts(ezlda, tmp_path):
    """A corpus file of (document, word, count) rows, and what `info` prints for it."""

    def make(docs, words, rows):
        path = tmp_path / "counts.ezc"
        raw = write_uci(tmp_path / "docword.txt", docs, words, rows)
        assert ezlda("import", raw, "--format", "uci", "-o", path, "-q").status == 0
        return path, json.loads(ezlda("info", path, "--json").stdout)

    return make


def small_memory():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


@pytest.mark.slow
def test_a_document_of_three_million_tokens(ezlda, counts, device, tmp_path):
    rows = [(1, w, 9997 + 2 * (w % 4)) for w in range(1, 301)] + [(d, d * w % 300 + 1, 2) for d in range(2, 40)
                                                                  for w in (1, 7)]
    path, info = counts(40, 300, rows)
    assert info["tokens"] == sum(n for _, _, n in rows) and info["longest"] >= 3000000
    hashes = []
    for how in (["--device", device], ["--device", "cpu", "--threads", 1, "--sampler", "two-branch", "--w-format", "dense"]):
        result = ezlda("train", path, "-k", 6, "-i", 1, *how, "-q", "-o", tmp_path / "m.ezm", "--summary", tmp_path / "s.json")
        assert result.status == 0, result
        hashes.append(json.loads((tmp_path / "s.json").read_text())["topics_hash"])
    assert hashes[0] == hashes[1]
    assert ezlda("infer", tmp_path / "m.ezm", path, "-i", 1, "-q", "-o", tmp_path / "theta.tsv").status == 0


@pytest.mark.parametrize("count", [2**31 - 1, 2**31, LARGEST])
def test_a_word_with_very_many_tokens(ezlda, counts, count):
    _, info = counts(2, 3, [(1, 1, count), (1, 2, 1), (2, 3, 5)])
    assert info["tokens"] == count + 6 and info["longest"] == count + 1


def test_a_word_of_more_tokens_than_can_be_counted(fails, counts, tmp_path):
    path, _ = counts(3, 3, [(1, 1, 3 * 10**9), (2, 2, 1), (3, 1, 3 * 10**9)])
    fails(1, ['the word "0" has 6000000000 tokens', str(LARGEST)], "train", path, "-k", 3, "-i", 1, "-q", "--device",
          "cpu", "--out-of-core", "-o", tmp_path / "m.ezm")


@pytest.mark.slow
def test_too_many_tokens_for_the_memory(fails, counts, tmp_path):
    path, _ = counts(2, 3, [(1, 1, 2**31), (1, 2, 1), (2, 3, 5)])
    fails(1, "not enough memory for the words of all tokens", "train", path, "-k", 3, "-i", 1, "-q", "--device", "cpu",
          "-o", tmp_path / "m.ezm", preexec_fn=small_memory)


def test_more_than_4_billion_tokens_in_all(ezlda, fails, counts, device, tmp_path):
    """The corpus is right; a device refuses it before it allocates memory for it."""
    rows = [(1, 1, LARGEST), (1, 2, 1), (2, 1, LARGEST), (2, 3, 5), (3, 1, LARGEST), (3, 2, 7)]
    path, info = counts(3, 3, rows)
    total = sum(n for _, _, n in rows)
    assert info["tokens"] == total > 2**33
    assert ezlda("import", path, path, "-o", tmp_path / "two.ezc", "-q").status == 0
    assert json.loads(ezlda("info", tmp_path / "two.ezc", "--json").stdout)["tokens"] == 2 * total
    fails(1, [f"{total} tokens", f"at most {LARGEST}"], "train", path, "-k", 3, "-i", 1, "-q", "--device", device, "-o",
          tmp_path / "m.ezm")


@pytest.mark.parametrize("rows, words", [
    ([(1, 1, 2**32)], ["docword.txt:4", "from 0 to 4294967295", "4294967296"]),
    ([(1, 1, 10**30)], ["docword.txt:4", "from 0 to 4294967295"]),
    ([(1, 1, LARGEST), (1, 2, 1), (1, 1, 5)], ["document 1", "add up to 4294967300, over 4294967295"]),
    ([(2**32 + 1, 1, 1)], ["document number from 1 to 2"]), ([(1, 2**32 + 1, 1)], ["word number from 1 to 3"])])
def test_counts_and_numbers_that_do_not_fit(fails, tmp_path, rows, words):
    path = write_uci(tmp_path / "docword.txt", 2, 3, rows)
    fails(1, words, "import", path, "--format", "uci", "-o", tmp_path / "c.ezc", "-q")

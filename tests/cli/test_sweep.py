"""ezlda sweep: a planted number of topics, the table, resuming after an interruption, folders that are refused."""
import json
import math
import os
import re
import signal
import struct
import subprocess
import time

import pytest

SHORT = ["-i", 20, "--alpha", "sum:1", "--score-iterations", 20, "--samples", 3]
ROW = ("topics seeds perplexity standard_error spread npmi c_v u_mass diversity exclusivity stability llpt seconds "
       "to_best to_best_error to_unigram to_unigram_error").split()


@pytest.fixture(scope="module")
def planted(ezlda, tmp_path_factory):
    """Eight sharp topics."""
    path = tmp_path_factory.mktemp("planted") / "planted.ezc"
    result = ezlda("synth", "-o", path, "--docs", 600, "--words", 300, "--length", 60, "--topics", 8, "--beta", 5,
                   "--alpha", 0.1, "--zipf", 0.5, "--seed", 3, "-q")
    assert result.status == 0, result
    return path


def sweep(ezlda, corpus, folder, *arguments, options=SHORT, device="cpu"):
    """Sweeps quietly; returns the JSON object."""
    result = ezlda("sweep", corpus, "-o", folder, "--json", "-q", "--device", device, *options, *arguments)
    assert result.status == 0 and result.stderr == "", result
    return json.loads(result.stdout)


def untimed(scores):
    """The results without times, which must be equal in every run."""
    for entry in scores["rows"] + scores["runs"]:
        entry.pop("seconds")
        entry.pop("scoring_seconds", None)
    return scores


def lines_of(folder):
    return [line for line in (folder / "results.tsv").read_text().splitlines() if line[0] not in "#k"]


@pytest.mark.slow
def test_the_planted_number_is_found(ezlda, planted, device, tmp_path):
    options = ["-i", 80, "--alpha", "sum:1", "--score-iterations", 60, "--held-out", 0.2]
    scores = sweep(ezlda, planted, tmp_path / "s", "-k", "4,8,16", "--seeds", 2, options=options, device=device)
    assert scores["recommended"] == scores["best_npmi"] == scores["best_stability"] == 8
    assert scores["trained_on"]["documents"] == 480 and scores["held_out"]["documents"] == 120
    rows = scores["rows"]
    assert [list(row) for row in rows] == [ROW] * 3 and [row["topics"] for row in rows] == [4, 8, 16]
    assert rows[0]["perplexity"] > rows[1]["perplexity"] + rows[1]["standard_error"]
    assert all(row["perplexity"] < scores["unigram"]["perplexity"] and 0 < row["stability"] < 1 for row in rows)
    assert [(run["topics"], run["seed"]) for run in scores["runs"]] == [(k, s) for k in (4, 8, 16) for s in (1, 2)]
    assert sorted(p.name for p in (tmp_path / "s").iterdir()) == sorted(
        [f"k{k}-seed{s}.{kind}" for k in (4, 8, 16) for s in (1, 2) for kind in ("ezm", "scores")] + ["results.tsv"])


def doc_scores(path):
    """Tokens, log-likelihood and that of word frequencies of each held-out document."""
    image = path.read_bytes()
    table, = struct.unpack_from("<Q", image, len(image) - 64)
    offset, size = struct.unpack_from("<QQ", image, table + 8)
    return list(struct.iter_unpack("<Qdd", image[offset:offset + size]))


def paired_error(pairs):
    """The standard error of a ratio: the sum of differences over the sum of tokens."""
    tokens = sum(n for n, _ in pairs)
    mean = sum(x for _, x in pairs) / tokens
    return math.sqrt(len(pairs) / (len(pairs) - 1) * sum((x - n * mean) ** 2 for n, x in pairs)) / tokens


def test_rows_are_distinguished_document_by_document(ezlda, tmp_path):
    """Four topics are worse than eight by less than the perplexity's own error, and by more than the difference's."""
    made = ezlda("synth", "-o", tmp_path / "soft.ezc", "--docs", 400, "--words", 300, "--length", 60, "--topics", 8,
                 "--beta", 5, "--alpha", 1, "--zipf", 0.5, "--seed", 3, "-q")
    assert made.status == 0, made
    scores = sweep(ezlda, tmp_path / "soft.ezc", tmp_path / "s", "-k", "4,8", "--seed", 2,
                   options=["-i", 20, "--alpha", "sum:8"])
    four, eight = scores["rows"]
    assert 2 * four["to_best_error"] < four["to_best"] < eight["standard_error"]
    assert scores["best_perplexity"] == scores["recommended"] == 8
    assert four["to_best"] == pytest.approx(four["perplexity"] - eight["perplexity"])
    assert eight["to_best"] == eight["to_best_error"] == 0
    docs = [doc_scores(tmp_path / "s" / f"k{k}-seed2.scores") for k in (4, 8)]
    assert len(docs[0]) == len(docs[1]) == 40 and [d[0] for d in docs[0]] == [d[0] for d in docs[1]]
    assert math.exp(-sum(d[1] for d in docs[0]) / sum(d[0] for d in docs[0])) == pytest.approx(four["perplexity"])
    error = paired_error([(a[0], a[1] - b[1]) for a, b in zip(*docs)])
    assert four["to_best"] / four["to_best_error"] == pytest.approx(
        math.log(four["perplexity"] / eight["perplexity"]) / error)
    error = paired_error([(n, model - unigram) for n, model, unigram in docs[1]])
    assert eight["to_unigram"] / eight["to_unigram_error"] == pytest.approx(
        math.log(eight["perplexity"] / scores["unigram"]["perplexity"]) / error)


def test_useless_topics_are_recommended_only_with_a_warning(ezlda, tmp_path):
    made = ezlda("synth", "-o", tmp_path / "flat.ezc", "--docs", 200, "--words", 300, "--length", 30, "--topics", 8,
                 "--beta", 5, "--alpha", 50, "--zipf", 0.5, "--seed", 3, "-q")
    assert made.status == 0, made
    for name, options, remark in (("fixed", ["--fixed-priors"], r"2 topics do not predict better than word frequencies alone \([\d.]+ and "
                                   r"[\d.]+\) by more than one standard error of the difference: check"),
                                  ("small", ["--alpha", "sum:1"], "no number of topics predicts better than word")):
        found = ezlda("sweep", tmp_path / "flat.ezc", "-k", "2,3", "-i", 20, "-q", "-o", tmp_path / name, *options)
        assert found.status == 0 and re.search(rf"^Recommended: 2 .*\nBut {remark}", found.stdout, re.M), found


def test_scores_are_those_of_eval(ezlda, planted, tmp_path):
    run = sweep(ezlda, planted, tmp_path / "s", "-k", 6, "--seed", 5)["runs"][0]
    model = tmp_path / "s" / "k6-seed5.ezm"
    scores = json.loads(ezlda("eval", model, planted, "--measures", "coherence", "--json").stdout)["coherence"]
    assert run["npmi"] == scores["npmi"] and run["diversity"] == scores["diversity"]
    info = json.loads(ezlda("info", model, "--json").stdout)
    assert info["topics"] == 6 and info["seed"] == 5 and info["topics_hash"] == run["topics_hash"]
    assert info["llpt"] == run["llpt"] and info["documents"] == 540


@pytest.mark.slow
def test_the_same_command_gives_the_same_table(ezlda, planted, tmp_path):
    arguments = ["-k", "3,5", "--seeds", 2]
    first = untimed(sweep(ezlda, planted, tmp_path / "a", *arguments, "--threads", 1))
    assert untimed(sweep(ezlda, planted, tmp_path / "b", *arguments, "--threads", 3)) == first
    assert untimed(sweep(ezlda, planted, tmp_path / "a", *arguments)) == first, "from the folder"
    other = untimed(sweep(ezlda, planted, tmp_path / "c", *arguments, "--seed", 9))
    assert other["rows"] != first["rows"]


def test_table_and_advice(ezlda, planted, tmp_path):
    result = ezlda("sweep", planted, "-k", "8,2,4", "-o", tmp_path / "s", *SHORT)
    assert result.status == 0, result
    lines = result.stdout.splitlines()
    assert lines[0].endswith("planted.ezc: 600 documents, 300 words, 35,216 tokens") or "600 documents" in lines[0]
    assert lines[1].startswith("trained on 540 documents") and "held out: 60 documents" in lines[1]
    start = next(i for i, line in enumerate(lines) if line.split()[:2] == ["k", "seeds"])
    rows = [line.split() for line in lines[start + 1:start + 4]]
    assert [row[0] for row in rows] == ["2", "4", "8"] and all(len(row) == 15 for row in rows)
    assert all(row[6] == row[12] == "-" for row in rows), "one seed has no spread and no stability"
    assert rows[2][4:6] == ["0.0", "0.0"] and all(float(row[4]) > float(row[5]) > 0 for row in rows[:2])
    assert re.search(r"^Recommended: 8 topics, the lowest perplexity \([\d.]+ ± [\d.]+\); no smaller", result.stdout, re.M)
    assert "But " not in result.stdout
    assert "largest number tried: also try larger ones, such as -k 16;" in result.stdout
    assert len(re.findall(r"^\d of 3: k \d, seed 1: perplexity [\d.]+, NPMI", result.stderr, re.M)) == 3
    again = ezlda("sweep", planted, "-k", "8", "-o", tmp_path / "s", *SHORT)
    assert "1 of 1: k 8, seed 1: done before" in again.stderr and "Recommended" not in again.stdout


def test_a_removed_model_is_trained_again(ezlda, planted, tmp_path):
    folder, arguments = tmp_path / "s", ["-k", "3,5", "--seeds", 2]
    first = untimed(sweep(ezlda, planted, folder, *arguments))
    kept = {p.name: p.stat().st_mtime_ns for p in folder.glob("*.ezm") if p.name != "k3-seed1.ezm"}
    (folder / "k3-seed1.ezm").unlink()
    assert untimed(sweep(ezlda, planted, folder, *arguments)) == first
    assert all((folder / name).stat().st_mtime_ns == time_ns for name, time_ns in kept.items())
    assert (folder / "k3-seed1.ezm").exists()


def test_damage_is_repaired(ezlda, planted, tmp_path):
    folder, arguments = tmp_path / "s", ["-k", "3,5"]
    first = untimed(sweep(ezlda, planted, folder, *arguments))
    whole = (folder / "results.tsv").read_text()
    (folder / "results.tsv").write_text(whole[:-30])
    (folder / "k3-seed1.ezm").write_bytes((folder / "k3-seed1.ezm").read_bytes()[:-1000])
    result = ezlda("sweep", planted, "-o", folder, "--json", *SHORT, *arguments)
    assert result.status == 0 and "a damaged line is ignored: '5\\t1\\t20" in result.stderr, result
    assert "k3-seed1.ezm" in result.stderr and "it is trained again" in result.stderr
    assert untimed(json.loads(result.stdout)) == first
    assert len(lines_of(folder)) == 2


def test_scores_of_documents_that_are_missing_or_damaged_are_made_again(ezlda, planted, tmp_path):
    folder, arguments = tmp_path / "s", ["-k", "3,5,6"]
    first = untimed(sweep(ezlda, planted, folder, *arguments))
    image = bytearray((folder / "k3-seed1.scores").read_bytes())
    models = {p: p.stat().st_mtime_ns for p in folder.glob("*.ezm")}
    image[100] ^= 1
    (folder / "k3-seed1.scores").write_bytes(image)
    (folder / "k5-seed1.scores").write_bytes((folder / "k6-seed1.scores").read_bytes())
    (folder / "k6-seed1.scores").unlink()
    result = ezlda("sweep", planted, "-o", folder, "--json", *SHORT, *arguments)
    assert result.status == 0 and untimed(json.loads(result.stdout)) == first, result
    assert re.search(r"k3-seed1\.scores: .*; its model is scored again", result.stderr), result.stderr
    assert "done before" not in result.stderr and models == {p: p.stat().st_mtime_ns for p in folder.glob("*.ezm")}
    assert ezlda("sweep", planted, "-o", folder, *SHORT, *arguments).stderr.count("done before") == 3


@pytest.mark.slow
def test_more_topics_and_seeds_are_added(ezlda, planted, tmp_path):
    sweep(ezlda, planted, tmp_path / "s", "-k", "3,5")
    more = untimed(sweep(ezlda, planted, tmp_path / "s", "-k", "3,4", "--seeds", 2))
    assert more == untimed(sweep(ezlda, planted, tmp_path / "t", "-k", "3,4", "--seeds", 2))
    assert [line.split("\t")[:2] for line in lines_of(tmp_path / "s")] == [
        ["3", "1"], ["3", "2"], ["4", "1"], ["4", "2"], ["5", "1"]], "the file keeps what was not asked for"


def test_other_sweeps_folders_are_refused(ezlda, planted, corpus, fails, tmp_path):
    sweep(ezlda, planted, tmp_path / "s", "-k", 3)
    base = ["-k", 3, "-o", tmp_path / "s", "-q"]
    fails(2, ["results.tsv:2: expected 'corpus: ", "(this folder's sweep): use another folder"], "sweep", corpus, *base,
          *SHORT)
    fails(2, "expected 'beta: 0.02', found 'beta: not given' (this folder's sweep)", "sweep", planted, *base, *SHORT,
          "--beta", 0.02)
    fails(2, "'held out: 0.1 of the documents'", "sweep", planted, *base, *SHORT, "--held-out", 0.5)
    fails(2, "'first seed: 1'", "sweep", planted, *base, *SHORT, "--seed", 2)
    fails(2, "'estimator: leave-one-out'", "sweep", planted, *base, *SHORT, "--estimator", "esca")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear reader")
    fails(2, "found files but no results.tsv", "sweep", planted, "-k", 3, "-o", tmp_path / "mine", "-q")
    (tmp_path / "mine" / "results.tsv").write_text("k\tseed\n")
    fails(1, "results.tsv:1: not the results of a sweep", "sweep", planted, "-k", 3, "-o", tmp_path / "mine", "-q")
    fails(1, "letter.txt: cannot open as a folder: Not a directory", "sweep", planted, "-k", 3, "-o",
          tmp_path / "mine" / "letter.txt", "-q")
    fails(1, "cannot make the folder: No such file", "sweep", planted, "-k", 3, "-o", tmp_path / "no" / "s", "-q")


def test_arguments(planted, fails, tmp_path):
    base = ["sweep", planted, "-o", tmp_path / "s", "-q"]
    fails(2, "--topics", *base)
    fails(2, "--output", "sweep", planted, "-k", 3)
    fails(2, "expected numbers", *base, "-k", "3,x")
    fails(2, "topics is 1; expected 2 to 65536", *base, "-k", "1,3")
    fails(2, "--seeds", *base, "-k", 3, "--seeds", 0)
    fails(2, "--held-out", *base, "-k", 3, "--held-out", 1)
    fails(2, "--alpha: expected a number above 0, found 'x'", *base, "-k", 3, "--alpha", "sum:x")
    fails(2, "20 samples, 5 iterations apart, and has 50", *base, "-k", 3, "--samples", 20, "--thin", 5,
          "--score-iterations", 50)
    fails(2, "alpha is 250", *base, "-k", 2, "--alpha", "sum:500")
    (tmp_path / "alpha").write_text("0.1 0.2 0.3")
    fails(2, "a file fits one number of topics", *base, "-k", "3,4", "--alpha", tmp_path / "alpha")


def test_alpha_of_each_topic(ezlda, planted, tmp_path):
    (tmp_path / "alpha").write_text("0.1 0.2 0.3")
    options = ["-i", 5, "--score-iterations", 10, "--samples", 1]
    sweep(ezlda, planted, tmp_path / "s", "-k", 3, "--alpha", tmp_path / "alpha", options=options)
    sweep(ezlda, planted, tmp_path / "t", "-k", 4, "--alpha", "0.25", options=options)
    sweep(ezlda, planted, tmp_path / "u", "-k", "4", "--fixed-priors", options=options)
    sums = [json.loads(ezlda("info", tmp_path / name, "--json").stdout)["alpha_sum"]
            for name in ("s/k3-seed1.ezm", "t/k4-seed1.ezm", "u/k4-seed1.ezm")]
    assert sums == pytest.approx([0.6, 1, 50])


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_sweep_continues(ezlda, binary, planted, fails, tmp_path, number):
    arguments = ["sweep", planted, "-k", "4,8,16", "--seeds", 2, "-i", 200, "--eval-every", 0, "--alpha", "sum:1",
                 "--score-iterations", 20, "--samples", 3, "--threads", 1, "--json"]
    folder = tmp_path / "s"
    process = subprocess.Popen([str(a) for a in [binary, *arguments, "-o", folder]], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))  # a shell's & ignores it
    try:
        deadline = time.monotonic() + 200
        while not ((folder / "results.tsv").exists() and lines_of(folder)):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
        busy = ezlda(*arguments, "-q", "-o", folder)
        assert busy.status == 1 and "another sweep is running in this folder" in busy.stderr
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=100)
    finally:
        process.kill()
    assert process.returncode == 0, stderr
    done = int(re.search(r"^stopped: (\d) of 6 models are done; run the same command to continue$", stderr, re.M)[1])
    part = json.loads(stdout)
    assert 1 <= done < 6 and len(part["runs"]) == len(lines_of(folder)) == done
    assert part["stopped"] is True and part["recommended"] is None
    assert not [name for name in os.listdir(folder) if name.endswith(".tmp")]
    result = ezlda(*arguments, "-o", folder)
    assert result.status == 0 and result.stderr.count("done before") == done, result.stderr
    whole = untimed(json.loads(result.stdout))
    assert whole == untimed(json.loads(ezlda(*arguments, "-q", "-o", tmp_path / "straight").stdout))
    assert untimed(part)["runs"] == [run for run in whole["runs"] if run in part["runs"]]

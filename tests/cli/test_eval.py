"""ezlda eval: the table and JSON agree, scores do not depend on threads, held-out documents are distinguished from others."""
import json
import os
import pty
import random
import re
import signal
import subprocess

import pytest
from conftest import THEMES, read_to_end

QUICK = ["--iterations", 20, "--samples", 4, "--thin", 3]


@pytest.fixture(scope="module")
def held_out(tmp_path_factory):
    """New documents of the themes, with a word that the model does not know in every fifth."""
    path = tmp_path_factory.mktemp("held") / "held.jsonl"
    draw = random.Random(2)
    with open(path, "w", encoding="utf-8") as file:
        for i in range(40):
            words = [draw.choice(THEMES[i % 3]) for _ in range(25)] + (["strangeness"] if i % 5 == 0 else [])
            json.dump({"id": f"new {i}", "text": " ".join(words)}, file)
            file.write("\n")
    return path


@pytest.fixture(scope="module")
def score(ezlda, model, device):
    """The scores as JSON."""

    def run(corpus, *arguments, of=model):
        result = ezlda("eval", of, corpus, "--min-length", 2, "--device", device, *QUICK, *arguments, "--json")
        assert result.status == 0, result
        return json.loads(result.stdout)

    return run


def without_seconds(scores):
    if isinstance(scores, dict):
        return {k: without_seconds(v) for k, v in scores.items() if k != "seconds"}
    return scores


def test_held_out_scores(score, held_out):
    scores = score(held_out)
    assert (scores["documents"], scores["tokens"], scores["words"]) == (40, 1000, 18)
    assert (scores["unknown_tokens"], scores["unknown_words"]) == (8, 1)
    assert scores["training_corpus"] is False and scores["llpt"]["in_training"] is None
    completion, whole = scores["completion"], scores["left_to_right"]
    assert (completion["documents"], completion["tokens"]) == (40, 480)  # 12 of 25 tokens each
    assert (whole["documents"], whole["tokens"], whole["sampled_from"]) == (40, 1000, 40)
    # Six words per theme: a perfect model of known themes has 6, the frequencies alone have 18.
    for found in completion, whole:
        assert 6 < found["perplexity"] < 8 and 17 < found["unigram"]["perplexity"] < 19
        assert 0 < found["standard_error"] < 1 and 0 < found["unigram"]["standard_error"] < 1
    assert completion["perplexity"] < whole["perplexity"]
    assert -3.2 < scores["llpt"]["value"] < -2.4


def test_fewer_documents_score_worse(ezlda, device, tmp_path):
    """Words without a token in training are scored, so a model that has seen few of them cannot gain by that."""
    draw = random.Random(7)

    def write(name, docs):
        rows = []
        for d in range(1, docs + 1):
            first = draw.randrange(8) * 60
            words = [1 + first + int(90 * draw.random() ** 2) for _ in range(40)]
            rows += [(d, w, words.count(w)) for w in sorted(set(words))]
        path = tmp_path / name
        path.write_text(f"{docs}\n600\n{len(rows)}\n" + "".join("%d %d %d\n" % row for row in rows), encoding="utf-8")
        return path

    held, found = write("held.txt", 60), []
    for docs in (400, 40, 6, 2):
        model = tmp_path / f"{docs}.ezm"
        assert ezlda("train", write(f"{docs}.txt", docs), "-k", 8, "-i", 60, "--alpha", 0.1, "--device", device, "-q",
                     "-o", model).status == 0
        result = ezlda("eval", model, held, "--device", device, *QUICK, "-m", "completion,left-to-right,llpt",
                       "--particles", 4, "--json")
        found.append(json.loads(result.stdout))
    for score in found:
        assert (score["unknown_tokens"], score["tokens"], score["completion"]["tokens"]) == (0, 2400, 1200)
        assert {score[name]["unknown_share"] for name in ("completion", "left_to_right", "llpt")} == {0}
    assert [score["unseen_tokens"] for score in found] == sorted(score["unseen_tokens"] for score in found)
    for name in "completion", "left_to_right":
        perplexity = [score[name]["perplexity"] for score in found]
        assert perplexity == sorted(perplexity) and perplexity[-1] > 2 * perplexity[0], name
    llpt = [score["llpt"]["value"] for score in found]
    assert llpt == sorted(llpt, reverse=True)


def test_coherence_of_the_themes(score, held_out):
    found = score(held_out, "--measures", "coherence", "--words", 5)
    assert "completion" not in found and "llpt" not in found and "device" not in found
    coherence = found["coherence"]
    assert (coherence["words"], coherence["npmi_window"], coherence["c_v_window"]) == (5, "document", "document")
    assert len(coherence["topics"]) == 4 and [t["topic"] for t in coherence["topics"]] == [0, 1, 2, 3]
    scored = [t for t in coherence["topics"] if t["npmi"] is not None]
    assert coherence["npmi"] == pytest.approx(sum(t["npmi"] for t in scored) / len(scored))
    assert 0 < coherence["diversity"] <= 1 and 0 < coherence["exclusivity"] <= 1


def test_windows_if_the_order_was_kept(score, held_out):
    found = score(held_out, "--measures", "coherence", "--keep-order")["coherence"]
    assert (found["npmi_window"], found["c_v_window"]) == (10, 110)
    found = score(held_out, "--measures", "coherence", "--keep-order", "--window", 7)["coherence"]
    assert (found["npmi_window"], found["c_v_window"]) == (7, 7)


def test_threads_do_not_matter(score, held_out):
    one, three = (without_seconds(score(held_out, "--threads", n)) for n in (1, 3))
    assert one == three
    assert one != without_seconds(score(held_out, "--threads", 3, "--seed", 9))


def test_a_sample_of_documents(score, held_out):
    scores = score(held_out, "--measures", "left-to-right", "--docs", 7, "--particles", 3, "--resample", 0)
    whole = scores["left_to_right"]
    assert (whole["documents"], whole["sampled_from"], whole["tokens"]) == (7, 40, 175)
    assert (whole["particles"], whole["resample"]) == (3, 0)


def test_long_documents_are_cut(ezlda, model, held_out, score):
    """Documents that are shortened are reported; shorter ones have the same scores."""
    cut = score(held_out, "--measures", "left-to-right", "--doc-tokens", 10)["left_to_right"]
    assert (cut["documents"], cut["tokens"], cut["doc_tokens"], cut["cut_documents"]) == (40, 400, 10, 40)
    usual, whole = (score(held_out, "--measures", "left-to-right", *more)["left_to_right"]
                    for more in ([], ["--doc-tokens", 0]))
    assert (usual["tokens"], usual["doc_tokens"], usual["cut_documents"]) == (1000, 10000, 0)
    assert usual["log_likelihood"] == whole["log_likelihood"] < cut["log_likelihood"]
    table = ["eval", model, held_out, "--min-length", 2, "-m", "left-to-right", "-q"]
    said = "in 40 longer documents, only 10 random tokens each were scored (--doc-tokens)"
    assert said in ezlda(*table, "--doc-tokens", 10).stdout and "longer" not in ezlda(*table).stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_done(binary, model, tmp_path, number):
    """The test interrupts the last measure, which would take minutes; the progress line says when it has begun."""
    path, draw = tmp_path / "long.jsonl", random.Random(4)
    lines = [json.dumps({"text": " ".join(draw.choice(THEMES[i % 3]) for _ in range(400))}) for i in range(200)]
    path.write_text("\n".join(lines) + "\n")
    terminal, other_end = pty.openpty()
    process = subprocess.Popen([binary, "eval", model, path, "--min-length", "2", "--particles", "300", "--device",
                                "cpu", *map(str, QUICK)], stdout=subprocess.PIPE, stderr=other_end, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    os.close(other_end)
    shown = b""
    while b"left-to-right: 0 of" not in shown:
        shown += os.read(terminal, 4096)
    process.send_signal(number)
    out, _ = process.communicate(timeout=300)
    shown = read_to_end(terminal)
    assert process.returncode == 128 + number and b"interrupted, not measured: left-to-right\r\n" in shown
    assert "document completion" in out and "coherence NPMI" in out and "perplexity, left-to-right" not in out


def test_the_table_says_what_json_says(ezlda, model, held_out, score, device):
    scores = score(held_out)
    table = ezlda("eval", model, held_out, "--min-length", 2, "--device", device, *QUICK, "--topics", "-q").stdout
    assert "not scored: 8 tokens (0.79 %) of 1 words" in table and "trained on this corpus" not in table
    for name, key in ("document completion", "completion"), ("left-to-right", "left_to_right"):
        row = re.search(rf"^perplexity, {name} +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) ", table, re.M)
        found = scores[key]
        expected = (found["perplexity"], found["standard_error"], *found["unigram"].values())
        assert [float(x) for x in row.groups()] == pytest.approx(expected, abs=0.051)
    for name, key in ("UMass", "u_mass"), ("NPMI", "npmi"), ("C_V", "c_v"):
        row = re.search(rf"^coherence {name} +(-?[\d.]+) ", table, re.M)
        assert float(row[1]) == pytest.approx(scores["coherence"][key], abs=0.00006)
    assert len(re.findall(r"^ +[0-3] +-?\d", table, re.M)) == 4


def test_the_training_corpus_is_recognised(ezlda, corpus, tmp_path, score, device):
    path = tmp_path / "m.ezm"
    assert ezlda("train", corpus, "-k", 6, "-i", 30, "--device", device, "-o", path, "-q").status == 0
    scores = score(corpus, "--measures", "llpt", of=path)
    assert scores["training_corpus"] is True
    assert scores["llpt"]["value"] == pytest.approx(scores["llpt"]["in_training"], abs=0.1)
    table = ezlda("eval", path, corpus, "--device", device, "-m", "llpt", "-q").stdout
    assert "trained on this corpus" in table and "LLPT in training" in table


def test_misuse(fails, model, corpus, held_out, tmp_path):
    fails(2, ["--measures: expected completion", "found 'perplexity'"], "eval", model, corpus, "-m", "llpt,perplexity")
    fails(2, "found ''", "eval", model, corpus, "-m", "llpt,")
    fails(2, ["--topics and --json", "exclude"], "eval", model, corpus, "--topics", "--json")
    fails(2, "--topics shows coherence", "eval", model, corpus, "--topics", "-m", "llpt")
    fails(2, "corpus", "eval", model)
    fails(2, "knows none of the corpus' words", "eval", model, corpus, "-q")
    fails(2, "samples", "eval", model, held_out, "--min-length", 2, "-i", 3, "--samples", 5, "--thin", 2,
          "-q", "--device", "cpu")
    fails(1, "nowhere.ezm", "eval", tmp_path / "nowhere.ezm", corpus)


def test_whole_windows(ezlda, tmp_path):
    """If a word is several times in a window, gensim counts it as gone when its first token leaves."""
    (tmp_path / "t.txt").write_text("cat sat mat cat ran cat house dog dog sat cat\ndog cat ran ran house mat sat\n")
    assert ezlda("import", tmp_path / "t.txt", "--keep-order", "--stopwords", "none", "-q", "-o",
                 tmp_path / "t.ezc").status == 0
    assert ezlda("train", tmp_path / "t.ezc", "-k", 2, "-i", 5, "-q", "--device", "cpu", "-o", tmp_path / "m.ezm").status == 0
    values = [json.loads(ezlda("eval", tmp_path / "m.ezm", tmp_path / "t.ezc", "-m", "coherence", "--window", 5, "--words", 5,
                               "--json", "-q", *more).stdout)["coherence"]["npmi"] for more in ([], ["--whole-windows"])]
    assert values[0] != values[1]

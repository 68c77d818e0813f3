"""What `train` does if nothing else is asked for: fitted priors, and iterations until the held-out score has settled."""
import json

import pytest


@pytest.fixture(scope="module")
def planted(ezlda, tmp_path_factory):
    """A corpus with enough documents for a held-out score, and few tokens."""
    path = tmp_path_factory.mktemp("defaults") / "planted.ezc"
    made = ezlda("synth", "-o", path, "--docs", 400, "--words", 120, "--length", 12, "--topics", 4, "--seed", 2, "-q")
    assert made.status == 0, made
    return path


def train(ezlda, corpus, folder, *arguments, name="m", **keywords):
    result = ezlda("train", corpus, "-k", 4, "-o", folder / f"{name}.ezm", "--summary", folder / f"{name}.json", *arguments,
                   **keywords)
    assert result.status == 0, result
    return json.loads((folder / f"{name}.json").read_text()), result


def same(a, b):
    return all(a[key] == b[key] for key in ("topics_hash", "alpha_sum", "beta", "iterations", "stopped"))


def test_a_run_ends_by_itself_and_says_why(ezlda, planted, device, tmp_path):
    summary, result = train(ezlda, planted, tmp_path, "--device", device)
    assert 1000 <= summary["iterations"] <= 2000
    assert summary["stopped"] and summary["stopped"] in result.stderr
    assert "after iteration" in summary["stopped"]
    assert summary["alpha_sum"] != 50 and summary["beta"] != 0.01
    again, _ = train(ezlda, planted, tmp_path, "--device", device, "--threads", 3, name="again")
    assert same(again, summary)
    assert summary["start"] == "random" and summary["word_samples"] == 5
    exact, _ = train(ezlda, planted, tmp_path, "--device", device, "-i", summary["iterations"], "--start", "random",
                     name="exact")
    assert exact["topics_hash"] == summary["topics_hash"] and exact["stopped"] is None


@pytest.mark.slow
def test_an_interrupted_run_ends_at_the_same_iteration(ezlda, planted, device, tmp_path):
    """The scores of the checks are in the checkpoint."""
    whole, _ = train(ezlda, planted, tmp_path, "--device", device, name="whole")
    common = ["--device", device, "--checkpoint", tmp_path / "c", "--every", "30it"]
    train(ezlda, planted, tmp_path, *common, name="first")
    checkpoints = sorted((tmp_path / "c").glob("*.ezk"))
    checkpoints[-1].unlink()
    rest, result = train(ezlda, planted, tmp_path, *common, "--resume", name="rest")
    assert "resuming after iteration" in result.stderr and same(rest, whole)


def test_a_run_of_given_length_is_not_resumed_without_one(ezlda, planted, fails, tmp_path):
    common = ["--device", "cpu", "--checkpoint", tmp_path / "c", "--every", "10it", "-q"]
    train(ezlda, planted, tmp_path, *common, "-i", 30)
    fails(2, ["whose number of iterations was given", "--iterations"], "train", planted, "-k", 4, "-o",
          tmp_path / "m.ezm", *common, "--resume")


def test_given_priors_stay(ezlda, planted, tmp_path):
    options = ["-i", 60, "--device", "cpu", "-q"]
    fitted, _ = train(ezlda, planted, tmp_path, *options)
    alpha, _ = train(ezlda, planted, tmp_path, *options, "--alpha", 0.25)
    beta, _ = train(ezlda, planted, tmp_path, *options, "--beta", 0.03)
    fixed, _ = train(ezlda, planted, tmp_path, *options, "--fixed-priors")
    assert alpha["alpha_sum"] == 1 and alpha["beta"] not in (0.01, fitted["beta"])
    assert beta["beta"] == 0.03 and beta["alpha_sum"] not in (1, 50)
    assert abs(fixed["alpha_sum"] - 50) < 1e-4 and fixed["beta"] == 0.01
    assert len({run["topics_hash"] for run in (fitted, alpha, beta, fixed)}) == 4


def test_too_few_documents_for_a_score(ezlda, articles, tmp_path):
    """120 documents have no sample: LLPT decides."""
    summary, _ = train(ezlda, articles, tmp_path, "--stopwords", "none", "--device", "cpu", "-q")
    assert 1000 < summary["iterations"] <= 2000 and "after iteration" in summary["stopped"]


def test_fixed_priors_end_by_the_score_too(ezlda, planted, tmp_path):
    summary, _ = train(ezlda, planted, tmp_path, "--fixed-priors", "--device", "cpu", "-q")
    assert summary["iterations"] >= 1000 and "after iteration" in summary["stopped"]
    assert abs(summary["alpha_sum"] - 50) < 1e-4

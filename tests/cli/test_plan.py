"""ezlda plan: what a training will take."""
import json

import pytest


def test_plan_tells_memory_and_time(ezlda, corpus, device, tmp_path):
    result = ezlda("plan", corpus, "-k", 6, "-i", 400, "--device", device, "--seconds", 1, "--json")
    assert result.status == 0, result
    plan = json.loads(result.stdout)
    assert ezlda("train", corpus, "-k", 6, "-i", 20, "--device", device, "-q", "-o", tmp_path / "m.ezm", "--summary",
                 tmp_path / "s.json").status == 0
    summary = json.loads((tmp_path / "s.json").read_text())
    assert [plan[k] for k in ("documents", "words", "tokens")] == [summary[k] for k in ("documents", "words", "tokens")]
    assert plan["iterations"] == 400 and plan["device"] == summary["device"]
    assert 0.75 < plan["host_bytes"] / summary["peak_rss_bytes"] < 1.25
    assert plan["device_bytes"] == summary["device_memory_peak_bytes"] and plan["chunks"] == summary["chunks"]
    assert 0 < plan["iterations_tried"] <= 60 and plan["host_bytes"] < plan["host_available_bytes"]
    parts = plan["seconds_setup"] + 400 * plan["seconds_iteration"] + 8 * plan["seconds_score"]
    assert abs(parts - plan["seconds_total"]) < 1e-6 * parts


@pytest.mark.slow
def test_a_short_trial_looks_at_a_sample(ezlda, tmp_path):
    assert ezlda("synth", "-o", tmp_path / "c.ezc", "--docs", 4000, "--words", 2000, "--length", 100, "--topics", 10,
                 "-q").status == 0
    result = ezlda("plan", tmp_path / "c.ezc", "-k", 50, "-i", 500, "--device", "cpu", "--seconds", 0.2, "--json")
    plan = json.loads(result.stdout)
    assert plan["iterations_tried"] >= 3 and 0 < plan["sample_tokens"] < plan["tokens"]


def test_plan_for_people(ezlda, corpus, fails):
    result = ezlda("plan", corpus, "-k", 6, "-i", 10, "--device", "cpu", "--seconds", 0.5)
    assert result.status == 0
    for words in ("host memory", "an iteration", "tokens/s", "10    iterations", "from a trial of"):
        assert words in result.stdout, result.stdout
    fails(2, "-k/--topics", "plan", corpus)

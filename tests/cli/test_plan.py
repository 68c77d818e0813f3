"""ezlda plan: the forecast of a run."""
import json
import os
import subprocess

import pytest


def test_plan_reports_memory_and_time(ezlda, corpus, device, tmp_path):
    result = ezlda("plan", corpus, "-k", 6, "-i", 400, "--device", device, "--seconds", 1, "--json")
    assert result.status == 0, result
    plan = json.loads(result.stdout)
    assert ezlda("train", corpus, "-k", 6, "-i", 20, "--device", device, "-q", "-o", tmp_path / "m.ezm", "--summary",
                 tmp_path / "s.json").status == 0
    summary = json.loads((tmp_path / "s.json").read_text())
    assert [plan[k] for k in ("documents", "words", "tokens")] == [summary[k] for k in ("documents", "words", "tokens")]
    assert plan["iterations"] == 400 and plan["device"] == summary["device"]
    if "ASAN_OPTIONS" not in os.environ:  # the sanitizer keeps freed memory, more with every iteration
        assert 0.75 < plan["host_bytes"] / summary["peak_rss_bytes"] < 1.25
    assert plan["device_bytes"] == summary["device_memory_peak_bytes"] and plan["chunks"] == summary["chunks"]
    assert 0 < plan["iterations_tried"] <= 60 and plan["host_bytes"] < plan["host_available_bytes"]
    parts = plan["seconds_setup"] + 400 * plan["seconds_iteration"] + 8 * plan["seconds_score"]
    assert abs(parts - plan["seconds_total"]) < 1e-6 * parts


LIMITS = {
    "above the process' group": ("0::/job/task", {
        "job/memory.max": "100000000", "job/memory.current": "40000000", "job/task/memory.max": "max",
        "job/memory.stat": "anon 5\ninactive_file 10000000\nactive_file 5000000"}, 75e6),
    "of version 1": ("4:cpu,memory:/job", {
        "memory/memory.limit_in_bytes": "9223372036854771712", "memory/job/memory.limit_in_bytes": "60000000",
        "memory/job/memory.usage_in_bytes": "10000000"}, 50e6),
}


@pytest.mark.parametrize("case", LIMITS)
def test_memory_limits_of_control_groups(binary, corpus, tmp_path, case):
    group, files, left = LIMITS[case]
    for name, text in files.items():
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text(text + "\n")
    (tmp_path / "own").write_text(group + "\n")
    script = 'mount --bind "$1" /sys/fs/cgroup && mount --bind "$2" /proc/$$/cgroup || exit 77; shift 2; exec "$@"'
    done = subprocess.run(["unshare", "-m", "bash", "-c", script, "bash", tmp_path / "tree", tmp_path / "own", binary,
                           "plan", corpus, "-k", "4", "--seconds", "0.1", "--device", "cpu", "--json", "-q"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    assert done.returncode == 0 and json.loads(done.stdout)["host_available_bytes"] == left, done


@pytest.mark.slow
def test_a_short_trial_looks_at_a_sample(ezlda, tmp_path):
    assert ezlda("synth", "-o", tmp_path / "c.ezc", "--docs", 4000, "--words", 2000, "--length", 100, "--topics", 10,
                 "-q").status == 0
    result = ezlda("plan", tmp_path / "c.ezc", "-k", 50, "-i", 500, "--device", "cpu", "--seconds", 0.05, "--json")
    plan = json.loads(result.stdout)
    assert plan["iterations_tried"] >= 3 and 0 < plan["sample_tokens"] < plan["tokens"]


def test_plan_for_people(ezlda, corpus, fails):
    result = ezlda("plan", corpus, "-k", 6, "-i", 10, "--device", "cpu", "--seconds", 0.5)
    assert result.status == 0
    for words in ("host memory", "an iteration", "tokens/s", "10    iterations", "from a trial of"):
        assert words in result.stdout, result.stdout
    fails(2, "-k/--topics", "plan", corpus)


PUBMED = ("-k", 2000, "--docs", 8200000, "--words", 141043, "--tokens", 737900000)


def planned(ezlda, *arguments):
    result = ezlda("plan", *arguments, "--json")
    assert result.status == 0, result
    plan = json.loads(result.stdout)
    parts = plan["seconds_work"] + plan["seconds_link"] + plan["seconds_network"]
    assert abs(parts - plan["seconds_iteration"]) < 1e-6 * parts
    assert abs(plan["communication_share"] - 1 + plan["seconds_work"] / parts) < 1e-6
    return plan


def test_one_gpu_of_a_given_speed_is_that_speed(ezlda):
    plan = planned(ezlda, *PUBMED, "--tokens-per-second", 7e9)
    assert [plan[k] for k in ("documents", "words", "tokens", "topics")] == [8200000, 141043, 737900000, 2000]
    assert plan["shards"] == plan["machines"] == plan["gpus"] == plan["chunks"] == 1
    assert abs(plan["seconds_iteration"] - 737.9e6 / 7e9) < 1e-6
    assert plan["seconds_one_device"] == plan["seconds_iteration"]
    assert plan["communication_share"] == 0 and 12e9 < plan["device_bytes"] < 16e9


def test_more_gpus_and_bandwidth(ezlda):
    one = planned(ezlda, *PUBMED)
    eight = planned(ezlda, *PUBMED, "--gpus", 8)
    assert eight["seconds_iteration"] < one["seconds_iteration"] / 3
    assert eight["seconds_network"] == 0 < eight["seconds_link"]
    assert eight["shard_tokens"] * 8 >= one["shard_tokens"] and eight["device_bytes"] < one["device_bytes"]
    assert planned(ezlda, *PUBMED, "--gpus", 8, "--link", "55G")["seconds_link"] > eight["seconds_link"]
    slow, fast = (planned(ezlda, *PUBMED, "--gpus", 8, "--machines", 4, "--network", n) for n in ("100G", "400G"))
    assert slow["shards"] == fast["shards"] == 32 and slow["seconds_network"] > fast["seconds_network"] > 0
    assert slow["network_bytes_per_second"] == 10e9 and slow["seconds_work"] == fast["seconds_work"]
    small = planned(ezlda, *PUBMED, "--device-memory", "6G")
    assert small["chunks"] > 1 and small["device_bytes"] <= 6e9 and small["seconds_work"] > one["seconds_work"]


def test_several_from_a_trial_here(ezlda, corpus, device):
    plan = planned(ezlda, corpus, "-k", 6, "--device", device, "--seconds", 0.5, "--machines", 2, "--network", "10G")
    assert plan["iterations_tried"] > 0 and plan["shards"] == 2 and plan["gpus"] == (device.startswith("cuda"))
    assert 0 <= plan["seconds_repeated"] <= plan["seconds_one_device"] and plan["seconds_network"] > 0
    assert plan["seconds_work"] <= plan["seconds_one_device"] * (1 + 1e-9)
    result = ezlda("plan", corpus, "-k", 6, "--gpus", 4, "--machines", 2, "--network", "100G", "--seconds", 0.5)
    assert result.status == 0, result
    for words in ("each GPU", "at least", "between GPUs", "between machines", "communication", "a model of the rest"):
        assert words in result.stdout, result.stdout


def test_a_plan_for_several_devices_that_is_refused(ezlda, corpus, fails):
    huge = ("-k", 32768, "--docs", 200000, "--words", 120000, "--tokens", 24 * 10**9)
    fails(1, "more GPUs help", "plan", *huge)
    fails(1, ["however they are cut", "it has 14.0 GB"], "plan", *huge, "--gpus", 8, "--device-memory", "14G")
    fails(2, "no corpus given", "plan", "-k", 6)
    fails(2, "go together", "plan", "-k", 6, "--docs", 10, "--words", 10)
    fails(2, "describes a corpus that is not read", "plan", corpus, "-k", 6, "--tokens", 10)
    fails(2, "--machines needs --network", "plan", corpus, "-k", 6, "--machines", 2)
    fails(2, "--network needs --machines", "plan", corpus, "-k", 6, "--gpus", 2, "--network", "100G")
    fails(2, "--link needs --gpus", "plan", corpus, "-k", 6, "--link", "50G")
    fails(2, "--tokens-per-second needs", "plan", corpus, "-k", 6, "--tokens-per-second", 1e9)
    fails(2, "bits per second", "plan", corpus, "-k", 6, "--machines", 2, "--network", "fast")
    for device in ("cpu", "cuda:0,1"):
        fails(2, ["--device", device], "plan", corpus, "-k", 6, "--gpus", 2, "--device", device)

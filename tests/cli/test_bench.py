"""ezlda bench: rows for each device and number of topics, as a table and as JSON."""
import json
import re

import pytest

SMALL = ["--tokens", 3000, "--seconds", 0.01]
ROW = {"device", "topics", "error", "tokens_per_second", "tokens_per_second_least", "tokens_per_second_most",
       "iteration_seconds", "iterations", "warm_up", "tokens", "skipped", "device_memory_peak_bytes"}


def measured(ezlda, *arguments):
    result = ezlda("bench", *SMALL, "--json", *arguments)
    assert result.status == 0 and not result.stderr, result
    return json.loads(result.stdout)


def test_a_row_for_each_number_of_topics(ezlda, device):
    found = measured(ezlda, "--device", device, "-k", "16,5,7-8")
    assert [row["topics"] for row in found["rows"]] == [5, 7, 8, 16]
    for row in found["rows"]:
        assert set(row) == ROW and row["device"] == device and row["error"] is None
        assert row["warm_up"] >= 3 and row["iterations"] >= 3 and 2000 < row["tokens"] < 4000
        assert row["tokens_per_second"] == pytest.approx(row["tokens"] / row["iteration_seconds"])
        assert 0 < row["tokens_per_second_least"] <= row["tokens_per_second"] <= row["tokens_per_second_most"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", found["version"])


def test_each_device_that_can_be_used_is_measured(ezlda):
    usable = [device["device"] for device in json.loads(ezlda("devices", "--json").stdout)["devices"]
              if device["usable"]]
    found = measured(ezlda, "-k", 6)
    assert [row["device"] for row in found["rows"]] == usable == [device["device"] for device in found["devices"]]
    assert len({row["tokens"] for row in found["rows"]}) == 1


def test_auto_names_the_device_that_it_uses(ezlda):
    choice = json.loads(ezlda("devices", "--json").stdout)["auto"]["device"]
    assert [row["device"] for row in measured(ezlda, "--device", "auto", "-k", 4)["rows"]] == [choice]


def test_threads_are_those_asked_for(ezlda):
    assert measured(ezlda, "--device", "cpu", "-k", 4, "--threads", 3)["devices"][0]["threads"] == 3


def test_the_table(ezlda):
    result = ezlda("bench", *SMALL, "--device", "cpu", "-k", "4,40", "--threads", 1)
    head, *rows = result.stdout.partition("\n\n")[0].splitlines()
    assert result.status == 0 and head.split()[:3] == ["device", "K", "tokens/s"]
    assert [row.split()[:2] for row in rows] == [["cpu", "4"], ["cpu", "40"]]
    assert "1 thread," in result.stdout


@pytest.mark.parametrize("topics", ["", "1", "0,5", "5,", "x", "65537"])
def test_values_that_are_not_lists_of_topics(fails, topics):
    fails(2, "--topics", "bench", *SMALL, "-k", topics)


def test_a_device_name_that_does_not_exist(fails):
    assert not fails(2, '"gpu"', "bench", *SMALL, "--device", "gpu").stdout
    assert not fails(1, "CUDA", "bench", *SMALL, "--device", "cuda:9999").stdout

"""The experiments of the paper in their tiny setting: everything is measured, and every claim has its row."""
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import pytest

from conftest import BINARY, ROOT

pytestmark = pytest.mark.slow
PROGRAMS = Path(BINARY).parent / "bench"
SETS = ("NYTimes", "PubMed", "UMBC")
sys.path.insert(0, str(ROOT / "bench"))


def paper(*arguments):
    command = [sys.executable, ROOT / "bench" / "paper", BINARY, "--size", "tiny", "--threads", 1, *arguments]
    return subprocess.run([str(part) for part in command], timeout=200, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env={**os.environ, "OMP_WAIT_POLICY": "passive"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Results and page of one run, with a real corpus beside the synthetic ones."""
    folder = tmp_path_factory.mktemp("paper")
    (folder / "corpora").mkdir()
    draw = [BINARY, "synth", "-o", folder / "corpora" / "other.ezc", "--docs", 50, "--words", 200, "--length", 40, "-q"]
    subprocess.run([str(part) for part in draw], check=True)
    done = paper("--results", folder / "results", "--work", folder / "work", "--corpora", folder / "corpora", "--page",
                 folder / "paper.md")
    assert "Traceback" not in done.stdout and (folder / "paper.md").exists(), done.stdout
    return folder


def results(folder):
    return {str(path.relative_to(folder / "results"))[:-5] for path in (folder / "results").rglob("*.json")}


def missing(folder):
    return json.loads((folder / "results" / "missing.json").read_text())


def test_everything_is_measured_that_a_cpu_can(folder):
    from paper_experiments import EXPERIMENTS
    found = {key.partition("/")[0] for key in results(folder)}
    of_a_gpu = {"memory", "balance", "pairs", "occupancy"}
    assert set(EXPERIMENTS) - found == of_a_gpu
    assert {key.partition("/")[0] for key in missing(folder)} <= of_a_gpu | {"instructions", "shards"}
    assert {f"speed/{name}-{label}" for name in (*SETS, "other") for label in ("two", "three", "many", "ours")} <= \
        results(folder)


def test_every_claim_has_its_row(folder):
    from paper_list import CLAIMS
    page = (folder / "paper.md").read_text(encoding="utf-8")
    rows = [re.split(r" ?\| ?", line)[1:-1] for line in page.partition("## Claims")[2].partition("##")[0].splitlines()
            if line.startswith("| ")][2:]
    assert [row[:3] for row in rows] == [[claim.place, claim.says, claim.paper] for claim in CLAIMS]
    assert all(len(row) == 6 and row[3] and row[4] for row in rows)
    assert [row[1] for row in rows if "not run" in row[3]] == []
    assert len([row for row in rows if row[3].startswith("not measured: ")]) in (5, 6)
    assert "same with two, three and many branches on NYTimes, PubMed, UMBC, other" in page


def test_every_figure_of_the_paper_has_a_claim():
    """All but the drawings, which are figures 1, 2, 4, 5 and 9."""
    from paper_list import CLAIMS
    named = " ".join(claim.place for claim in CLAIMS)
    numbers = {int(number) for number in re.findall(r"(?:Fig\. |, )(\d+)", named)}
    assert numbers == {3, 6, 7, 8, *range(10, 20)} and "Table I" in named
    assert all(set(claim.experiments) <= {"instructions", "occupancy", *experiments()} for claim in CLAIMS)


def experiments():
    from paper_experiments import EXPERIMENTS
    return EXPERIMENTS


def test_plots_are_there_and_well_formed(folder):
    page = (folder / "paper.md").read_text(encoding="utf-8")
    plots = re.findall(r"\]\((paper/\w+\.svg)\)", page)
    assert len(plots) == 10
    for plot in plots:
        assert xml.etree.ElementTree.parse(folder / plot).getroot().tag.endswith("svg")


def test_the_page_is_made_from_the_results_alone(folder, tmp_path):
    done = paper("--results", folder / "results", "--render", "--page", tmp_path / "paper.md", "--work", tmp_path)
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "paper.md").read_bytes() == (folder / "paper.md").read_bytes()
    assert (tmp_path / "paper" / "skipped.svg").read_bytes() == (folder / "paper" / "skipped.svg").read_bytes()


def test_existing_results_are_not_measured_again(folder):
    before = {key: (folder / "results" / f"{key}.json").stat().st_mtime_ns for key in results(folder)}
    (folder / "results" / "shape" / "UMBC.json").unlink()
    paper("--results", folder / "results", "--work", folder / "work", "--corpora", folder / "corpora", "--no-render",
          "--experiments", "shape,density,spread")
    after = {key: (folder / "results" / f"{key}.json").stat().st_mtime_ns for key in results(folder)}
    changed = {key for key in before if before[key] != after[key]}
    assert changed - {"missing"} == {"shape/UMBC"}


@pytest.mark.parametrize("estimator, start", [("esca", "random"), ("leave-one-out", "keyword")])
def test_shares_are_those_of_the_trainer(ezlda, corpus, tmp_path, estimator, start):
    """The watcher predicts how many tokens the next iteration skips; the trainer skips exactly as many."""
    log = tmp_path / "log"
    result = ezlda("train", corpus, "-k", 20, "-i", 9, "--fixed-priors", "--sampler", "three-branch", "-g", 2, "--estimator", estimator,
                   "--start", start, "--device", "cpu", "--log", log, "-q", "-o", tmp_path / "m.ezm")
    assert result.status == 0
    trained = [json.loads(line) for line in log.read_text().splitlines()]
    seen = subprocess.run([PROGRAMS / "paper_watch", f"corpus={corpus}", "k=20", "iterations=8", "at=5,8",
                           f"estimator={estimator}", f"start={start}"], check=True, stdout=subprocess.PIPE).stdout
    for look in map(json.loads, seen.splitlines()):
        here, following = trained[look["iteration"] - 1], trained[look["iteration"]]
        assert look["unchanged"] == pytest.approx(1 - here["moved"], abs=1e-6)
        assert look["s_skipped"][1] == pytest.approx(following["skipped"], abs=1e-6)
        assert look["s_skipped"] == sorted(look["s_skipped"]) and look["s_skipped"][7] <= look["final_skipped"]
        assert all(ours >= theirs for ours, theirs in zip(look["many_branch"], look["s_skipped"]))


def test_dropping_removes_tokens_and_adds_them_again(corpus):
    done = subprocess.run([PROGRAMS / "paper_drop", f"corpus={corpus}", "k=8", "iterations=40", "drop=25", "again=35",
                           "unchanged=3"], check=True, stdout=subprocess.PIPE).stdout
    entries = [json.loads(line) for line in done.splitlines()]
    plain, dropping = ({entry["iteration"]: entry for entry in entries if entry["run"] == run}
                       for run in ("plain", "dropping"))
    assert list(plain) == list(range(1, 41)) and list(dropping) == list(range(24, 41))
    assert plain[24]["llpt"] == dropping[24]["llpt"] and plain[40]["llpt"] > plain[1]["llpt"]
    assert all((entry["sampled"] < 1) == (25 <= at < 35) for at, entry in dropping.items())
    assert all(entry["sampled"] == 1 for entry in plain.values())


def test_a_profile_is_read():
    from paper_runs import read_profile
    text = ('==PROF== x\n"ID","Process ID","Kernel Name","gpu__time_duration.sum","smsp__inst_executed.sum"\n'
            '"","","","ns","inst"\n"0","7","ez_rates(ez_device_w, ez_work)","1,250","3000"\n')
    found = read_profile(text, {"gpu__time_duration.sum": "ns", "smsp__inst_executed.sum": "instructions"})
    assert found == [{"name": "ez_rates", "ns": 1250.0, "instructions": 3000.0}]

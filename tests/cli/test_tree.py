"""ezlda tree: the printed tree, its JSON and curve, and models of its cuts."""
import json

import pytest


@pytest.fixture(scope="module")
def fine(ezlda, corpus, tmp_path_factory):
    path = tmp_path_factory.mktemp("fine") / "fine.ezm"
    assert ezlda("train", corpus, "-k", 20, "-i", 40, "--device", "cpu", "--keep-topics", "-q", "-o", path).status == 0
    return path


def shares(ezlda, model):
    return {t["topic"]: t["tokens"] for t in json.loads(ezlda("topics", model, "--json", "-n", 1).stdout)["topics"]}


def test_nodes_add_up(ezlda, fine, tmp_path):
    out = tmp_path / "tree.json"
    assert ezlda("tree", fine, "-o", out) == (f"{out}: the tree of 20 topics\n", "", 0)
    tree = json.loads(out.read_text(encoding="utf-8"))
    nodes, tokens = tree["nodes"], shares(ezlda, fine)
    assert tree["topics"] == 20 and [n["node"] for n in nodes] == list(range(39))
    assert {n["node"]: n["tokens"] for n in nodes[:20]} == tokens
    total = 0
    for node in nodes[20:]:
        left, right = nodes[node["left"]], nodes[node["right"]]
        total += node["loss"]
        assert node["tokens"] == left["tokens"] + right["tokens"] and node["topics"] == left["topics"] + right["topics"]
        assert node["total_loss"] == pytest.approx(total) and node["topics_left"] == 39 - node["node"]
        assert 0 < len(left["words"]) <= 8 and not set(left["words"]) & set(right["words"])
    assert nodes[-1]["topics"] == 20 and nodes[-1]["tokens"] == tree["tokens"] == sum(tokens.values())


def test_the_tree_is_printed_to_the_depth_asked_for(ezlda, fine):
    lines = ezlda("tree", fine, "--top", 4, "-n", 3).stdout.splitlines()
    assert len(lines) == 7 and lines[0].startswith("100.0 %  20 topics (split into 2: ")
    assert [line.count("| ") for line in lines][0] == 0 and all(len(line.split(": ")[-1].split()) == 3 for line in lines)
    inner = [line for line in lines if "split into" in line]
    leaves = [line for line in lines if "split into" not in line]
    assert len(inner) == 3 and sum(float(line.split(" %")[0]) for line in leaves) == pytest.approx(100, abs=0.3)
    assert len(ezlda("tree", fine, "--top", 1000).stdout.splitlines()) == 39


def test_the_curve_rises_as_topics_go(ezlda, fine):
    header, *rows = [line.split("\t") for line in ezlda("tree", fine, "--curve").stdout.splitlines()]
    assert header == ["topics", "merge_loss", "total_loss", "total_loss_per_token"]
    assert [int(r[0]) for r in rows] == list(range(1, 21)) and float(rows[-1][2]) == 0
    for row, finer in zip(rows, rows[1:]):
        assert float(row[2]) == pytest.approx(float(row[1]) + float(finer[2]))


@pytest.mark.parametrize("topics", [2, 6, 20])
def test_a_cut_is_a_model_as_any_other(ezlda, corpus, fine, topics, tmp_path):
    cut = tmp_path / "cut.ezm"
    done = ezlda("tree", fine, "--cut", topics, "-o", cut)
    assert done.status == 0 and done.stdout.startswith(f"{cut}: {topics} topics; merging lost "), done
    assert json.loads(ezlda("info", cut, "--json").stdout)["topics"] == topics
    assert len(shares(ezlda, cut)) == topics and sum(shares(ezlda, cut).values()) == sum(shares(ezlda, fine).values())
    rows = ezlda("infer", cut, corpus, "--device", "cpu", "-q", "--to", "tsv", "-o", "-").stdout.splitlines()
    assert len(rows) == 301 and len(rows[0].split("\t")) == topics + 2
    for command in (["eval", cut, corpus, "-m", "completion,coherence"], ["docs", cut], ["diff", cut, fine],
                    ["report", cut, corpus, "-o", tmp_path / "cut.html"],
                    ["export", cut, "--to", "mallet-state", "--corpus", corpus, "-o", tmp_path / "cut.gz"],
                    ["train", corpus, "--init", cut, "-i", 3, "--device", "cpu", "-o", tmp_path / "more.ezm"],
                    ["tree", cut], ["edit", cut, "rename 0 First"]):
        assert ezlda(*command).status == 0, command
    assert json.loads(ezlda("info", tmp_path / "more.ezm", "--json").stdout)["topics"] == topics


def test_refining_trains_from_the_cut(ezlda, corpus, fine, tmp_path):
    plain, better, same = (tmp_path / name for name in ("plain.ezm", "better.ezm", "same.ezm"))
    ezlda("tree", fine, "--cut", 6, "-o", plain)
    done = ezlda("tree", fine, "--cut", 6, "--refine", 30, "--corpus", corpus, "-o", better, "--threads", 1)
    assert done.status == 0 and "before --refine" in done.stdout, done
    ezlda("train", corpus, "--init", plain, "-i", 30, "--keep-topics", "--device", "cpu", "-o", same)
    info = [json.loads(ezlda("info", p, "--json").stdout) for p in (plain, better, same)]
    assert info[1]["topics_hash"] == info[2]["topics_hash"] != info[0]["topics_hash"]
    assert info[1]["iterations"] == info[0]["iterations"] + 30


def test_edits_stay_behind(ezlda, fine, tmp_path):
    named, cut = tmp_path / "named.ezm", tmp_path / "cut.ezm"
    named.write_bytes(fine.read_bytes())
    assert ezlda("edit", named, "rename 3 Boats", "merge 3,7").status == 0
    assert 'topic 3 "Boats"' in ezlda("tree", named, "--top", 1000).stdout
    assert ezlda("tree", named, "--cut", 5, "-o", cut, "-q") == ("", "", 0)
    assert ezlda("edit", cut, "--list").stdout == ""
    assert sum(shares(ezlda, cut).values()) == sum(shares(ezlda, fine).values())


@pytest.mark.parametrize("options, status, message", [
    (["--cut", 5], 2, "--cut writes a model: expected -o FILE"),
    (["--cut", 21, "-o", "cut.ezm"], 2, "a cut into 21 topics: expected 2 to 20"),
    (["--cut", 5, "-o", "cut.ezm", "--refine", 10], 2, "--refine: expected --cut K and --corpus FILE"),
    (["--corpus", "x.ezc"], 2, "--corpus means nothing without --refine"),
    (["--curve", "-o", "tree.json"], 2, "--curve prints"),
    (["--cut", 5, "-o", "no/folder/cut.ezm"], 1, "no/folder")])
def test_misuse(fails, fine, tmp_path, options, status, message):
    fails(status, message, "tree", fine, *options, cwd=tmp_path)

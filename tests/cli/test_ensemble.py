"""ezlda ensemble: members with several seeds, their folder, their consensus, and where its numbers are shown."""
import json

import pytest

from report_page import data_of


@pytest.fixture(scope="module")
def members(ezlda, corpus, tmp_path_factory):
    """A consensus of three models, and the folder with these."""
    folder = tmp_path_factory.mktemp("ensemble")
    done = ezlda("ensemble", corpus, "-k", 6, "--seeds", 3, "-i", 100, "--device", "cpu", "--members", folder / "seeds",
                 "-o", folder / "all.ezm", "--tsv")
    assert done.status == 0, done
    (folder / "table.tsv").write_text(done.stdout, encoding="utf-8")
    return folder


def facts(ezlda, model):
    return json.loads(ezlda("info", model, "--json").stdout)


def test_members_are_models_of_their_seeds(ezlda, corpus, members, tmp_path):
    assert sorted(p.name for p in (members / "seeds").iterdir()) == ["members.txt", "seed1.ezm", "seed2.ezm", "seed3.ezm"]
    ezlda("train", corpus, "-k", 6, "-i", 100, "--device", "cpu", "--seed", 2, "--keep-topics", "-o", tmp_path / "2.ezm")
    two, member = facts(ezlda, tmp_path / "2.ezm"), facts(ezlda, members / "seeds" / "seed2.ezm")
    assert two["topics_hash"] == member["topics_hash"] and "members" not in two
    all_three = facts(ezlda, members / "all.ezm")
    assert all_three["members"] == 3 and all_three["tokens"] == two["tokens"]


def test_the_same_command_finds_the_members(ezlda, corpus, members, tmp_path):
    command = ["ensemble", corpus, "-k", 6, "--seeds", 3, "-i", 100, "--device", "cpu", "--members", members / "seeds"]
    (members / "seeds" / "seed2.ezm").write_bytes(b"damaged")
    again = ezlda(*command, "-o", tmp_path / "again.ezm", "--json", "--threads", 3)
    assert again.status == 0 and again.stderr.count("trained before") == 2 and "seed2.ezm" in again.stderr, again
    assert facts(ezlda, tmp_path / "again.ezm")["topics_hash"] == facts(ezlda, members / "all.ezm")["topics_hash"]
    topics = {t["topic"]: t for t in json.loads(again.stdout)["topics"]}
    rows = [line.split("\t") for line in (members / "table.tsv").read_text(encoding="utf-8").splitlines()]
    assert rows[0] == ["topic", "found", "members", "share", "words"] and len(rows) == 7
    assert [int(r[1]) for r in rows[1:]] == sorted((t["found"] for t in topics.values()), reverse=True)
    for topic, found, number, share, words in rows[1:]:
        expected = topics[int(topic)]
        assert (int(found), int(number)) == (expected["found"], 3) and words.split() == expected["words"]
        assert float(share) == pytest.approx(expected["share"], rel=1e-6)


@pytest.mark.parametrize("options, line, found", [
    (["-k", 7, "-i", 100], 3, '"topics: 6", and "topics: 7"'),
    (["-k", 6, "-i", 101], 4, '"iterations: 100", and "iterations: 101"'),
    (["-k", 6, "-i", 100, "--beta", 0.5], 7, '"beta: not given", and "beta: 0.5"')])
def test_a_folder_of_other_options_is_refused(fails, corpus, members, tmp_path, options, line, found):
    fails(2, [f"members.txt:{line}:", found], "ensemble", corpus, *options, "--seeds", 3, "--members", members / "seeds",
          "-o", tmp_path / "x.ezm", "-q")


def test_a_folder_with_other_files_is_refused(fails, corpus, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    fails(2, "no members.txt", "ensemble", corpus, "-k", 6, "--members", tmp_path / "mine", "-o", tmp_path / "x.ezm", "-q")


def test_topics_show_in_how_many_models_they_were_found(ezlda, members, tmp_path):
    model = members / "all.ezm"
    topics = json.loads(ezlda("topics", model, "--json", "-n", 1).stdout)
    assert topics["members"] == 3 and all(0 <= t["found"] <= 3 for t in topics["topics"])
    lines = ezlda("topics", model).stdout.splitlines()
    assert "found in" in lines[0]
    for line, topic in zip(lines[1:], topics["topics"]):
        assert f" {topic['found']} of 3 " in line
    detail = ezlda("topics", model, "--topic", 0).stdout.splitlines()[0]
    assert detail.endswith(f"found in {topics['topics'][0]['found']} of 3 models")
    edited = tmp_path / "edited.ezm"
    edited.write_bytes(model.read_bytes())
    assert ezlda("edit", edited, "rename 0 First", "merge 1,2").status == 0
    assert json.loads(ezlda("topics", edited, "--json", "-n", 1).stdout)["topics"][0]["found"] == topics["topics"][0]["found"]


def test_the_report_flags_topics_of_few_models(ezlda, corpus, members, tmp_path):
    strict = tmp_path / "strict.ezm"
    done = ezlda("ensemble", corpus, "-k", 6, "--seeds", 3, "-i", 100, "--device", "cpu", "--members", members / "seeds",
                 "--threshold", 1, "-o", strict)
    assert done.status == 0 and "0 are in all models, 0 in half or more" in done.stdout, done
    for model, kinds in ((strict, 6), (members / "all.ezm", sum(
            2 * t["found"] < 3 for t in json.loads(ezlda("topics", members / "all.ezm", "--json").stdout)["topics"]))):
        assert ezlda("report", model, "-o", tmp_path / "page.html").status == 0
        flags = [f for f in data_of(tmp_path / "page.html")["topics"]["flag"] if f["kind"] == "chance"]
        assert len(flags) == kinds and all("models with other seeds have it" in f["reason"] for f in flags)


def test_misuse(fails, corpus, tmp_path):
    fails(2, "from 2 to 1000", "ensemble", corpus, "-k", 6, "--seeds", 1, "-o", tmp_path / "x.ezm")
    fails(2, "--topics", "ensemble", corpus, "-o", tmp_path / "x.ezm")

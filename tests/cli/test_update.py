"""ezlda update: new documents join a model; its output serves every command."""
import json
import math
import random
import signal

import pytest

from conftest import EMULATED, emulated_environment
from test_checkpoint import terminated

DAYS = ([("river", "water", "fish", "lake"), ("music", "violin", "opera", "choir")],
        [("river", "water", "kayak", "lake"), ("music", "violin", "opera", "techno")])


def texts(path, themes, docs, seed):
    draw = random.Random(seed)
    with open(path, "w", encoding="utf-8") as file:
        for i in range(docs):
            file.write(json.dumps({"id": f"{seed}-{i}", "text": " ".join(draw.choices(themes[i % 2], k=25))}) + "\n")
    return path


@pytest.fixture(scope="module")
def days(tmp_path_factory):
    folder = tmp_path_factory.mktemp("days")
    return [texts(folder / "first.jsonl", DAYS[0], 60, 1), texts(folder / "second.jsonl", DAYS[1], 30, 2)]


@pytest.fixture(scope="module")
def base(ezlda, days, tmp_path_factory):
    path = tmp_path_factory.mktemp("base") / "base.ezm"
    result = ezlda("train", days[0], "-k", 3, "-i", 120, "-q", "--stopwords", "none", "--max-docs-share", 1, "-o", path,
                   "--device", "cpu")
    assert result == ("", "", 0), result
    return path


def info_of(ezlda, model):
    return json.loads(ezlda("info", model, "--json").stdout)


def update(ezlda, base, corpus, out, *arguments, **keywords):
    result = ezlda("update", base, corpus, "-o", out, "-q", *arguments, **keywords)
    assert result == ("", "", 0), result
    return info_of(ezlda, out)


@pytest.fixture(scope="module")
def updated(ezlda, base, days, device, tmp_path_factory):
    path = tmp_path_factory.mktemp("updated") / "u.ezm"
    update(ezlda, base, days[1], path, "--keep-topics", "--device", device)
    return path


def tokens_of(ezlda, model):
    return {t["topic"]: t["tokens"] for t in json.loads(ezlda("topics", model, "--json").stdout)["topics"]}


def test_the_model_counts_both(ezlda, base, updated, days):
    was, now = info_of(ezlda, base), info_of(ezlda, updated)
    assert now["updates"] == 1 and now["past_documents"] == was["documents"] == 60 and now["documents"] == 30
    assert now["tokens"] == was["tokens"] + now["document_tokens"] and now["document_tokens"] == 30 * 25
    assert now["words"] == was["words"] + 2 and now["iterations"] == was["iterations"] + 100
    assert now["alpha_sum"] == was["alpha_sum"] and now["beta"] == was["beta"]
    words = ezlda("topics", updated).stdout
    assert "kayak" in words and "techno" in words


def test_topics_keep_their_numbers(ezlda, base, updated):
    pairs = json.loads(ezlda("diff", base, updated, "--json").stdout)
    same = [(p["a"]["topic"], p["b"]["topic"]) for p in pairs["kept"] + pairs["drifted"]]
    assert all(a == b for a, b in same) and len(same) >= 2


def test_every_device_gives_the_same_model(ezlda, base, days, tmp_path):
    hashes = set()
    for number, options in enumerate([("--device", "cpu", "--threads", 1), ("--device", "reference"),
                                      ("--device", "cpu", "--w-format", "sparse", "--sampler", "two-branch")]):
        out = tmp_path / f"{number}.ezm"
        info = update(ezlda, base, days[1], out, "--decay", 0.7, *options)
        hashes.add((info["topics_hash"], info["llpt"], info["tokens"], ezlda("topics", out, "--tsv").stdout))
    assert len(hashes) == 1


@pytest.mark.skipif(not EMULATED.exists(), reason="no emulated GPU was built")
@pytest.mark.parametrize("options", [[], ["--decay", 0.5, "--w-format", "sparse"], ["--fit-priors"],
                                     ["--device-memory", "200k"]], ids=str)
def test_a_gpu_gives_the_same_model(ezlda, base, days, tmp_path, options):
    out = [tmp_path / "cpu.ezm", tmp_path / "gpu.ezm"]
    on_cpu = update(ezlda, base, days[1], out[0], "-i", 40, "--device", "cpu", *options)
    on_gpu = update(ezlda, base, days[1], out[1], "-i", 40, "--device", "cuda", *options, program=EMULATED,
                    env=emulated_environment())
    assert on_gpu["device"] == "cuda" and on_cpu["device"] == "cpu"
    assert [on_cpu[key] for key in ("topics_hash", "llpt")] == [on_gpu[key] for key in ("topics_hash", "llpt")]
    assert ezlda("topics", out[0], "--tsv").stdout == ezlda("topics", out[1], "--tsv").stdout


def test_a_run_that_was_ended_resumes(ezlda, binary, base, days, tmp_path):
    whole, folder = tmp_path / "whole.ezm", tmp_path / "checkpoints"
    many = texts(tmp_path / "many.jsonl", DAYS[1], 3000, 3)
    options = ["-i", 120, "--device", "cpu"]
    expected = update(ezlda, base, many, whole, *options)
    arguments = ["update", base, many, *options, "--checkpoint", folder, "--every", "3it", "-o", tmp_path / "m.ezm"]
    assert terminated(binary, tmp_path / "log", *arguments) == 128 + signal.SIGTERM and not (tmp_path / "m.ezm").exists()
    other = ezlda(*arguments, "--resume", "--decay", 0.5)
    assert other.status == 2 and "checkpoint" in other.stderr
    result = ezlda(*arguments, "--resume", "--threads", 1)
    assert result.status == 0, result
    assert "resuming after iteration" in result.stderr
    got = info_of(ezlda, tmp_path / "m.ezm")
    assert [got[key] for key in ("topics_hash", "llpt", "tokens")] == [expected[key] for key in ("topics_hash", "llpt", "tokens")]


def test_an_interrupted_update_leaves_the_model_that_it_would_replace(binary, base, days, tmp_path):
    """A part of an update would count documents that the next one counts again."""
    many = texts(tmp_path / "many.jsonl", DAYS[1], 3000, 3)
    model = tmp_path / "news.ezm"
    model.write_bytes(base.read_bytes())
    arguments = ["update", model, many, "-i", 5000, "--device", "cpu", "-o", model]
    assert terminated(binary, tmp_path / "log", *arguments, number=signal.SIGINT) == 128 + signal.SIGINT
    assert model.read_bytes() == base.read_bytes()
    checkpoint = ["--checkpoint", tmp_path / "checkpoints"]
    assert terminated(binary, tmp_path / "log2", *arguments, *checkpoint, number=signal.SIGINT) == 128 + signal.SIGINT
    assert model.read_bytes() == base.read_bytes() and list((tmp_path / "checkpoints").iterdir())


def test_a_model_may_replace_itself(ezlda, base, days, tmp_path):
    model = tmp_path / "news.ezm"
    model.write_bytes(base.read_bytes())
    for number in 1, 2, 3:
        info = update(ezlda, model, days[1], model, "--decay", 0.5)
        assert info["updates"] == number and info["past_documents"] == 60 + 30 * (number - 1)


def test_new_words_need_documents(ezlda, base, days, tmp_path):
    rare = tmp_path / "rare.jsonl"
    rare.write_text(days[1].read_text(encoding="utf-8") + '{"id": "x", "text": "river quixotic river"}\n', encoding="utf-8")
    result = ezlda("update", base, rare, "-o", tmp_path / "m.ezm", "-i", 5)
    assert "added 2 of 3 new words; the others occur in fewer than 2 of the new documents" in result.stderr
    all_words = update(ezlda, base, rare, tmp_path / "all.ezm", "-i", 5, "--new-word-docs", 1)
    assert all_words["words"] == info_of(ezlda, tmp_path / "m.ezm")["words"] + 1


def test_every_command_reads_it(ezlda, updated, days, tmp_path):
    def works(*arguments):
        result = ezlda(*arguments)
        assert result.status == 0, result
        return result.stdout

    shares = [line["share"] for line in json.loads(works("topics", updated, "--json"))["topics"]]
    assert abs(sum(shares) - 1) < 1e-9
    assert "2-0" in "".join(works("docs", updated, "-n", 30, "--topic", topic) for topic in range(3))
    works("infer", updated, days[0], "-o", tmp_path / "theta.tsv", "-q")
    scored = json.loads(works("eval", updated, days[1], "--json", "-q", "--measures", "llpt,completion,coherence"))
    assert scored["completion"]["perplexity"] < 20
    works("report", updated, days[1], "-o", tmp_path / "report.html", "-q")
    works("report", updated, "-o", tmp_path / "alone.html", "-q")
    for to in "mallet-keys", "mallet-doc-topics", "pyldavis-json", "npz", "gensim", "csv":
        works("export", updated, "--to", to, "-o", tmp_path / to, "-q")
    works("export", updated, "--to", "mallet-state", "--corpus", days[1], "-o", tmp_path / "state", "-q")


def test_the_drift_log(ezlda, base, days, tmp_path):
    out, log = tmp_path / "u.ezm", tmp_path / "drift.jsonl"
    ezlda("edit", base, "rename 1 Boats", "hide 2", "-o", tmp_path / "b.ezm")
    update(ezlda, tmp_path / "b.ezm", days[1], out, "--decay", 0.5, "--drift-log", log)
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [line["topic"] for line in lines] == [0, 1] and lines[1]["name"] == "Boats"

    def shares(model):
        found = {0: {}, 1: {}}
        for line in ezlda("topics", model, "--tsv", "-n", 1000, "--topic", "0,1").stdout.splitlines()[1:]:
            topic, _, word, _, probability, *_ = line.split("\t")
            found[int(topic)][word] = float(probability)
        return found

    before, after = shares(base), shares(out)
    for line in lines:
        p, q = before[line["topic"]], after[line["topic"]]
        js = sum(x * math.log2(2 * x / (p.get(w, 0) + q.get(w, 0))) / 2 for side in (p, q) for w, x in side.items())
        assert abs(line["change"] - js) < 0.02 and 0 < line["change"] < 1  # the prior is not in it
        assert line["tokens_after"] == tokens_of(ezlda, out)[line["topic"]]
        assert line["tokens_before"] == tokens_of(ezlda, base)[line["topic"]]
        assert abs(line["tokens_after"] - line["tokens_new"] - line["tokens_before"] / 2) < 20
        assert set(line["came_in"]) <= set(q) - set(list(p)[:10]) and set(line["fell_out"]) <= set(list(p)[:10])
    assert any({"kayak", "techno"} & set(line["came_in"]) for line in lines)


def test_training_from_it_says_what_is_lost(ezlda, updated, days, tmp_path):
    result = ezlda("train", days[1], "--init", updated, "-i", 2, "-o", tmp_path / "m.ezm")
    assert result.status == 0 and "counts of 60 earlier documents" in result.stderr


def test_the_same_documents_twice_are_reported(ezlda, base, days, tmp_path):
    result = ezlda("update", base, days[0], "-i", 2, "-o", tmp_path / "m.ezm")
    assert result.status == 0 and "the model has these documents already" in result.stderr


def test_misuse(fails, base, days, tmp_path):
    out = ["-o", tmp_path / "m.ezm"]
    fails(2, "-o/--output is required", "update", base, days[1])
    for option in ("--log", "--summary", "--report", "--drift-log"):
        fails(2, "is also an input", "update", base, days[1], *out, option, base)
    fails(2, "--decay", "update", base, days[1], "--decay", 0, *out)
    fails(2, "--decay", "update", base, days[1], "--decay", 1.1, *out)
    fails(2, "--resume needs --checkpoint", "update", base, days[1], "--resume", *out)
    fails(1, "missing.ezm", "update", tmp_path / "missing.ezm", days[1], *out)
    strange = days[0].parent / "strange.txt"
    strange.write_text("unheard unknown\nunheard unknown\n", encoding="ascii")
    fails(2, "none of the words of the model to update", "update", base, strange, "-q", *out)


def test_an_update_says_what_changed(ezlda, base, days, tmp_path):
    said = ezlda("update", base, days[1], "-o", tmp_path / "u.ezm", "-i", 20, "--drift-log", tmp_path / "drift.jsonl").stdout
    table = said.split("Topics whose words changed most (0: not at all, 1: other words):\n")[1].splitlines()
    assert table[0].split() == ["topic", "change", "words", "that", "came", "in"]
    logged = {line["topic"]: line for line in map(json.loads, (tmp_path / "drift.jsonl").read_text(encoding="utf-8").splitlines())}
    rows = [line.split() for line in table[1:] if line.strip()]
    assert len(rows) == len([line for line in logged.values() if line["change"] > 0]) > 0
    for topic, change, *words in rows:
        assert float(change) == pytest.approx(logged[int(topic)]["change"], abs=6e-4)
        assert words == (logged[int(topic)]["came_in"] or ["-"])
    assert [row[1] for row in rows] == sorted((row[1] for row in rows), reverse=True)
    assert ezlda("update", base, days[1], "-o", tmp_path / "u.ezm", "-i", 5, "-q").stdout == ""

"""Words that import and train remove from text unasked: rare ones and those of most documents."""
import json

import pytest

ALL = ["--stopwords", "none"]
KINDS = {"import": ["-o", "c.ezc"], "train": ["-k", 2, "-i", 3, "-o", "m.ezm"], "sweep": ["-k", "2,3", "-i", 3, "-o", "sweep"],
         "info": []}


@pytest.fixture
def text(tmp_path):
    """Writes a thousand documents: each has the word "report" and one word that no other document has."""
    path = tmp_path / "text.txt"
    path.write_text("".join(f"report topic{'abcdefghij'[i % 10]} theme{'klmnopqrst'[i // 7 % 10]} "
                            f"own{'abcdefghij'[i // 100]}{'abcdefghij'[i // 10 % 10]}{'abcdefghij'[i % 10]} "
                            f"{'theme' if i < 500 else 'topic'}\n" for i in range(1000)), encoding="utf-8")
    return path


def removed(result):
    return [line for line in result.stderr.splitlines() if line.startswith("vocabulary: ")]


@pytest.mark.parametrize("command", KINDS)
def test_the_line_says_what_was_removed(ezlda, text, tmp_path, command):
    done = ezlda(command, text, *ALL, *KINDS[command], cwd=tmp_path)
    assert done.status == 0, done
    assert removed(done) == ["vocabulary: removed 1000 words in fewer than 3 documents (20 % of the tokens), 1 word in more than "
                             "50 % of the documents (20 % of the tokens); --min-docs 1 --max-docs-share 1 keeps them"]


def test_the_filter_can_be_switched_off(ezlda, text, tmp_path):
    for options, words in (([], 22), (["--min-docs", 1], 1022), (["--max-docs-share", 1], 23),
                           (["--min-docs", 1, "--max-docs-share", 1], 1023)):
        done = ezlda("import", text, *ALL, *options, "-o", tmp_path / "c.ezc")
        assert f" {words:,} words," in done.stdout, done
        assert len(removed(done)) == (words < 1023)
    assert ezlda("import", text, "--min-docs", 0, "-o", tmp_path / "c.ezc").status == 2


def test_files_say_which_words_they_lack(ezlda, text, tmp_path):
    corpus, model = tmp_path / "c.ezc", tmp_path / "m.ezm"
    assert ezlda("import", text, *ALL, "-o", corpus).status == 0
    assert ezlda("train", corpus, "-k", 2, "-i", 3, "-o", model).status == 0
    for file in (corpus, model):
        rules = json.loads(ezlda("info", file, "--json").stdout)["text_read_with"]
        assert rules.endswith("words in fewer than 3 documents removed, words in more than 50 % of the documents removed")


def test_new_text_for_a_model_is_not_filtered(ezlda, text, tmp_path):
    """The model's words stay, however rare or common they are in the new text."""
    model, new = tmp_path / "m.ezm", tmp_path / "new.txt"
    assert ezlda("train", text, *ALL, "-k", 2, "-i", 3, "-o", model).status == 0
    new.write_text("topica themek\n" * 150 + "topicb themel\n", encoding="utf-8")
    for command in (["infer", model, new, "-o", tmp_path / "t.tsv"], ["import", new, "--like", model, "-o", tmp_path / "n.ezc"]):
        done = ezlda(*command)
        assert done.status == 0 and not removed(done), done
    assert "does not know" not in ezlda("infer", model, new, "-o", tmp_path / "t.tsv").stderr
    assert " 4 words, 302 tokens" in ezlda("import", new, "--like", model, "-o", tmp_path / "n.ezc").stdout
    given = ezlda("import", new, "--like", model, "--min-docs", 2, "-o", tmp_path / "n.ezc")
    assert "removed 2 words in fewer than 2 documents" in given.stderr


def test_a_run_that_continues_has_the_limits_of_its_model(ezlda, text, tmp_path):
    grown = tmp_path / "grown.txt"
    grown.write_text(text.read_text(encoding="utf-8")[:4000] + "topica themek new\n" * 5, encoding="utf-8")
    for options, removes in (([], True), (["--min-docs", 1, "--max-docs-share", 1], False)):
        model = tmp_path / "m.ezm"
        assert ezlda("train", text, *ALL, *options, "-k", 2, "-i", 3, "-o", model).status == 0
        done = ezlda("train", grown, "--init", model, "-i", 3, "-o", tmp_path / "n.ezm")
        assert done.status == 0 and bool(removed(done)) == removes, done
        assert not removes or "in fewer than 3 documents" in removed(done)[0]


def test_a_corpus_file_is_used_as_it_is(ezlda, text, tmp_path):
    corpus = tmp_path / "c.ezc"
    assert ezlda("import", text, *ALL, "--min-docs", 1, "--max-docs-share", 1, "-o", corpus).status == 0
    done = ezlda("train", corpus, "-k", 2, "-i", 3, "-o", tmp_path / "m.ezm")
    assert done.status == 0 and not removed(done)
    done = ezlda("train", corpus, "-k", 2, "-i", 3, "--max-docs-share", 0.5, "-o", tmp_path / "m.ezm")
    assert removed(done) == ["vocabulary: removed 1 word in more than 50 % of the documents (20 % of the tokens)"]

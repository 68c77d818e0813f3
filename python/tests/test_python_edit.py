"""Model.edit: edits as in the command."""
import numpy as np
import pytest

import ezlda


def test_edits_are_listed_and_undone(model):
    edited = model.edit("rename 1 Courts", "group 1,2 Politics", "hide 3").edit("merge 4,5")
    assert edited.edits == ["rename 1 Courts", "group 1,2 Politics", "hide 3", "merge 4,5"] and model.edits == []
    assert edited.topic_names[1] == "Courts" and edited.topic_groups[2] == "Politics" and edited.hidden_topics == [3, 5]
    assert [t.topic for t in edited.topics()] == [0, 1, 2, 4, 6, 7]
    assert edited.topic_tokens[4] == model.topic_tokens[4] + model.topic_tokens[5] and edited.topic_tokens[5] == 0
    back = edited.undo(4)
    assert back.edits == [] and np.array_equal(back.topic_tokens, model.topic_tokens)
    with pytest.raises(ValueError, match="the model has 4 edits"):
        edited.undo(5)


def test_files_keep_them(model, tmp_path, command):
    model.edit("rename 1 Courts").save(tmp_path / "m.ezm")
    assert command("edit", tmp_path / "m.ezm", "--list") == "rename 1 Courts\n"
    assert ezlda.Model.load(tmp_path / "m.ezm").topic_names[1] == "Courts"


def test_names_are_in_tables(model):
    edited = model.edit("rename 1 Courts", "words 1 -" + model.top_words(1, 1)[0].name)
    frame = edited.topics_frame()
    assert frame.loc[1, "name"] == "Courts" and "Courts: " in edited.summary() and "name" not in model.topics_frame()
    assert edited.top_words(1, 1)[0].name == model.top_words(1, 2)[1].name


def test_wrong_operations_are_refused(model):
    with pytest.raises(ezlda.ArgumentError, match="^'hide 8': expected topics from 0 to 7"):
        model.edit("rename 1 Courts", "hide 8")


@pytest.mark.parametrize("name", ["a\x85b", "a\u2028b", "a\u2029b"])
def test_names_with_separators_of_lines_are_one_edit(model, name):
    edited = model.edit(f"rename 1 {name}", "hide 2")
    assert edited.edits == [f"rename 1 {name}", "hide 2"] and edited.topic_names[1] == name
    assert edited.undo().edits == [f"rename 1 {name}"]


def test_an_operation_is_one_line(model):
    with pytest.raises(ezlda.ArgumentError, match="found a newline in 'rename 1 Courts.nmerge 1,2'"):
        model.edit("rename 1 Courts\nmerge 1,2")

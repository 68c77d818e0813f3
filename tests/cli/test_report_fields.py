"""ezlda report: topics over the fields of the documents, in time and by category."""
import datetime
import json

import pytest
from report_page import data_of, unpack


def dated(folder, values):
    with open(folder / "dated.jsonl", "w", encoding="utf-8") as file:
        for i, value in enumerate(values):
            text = "river water fish " if i % 2 else "music violin opera "
            json.dump({"id": f"d{i}", "text": text * 3, "when": value, "label": f"class {i % 3}", "key": f"k{i}"}, file)
            file.write("\n")
    return folder / "dated.jsonl"


def fields_of(ezlda, folder, values, *options):
    path = dated(folder, values)
    reading = ["--stopwords", "none", "--keep-fields", "when,key"]
    assert ezlda("train", path, *reading, "-k", 2, "-i", 10, "-q", "-o", folder / "d.ezm").status == 0
    result = ezlda("report", folder / "d.ezm", path, *reading, "-q", "-o", folder / "r.html", *options)
    assert result.status == 0, result
    data = data_of(folder / "r.html")
    return {field["name"]: field for field in data["fields"]}


def day(text):
    return datetime.date.fromisoformat(text).toordinal() - 1


@pytest.mark.parametrize("values, unit, expected", [
    (["2001", "2003", "2002", "", "2003"] * 10, "year", [2001, 2002, 2003]),
    (["2020-01-30", "2020-03-01", "2020-02-29T12:00"] * 15, "day", [day("2020-01-30"), day("2020-02-29"), day("2020-03-01")]),
    (["2019-05", "2020-01"] * 20, "month", [2019 * 12 + 4, 2020 * 12]),
    (["2019-05", "2020-01-30"] * 20, "month", [2019 * 12 + 4, 2020 * 12]),
    (["0001-01-01", "9999-12-31"] * 20, "day", [0, 3652058]),
    (["1801", "1999"] * 20, "year", [1801, 1999]),
])
def test_time(ezlda, tmp_path, values, unit, expected):
    """Bins are of the unit of the dates; times without documents have none."""
    field = fields_of(ezlda, tmp_path, values)["when"]
    assert (field["kind"], field["unit"], field["every"], field["step"]) == ("time", unit, 1, None)
    assert list(unpack("I", field["at"])) == expected
    total, tokens = unpack("d", field["total"]), unpack("H", field["tokens"])
    n = len(expected)
    assert len(total) == n and len(tokens) == 2 * n and field["width"] == 2
    assert [sum(tokens[i::n]) for i in range(n)] == list(total)
    assert sum(total) == 9 * sum(bool(value) for value in values)


def test_many_topics_get_longer_bins(ezlda, tmp_path):
    """500,000 cells are for all curves: 1,800 topics leave 208 bins for the first field, so days become months."""
    with open(tmp_path / "d.jsonl", "w", encoding="utf-8") as file:
        for i in range(300):
            date = datetime.date(2001, 1, 1) + datetime.timedelta(i)
            json.dump({"text": "river water fish music " * 2, "when": date.isoformat()}, file)
            file.write("\n")
    reading = ["--stopwords", "none", "--keep-fields", "when"]
    assert ezlda("train", tmp_path / "d.jsonl", *reading, "-q", "-k", 1800, "-i", 2, "-o", tmp_path / "d.ezm").status == 0
    result = ezlda("report", tmp_path / "d.ezm", tmp_path / "d.jsonl", *reading, "--step", "week", "-o", tmp_path / "r.html")
    field = data_of(tmp_path / "r.html")["fields"][0]
    assert field["unit"] == "month" and len(unpack("I", field["at"])) == 10 and field["step"] is None
    assert "--step week is not used: 300 points by day are more than 208" in result.stderr


def test_the_spread_of_documents(ezlda, tmp_path):
    """Each document is of one topic and has nine tokens, so its distance from the share p is 9 (1 - p) or 9 p."""
    field = fields_of(ezlda, tmp_path, ["2001", "2001", "2001", "2002", "2002"] * 12)["when"]
    tokens, spread, docs = unpack("H", field["tokens"]), unpack("H", field["spread"]), unpack("I", field["docs"])
    assert list(docs) == [36, 24] and list(unpack("d", field["squares"])) == [36 * 81, 24 * 81]
    for i, code in enumerate(spread):
        n = docs[i % 2]
        p = tokens[i] / (9 * n)
        assert 2 ** (code / 1024) - 1 == pytest.approx(n * 81 * p * (1 - p), rel=1e-3)


def test_categories(ezlda, tmp_path):
    fields = fields_of(ezlda, tmp_path, ["x", "y"] * 30)
    assert set(fields) == {"when", "label"}  # key has too many values
    assert fields["when"]["kind"] == "category" and fields["when"]["values"] == ["x", "y"]
    assert fields["label"]["values"] == ["class 0", "class 1", "class 2"]
    tokens = unpack("H", fields["when"]["tokens"])
    assert sorted(tokens) == [0, 0, 270, 270]  # the two texts go with the two values


def asked(folder, *options):
    return ["report", folder / "d.ezm", folder / "dated.jsonl", "--stopwords", "none", "--keep-fields", "when", "-o",
            folder / "r.html", *options]


@pytest.mark.parametrize("wrong", ["[1914?]", "1850-02-30", "0000", "1914-13"])
def test_documents_without_a_date_are_not_in_the_curve(ezlda, tmp_path, wrong):
    dates = [f"1914-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(60)]
    dates[7] = dates[50] = wrong
    field = fields_of(ezlda, tmp_path, dates)["when"]
    assert (field["kind"], field["undated"], field["first_undated"]) == ("time", 2, wrong)
    assert sum(unpack("d", field["total"])) == 9 * 58
    said = ("field 'when': the curve over time ignores documents: 2 of 60 values are not years or dates (2019, "
            f"2019-05, 2019-05-17), the first is '{wrong}' of document 7")
    for more in [], ["--field", "when"]:
        result = ezlda(*asked(tmp_path, *more))
        assert result.status == 0 and said in result.stderr


def test_all_dates_are_in_the_curve(ezlda, tmp_path):
    field = fields_of(ezlda, tmp_path, ["2001", "2003", "", "2003"] * 10)["when"]
    assert (field["undated"], field["first_undated"]) == (0, "")
    assert "curve" not in ezlda(*asked(tmp_path)).stderr


@pytest.mark.parametrize("form", ["{2:02}.{1:02}.18{0}", "18{0}/{1:02}/{2:02}", "{1}/{2}/18{0} 10:30",
                                  "18{0}{1:02}{2:02}", "{2:02}.{1:02}.{0}"])
def test_dates_of_another_form_are_reported(ezlda, tmp_path, fails, form):
    values = [form.format(51 + i % 5, 1 + i % 12, 1 + i % 28) for i in range(60)]
    values[0] = values[1] = ""
    assert "when" not in fields_of(ezlda, tmp_path, values)
    said = f"not years or dates (2019, 2019-05, 2019-05-17), the first is '{values[2]}' of document 2"
    assert f"field 'when': no curve over time: 58 of 58 values are {said}" in ezlda(*asked(tmp_path)).stderr
    fails(2, ["field 'when': cannot be drawn", said], *asked(tmp_path, "-q", "--field", "when"))


@pytest.mark.parametrize("form", ["1.{0}.{1}", "10.0.{0}.{1}", "0-13-{0}0362-8", "box {0}1", "{0}00{1}"])
def test_other_numbers_are_not_dates(ezlda, tmp_path, form):
    fields_of(ezlda, tmp_path, [form.format(11 + i, 1 + i % 12) for i in range(60)])
    assert "curve" not in ezlda(*asked(tmp_path)).stderr


def test_a_count_is_not_a_time(ezlda, tmp_path):
    """Numbers of documents look like years from 1000 on."""
    assert "when" not in fields_of(ezlda, tmp_path, [str(i) for i in range(980, 1080)])
    assert "no curve over time: 20 of 100 values" in ezlda(*asked(tmp_path)).stderr


def test_one_field(ezlda, tmp_path, fails):
    assert set(fields_of(ezlda, tmp_path, ["x", "y"] * 30, "--field", "label")) == {"label"}
    asked = ["report", tmp_path / "d.ezm", tmp_path / "dated.jsonl", "--stopwords", "none", "--keep-fields",
             "when,key", "-q", "-o", tmp_path / "r.html", "--field"]
    fails(2, ["field 'key'", "too many different values"], *asked, "key")
    fails(2, ["field 'no'", "no such field", "--keep-fields"], *asked, "no")
    fails(2, "no corpus is given", "report", tmp_path / "d.ezm", "-o", tmp_path / "r.html", "--field", "when")


def test_documents_are_counted_and_the_step_is_asked_for(ezlda, tmp_path):
    fields_of(ezlda, tmp_path, ["2001-05-01", "2001-06-30", "2002-12-24"] * 20)
    for step in "day", "week", "month", "quarter", "year", "5-years", "decade":
        assert ezlda(*asked(tmp_path, "-q", "--step", step, "--field", "when")).status == 0
        field = data_of(tmp_path / "r.html")["fields"][0]
        assert field["step"] == step and list(unpack("I", field["docs"])) == [20, 20, 20]


def test_a_step_that_does_not_fit_is_not_used(ezlda, tmp_path, fails):
    fields_of(ezlda, tmp_path, ["2001", "2002"] * 30)
    for step, unit in ("month", "month"), ("week", "day"):
        result = ezlda(*asked(tmp_path, "--step", step))
        assert result.status == 0 and f"--step {step} is not used: its dates have no {unit}" in result.stderr, result
    fails(2, "expected one of auto, day, week, month, quarter, year, 5-years, decade", "report", tmp_path / "d.ezm", "--step",
          "hour", "-o", tmp_path / "x.html")


def test_pages_know_the_bins_of_their_documents(ezlda, tmp_path):
    fields_of(ezlda, tmp_path, ["2001", "2003", "", "2003"] * 10)
    data = data_of(tmp_path / "r.html")
    bins = [unpack("H", text) for text in data["documents"]["bins"]]
    names = [field["name"] for field in data["fields"]]
    assert list(bins[names.index("when")][:4]) == [0, 1, 65535, 1]
    assert list(bins[names.index("label")][:4]) == [0, 1, 2, 0]

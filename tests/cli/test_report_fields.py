"""ezlda report: topics over the fields of the documents, in time and by category."""
import json
import math

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


@pytest.mark.parametrize("values, expected", [
    (["2001", "2003", "2002", "", "2003"] * 10, ["2001", "2002", "2003"]),
    (["2020-01-30", "2020-03-01", "2020-02-29T12:00"] * 15, ["2020-01-30", "2020-01-31", "2020-02-01", "..."]),
    (["2019-05", "2020-01"] * 20, ["2019-05", "2019-06", "2019-07", "..."]),
    (["2001-05-01", "2010-06-30"] * 20, ["2001-Q2", "2001-Q3", "2001-Q4", "..."]),
    (["1950-05-01", "2005-06-30"] * 20, ["1950", "1951", "1952", "..."]),
    (["1801", "1999"] * 20, ["1800-1804", "1805-1809", "1810-1814", "..."]),
])
def test_time(ezlda, tmp_path, values, expected):
    field = fields_of(ezlda, tmp_path, values)["when"]
    assert field["kind"] == "time" and len(field["values"]) <= 60
    if expected[-1] == "...":
        assert field["values"][:3] == expected[:3]
    else:
        assert field["values"] == expected
    total, share = unpack("d", field["total"]), unpack("f", field["share"])
    n = len(total)
    assert n == len(field["values"]) and len(share) == 2 * n
    for i in range(n):
        assert sum(share[i::n]) == pytest.approx(1) if total[i] else all(map(math.isnan, share[i::n]))
    given = sum(bool(value) for value in values)
    assert sum(total) == 9 * given and total[0] and total[-1]


def test_categories(ezlda, tmp_path):
    fields = fields_of(ezlda, tmp_path, ["x", "y"] * 30)
    assert set(fields) == {"when", "label"}  # key has too many values
    assert fields["when"]["kind"] == "category" and fields["when"]["values"] == ["x", "y"]
    assert fields["label"]["values"] == ["class 0", "class 1", "class 2"]
    share = unpack("f", fields["when"]["share"])
    assert sorted(map(round, share)) == [0, 0, 1, 1]  # the two texts go with the two values


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
    fails(2, ["field 'no'", "no such field"], *asked, "no")
    fails(2, "no corpus is given", "report", tmp_path / "d.ezm", "-o", tmp_path / "r.html", "--field", "when")


def test_documents_are_counted_and_the_step_is_chosen(ezlda, tmp_path):
    days = ["2001-05-01", "2001-06-30", "2002-12-24"] * 20
    field = fields_of(ezlda, tmp_path, days, "--step", "year")["when"]
    assert field["values"] == ["2001", "2002"] and list(unpack("I", field["docs"])) == [40, 20]
    assert fields_of(ezlda, tmp_path, days, "--step", "quarter")["when"]["values"][:2] == ["2001-Q2", "2001-Q3"]
    assert len(fields_of(ezlda, tmp_path, days, "--step", "month")["when"]["values"]) == 20


def test_a_step_that_does_not_fit_is_not_used(ezlda, tmp_path, fails):
    for values, step, why in ((["2001", "2002"] * 30, "month", "its dates have no month"),
                              (["1950-01-01", "2001-01-01"] * 30, "day", "points by day are more than 250")):
        fields_of(ezlda, tmp_path, values)
        result = ezlda("report", tmp_path / "d.ezm", tmp_path / "dated.jsonl", "--stopwords", "none", "--keep-fields", "when,key",
                       "--step", step, "-o", tmp_path / "r.html")
        assert result.status == 0 and f"--step {step} is not used" in result.stderr and why in result.stderr, result
    fails(2, "expected one of auto, year, quarter, month, day", "report", tmp_path / "d.ezm", "--step", "week", "-o",
          tmp_path / "x.html")

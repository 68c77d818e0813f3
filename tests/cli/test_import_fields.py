"""ezlda import --text-field: the text of a table or of JSON Lines from several fields."""
import json

RECORDS = [{"Title": "river boats", "Abstract": "choir opera", "year": 1990}, {"Title": "garden wall", "year": 1991},
           {"Abstract": "lamp", "Title": "", "year": 1992}]


def facts(ezlda, *arguments):
    result = ezlda("info", *arguments, "--stopwords", "none", "--json")
    assert result.status == 0, result
    return json.loads(result.stdout), result.stderr


def test_fields_are_joined(ezlda, fails, tmp_path):
    records = tmp_path / "r.jsonl"
    records.write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    one, _ = facts(ezlda, records, "--text-field", "Title")
    both, notes = facts(ezlda, records, "--text-field", "Title,Abstract")
    assert (one["tokens"], both["tokens"], both["documents"]) == (4, 7, 3)
    assert 'r.jsonl: 1 of 3 records have no field "Abstract"' in notes
    fails(1, 'no record has a field "Summary"', "info", records, "--text-field", "Title,Summary", "-q")
    table = tmp_path / "t.csv"
    rows = [f"{record.get('Title', '')},{record['year']},{record.get('Abstract', '')}\n" for record in RECORDS]
    table.write_text("Title,year,Abstract\n" + "".join(rows))
    assert facts(ezlda, table, "--text-field", "Title,Abstract")[0]["hash"] == both["hash"]
    fails(1, ['t.csv:1: no column "Summary"', "Title, year, Abstract"], "info", table, "--text-field", "Title,Summary",
          "-q")


def test_a_name_with_a_comma(ezlda, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text('a,"a,b",b\nred,green,blue\n')
    assert facts(ezlda, table, "--text-field", "a,b")[0]["tokens"] == 1
    assert facts(ezlda, table, "--text-field", "b,a")[0]["tokens"] == 2


def test_names_and_labels_may_be_asked_for(ezlda, fails, tmp_path):
    """Name and label are stored even if --keep-fields does not list them."""
    table, lines = tmp_path / "t.csv", tmp_path / "t.jsonl"
    table.write_text("name,label,date,text\nx,sea,1990,red ship\n")
    lines.write_text('{"name": "x", "label": "sea", "date": "1990", "text": "red ship"}\n')
    plain, _ = facts(ezlda, table, "--keep-fields", "date")
    for source in (table, lines):
        for fields in ("label,date", "name,date", "date,label,name"):
            assert facts(ezlda, source, "--keep-fields", fields)[0]["hash"] == plain["hash"]
        given = facts(ezlda, source, "--keep-fields", "label,name,date", "--name-field", "name", "--label-field", "label")
        assert given[0]["hash"] == plain["hash"]
        fails(2, 'the labels of its documents as "label"', "info", source, "--keep-fields", "label", "--label-field", "date")
        fails(2, 'the names of its documents as "name"', "info", source, "--keep-fields", "name", "--name-field", "date")
    table.write_text("id,name,text\n1,x,red ship\n")
    lines.write_text('{"id": 1, "name": "x", "text": "red ship"}\n')
    for source in (table, lines):
        fails(2, "use that column for them (name field)", "info", source, "--keep-fields", "name", "-q")
        fails(1, '"label"', "info", source, "--keep-fields", "label", "-q")


def test_columns_of_one_name(ezlda, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("text,id,x,text,id,year,year,text,x\nred ship,1,a,blue,2,1990,1991,green,b\n")
    corpus, notes = facts(ezlda, table, "--keep-fields", "year,text")
    assert corpus["tokens"] == 2
    assert notes.count('t.csv:1: 3 columns are called "text"; the first of them, column 1, is used\n') == 1
    assert notes.count('t.csv:1: 2 columns are called "id"; the first of them, column 2, is used\n') == 1
    assert notes.count('t.csv:1: 2 columns are called "year"; the first of them, column 6, is used\n') == 1
    assert '"x"' not in notes

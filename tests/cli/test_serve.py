"""ezlda serve: queries against documents that are searched here in Python, and what the service refuses."""
import contextlib
import csv
import io
import json
import random
import re
import signal
import subprocess
import urllib.parse
from pathlib import Path

import pytest
from test_report_serve import Service as ReportService

WORDS = "river boat water ship harbour court judge law trial jury iron coal steel forge mine".split()
PLACES = ["Oslo", "New York", "St. John's", "", 'The "Hague"']


class Service(ReportService):
    """serve instead of report --serve, with a token in every path."""

    def __init__(self, binary, *arguments, token="desk"):
        self.process = subprocess.Popen([binary, "serve", *map(str, arguments), "--port", "0", "-q", "--token", token],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        line = self.process.stdout.readline()
        found = re.fullmatch(rf"http://127\.0\.0\.1:(\d+)/{token}/ \(Ctrl-C ends\)\n", line)
        assert found, line + self.process.stderr.read()
        self.port, self.token = int(found[1]), token

    def ask(self, what, **values):
        return self.json(f"/{self.token}/api/{what}?{urllib.parse.urlencode(values)}")

    def find(self, query, **values):
        status, answer = self.ask("export", query=query, format="json", **values)
        assert status == 200, answer
        return [document["number"] for document in answer["documents"]]


def records():
    draw = random.Random(3)
    for i in range(500):
        text = " ".join(draw.choice(WORDS[i % 3 * 5:i % 3 * 5 + 5] if draw.random() < 0.8 else WORDS) for _ in range(draw.randrange(0, 12)))
        yield {"id": f"case {i}", "text": text.capitalize() + ".", "year": str(1950 + draw.randrange(60)),
               "day": f"{1990 + i % 20}-{1 + i % 12:02}-{1 + i % 28:02}", "place": PLACES[i % 5], "size": str(round(draw.uniform(-9, 99), 2))}


@pytest.fixture(scope="module")
def made(ezlda, tmp_path_factory):
    folder = tmp_path_factory.mktemp("serve")
    with open(folder / "cases.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records())
    for line in (["import", folder / "cases.jsonl", "--keep-fields", "year,day,place,size", "--stopwords", "none", "--min-docs", 1,
                  "--max-docs-share", 1, "-o", folder / "cases.ezc"],
                 ["train", folder / "cases.ezc", "-k", 3, "-i", 40, "-q", "-o", folder / "cases.ezm"]):
        assert ezlda(*line).status == 0
    return folder


@pytest.fixture(scope="module")
def service(binary, made):
    with contextlib.closing(Service(binary, made / "cases.ezm", made / "cases.ezc")) as running:
        yield running


@pytest.fixture(scope="module")
def cases():
    return [dict(record, words=re.findall(r"\w+", record["text"].lower())) for record in records()]


def has(word):
    return lambda case: word in case["words"]


def phrase(*words):
    return lambda case: any(tuple(case["words"][i:i + len(words)]) == words for i in range(len(case["words"])))


QUERIES = {
    "": lambda case: True,
    "river": has("river"),
    "RIVER, boat": lambda case: {"river", "boat"} <= set(case["words"]),
    "river AND -boat": lambda case: "river" in case["words"] and "boat" not in case["words"],
    "river OR court law": lambda case: "river" in case["words"] or {"court", "law"} <= set(case["words"]),
    "(river OR court) NOT iron": lambda case: {"river", "court"} & set(case["words"]) and "iron" not in case["words"],
    "-(river OR -water)": lambda case: "river" not in case["words"] and "water" in case["words"],
    '"river boat"': phrase("river", "boat"),
    '"boat boat boat"': phrase("boat", "boat", "boat"),
    '-"court law" law': lambda case: "law" in case["words"] and not phrase("court", "law")(case),
    "s*": lambda case: any(word.startswith("s") for word in case["words"]),
    "ju* -jury": lambda case: "judge" in case["words"] and "jury" not in case["words"],
    "zebra": lambda case: False,
    "zebra river": has("river"),
    "zebra OR river": has("river"),
    "-zebra river": has("river"),
    "year:1975": lambda case: case["year"] == "1975",
    "year:1960..1975": lambda case: "1960" <= case["year"] <= "1975",
    "year:1990..": lambda case: case["year"] >= "1990",
    "year:..1955": lambda case: case["year"] <= "1955",
    "day:1999": lambda case: case["day"].startswith("1999"),
    "day:1999-03..1999-07-15": lambda case: "1999-03" <= case["day"] <= "1999-07-15",
    "size:-1.5..20": lambda case: -1.5 <= float(case["size"]) <= 20,
    "place:york": lambda case: case["place"] == "New York",
    'place:="New York"': lambda case: case["place"] == "New York",
    "place:=york": lambda case: False,
    'place:"st. john"': lambda case: case["place"] == "St. John's",
    'place:=""': lambda case: case["place"] == "",
    "PLACE:oslo river year:..1990": lambda case: case["place"] == "Oslo" and "river" in case["words"] and case["year"] <= "1990",
}


@pytest.mark.parametrize("query", QUERIES)
def test_queries(service, cases, query):
    expected = [i for i, case in enumerate(cases) if QUERIES[query](case)]
    assert service.find(query, sort="number") == expected
    assert service.ask("find", query=query)[1]["total"] == len(expected)


def test_topics(service):
    shares = {}
    for document in service.ask("export", query="", format="json")[1]["documents"]:
        shares[document["number"]] = (document["tokens"], dict(map(tuple, document["mix"])))
    some = service.find("topic:1>0.6", sort="topic:1")
    assert some and service.find("topic:1<0.6", sort="number") == sorted(set(shares) - set(some))
    assert set(service.find("topic:1>=30%")) > set(some)
    assert service.find("topic:1") == service.find("topic:1>10%")
    assert min(shares[number][1][1] for number in some if shares[number][0] > 8) > 0.5


def test_order(service, cases):
    by_size = sorted(range(500), key=lambda i: (float(cases[i]["size"]), i))
    assert service.find("", sort="size") == by_size
    assert service.find("river", sort="-year") == sorted((i for i in range(500) if "river" in cases[i]["words"]),
                                                       key=lambda i: (-int(cases[i]["year"]), i))
    best = service.find("river boat", sort="best")
    parts = [service.ask("find", query="river boat", **{"from": first})[1]["documents"] for first in range(0, len(best), 20)]
    assert [document["number"] for part in parts for document in part] == best
    rate = [sum(case["words"].count(word) for word in ("river", "boat")) / len(case["words"]) for case in (cases[i] for i in best)]
    assert sum(rate[:10]) > sum(rate[-10:])


def test_facets_and_snippets(service, cases):
    found = service.ask("find", query="river place:oslo")[1]
    facets = {facet["name"]: facet for facet in found["facets"]}
    assert set(facets) == {"year", "day", "place", "size"} and facets["place"]["values"] == [
        {"text": "Oslo", "query": 'place:="Oslo"', "docs": found["total"]}]
    assert sum(value["docs"] for value in facets["size"]["values"]) == found["total"]
    for facet in facets.values():
        for value in facet["values"]:
            assert service.ask("find", query=f"river place:oslo {value['query']}")[1]["total"] == value["docs"], value
    assert abs(sum(share for _, share in found["topics"]) - 1) < 1e-6
    for document in found["documents"]:
        text = "".join(document["snippet"])
        assert text == cases[document["number"]]["text"][:240]
        assert {piece.lower() for piece in document["snippet"][1::2]} == {"river"}


def test_snippets_are_cut_at_spaces(ezlda, binary, tmp_path):
    """Dots stand for what is left of a text before and after them; a text without spaces is cut between characters."""
    long = " ".join(f"{'plain' * (1 + i % 3)} reef" if i != 60 else "needle" for i in range(120))
    texts = [long, "needle reef plain", "reef " + "\u00e4" * 300 + " needle" + "\u00e4" * 300]
    (tmp_path / "t.txt").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    for line in (["import", tmp_path / "t.txt", "--stopwords", "none", "--min-docs", 1, "--max-docs-share", 1, "-o", tmp_path / "t.ezc"],
                 ["train", tmp_path / "t.ezc", "-k", 2, "-i", 5, "-q", "-o", tmp_path / "t.ezm"]):
        assert ezlda(*line).status == 0
    with contextlib.closing(Service(binary, tmp_path / "t.ezm", tmp_path / "t.ezc")) as running:
        for query in ("needle", "reef"):
            found = {document["number"]: "".join(document["snippet"]) for document in running.ask("find", query=query)[1]["documents"]}
            inner = found[0].removeprefix("\u2026").removesuffix(" \u2026")
            assert found[0].endswith(" \u2026") and found[0].startswith("\u2026") == (query == "needle") and len(inner) > 150
            assert f" {inner.strip()} " in f" {long} "
            assert found.get(1, texts[1]) == texts[1]
            if query == "reef":
                assert found[2].startswith("reef \u00e4") and found[2].endswith("\u00e4 \u2026")


def test_a_table(service, cases):
    table = service.ask("cross", query="river", rows="day", columns="place", step="year", topic=0)[1]
    river = [case for case in cases if "river" in case["words"] and case["place"]]
    assert [row["text"] for row in table["rows"]] == sorted({case["day"][:4] for case in river})
    places = [column["text"] for column in table["columns"]]
    assert set(places) == set(PLACES) - {""}
    for row in table["rows"]:
        for place, (docs, tokens, own) in zip(places, row["cells"]):
            here = [case for case in river if case["place"] == place and case["day"].startswith(row["text"])]
            assert docs == len(here) and tokens == sum(len(case["words"]) for case in here) and own <= tokens
    assert service.ask("cross", query="", rows="nothing")[0] == 400
    assert service.ask("cross", query="", rows="day", topic=3)[0] == 400


def test_a_comparison(service, cases):
    both = service.ask("compare", a="river", b="court")[1]
    assert both["a"]["total"] == sum("river" in case["words"] for case in cases) == both["a"]["counted"]
    assert both["words_a"][0][0] == "river" and both["words_b"][0][0] == "court"
    assert both["words_a"][0][1] == sum(case["words"].count("river") for case in cases)


def test_csv(service, cases):
    status, body, headers = service.get("/desk/api/export?format=csv&sort=number&query=river")
    rows = list(csv.reader(io.StringIO(body.decode())))
    assert status == 200 and headers["Content-Type"] == "text/csv; charset=utf-8"
    assert rows[0][:7] == ["number", "name", "year", "day", "place", "size", "tokens"]
    expected = [(i, case) for i, case in enumerate(cases) if "river" in case["words"]]
    assert [row[:7] for row in rows[1:]] == [
        [str(i), case["id"], case["year"], case["day"], case["place"], case["size"], str(len(case["words"]))] for i, case in expected]
    assert service.get("/desk/api/export?format=xml&query=")[0] == 400


@pytest.mark.parametrize("query, says", [
    ("(river", "at character 7: expected ')', found the end"), ("river)", "at character 6: expected the end of the query"),
    ('"river', "expected a closing \""), ("topic:9", "at character 7: expected a topic from 0 to 2, found '9'"),
    ("topic:1>2", "expected a share from 1% to 100%"), ("topic:1x", "expected '>' or '<' and a share"), ("OR", "expected a word"),
    ("river OR", "expected a word"), ("year:", "expected a value after ':'"), ("size:a..b", "expected numbers"),
    ("colour:red", "expected topic, name, year, day, place, size"), ("(" * 40, "expected fewer brackets"), ("a " * 200, "shorter query"),
    ("é (", "at character 4: expected a word")])
def test_wrong_queries(service, query, says):
    status, answer = service.ask("find", query=query)
    assert status == 400 and says in answer["error"], answer
    assert service.ask("compare", a="river", b=query)[0] == 400


def test_other_wrong_requests(service):
    for address in ("find", "find?query=%FF", "find?query=%00", "find?query=a&sort=colour", "find?query=a&from=-1", "find?query=a&sort=topic:3",
                    "find?query=a&from=100001", "export?query=a", "cross?query=a", "compare?a=a"):
        assert service.get(f"/desk/api/{address}")[0] == 400, address
    assert service.get("/desk/api/find?query=a", method="POST")[0] == 405
    assert service.get("/desk/api/find?query=a", headers={"Host": "evil.example"})[0] == 403


def test_an_export_has_its_own_format(service):
    for wrong in ("query=a", "query=a&format=j%zz"):
        assert service.ask("export", query="a", format="json")[0] == 200
        assert service.get(f"/desk/api/export?{wrong}")[0] == 400, wrong  # not that of the request before


def test_nothing_is_outside_the_token(service):
    for path in ("/", "/api/find?query=", "/risk/", "/risk/api/find?query=", "/desk", "/des/api/find?query=", "/deskk/api/find?query=", "/desk//api/find?query=",
                 "//desk/api/find?query=", "/desk/../desk/"):
        assert service.get(path)[0] == 404, path
    assert service.get("/desk/")[0] == 200 and b'"search":true' in service.get("/desk/")[1]


def test_the_index_is_kept_and_made_again_when_it_is_stale(ezlda, binary, made, tmp_path):
    corpus, model, index = tmp_path / "a.ezc", tmp_path / "a.ezm", tmp_path / "a.ezi"
    corpus.write_bytes((made / "cases.ezc").read_bytes())
    model.write_bytes((made / "cases.ezm").read_bytes())

    def found(*more):
        with contextlib.closing(Service(binary, model, corpus, *more, token="x")) as service:
            return service.find("river topic:0")

    first = found()
    content, time = index.read_bytes(), index.stat().st_mtime_ns
    assert found("--threads", 3) == first and index.stat().st_mtime_ns == time
    index.unlink()
    assert found("--threads", 2) == first and index.read_bytes() == content
    ezlda("train", corpus, "-k", 3, "-i", 5, "--seed", 9, "-q", "-o", model)
    found()
    assert index.read_bytes() != content
    assert found("--index", "none") and found("--index", tmp_path / "other.ezi") and (tmp_path / "other.ezi").exists()


@pytest.mark.parametrize("kept", ["--keep-text", "--keep-order"])
def test_other_orders_of_the_same_words_make_the_index_stale(ezlda, binary, tmp_path, kept):
    def found(text):
        (tmp_path / "a.txt").write_text((text + "\n") * 8)
        assert ezlda("import", tmp_path / "a.txt", "--unit", "lines", "--stopwords", "none", kept, "-o", tmp_path / "a.ezc").status == 0
        assert ezlda("train", tmp_path / "a.ezc", "-k", 2, "-i", 5, "-q", "-o", tmp_path / "a.ezm").status == 0
        with contextlib.closing(Service(binary, tmp_path / "a.ezm", tmp_path / "a.ezc")) as service:
            return len(service.find('"river boat"'))

    assert found("river boat law") == 8 and found("boat river law") == 0


def test_a_damaged_index_is_refused(ezlda, made, fails, tmp_path):
    content = bytearray((made / "cases.ezi").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "bad.ezi").write_bytes(content)
    fails(1, "bad.ezi", "serve", made / "cases.ezm", made / "cases.ezc", "--index", tmp_path / "bad.ezi", "-q", "--port", 0)
    (tmp_path / "bad.ezi").write_bytes((made / "cases.ezc").read_bytes())
    fails(1, "expected an index (.ezi), found a corpus file (.ezc)", "serve", made / "cases.ezm", made / "cases.ezc", "--index",
          tmp_path / "bad.ezi", "-q", "--port", 0)
    fails(2, "token: expected 1 to 64 letters", "serve", made / "cases.ezm", made / "cases.ezc", "--token", "a/b", "-q")


def test_bags_have_no_phrases(ezlda, binary, tmp_path):
    (tmp_path / "docword.txt").write_text("3\n2\n4\n1 1 2\n1 2 1\n2 1 1\n3 2 5\n")
    (tmp_path / "vocab.txt").write_text("river\nboat\n")
    assert ezlda("train", tmp_path / "docword.txt", "-k", 2, "-i", 5, "-q", "-o", tmp_path / "a.ezm").status == 0
    with contextlib.closing(Service(binary, tmp_path / "a.ezm", tmp_path / "docword.txt")) as service:
        assert service.find("river") == [0, 1] and service.find("river boat") == [0]
        status, answer = service.ask("find", query='"river boat"')
        assert status == 400 and "neither text nor order" in answer["error"]
    assert not list(Path(tmp_path).glob("*.ezi"))


def test_a_random_token(binary, made):
    tokens = set()
    for _ in range(2):
        process = subprocess.Popen([binary, "serve", made / "cases.ezm", made / "cases.ezc", "--port", "0", "-q"], stdout=subprocess.PIPE, text=True)
        tokens.add(re.search(r"/([0-9a-f]{32})/ ", process.stdout.readline())[1])
        process.kill()
        process.communicate()
    assert len(tokens) == 2


def test_names_of_fields_with_spaces_and_colons(ezlda, binary, tmp_path):
    names = ["date of publication", "dc:date", 'the "big" (one)', "date"]
    with open(tmp_path / "odd.jsonl", "w", encoding="utf-8") as file:
        for i in range(60):
            file.write(json.dumps({"text": "river boat", **{name: f"v{i % (3 + n)}" for n, name in enumerate(names)}}) + "\n")
    assert ezlda("import", tmp_path / "odd.jsonl", "--keep-fields", ",".join(names), "--stopwords", "none", "-o", tmp_path / "odd.ezc").status == 0
    assert ezlda("train", tmp_path / "odd.ezc", "-k", 2, "-i", 5, "-q", "-o", tmp_path / "odd.ezm").status == 0
    with contextlib.closing(Service(binary, tmp_path / "odd.ezm", tmp_path / "odd.ezc")) as service:
        facets = service.ask("find", query="")[1]["facets"]
        assert [facet["name"] for facet in facets] == names
        for facet in facets:
            for value in facet["values"]:
                assert service.ask("find", query=f"river {value['query']} boat")[1].get("total") == value["docs"], value
        assert service.find("Date of Publication:v1 (-dc:date:v0)") == [i for i in range(60) if i % 3 == 1 and i % 4]


def test_spans_of_long_numbers(ezlda, binary, tmp_path):
    with open(tmp_path / "long.jsonl", "w", encoding="utf-8") as file:
        for i in range(100):
            file.write(json.dumps({"text": "river boat", "size": f"{(i - 50) * 1.1e-5:.{25 if i % 2 else 16}e}"}) + "\n")
    assert ezlda("import", tmp_path / "long.jsonl", "--keep-fields", "size", "--stopwords", "none", "-o", tmp_path / "long.ezc").status == 0
    assert ezlda("train", tmp_path / "long.ezc", "-k", 2, "-i", 5, "-q", "-o", tmp_path / "long.ezm").status == 0
    with contextlib.closing(Service(binary, tmp_path / "long.ezm", tmp_path / "long.ezc")) as service:
        [facet] = service.ask("find", query="")[1]["facets"]
        assert sum(value["docs"] for value in facet["values"]) == 100
        for value in facet["values"]:
            assert service.ask("find", query=value["query"])[1].get("total") == value["docs"], value

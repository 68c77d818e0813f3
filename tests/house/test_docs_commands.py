"""The command accepts the command lines in the documentation, and files that pages name exist."""
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(p for room in ("docs", "bench", "tests") for p in (ROOT / room).rglob("*.md"))])
NAMES = {"ezlda", "build/ezlda"}
LAUNCHERS = {"mpirun", "mpiexec", "srun", "time", "compute-sanitizer"}
WRITERS = {"import", "update", "sweep", "infer", "export", "synth"}  # need an output


@pytest.fixture(scope="module")
def commands(build):
    """For each command its options, each with whether it has a value and, if they are listed, which values."""
    page = subprocess.run([str(build / "ezlda"), "help", "--markdown"], check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    found = {}
    headings = {}  # the options of a heading, by command and heading
    for section in re.split(r"^## ezlda ", page, flags=re.M)[1:]:
        command = section.split()[0]
        options = found.setdefault(command, {})
        for heading, table in re.findall(r"^(\w.*):\n\n((?:\|.*\n)+)", section, flags=re.M):
            headings[command, heading] = options_of_table(table)
            options.update(headings[command, heading])
        for title, heading, other in re.findall(r'^(\w.*): see (?:"(.+)" of )?\[(\w+)\]\(#ezlda-\3\)\.$', section, flags=re.M):
            options.update(headings[other, heading or title])
    assert {"train", "infer", "report"} <= set(found)
    assert "--stopwords" in found["infer"] and "--max-vocab" in found["train"], "options that are listed with import"
    return found


def options_of_table(table):
    """The options of a table of the page, each with whether it takes a value and which values are listed."""
    options = {}
    for spelling, meaning in re.findall(r"^\| (--?[a-z].*?) \| (.*) \|$", table, flags=re.M):
        words = spelling.replace(",", " ").split()
        names = [w for w in words if w.startswith("-")]
        choices = re.search(r"one of ([\w:,. -]+?)(?: \[|$)", meaning)
        values = set(choices[1].split(", ")) if choices and words[-1] == words[-1].upper() else None
        options.update(dict.fromkeys(names, (len(words) > len(names), values)))
    return options


def blocks(text):
    """Lines of code: fenced (except in other languages), or indented by four spaces."""
    language = None
    for line in text.splitlines():
        if line.startswith("```"):
            language = line[3:].strip() if language is None else None
        elif language in ("", "sh", "console", "text") or (language is None and line.startswith("    ")):
            yield line.strip()


def spans(text):
    """Code inside running text, also over two lines."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return [" ".join(span.split()) for span in re.findall(r"(?<!`)`([^`\n]+(?:\n[^`\n]+)?)`(?!`)", text)]


def calls(line):
    """The arguments of every ezlda that a line starts."""
    try:
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>()")
        lexer.whitespace_split, lexer.commenters = True, "#"
        words = list(lexer)
    except ValueError:
        return
    part = []
    for word in [*words, ";"]:
        if not set(word) <= set("|&;<>()"):
            part.append(word)
            continue
        yield from without_launcher(part)
        part = []


def without_launcher(part):
    """The words after ezlda, if that is what these words start."""
    while part and (part[0] == "$" or re.match(r"\w+=", part[0])):
        part = part[1:]
    if part and part[0] in LAUNCHERS:
        part = part[next((i for i, word in enumerate(part) if word in NAMES), len(part)):]
    if len(part) > 1 and part[0] in NAMES:
        yield part[1:]


def faults(words, commands):
    name, *rest = words
    if name == "--version":
        return
    if name not in commands:
        yield f"there is no command '{name}'"
        return
    inputs, options, rest = [], [], iter(rest)
    for word in rest:
        if not word.startswith("-") or word == "-" or re.fullmatch(r"-\d.*", word):
            inputs.append(word)
            continue
        options.append(word)
        if word not in commands[name]:
            yield f"'{name}' has no option {word}"
            continue
        takes, values = commands[name][word]
        value = next(rest, None) if takes else None
        if takes and value is None:
            yield f"{word} lacks its value"
        elif values and value != value.upper() and value not in values and not value.startswith("cuda"):
            yield f"{word} is one of {sorted(values)}, not {value}"
    if name in WRITERS and options and set(inputs) - {"VALUE"} and not {"-o", "--output"} & set(options):
        yield f"'{name}' lacks -o"


def test_command_lines_are_accepted(commands):
    wrong, seen = [], 0
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        named = [f"{span} VALUE" for span in spans(text)
                 if re.match(r"(build/)?ezlda [a-z]", span) or span.split()[0] in LAUNCHERS]
        for line in [*blocks(text), *named]:
            if "[" in line.split("#")[0]:  # a synopsis
                continue
            for words in calls(line):
                seen += 1
                wrong += [f"{page.relative_to(ROOT)}: {line}: {fault}" for fault in faults(words, commands)]
    assert wrong == []
    assert seen > 100


@pytest.mark.parametrize("line, fault", [
    ("ezlda trian a.txt -k 5", "no command 'trian'"),
    ("$ zcat a.gz | build/ezlda train - --topcs 5", "no option --topcs"),
    ("mpirun -n 4 ezlda train a.ezc -k 5 --sampler four-branch", "--sampler is one of"),
    ("ezlda topics a.ezm --words", "lacks its value"),
    ("ezlda update a.ezm a.ezc --decay 0.5", "'update' lacks -o"),
    ("mpiexec -n 2 ezlda sweep a.ezc -k 5", "'sweep' lacks -o"),
])
def test_a_wrong_line_is_seen(commands, line, fault):
    assert any(fault in f for words in calls(line) for f in faults(words, commands))


def test_files_that_pages_name_exist():
    kinds = "c|h|cu|cuh|py|sh|md|svg"
    missing = []
    for page in PAGES:
        for span in spans(page.read_text(encoding="utf-8")):
            if re.fullmatch(rf"(?:[a-z]\w*/)+\w+\.(?:{kinds})", span):
                places = [ROOT / span, ROOT / "src" / span, ROOT / "src" / "backend" / span, page.parent / span]
                if not any(p.exists() for p in places):
                    missing.append(f"{page.relative_to(ROOT)}: {span}")
    assert missing == []


def test_programs_that_pages_start_can_be_started():
    started = {match[1] for page in PAGES for line in blocks(page.read_text(encoding="utf-8"))
               if (match := re.match(r"((?:bench|scripts|tests)/[\w./]+)(?: |$)", line))}
    programs = {name for name in started if (ROOT / name).is_file() and not name.endswith((".c", ".h"))}
    assert {"bench/run", "bench/python_speed.py"} <= programs
    assert [name for name in sorted(programs) if not os.access(ROOT / name, os.X_OK)] == []


def test_pictures_are_legible_on_dark_pages():
    """A picture brings its own page, in both schemes."""
    for picture in (ROOT / "docs").rglob("*.svg"):
        text = picture.read_text(encoding="utf-8")
        if "prefers-color-scheme" not in text:
            assert re.search(r"<rect[^>]*fill|background|fill: ?(?:#fff|white)", text), picture.name
        assert "<title" in text or "<metadata" in text or "aria-label" in text, f"{picture.name}: no title"

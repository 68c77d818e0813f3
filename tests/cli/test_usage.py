"""Misuse of the command line: one line that names the option, the value and what was expected; status 2."""
import pytest


@pytest.mark.parametrize("arguments, words", [
    (["trian"], "did you mean 'train'?"),
    (["--topics"], "unknown option '--topics'"),
    (["train"], "no corpus given"),
    (["train", "c", "--seeds", "s"], "-k/--topics K is required with --seeds"),
    (["train", "c", "--alpha", "0.1"], "-k/--topics K is required with --alpha"),
    (["plan", "c"], "-k/--topics K is required"),
    (["import", "c"], "-o/--output FILE is required"),
    (["synth"], "-o/--output FILE is required"),
    (["topics"], "no model given"),
    (["topics", "a", "b"], "unexpected argument 'b'"),
    (["version", "x"], "unexpected argument 'x'"),
    (["help", "trains"], "no command 'trains'"),
    (["train", "c", "--topcs", "5"], "unknown option --topcs, did you mean --topics?"),
    (["train", "c", "--iter", "5"], "did you mean --iterations?"),
    (["train", "c", "--num-topics", "5"], "did you mean --topics?"),
    (["train", "c", "--zzzzzzzz"], "unknown option --zzzzzzzz (see"),
    (["train", "c", "-qZ"], "unknown option -Z"),
    (["train", "c", "-k"], "-k/--topics needs a value (K)"),
    (["train", "c", "--summary"], "--summary needs a value (FILE)"),
    (["train", "c", "--quiet=yes"], "--quiet takes no value, found 'yes'"),
    (["topics", "m", "--tsv", "--json"], "exclude each other"),
    (["docs", "m", "--topic", "1", "--doc", "x"], "exclude each other"),
    (["topics", "m", "--by", "lift", "--lambda", "0.5"], "--lambda is for --by relevance"),
    (["help", "--completion", "tcsh"], "expected one of bash, zsh, fish, found 'tcsh'"),
])
def test_misuse(fails, arguments, words):
    fails(2, [words, "(see 'ezlda help"], *arguments)


@pytest.mark.parametrize("value", ["0", "1", "65537", "12x", "-3", "", " 5", "nan", "1e3", "0x10", "9" * 24])
def test_topics_must_be_a_whole_number_in_range(fails, corpus, tmp_path, value):
    words = ["-k/--topics", "a whole number from 2 to 65536", f"'{value}'"]
    fails(2, words, "train", corpus, "-k", value, "-o", tmp_path / "m.ezm")


@pytest.mark.parametrize("option, value, expected", [
    ("--iterations", "0", "a whole number from 1 to 4294967294"),
    ("--iterations", "4294967296", "a whole number from 1 to 4294967294"),
    ("--seed", "18446744073709551616", "a whole number from 0 to 18446744073709551615"),
    ("--beta", "0", "a number above 0"),
    ("--beta", "-0.1", "a number above 0"),
    ("--beta", "inf", "a number above 0"),
    ("--beta", "nan", "a number above 0"),
    ("--beta", "1e999", "a number above 0"),
    ("--beta", "0.1.2", "a number above 0"),
    ("--alpha", "0", "a number above 0"),
    ("--alpha", "nan", "a number above 0"),
    ("--alpha", "sum:-1", "a number above 0"),
    ("--alpha", "no-such-file", "sum:NUMBER or a file"),
    ("-g", "9", "a whole number from 1 to 8"),
    ("--threads", "0", "a whole number from 1 to 4096"),
    ("--max-docs-share", "1.5", "a number above 0 and up to 1"),
    ("--sampler", "many", "one of many-branch, three-branch, two-branch"),
    ("--estimator", "gibbs", "one of leave-one-out, esca"),
    ("--w-format", "csr", "one of hybrid, dense, sparse"),
    ("--format", "docx", "one of ezc, uci, mm"),
])
def test_values_are_checked_strictly(fails, corpus, tmp_path, option, value, expected):
    found = value.split(":")[-1]
    fails(2, [option, expected, f"'{found}'"], "train", corpus, "-k", 5, "-o", tmp_path / "m.ezm", option, value)


def test_a_misuse_is_reported_before_anything_is_read(fails, tmp_path):
    fails(2, "--topics", "train", tmp_path / "missing.ezc", "-k", "0", "-o", tmp_path / "m.ezm")


def test_forms_of_options(ezlda, corpus, tmp_path):
    forms = [["-k5", "-i3", "-q"], ["-k", "5", "-i", "3", "-q"], ["--topics=5", "--iterations=3", "--quiet"],
             ["--topics", "5", "-qi3"]]
    for form in forms:
        result = ezlda("train", *form, "-o", tmp_path / "m.ezm", "--", corpus)
        assert result == ("", "", 0)


def test_messages_cannot_play_with_the_terminal(fails, tmp_path):
    result = fails(2, "\\x1b[2J\\n", "train", "x", "-k", "\x1b[2J\n")
    assert "\x1b" not in result.stderr


def test_topic_lists(fails, ezlda, model):
    for bad in ("4", "x", "1,", "2-1", "-1", "1-9", ""):
        fails(2, ["--topic", "numbers from 0 to 3", f"'{bad}'"], "topics", model, "--topic", bad)
    for bad in ("4", "x", "", "1,2"):
        fails(2, ["--topic", "a number from 0 to 3"], "docs", model, "--topic", bad)
    lines = ezlda("topics", model, "--topic", "0,2-3", "-n", 1, "--tsv").stdout.splitlines()[1:]
    assert [line.split("\t")[0] for line in lines] == ["0", "2", "3"]

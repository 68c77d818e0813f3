"""Pages made from the tables: help, man page, Markdown, completion."""
import os
import pty
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
COMMANDS = ["import", "train", "update", "edit", "label", "tree", "ensemble", "sweep", "plan", "infer", "eval",
            "effect", "trend", "topics", "docs", "report", "serve", "diff", "export", "synth", "info", "devices", "bench", "help", "version"]


def options_of(ezlda, command):
    """Long options in the order of the help."""
    result = ezlda(command, "--help-all")
    text = (result if result.status == 0 else ezlda(command, "--help")).stdout
    return re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", text, re.M)


def test_overview_lists_all_commands(ezlda):
    text = ezlda("help").stdout
    assert re.findall(r"^  (\w+)  +\S", text, re.M)[: len(COMMANDS)] == COMMANDS
    for alias in ("--help", "-h"):
        assert ezlda(alias).stdout == text


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(ezlda, command):
    result = ezlda("help", command)
    assert result.status == 0 and not result.stderr
    assert re.match(f"usage: ezlda {command}[ \n]", result.stdout)
    assert result.stdout == ezlda(command, "--help").stdout == ezlda(command, "-h").stdout
    assert "--help" in options_of(ezlda, command)
    assert all(len(line) <= 80 for line in result.stdout.split("Examples:")[0].splitlines())


def test_options_that_users_were_promised(ezlda):
    train = options_of(ezlda, "train")
    for option in """topics output iterations seed alpha beta vocab estimator start device threads sampler g w-format
                     eval-every keep-topics quiet log summary format""".split():
        assert f"--{option}" in train
    imported = options_of(ezlda, "import")
    assert set(imported) - {"--model", "--like", "--keep-order", "--keep-text", "--no-keep-text"} <= set(train), "train reads raw corpora with the options of import"
    for option in "docs words length topics seed sigma alpha beta zipf output".split():
        assert f"--{option}" in options_of(ezlda, "synth")


def test_defaults_are_shown(ezlda):
    text = ezlda("help", "train", "--all").stdout
    assert re.search(r"--seed-weight W +[^\[]*\[0\.2\]", text)
    assert "[leave-one-out]" in text.replace("\n", " ")


def headings_of(text):
    """The long options under each heading of a help."""
    found, heading = {}, None
    for line in text.splitlines():
        if re.fullmatch(r"\S.*:", line):
            heading = found.setdefault(line[:-1], [])
        elif heading is not None:
            heading += re.findall(r"^ +(?:-\w, )?--([a-z-]+)", line)
    return found


def test_options_that_decide_the_model_are_under_model(ezlda):
    headings = headings_of(ezlda("train", "--help-all").stdout)
    assert set("""topics iterations seed alpha beta estimator start until-converged word-samples
                  optimize-interval optimize-burn-in symmetric-alpha fixed-priors seeds seed-weight init""".split()) == set(headings["Model"])
    assert headings["Output"] == ["output", "report", "keep-topics", "samples"]
    study = next(options for heading, options in headings.items() if heading.startswith("For study"))
    assert set(study) == {"sampler", "g", "w-format", "balance", "region", "records"}


def test_pages_list_the_options_of_reading_corpora_once(ezlda):
    markdown, man = ezlda("help", "--markdown").stdout, ezlda("help", "--man").stdout
    for option in options_of(ezlda, "import")[3:-4]:
        argument = "WAY" if option == "--tokens" else ""  # plan and bench have numbers of tokens
        assert len(re.findall(rf"^\| (?:-\w, )?{option} ?{argument}[ |]", markdown, re.M)) == 1, option
    assert markdown.count("--stopwords LANGUAGES") == man.count("\\-\\-stopwords\\fR") == 1
    assert 'Reading raw corpora: see "Input" of [import](#ezlda-import).' in markdown
    assert 'General: see [import](#ezlda-import).' in markdown
    assert markdown.count("| --threads N | number of threads;") == 1
    assert "--stopwords" in options_of(ezlda, "train"), "the help on the terminal lists everything"


@pytest.mark.parametrize("command, option", [("train", "--stopwords"), ("import", "--text-field"), ("infer", "--top"),
                                             ("report", "--serve"), ("update", "--drift-log"), ("eval", "--measures"),
                                             ("sweep", "--topics"), ("plan", "--gpus"), ("info", "--json")])
def test_long_helps_are_short_and_name_the_rest(ezlda, command, option):
    short, full = ezlda("help", command).stdout, ezlda("help", command, "--all").stdout
    options = re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", short, re.M)
    assert 7 <= len(options) <= 24 and set(options) < set(options_of(ezlda, command))
    assert option in options and "--balance" not in options and "GPU internals" not in short
    assert len(short.splitlines()) < 100 < len(full.splitlines()) + 10
    assert short.endswith(f"All options: ezlda help {command} --all\n") and "All options" not in full
    assert full == ezlda(command, "--help-all").stdout


def test_helps_name_options_that_exist(ezlda):
    """A name in the list of a short help that no option has would be silently ignored."""
    for path in (Path(__file__).resolve().parents[2] / "cli" / "commands").glob("cmd_*.c"):
        found = re.search(r"(\w+)_first\[\] = \{(.*?)NULL\};", path.read_text(encoding="utf-8"), re.S)
        if found:
            named = {f"--{name}" for name in re.findall(r'"([a-z-]+)"', found[2])}
            assert named <= set(options_of(ezlda, found[1])), path.name


def test_no_command_is_long_without_all(ezlda):
    for command in COMMANDS:
        assert len(ezlda("help", command).stdout.splitlines()) < 100, command


def test_no_command_shows_all(ezlda):
    result = ezlda()
    assert result.status == 2 and not result.stdout and result.stderr == ezlda("help").stdout


def test_help_wins_over_the_rest_of_the_line(ezlda):
    result = ezlda("train", "--help", "--nonsense", "-k", "0")
    assert result.status == 0 and result.stdout.startswith("usage: ezlda train")


def test_version(ezlda):
    text = ezlda("version").stdout
    assert re.fullmatch(r"ezlda \d+\.\d+\.\d+\n", text)
    assert ezlda("--version").stdout == text == ezlda("-V").stdout


def test_man_page_has_every_option_and_no_warning(ezlda):
    page = ezlda("help", "--man").stdout
    for command in COMMANDS:
        assert f".SS ezlda {command}" in page
        for option in options_of(ezlda, command):
            assert option.replace("-", "\\-") in page
    text = [line for line in page.splitlines() if not line.startswith(".")]
    assert not [line for line in text if re.search(r"(?<!\\)-", line)], "a bare - is a hyphen, not a minus, in roff"
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=page.encode(), stderr=subprocess.PIPE)
        assert done.stderr == b""


def test_commands_page_of_the_docs_is_current(ezlda):
    page = ezlda("help", "--markdown").stdout
    assert (ROOT / "docs" / "commands.md").read_text() == page, "run: build/ezlda help --markdown > docs/commands.md"


def complete(script, line):
    """What bash offers after `line`."""
    words = line.split(" ")
    program = f"""{script}
COMP_WORDS=({' '.join(repr(w) for w in words)}); COMP_CWORD={len(words) - 1}; COMPREPLY=(); _ezlda
printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = subprocess.run(["bash", "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert not done.stderr
    return done.stdout.split()


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash")
def test_bash_completion(ezlda):
    script = ezlda("help", "--completion", "bash").stdout
    assert set(COMMANDS) <= set(complete(script, "ezlda "))
    assert complete(script, "ezlda tra") == ["train"]
    assert complete(script, "ezlda train --sampler") == ["--sampler"]
    assert complete(script, "ezlda train --sampler ") == ["many-branch", "three-branch", "two-branch"]
    assert complete(script, "ezlda train --sampler th") == ["three-branch"]
    assert complete(script, "ezlda train --device ") == ["auto", "cuda", "cpu", "reference"]
    assert complete(script, "ezlda train -k ") == []
    assert set(complete(script, "ezlda help ")) >= set(COMMANDS)
    for command in COMMANDS:
        assert set(options_of(ezlda, command)) <= set(complete(script, f"ezlda {command} -"))


@pytest.mark.skipif(not shutil.which("fish"), reason="no fish")
def test_fish_completion(ezlda, tmp_path):
    (tmp_path / "ezlda.fish").write_text(ezlda("help", "--completion", "fish").stdout)

    def offered(line):
        done = subprocess.run(["fish", "--no-config", "-c", f"source {tmp_path}/ezlda.fish; complete -C '{line}'"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "HOME": str(tmp_path)})
        assert not done.stderr, done.stderr
        return [row.split("\t")[0] for row in done.stdout.splitlines()]

    assert set(offered("ezlda ")) == set(COMMANDS)
    assert offered("ezlda tra") == ["train"]
    assert offered("ezlda train --sampler") == ["--sampler"]
    assert offered("ezlda train --sampler th") == ["three-branch"]
    assert set(offered("ezlda help ")) >= set(COMMANDS)
    for command in COMMANDS:
        assert set(options_of(ezlda, command)) <= set(offered(f"ezlda {command} --"))


def completed_by_zsh(folder, line):
    """The line after Tab, in an interactive zsh on a pseudo-terminal."""
    ours, theirs = pty.openpty()
    shell = subprocess.Popen(["zsh", "-f", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, start_new_session=True,
                             env={**os.environ, "HOME": str(folder), "TERM": "xterm", "PS1": "> "})
    os.close(theirs)
    show = f'show() {{ print -r -- "$BUFFER" > {folder}/line; exit }}; zle -N show; bindkey "^X" show; bindkey "^I" complete-word'
    setup = f"autoload -U compinit; compinit -u -d {folder}/dump; source {folder}/ezlda.zsh; {show}; touch {folder}/ready\n"
    os.write(ours, setup.encode())
    limit = time.monotonic() + 60
    while not (folder / "ready").exists() and time.monotonic() < limit:
        time.sleep(0.05)
    os.write(ours, line.encode() + b"\t\x18")
    try:
        while os.read(ours, 65536) and time.monotonic() < limit:
            pass
    except OSError:  # the shell has ended
        pass
    shell.kill()
    shell.wait()
    os.close(ours)
    (folder / "ready").unlink()
    return (folder / "line").read_text().strip()


@pytest.mark.skipif(not shutil.which("zsh"), reason="no zsh")
def test_zsh_completion(ezlda, tmp_path):
    (tmp_path / "ezlda.zsh").write_text(ezlda("help", "--completion", "zsh").stdout)
    assert completed_by_zsh(tmp_path, "ezlda tra") == "ezlda train"
    assert completed_by_zsh(tmp_path, "ezlda train --sampler") == "ezlda train --sampler"
    assert completed_by_zsh(tmp_path, "ezlda train --sampler th") == "ezlda train --sampler three-branch"
    assert completed_by_zsh(tmp_path, "ezlda help imp") == "ezlda help import"
    script = (tmp_path / "ezlda.zsh").read_text()
    for command in COMMANDS:
        part = script.split(f"\n    {command})\n")[1].split(";;")[0]
        assert all(f"{option}[" in part or f"{option}}}'[" in part for option in options_of(ezlda, command))

"""Where outputs go: standard output, links, one file named twice, a reader that closes the pipe."""
import subprocess

import pytest


@pytest.fixture(scope="module")
def files(ezlda, tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    assert ezlda("synth", "-o", folder / "c.ezc", "--docs", 3000, "--words", 80, "--length", 20, "-q").status == 0
    assert ezlda("train", folder / "c.ezc", "-k", 4, "-i", 5, "--device", "cpu", "-q", "-o", folder / "m.ezm").status == 0
    return folder


def shell(binary, line, folder):
    return subprocess.run(["bash", "-c", line], cwd=folder, env={"PATH": "/usr/bin:/bin", "E": binary}, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("output", ["-", "/dev/stdout", "/dev/fd/1"])
def test_rows_on_standard_output_are_all_there_is(binary, ezlda, files, tmp_path, output):
    assert ezlda("infer", files / "m.ezm", files / "c.ezc", "--device", "cpu", "-o", tmp_path / "t", "-q").status == 0
    rows = (tmp_path / "t").read_text()
    line = f"$E infer m.ezm c.ezc --device cpu -o {output}"
    piped = shell(binary, f"{line} | cat", files)
    assert piped.stdout == rows and "3,000 documents" in piped.stderr
    assert shell(binary, f"(echo head; {line} -q; echo foot) > {tmp_path}/f", files).returncode == 0
    assert (tmp_path / "f").read_text() == f"head\n{rows}foot\n"


@pytest.mark.parametrize("line", ["synth --docs 20 -o /dev/stdout", "import c.ezc -o /dev/stdout",
                                  "train c.ezc -k 3 -i 2 --device cpu -o /dev/stdout"])
def test_files_on_standard_output_are_whole(binary, ezlda, files, tmp_path, line):
    assert shell(binary, f"$E {line} > {tmp_path}/f", files).returncode == 0
    assert ezlda("info", tmp_path / "f").status == 0


def test_a_reader_that_closes_its_end_is_not_an_error(binary, files):
    done = shell(binary, "$E docs m.ezm --tsv | head -1 | cut -c1-3; $E topics m.ezm -n 80 | true", files)
    assert done.stdout == "doc\n" and done.stderr == ""


def test_a_link_to_a_folder_stays_one(ezlda, files, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for _ in range(2):
        assert ezlda("export", files / "m.ezm", "--to", "csv", "-o", tmp_path / "link", "-q").status == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "real"] and (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "topics.csv").exists()


def test_a_file_has_one_use(ezlda, fails, files, tmp_path):
    train = ["train", files / "c.ezc", "--init", files / "m.ezm", "-i", 1, "--device", "cpu"]
    before = (files / "m.ezm").read_bytes()
    fails(2, "--log and --init name the same file", *train, "-o", tmp_path / "x", "--log", files / "m.ezm")
    fails(2, "--output and --init name the same file", *train, "-o", files / "m.ezm")
    fails(2, "--output and --log name the same file", *train, "-o", tmp_path / "x", "--log", tmp_path / "x")
    (tmp_path / "same").symlink_to(files / "m.ezm")
    fails(2, "--summary and --init", *train, "-o", tmp_path / "x", "--summary", tmp_path / "same")
    fails(2, "--output and --model", "import", files / "c.ezc", "-o", tmp_path / "x", "--model", tmp_path / "x")
    assert (files / "m.ezm").read_bytes() == before


def test_names_as_long_as_they_can_be(ezlda, files, tmp_path):
    name, summary = tmp_path / ("a" * 251 + ".ezm"), tmp_path / ("a" * 250 + ".json")
    result = ezlda("train", files / "c.ezc", "-k", 3, "-i", 1, "--device", "cpu", "-q", "--patience", "0s", "-o", name,
                   "--summary", summary)
    assert result.status == 0 and set(tmp_path.iterdir()) == {name, summary}, result


def test_impossible_names_are_refused_before_the_run(fails, files, tmp_path):
    """Otherwise the command would try for an hour to write the model."""
    (tmp_path / "loop").symlink_to("loop")
    for name, why in (("n" * 300, "File name too long"), ("loop", "symbolic links")):
        for option, other in (("-o", []), ("--summary", ["-o", tmp_path / "m.ezm"])):
            fails(1, [name[:40], why, "cannot write --"], "train", files / "c.ezc", "-k", 4, "-i", 5, "--device", "cpu",
                  "-q", "--patience", "0s", option, tmp_path / name, *other)


def test_a_model_is_not_a_corpus_and_a_corpus_not_a_model(fails, files, tmp_path):
    corpus, model, out = files / "c.ezc", files / "m.ezm", tmp_path / "x"
    fails(1, "expected a corpus, found a model", "train", model, "-k", 3, "-o", out)
    fails(1, "expected a corpus, found a model", "infer", model, model, "-o", out)
    fails(1, "expected a model (.ezm), found a corpus file (.ezc)", "topics", corpus)
    fails(1, "expected a model (.ezm), found a corpus file (.ezc)", "infer", corpus, model, "-o", out)
    fails(1, "expected a corpus file (.ezc), found a model (.ezm)", "train", model, "--format", "ezc", "-k", 3, "-o", out)


def test_options_that_change_how_others_work(fails, files, tmp_path):
    train = ["train", files / "c.ezc", "-k", 3, "-o", tmp_path / "x"]
    for option in (["--symmetric-alpha"], ["--optimize-burn-in", 3], ["--optimize-interval", 5]):
        fails(2, f"{option[0]} and --fixed-priors exclude each other", *train, *option, "--fixed-priors")
    fails(2, "--symmetric-alpha needs an alpha that is fitted", *train, "--symmetric-alpha", "--alpha", 0.1)
    fails(2, "--seed-weight needs --seeds", *train, "--seed-weight", 2)
    fails(2, "did not keep the order", "eval", files / "m.ezm", files / "c.ezc", "-m", "coherence", "--window", 5, "-q")

"""The notebooks of docs/porting: the lines of another tool beside those of ezLDA. Both columns are run, that of the other
tool if it is installed."""
import importlib.util
import json
import os
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PORTING = sorted((ROOT / "docs" / "porting").glob("*.ipynb"))
#: The package of the other tool; None: it needs more than a package.
PACKAGES = {"scikit-learn": "sklearn", "gensim": "gensim", "tomotopy": "tomotopy", "mallet": None, "pycistopic": None}


def read(path):
    """The setup, the text of each step, its two columns, and the cell below it."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    assert [cell["cell_type"] for cell in cells] == ["markdown", "code"] * (len(cells) // 2)
    steps = []
    for text, code in zip(sources[2::2], sources[3::2]):
        rows = re.findall(r"^\|(.*?)\|(.*?)\|$", text, re.MULTILINE)[2:]
        columns = ["\n".join(line for line in (row[side].strip().strip("`") for row in rows) if line) for side in (0, 1)]
        steps.append((*columns, code))
    return sources[1], steps


def run(setup, programs, path):
    """Runs in a copy of the folders that the notebook names, and returns the variables."""
    os.chdir(path)
    (path / "build").mkdir()
    (path / "docs").symlink_to(ROOT / "docs")
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(setup, names)
        for program in programs:
            exec(program, names)
    return names


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_there_is_a_notebook_for_each_tool():
    assert {path.stem for path in PORTING} == set(PACKAGES)


@pytest.mark.parametrize("path", PORTING, ids=lambda path: path.stem)
def test_our_lines(path, folder):
    setup, steps = read(path)
    assert len(steps) >= 4
    for _, ours, code in steps:
        assert ours == code
    if path.stem == "pycistopic":
        pytest.importorskip("anndata")
    names = run(setup, [ours for _, ours, _ in steps], folder)
    if path.stem == "pycistopic":
        assert names["imputed"].shape == (1, 1000) and len(names["sets"]) == 6
        assert names["cell_topic"].shape == (200, 6) and names["region_topic"].shape == (1000, 6)
    elif path.stem == "mallet":
        assert names["shares"].shape == (len(names["texts"]), 8) and names["rows"].shape == (2, 8)
    elif path.stem == "scikit-learn":
        assert names["theta"].shape == (len(names["texts"]), 8) and names["score"] > 1
        assert names["lda"].n_batch_iter_ == 2
    elif path.stem == "gensim":
        assert names["coherence"] < 0 and names["again"].topics_hash == names["model"].topics_hash and names["topics"]
        assert names["updated"].info["updates"] == 1
    else:
        assert names["again"].topics_hash == names["model"].topics_hash and names["row"].shape == (8,)


@pytest.mark.parametrize("path", PORTING, ids=lambda path: path.stem)
def test_their_lines(path, folder):
    package = PACKAGES[path.stem]
    if package is None:
        pytest.skip("the other tool needs a program or packages that are not in this environment")
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    setup, steps = read(path)
    names = run(setup, [theirs for theirs, _, _ in steps], folder)
    if path.stem == "scikit-learn":
        np.testing.assert_allclose(names["theta"].sum(axis=1), 1)
        assert names["rows"].shape == (2, 8) and names["score"] > 1
    elif path.stem == "gensim":
        assert names["coherence"] < 0 and names["again"].num_topics == 8 and names["pairs"]
    else:
        assert names["again"].k == 8 and len(names["theta"]) == 8


@pytest.mark.parametrize("path", PORTING, ids=lambda path: path.stem)
def test_notebooks_were_run_and_are_small(path):
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert path.stat().st_size < 20000 and any(cell["outputs"] for cell in cells)
    assert not any(output["output_type"] == "error" for cell in cells for output in cell["outputs"])

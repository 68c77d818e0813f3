"""docs/single-cells.ipynb, run from its first to its last cell on the cells that celltypist's package holds."""
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("EZLDA_BUILD", ROOT / "build"))
SAMPLE = Path("celltypist/data/samples/sample_cell_by_gene.csv")


def run(*command, **more):
    return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **more)


@pytest.fixture(scope="module")
def python():
    made = run(ROOT / "scripts" / "python_env.sh", BUILD / "python", "python3", BUILD / "libezlda.a")
    if made.returncode == 4:
        pytest.skip("PyPI cannot be reached, or does not have the packages")
    assert made.returncode == 0, made.stdout
    found = BUILD / "python" / "bin" / "python"
    if run(found, "-c", "import scanpy").returncode:
        pytest.skip("scanpy is not installed")
    return found


@pytest.fixture(scope="module")
def cells(python):
    folder = BUILD / "release" / "celltypist"
    if not (folder / SAMPLE).exists():
        done = run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, "celltypist")
        if done.returncode:
            pytest.skip("celltypist cannot be had from PyPI")
    return folder / SAMPLE


def test_the_notebook(python, cells, tmp_path):
    place = tmp_path / "build" / "celltypist" / SAMPLE
    place.parent.mkdir(parents=True)
    shutil.copy(cells, place)
    notebook = json.loads((ROOT / "docs" / "single-cells.ipynb").read_text(encoding="utf-8"))
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    checks = ['assert cells.shape == (559, 9810) and cells.obsm["X_lda"].shape == (559, k)',
              'assert list(cells.uns["lda"]["models"].index) == ["5", "10", "15", "20"]',
              'assert "X_umap" in cells.obsm and all(len(names) == 50 for names in sets.values())']
    program = tmp_path / "notebook.py"
    program.write_text("\n".join([*code, *checks]), encoding="utf-8")
    done = run(python, program, cwd=tmp_path, env={**os.environ, "MPLBACKEND": "agg", "OMP_WAIT_POLICY": "passive"})
    assert done.returncode == 0, done.stdout[-3000:]

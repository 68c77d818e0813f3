"""The table and the picture of docs/quality.md are those that bench/quality makes of the results in bench/notes."""
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def bench():
    sys.path.insert(0, str(ROOT / "bench"))
    import quality_page
    import quality_results
    yield quality_page, quality_results.Results
    sys.path.remove(str(ROOT / "bench"))


@pytest.fixture
def results(bench, tmp_path):
    shutil.copy(ROOT / "bench" / "notes" / "quality-results.csv", tmp_path)
    return bench[1](tmp_path)


def test_the_page_is_made_of_the_results(bench, results, tmp_path):
    for name in ("quality.md", "quality.svg"):
        shutil.copy(ROOT / "docs" / name, tmp_path)
    bench[0].write(list(results.rows.values()), tmp_path / "quality.md")
    for name in ("quality.md", "quality.svg"):
        assert (tmp_path / name).read_text(encoding="utf-8") == (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_standing(bench):
    """Within one standard error of the difference; a single seed has none, so nothing is near it."""
    standing = bench[0].standing
    assert standing({"a": (1.0, 0.5, 5), "b": (2.0, 1.0, 5)}, False) == {"a": "first", "b": "within"}
    assert standing({"a": (1.0, 0.5, 5), "b": (2.0, 0.5, 5)}, True) == {"a": "", "b": "first"}
    assert standing({"a": (1.0, None, 1), "b": (1.1, 1.0, 5)}, False) == {"a": "first", "b": ""}


def test_existing_runs_are_not_repeated(bench, results):
    key, late = ("M10", 10, "ezlda", "default", 1), ("M10", 10, "ezlda", "default", 99)
    assert not results.wanted(key, 600) and results.wanted(late, 600)
    results.add(dict(zip(results.KEY, late)) | {"would_take": 1000})
    again = bench[1](results.path.parent)
    assert len(again.rows) == len(results.rows)
    assert not again.wanted(late, 999) and again.wanted(late, 1000)

"""The tests of the Python package with the oldest and the newest versions of the packages that it works with, each in a
virtual environment of its own, which is kept in build/release.

Newer Pythons than the machine's are found on the path, among pyenv's, or in EZLDA_PYTHONS (paths with colons between)."""
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("EZLDA_BUILD", ROOT / "build"))
# Least version of Python, constraints for pip, and the versions that must be there.
SETS = {
    "oldest": ((3, 11), ["numpy==1.26.*", "scikit-learn==1.6.*", "anndata==0.12.*", "pandas==2.*", "pyarrow==20.*"],
               {"numpy": "1.26.", "scikit-learn": "1.6.", "anndata": "0.12."}),
    "anndata-0.12": ((3, 11), ["numpy>=2", "anndata==0.12.*"], {"numpy": "2.", "anndata": "0.12."}),
    "anndata-0.13": ((3, 12), ["numpy>=2", "anndata>=0.13"], {"numpy": "2.", "anndata": "0.13."}),
}


def version_of(python):
    try:
        said = subprocess.run([python, "-c", "import sys, venv; print(*sys.version_info[:2])"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return None
    return tuple(map(int, said.stdout.split())) if said.returncode == 0 else None


def python_from(least):
    """The oldest Python from this version on."""
    named = [shutil.which(f"python3.{minor}") for minor in range(least[1], 20)] + [shutil.which("python3")]
    others = [str(path) for path in Path.home().glob(".pyenv/versions/*/bin/python3")]
    given = os.environ.get("EZLDA_PYTHONS", "").split(":")
    known = {python: version_of(python) for python in filter(None, [*given, *named, *others])}
    fitting = sorted((version, python) for python, version in known.items() if version and version >= least)
    return fitting[0][1] if fitting else None


def run(*command, **more):
    return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", cwd=ROOT, **more)


def environment(name):
    """The interpreter of an environment with these packages and ours."""
    least, constraints, _ = SETS[name]
    python = python_from(least)
    if python is None:
        pytest.skip(f"there is no Python {least[0]}.{least[1]} or later here (EZLDA_PYTHONS)")
    folder = BUILD / "release" / f"python-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "constraints.txt"
    wanted = "\n".join(constraints) + "\n"
    if not file.exists() or file.read_text(encoding="utf-8") != wanted:
        (folder / "packages.stamp").unlink(missing_ok=True)  # install again
        file.write_text(wanted, encoding="utf-8")
    settings = {**os.environ, "PIP_CONSTRAINT": str(file)}
    made = run(ROOT / "scripts" / "python_env.sh", folder, python, BUILD / "libezlda.a", env=settings)
    if made.returncode == 4:
        pytest.skip("PyPI cannot be reached, or does not have the packages")
    assert made.returncode == 0, made.stdout
    return folder / "bin" / "python"


@pytest.mark.parametrize("name", SETS)
def test_the_suite_with_these_versions(name):
    python = environment(name)
    listed = run(python, "-m", "pip", "list", "--format=json", "--disable-pip-version-check")
    there = {package["name"]: package["version"] for package in json.loads(listed.stdout[listed.stdout.index("["):])}
    for package, version in SETS[name][2].items():
        assert there[package].startswith(version)
    files = sorted((ROOT / "python" / "tests").glob("test_python_[!l]*.py"))  # without the fits of test_python_leaks.py
    done = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", *files,
               env={**os.environ, "EZLDA_BIN": str(BUILD / "ezlda"), "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 0, done.stdout[-6000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed and int(passed[1]) > 300, done.stdout[-2000:]


DATASET = """import datasets, ezlda
rows = [{"text": f"river boat water{chr(97 + i % 5)}", "id": f"d{i}", "year": 1990 + i % 3} for i in range(3000)]
data = datasets.Dataset.from_list(rows)
texts = ezlda.Corpus.from_texts([row["text"] for row in rows], min_docs=1, max_docs_share=1)
some = data.filter(lambda row: row["year"] == 1991)
limits = dict(min_docs=1, max_docs_share=1)
assert ezlda.Corpus(data, **limits).info["hash"] == texts.info["hash"]
assert ezlda.Corpus(data.to_iterable_dataset(), **limits).info["hash"] == texts.info["hash"]
kept = ezlda.Corpus.from_arrow(some, "text", name="id", fields=["year"], **limits)
assert len(kept) == 1000 and kept.names[1] == "d4" and set(kept.field("year")) == {"1991"}
model = ezlda.train(texts, 2, 5, progress=False)
assert (model.infer(some) == model.infer(kept)).all()
"""


def test_a_dataset_of_hugging_face():
    python = environment("anndata-0.12")
    made = run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "datasets")
    if made.returncode:
        pytest.skip("datasets cannot be installed from PyPI")
    done = run(python, "-c", DATASET, env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"})
    assert done.returncode == 0, done.stdout


SCRIPT = '''import ezlda
corpus = ezlda.Corpus.from_texts(["a b", "c d"], min_docs=1, stopwords=None)
model = ezlda.train(corpus, topics=3, optimize_interval=5).update(["more"], decay=0.9, all_words=True)
reveal_type(model.infer(["x"]).shape)
reveal_type(corpus[1:])
reveal_type(corpus[-1])
for topic in model.topics():
    reveal_type(topic.share)
estimator = ezlda.LatentDirichletAllocation(5, decay=0.9).partial_fit([[1, 2]])
reveal_type(estimator.transform([[1, 2]]).shape)
ezlda.train(corpus, 3, optimise_interval=5)
model.topic_frame()
'''
FOUND = [(4, "tuple[Any, ...]"), (5, "ezlda.corpus.Corpus"), (6, "dict[str, int]"), (8, "float"), (10, "tuple[Any, ...]"),
         (11, 'did you mean "optimize_interval"'), (12, 'has no attribute "topic_frame"')]


def test_types_of_the_package_and_of_a_script_of_a_user(tmp_path):
    python = environment("anndata-0.12")
    made = run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "mypy")
    if made.returncode:
        pytest.skip("mypy cannot be installed from PyPI")
    package = run(python, "-m", "mypy", "--cache-dir", tmp_path, "python/ezlda")
    assert package.returncode == 0, package.stdout
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    done = run(python, "-m", "mypy", "--strict", "--cache-dir", tmp_path, script)
    lines = [line for line in done.stdout.splitlines() if "script.py:" in line and "defined in" not in line]
    assert len(lines) == len(FOUND), done.stdout
    for line, (number, text) in zip(lines, FOUND):
        assert f"script.py:{number}:" in line and text in line, line

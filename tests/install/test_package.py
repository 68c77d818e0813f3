"""What `make install` leaves is what others can build on: pkg-config, CMake, man page, completion."""
import os
import re
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HEADER = (ROOT / "include" / "ezlda.h").read_text(encoding="utf-8")
VERSION = ".".join(re.search(rf"EZLDA_VERSION_{part} (\d+)", HEADER)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **more)
    assert done.returncode == 0, done.stdout
    return done.stdout.strip()


@pytest.fixture
def pkg_config(prefix):
    environment = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
    return lambda *arguments: run("pkg-config", *arguments, "ezlda", env=environment)


def needed(program):
    return re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", program))


def test_pkg_config_knows_the_version(pkg_config):
    assert pkg_config("--modversion") == VERSION


def test_shared_consumer_by_pkg_config(prefix, pkg_config, tmp_path):
    flags = pkg_config("--cflags", "--libs").split()
    run("gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", HERE / "consumer.c", *flags, "-o", tmp_path / "consumer")
    soname = f"libezlda.so.{'.'.join(VERSION.split('.')[:2])}"
    assert [n for n in needed(tmp_path / "consumer") if "ezlda" in n] == [soname]
    assert run(tmp_path / "consumer", env={**os.environ, "LD_LIBRARY_PATH": str(prefix / "lib")}) == VERSION


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_static_consumer_by_pkg_config(pkg_config, tmp_path, compiler):
    flags = ["-l:libezlda.a" if f == "-lezlda" else f for f in pkg_config("--static", "--cflags", "--libs").split()]
    run(compiler, "-std=c11", HERE / "consumer.c", *flags, "-o", tmp_path / "consumer")
    assert not any("ezlda" in n for n in needed(tmp_path / "consumer"))
    assert run(tmp_path / "consumer") == VERSION


@pytest.mark.parametrize("target", ["ezlda::ezlda", "ezlda::ezlda_static"])
def test_consumer_by_cmake(prefix, tmp_path, target):
    (tmp_path / "CMakeLists.txt").write_text(f"""
        cmake_minimum_required(VERSION 3.22)
        project(consumer LANGUAGES C)
        find_package(ezlda {VERSION} REQUIRED)
        add_executable(consumer {HERE}/consumer.c)
        target_link_libraries(consumer PRIVATE {target})
        """)
    run("cmake", "-G", "Ninja", "-S", tmp_path, "-B", tmp_path / "out", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", tmp_path / "out")
    assert run(tmp_path / "out" / "consumer") == VERSION
    assert any("ezlda" in n for n in needed(tmp_path / "out" / "consumer")) == (target == "ezlda::ezlda")


def test_command_runs_from_where_it_lies(prefix):
    assert VERSION in run(prefix / "bin" / "ezlda", "--version")


def test_man_page(prefix):
    page = (prefix / "share" / "man" / "man1" / "ezlda.1").read_text(encoding="utf-8")
    assert re.match(r"(\.\\\".*\n)*\.TH EZLDA 1\b", page, re.I)
    assert VERSION in page
    for section in ("NAME", "SYNOPSIS", "DESCRIPTION"):
        assert re.search(rf"^\.SH \"?{section}", page, re.M)


def test_bash_completion(prefix):
    script = prefix / "share" / "bash-completion" / "completions" / "ezlda"
    run("bash", "-n", script)
    typed = 'COMP_WORDS=(ezlda tra); COMP_CWORD=1; COMP_LINE="ezlda tra"; COMP_POINT=9'
    function = re.search(r"^complete .*-F (\w+)", script.read_text(encoding="utf-8"), re.M)[1]
    words = run("bash", "-c", f'source "{script}"; {typed}; {function} ezlda tra ezlda; echo "${{COMPREPLY[@]}}"')
    assert words.split() == ["train"]


def test_zsh_and_fish_completion(prefix):
    assert (prefix / "share" / "zsh" / "site-functions" / "_ezlda").read_text().startswith("#compdef ezlda\n")
    assert "complete -c ezlda" in (prefix / "share" / "fish" / "vendor_completions.d" / "ezlda.fish").read_text()


def test_destdir_stages_the_package(build, tmp_path):
    run("make", "--no-print-directory", "install", f"BUILD={build}", f"DESTDIR={tmp_path}", "PREFIX=/opt/ezlda",
        cwd=ROOT, env={**os.environ, "MAKEFLAGS": ""})
    assert [p.name for p in tmp_path.iterdir()] == ["opt"]
    assert (tmp_path / "opt" / "ezlda" / "bin" / "ezlda").exists()


def test_documents_are_where_the_readme_says(prefix):
    folder = prefix / "share" / "doc" / "ezlda"
    named = re.findall(r"\]\((docs/[^)#]+)", (folder / "README.md").read_text(encoding="utf-8"))
    assert named and all((folder / name).exists() for name in named)


def test_folders_may_be_absolute(tmp_path):
    options = ["-DCMAKE_INSTALL_PREFIX=/opt/it", "-DCMAKE_INSTALL_INCLUDEDIR=/opt/it/headers", "-DEZLDA_CUDA=OFF"]
    run("cmake", "-G", "Ninja", "-S", ROOT, "-B", tmp_path, "-DCMAKE_INSTALL_LIBDIR=/opt/it/lib/x", *options)
    page = (tmp_path / "ezlda.pc").read_text(encoding="utf-8")
    assert page.startswith("prefix=${pcfiledir}/../../..\nlibdir=${prefix}/lib/x\nincludedir=${prefix}/headers\n")
    failed = subprocess.run(["cmake", "-S", ROOT, "-B", tmp_path, "-DCMAKE_INSTALL_LIBDIR=/usr/lib", *options],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert failed.returncode != 0 and "CMAKE_INSTALL_LIBDIR is /usr/lib; expected a folder" in failed.stdout


def test_changelog_names_the_version():
    assert re.search(rf"^## \[?{re.escape(VERSION)}\b", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)

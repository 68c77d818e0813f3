"""valgrind's memcheck over a small run of the command as it is shipped: reads of what was never written, leaks."""
import os

import pytest
from conftest import BUILD, run

VALGRIND = ["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=definite,indirect",
            "--errors-for-leak-kinds=definite,indirect"]

KEPT = "--optimize-interval 2 --optimize-burn-in 0 --checkpoint kept"


@pytest.fixture(scope="module")
def ezlda(tmp_path_factory):
    folder = tmp_path_factory.mktemp("memcheck")
    os.chdir(folder)

    def command(line, **settings):
        done = run([*VALGRIND, BUILD / "ezlda", *line.split()], OMP_NUM_THREADS="2", **settings)
        assert done.returncode == 0 and "==" not in done.stdout, done.stdout
        return done.stdout
    return command


def test_memcheck_sees_mistakes(compiled):
    reads = compiled("#include <stdlib.h>\nint main(void) { int *p = malloc(4); int r = *p ? 0 : 0; if (*p) r++;"
                     " free(p); return r > 1; }\n", "-O0", compiler="gcc")
    loses = compiled("#include <stdlib.h>\nint main(void) { return malloc(10) == NULL; }\n", "-O0", "-fno-builtin",
                     compiler="gcc")
    assert run([*VALGRIND, reads]).returncode == 99
    assert "definitely lost" in run([*VALGRIND, loses]).stdout


@pytest.fixture(scope="module")
def model(ezlda):
    text = "".join(f"{'river water fish boat' if i % 2 else 'music violin concert choir'} word{i % 7}\n" * 3
                   for i in range(40))
    with open("lines.txt", "w") as file:
        file.write(text)
    ezlda("import lines.txt -o c.ezc --min-length 2 --stopwords none")
    ezlda(f"train c.ezc -k 4 -i 6 {KEPT} --every 3it --keep-topics -o m.ezm")
    return "m.ezm"


@pytest.mark.parametrize("simd", ["plain", "avx2"])
def test_train(ezlda, model, simd):
    output = ezlda(f"train c.ezc -k 70 -i 4 --beta 0.02 -o {simd}.ezm", EZLDA_SIMD=simd)
    assert f"{simd}.ezm: " in output


@pytest.mark.parametrize("line", [
    "topics m.ezm", "docs m.ezm", "info m.ezm", "infer m.ezm lines.txt -o inferred.tsv", "eval m.ezm lines.txt",
    "export m.ezm --to npz -o m.npz", "report m.ezm c.ezc -o report.html", "diff m.ezm plain.ezm",
    f"train c.ezc -k 4 -i 8 {KEPT} --resume --keep-topics -o again.ezm"])
def test_the_other_commands(ezlda, model, line):
    ezlda(line)

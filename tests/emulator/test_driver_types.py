"""Our declarations of the driver's interface against the toolkit's own header, if there is one."""
import os
import re
import shutil
import subprocess
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "src" / "backend" / "cuda" / "driver"


def toolkit():
    """The folder of cuda.h, or None."""
    nvcc = shutil.which("nvcc", path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin")
    folder = Path(nvcc).resolve().parent.parent / "include" if nvcc else Path("/usr/include")
    return folder if (folder / "cuda.h").exists() else None


def program():
    """C that compiles only if all numbers and signatures are those of the header."""
    numbers = re.findall(r"\b(CU\w+) = (\d+)", (SOURCES / "driver_types.h").read_text())
    listed = re.search(r"#define EZ_DRIVER_CALLS\(X\)(.*?[^\\])\n\n", (SOURCES / "driver.h").read_text(), re.S)[1]
    calls = re.findall(r"X\((cu\w+),\s*\\?\s*(\((?:[^()]|\([^()]*\))*\))\)", listed)
    assert len(numbers) > 40 and len(calls) == listed.count("X(cu")
    lines = ["#include <cuda.h>", "#include <stddef.h>", "int main(void) { return 0; }"]
    lines += [f'_Static_assert({name} == {number}, "{name}");' for name, number in numbers]
    lines += [f'_Static_assert(__builtin_types_compatible_p(__typeof__(&{name}), CUresult (*){parameters}), "{name}");'
              for name, parameters in calls]
    return "\n".join(lines) + "\n"


def test_the_lists_are_read():
    assert "cuLaunchKernel" in program() and "CUDA_ERROR_OUT_OF_MEMORY == 2" in program()


if toolkit():

    def test_declarations_are_the_toolkits():
        done = subprocess.run(["gcc", "-std=gnu11", "-fsyntax-only", f"-I{toolkit()}", "-xc", "-"], input=program(),
                              stderr=subprocess.PIPE, text=True)
        assert done.stderr == "" and done.returncode == 0

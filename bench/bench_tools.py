"""Running programs and taking their times: what every part of the benchmark needs."""

import os
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = ("split", "llpt", "heldout", "export")


loads = []  # of the machine, after each program that ran


class BenchError(Exception):
    """A program failed or a file is missing; the text is the message for the user."""


@dataclass
class Finished:
    """A program that ran: its output lines with the moment each arrived, and what it used."""

    lines: list = field(default_factory=list)
    stamps: list = field(default_factory=list)
    cpu_seconds: float = 0.0
    peak_rss_bytes: int = 0

    def text(self):
        return "".join(self.lines)


def run(command, env=None, timeout=None):
    """Runs a command to its end, or for `timeout` seconds at most; standard output and error together."""
    command = [str(part) for part in command]
    done, late = Finished(), threading.Event()
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   env={**os.environ, **(env or {})})
    except OSError as error:
        raise BenchError(f"{command[0]}: {error.strerror}") from error
    clock = threading.Timer(timeout or 0, lambda: (late.set(), process.kill()))
    if timeout:
        clock.start()
    try:
        for line in process.stdout:
            done.stamps.append(time.monotonic())
            done.lines.append(line)
    except BaseException:
        process.kill()
        raise
    finally:
        _, status, used = os.wait4(process.pid, 0)
        clock.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
    if late.is_set():
        raise BenchError(f"{' '.join(command)}: stopped after {timeout:g} seconds")
    if process.returncode:
        raise BenchError(f"{' '.join(command)}: exit status {process.returncode}: {done.text()[-500:].strip()}")
    loads.append(os.getloadavg()[0])
    done.cpu_seconds = used.ru_utime + used.ru_stime
    done.peak_rss_bytes = used.ru_maxrss * 1024
    return done


def say(text):
    print(text, file=sys.stderr, flush=True)


def median(values):
    return statistics.median(values) if values else None


def quiet_seconds(runs, count=None):
    """Seconds had the machine been idle: each iteration at its fastest over the runs, added up.

    A run is a list of seconds so far, entry by entry; runs may differ in length. The first count entries are used."""
    longest = max(map(len, runs))
    total = 0.0
    for i in range(longest if count is None else count):
        total += min(run[i] - (run[i - 1] if i else 0.0) for run in runs if i < len(run))
    return total


def compile_programs(folder, build):
    """Compiles the benchmark's C programs into folder; export is linked with the library of the build folder."""
    folder.mkdir(parents=True, exist_ok=True)
    compiler = os.environ.get("CC", "cc")
    for name in PROGRAMS:
        command = [compiler, "-std=gnu11", "-O3", "-fopenmp", HERE / f"{name}.c", "-o", folder / name]
        if name == "export":
            build = build.resolve()
            command += [f"-I{HERE.parent / 'include'}", f"-L{build}", "-lezlda", f"-Wl,-rpath,{build}"]
        run(command + ["-lm"])
    return folder


def use_processors(count):
    """Binds this process and what it starts to `count` processors: nobody's helper threads run beside the workers."""
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < count:
        raise BenchError(f"{count} threads were asked for, but there are {len(allowed)} processors")
    os.sched_setaffinity(0, allowed[:count])


def machine():
    """The processor's name and the load at the start, for the record."""
    name = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            name = line.split(":", 1)[1].strip()
            break
    return {"processor": name, "processors_used": len(os.sched_getaffinity(0)), "load": os.getloadavg()[0]}

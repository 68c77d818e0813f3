#!/usr/bin/env python3
"""Times the views of `ezlda serve` through HTTP: bench/serve_views.py EZLDA MODEL CORPUS [--index FILE] [--rounds N]

Prints for each view the median, the 99th percentile and the largest time in milliseconds, seconds of the first start
(with the index made) and of the second, processor seconds and memory of the server. Fields: date, journal, country, as
bench/serve_corpus.py writes them.
"""
import argparse
import http.client
import json
import os
import re
import statistics
import subprocess
import time
import urllib.parse


def words_of(ezlda, model):
    shown = json.loads(subprocess.run([ezlda, "topics", model, "-n", "40", "--json"], capture_output=True, check=True).stdout)
    return [[item["word"] for item in topic["words"]] for topic in shown["topics"]]


def views(words):
    a, b, c = words[0][0], words[0][1], words[1][0]
    find = lambda query, **more: ("find", dict(query=query, **more))
    return {
        "all documents": find(""), "a word": find(a), "two words": find(f"{a} {b}"), "either of two": find(f"{a} OR {c}"),
        "a rare word": find(words[3][30]), "not a word": find(f"{a} -{b}"), "a phrase": find(f'"{a} {b}"'), "a prefix": find(f"{a[:3]}*"),
        "a topic": find("topic:3"), "a topic by share": find("topic:3", sort="topic:3"), "years": find("date:1990..2000"),
        "all of it": find(f"{a} topic:0 date:1990..2010 country:C1"), "newest first": find(a, sort="-date"),
        "a later page": find(a, **{"from": 2000}), "topic by year": ("cross", dict(query="", rows="date", topic=3)),
        "topic by year and country": ("cross", dict(query=a, rows="date", columns="country", topic=3)),
        "two topics": ("compare", dict(a="topic:3", b="topic:4")), "two slices": ("compare", dict(a="date:..1995", b="date:2010..")),
    }


def start(options):
    begin = time.monotonic()
    line = [options.ezlda, "serve", options.model, options.corpus, "--port", "0", "--token", "bench", "-q", "--index", options.index]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
    port = int(re.search(r":(\d+)/", process.stdout.readline())[1])
    return process, port, time.monotonic() - begin


def used(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        peak = int(re.search(r"VmHWM:\s+(\d+)", file.read())[1])
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), peak / 1024


def ask(port, what, values):
    begin = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", f"/bench/api/{what}?{urllib.parse.urlencode(values)}")
    answer = connection.getresponse()
    body = answer.read()
    assert answer.status == 200, body
    return 1000 * (time.perf_counter() - begin), json.loads(body)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ezlda")
    parser.add_argument("model")
    parser.add_argument("corpus")
    parser.add_argument("--index", default="bench.ezi")
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    fresh = not os.path.exists(options.index)
    for again in range(1 + fresh):
        process, port, seconds = start(options)
        cpu, peak = used(process)
        print(f"start {'with the index made' if fresh and not again else 'again'}: {seconds:.1f} s, {cpu:.1f} s of processor time, {peak:.0f} MB")
        if fresh and not again:
            process.kill()
            process.wait()
    every = []
    for name, (what, values) in views(words_of(options.ezlda, options.model)).items():
        before = used(process)[0]
        asked = [ask(port, what, values) for _ in range(options.rounds)]
        times = sorted(ms for ms, _ in asked)
        cpu = 1000 * (used(process)[0] - before) / options.rounds
        total = asked[0][1].get("total", asked[0][1].get("a", {}).get("total"))
        every += times
        print(f"{name:26} {total:9} documents: median {statistics.median(times):7.1f} ms, p99 {times[int(0.99 * len(times))]:7.1f}, "
              f"processor {cpu:6.1f} ms")
    every.sort()
    print(f"all views: median {statistics.median(every):.1f} ms, p99 {every[int(0.99 * len(every))]:.1f} ms; index "
          f"{os.path.getsize(options.index) / 1e6:.0f} MB; memory {used(process)[1]:.0f} MB")
    process.kill()


if __name__ == "__main__":
    main()

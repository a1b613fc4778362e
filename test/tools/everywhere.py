#!/usr/bin/env python3
"""Runs the launches that tests write down with each vector width of the host and several numbers of host threads, and
expects the same from each: exit status, messages, output files, trap and every count of --json.

usage: everywhere.py --runner PROGRAM --out DIR [--sub NAME=VALUE]... [--threads N,N,...] [--part I/N] FILE...

Launches are the lines of FILEs that start with `# RUN: %leno-run` or, only for here, `# WITH: %leno-run`; `not` may come
first. Left out are those that need files made by other lines, or are about threads or traces. What is counted up to a
trap may depend on the number of threads. LENO_TEST_EFFORT of 10 and more runs all parts.
"""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys

WIDTHS = ("sse2", "avx2", "avx512", "neon")
OUTPUT = re.compile(r"((?:out|inout):[^:]+:)(?:print:|.*)$")


def launches(path, names):
    found = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            match = re.match(r"# (?:RUN|WITH): (?:not )?%leno-run (.*)", line)
            if not match or re.search(r"--threads|--trace|--json|in:%t|%t/| - ", match[1]):
                continue
            text = re.split(r"\s(?:\||2?>|<)", match[1])[0].replace("--stats", "")
            for name, value in [("%s", path), ("%S", os.path.dirname(path))] + names:
                text = re.sub(re.escape(name) + r"\b", lambda _: value, text)
            if re.search(r"%(?!t)", text):
                continue
            found.append(shlex.split(text))
    return found


def run(runner, arguments, width, threads, out):
    """All that a launch gives, as a dictionary."""
    files = []

    def place(argument):
        match = OUTPUT.search(argument)
        if not match:
            return argument
        files.append(os.path.join(out, f"{len(files)}.bin"))
        return match.re.sub(lambda m: m[1] + files[-1], argument)

    command = [runner] + [place(argument) for argument in arguments] + ["--json"]
    environment = dict(os.environ, LENO_VECTOR=width, LENO_THREADS=str(threads))
    result = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment)
    got = {"exit status": result.returncode, "messages": result.stderr}
    try:
        text = json.loads(result.stdout)
        if "trap" in text:
            del text["statistics"]
        got.update(text)
    except ValueError:
        got["standard output"] = result.stdout
    for number, path in enumerate(files):
        if os.path.exists(path):
            with open(path, "rb") as file:
                got[f"output {number}"] = file.read()
            os.remove(path)
    return got


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--runner", required=True)
    parser.add_argument("--sub", action="append", default=[])
    parser.add_argument("--out", required=True)
    parser.add_argument("--threads", default="1,2,5")
    parser.add_argument("--part", default="1/1")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    part, parts = map(int, options.part.split("/"))
    if int(os.environ.get("LENO_TEST_EFFORT") or 1) >= 10:
        parts = 1
    names = [("%" + name, value) for name, value in (sub.split("=", 1) for sub in options.sub)]
    refused = subprocess.run([options.runner, "/dev/null"], capture_output=True, text=True,
                             env=dict(os.environ, LENO_VECTOR="?")).stderr
    widths = [width for width in WIDTHS if re.search(rf"\b{width}\b", refused)] or ["sse2"]
    ways = [(width, int(threads)) for width in widths for threads in options.threads.split(",")]
    count = wrong = 0
    for path in sorted(options.files):
        for arguments in launches(path, names):
            count += 1
            if count % parts != part % parts:
                continue
            expected = run(options.runner, arguments, *ways[0], options.out)
            for way in ways[1:]:
                got = run(options.runner, arguments, *way, options.out)
                differing = [key for key in {**expected, **got} if expected.get(key) != got.get(key)]
                if differing:
                    wrong += 1
                    print(f"{shlex.join(arguments)}\n    {way[0]} on {way[1]} threads is not as {ways[0][0]} on {ways[0][1]}: "
                          f"{', '.join(differing)}")
                    for key in differing[:2]:
                        print(f"    {key}: {str(expected.get(key))[:300]!r}\n    {' ' * len(key)}  {str(got.get(key))[:300]!r}")
    print(f"{(count + parts - part) // parts} of {count} launches, {' '.join(widths)} x {options.threads} threads: "
          f"{wrong} differences")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())

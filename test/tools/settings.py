#!/usr/bin/env python3
"""Holds the table of the machine's settings in a page against what `leno-run --machine '?'` lists.

usage: settings.py PAGE.md LENO-RUN [--write]

The table is the one whose head is HEAD. --write writes it anew. Exit status: 1 when a row differs.
"""
import re
import subprocess
import sys

HEAD = "| key | values | default | meaning |\n|---|---|---|---|\n"


def row(line):
    key, default, values, unit, meaning = re.split(r" {2,}", line, maxsplit=4)
    values = ", ".join(values.split("|")) + (f" {unit}" if unit not in ("-", "bytes") else "")
    return f"| `{key}` | {values} | {default} | {meaning} |"


page, leno_run, *write = sys.argv[1:]
listed = subprocess.run([leno_run, "--machine", "?"], capture_output=True, text=True, check=True).stdout.splitlines()[1:]
wanted = [row(line) for line in listed]
with open(page, encoding="utf-8") as file:
    before, head, rest = file.read().partition(HEAD)
if not head:
    sys.exit(f"{page} has no table of settings")
shown = re.match(r"(?:\|.*\n)*", rest)[0]
if write:
    with open(page, "w", encoding="utf-8") as file:
        file.write(before + head + "".join(line + "\n" for line in wanted) + rest[len(shown):])
else:
    rows = shown.splitlines()
    for mark, some, others in (("-", rows, wanted), ("+", wanted, rows)):
        for line in some:
            if line not in others:
                print(mark, line)
    print(f"{len(rows)} settings")
    if rows != wanted:
        sys.exit(f"{page} is not what leno-run lists: settings.py {page} {leno_run} --write")

#!/usr/bin/env python3
"""Checks that the code which a Markdown file shows stands in the files it names: an indented block belongs to the
last linked file above it, and is a part of that file, verbatim.

usage: snippets.py FILE.md
"""
import os
import re
import sys

path, = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    page = file.read()
source, count = None, 0
for part in re.findall(r"(?:^    .*\n|^\n)+|(?:^\S.*\n)+", page, re.M):  # code, or text
    if not part.strip():
        continue
    if part.lstrip("\n")[0] != " ":
        links = re.findall(r"\]\(([^)#\s]+)\)", part)
        source = links[-1] if links else source
        continue
    code = re.sub(r"^    ", "", part.strip("\n"), flags=re.M)
    with open(os.path.join(os.path.dirname(path), source), encoding="utf-8") as file:
        if code not in file.read():
            sys.exit(f"{path}: this is not in {source}:\n{code}")
    count += 1
print(f"{count} snippets")

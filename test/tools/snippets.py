#!/usr/bin/env python3
"""Checks that the code which a section of a Markdown file shows stands in the files it names: an indented block belongs to the
last linked file above it, and is a part of that file, verbatim.

usage: snippets.py FILE.md HEADING
"""
import os
import re
import sys

path, heading = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", file.read(), re.M | re.S)
if not section:
    sys.exit(f"{path} has no section '{heading}'")
source, count = None, 0
for part in re.findall(r"(?:^    .*\n|^\n)+|(?:^\S.*\n)+", section[1], re.M):  # code, or text
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

#!/usr/bin/env python3
"""Checks that the relative links of Markdown files lead to files and headings that are there.

usage: links.py FILE-OR-FOLDER...
"""
import glob
import os
import re
import sys


def anchors(path):
    with open(path, encoding="utf-8") as file:
        headings = re.findall(r"^#+ (.*)$", file.read(), re.M)
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", h).lower() for h in headings]
    return {re.sub(r"[^\w -]", "", h).replace(" ", "-") for h in plain}


files = [f for a in sys.argv[1:] for f in (sorted(glob.glob(os.path.join(a, "*.md"))) if os.path.isdir(a) else [a])]
bad = count = 0
for path in files:
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^    .*$", "", file.read(), flags=re.M)  # not in code
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        page = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        count += 1
        if not os.path.exists(page) or anchor and anchor not in anchors(page):
            print(f"{path}: ({target}) leads nowhere")
            bad += 1
print(f"{count} links")
sys.exit(bool(bad))

#!/usr/bin/env python3
"""Compares what lies under MADE with the files of the same names under KEPT, Manual.md and manual/*.md.

usage: same-files.py KEPT MADE ADVICE     (ADVICE: what to do when they differ)
"""
import difflib
import glob
import os
import sys

kept, made, advice = sys.argv[1:]


def pages(folder):
    found = {}
    for path in [os.path.join(folder, "Manual.md"), *sorted(glob.glob(os.path.join(folder, "manual", "*.md")))]:
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                found[os.path.relpath(path, folder)] = file.read().splitlines()
    return found


old, new = pages(kept), pages(made)
stale = [name for name in sorted(old.keys() | new.keys()) if old.get(name) != new.get(name)]
for name in stale:
    print("\n".join(list(difflib.unified_diff(old.get(name, []), new.get(name, []), f"committed {name}", f"from the records: {name}",
                                              lineterm=""))[:20]))
if stale:
    sys.exit(f"the committed manual is stale ({', '.join(stale)}): {advice}")

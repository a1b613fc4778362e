#!/usr/bin/env python3
"""Prints how many tuples of operands the floating-point tests compared with MPFR, by operation.

usage: tally.py DIRECTORY      (where the tests left their .tally and .hosts files; without any: nothing)
"""
import glob
import os
import sys


def main():
    counts = {}  # of each operation and rounding mode or function: tuples, results, cases that failed
    for path in glob.glob(os.path.join(sys.argv[1], "*.tally")):
        with open(path, encoding="utf-8") as file:
            name, kind, *numbers = file.read().split()
        old = counts.setdefault(name, {}).setdefault(kind, [0, 0, 0])
        counts[name][kind] = [a + int(b) for a, b in zip(old, numbers)]
    hosts = [0, 0]  # results, cases that failed
    for path in glob.glob(os.path.join(sys.argv[1], "*.hosts")):
        with open(path, encoding="utf-8") as file:
            _, _, _, results, failed = file.read().split()
        hosts = [hosts[0] + int(results), hosts[1] + int(failed)]
    if not counts:
        return
    print("floating point against MPFR    kinds    fewest tuples of a kind    results compared    failed")
    rows = [(name, len(kinds), min(k[0] for k in kinds.values()), sum(k[1] for k in kinds.values()),
             sum(k[2] for k in kinds.values())) for name, kinds in sorted(counts.items())]
    rows.append(("all", sum(r[1] for r in rows), min(r[2] for r in rows), sum(r[3] for r in rows),
                 sum(r[4] for r in rows)))
    for name, kinds, fewest, results, failed in rows:
        print(f"  {name:26} {kinds:7} {fewest:26} {results:19} {failed:9}")
    print(f"  from hosts in other floating-point environments{hosts[0]:33} {hosts[1]:9}")


main()

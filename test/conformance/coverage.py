#!/usr/bin/env python3
"""Prints what the conformance sweeps covered: instructions x modifier values x guards (true, false, mixed), of the
TableGen list, by family.

usage: coverage.py ISA.json DIRECTORY      (below which the sweeps left their coverage.json; without any: nothing)
       coverage.py ISA.json --tests ROOM   (fails when a file of records has no sweep)
"""
import glob
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from selection import InstructionSet, coverage_keys, families  # noqa: E402


def check_tests(isa, room):
    swept = ""
    for path in glob.glob(os.path.join(room, "*.test")):
        with open(path, encoding="utf-8") as file:
            swept += file.read()
    missing = [f for f in families(isa) if f"sweep.py %isa-json {f} " not in swept]
    if missing:
        sys.exit(f"no sweep in test/conformance of the records in: {' '.join(f + '.td' for f in missing)}")


def main():
    isa = InstructionSet.read(sys.argv[1])
    if sys.argv[2] == "--tests":
        return check_tests(isa, sys.argv[3])
    runs = {}
    for path in glob.glob(os.path.join(sys.argv[2], "**", "coverage.json"), recursive=True):
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
        runs.setdefault(run["family"], []).append(run)
    if not runs:
        return None
    print("conformance sweep         records    modifier values x guards     results compared")
    sums = [0] * 5
    for family, records in sorted(families(isa).items()):
        wanted = {inst.name: coverage_keys(isa, inst) for inst in records}
        covered = {key for run in runs.get(family, []) for key in run["covered"]}
        holes = {name for run in runs.get(family, []) for name in run["holes"]}
        row = [sum(keys <= covered for keys in wanted.values()), len(wanted),
               sum(len(keys & covered) for keys in wanted.values()), sum(map(len, wanted.values())),
               sum(run["results"] for run in runs.get(family, []))]
        sums = [a + b for a, b in zip(sums, row)]
        show(family, row)
        if family not in runs:
            print("    not run")
        elif holes:
            print(f"    holes: {' '.join(sorted(holes))}")
    show("all", sums)
    return None


def show(name, row):
    whole, records, covered, pairs, results = row
    print(f"  {name:20} {whole:5} / {records:<5} {covered:8} / {pairs:<8} {100 * covered / max(pairs, 1):6.1f}%"
          f" {results:14}")


if __name__ == "__main__":
    main()

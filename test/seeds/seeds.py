#!/usr/bin/env python3
"""Prints what the seed documents describe and the tests that show it: seeds.py [--check]

--check  prints nothing but mistakes: rows whose tests are not there, or that name none. Exit status 1 then."""
import pathlib, re, sys

tests = pathlib.Path(__file__).resolve().parent.parent


def units():
    """The tests of test/unit: "Suite" and "Suite.Name"; of typed or parameterized ones also "Instance/Suite.Name"."""
    found = set()
    for file in (tests / "unit").rglob("*.cpp"):
        text = file.read_text()
        named = re.findall(r"^TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)", text, re.M)
        instances = re.findall(r"^INSTANTIATE_TEST_SUITE_P\(\s*(\w+),\s*(\w+)", text, re.M)
        for suite, name in named:
            for whole in [suite] + [f"{instance}/{of}" for instance, of in instances if of == suite]:
                found |= {whole, f"{whole}.{name}"}
    return found


def rows():
    """(seed, what, how) of each line: how is a list of tests, or "open: ..." or "left out: ..."."""
    seed = None
    for number, line in enumerate((tests / "seeds" / "list.txt").read_text().splitlines(), 1):
        if line.startswith("["):
            seed = line.strip("[]")
        elif line and not line.startswith("#"):
            what, colons, how = line.partition(" :: ")
            if not colons or not how:
                sys.exit(f"test/seeds/list.txt:{number}: expected WHAT :: TEST, TEST, ...")
            yield seed, what, how if how.startswith(("open: ", "left out: ")) else how.split(", ")


def check():
    known, mistakes = units(), 0
    for _, what, how in rows():
        for test in how if isinstance(how, list) else []:
            if test not in known and not ("/" in test and (tests / test).is_file()):
                print(f"there is no test {test}, which should show: {what}")
                mistakes += 1
    return mistakes


def table():
    counts, last = {"shown": 0, "open": 0, "left out": 0}, None
    for seed, what, how in rows():
        if seed != last:
            print(f"\n{seed}")
            last = seed
        kind = "shown" if isinstance(how, list) else how.split(":")[0]
        counts[kind] += 1
        print(f"  {what}\n      {', '.join(how) if isinstance(how, list) else how}")
    print(f"\nSeeds: {counts['shown']} lines are shown by tests, {counts['open'] or 'none'} are open, {counts['left out']} are left out.")


if sys.argv[1:] == ["--check"]:
    sys.exit(check() > 0)
table()

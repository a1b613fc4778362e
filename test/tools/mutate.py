#!/usr/bin/env python3
"""Checks the conformance sweep: makes each small mistake of test/conformance/mutants.txt in the emulator, and tells which
of them the sweep of that instruction does not notice. For people who change the sweep; takes some minutes.

usage: mutate.py SOURCE_DIR WORK_DIR [--jobs N] [--only MNEMONIC] [--built]

All mistakes are built at once, into a copy of the tree in WORK_DIR; the variable LENO_MUTANT picks one when a tool runs.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

HOMES = ("emu/semantics", "emu/engine", "emu/warp", "emu/sm", "emu/launch", "emu/program", "emu")


def read_mutants(path):
    mutants, lines = [], []
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    for head, old, new in zip(lines[::3], lines[1::3], lines[2::3]):
        family, mnemonic, name = head.split()
        mutants.append(SimpleNamespace(number=len(mutants) + 1, family=family, mnemonic=mnemonic, file=name,
                                       old=old[2:], new=new[2:]))
    return mutants


def plant(mutants, tree):
    """Each expression becomes a choice between itself and its mutants."""
    by_place = {}
    for mutant in mutants:
        by_place.setdefault((mutant.file, mutant.old), []).append(mutant)
    for (name, old), here in by_place.items():
        path = next(p for p in (os.path.join(tree, home, name) for home in HOMES) if os.path.exists(p))
        with open(path, encoding="utf-8") as file:
            text = file.read()
        # The file may break the line anywhere.
        pattern = r"\s+".join(map(re.escape, old.split()))
        choice = f"({old})"
        for mutant in here:
            choice = f"(leno::mutant == {mutant.number} ? ({mutant.new}) : {choice})"
        text, count = re.subn(pattern, lambda _: choice, text)
        if not count:
            sys.exit(f"{name} has no such expression: {old}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    with open(os.path.join(tree, "emu/warp/Lanes.h"), "a", encoding="utf-8") as file:
        file.write("\nnamespace leno { extern unsigned mutant; }\n")
    with open(os.path.join(tree, "emu/Trap.cpp"), "a", encoding="utf-8") as file:
        file.write('\n#include <cstdlib>\nunsigned leno::mutant = std::getenv("LENO_MUTANT") ? '
                   'unsigned(atoi(std::getenv("LENO_MUTANT"))) : 0;\n')


def build(source, work, mutants, jobs):
    tree, out = os.path.join(work, "tree"), os.path.join(work, "build")
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(source, tree, ignore=shutil.ignore_patterns(".git", ".build", "__pycache__"))
    plant(mutants, tree)
    subprocess.run(["cmake", "-S", tree, "-B", out, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++-22", "-Wno-dev",
                    "-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_CXX_FLAGS=-Wno-invalid-constexpr", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", out, f"-j{jobs}", "leno-as", "leno-run", "leno-objdump"], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("work")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only")
    parser.add_argument("--built", action="store_true", help="WORK_DIR holds the build of these mutants already")
    options = parser.parse_args()
    mutants = read_mutants(os.path.join(options.source, "test/conformance/mutants.txt"))
    out = os.path.join(os.path.abspath(options.work), "build")
    if not options.built:
        build(os.path.abspath(options.source), os.path.abspath(options.work), mutants, options.jobs)
    survivors = 0
    for mutant in [SimpleNamespace(number=0, family="Move", mnemonic="MOV", file="", old="", new="")] + mutants:
        if options.only not in (None, mutant.mnemonic) and mutant.number:
            continue
        command = [sys.executable, os.path.join(options.source, "test/conformance/sweep.py"), os.path.join(out, "isa/Leno.json"),
                   mutant.family, "--bin", os.path.join(out, "bin"), "--objcopy", "/usr/lib/llvm-22/bin/llvm-objcopy",
                   "--out", os.path.join(options.work, "out"), "--only", mutant.mnemonic]
        result = subprocess.run(command, env=dict(os.environ, LENO_MUTANT=str(mutant.number)), capture_output=True,
                                text=True)
        told = result.stdout.splitlines()[-1] if result.stdout else result.stderr[-300:]
        if not mutant.number and result.returncode:
            sys.exit(f"without a mutant the sweep fails: {told}")
        if f"{mutant.family}: 0 of 0 records" in told:
            sys.exit(f"{mutant.family}.td has no {mutant.mnemonic}")
        if mutant.number and not result.returncode:
            survivors += 1
            print(f"NOT NOTICED {mutant.number}: {mutant.mnemonic}: {mutant.new}    instead of    {mutant.old}")
        else:
            print(f"{mutant.number}: {told}", flush=True)
    print(f"{len(mutants)} mistakes, {survivors} not noticed")
    sys.exit(bool(survivors))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Assembles every combination of modifier values that a record rules out (Formats.td: Only), and fails unless each is
refused with one error at the modifier that does not fit, which names those that do.

usage: refusals.py ISA.json LENO_AS FILE      (FILE: where the text is written)
"""
import itertools
import re
import subprocess
import sys

from sweep import InstructionSet, operand_texts


def broken_rule(rules, values):
    """The first rule that the values break, as (the modifier that does not fit, what it may be), or None."""
    for rule in rules:
        *condition, result = [term.strip().split("=") for term in rule.split(":")]
        name, allowed = result[0], result[1].split(",")
        if all(values[when] in those.split(",") for when, those in condition) and values[name] not in allowed:
            return name, allowed
    return None


def refused_statements(isa, inst):
    """(text, column of the modifier that does not fit, what it may be, or "no" and what it is) of every combination that is
    ruled out."""
    head = inst.asm.split("\t")[0].split("$")[1:]
    mods = [inst.operand(name) for name in head if inst.operand(name).is_mod]
    operands = ", ".join(next(t for t in operand_texts(isa, inst, o) if t) for o in inst.text_operands())
    for values in itertools.product(*(isa.groups[m.kind].spellings for m in mods)):
        chosen = {m.name: value for m, value in zip(mods, values)}
        broken = broken_rule(isa.records[inst.name]["Only"], chosen)
        if not broken:
            continue
        text = "@P0 " + inst.mnemonic
        for name, value in chosen.items():
            if name == broken[0]:
                column = len(text) + 2
            text += f".{value}" if value else ""
        yield f"{text} {operands}", column, broken[1] if any(broken[1]) else ["no", chosen[broken[0]]]


def main():
    isa_path, assembler, path = sys.argv[1:]
    isa = InstructionSet.read(isa_path)
    expected = [row for inst in isa.instructions for row in refused_statements(isa, inst)]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(text + "\n" for text, _, _ in expected)
    result = subprocess.run([assembler, "-c", path, "-o", path + ".o"], capture_output=True, text=True)
    if result.returncode != 1:
        sys.exit(f"exit status {result.returncode}")
    errors = {int(line): (int(column), text)
              for line, column, text in re.findall(r"\.s:(\d+):(\d+): error: (.*)", result.stderr)}
    failed = 0
    for number, (text, column, allowed) in enumerate(expected, 1):
        at, message = errors.pop(number, (0, "no error"))
        names = re.findall(r" \.(\w+)", message.split(", not ")[0])
        names = ["no", *names] if " takes no ." in message else names
        if at != column or names != allowed:
            failed += 1
            print(f"{text}: expected an error in column {column} that names {' '.join(allowed)}; got {at}: {message}")
    print(f"{len(expected)} combinations, {failed} not refused as they should be, {len(errors)} other errors")
    sys.exit(bool(failed or errors or not expected))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""incomplete_records.py GEN JSON: records that lack a fact, or tell one that is none, end the generator with their name.

GEN is isa/gen. Each row spoils one field of one record, and gives what must be said.
"""
import json
import sys

sys.path.insert(0, sys.argv[1])
from facts import write_facts
from records import InstructionSet

ROWS = [
    ("LDG", "Space", "", "LDG (Memory.td:"), ("LDG", "Space", "", "Space is ''; it must be one of global, shared"),
    ("STG", "Order", None, "other CTAs may see what it does, so Order must say"),
    ("STS", "Space", "shred", "Space is 'shred'"),
    ("STS", "Order", ["tells"], "no other CTA reaches its shared memory"),
    ("ATOM", "Order", ["opp=inc: tells"], "Order names a modifier operand that it has not: opp=inc"),
    ("ATOM", "Order", ["op=inch: tells"], "Order names 'inch', no value of $op"),
    ("ATOM_U64_CAS", "Bytes", 0, "Bytes or one modifier whose group has Bytes must tell"),
    ("MEMBAR", "Order", None, "so Order must say"),
    ("LDLK", "Lock", "grab", "Lock is 'grab'; it must be one of take, give"),
    ("BAR_SYNC", "Waits", None, "it is a barrier, so Waits must say"),
    ("BRA", "Flow", "next", "it has a $target, so its record must say where control goes"),
    ("EXIT", "Flow", "leave", "Flow is 'leave'; it must be one of next, branch"),
    ("EXIT", "Traps", ["BOOM: always"], "the kind of a trap is 'BOOM'"),
    ("R2P_I", "Writes", ["Q"], "there is no state 'Q'"),
    ("R2P_I", "Writes", ["P:rx"], "its state is picked by $rx, an operand that it has not"),
    ("IADD_R", "Space", "global", "it has a Space, but neither an address nor mayLoad or mayStore"),
    ("LDG", "Flow", "branch", "its Flow is branch, but it has neither $target nor $address"),
]


def said(records):
    try:
        write_facts(InstructionSet(records), [])
    except SystemExit as end:
        return str(end)
    return "nothing"


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        records = json.load(file)
    bad = 0
    for name, field, value, expected in ROWS:
        spoilt = {**records, name: {**records[name], field: value}}
        if expected not in (message := said(spoilt)):
            bad += 1
            print(f"{name} with {field} = {value!r}: expected '{expected}', got '{message}'")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()

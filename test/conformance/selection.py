"""Which cases a record gets: all pairs of its modifiers, operand shapes and guards, from the TableGen list; and what of
that list the cases cover."""
import itertools
import math
import os
import sys
from types import SimpleNamespace

from cases import Case
from covering import pairwise
from machine import HINTS, MODELS, WARP_MODELS
from memory_cases import ADDRESS_BITS, MemoryCase, address_shapes, is_memory
from operands import DESTINATIONS, Shape, source_shapes, special_registers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "isa", "gen"))
from records import InstructionSet, special_text  # noqa: E402, F401

GUARDS = ("none", "true", "false", "mixed")
# Shapes of operands that leave little to see; the covering has them, the dense rows do not.
POOR = {"RZ", "-RZ", "~RZ", "PT", "!PT", "absent"}
# Rows of each combination of modifiers whose operands all lanes read and write: some of few combinations, one of more; of
# too many only those of the covering.
DENSE, DENSE_LIMIT = 3, 200
PRODUCT_LIMIT = 36  # so many combinations of modifiers are all tried, of more all pairs


def family_of(isa, inst):
    return isa.records[inst.name]["!locs"][0].split(".")[0]


def families(isa):
    """File name of the records -> records, aliases too."""
    result = {}
    for inst in isa.instructions:
        result.setdefault(family_of(isa, inst), []).append(inst)
    return result


def guard_classes(inst):
    return ("true", "false", "mixed") if inst.guarded else ("true",)


def modifier_combinations(isa, inst):
    """Every combination of modifiers the record allows (Formats.td: Only), as dicts by operand name."""
    groups = {o.name: isa.groups[o.kind].spellings for o in inst.mods}
    every = [dict(zip(groups, choice)) for choice in itertools.product(*groups.values())]
    return [c for c in every if is_allowed(isa.records[inst.name].get("Only", []), c)]


def is_allowed(rules, combination):
    """A rule is "type=u32,u64", or with a condition "op=inc,dec: type=u32"."""
    def holds(term):
        name, values = term.strip().split("=")
        return combination[name] in values.split(",")
    return all(holds(rule.split(":")[-1]) for rule in rules if ":" not in rule or holds(rule.split(":")[0]))


def flag_tests(isa, inst):
    """The tests of the flags that a branch may name in front of its target."""
    named = [o for o in inst.operands if o.kind == "FlagTest"]
    return [s.lower() for s in isa.groups["ModCCTest"].spellings] if named else []


def modifier_values(isa, inst):
    """(operand name, spelling) of every modifier value; one pair of empty strings when the record has none."""
    if not isa.records[inst.name].get("Only"):
        return [(o.name, s) for o in inst.mods for s in isa.groups[o.kind].spellings] + [
            ("test", test) for test in flag_tests(isa, inst)] or [("", "")]
    return sorted({pair for combination in modifier_combinations(isa, inst) for pair in combination.items()})


def coverage_keys(isa, inst):
    return {f"{inst.name} {name}={spelling or '-'} {guard}" if name else f"{inst.name} {guard}"
            for name, spelling in modifier_values(isa, inst) for guard in guard_classes(inst)}


class Hole(Exception):
    """Why an instruction cannot be swept."""


def factors_of(isa, inst):
    """The factors of the covering: the modifiers, the shape of each operand, the guard."""
    groups = {o.name: isa.groups[o.kind].spellings for o in inst.mods}
    product = 1
    for spellings in groups.values():
        product *= len(spellings)
    factors = {}
    if product <= PRODUCT_LIMIT or isa.records[inst.name].get("Only"):
        factors["mods"] = modifier_combinations(isa, inst)
    else:
        factors.update({"." + name: spellings for name, spellings in groups.items()})
    outs = {name for _, name in isa.records[inst.name]["OutOperandList"]["args"]}
    for operand in inst.text_operands():
        if operand.kind == "Special":
            shapes = [Shape(name, lambda slot, name=name, value=value: special_registers(
                SimpleNamespace(special=(special_text(name), value)))) for value, name, _ in isa.special]
        elif operand.kind in ADDRESS_BITS or operand.kind == "ConstAddress":
            shapes = address_shapes(operand.kind)
        else:
            shapes = (DESTINATIONS.get(operand.kind) if operand.name in outs
                      else source_shapes(operand.kind, isa.records.get(operand.kind)))
        if not shapes:
            raise Hole(f"operands.py has no text for an operand of kind {operand.kind}")
        factors[operand.name] = shapes
    if inst.guarded:
        factors["guard"] = list(GUARDS)
    return factors


def rows_of(isa, inst, rng):
    rows = pairwise(factors_of(isa, inst), rng)
    for row in rows:
        row.setdefault("mods", {name[1:]: value for name, value in row.items() if name.startswith(".")})
    return rows


def dense_rows(isa, inst, covering, rng):
    """Rows that show much, on operands of each lane's own: all combinations of modifiers, executed by every lane; then every
    value of a modifier with guards that keep lanes from it. `covering`: the combinations that the covering has."""
    factors = factors_of(isa, inst)
    plain = {"S": ""} if any(o.name == "S" for o in inst.mods) else {}
    count = math.prod(len(isa.groups[o.kind].spellings) for o in inst.mods if o.name != "S")
    chosen = modifier_combinations(isa, inst) if count <= DENSE_LIMIT else covering
    combinations = list({tuple(sorted({**mods, **plain}.items())): {**mods, **plain} for mods in chosen}.values())
    repeats = DENSE if len(combinations) <= PRODUCT_LIMIT else 1
    rich = {name: [s for s in shapes if repr(s) not in POOR] or shapes for name, shapes in factors.items()
            if name not in ("mods", "guard") and name[0] != "."}

    def row(mods, guard):
        return dict({name: rng.choice(shapes) for name, shapes in rich.items()}, mods=mods, guard=guard)
    return [row(mods, "none") for mods in combinations for _ in range(repeats)] + [
        row(rng.choice([mods for mods in covering if not name or mods[name] == spelling]), guard)
        for name, spelling in modifier_values(isa, inst) for guard in guard_classes(inst)[1:]]


def cases_of(isa, inst, rng):
    if inst.mnemonic not in MODELS and inst.mnemonic not in WARP_MODELS:
        raise Hole("the model does not know it")
    kind = MemoryCase if is_memory(inst) else Case
    rows = rows_of(isa, inst, rng)
    rows += dense_rows(isa, inst, [row["mods"] for row in rows], rng)
    return [kind(isa, inst, row, HINTS.get(inst.mnemonic, {}), rng) for row in rows]


def random_case(isa, inst, mods, rng):
    """A case with these modifiers, and the others and the operands by chance; every lane executes it."""
    factors = factors_of(isa, inst)
    row = {name: rng.choice(values) for name, values in factors.items() if values}
    choices = [c for c in factors.get("mods", []) if mods.items() <= c.items()]
    row["mods"] = rng.choice(choices) if choices else {
        **{name[1:]: value for name, value in row.items() if name.startswith(".")}, **mods}
    row["guard"] = "none"
    return Case(isa, inst, row, HINTS.get(inst.mnemonic, {}), rng)

"""Whether the operands of the sweep show what a modifier does. Value a is told from b when some lane of some case with a
would have another result, by the model, with b: an engine that took a for b is found out. A modifier whose cases never
show that is not covered.

Left out: modifiers that size an operand or do not change results (.S, hints), and memory, whose models change what they
read.
"""
from types import SimpleNamespace

from machine import MODELS, WARP_MODELS
from memory_cases import MemoryCase
from selection import is_allowed

NO_RESULT = {"S", "U"}
ATTEMPTS = 1000


def told_modifiers(inst):
    """The modifiers whose values results must tell apart."""
    sizing = {count.name for count in inst.wide.values() if not isinstance(count, int)}
    return [o for o in inst.mods if o.name not in NO_RESULT | sizing]


def pairs_of(isa, inst):
    """What is to be told apart in a record: (operand, value, other value)."""
    rules = isa.records[inst.name].get("Only", [])
    pairs = set()
    for operand in told_modifiers(inst):
        spellings = isa.groups[operand.kind].spellings
        pairs |= {(operand.name, a, b) for a in spellings for b in spellings if a != b}
    return set() if rules else pairs - same_results(inst)


def same_results(inst):
    """Pairs that no result can tell apart."""
    same = set()
    names = {o.name for o in inst.text_operands()}
    if inst.mnemonic == "MEMBAR":
        same |= {("scope", a, b) for a in ("CTA", "GL", "SYS") for b in ("CTA", "GL", "SYS")}
    if inst.operand("post") and "rc" not in names:  # nothing to add to
        same |= {("post", "full", "add"), ("post", "add", "full")}
    return same


class Telling:
    """What the cases of one sweep have told apart so far."""

    def __init__(self, isa):
        self.isa, self.told, self.wanted = isa, {}, {}

    def open_pairs(self, inst):
        if inst.name not in self.wanted:
            self.wanted[inst.name] = pairs_of(self.isa, inst)
            self.told[inst.name] = set()
        return self.wanted[inst.name] - self.told[inst.name]

    def look(self, case, warps):
        """`warps`: for each CTA the executing lanes' views."""
        if isinstance(case, MemoryCase):
            return
        for pair in self.open_pairs(case.inst):
            name, value, other = pair
            if case.mods[name] != value:
                continue
            if not is_allowed(self.isa.records[case.inst.name].get("Only", []), dict(case.mods, **{name: other})):
                continue
            changed = SimpleNamespace(**vars(case.m))
            setattr(changed, name, self.value_of(case, name, other))
            if any(outcome(case, case.m, lanes) != outcome(case, changed, lanes) for lanes in warps if lanes):
                self.told[case.inst.name].add(pair)

    def seek(self, inst, draw):
        """More cases, drawn until they tell what is open, or many did not. `draw(modifiers)` gives a prepared case
        with those, and its executing lanes."""
        found = []
        for name, value, other in sorted(self.open_pairs(inst)):
            for _ in range(ATTEMPTS):
                if (name, value, other) in self.told[inst.name]:
                    break
                item, executing = draw({name: value})
                before = len(self.told[inst.name])
                self.look(item.case, executing)
                if len(self.told[inst.name]) > before:
                    found.append(item)
        return found

    def value_of(self, case, name, spelling):
        spellings = self.isa.groups[case.inst.operand(name).kind].spellings
        return bool(spelling) if len(spellings) == 2 and not spellings[0] else spelling.lower()

    def missing(self):
        return [f"{name}: no result tells {operand}={a or '-'} from {b or '-'}"
                for name in sorted(self.wanted) for operand, a, b in sorted(self.wanted[name] - self.told[name])]


def outcome(case, mods, lanes):
    """What the lanes store. A value the model has no opinion of tells nothing."""
    if case.inst.mnemonic in WARP_MODELS:
        results = WARP_MODELS[case.inst.mnemonic](mods, lanes)
    else:
        results = [MODELS[case.inst.mnemonic](mods, view) for view in lanes]
    return [view.write(case.operands, result) for view, result in zip(lanes, results)]

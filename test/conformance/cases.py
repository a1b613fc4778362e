"""One statement with the operands of all its lanes."""
from types import SimpleNamespace

# Where a case keeps its operands: each name has a quad of registers of its own.
QUADS = {"rd": 8, "ra": 16, "rb": 20, "rc": 24, "rs": 28}


class Case:
    """One statement with the operands of all its lanes."""

    serial = 0

    def __init__(self, isa, inst, row, hints, rng):
        Case.serial += 1
        self.serial, self.hints = Case.serial, hints
        self.isa, self.inst, self.rng = isa, inst, rng
        self.mods = {o.name: row["mods"][o.name] for o in inst.mods}
        self.m = SimpleNamespace(**{o.name: self.modifier(o) for o in inst.mods})
        self.guard_mode = row.get("guard", "none")
        self.make_guard()
        self.destinations = {name for _, name in isa.records[inst.name]["OutOperandList"]["args"]}
        self.operands = {}
        for operand in inst.text_operands():
            self.operands[operand.name] = row[operand.name].make(self.slot(operand))
        self.text = self.statement()
        flagged = {f: {n for n, o in self.operands.items() if f in o.flags} for f in ("neg", "abs", "inv")}
        self.signs = flagged

    def tells(self):
        """Whether something keeps a result: not RZ or PT alone."""
        kept = [o for name, o in self.operands.items() if name in self.destinations and (
            o.register not in (None, 255) or o.predicate not in (None, 7))]
        return bool(kept or not self.destinations or self.mods.get("CC"))

    def modifier(self, operand):
        spelling, spellings = self.mods[operand.name], self.isa.groups[operand.kind].spellings
        return bool(spelling) if len(spellings) == 2 and not spellings[0] else spelling.lower()

    def make_guard(self):
        rng = self.rng
        self.guard = rng.randrange(7)
        self.guard_inverted = bool(rng.getrandbits(1))
        sign = "!" if self.guard_inverted else ""
        self.guard_text = f"@{sign}P{self.guard} "
        if self.guard_mode == "none":
            self.guard_text = ""
        elif self.guard_mode in ("true", "false") and rng.randrange(4) == 0:
            self.guard_text = "@PT " if self.guard_mode == "true" else "@!PT "
            self.guard = 7

    @property
    def guard_class(self):
        return "true" if self.guard_mode == "none" else self.guard_mode

    def words(self, name):
        count = self.inst.wide.get(name, 1)
        if isinstance(count, int):
            return count
        group = self.isa.groups[count.kind]
        return group.registers[group.spellings.index(self.mods[count.name])]

    def slot(self, operand):
        alias = next((QUADS[n] for n in ("ra", "rb", "rc") if self.inst.operand(n)), QUADS["ra"])
        rd = self.operands.get("rd")
        return SimpleNamespace(register=QUADS.get(operand.name), words=self.words(operand.name), alias=alias,
                               destination=rd and rd.register, rng=self.rng, constants=self.isa.constants)

    def statement(self):
        head = self.inst.asm.split("\t")[0].split("$")[1:]
        mods = "".join("." + self.mods[n] for n in head if self.mods.get(n))
        operands = [self.operands[o.name].text for o in self.inst.text_operands()]
        text = f"{self.guard_text}{self.inst.mnemonic}{mods} {', '.join(t for t in operands if t is not None)}"
        return text.strip()

    def loaded(self):
        """The registers the statement reads, each with the name of its operand."""
        return {o.register: (name, o.words) for name, o in self.operands.items()
                if o.register not in (None, 255) and name not in self.destinations}

    def hint_of(self, name):
        return self.hints.get(name, self.hints.get("", "int"))

    def around(self, label):
        """The statement as it stands in the kernel: .S leaves the warp to what waits for its lanes, so a SYNC entry is
        there, and the lanes that do not execute it join behind it."""
        if not self.m.__dict__.get("S"):
            return [self.text]
        return [f"SSY {label}", self.text, "SYNC", label + ":"]

    def written_quad(self):
        rd = self.operands.get("rd")
        if rd is None or rd.register in (None, 255):
            return QUADS["rd"]
        return rd.register & ~3

    def runs(self, word):
        """Whether a lane with this predicate register executes the statement."""
        if self.guard_mode == "none":
            return True
        return bool(word >> self.guard & 1 if self.guard < 7 else 1) != (
            self.guard_text.startswith("@!"))

    def predicate_word(self, rng):
        word = rng.getrandbits(12) & 0xF7F
        if self.guard < 7 and self.guard_mode in ("true", "false"):
            bit = (self.guard_mode == "true") != self.guard_inverted
            word = word & ~(1 << self.guard) | bit << self.guard
        return word

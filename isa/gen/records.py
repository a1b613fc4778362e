"""The instruction set as Python objects, read from `llvm-tblgen --dump-json`.

One truth per fact: everything generated outside LLVM's own backends (modifier
structs, assembler tables, predecoder, manual) starts from these objects.
"""
import json
import re


class ModGroup:
    """A modifier group (Modifiers.td): the spellings of a small field."""

    def __init__(self, record):
        self.name = record["GroupName"]
        self.spellings = record["Spellings"]
        self.implicit = record["Implicit"]
        self.hot = bool(record["Hot"])
        self.what = record["What"]
        self.type = record["CppType"]
        self.registers, self.bytes = record["Registers"], record["Bytes"]
        self.reads, self.writes = record["Reads"], record["Writes"]
        self.says = record["Says"]
        self.synonyms = record["Synonyms"]  # by value; taken, never printed

    def enumerators(self):
        return [enumerator(s) for s in self.spellings]


def enumerator(spelling):
    """A C++ name for a spelling: upper case, no leading digit, no macro's name."""
    name = spelling.upper() or "NONE"
    if name[0].isdigit():
        name = "B" + name
    return name + "_" if name in ("NAN", "OVERFLOW") else name


class Operand:
    """One operand of an instruction: its name, kind and first MCInst index."""

    def __init__(self, name, kind, record, index, is_out):
        self.name, self.kind, self.index, self.is_out = name, kind, index, is_out
        parts = record.get("MIOperandInfo", {}).get("args", []) if record else []
        self.parts = [p[1] for p in parts]
        self.size = max(1, len(parts))
        self.is_mod = kind.startswith("Mod")
        self.field = record.get("Field", "") if record else ""  # C++ type of an immediate that lane functions read
        self.width = record.get("Width", 0) if record else 0  # its bits
        cls = record.get("ParserMatchClass") if record else None
        self.match_class = cls["def"] if cls else None


class Instruction:
    """One encoding: a record of class LenoInst."""

    def __init__(self, record, records):
        self.name = record["!name"]
        self.mnemonic = record["Mnemonic"]
        self.semantic = record["Semantic"]
        self.klass = record["Class"]
        self.summary = record["Summary"]
        self.meaning = record["Meaning"]
        self.traps = record["Traps"]
        self.example = record["Example"]
        # Where the record stands: the file is its family, the line its place in it.
        place = next(l for l in record["!locs"] if l.rsplit("/")[-1].split(":")[0][:-3] != "Formats")
        self.file, self.line = place.rsplit("/")[-1].split(":")[:2]
        self.asm = record["AsmString"]
        self.bits = record["Inst"]
        self.form = sum(b << i for i, b in enumerate(self.bits[55:57]) if isinstance(b, int))
        self.asm_only = bool(record["isAsmParserOnly"])
        self.sets = record["Sets"]  # modifier fields this encoding has always set
        self.guarded = "$guard" in self.asm
        self.cold = record["Cold"]
        # Facts (Formats.td); None where the record says nothing.
        self.flow, self.reads, self.writes = record["Flow"], record["Reads"], record["Writes"]
        self.space, self.lock, self.bytes = record["Space"], record["Lock"], record["Bytes"]
        self.waits, self.order = record["Waits"], record["Order"]
        self.loads, self.stores = record["mayLoad"] == 1, record["mayStore"] == 1
        self.distinct = bool(record["Distinct"])
        self.touches_more = any(record[f] == 1 for f in ("mayLoad", "mayStore", "hasSideEffects"))
        self.outs = [name for _, name in record["OutOperandList"]["args"]]
        self.operands = []
        index = 0
        for dag in ("OutOperandList", "InOperandList"):
            for arg, name in record[dag]["args"]:
                kind = arg["def"]
                operand = Operand(name, kind, records.get(kind), index, dag == "OutOperandList")
                if kind in ("GPR", "PR"):
                    operand.size, operand.match_class = 1, kind
                self.operands.append(operand)
                index += operand.size
        # Operand name -> how many registers it fills: a number, or the modifier operand that tells.
        self.wide = {}
        for entry in record["Wide"]:
            name, count = entry.split("=")
            self.wide[name] = int(count) if count.isdigit() else self.operand(count)
            if not self.operand(name) or not self.wide[name]:
                raise SystemExit(f"{self.name}: Wide names an operand that it has not: {entry}")

        self.only = [self.rule(text) for text in record["Only"]]

    def rule(self, text):
        """A row of Only: (condition operand or None, its values, operand, its values)."""
        parts = [part.strip().split("=") for part in text.split(":")]
        rows = [(self.operand(name), values.split(",")) for name, values in parts]
        if any(operand is None for operand, _ in rows):
            raise SystemExit(f"{self.name}: Only names an operand that it has not: {text}")
        return (*(rows[0] if len(rows) == 2 else (None, [])), *rows[-1])

    def allows(self, values):
        """Whether spellings, by the name of their modifier operand, go together."""
        return all(condition and values[condition.name] not in when or values[operand.name] in allowed
                   for condition, when, operand, allowed in self.only)

    def operand(self, name):
        return next((o for o in self.operands if o.name == name), None)

    @property
    def mods(self):
        return [o for o in self.operands if o.is_mod]

    def text_operands(self):
        """Operands in the order they are written."""
        text = self.asm.split("\t")[1] if "\t" in self.asm else ""
        return [self.operand(name) for name in re.findall(r"\$(\w+)", text)]


class InstructionSet:
    @classmethod
    def read(cls, path):
        with open(path, encoding="utf-8") as file:
            return cls(json.load(file))

    def __init__(self, records):
        self.records = records
        kinds = records["!instanceof"]
        self.groups = {n: ModGroup(records[n]) for n in kinds["ModGroup"]}
        self.instructions = [Instruction(records[n], records) for n in kinds["LenoInst"]]
        self.instructions.sort(key=lambda i: (i.mnemonic, i.form, i.name))
        self.special = sorted(((records[n]["Value"], n, records[n]["Summary"]) for n in kinds["SpecialRegister"]),
                              key=lambda s: bits(s[0]))
        self.special = [(bits(v), n, s) for v, n, s in self.special]
        self.directives = self.as_written(kinds["Directive"])  # dictionaries, as the elements
        self.elements = self.as_written(kinds["ElementType"])
        self.check_opcode_plan(kinds["Opcode"])

    def as_written(self, names):
        """Records by their line; those of one line by name."""
        line = lambda record: int(record["!locs"][-1].rsplit(":", 1)[1])
        return sorted((self.records[n] for n in names), key=lambda record: (line(record), record["!name"]))

    def check_opcode_plan(self, names):
        seen = {}
        for name in names:
            value = bits(self.records[name]["Value"])
            if value in seen:
                raise SystemExit(f"Opcodes.td: {name} and {seen[value]} share opcode {value:#x}")
            if value == 0:
                raise SystemExit(f"Opcodes.td: {name} takes opcode 0, which stays undefined")
            seen[value] = name

    def match_class(self, name):
        return self.records[name]

    def semantics(self):
        """Semantic name -> its encodings, in a fixed order."""
        result = {}
        for inst in self.instructions:
            result.setdefault(inst.semantic, []).append(inst)
        return dict(sorted(result.items()))


def bits(value):
    return sum(b << i for i, b in enumerate(value)) if isinstance(value, list) else value


def special_text(name):
    """SR_TID_X is written SR_TID.X."""
    return name[:-2] + "." + name[-1] if name[-2:] in ("_X", "_Y", "_Z") else name

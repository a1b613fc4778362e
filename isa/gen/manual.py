#!/usr/bin/env python3
"""Writes the ISA manual from the records: Markdown, one page a family and a front page.

usage: manual.py JSON OUTPUT_DIR     write Manual.md and manual/*.md
       manual.py JSON --holes        tell which records lack their text (exit status 1 when any does)
       manual.py JSON --examples     print every record's example, one after the other
"""
import os
import re
import sys
import textwrap

from records import InstructionSet, bits, special_text

MADE = "<!-- Made from isa/*.td by isa/gen/manual.py: do not edit. -->\n"
REGISTER_KINDS = ("GPR", "OptRegDest", "OptRegSource")


def family_title(directory, file):
    """The words after the name in a .td file's first line, without the sources it names."""
    with open(os.path.join(directory, file), encoding="utf-8") as source:
        title = re.sub(r"^//===- \S+ - (.*?) -*===//$", r"\1", source.readline().strip())
    return re.sub(r" (\[S\d\]|\(Architecture\.md[^)]*\))$", "", title)


def shared_texts(directory):
    """The names of the .td files' global values."""
    names = set()
    for file in os.listdir(directory):
        if file.endswith(".td"):
            with open(os.path.join(directory, file), encoding="utf-8") as source:
                names.update(re.findall(r"^defvar (\w+) =", source.read(), re.M))
    return names


def included(directory):
    """The .td files in the order of the root file."""
    with open(os.path.join(directory, "Leno.td"), encoding="utf-8") as root:
        return re.findall(r'^include "(\w+\.td)"', root.read(), re.M)


def anchor(heading):
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


class Field:
    """A run of bits of the word: fixed ones, or a slice of an operand."""

    def __init__(self, high, low, label):
        self.high, self.low, self.label = high, low, label

    @property
    def place(self):
        return str(self.high) if self.high == self.low else f"{self.high}-{self.low}"


def sign_label(operand, index):
    """Sources carry their signs above a payload of 20 bits (Formats.td)."""
    if index < 20 or not operand.kind.startswith(("Reg", "Const")) or operand.kind == "ConstAddress":
        return None
    if index == 21:
        return f"|{operand.name}|"
    return ("~" if operand.kind.endswith("I") else "-") + operand.name


def layout(inst):
    """The fields of an encoding from bit 63 down."""
    cells = []
    for position in range(63, -1, -1):
        bit = inst.bits[position]
        if isinstance(bit, int):
            cells.append(("fixed", bit))
            continue
        name = bit["var"] if "var" in bit else bit["printable"]
        index = bit.get("index", 0)
        operand = inst.operand(name)
        is_register = operand and (operand.kind in REGISTER_KINDS or operand.kind.startswith("Reg"))
        if is_register and 8 <= index < 20:
            cells.append(("fixed", 0))  # a register is a number of 8 bits
        elif operand and operand.kind.endswith("Imm20") and index >= 20:
            cells.append(("fixed", 0))
        elif operand and "Part" in operand.kind and index >= 22:
            cells.append((name + ".part", index - 22))
        elif operand and sign_label(operand, index):
            cells.append((sign_label(operand, index), 0))
        else:
            cells.append((name, index))
    fields, start = [], 0
    while start < 64:
        end = start
        name = cells[start][0]
        while end + 1 < 64 and cells[end + 1][0] == name and (
                name == "fixed" and 63 - end not in (57, 55) or
                name != "fixed" and cells[end + 1][1] == cells[end][1] - 1):
            end += 1
        if name == "fixed":
            label = "".join(str(c[1]) for c in cells[start:end + 1])
        else:
            high, low = cells[start][1], cells[end][1]
            top = max(c[1] for c in cells if c[0] == name)
            label = name if (high, low) == (top, 0) else f"{name}[{high}:{low}]" if high > low else f"{name}[{high}]"
        fields.append(Field(63 - start, 63 - end, label))
        start = end + 1
    return fields


def diagram(inst, label):
    top, bottom = [], []
    for field in layout(inst):
        width = max(len(field.place), len(field.label))
        top.append(field.place.ljust(width))
        bottom.append(field.label.ljust(width))
    lines = ([label] if label else []) + [" ".join(top).rstrip(), " ".join(bottom).rstrip()]
    return "\n".join("    " + line for line in lines) + "\n"


class Manual:
    def __init__(self, isa, directory):
        self.isa, self.directory = isa, directory
        self.by_mnemonic = {}
        for inst in sorted(isa.instructions, key=lambda i: (i.file, int(i.line), i.form, i.name)):
            self.by_mnemonic.setdefault(inst.mnemonic, []).append(inst)
        self.real = {m: [i for i in e if not i.asm_only] for m, e in self.by_mnemonic.items()}
        self.real = {m: e for m, e in self.real.items() if e}
        used = {e[0].file for e in self.real.values()}
        self.files = [file for file in included(directory) if file in used]

    def expects(self, operand):
        known = {"GPR": "a register", "PR": "a predicate"}
        return known.get(operand.match_class) or self.isa.match_class(operand.match_class)["Expects"]

    def is_optional(self, operand):
        return operand.match_class not in ("GPR", "PR") and bool(self.isa.match_class(operand.match_class)["IsOptional"])

    def syntax(self, inst):
        """One line: guard, mnemonic, modifiers, operands, as people write them."""
        text = ("{@{!}Pg} " if inst.guarded else "") + inst.mnemonic
        head = inst.asm.split("\t")[0].split("$")[1:]
        for operand in (inst.operand(name) for name in head):
            if not operand.is_mod or operand.name == "S":
                continue
            group = self.isa.groups[operand.kind]
            written = [f".{s}" for s in group.spellings if s]
            choice = "|".join(written) if len(written) <= 4 else f".{operand.name}"
            text += "{" + choice + "}" if group.implicit >= 0 else choice if len(written) == 1 else f"({choice})"
        text += "{.S}" if inst.operand("S") else ""
        operands = ""
        for operand in inst.text_operands():
            name = name_of(operand.name)
            if not self.is_optional(operand):
                operands += (", " if operands and not operands.endswith("{") and not operands.endswith(", }") else "") + name
            elif self.leads(operand):
                operands += "{" + name + ", }"
            else:
                operands += "{, " + name + "}" if operands else "{" + name + "}"
        return (text + " " + operands).strip() + ";"

    def leads(self, operand):
        """An operand that may be absent prints its separator itself: in front of what follows, or behind what was."""
        printed = (self.isa.records.get(operand.kind) or {}).get("PrintMethod", "")
        return printed in ("printLeadingPredDest", "printOptRegDest", "printFlagTest")

    def label(self, inst, encodings):
        """What sets an encoding apart from the others of its mnemonic."""
        parts = []
        for operand in inst.text_operands():
            kinds = {self.expects(o) if o else None for o in (e.operand(operand.name) for e in encodings)}
            if len(kinds) > 1:
                parts.append(f"{name_of(operand.name)} {self.expects(operand)}")
        return ", ".join(parts)

    def operand_rows(self, encodings):
        rows = {}
        for inst in encodings:
            for operand in inst.text_operands():
                what = self.expects(operand)
                if is_register(operand) or operand.kind.startswith("Const"):
                    what += count_text(self.isa, inst.wide.get(operand.name))
                what += "; may be left out" if self.is_optional(operand) else ""
                rows.setdefault(operand.name, [])
                if what not in rows[operand.name]:
                    rows[operand.name].append(what)
        return rows

    def modifier_rows(self, encodings):
        """Rows of the table: text, field and value in the word, what it is or means."""
        seen, rows = [], []
        for inst in encodings:
            for operand in inst.mods:
                if operand.name == "S" or operand.name in seen:  # every page says .S once, in front
                    continue
                seen.append(operand.name)
                group = self.isa.groups[operand.kind]
                if not group.says:
                    spellings = " ".join(f"`.{x}`" for x in group.spellings if x)
                    rows.append((spellings, f"`{operand.name}`" + (" = 1" if group.type == "bool" else ""), group.what))
                    continue
                for value, (spelling, says) in enumerate(zip(group.spellings, group.says)):
                    text = f"`.{spelling}`" if spelling else "nothing"
                    text += f" or `.{group.synonyms[value]}`" if group.synonyms else ""
                    text += " (implied)" if value == group.implicit and spelling else ""
                    rows.append((text, f"`{operand.name}` = {value}", says if value else f"{group.what}: {says}"))
        return rows

    def rules(self, encodings):
        """The pairs of modifiers a record rules out, in words."""
        for condition, when, operand, allowed in encodings[0].only:
            values = ", ".join(f"`.{x}`" for x in allowed)
            if condition:
                yield f"With {', '.join(f'`.{x}`' for x in when)} only {values}."
            else:
                yield f"Of `{operand.name}` it takes only {values}."

    def section(self, mnemonic):
        encodings = self.real[mnemonic]
        first = encodings[0]
        out = [f"## {mnemonic}\n", f"*{first.summary[:1].upper() + first.summary[1:]}.*\n"]
        lines = []
        for inst in self.by_mnemonic[mnemonic]:  # other spellings of it too
            line = "    " + self.syntax(inst)
            if line not in lines:
                lines.append(line)
        out.append("\n".join(lines) + "\n")
        rows = self.operand_rows(encodings)
        if rows:
            out.append("| operand | is |\n|---|---|\n" + "\n".join(
                f"| `{name_of(name)}` | {cell(' *or* '.join(kinds))} |" for name, kinds in rows.items()) + "\n")
        mods = self.modifier_rows(encodings)
        if mods:
            out.append("| modifier | field | is |\n|---|---|---|\n" + "\n".join(
                f"| {cell(text)} | {field} | {cell(what)} |" for text, field, what in mods) + "\n")
        out += [" ".join(self.rules(encodings)) + "\n"] if first.only else []
        meaning = re.sub(r"\n{3,}", "\n\n", textwrap.dedent(first.meaning).strip("\n").rstrip())
        out.append("**Meaning.**" + ("\n\n" if meaning[0] == " " else " ") + meaning + "\n")
        if first.traps:
            out.append("**Traps.**\n\n" + "\n".join(f"- {trap}" for trap in first.traps) + "\n")
        out.append("**Example.**\n\n" + textwrap.indent(textwrap.dedent(first.example).strip("\n"), "    ") + "\n")
        out.append("**Encoding.**\n")
        out += [diagram(inst, self.label(inst, encodings)) for inst in encodings]
        return "\n".join(out)

    def aliases(self, file):
        rows = {}
        for inst in self.isa.instructions:
            if inst.asm_only and inst.file == file:
                rows.setdefault(inst.mnemonic, inst.summary)
        return rows

    def page(self, file):
        out = [MADE, f"# {family_title(self.directory, file)}\n", "[The manual](../Manual.md)\n"]
        members = [m for m, e in self.real.items() if e[0].file == file]
        out.append(" · ".join(f"[{m}](#{anchor(m)})" for m in members) + "\n")
        out += [self.section(m) for m in members]
        rows = self.aliases(file)
        if rows:
            out.append("## Other spellings\n\nThe assembler takes them; the disassembler prints the instruction.\n\n"
                       "| written | is |\n|---|---|\n" + "\n".join(f"| `{m}` | {cell(s)} |" for m, s in sorted(rows.items())) + "\n")
        return "\n".join(out)

    def place(self, mnemonic):
        return f"manual/{self.real[mnemonic][0].file[:-3]}.md#{anchor(mnemonic)}"

    def opcode_map(self):
        names = {}
        for mnemonic, encodings in self.real.items():
            for code in sorted({bits(inst.bits[57:64]) for inst in encodings}):
                names.setdefault(code, []).append(f"[{mnemonic}]({self.place(mnemonic)})")
        for record in self.isa.records["!instanceof"]["Opcode"]:
            names.setdefault(bits(self.isa.records[record]["Value"]), [f"*{record[3:]}*"])
        out = ["| | " + " | ".join(f"{c:X}" for c in range(16)) + " |\n|" + "---|" * 17]
        for row in range(8):
            out.append(f"| **{row}_** | " + " | ".join("<br>".join(names.get(row * 16 + c, [])) for c in range(16)) + " |")
        return "\n".join(out) + "\n"

    def index(self):
        """Every mnemonic and every other spelling, by the alphabet."""
        entries = {m: f"[`{m}`]({self.place(m)})" for m in self.real}
        for mnemonic, encodings in self.by_mnemonic.items():
            if mnemonic not in self.real:
                entries[mnemonic] = f"[`{mnemonic}`](manual/{encodings[0].file[:-3]}.md#other-spellings)"
        letters = {}
        for mnemonic in sorted(entries):
            letters.setdefault(mnemonic[0], []).append(entries[mnemonic])
        return "\n\n".join(f"**{letter}** " + " · ".join(links) for letter, links in letters.items()) + "\n"

    def front(self):
        with open(os.path.join(self.directory, "ManualIntroduction.md"), encoding="utf-8") as file:
            text = file.read()
        families = []
        for file in self.files:
            page = f"manual/{file[:-3]}.md"
            families.append(f"### [{family_title(self.directory, file)}]({page})\n")
            families.append("| instruction | |\n|---|---|\n" + "\n".join(
                f"| [`{m}`]({page}#{anchor(m)}) | {cell(e[0].summary)} |"
                for m, e in self.real.items() if e[0].file == file) + "\n")
        special = "| register | number | holds |\n|---|---|---|\n" + "\n".join(
            f"| `{special_text(name)}` | {value} | {cell(summary)} |" for value, name, summary in self.isa.special) + "\n"
        directives = "| directive | does |\n|---|---|\n" + "\n".join(
            f"| {d['Syntax']} | {d['Does']} |" for d in self.isa.directives if d["Syntax"])
        parts = {"DIRECTIVES": directives, "INSTRUCTIONS": "\n".join(families), "OPCODES": self.opcode_map(), "SPECIAL": special, "INDEX": self.index()}
        return MADE + "\n" + re.sub(r"^<!-- (\w+) -->$", lambda m: parts[m.group(1)].rstrip("\n"), text, flags=re.M)

    def write(self, target):
        os.makedirs(os.path.join(target, "manual"), exist_ok=True)
        pages = {"Manual.md": self.front()}
        pages.update({f"manual/{file[:-3]}.md": self.page(file) for file in self.files})
        for name, text in pages.items():
            with open(os.path.join(target, name), "w", encoding="utf-8") as file:
                file.write(text)

    def holes(self):
        """What a record lacks, in words."""
        names = shared_texts(self.directory)
        for group in self.isa.groups.values():
            if group.says and len(group.says) != len(group.spellings):
                yield f"Modifiers.td: {group.name} has {len(group.spellings)} spellings and says what {len(group.says)} mean"
            if group.synonyms and len(group.synonyms) != len(group.spellings):
                yield f"Modifiers.td: {group.name} has {len(group.spellings)} spellings and {len(group.synonyms)} synonyms"
        for inst in self.isa.instructions:
            for word in set(re.findall(r"\w+", inst.meaning)) & names:  # TableGen takes it so behind a #
                yield f"{inst.file}:{inst.line}: the Meaning of {inst.name} says \"{word}\": join texts by !strconcat, not by #"
        for mnemonic, encodings in self.real.items():
            first = encodings[0]
            for what in ("summary", "meaning", "example"):
                if not getattr(first, what).strip():
                    yield f"{first.file}:{first.line}: {mnemonic} has no {what.capitalize()}"
            if first.example and not re.search(rf"\b{re.escape(mnemonic)}\b", first.example, re.I):
                yield f"{first.file}:{first.line}: the Example of {mnemonic} does not show it"
            for inst in encodings[1:]:
                if (inst.meaning, inst.traps) != (first.meaning, first.traps):
                    yield f"{inst.file}:{inst.line}: {inst.name} and {first.name} tell different Meanings or Traps"


def name_of(name):
    """Operands as the syntax and the texts have them: destinations, and predicates."""
    return name.capitalize() if name in ("rd", "pu", "pv", "pp", "pq", "pr") else name


def is_register(operand):
    return operand.kind in REGISTER_KINDS or operand.kind.startswith("Reg")


def count_text(isa, wide):
    """Of an operand of several registers: how many."""
    if wide is None:
        return ""
    if isinstance(wide, int):
        return {2: "; a pair", 4: "; a quad"}[wide]
    group, sizes = isa.groups[wide.kind], {2: "a pair", 4: "a quad"}
    parts = [f"{sizes[n]} with " + ", ".join(f"`.{x}`" for x, r in zip(group.spellings, group.registers) if r == n)
             for n in (2, 4) if n in group.registers]
    return "; " + ", ".join(parts)


def cell(text):
    return text.replace("|", "\\|")


def main():
    manual = Manual(InstructionSet.read(sys.argv[1]), os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    if sys.argv[2] == "--examples":
        for encodings in manual.real.values():
            print(textwrap.dedent(encodings[0].example).strip("\n"))
    elif sys.argv[2] == "--holes":
        holes = list(manual.holes())
        print("\n".join(holes) if holes else f"every one of {len(manual.real)} instructions has its text")
        sys.exit(1 if holes else 0)
    else:
        manual.write(sys.argv[2])


if __name__ == "__main__":
    main()

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
    """The words after the name in a .td file's first line."""
    with open(os.path.join(directory, file), encoding="utf-8") as source:
        return re.sub(r"^//===- \S+ - (.*?) -*===//$", r"\1", source.readline().strip())


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


def diagram(inst):
    top, bottom = [], []
    for field in layout(inst):
        width = max(len(field.place), len(field.label))
        top.append(field.place.ljust(width))
        bottom.append(field.label.ljust(width))
    return "\n".join("    " + line for line in (inst.name, " ".join(top).rstrip(), " ".join(bottom).rstrip())) + "\n"


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
        operands = []
        for operand in inst.text_operands():
            name = {"rd": "Rd"}.get(operand.name, operand.name)
            operands.append("{" + name + "}" if self.is_optional(operand) else name)
        return (text + " " + ", ".join(operands)).strip() + ";"

    def operand_rows(self, encodings):
        rows = {}
        for inst in encodings:
            for operand in inst.text_operands():
                wide = inst.wide.get(operand.name)
                count = {None: "", "2": "; a pair", "4": "; a quad"}.get(wide, f"; as many registers as .{wide} says")
                what = self.expects(operand) + count + ("; may be left out" if self.is_optional(operand) else "")
                rows.setdefault(operand.name, [])
                if what not in rows[operand.name]:
                    rows[operand.name].append(what)
        return rows

    def modifier_rows(self, encodings):
        rows = {}
        for inst in encodings:
            for operand in inst.mods:
                if operand.name != "S":  # every page says it once, in front
                    rows.setdefault(operand.name, self.isa.groups[operand.kind])
        return rows

    def section(self, mnemonic):
        encodings = self.real[mnemonic]
        first = encodings[0]
        out = [f"## {mnemonic}\n", f"*{first.summary[:1].upper() + first.summary[1:]}.*\n"]
        seen = []
        for inst in encodings:
            line = "    " + self.syntax(inst)
            if line not in seen:
                seen.append(line)
        out.append("\n".join(seen) + "\n")
        for inst in encodings:
            out.append(diagram(inst))
        rows = self.operand_rows(encodings)
        if rows:
            out.append("| operand | is |\n|---|---|\n" +
                       "\n".join(f"| `{name}` | {cell(' *or* '.join(kinds))} |" for name, kinds in rows.items()) + "\n")
        mods = self.modifier_rows(encodings)
        if mods:
            out.append("| modifier | field | is |\n|---|---|---|\n" + "\n".join(
                f"| {cell(spellings(group))} | `{name}` | {cell(group.what)} |" for name, group in mods.items()) + "\n")
        out.append(textwrap.dedent(first.meaning).strip() + "\n")
        if first.traps:
            out.append("Traps: " + "; ".join(first.traps) + ".\n")
        out.append("Example:\n\n" + textwrap.indent(textwrap.dedent(first.example).strip("\n"), "    ") + "\n")
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

    def opcode_map(self):
        names = {}
        for inst in self.isa.instructions:
            if not inst.asm_only:
                code = bits(inst.bits[57:64])
                label = inst.mnemonic
                if label not in names.setdefault(code, []):
                    names[code].append(label)
        out = ["| | " + " | ".join(f"{c:X}" for c in range(16)) + " |\n|" + "---|" * 17]
        for row in range(8):
            out.append(f"| **{row}_** | " + " | ".join("<br>".join(names.get(row * 16 + c, [])) for c in range(16)) + " |")
        return "\n".join(out) + "\n"

    def front(self):
        with open(os.path.join(self.directory, "ManualIntroduction.md"), encoding="utf-8") as file:
            text = file.read()
        index = []
        for file in self.files:
            page = f"manual/{file[:-3]}.md"
            index.append(f"### [{family_title(self.directory, file)}]({page})\n")
            index.append("| instruction | |\n|---|---|\n" + "\n".join(
                f"| [`{m}`]({page}#{anchor(m)}) | {cell(e[0].summary)} |"
                for m, e in self.real.items() if e[0].file == file) + "\n")
        special = "| register | number | holds |\n|---|---|---|\n" + "\n".join(
            f"| `{special_text(name)}` | {value} | {cell(summary)} |" for value, name, summary in self.isa.special) + "\n"
        parts = {"INSTRUCTIONS": "\n".join(index), "OPCODES": self.opcode_map(), "SPECIAL": special}
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


def spellings(group):
    texts = [f"`.{s}`" if s else "none" for s in group.spellings]
    if group.implicit > 0 or group.implicit == 0 and group.spellings[0]:
        texts[group.implicit] += " (implied)"
    return " ".join(t for t in texts if t != "none")


def cell(text):
    return text.replace("|", "\\|")


def main():
    manual = Manual(InstructionSet(sys.argv[1]), os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
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

#!/usr/bin/env python3
"""Writes the C++ tables of the instruction set.

usage: generate.py JSON modifiers|asm|directives|elements|predecode|semantics|facts|factnames
                   OUTPUT

modifiers  enums of the modifier groups and one struct of modifiers a semantic
asm        tables of the assembler: mnemonics, groups, forms, special registers
directives the assembler's directives, for expansion by macros
elements   the types of elements, likewise
semantics  the list of semantics, for expansion by a macro
predecode  one function an encoding, from MCInst to the emulator's operation
facts      what each encoding and each semantic does: flow, memory, state, traps (isa/Facts.h)
factnames  the enums that facts use
"""
import os
import sys

from facts import state_rows, unit_of, write_facts, write_names
from records import InstructionSet, enumerator, special_text

SLOTS = {"rd": "D", "ra": "A", "rb": "B", "rc": "C"}
PREDICATES = {"pu": "U", "pv": "V", "pp": "P", "pq": "Q", "pr": "R"}
# The flags a kind of source carries, by bit of its flags part.
FLAGS = {"RegN": ("neg",), "RegTiedN": ("neg",), "ConstN": ("neg",), "RegNA": ("neg", "abs"), "ConstNA": ("neg", "abs"),
         "RegI": ("inv",), "ConstI": ("inv",), "RegPartN": ("neg",)}
# Where the part (SubWord) stands in the MCInst of a source that may be one.
PART_AT = {"RegPart": 2, "RegPartN": 2, "ConstPart": 3}


def fields(isa, encodings):
    """The modifier fields of a semantic: (name, C++ type, number of values, hot)."""
    result = {}
    for inst in encodings:
        for operand in inst.mods:
            if operand.name == "S":
                continue
            group = isa.groups[operand.kind]
            result[operand.name] = (group.type, len(group.spellings), group.hot and operand.name not in inst.cold)
        for operand in inst.operands:
            if operand.field:
                group = isa.groups.get("Mod" + operand.field)
                values = len(group.spellings) if group else 1 << operand.width
                result[operand.name] = (operand.field, values, False)
    for slot in "ABC":
        for flag in ("neg", "abs", "inv"):
            for inst in encodings:
                operand = inst.operand("r" + slot.lower())
                if operand and flag in FLAGS.get(operand.kind, ()):
                    result[flag + slot] = ("bool", 2, inst.klass == "int" and flag == "neg")
        for inst in encodings:
            operand = inst.operand("r" + slot.lower())
            if operand and operand.kind in PART_AT:
                result["part" + slot] = ("SubWord", len(isa.groups["ModSubWord"].spellings), False)
    return [(name, *rest) for name, rest in result.items()]


def write_modifiers(isa, out):
    for group in isa.groups.values():
        if group.type != group.name:
            continue
        out.append(f"/// {group.what}.")
        out.append(f"enum class {group.name} : uint8_t {{ {', '.join(group.enumerators())} }};")
    out.append("")
    for semantic, encodings in isa.semantics().items():
        members = fields(isa, encodings)
        hot = [(n, k, r) for n, k, r, h in members if h]
        out.append(f"/// {semantic}: {encodings[0].summary}.")
        out.append(f"struct {semantic}Mods {{")
        for name, kind, _, _ in members:
            out.append(f"  {kind} {name} = {kind}(0);")
        count = 1
        for _, _, radix in hot:
            count *= radix
        out.append(f"  static constexpr unsigned hotCount = {count};")
        out.append(f"  static constexpr unsigned values[] = {{{', '.join([str(r) for _, _, r, _ in members] + ['0'])}}}; ///< that each member may have")
        out.append(f"  static constexpr bool hasCold = {'true' if len(hot) < len(members) else 'false'};")
        out.append(f"  static constexpr {semantic}Mods withHot({semantic}Mods mods, unsigned index) {{")
        for name, kind, radix in hot:
            out.append(f"    mods.{name} = {kind}(index % {radix}), index /= {radix};")
        out.append("    return mods;\n  }")
        expr = "0"
        for name, _, radix in reversed(hot):
            expr = f"unsigned({name})" if expr == "0" else f"unsigned({name}) + {radix} * ({expr})"
        out.append(f"  constexpr unsigned hotIndex() const {{ return {expr}; }}")
        out.append("};")
    out.append("\n/// Special registers, as S2R names them [S1].")
    out.append("enum class SpecialRegister : uint8_t {")
    for value, name, summary in isa.special:
        out.append(f"  {name[3:]} = {value}, ///< {summary}")
    out.append("};")


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write_asm(isa, out):
    groups = list(isa.groups.values())
    out.append("#ifdef GET_LENO_MODS")
    out.append("enum class LenoMod : uint8_t { " + ", ".join(g.name for g in groups) + " };")
    out.append("#endif // GET_LENO_MODS\n\n#ifdef GET_LENO_TABLES")
    for g in groups:
        out.append(f"static constexpr llvm::StringLiteral spellingsOf{g.name}[] = "
                   f"{{{', '.join(quoted(s) for s in g.spellings)}}};")
        if g.synonyms:
            out.append(f"static constexpr llvm::StringLiteral synonymsOf{g.name}[] = "
                       f"{{{', '.join(quoted(s) for s in g.synonyms)}}};")
    out.append("static constexpr ModGroupInfo modGroups[] = {")
    for g in groups:
        synonyms = f"synonymsOf{g.name}" if g.synonyms else "{}"
        out.append(f"  {{{quoted(g.name)}, spellingsOf{g.name}, {synonyms}, {g.implicit}, {quoted(g.what)}}},")
    out.append("};")

    by_mnemonic = {}
    for inst in isa.instructions:
        by_mnemonic.setdefault(inst.mnemonic, []).append(inst)
    kinds = []
    for mnemonic, encodings in by_mnemonic.items():
        mods = [o.kind for o in mods_as_written(encodings[0])]
        for inst in encodings:
            if [o.kind for o in mods_as_written(inst)] != mods:
                raise SystemExit(f"{inst.name}: its modifiers differ from those of {encodings[0].name}")
            for operand in inst.text_operands():
                if operand.match_class not in kinds:
                    kinds.append(operand.match_class)
    out.append("enum class OperandKind : uint8_t { " + ", ".join(kind_name(isa, k) for k in kinds) + " };")
    out.append("static constexpr OperandKindInfo operandKinds[] = {")
    for k in kinds:
        record = isa.match_class(k)
        expects = {"GPR": "a register", "PR": "a predicate"}.get(k) or record["Expects"]
        optional = k not in ("GPR", "PR") and bool(record["IsOptional"])
        out.append(f"  {{{quoted(expects)}, {str(optional).lower()}}},")
    out.append("};")
    out.append("static bool isOperandKind(OperandKind kind, const LenoOperand &op) {\n  switch (kind) {")
    for k in kinds:
        predicate = {"GPR": "isRegDest", "PR": "isPredDest"}.get(k) or isa.match_class(k)["PredicateMethod"]
        out.append(f"  case OperandKind::{kind_name(isa, k)}: return op.{predicate}();")
    out.append("  }\n  return false;\n}")
    for mnemonic, encodings in by_mnemonic.items():
        ident = mnemonic.replace(".", "_")
        names = [isa.groups[o.kind].name for o in mods_as_written(encodings[0])]
        out.append(f"static constexpr LenoMod modsOf_{ident}[] = {{{', '.join('LenoMod::' + n for n in names)}}};"
                   if names else f"static constexpr llvm::ArrayRef<LenoMod> modsOf_{ident};")
        for i, inst in enumerate(encodings):
            ops = [f"OperandKind::{kind_name(isa, o.match_class)}" for o in inst.text_operands()]
            out.append(f"static constexpr OperandKind form{i}Of_{ident}[] = {{{', '.join(ops)}}};"
                       if ops else f"static constexpr llvm::ArrayRef<OperandKind> form{i}Of_{ident};")
        forms = ", ".join(f"form{i}Of_{ident}" for i in range(len(encodings)))
        out.append(f"static constexpr llvm::ArrayRef<OperandKind> formsOf_{ident}[] = {{{forms}}};")
    out.append("static constexpr MnemonicInfo mnemonics[] = {")
    for mnemonic, encodings in sorted(by_mnemonic.items(), key=lambda kv: kv[0].lower()):
        ident = mnemonic.replace(".", "_")
        out.append(f"  {{{quoted(mnemonic.lower())}, {quoted(mnemonic)}, modsOf_{ident}, formsOf_{ident}, "
                   f"{str(encodings[0].guarded).lower()}, {quoted(encodings[0].summary)}}},")
    out.append("};")
    out.append("static constexpr ModRule modRules[] = {")
    for inst in isa.instructions:
        for condition, when, mod, allowed in inst.only:
            bit_set = lambda o, values: sum(1 << isa.groups[o.kind].spellings.index(v) for v in values)
            out.append(f"  {{LENO::{inst.name}, {condition.index if condition else -1}, "
                       f"LenoMod::{isa.groups[(condition or mod).kind].name}, "
                       f"{bit_set(condition, when) if condition else 0}, {mod.index}, "
                       f"LenoMod::{isa.groups[mod.kind].name}, {bit_set(mod, allowed)}}},")
    out.append("};")
    out.append("static constexpr SpecialRegisterInfo specialRegisters[] = {")
    for value, name, summary in isa.special:
        out.append(f"  {{{quoted(special_text(name))}, {value}, {quoted(summary)}}},")
    out.append("};\n#endif // GET_LENO_TABLES\n\n#ifdef GET_LENO_OPERAND_INDEX")
    # Where a named operand sits in the MCInst of an encoding; -1 when it has none of that name.
    names = sorted({o.name for i in isa.instructions for o in i.operands})
    out.append("enum class OperandName : uint8_t { " + ", ".join(n + "_" for n in names) + " };")
    out.append("inline int operandIndex(unsigned opcode, OperandName name) {\n  switch (opcode) {")
    for inst in isa.instructions:
        cells = {o.name: o.index for o in inst.operands}
        body = " ".join(f"case OperandName::{n}_: return {i};" for n, i in cells.items())
        out.append(f"  case LENO::{inst.name}:\n    switch (name) {{ {body} default: return -1; }}")
    out.append("  default: return -1;\n  }\n}")
    out.append("/// Where a source stands that has the destination's field of the word (Operands.td: RegTiedN); -1: none.")
    out.append("inline int tiedOperandIndex(unsigned opcode) {\n  switch (opcode) {")
    out += [f"  case LENO::{i.name}: return {o.index};" for i in isa.instructions for o in i.operands if o.kind == "RegTiedN"]
    out.append("  default: return -1;\n  }\n}")
    out.append("#endif // GET_LENO_OPERAND_INDEX\n\n#ifdef GET_LENO_ENCODINGS")
    write_encodings(isa, out)
    out.append("#endif // GET_LENO_ENCODINGS")


def words_of(isa, operand_count, imm):
    """C++ for the number of registers an operand fills (Formats.td: Wide)."""
    if isinstance(operand_count, int):
        return str(operand_count)
    group = isa.groups[operand_count.kind]
    if len(group.registers) != len(group.spellings):
        raise SystemExit(f"Modifiers.td: {group.name} sizes an operand, but its Registers do not match its spellings")
    # One digit a value: a table without a name.
    return f'unsigned("{"".join(str(r) for r in group.registers)}"[{imm(operand_count.index)}] - \'0\')'


def write_encodings(isa, out):
    """Which bits of a word each encoding fixes, and the fields it keeps in the others."""
    encodings = [inst for inst in isa.instructions if not inst.asm_only]
    for inst in encodings:
        masks = {}
        for place, bit in enumerate(inst.bits):
            if not isinstance(bit, int):
                name = bit.get("var", bit["printable"])
                masks[name] = masks.get(name, 0) | 1 << place
        rows = ", ".join(f"{{{quoted(name)}, {mask:#x}}}" for name, mask in masks.items())
        out.append(f"static constexpr EncodingField fieldsOf{inst.name}[] = {{{rows}}};" if rows else
                   f"static constexpr llvm::ArrayRef<EncodingField> fieldsOf{inst.name};")
    out.append("static constexpr EncodingInfo encodings[] = {")
    for inst in encodings:
        fixed = sum(1 << i for i, bit in enumerate(inst.bits) if isinstance(bit, int))
        value = sum(bit << i for i, bit in enumerate(inst.bits) if isinstance(bit, int))
        out.append(f"  {{{quoted(inst.mnemonic)}, {fixed:#x}, {value:#x}, fieldsOf{inst.name}}},")
    out.append("};")
    # Where a constant keeps its offset in the MCInst; -1: the encoding has no constant.
    out.append("static int constantOffsetOf(unsigned opcode) {\n  switch (opcode) {")
    for inst in encodings:
        for o in inst.operands:
            if o.kind.startswith("Const"):
                out.append(f"  case LENO::{inst.name}: return {o.index + (2 if o.kind == 'ConstAddress' else 1)};")
    out.append("  default: return -1;\n  }\n}")


def is_register(operand):
    return operand.kind in ("GPR", "OptRegDest", "OptRegSource") or operand.kind.startswith("Reg")


def kind_name(isa, k):
    return k if k in ("GPR", "PR") else isa.match_class(k)["Name"]


def mods_as_written(inst):
    head = inst.asm.split("\t")[0].split("$")[1:]
    return [o for o in (inst.operand(n) for n in head) if o.is_mod]


def write_predecode(isa, out):
    for inst in isa.instructions:
        if inst.asm_only:
            continue
        out.append(f"template <class P> void predecode_{inst.name}(P &p, const llvm::MCInst &mi) {{")
        mods = {}
        if inst.bits[4] == 1 and not inst.operand("S"):
            out.append("  p.popSync(true);")  # the bit is in the name
        for o in inst.operands:
            imm = f"mi.getOperand({o.index}).getImm()"
            nth = lambda i: f"mi.getOperand({o.index + i})"
            if o.name == "guard":
                out.append(f"  p.guard(p.pred({nth(0)}), {nth(1)}.getImm());")
            elif o.name == "S":
                out.append(f"  p.popSync({imm});")
            elif o.is_mod or o.field:
                mods[o.name] = imm
            elif o.name in SLOTS:
                slot = "Slot::" + SLOTS[o.name]
                base, flag_at = o.kind, None
                words = inst.wide.get(o.name)
                wide = ", " + words_of(isa, words, lambda i: f"mi.getOperand({i}).getImm()") if words else ""
                if o.kind.startswith("Const"):
                    out.append(f"  p.constant({slot}, {nth(0)}.getImm(), {nth(1)}.getImm(){wide});")
                    flag_at = 2
                elif is_register(o):
                    verb = "dst" if o.is_out else "src"
                    out.append(f"  p.{verb}({slot}, p.reg({nth(0)}){wide});")
                    flag_at = 1
                elif o.kind == "FImm20" and words:
                    out.append(f"  p.floatImm({slot}, uint32_t({imm}), "
                               f"isa::FloatFormat(mi.getOperand({words.index}).getImm()));")
                else:
                    out.append(f"  p.imm({slot}, uint64_t({imm}){wide});")
                for bit, flag in enumerate(FLAGS.get(base, ())):
                    mods[flag + SLOTS[o.name]] = f"({nth(flag_at)}.getImm() >> {bit} & 1)"
                if o.kind in PART_AT:
                    mods["part" + SLOTS[o.name]] = f"{nth(PART_AT[o.kind])}.getImm()"
            elif o.name in PREDICATES:
                slot = "PSlot::" + PREDICATES[o.name]
                if o.size == 2:
                    out.append(f"  p.srcPred({slot}, p.pred({nth(0)}), {nth(1)}.getImm());")
                else:
                    out.append(f"  p.dstPred({slot}, p.pred({nth(0)}));")
            elif o.name == "sr":
                out.append(f"  p.special(isa::SpecialRegister({imm}));")
            elif o.name == "addr":
                out.append(f"  p.address(p.reg({nth(0)}), {nth(1)}.getImm(), {nth(2)}.getImm());")
            elif o.name == "caddr":
                out.append(f"  p.constantAddress({nth(0)}.getImm(), p.reg({nth(1)}), {nth(2)}.getImm());")
            elif o.name == "target":
                out.append(f"  p.target({imm});")
            elif o.name == "address":
                out.append(f"  p.absoluteTarget({imm});")
            elif o.name == "join":
                out.append(f"  p.join({imm});")
            elif o.name == "count":
                out.append(f"  p.count({imm});")
            elif o.name in ("id", "number"):
                out.append(f"  p.number({imm});")
            else:
                raise SystemExit(f"{inst.name}: the predecoder knows no operand named ${o.name}")
        for name, slot in SLOTS.items():  # a source that only other encodings have is 0 here
            if not inst.operand(name) and any(e.operand(name) for e in isa.semantics()[inst.semantic] if not e.asm_only):
                out.append(f"  p.src(Slot::{slot}, P::zeroRegister);")
        out.append(f"  p.unit(isa::Unit::{unit_of(inst)});")
        for at, implicit, reads, writes in state_rows(isa, inst):
            told = f"if (mi.getOperand({at}).getImm() != {implicit}) " if at >= 0 else ""
            out.append(f"  {told}p.states({reads:#x}, {writes:#x});")
        out.append(f"  isa::{inst.semantic}Mods mods;")
        for name, kind, _, _ in fields(isa, [inst]):
            out.append(f"  mods.{name} = decltype(mods.{name})({mods[name]});")
        for name in inst.sets:
            out.append(f"  mods.{name} = true;")
        out.append(f"  p.template bind<sem::{inst.semantic}>(mods);\n}}")
    out.append("\n/// Fills p from mi; false when the encoding is not one of the machine's instructions.")
    out.append("template <class P> bool predecode(P &p, const llvm::MCInst &mi) {\n  switch (mi.getOpcode()) {")
    for inst in isa.instructions:
        if not inst.asm_only:
            out.append(f"  case LENO::{inst.name}: predecode_{inst.name}(p, mi); return true;")
    out.append("  default: return false;\n  }\n}")


def write_semantics(isa, out):
    out.append("// The semantics the records name: a struct of namespace sem for each, in emu/semantics.")
    out.append('#ifndef LENO_SEMANTIC\n#error "define LENO_SEMANTIC(name) before including this"\n#endif')
    for semantic in isa.semantics():
        out.append(f"LENO_SEMANTIC({semantic})")
    out.append("#undef LENO_SEMANTIC")


def write_directives(isa, out):
    out.append("// Define one of these, or some, before including this.")
    for macro, rows in (("LENO_DIRECTIVE", [f"{quoted(d['Name'])}, {d['Parse']}" for d in isa.directives if d["Parse"]]),
                        ("LENO_DATA_DIRECTIVE", [quoted(d["Name"]) for d in isa.directives if d["PutsData"]]),
                        ("LENO_COMMON_DIRECTIVE", [quoted(d["Name"]) for d in isa.directives if d["Common"]])):
        out += [f"#ifdef {macro}"] + [f"{macro}({row})" for row in rows] + [f"#undef {macro}", "#endif"]


def write_elements(isa, out):
    for e in isa.elements:
        out.append(f"LENO_ELEMENT_TYPE({e['!name'].removeprefix('ELEMENT_')}, {quoted(e['Name'])}, {quoted(e['NpyCode'])}, "
                   f"{e['Size']}, {e['Kind']})")
    out.append("#undef LENO_ELEMENT_TYPE")


WRITERS = {"directives": write_directives, "elements": write_elements,
           "facts": write_facts, "factnames": write_names, "semantics": write_semantics, "modifiers": write_modifiers,
           "asm": write_asm, "predecode": write_predecode}


def main():
    source, what, target = sys.argv[1:]
    out = ["// Made from isa/*.td by isa/gen/generate.py: do not edit."]
    WRITERS[what](InstructionSet.read(source), out)
    text = "\n".join(out) + "\n"
    if os.path.exists(target):  # what has not changed is not built again
        with open(target, encoding="utf-8") as file:
            if file.read() == text:
                return
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()

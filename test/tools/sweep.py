#!/usr/bin/env python3
"""Prints every instruction with every combination of its modifiers, every kind of operand and several guards, from the
TableGen records: what the round-trip test assembles, disassembles and assembles again.

usage: sweep.py ISA.json [--count]
"""
import itertools
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "isa", "gen"))
from records import InstructionSet, special_text  # noqa: E402

# Texts for each kind of operand: the ends of its range and something between.
TEXTS = {
    "RegN": ["R1", "-R2", "RZ", "-R254"],
    "RegNA": ["R1", "-R2", "|R3|", "-|R254|"],
    "RegI": ["R1", "~R2", "~RZ"],
    "RegMinus": ["R1", "-R2", "RZ", "-R254"],
    "ConstMinus": ["c[0][4]", "-c[15][0xfffc]"],
    "RegNot": ["R1", "~R2", "~RZ"],
    "ConstNot": ["c[1][8]", "~c[15][0xfffc]"],
    "RegAbs": ["R1", "R254"],
    "ConstAbs": ["c[0][4]", "c[15][0xfffc]"],
    "Const": ["c[0][0]", "c[15][0xfffc]"],
    "ConstN": ["c[0][4]", "-c[15][0xfffc]"],
    "ConstNA": ["c[1][8]", "-c[2][12]", "|c[3][16]|", "-|c[15][0xfffc]|"],
    "ConstI": ["c[1][8]", "~c[15][0xfffc]"],
    "Imm20": ["0", "1", "-1", "524287", "-524288", "0xffffffff"],
    "RegPart": ["R1", "R2.U", "R3.H0", "R4.UH1", "R254.B0", "RZ.UB3"],
    "RegPartN": ["R1", "-R2.U", "R3.H1", "-R254.UB1"],
    "ConstPart": ["c[0][4]", "c[15][0xfffc].UB3", "c[1][8].H1", "c[2][8].U"],
    "OptRegSource": [None, "R0", "R254"],
    "Imm16": ["0", "-1", "32767", "-32768"],
    "UImm6": ["0", "1", "63"],
    "Imm18": ["0", "131071", "-131072", "0xffffffff"],
    "TruthTable": ["0", "0xe8", "255"],
    "ShiftAmount": ["0", "2", "31"],
    "FImm32": ["0.0", "-0.0", "0.1", "-2", "0x7f800001", "1.40129846e-45", "3.40282347e+38", "inf", "nan"],
    "RegTiedN": ["R0", "-R0"],
    "Imm9": ["0", "-1", "255", "-256"],
    "FImm20": ["0.0", "-0.0", "1.5", "-2", "0x7f800000", "0x1p-126", "0x1.ffep+127", "inf", "nan"],
    "DImm20": ["0.0", "-0.0", "1.5", "-2", "0x7ff0000000000000", "0x1p-1022", "0x1p1000", "inf", "nan"],
    "Imm32": ["0", "0xffffffff", "-1", "0.1", "target"],
    "BarrierId": ["0", "15"],
    "BarrierCount": [None, "32", "4064"],
    "ShuffleLane": ["0", "31"],
    "ShuffleClamp": ["0", "0x1f", "0x1fff"],
    "BreakCode": ["0", "1048575"],
    "Special": None,
    "PredSource": ["P0", "!P6", "PT", "!PT"],
    "OptPredSource": [None, "P1", "!P5", "!PT"],
    "OptPredDest": [None, "P0", "P6"],
    "LeadingPredDest": [None, "P0", "P6"],
    "OptRegDest": [None, "R0", "R254"],
    "GlobalAddress": ["[R4]", "[R4.64+8388600]", "[R252-8388608]", "[0x40]", "[RZ.64]"],
    "GlobalAddress16": ["[R4]", "[R4.64+32767]", "[R252-32768]", "[0x40]", "[RZ.64]"],
    "GlobalAddress12": ["[R4]", "[R4.64+2047]", "[R252-2048]", "[0x40]", "[RZ.64]"],
    "SharedAddress16": ["[R4]", "[R252-32768]", "[0x7fff]"],
    "SharedAddress12": ["[R4]", "[R252-2048]", "[0x7ff]"],
    "LocalAddress": ["[R4]", "[R252-8388608]", "[0x40]"],
    "SharedAddress": ["[R4]", "[R252-8388608]", "[0x40]"],
    "ConstAddress": ["c[0][0]", "c[15][R4]", "c[3][R254+0xffff]"],
    "Target24": ["target", "next", ".+8", ".-8"],
    "FlagTest": [None, "CC.lt", "CC.f", "CC.nsf"],
    "Address24": ["target", "0", "next", "0x7fffff8"],
    "OptAddress24": [None, "target", "0x7fffff8"],
    "Join20": ["next", "target", ".+8", ".-8"],
    "GPR": ["R0", "R8", "RZ"],
    "PR": ["P0", "P6", "PT"],
}
GUARDS = ["", "@P3 ", "@!P0 ", "@!PT "]


def mod_texts(isa, operand):
    group = isa.groups[operand.kind]
    return [("." + s if s else "") for s in group.spellings]


def aligned(match):
    """A register or constant offset that can begin a quad: four times its number, or the highest there is."""
    if match["reg"]:
        return f"R{min(4 * int(match['reg']), 248)}"
    return f"[{min(4 * int(match['offset'], 0), 0xfff0):#x}]"


def operand_texts(isa, inst, operand):
    if operand.kind == "Special":
        return [special_text(name) for _, name, _ in isa.special]
    if operand.name in inst.wide and operand.kind != "DImm20":
        return [re.sub(r"R(?P<reg>\d+)|(?<=\])\[(?P<offset>\w+)\]", aligned, text) for text in TEXTS[operand.kind]]
    return TEXTS[operand.kind]


def statements(isa, inst):
    """Every modifier combination with one set of operands, then every operand text with one set of modifiers: all
    combinations of both would only repeat."""
    head = inst.asm.split("\t")[0].split("$")[1:]
    mods = [inst.operand(name) for name in head if inst.operand(name).is_mod]
    operands = inst.text_operands()
    mod_lists = [mod_texts(isa, m) for m in mods]
    operand_lists = [operand_texts(isa, inst, o) for o in operands]
    plain = [next(t for t in texts if t) for texts in operand_lists]
    choices = [m for m in itertools.product(*mod_lists)
               if inst.allows({o.name: text.removeprefix(".") for o, text in zip(mods, m)})]
    combinations = [(m, plain, "") for m in choices]
    first = choices[-1]
    for index, texts in enumerate(operand_lists):
        for text in texts:
            chosen = list(plain)
            chosen[index] = text
            if operands[-1].kind == "RegTiedN" and index == 0:
                chosen[-1] = text
            combinations.append((first, chosen, ""))
    if inst.guarded:
        combinations += [(first, plain, guard) for guard in GUARDS]
    for mod_choice, operand_choice, guard in combinations:
        text = ", ".join(o for o in operand_choice if o is not None)
        yield f"{guard}{inst.mnemonic}{''.join(mod_choice)} {text};".replace(" ;", ";")




def main():
    isa = InstructionSet.read(sys.argv[1])
    lines, seen = [], set()
    for inst in isa.instructions:
        for text in statements(isa, inst):
            if text not in seen:
                seen.add(text)
                lines.append(text)
    if "--count" in sys.argv:
        print(len(lines))
        return
    print("target:")
    for line in lines:
        print("\t" + line)
    print("next:\n\tEXIT;")


if __name__ == "__main__":
    main()

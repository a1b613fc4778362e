#!/usr/bin/env python3
"""patterns_mean.py CONFORMANCE JSON DAGISEL: each pattern of the records means what its instruction does.

DAGISEL is the output of llvm-tblgen -gen-dag-isel, whose comments tell every pattern as LLVM has understood it. The source
is evaluated by LLVM's definitions of its nodes, below; the instruction by the models of the conformance tests.
"""
import importlib
import json
import random
import re
import sys
from types import SimpleNamespace

sys.path[:0] = [sys.argv[1]]
from machine import MODELS, signed
for family in ("bits", "integer", "move"):
    importlib.import_module("models." + family)

WORD = 0xFFFFFFFF
NODES = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "mulhs": lambda a, b: signed(a) * signed(b) >> 32, "mulhu": lambda a, b: a * b >> 32,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b, "srl": lambda a, b: a >> b, "sra": lambda a, b: signed(a) >> b,
    "fshl": lambda a, b, n: ((a << 32 | b) << n % 32) >> 32, "fshr": lambda a, b, n: (a << 32 | b) >> n % 32,
    "smin": lambda a, b: min(a, b, key=signed), "smax": lambda a, b: max(a, b, key=signed), "umin": min, "umax": max,
    "select": lambda p, a, b: a if p else b, "imm": lambda a: a, "ctpop": lambda a: bin(a).count("1"),
    "bitreverse": lambda a: sum((a >> i & 1) << 31 - i for i in range(32)),
    "ctlz_zero_undef": lambda a: 32 - a.bit_length(),
    "sext_inreg": lambda a, bits: (a & (1 << bits) - 1) - (1 << bits if a >> bits - 1 & 1 else 0),
}
SHIFTS = ("shl", "srl", "sra")


def tree(text):
    """(node operands...) with its types taken away: lists of words."""
    text = re.sub(r":\{[^}]*\}|<<P:[^>]*>>| - Complexity.*", "", text.strip())
    text = re.sub(r"\(imm\)|^imm", "imm", text).replace(",", "")
    words, stack = re.findall(r"[()]|[^\s()]+", text), [[]]
    for word in words:
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    return stack[0][0]


def leaves(node, parent=None, place=0):
    if isinstance(node, list):
        return [leaf for i, child in enumerate(node[1:]) for leaf in leaves(child, node[0], i)]
    return [(node.split(":$")[1], node.split(":$")[0], parent, place)] if ":$" in node else []


def value(node, env):
    if isinstance(node, list):
        return NODES[node[0]](*(value(child, env) for child in node[1:])) & WORD
    return env[node.split(":$")[1]] if ":$" in node else int(node.lstrip("i"))


def machine_value(records, target, env):
    record = records[target[0]]
    given, m, s = target[1:], SimpleNamespace(), SimpleNamespace(neg=set(), inv=set(), CF=False, ZF=False)
    for kind, name in record["InOperandList"]["args"]:
        operand = records[kind["def"]]
        default = operand.get("DefaultOps", {"args": []})["args"]
        if name == "guard":
            continue
        word = str(default[0][0]["args"][0][0]) if default else given.pop(0)
        if "Spellings" in operand:
            spelling = operand["Spellings"][int(word)].lower()
            setattr(m, name, bool(int(word)) if "" in operand["Spellings"] else spelling)
        elif word == "PT":
            setattr(s, name, given.pop(0) == "0")
        else:
            setattr(s, name, env[word.split(":$")[1]] if ":$" in word else int(word))
            if word.split(":$")[0] in ("RegMinus", "ConstMinus"):
                s.neg.add(name)
    assert not given, "too many operands"
    return MODELS[record["Mnemonic"]](m, s)["rd"]


def main():
    records = json.load(open(sys.argv[2]))
    text = open(sys.argv[3]).read()
    pairs = re.findall(r"// Src: (.*)\n\s*// Dst: (.*)", text)
    dice, wrong = random.Random(24), 0
    for source_text, target_text in pairs:
        source = tree(source_text)
        for turn in range(200):
            env = {}
            for name, kind, parent, place in leaves(source):
                word = dice.choice([0, 1, 2, 31, 0x7FFFFFFF, 0x80000000, WORD, dice.getrandbits(32), dice.getrandbits(32)])
                if parent in SHIFTS and place == 1:
                    word %= 32
                elif kind == "PredSource":
                    word = turn % 2
                elif parent == "ctlz_zero_undef":
                    word = word or 1
                env[name] = word
            want, got = value(source, env), machine_value(records, tree(target_text), env)
            if want != got:
                print(f"{source_text}\n    {target_text}\n    {env}: {want:#x} is meant, the instruction gives {got:#x}")
                wrong += 1
                break
    print(f"{len(pairs)} patterns, {wrong} wrong")
    sys.exit(1 if wrong or not pairs else 0)


main()

"""Loads, stores, atomics and locks, from isa/Memory.td.

`s.at` is the lane's place in the case's region, `s.load(bytes)` and `s.store(value, bytes)` access it; lanes come in
order, lowest first.
"""
import ieee
from ieee import F32
from machine import model, signed, warp_model

SIZES = {"32": 4, "u8": 1, "s8": 1, "u16": 2, "s16": 2, "64": 8, "128": 16}


def extended(s, size):
    value, bytes_ = s.load(SIZES[size]), SIZES[size]
    return signed(value, 8 * bytes_) & 0xFFFFFFFF if size[0] == "s" else value


@warp_model("LD", "LDG", "LDS", "LDL", "LDC", values="any")
def load(m, warp):
    return [{"rd": extended(s, m.size)} for s in warp]


@warp_model("ST", "STG", "STS", "STL", values="any")
def store(m, warp):
    for s in warp:
        s.store(s.rd, SIZES[m.size])
    return [{} for _ in warp]


def operate(op, kind, old, b):
    bits = 64 if kind == "u64" else 32
    if op == "add":
        return ieee.add(F32, old, b, "RN") if kind == "f32" else old + b
    if op in ("min", "max"):
        key = (lambda x: signed(x, bits)) if kind == "s32" else (lambda x: x)
        return min(old, b, key=key) if op == "min" else max(old, b, key=key)
    if op == "inc":
        return 0 if old >= b else old + 1
    if op == "dec":
        return b if old == 0 or old > b else old - 1
    return {"and": old & b, "or": old | b, "xor": old ^ b, "exch": b}[op]


@warp_model("ATOM", "ATOMS", values="any")
def atomic(m, warp):
    size, results = 8 if m.type == "u64" else 4, []
    for s in warp:
        old = s.load(size)
        s.store(operate(m.op, m.type, old, s.rb), size)
        results.append({"rd": old})
    return results


@warp_model("RED", values="any")
def reduce(m, warp):
    atomic(m, warp)
    return [{} for _ in warp]


def compare_and_swap(size, warp):
    results = []
    for s in warp:
        old = s.load(size)
        if old == s.rb:
            s.store(s.rc, size)
        results.append({"rd": old})
    return results


warp_model("ATOM.CAS", "ATOMS.CAS", values="few")(lambda m, warp: compare_and_swap(8 if m.type == "u64" else 4, warp))
warp_model("ATOM.u32.CAS", "ATOMS.u32.CAS", values="few")(lambda m, warp: compare_and_swap(4, warp))
warp_model("ATOM.u64.CAS", "ATOMS.u64.CAS", values="few")(lambda m, warp: compare_and_swap(8, warp))


@warp_model("LDLK", "LDSLK", values="any")
def load_lock(m, warp):
    taken, results = set(), []
    for s in warp:
        results.append({"rd": s.load(SIZES[m.size]), "pu": s.at not in taken})
        taken.add(s.at)
    return results


@warp_model("STUL", "STSUL", values="any")
def store_unlock(m, warp):
    return store(m, warp)


@model("MEMBAR", "CCTL")
def nothing_to_see(m, s):
    return {}

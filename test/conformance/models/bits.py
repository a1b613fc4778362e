"""Logic, shifts and bit fields, from isa/Bits.td."""
from machine import flags_of, model, signed

WORD = 0xFFFFFFFF


def inverted(s, name):
    value = getattr(s, name)
    return value ^ WORD if name in s.inv else value


def with_flags(m, value):
    """The result, and with .CC its flags: there is no carry and no overflow."""
    return {"rd": value} | flags_of(m, value == 0, bool(value >> 31))


def logic(m, op, s):
    a, b = inverted(s, "ra"), inverted(s, "rb")
    return with_flags(m, {"and": a & b, "or": a | b, "xor": a ^ b, "pass": b}[op])


model("LOP", "LOP32I")(lambda m, s: logic(m, m.op, s))
for name in ("AND", "OR", "XOR"):
    model(name)(lambda m, s, op=name.lower(): logic(m, op, s))
model("NOT")(lambda m, s: with_flags(m, inverted(s, "rb") ^ WORD))


@model("LOP3")
def lop3(m, s):
    result = 0
    for i in range(32):
        row = 4 * (s.ra >> i & 1) + 2 * (s.rb >> i & 1) + (s.rc >> i & 1)
        result |= (s.table >> row & 1) << i
    return {"rd": result}


def amount(m, s):
    return s.rb % 32 if m.W else min(s.rb, 32)


@model("SHL", rb="small")
def shl(m, s):
    return with_flags(m, s.ra << amount(m, s) & WORD)


@model("SHR", rb="small")
def shr(m, s):
    return {"rd": (s.ra if m.u32 == "u32" else signed(s.ra)) >> amount(m, s) & WORD}


@model("SHF", rb="small")
def shf(m, s):
    both = s.rc << 32 | s.ra
    return {"rd": (both << amount(m, s) >> 32 if m.dir == "l" else both >> amount(m, s)) & WORD}


def field(s):
    return s.rb & 0xFF, s.rb >> 8 & 0xFF


@model("BFE", rb="field")
def bfe(m, s):
    position, length = field(s)
    bit = [s.ra >> i & 1 for i in range(32)]
    fill = 0 if m.u32 == "u32" or length == 0 else bit[min(position + length - 1, 31)]
    return {"rd": sum((bit[position + i] if i < length and position + i <= 31 else fill) << i for i in range(32))}


@model("BFI", rb="field")
def bfi(m, s):
    position, length = field(s)
    return {"rd": sum(((s.ra >> (i - position) if position <= i < position + length else s.rc >> i) & 1) << i
                      for i in range(32))}


@model("BREV")
def brev(m, s):
    return {"rd": int(f"{s.rb:032b}"[::-1], 2)}


@model("POPC")
def popc(m, s):
    return {"rd": bin(inverted(s, "rb")).count("1")}


@model("FLO")
def flo(m, s):
    w = inverted(s, "rb")
    if m.u32 != "u32" and signed(w) < 0:
        w ^= WORD
    if w == 0:
        return {"rd": WORD}
    top = w.bit_length() - 1
    return {"rd": 31 - top if m.SH else top}


@model("PRMT")
def prmt(m, s):
    both = s.rc << 32 | s.ra
    source = [both >> 8 * i & 0xFF for i in range(8)]
    result = []
    for k in range(4):
        if m.mode == "idx":
            nibble = s.rb >> 4 * k & 15
            byte = source[nibble & 7]
            result.append((0xFF if byte & 0x80 else 0) if nibble & 8 else byte)
        else:
            n = s.rb % 4
            result.append(source[{"f4e": n + k, "b4e": (n - k) % 8, "rc8": n, "ecl": max(n, k), "ecr": min(n, k),
                                  "rc16": 2 * (n % 2) + k % 2}[m.mode]])
    return {"rd": int.from_bytes(bytes(result), "little")}

"""Conversions, from isa/Convert.td and IEEE 754."""
import ieee
from ieee import F32
from machine import model, signed
from predicate import signs

WORD = 0xFFFFFFFF


def integer_range(spelling):
    bits = int(spelling[1:])
    return (0, (1 << bits) - 1) if spelling[0] == "u" else (-1 << (bits - 1), (1 << (bits - 1)) - 1)


@model("I2F")
def i2f(m, s):
    bits = int(m.src[1:])
    value = s.rb & ((1 << bits) - 1)
    return {"rd": ieee.from_integer(F32, signed(value, bits) if m.src[0] == "s" else value, m.rnd.upper())}


@model("F2I", values="float")
def f2i(m, s):
    x = signs(F32, s, "rb")
    if m.FTZ:
        x = F32.flush(x)
    return {"rd": ieee.to_integer(F32, x, *integer_range(m.dst), m.rnd.upper()) & WORD}


def in_format(bits, spelling):
    """The low bits as a number of that format."""
    size = int(spelling[1:])
    value = bits & ((1 << size) - 1)
    return signed(value, size) if spelling[0] == "s" else value


@model("I2I")
def i2i(m, s):
    x = in_format(s.rb >> 8 * int(m.part[1]), m.src)
    x = abs(x) if "rb" in s.abs else x
    x = -x if "rb" in s.neg else x
    low, high = integer_range(m.dst)
    return {"rd": (min(max(x, low), high) if m.SAT else in_format(x, m.dst)) & WORD}


@model("IABS")
def iabs(m, s):
    x = abs(signed(s.rb))
    return {"rd": min(x, 0x7FFFFFFF) if m.SAT else x}

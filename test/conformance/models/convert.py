"""Conversions, from isa/Convert.td and IEEE 754."""
import ieee
from ieee import F32, FORMATS
from machine import model, signed


def integer_range(spelling):
    bits = int(spelling[1:])
    return (0, (1 << bits) - 1) if spelling[0] == "u" else (-1 << (bits - 1), (1 << (bits - 1)) - 1)


def low_word_or_pair(value, spelling):
    return value & (0xFFFFFFFFFFFFFFFF if spelling.endswith("64") else 0xFFFFFFFF)


def in_format(bits, spelling):
    """The low bits as a number of that integer format."""
    size = int(spelling[1:])
    value = bits & ((1 << size) - 1)
    return signed(value, size) if spelling[0] == "s" else value


def float_source(m, s, fmt):
    """The source with its signs; an immediate is a single in whatever format."""
    if getattr(s, "single_immediate", False):
        return F32.flush(s.rb) if fmt is F32 and m.FTZ else ieee.convert(F32, fmt, s.rb, "RN")
    x = s.rb & ((1 << fmt.bits) - 1)
    x = x & fmt.magnitude if "rb" in s.abs else x
    x = x ^ fmt.sign if "rb" in s.neg else x
    return fmt.flush(x) if fmt is F32 and m.FTZ else x


@model("I2F", values="tie")
def i2f(m, s):
    fmt = FORMATS[getattr(m, "dst", "f32")]
    return {"rd": ieee.from_integer(fmt, in_format(s.rb, m.src), m.rnd.upper())}


@model("F2I", values="convert")
def f2i(m, s):
    fmt = FORMATS[getattr(m, "src", "f32")]
    value = ieee.to_integer(fmt, float_source(m, s, fmt), *integer_range(m.dst), m.rnd.upper())
    return {"rd": low_word_or_pair(value, m.dst)}


WHOLE = {"round": "RN", "floor": "RM", "ceil": "RP", "trunc": "RZ"}


@model("F2F", values="convert")
def f2f(m, s):
    source, target = FORMATS[m.src], FORMATS[m.dst]
    x = float_source(m, s, source)
    if m.integral:
        x = ieee.to_integral(source, x, WHOLE[m.integral])
    result = ieee.convert(source, target, x, m.rnd.upper())
    if m.FTZ and target is F32:
        result = target.flush(result)
    return {"rd": ieee.saturate(target, result) if m.SAT else result}


@model("I2I")
def i2i(m, s):
    x = in_format(s.rb >> 8 * int(m.part[1]), m.src)
    x = abs(x) if "rb" in s.abs else x
    x = -x if "rb" in s.neg else x
    low, high = integer_range(m.dst)
    return {"rd": (min(max(x, low), high) if m.SAT else in_format(x, m.dst)) & 0xFFFFFFFF}


@model("IABS")
def iabs(m, s):
    x = abs(signed(s.rb))
    return {"rd": min(x, 0x7FFFFFFF) if m.SAT else x}

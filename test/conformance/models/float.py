"""Half, single and double precision arithmetic, from isa/Float.td and IEEE 754."""
import ieee
from ieee import F16, F32, F64
from machine import flags_of, model
from predicate import signs


def arithmetic(fmt, operation, m, s, names):
    sources = [signs(fmt, s, n) for n in names]
    if getattr(m, "FTZ", False):
        sources = [fmt.flush(x) for x in sources]
    result = operation(fmt, *sources, getattr(m, "rnd", "rn").upper())
    if getattr(m, "FTZ", False):
        result = fmt.flush(result)
    if getattr(m, "SAT", False):
        result = ieee.saturate(fmt, result)
    nan, zero = fmt.is_nan(result), result in (0, fmt.sign)
    return {"rd": result} | flags_of(m, nan or zero, nan or not zero and bool(fmt.sign_of(result)))


for letter, fmt in (("F", F32), ("D", F64)):
    for name, operation, sources in (("ADD", ieee.add, ("ra", "rb")), ("MUL", ieee.mul, ("ra", "rb")),
                                     ("FMA", ieee.fma, ("ra", "rb", "rc"))):
        model(letter + name, letter + name + "32I", values="float")(
            lambda m, s, fmt=fmt, operation=operation, sources=sources: arithmetic(fmt, operation, m, s, sources))


def packed(operation, m, s, names):
    """Two halves in each word, each on its own; a sign is that of both."""
    result = 0
    for at in (0, 16):
        sources = []
        for name in names:
            x = getattr(s, name) >> at & 0xFFFF
            x = x & 0x7FFF if name in s.abs else x
            x = x ^ 0x8000 if name in s.neg else x
            sources.append(F16.flush(x) if m.FTZ else x)
        x = operation(F16, *sources, m.rnd.upper())
        x = F16.flush(x) if m.FTZ else x
        x = ieee.saturate(F16, x) if m.SAT else x
        result |= x << at
    return {"rd": result}


for name, operation, sources in (("ADD", ieee.add, ("ra", "rb")), ("MUL", ieee.mul, ("ra", "rb")),
                                 ("FMA", ieee.fma, ("ra", "rb", "rc"))):
    model(f"H{name}2", values="half")(
        lambda m, s, operation=operation, sources=sources: packed(operation, m, s, sources))


def minimum_or_maximum(fmt, m, s, maximum):
    """One NaN gives the other operand, two or one with .NaN the canonical NaN; -0 is less than +0."""
    a, b = signs(fmt, s, "ra"), signs(fmt, s, "rb")
    if getattr(m, "FTZ", False):
        a, b = fmt.flush(a), fmt.flush(b)
    if fmt.is_nan(a) and fmt.is_nan(b) or m.NaN and (fmt.is_nan(a) or fmt.is_nan(b)):
        return {"rd": fmt.nan}
    if fmt.is_nan(a) or fmt.is_nan(b):
        return {"rd": b if fmt.is_nan(a) else a}
    order = ieee.compare(fmt, a, b) or fmt.sign_of(b) - fmt.sign_of(a)
    return {"rd": a if (order >= 0) == maximum else b}


for letter, fmt in (("F", F32), ("D", F64)):
    model(letter + "MNMX", values="float")(lambda m, s, fmt=fmt: minimum_or_maximum(fmt, m, s, s.pp))
    model(letter + "MIN", values="float")(lambda m, s, fmt=fmt: minimum_or_maximum(fmt, m, s, False))
    model(letter + "MAX", values="float")(lambda m, s, fmt=fmt: minimum_or_maximum(fmt, m, s, True))

"""Single and double precision arithmetic, from isa/Float.td and IEEE 754."""
import ieee
from ieee import F32, F64
from machine import model
from predicate import signs


def arithmetic(fmt, operation, m, s, names):
    sources = [signs(fmt, s, n) for n in names]
    if getattr(m, "FTZ", False):
        sources = [fmt.flush(x) for x in sources]
    result = operation(fmt, *sources, m.rnd.upper())
    if getattr(m, "FTZ", False):
        result = fmt.flush(result)
    if getattr(m, "SAT", False):
        result = ieee.saturate(fmt, result)
    return {"rd": result}


for letter, fmt in (("F", F32), ("D", F64)):
    for name, operation, sources in (("ADD", ieee.add, ("ra", "rb")), ("MUL", ieee.mul, ("ra", "rb")),
                                     ("FMA", ieee.fma, ("ra", "rb", "rc"))):
        model(letter + name, values="float")(
            lambda m, s, fmt=fmt, operation=operation, sources=sources: arithmetic(fmt, operation, m, s, sources))

"""The special functions, from isa/Special.td: correctly rounded values."""
import ieee
from ieee import F32, F64
from machine import model
from predicate import signs
from transcendental import exp2, log2, sine


def reciprocal(fmt, x):
    if fmt.is_nan(x):
        return fmt.nan
    if fmt.is_inf(x) or fmt.is_zero(x):
        return fmt.signed(fmt.sign_of(x), 0 if fmt.is_inf(x) else fmt.infinity)
    return ieee.reciprocal(fmt, x)


def square_root(fmt, x):
    if fmt.is_nan(x) or (fmt.sign_of(x) and not fmt.is_zero(x)):
        return fmt.nan
    return x if fmt.is_zero(x) or fmt.is_inf(x) else ieee.square_root(fmt, x)


def reciprocal_root(fmt, x):
    if fmt.is_zero(x):
        return fmt.signed(fmt.sign_of(x), fmt.infinity)
    if fmt.is_nan(x) or fmt.sign_of(x):
        return fmt.nan
    return 0 if fmt.is_inf(x) else ieee.reciprocal_root(fmt, x)


def clamp(m, fmt, x):
    return ieee.saturate(fmt, x) if m.SAT else x


@model("MUFU", values="float")
def mufu(m, s):
    x = signs(F32, s, "rb")  # of a double's upper word the same bit
    if m.function in ("rcp64h", "rsq64h"):
        function = reciprocal if m.function == "rcp64h" else reciprocal_root
        return {"rd": clamp(m, F64, function(F64, x << 32)) >> 32}
    if m.FTZ:
        x = F32.flush(x)
    result = {"rcp": lambda: reciprocal(F32, x), "rsq": lambda: reciprocal_root(F32, x), "ex2": lambda: exp2(x),
              "lg2": lambda: log2(x), "sin": lambda: sine(x, 0), "cos": lambda: sine(x, 1),
              "sqrt": lambda: square_root(F32, x)}[m.function]()
    return {"rd": clamp(m, F32, F32.flush(result) if m.FTZ else result)}

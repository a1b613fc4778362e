"""Moves, select and special registers, from isa/Move.td."""
from machine import model

WORD = 0xFFFFFFFF


@model("MOV", "MOV32I", values="any")
def mov(m, s):
    return {"rd": s.rb}


@model("SEL", values="any")
def sel(m, s):
    return {"rd": s.ra if s.pp else s.rb}


# By number; the launch is one warp a CTA, `ctas` CTAs in a row.
SPECIAL = {
    0: lambda s: s.lane, 1: lambda s: 0, 2: lambda s: 1,
    16: lambda s: s.lane, 17: lambda s: 0, 18: lambda s: 0, 19: lambda s: 32, 20: lambda s: 1, 21: lambda s: 1,
    22: lambda s: s.cta, 23: lambda s: 0, 24: lambda s: 0, 25: lambda s: s.ctas, 26: lambda s: 1, 27: lambda s: 1,
    32: lambda s: 1 << s.lane, 33: lambda s: (1 << s.lane) - 1, 34: lambda s: (2 << s.lane) - 1,
    35: lambda s: WORD & ~((2 << s.lane) - 1), 36: lambda s: WORD & ~((1 << s.lane) - 1),
}


@model("S2R")
def s2r(m, s):
    # What depends on the machine's configuration and time may be anything here: None is not compared.
    return {"rd": SPECIAL[s.special](s) if s.special in SPECIAL else None}

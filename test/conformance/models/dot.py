"""Dot products of bytes and halves, from isa/Dot.td."""
from machine import model, signed

WORD = 0xFFFFFFFF


def parts(word, count, unsigned):
    """The word as `count` exact integers, that of the lowest bits first."""
    bits = 32 // count
    fields = [int(f"{word:032b}"[32 - bits * (i + 1):32 - bits * i], 2) for i in range(count)]
    return fields if unsigned else [signed(field, bits) for field in fields]


def dot(m, s, count, first=0):
    a = parts(s.ra, count, m.sign in ("u32", "us32"))
    b = parts(s.rb, 4, m.sign in ("u32", "su32"))[first:first + count]
    unsigned = m.sign == "u32"
    t = sum(x * y for x, y in zip(a, b)) + (s.rc if unsigned else signed(s.rc))
    if m.SAT:
        low, high = (0, WORD) if unsigned else (-1 << 31, (1 << 31) - 1)
        t = min(max(t, low), high)
    return {"rd": t & WORD}


model("IDP.4A")(lambda m, s: dot(m, s, 4))
model("IDP.2A")(lambda m, s: dot(m, s, 2, 2 if m.HI else 0))

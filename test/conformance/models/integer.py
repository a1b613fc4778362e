"""Integer arithmetic, from isa/Integer.td and its design choices."""
from machine import model, signed

WORD = 0xFFFFFFFF


def add(m, s, x, y, carry, saturate=False):
    """Every adding instruction: the sum of two words and a carry, and the flags it leaves with .CC."""
    total = x + y + carry
    exact = signed(x) + signed(y) + carry
    result = {"rd": min(max(exact, -1 << 31), (1 << 31) - 1) & WORD if saturate else total & WORD}
    if m.CC:
        zero = total & WORD == 0 and (s.ZF or not getattr(m, "X", False))
        result["cc"] = zero, bool(total >> 31 & 1), total >= 1 << 32, exact != signed(total & WORD)
    return result


def carry_in(m, s):
    return int(s.CF) if m.X else 0


def invert(value, negated):
    return value ^ WORD if negated else value


def add_signed(m, s, a_negated, b_negated):
    """A negated source is its inverse and a carry in; with .X one of these carries is CF."""
    negated = a_negated + b_negated
    carry = s.CF + (negated == 2) if m.X else negated
    return add(m, s, invert(s.ra, a_negated), invert(s.rb, b_negated), carry, m.SAT)


@model("IADD", "IADD32I")
def iadd(m, s):
    return add_signed(m, s, "ra" in s.neg, "rb" in s.neg)


@model("IADD3")
def iadd3(m, s):
    return {"rd": sum(-getattr(s, n) if n in s.neg else getattr(s, n) for n in ("ra", "rb", "rc")) & WORD}


@model("ISUB")
def isub(m, s):
    return add_signed(m, s, "ra" in s.neg, "rb" not in s.neg)


@model("INEG")
def ineg(m, s):
    s.ra = 0
    return add_signed(m, s, False, "rb" not in s.neg)


def factors(sign, s):
    """The two factors by their signedness: su32 is signed times unsigned."""
    a = signed(s.ra) if sign in ("s32", "su32") else s.ra
    b = signed(s.rb) if sign in ("s32", "us32") else s.rb
    return a, b


def product_word(m, s):
    a, b = factors(m.sign, s)
    return (a * b >> 32 if m.HI else a * b) & WORD


@model("IMUL")
def imul(m, s):
    return {"rd": product_word(m, s)}


@model("IMAD")
def imad(m, s):
    return add(m, s, product_word(m, s), s.rc, carry_in(m, s))


@model("ISCADD")
def iscadd(m, s):
    a, b = "ra" in s.neg, "rb" in s.neg
    return add(m, s, invert(s.ra << s.shift & WORD, a), invert(s.rb, b), a + b)


@model("LEA")
def lea(m, s):
    return add(m, s, s.ra << s.shift & WORD, s.rb, carry_in(m, s))


@model("LEA.HI")
def lea_hi(m, s):
    return add(m, s, (s.rc << 32 | s.ra) << s.shift >> 32 & WORD, s.rb, carry_in(m, s))


def minimum_or_maximum(m, s, maximum):
    key = (lambda x: x) if m.u32 == "u32" else signed
    return {"rd": max(s.ra, s.rb, key=key) if maximum else min(s.ra, s.rb, key=key)}


model("IMNMX")(lambda m, s: minimum_or_maximum(m, s, s.pp))
model("IMIN")(lambda m, s: minimum_or_maximum(m, s, False))
model("IMAX")(lambda m, s: minimum_or_maximum(m, s, True))


@model("IMAD.WIDE")
def imad_wide(m, s):
    a, b = factors(m.sign, s)
    x, mask = a * b & (1 << 64) - 1, (1 << 64) - 1
    total = x + s.rc + carry_in(m, s)
    exact = signed(x, 64) + signed(s.rc, 64) + carry_in(m, s)
    result = {"rd": total & mask}
    if m.CC:
        zero = total & mask == 0 and (s.ZF or not m.X)
        result["cc"] = zero, bool(total >> 63 & 1), total > mask, exact != signed(total & mask, 64)
    return result

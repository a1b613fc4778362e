"""Predicate set, register set, predicate moves and votes, from isa/Predicate.td and isa/Move.td [S1]."""
from ieee import F32, F64, compare
from machine import model, signed, warp_model

WORD = 0xFFFFFFFF
COMBINE = {"and": lambda a, b: a and b, "or": lambda a, b: a or b, "xor": lambda a, b: a != b}
ONE_SINGLE = 0x3F800000


def set_predicates(m, s, test):
    """xSETP: both destinations from the same test and the old source predicate."""
    combine, source = COMBINE[m.bop], getattr(s, "pp", True)  # PT in a text without it
    return {"pu": combine(test, source), "pv": combine(not test, source)}


def set_register(m, s, test):
    """xSET: all ones, or with .BF 1.0f."""
    true = ONE_SINGLE if m.BF else WORD
    return {"rd": true if COMBINE[m.bop](test, s.pp) else 0}


def integer_test(m, s):
    unsigned = m.u32 == "u32"
    a, b = (s.ra, s.rb) if unsigned else (signed(s.ra), signed(s.rb))
    if m.X:
        difference = a - b - (not s.CF)
        less, equal = difference < 0, difference & WORD == 0 and s.ZF
    else:
        less, equal = a < b, a == b
    # With .X, flags that no compare of lower words leaves can make both true.
    greater = not less and not equal
    return {"f": False, "lt": less, "eq": equal, "le": less or equal, "gt": greater, "ne": less or greater,
            "ge": equal or greater, "t": True}[m.cmp]


def float_test(fmt, m, a, b):
    """The ordered tests, and with u those that are also true of a NaN."""
    order = compare(fmt, a, b)
    if m.cmp in ("num", "nan", "f", "t"):
        return {"num": order is not None, "nan": order is None, "f": False, "t": True}[m.cmp]
    if order is None:
        return m.cmp.endswith("u")
    return {"lt": order < 0, "eq": order == 0, "le": order <= 0, "gt": order > 0, "ne": order != 0,
            "ge": order >= 0}[m.cmp.rstrip("u")]


def signs(fmt, s, name):
    """A float source with |x| and -x done, which touch the sign alone, of NaN too."""
    x = getattr(s, name)
    if name in s.abs:
        x &= fmt.magnitude
    return x ^ fmt.sign if name in s.neg else x


def single_test(m, s):
    a, b = signs(F32, s, "ra"), signs(F32, s, "rb")
    if m.FTZ:
        a, b = F32.flush(a), F32.flush(b)
    return float_test(F32, m, a, b)


def double_test(m, s):
    return float_test(F64, m, signs(F64, s, "ra"), signs(F64, s, "rb"))


for name, test, values in (("ISET", integer_test, "int"), ("FSET", single_test, "float"), ("DSET", double_test, "float")):
    model(name + "P", values=values)(lambda m, s, test=test: set_predicates(m, s, test(m, s)))
    model(name, values=values)(lambda m, s, test=test: set_register(m, s, test(m, s)))


@model("PSETP")
def psetp(m, s):
    first, second = COMBINE[m.bop0], COMBINE[m.bop1]
    third = getattr(s, "pr", True)  # of three operands PT
    return {"pu": second(first(s.pp, s.pq), third), "pv": second(first(not s.pp, s.pq), third)}


@model("PSET")
def pset(m, s):
    true = COMBINE[m.bop1](COMBINE[m.bop0](s.pp, s.pq), s.pr)
    return {"rd": (ONE_SINGLE if m.BF else WORD) if true else 0}


def flag_test(test, s):
    """The four outcomes that the flags tell, or one flag."""
    unordered, equal = s.ZF and s.SF, s.ZF and not s.SF
    less, greater = not s.ZF and s.SF != s.OF, not s.ZF and s.SF == s.OF
    return {"f": False, "t": True, "num": not unordered, "nan": unordered,
            "lt": less, "eq": equal, "le": less or equal, "gt": greater, "ne": less or greater, "ge": greater or equal,
            "ltu": less or unordered, "equ": equal or unordered, "leu": less or equal or unordered,
            "gtu": greater or unordered, "neu": less or greater or unordered, "geu": greater or equal or unordered,
            "lo": not s.CF, "hs": s.CF, "ls": not s.CF or s.ZF, "hi": s.CF and not s.ZF,
            "of": s.OF, "nof": not s.OF, "sf": s.SF, "nsf": not s.SF}[test]


model("CSETP")(lambda m, s: set_predicates(m, s, flag_test(m.test, s)))
model("CSET")(lambda m, s: set_register(m, s, flag_test(m.test, s)))


def predicate_register(s):
    return sum(p << i for i, p in enumerate(s.P[:7])) | s.ZF << 8 | s.SF << 9 | s.CF << 10 | s.OF << 11


@model("P2R", rb="mask")
def p2r(m, s):
    shift = 16 if m.hi == "hi" else 0
    mask = (s.rb & 0xFFFF) << shift
    return {"rd": s.ra & ~mask | predicate_register(s) << shift & mask}


@model("R2P", rb="mask")
def r2p(m, s):
    half = s.ra >> 16 if m.hi == "hi" else s.ra
    word = predicate_register(s) & ~s.rb | half & s.rb
    bit = [bool(word >> i & 1) for i in range(12)]
    return {"P": bit[:7], "cc": bit[8:]}


@warp_model("SHFL", rb="small", rc="clamp")
def shfl(m, warp):
    source = {s.lane: s.ra for s in warp}
    results = []
    for s in warp:
        value, clamp, segment = s.rb & 31, s.rc & 31, s.rc >> 8 & 31
        least = s.lane & segment
        most = least | clamp & ~segment
        j = {"up": s.lane - value, "down": s.lane + value, "bfly": s.lane ^ value,
             "idx": least | value & ~segment}[m.mode]
        valid = (j >= most if m.mode == "up" else j <= most) and j in source
        results.append({"rd": source[j if valid else s.lane], "pu": valid})
    return results


@warp_model("VOTE")
def vote(m, warp):
    yes = [s.pp for s in warp]
    answer = {"all": all(yes), "any": any(yes), "eq": all(yes) or not any(yes)}[m.mode]
    ballot = sum(1 << s.lane for s in warp if s.pp)
    return [{"rd": ballot, "pu": answer} for _ in warp]

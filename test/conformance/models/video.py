"""Bytes and halves, from isa/Video.td."""
from machine import model, signed
from predicate import set_predicates, set_register

WORD = 0xFFFFFFFF


def part(s, name, unsigned=False):
    """The source as an exact number."""
    which = s.part[name]
    if which.startswith("u"):
        unsigned, which = True, which[1:] or "w"
    bits = {"w": 32, "h": 16, "b": 8}[which[0]]
    value = getattr(s, name) >> bits * int(which[1:] or 0) & ((1 << bits) - 1)
    return value if unsigned else signed(value, bits)


def clamp(t, bits, unsigned):
    low, high = (0, (1 << bits) - 1) if unsigned else (-1 << (bits - 1), (1 << (bits - 1)) - 1)
    return min(max(t, low), high)


def finish(m, s, t):
    c, unsigned = getattr(s, "rc", 0), m.u32 == "u32"
    bits = {"h": 16, "b": 8}[m.post[0]] if m.post[-1].isdigit() else 32
    if m.SAT:
        t = clamp(t, bits, unsigned)
    w = t & WORD
    if bits < 32:
        at = bits * int(m.post[1])
        mask = ((1 << bits) - 1) << at
        return {"rd": w << at & mask | c & ~mask}
    key = (lambda x: x) if unsigned else signed
    return {"rd": {"full": w, "add": w + c & WORD, "min": min(w, c, key=key), "max": max(w, c, key=key)}[m.post]}


for mnemonic, rule in {"VADD": lambda a, b: a + b, "VSUB": lambda a, b: a - b, "VABSDIFF": lambda a, b: abs(a - b),
                       "VMIN": min, "VMAX": max}.items():
    model(mnemonic)(lambda m, s, rule=rule: finish(m, s, rule(part(s, "ra"), part(s, "rb"))))


def amount(m, s):
    n = part(s, "rb", unsigned=True)
    return n % 32 if m.W else min(n, 32)


model("VSHL", rb="small")(lambda m, s: finish(m, s, part(s, "ra") << amount(m, s)))
model("VSHR", rb="small")(lambda m, s: finish(m, s, part(s, "ra") >> amount(m, s)))


@model("VMAD")
def vmad(m, s):
    product = part(s, "ra") * part(s, "rb") * (-1 if "ra" in s.neg else 1)
    is_signed = not (s.part["ra"].startswith("u") and s.part["rb"].startswith("u")) or "ra" in s.neg
    c = signed(s.rc) if is_signed else s.rc
    t = product + (-c if "rc" in s.neg else c) + m.PO >> int(m.scale[3:])
    if m.SAT:
        t = clamp(t, 32, not is_signed and "rc" not in s.neg)
    return {"rd": t & WORD}


def test(m, s):
    a, b = part(s, "ra"), part(s, "rb")
    return {"f": False, "lt": a < b, "eq": a == b, "le": a <= b, "gt": a > b, "ne": a != b, "ge": a >= b, "t": True}[m.cmp]


model("VSETP")(lambda m, s: set_predicates(m, s, test(m, s)))
model("VSET")(lambda m, s: set_register(m, s, test(m, s)))

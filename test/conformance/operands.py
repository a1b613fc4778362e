"""Operand kinds (Operands.td): how each is written in a case, and what an instruction reads there.

`alternatives` lists, for a kind, the shapes a case can choose from; every shape is paired with every modifier value.
A shape makes the operand of one case: its text and where its value comes from.
"""
import re
import struct

from values import HALF_EDGES, INTEGER_EDGES, SINGLE_EDGES, DOUBLE_EDGES

CONSTANTS_AT = 0x60    # c[0]: four parameters at 0x40, then the pool
CONSTANT_WORDS = 120
RZ, PT = 255, 7
PARTS = ["", ".H0", ".H1", ".B0", ".B1", ".B2", ".B3", ".U", ".UH0", ".UH1", ".UB0", ".UB1", ".UB2", ".UB3"]


class Operand:
    """One operand of one case. `register` is the first register it names (RZ reads 0), `bits` a value that is the same
    for every lane, `predicate` the index of a predicate; flags are those that the text writes."""

    def __init__(self, text, register=None, bits=None, predicate=None, inverted=False, flags=(), words=1, more=None, part="w"):
        self.text, self.register, self.bits, self.predicate = text, register, bits, predicate
        self.inverted, self.flags, self.words, self.more = inverted, frozenset(flags), words, more or {}
        self.part = part  # of a video source: w, uh1, b0, ...


def register_text(number):
    return "RZ" if number == RZ else f"R{number}"


def signed_text(flags, text):
    if "abs" in flags:
        text = f"|{text}|"
    if "neg" in flags:
        text = "-" + text
    return "~" + text if "inv" in flags else text


class Shape:
    """A way to write a kind of operand; `make(slot)` gives the Operand. `slot` tells the case's choices: the register
    set apart for the operand, the number of words, a hint of what values are interesting, the random generator."""

    def __init__(self, name, make):
        self.name, self.make = name, make

    def __repr__(self):
        return self.name


def register(*flags):
    def make(slot):
        return Operand(signed_text(flags, register_text(slot.register)), register=slot.register, flags=flags,
                       words=slot.words)
    return Shape(signed_text(flags, "R"), make)


def part(number, *flags):
    """A register with a part behind it; constants likewise (below)."""
    def make(slot):
        return Operand(signed_text(flags, f"{register_text(slot.register)}{PARTS[number]}"), register=slot.register,
                       flags=flags, part=PARTS[number][1:].lower() or "w")
    return Shape(signed_text(flags, "R" + PARTS[number]), make)


def constant_part(number):
    def make(slot):
        operand = constant().make(slot)
        operand.text, operand.part = operand.text + PARTS[number], PARTS[number][1:].lower() or "w"
        return operand
    return Shape("c" + PARTS[number], make)


def zero_register(*flags):
    def make(slot):
        return Operand(signed_text(flags, "RZ"), register=RZ, flags=flags, words=slot.words)
    return Shape(signed_text(flags, "RZ"), make)


def tied_register(*flags):
    """The destination's register once more."""
    def make(slot):
        return Operand(signed_text(flags, register_text(slot.destination)), register=slot.destination, flags=flags)
    return Shape(signed_text(flags, "rd"), make)


def constant(*flags):
    def make(slot):
        index = slot.rng.randrange(CONSTANT_WORDS // slot.words) * slot.words
        bits = sum(slot.constants[index + i] << 32 * i for i in range(slot.words))
        return Operand(signed_text(flags, f"c[0][{CONSTANTS_AT + 4 * index:#x}]"), bits=bits, flags=flags,
                       words=slot.words)
    return Shape(signed_text(flags, "c"), make)


# Constants that every pool has, since a constant is one value for all lanes: the lowest and highest integers, a subnormal;
# halfway between two singles or halves below an even and an odd one, and just above; halves of whole numbers.
CERTAIN = [0x80000000, 0x7FFFFFFF, 0x80000001, 0x00400000, 0x3F801000, 0x3F803000, 0x3F801001, 0xBF801001, 0x40200000,
           0xBFC00000, 0x01000001, 0x01000003, 0x10000000, 0x3FF00000, 0x30000000, 0x3FF00000, 0x10000001, 0xBFF00000,
           0x00000000, 0x40040000, 0x00000000, 0xBFE00000, 0x00000001, 0x00200000, 0x007FFFFF, 0x00000001, 0x80400000,
           0x00000800]


def constant_pool(rng):
    """Words for c[0]: integers, halves, singles and, in aligned pairs, doubles."""
    pool = list(CERTAIN)
    while len(pool) < CONSTANT_WORDS:
        kind = rng.randrange(6)
        if kind < 2:
            value = rng.choice(INTEGER_EDGES) | rng.choice(INTEGER_EDGES) << 32
        elif kind == 2:
            value = rng.choice(SINGLE_EDGES) | rng.choice(SINGLE_EDGES) << 32 | rng.getrandbits(1) << 31
        elif kind == 3:
            value = rng.choice(DOUBLE_EDGES) | rng.getrandbits(1) << 63
        elif kind == 4:
            value = rng.choice(HALF_EDGES) | rng.choice(HALF_EDGES) << 16 | rng.getrandbits(32) << 32
        else:
            value = rng.getrandbits(64)
        pool += [value & 0xFFFFFFFF, value >> 32]
    return pool


def integer_immediate(low, high, edges=()):
    def make(slot):
        rng = slot.rng
        value = rng.choice((low, high, rng.randint(low, high), rng.choice(edges or (0, 1, 2, 31, 32, 33, -1, 64, 255))))
        value = min(max(value, low), high)
        text = hex(value) if value >= 0 and rng.getrandbits(1) else str(value)
        return Operand(text, bits=value & ((1 << 32 * slot.words) - 1), words=slot.words)
    return Shape("imm", make)


def float_immediate(bits, code, kept=20):
    """A float of `bits` whose upper `kept` bits an instruction holds."""
    edges, more = (SINGLE_EDGES, {"single_immediate": True}) if bits == 32 else (DOUBLE_EDGES, {})

    def make(slot):
        rng = slot.rng
        if rng.getrandbits(1):
            value = rng.choice((0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -1.5, 1024.0, 0.25))
            return Operand(repr(value), bits=int.from_bytes(struct.pack(code, value), "little"), words=slot.words,
                           more=more)
        fraction, bias = (23, 127) if bits == 32 else (52, 1023)
        subnormal = rng.getrandbits(fraction)
        common = bias + rng.randrange(-16, 34) << fraction | rng.getrandbits(fraction)
        pattern = rng.choice((rng.choice(edges), rng.getrandbits(bits), subnormal, common)) | rng.getrandbits(1) << (bits - 1)
        pattern = pattern >> (bits - kept) << (bits - kept)
        return Operand(f"0x{pattern:0{bits // 4}x}", bits=pattern, words=slot.words, more=more)
    return Shape("imm", make)


def predicate(inverted):
    def make(slot):
        index = slot.rng.randrange(7)
        return Operand(("!" if inverted else "") + f"P{index}", predicate=index, inverted=inverted)
    return Shape("!P" if inverted else "P", make)


def fixed(text, **more):
    return Shape(text or "absent", lambda slot: Operand(text, **more))


def destination_predicate(slot):
    index = slot.rng.randrange(7)
    return Operand(f"P{index}", predicate=index)


def special_registers(slot):
    name, number = slot.special
    return Operand(name, more={"special": number})


# By the name of the operand's record. A kind that is missing here makes its instruction a hole.
SOURCES = {
    "GPR": [register(), zero_register()],
    "RegN": [register(), register("neg"), zero_register(), zero_register("neg")],
    "RegNA": [register(), register("neg"), register("abs"), register("neg", "abs"), zero_register("neg")],
    "RegI": [register(), register("inv"), zero_register("inv")],
    "Const": [constant()],
    "RegPart": [part(i) for i in range(14)] + [zero_register()],
    "RegPartN": [part(i) for i in range(14)] + [part(i, "neg") for i in (0, 1, 5, 7, 9, 13)],
    "ConstPart": [constant_part(i) for i in range(14)],
    "OptRegSource": [fixed(None, bits=0), register(), zero_register()],
    "ConstN": [constant(), constant("neg")],
    "ConstNA": [constant(), constant("neg"), constant("abs"), constant("neg", "abs")],
    "ConstI": [constant(), constant("inv")],
    "FImm20": [float_immediate(32, "<f")],
    "FImm32": [float_immediate(32, "<f", 32)],
    "RegTiedN": [tied_register(), tied_register("neg")],
    "DImm20": [float_immediate(64, "<d")],
    "Imm32": [integer_immediate(0, 0xFFFFFFFF, INTEGER_EDGES + SINGLE_EDGES), integer_immediate(-(1 << 31), -1)],
    "PredSource": [predicate(False), predicate(True), fixed("PT", predicate=PT), fixed("!PT", predicate=PT, inverted=True)],
    "OptPredSource": [fixed(None, predicate=PT), predicate(False), predicate(True), fixed("PT", predicate=PT),
                      fixed("!PT", predicate=PT, inverted=True)],
}
# Sources of aliases, written as those of the instruction behind.
SOURCES.update(RegMinus=SOURCES["RegN"], ConstMinus=SOURCES["ConstN"], RegNot=SOURCES["RegI"], ConstNot=SOURCES["ConstI"],
               RegAbs=SOURCES["GPR"], ConstAbs=SOURCES["Const"])


def source_shapes(kind, record):
    """The shapes of a source; a plain immediate's range is in its record."""
    if kind in SOURCES:
        return SOURCES[kind]
    field = re.fullmatch(r"decode([SU])Imm<(\d+)>", record.get("DecoderMethod") or "") if record else None
    if field:
        bits = int(field[2])
        low, high = (-1 << (bits - 1), (1 << (bits - 1)) - 1) if field[1] == "S" else (0, (1 << bits) - 1)
        return [integer_immediate(low, high)]
    return None


DESTINATIONS = {
    "GPR": [register(), Shape("RZ", lambda slot: Operand("RZ", register=RZ, words=slot.words)),
            Shape("=source", lambda slot: Operand(register_text(slot.alias), register=slot.alias, words=slot.words))],
    "OptRegDest": [fixed(None, register=RZ), register()],
    "PR": [Shape("P", destination_predicate), fixed("PT", predicate=PT)],
    "LeadingPredDest": [fixed(None, predicate=PT), Shape("P", destination_predicate), fixed("PT", predicate=PT)],
    "OptPredDest": [fixed(None, predicate=PT), Shape("P", destination_predicate), fixed("PT", predicate=PT)],
}

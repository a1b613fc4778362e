"""Operand values: the edges of integers and floats, values that are close to each other, and random bits."""

WORD = 0xFFFFFFFF

INTEGER_EDGES = [0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFE, 0x7FFFFFFF,
                 0x80000000, 0x80000001, 0xFFFF8000, 0xFFFFFF80, 0xFFFFFFFE, 0xFFFFFFFF, 0x55555555, 0xAAAAAAAA]
SMALL = list(range(0, 70)) + [127, 128, 255, 256]
SINGLE_EDGES = [0, 1, 2, 0x007FFFFE, 0x007FFFFF, 0x00800000, 0x00800001, 0x00FFFFFF, 0x01000000, 0x3EFFFFFF, 0x3F000000,
                0x3F000001, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FC00000, 0x40000000, 0x40490FDB, 0x42FE0000,
                0x43000000, 0x4B000000, 0x4B7FFFFF, 0x4B800000, 0x4EFFFFFF, 0x4F000000, 0x4F7FFFFF, 0x4F800000,
                0x5F000000, 0x5F800000, 0x7F7FFFFE, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FA00000, 0x7FC00000, 0x7FFFFFFF]
DOUBLE_EDGES = [0, 1, 2, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x0010000000000001, 0x36A0000000000000,
                0x3690000000000000, 0x3690000000000001, 0x380FFFFFFFFFFFFF, 0x380FFFFFE0000000, 0x380FFFFFD0000000,
                0x3FDFFFFFFFFFFFFF, 0x3FE0000000000000, 0x3FE0000000000001, 0x3FEFFFFFFFFFFFFF, 0x3FF0000000000000,
                0x3FF0000000000001, 0x3FF8000000000000, 0x4000000000000000, 0x40DFFFE000000000, 0x40EFFFE000000000,
                0x41DFFFFFFFC00000, 0x41E0000000000000, 0x41EFFFFFFFE00000, 0x41F0000000000000, 0x43DFFFFFFFFFFFFF,
                0x43E0000000000000, 0x43EFFFFFFFFFFFFF, 0x43F0000000000000, 0x47EFFFFFE0000000, 0x47EFFFFFEFFFFFFF,
                0x47EFFFFFF0000000, 0x47F0000000000000, 0x4330000000000000, 0x4340000000000000, 0x7FEFFFFFFFFFFFFF,
                0x7FF0000000000000, 0x7FF0000000000001, 0x7FF8000000000000, 0x7FFFFFFFFFFFFFFF]
HALF_EDGES = [0, 1, 0x3FF, 0x400, 0x401, 0x37FF, 0x3800, 0x3BFF, 0x3C00, 0x3C01, 0x3E00, 0x4000, 0x7BFF, 0x7C00, 0x7C01,
              0x7E00, 0x7FFF]


class Values:
    """Draws the operands of one lane; `centre` ties the exponents of its floats together."""

    def __init__(self, rng):
        self.rng = rng
        self.centre = 0.5

    def new_lane(self):
        self.centre = self.rng.choice((0.0, 0.05, 0.3, 0.5, 0.5, 0.5, 0.55, 0.7, 0.95, 1.0))

    def integer(self, bits):
        rng, mask = self.rng, (1 << bits) - 1
        kind = rng.randrange(8)
        if kind < 3:
            value = rng.choice(INTEGER_EDGES)
            if bits == 64:
                value = rng.choice((value, value << 32, value << 32 | rng.choice(INTEGER_EDGES), (1 << 64) - value))
            return value & mask
        if kind < 5:
            return rng.choice(SMALL) & mask
        if kind == 5:
            return rng.getrandbits(bits) >> rng.randrange(bits)
        return rng.getrandbits(bits)

    def floating(self, bits, fraction, edges):
        rng = self.rng
        sign = rng.getrandbits(1) << (bits - 1)
        kind = rng.randrange(10)
        if kind < 3:
            return rng.choice(edges) | sign
        if kind == 3:
            return rng.getrandbits(bits)
        top = (1 << (bits - 1 - fraction)) - 2
        exponent = round(top * self.centre) + rng.randrange(-fraction - 2, fraction + 3) // rng.choice((1, 2, 8))
        exponent = min(max(exponent, 0), top)
        # Few bits set, or all of them, make ties and carries.
        mantissa = rng.getrandbits(fraction)
        if kind < 6:
            mantissa &= -1 << rng.randrange(fraction)
        elif kind == 6:
            mantissa |= (1 << rng.randrange(fraction)) - 1
        return sign | exponent << fraction | mantissa & ((1 << fraction) - 1)

    def near_integer(self, bits, fraction):
        """A float up to the largest integers, with all of its fraction, or only that of some whole number."""
        rng = self.rng
        exponent = rng.randrange(-3, 67)
        mantissa = rng.getrandbits(fraction) & (-1 << rng.choice((0, 0, rng.randrange(fraction))))
        return rng.getrandbits(1) << (bits - 1) | (exponent + (1 << (bits - 2 - fraction)) - 1) << fraction | (
            mantissa & (1 << fraction) - 1)

    def tie(self, bits):
        """An integer halfway between two floats, or just above or below: the rounding hangs on its lowest bits."""
        rng = self.rng
        precision = rng.choice((11, 24, 53)) if bits == 64 else rng.choice((11, 24))
        length = rng.randrange(precision + 1, bits + 1)
        dropped = length - precision
        value = (rng.getrandbits(precision) | 1 << (precision - 1)) << dropped | 1 << (dropped - 1)
        value += rng.choice((0, 0, -1, 1, rng.getrandbits(min(dropped, 11)) >> 1))
        return (-value if rng.getrandbits(1) else value) & (1 << bits) - 1

    def halves(self):
        return self.floating(16, 10, HALF_EDGES) << 16 | self.floating(16, 10, HALF_EDGES)

    def word(self, hint):
        if hint == "float":
            return self.floating(32, 23, SINGLE_EDGES)
        if hint == "convert":
            if self.rng.randrange(4) == 0:
                return self.near_integer(32, 23)
            return self.word(self.rng.choice(("float", "half")))
        if hint == "tie" and self.rng.getrandbits(1):
            return self.tie(32)
        if hint == "half":
            return self.halves()
        if hint == "small":
            return self.rng.choice(SMALL) if self.rng.getrandbits(1) else self.integer(32)
        if hint == "field":  # position and length of a bit field in bytes
            return self.rng.choice(SMALL[:40] + [255]) | self.rng.choice(SMALL[:40] + [255]) << 8 | (
                self.rng.getrandbits(16) << 16)
        if hint == "mask":  # of the predicate register
            return self.rng.choice((0, 1, 0x7F, 0xF00, 0xF7F, 0xFFFF, 0xFFFFFFFF, self.rng.getrandbits(16),
                                    self.rng.getrandbits(32)))
        if hint == "clamp":  # of SHFL: clamp and segment
            return self.rng.choice((0x1F, 0, 0x181F, 0x1C03, 0x1E01, 0x100F, self.rng.getrandbits(32)))
        if hint == "few":  # values that often are equal
            return self.rng.choice((0, 1, 0xFFFFFFFF))
        if hint == "any":
            return self.word(self.rng.choice(("float", "int", "int", "half")))
        return self.integer(32)

    def pair(self, hint):
        if hint == "few":
            return self.word(hint) << 32 | self.word(hint)
        if hint == "convert" and self.rng.randrange(3) == 0:
            return self.near_integer(64, 52)
        if hint == "tie" and self.rng.getrandbits(1):
            return self.tie(64)
        if hint in ("float", "convert"):
            return self.floating(64, 52, DOUBLE_EDGES)
        return self.integer(64)

    def value(self, hint, words):
        if words == 1:
            return self.word(hint)
        if words == 2:
            return self.pair(hint)
        return self.pair(hint) << 64 | self.pair(hint)

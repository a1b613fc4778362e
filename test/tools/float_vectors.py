#!/usr/bin/env python3
"""Writes test vectors in the form of Berkeley TestFloat (without flags), for ieee_vectors.py. The results are worked out with
Python's fractions and whole numbers, rounded by the definition: no floating point takes part.

usage: float_vectors.py [--count N] [--seed N] FUNCTION[:ROUNDING]...

FUNCTION is f16_, f32_ or f64_ and add, sub, mul, mulAdd, div, sqrt, eq, le or lt; ROUNDING is near_even (when none is
written), minMag, min or max. All pairs of edge cases come first, then operands by chance: near each other, with few bits or
all of them, subnormal, and such that the result lies in the middle between two numbers or right beside it.
"""
import argparse
import itertools
import math
import random
import sys
from fractions import Fraction

FRACTION = {16: 10, 32: 23, 64: 52}
OPERANDS = {"mulAdd": 3, "sqrt": 1}
NAN = "a NaN"


class Format:
    def __init__(self, bits):
        self.bits, self.fraction = bits, FRACTION[bits]
        self.exponents = (1 << (bits - 1 - self.fraction)) - 1  # the field of infinities and NaNs
        self.bias = self.exponents >> 1
        self.sign = 1 << (bits - 1)
        self.infinity = self.exponents << self.fraction

    def value(self, pattern):
        """A Fraction, or math.inf with its sign, or NAN."""
        negative, magnitude = pattern >> (self.bits - 1), pattern & (self.sign - 1)
        if magnitude > self.infinity:
            return NAN
        if magnitude == self.infinity:
            return -math.inf if negative else math.inf
        field, rest = magnitude >> self.fraction, magnitude & ((1 << self.fraction) - 1)
        value = Fraction(rest + ((1 << self.fraction) if field else 0)) * self.place(max(field, 1))
        return -value if negative else value

    def place(self, field):
        """What the last bit is worth under that exponent field."""
        return Fraction(2) ** (field - self.bias - self.fraction)

    def field_of(self, magnitude):
        """The exponent field that a magnitude above 0 has, were there no largest one; 1 for subnormals."""
        exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
        exponent -= Fraction(2) ** exponent > magnitude
        return max(exponent + self.bias, 1)

    def pattern(self, field, count, negative, mode):
        """`count` last places under the field, after rounding; too large a number overflows by the mode."""
        if count >> (self.fraction + 1):
            field, count = field + 1, count >> 1
        pattern = count if not count >> self.fraction else field << self.fraction | count & ((1 << self.fraction) - 1)
        if pattern >= self.infinity:
            toward_zero = mode == "minMag" or mode == ("max" if negative else "min")
            pattern = self.infinity - 1 if toward_zero else self.infinity
        return pattern | (self.sign if negative else 0)

    def rounded(self, value, mode):
        """The pattern of the nearest number to a Fraction other than 0, or of the next in the mode's direction."""
        field = self.field_of(abs(value))
        places = abs(value) / self.place(field)
        count, rest = places.numerator // places.denominator, places % 1
        up = {"near_even": rest > Fraction(1, 2) or rest == Fraction(1, 2) and count & 1, "minMag": False,
              "min": value < 0 and rest > 0, "max": value > 0 and rest > 0}[mode]
        return self.pattern(field, count + bool(up), value < 0, mode)

    def root(self, value):
        """The pattern of the number nearest to the square root of a Fraction above 0: never halfway between two."""
        guess = Fraction(math.isqrt(value.numerator << 400), math.isqrt(value.denominator << 400))
        field = self.field_of(guess)
        square = value / self.place(field) ** 2
        count = math.isqrt(square.numerator // square.denominator)
        return self.pattern(field, count + (square > (count + Fraction(1, 2)) ** 2), False, "near_even")


def product(a, b):
    """Of values, a zero as Fraction(0); NAN for zero times infinity."""
    if NAN in (a, b) or {0, math.inf} <= {abs(a), abs(b)}:
        return NAN
    return a * b if math.inf not in (abs(a), abs(b)) else math.inf if (a > 0) == (b > 0) else -math.inf


def summed(fmt, x, y, mode):
    """The pattern of x + y, each (value, whether it is negative: zeros too)."""
    (a, minus_a), (b, minus_b) = x, y
    if NAN in (a, b) or {a, b} == {math.inf, -math.inf}:
        return fmt.sign - 1
    if math.inf in (abs(a), abs(b)):
        return fmt.infinity | (fmt.sign if -math.inf in (a, b) else 0)
    if a + b == 0:
        return fmt.sign if (minus_a and minus_b) or (minus_a != minus_b and mode == "min") else 0
    return fmt.rounded(a + b, mode)


def result(fmt, name, patterns, mode):
    values = [fmt.value(p) for p in patterns]
    minus = [bool(p & fmt.sign) for p in patterns]
    if name in ("eq", "le", "lt"):
        a, b = values
        return int(NAN not in values and {"eq": a == b, "le": a <= b, "lt": a < b}[name]) if NAN not in values else 0
    if name == "sqrt":
        if values[0] is NAN or values[0] < 0:
            return fmt.sign - 1
        return patterns[0] if values[0] in (0, math.inf) else fmt.root(values[0])
    if name == "sub":
        values[1], minus[1] = values[1] if values[1] is NAN else -values[1], not minus[1]
    if name in ("add", "sub"):
        return summed(fmt, (values[0], minus[0]), (values[1], minus[1]), mode)
    negative = minus[0] != minus[1]
    if name == "div":
        a, b = values
        if NAN in values or a == b == 0 or {abs(a), abs(b)} == {math.inf}:
            return fmt.sign - 1
        if abs(a) == math.inf or b == 0:
            return fmt.infinity | (fmt.sign if negative else 0)
        value = Fraction(0) if abs(b) == math.inf else a / b
    else:
        value = product(values[0], values[1])
    if name == "mulAdd":
        return summed(fmt, (value, negative), (values[2], minus[2]), mode)
    if value is NAN:
        return fmt.sign - 1
    if abs(value) == math.inf:
        return fmt.infinity | (fmt.sign if negative else 0)
    return fmt.rounded(value, mode) if value else fmt.sign if negative else 0


class Chance:
    def __init__(self, fmt, name, rng):
        self.fmt, self.name, self.rng = fmt, name, rng

    def edges(self):
        f, one = self.fmt.fraction, self.fmt.bias << self.fmt.fraction
        magnitudes = [0, 1, 2, (1 << f) - 1, 1 << f, (1 << f) + 1, (2 << f) - 1, one - 1, one, one + 1, one | (1 << f) - 1,
                      one + (1 << f), one | 1 << (f - 1), self.fmt.infinity - 1, self.fmt.infinity, self.fmt.infinity + 1,
                      self.fmt.sign - 1]
        return [m | s for m in magnitudes for s in (0, self.fmt.sign)]

    def number(self, centre=None, spread=None):
        fmt, rng = self.fmt, self.rng
        fraction, at = rng.getrandbits(fmt.fraction), rng.randrange(fmt.fraction)
        kind = rng.randrange(4)
        fraction = [fraction, fraction >> at << at, fraction | (1 << at) - 1, fraction >> at][kind]
        if centre is None:
            field = rng.choice((0, 1, rng.randrange(fmt.exponents), rng.randrange(fmt.exponents + 1)))
        else:
            field = min(max(centre + rng.randint(-spread, spread), 0), fmt.exponents - 1)
        return rng.getrandbits(1) << (fmt.bits - 1) | field << fmt.fraction | fraction

    def near(self, value):
        """The number nearest to a value, or one beside it."""
        pattern = self.fmt.rounded(value, "near_even") if value else 0
        return pattern + self.rng.choice((0, 0, 0, 1, -1)) & (2 * self.fmt.sign - 1)

    def middle(self, field):
        """Halfway between two neighbours with that exponent field."""
        fmt = self.fmt
        low = fmt.value(max(field, 0) << fmt.fraction | self.rng.getrandbits(fmt.fraction))
        return (low + fmt.place(max(field, 1)) / 2) * self.rng.choice((1, -1))

    def operands(self):
        fmt, rng, count = self.fmt, self.rng, OPERANDS.get(self.name, 2)
        kind = rng.randrange(4)
        if kind == 0:
            return [self.number() for _ in range(count)]
        centre = rng.choice((fmt.bias, fmt.bias, rng.randrange(fmt.exponents), 1))
        numbers = [self.number(centre, rng.choice((1, 3, fmt.fraction + 2))) for _ in range(count)]
        if kind == 1 or self.name in ("eq", "le", "lt"):
            if count == 2 and rng.getrandbits(1):
                numbers[1] = numbers[0] ^ rng.choice((0, 1, fmt.sign))
            return numbers
        # A result in the middle of two numbers, as nearly as the operands allow.
        target = rng.choice((0, 0, rng.randrange(fmt.exponents), fmt.exponents - 1))
        if self.name == "sqrt":
            return [self.near(self.middle(rng.randrange(fmt.bias >> 1, 3 * fmt.bias >> 1)) ** 2)]
        if self.name == "div":
            return [self.near(self.middle(target) * fmt.value(numbers[1])), numbers[1]]
        a, b = fmt.value(numbers[0]), fmt.value(numbers[1])
        if self.name in ("add", "sub"):
            return [numbers[0], self.near(self.middle(centre) - a)]
        if self.name == "mul":
            return [self.near(self.middle(target) / b) if b else numbers[0], numbers[1]]
        return [*numbers[:2], self.near(rng.choice((self.middle(target), Fraction(0))) - a * b)]

    def squares_near_middles(self):
        """The numbers whose square roots lie nearest to the middle between two: x^2 + k = a 2^(p+1) with a of p bits and x odd, of
        p + 1 bits, for all k up to 400. Odd square roots modulo a power of two are found bit by bit."""
        p = self.fmt.fraction + 1
        for k in range(-400, 401):
            found = {1, 3, 5, 7} if -k % 8 == 1 else set()
            for bits in range(3, p + 1):
                found = {y for x in found for y in (x, x + (1 << bits)) if (y * y + k) % (2 << bits) == 0}
            for x in sorted(x for x in found if x >> p):
                a = x * x + k >> p + 1
                if a >> (p - 1) and a < 2 << p and (a < 1 << p or a % 2 == 0):
                    yield self.fmt.rounded(Fraction(a, 1 << (p - 1)), "near_even"),

    def all(self, number):
        if self.name == "sqrt":
            yield from self.squares_near_middles()
        edges = itertools.product(self.edges(), repeat=OPERANDS.get(self.name, 2))
        if self.name == "mulAdd":
            edges = [e for e in edges if self.rng.randrange(20) == 0]
        yield from edges
        for _ in range(number):
            yield self.operands()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("functions", nargs="+", metavar="FUNCTION[:ROUNDING]")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    for function in options.functions:
        name, _, mode = function.partition(":")
        mode = mode or "near_even"
        width, _, operation = name.partition("_")
        fmt = Format(int(width[1:]))
        print(f"# testfloat {name} {mode}")
        for patterns in Chance(fmt, operation, random.Random(f"{options.seed} {function}")).all(options.count):
            digits = fmt.bits // 4
            got = result(fmt, operation, patterns, mode)
            print(*(f"{p:0{digits}X}" for p in patterns), f"{got:0{digits}X}" if operation not in ("eq", "le", "lt") else got)


if __name__ == "__main__":
    sys.exit(main())

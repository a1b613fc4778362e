"""IEEE 754 binary formats in exact integer arithmetic: no host floating point takes part.

A finite number is (sign, m, e) and means (-1)^sign * m * 2^e with any integer m >= 0. An operation is worked out exactly,
or as a truncated number with a sticky bit, and then rounded once by `round_to`.
"""
from math import isqrt


class Format:
    """A binary interchange format (IEEE 754-2008, table 3.5)."""

    def __init__(self, bits, fraction):
        self.bits, self.fraction = bits, fraction
        self.exponent_bits = bits - 1 - fraction
        self.bias = (1 << (self.exponent_bits - 1)) - 1
        self.lowest = 1 - self.bias - fraction  # the exponent of the last place of a subnormal
        self.sign = 1 << (bits - 1)
        self.magnitude = self.sign - 1
        self.infinity = ((1 << self.exponent_bits) - 1) << fraction
        self.largest = self.infinity - 1
        self.nan = self.magnitude  # the machine's one NaN result: 0x7fff...f
        self.one = self.bias << fraction

    def is_nan(self, x):
        return x & self.magnitude > self.infinity

    def is_inf(self, x):
        return x & self.magnitude == self.infinity

    def is_zero(self, x):
        return x & self.magnitude == 0

    def is_subnormal(self, x):
        return 0 < x & self.magnitude < 1 << self.fraction

    def sign_of(self, x):
        return x >> (self.bits - 1) & 1

    def signed(self, sign, x):
        return x | self.sign if sign else x

    def parts(self, x):
        """The (sign, m, e) of a finite number."""
        field = (x & self.magnitude) >> self.fraction
        m = x & ((1 << self.fraction) - 1)
        if field:
            m |= 1 << self.fraction
        return self.sign_of(x), m, max(field, 1) - self.bias - self.fraction

    def flush(self, x):
        """A subnormal becomes the zero of its sign (.FTZ)."""
        return x & self.sign if self.is_subnormal(x) else x


F16, F32, F64 = Format(16, 10), Format(32, 23), Format(64, 52)
FORMATS = {"f16": F16, "f32": F32, "f64": F64}


def round_integer(sign, m, e, mode):
    """The integer magnitude that (-1)^sign * m * 2^e rounds to; e may be negative."""
    if e >= 0:
        return m << e
    kept, rest, half = m >> -e, m & ((1 << -e) - 1), 1 << (-e - 1)
    if rest == 0:
        return kept
    up = {"RN": rest > half or (rest == half and kept & 1), "RZ": False, "RM": sign == 1, "RP": sign == 0}[mode]
    return kept + bool(up)


def round_to(fmt, sign, m, e, mode, zero_sign=None):
    """The bits of (-1)^sign * m * 2^e in the format; a zero gets zero_sign (or sign)."""
    if m == 0:
        return fmt.signed(sign if zero_sign is None else zero_sign, 0)
    last = max(m.bit_length() - 1 + e - fmt.fraction, fmt.lowest)  # exponent of the result's last place
    kept = round_integer(sign, m, e - last, mode)
    # kept counts last places: adding it below the exponent field carries into the field by itself.
    bits = ((last - fmt.lowest) << fmt.fraction) + kept
    if bits >= fmt.infinity:
        away = {"RN": True, "RZ": False, "RM": sign == 1, "RP": sign == 0}[mode]
        bits = fmt.infinity if away else fmt.largest
    return fmt.signed(sign, bits)


def add_parts(x, y):
    (sx, mx, ex), (sy, my, ey) = x, y
    e = min(ex, ey)
    total = (-mx if sx else mx) * (1 << (ex - e)) + (-my if sy else my) * (1 << (ey - e))
    return (1 if total < 0 else 0), abs(total), e


def zero_of_sum(sx, sy, mode):
    """The sign of an exact zero sum (IEEE 754 6.3): the common sign, or else + and, rounding down, -."""
    return sx if sx == sy else int(mode == "RM")


def add(fmt, a, b, mode):
    if fmt.is_nan(a) or fmt.is_nan(b):
        return fmt.nan
    if fmt.is_inf(a) or fmt.is_inf(b):
        if fmt.is_inf(a) and fmt.is_inf(b) and a != b:
            return fmt.nan
        return a if fmt.is_inf(a) else b
    s, m, e = add_parts(fmt.parts(a), fmt.parts(b))
    return round_to(fmt, s, m, e, mode, zero_of_sum(fmt.sign_of(a), fmt.sign_of(b), mode) if m == 0 else None)


def mul(fmt, a, b, mode):
    sign = fmt.sign_of(a) ^ fmt.sign_of(b)
    if fmt.is_nan(a) or fmt.is_nan(b):
        return fmt.nan
    if fmt.is_inf(a) or fmt.is_inf(b):
        return fmt.nan if fmt.is_zero(a) or fmt.is_zero(b) else fmt.signed(sign, fmt.infinity)
    (_, ma, ea), (_, mb, eb) = fmt.parts(a), fmt.parts(b)
    return round_to(fmt, sign, ma * mb, ea + eb, mode)


def fma(fmt, a, b, c, mode):
    sign = fmt.sign_of(a) ^ fmt.sign_of(b)
    if any(fmt.is_nan(x) for x in (a, b, c)):
        return fmt.nan
    if fmt.is_inf(a) or fmt.is_inf(b):
        if fmt.is_zero(a) or fmt.is_zero(b) or (fmt.is_inf(c) and fmt.sign_of(c) != sign):
            return fmt.nan
        return fmt.signed(sign, fmt.infinity)
    if fmt.is_inf(c):
        return c
    (_, ma, ea), (_, mb, eb) = fmt.parts(a), fmt.parts(b)
    s, m, e = add_parts((sign, ma * mb, ea + eb), fmt.parts(c))
    return round_to(fmt, s, m, e, mode, zero_of_sum(sign, fmt.sign_of(c), mode) if m == 0 else None)


def compare(fmt, a, b):
    """-1, 0, 1, or None when unordered."""
    if fmt.is_nan(a) or fmt.is_nan(b):
        return None
    x, y = (-(v & fmt.magnitude) if fmt.sign_of(v) else v & fmt.magnitude for v in (a, b))
    return (x > y) - (x < y)


def saturate(fmt, x):
    """.SAT: into [0, 1]; NaN and -0 give +0."""
    if fmt.is_nan(x) or fmt.sign_of(x):
        return 0
    return min(x, fmt.one)


def convert(source, target, x, mode):
    if source.is_nan(x):
        return target.nan
    if source.is_inf(x):
        return target.signed(source.sign_of(x), target.infinity)
    return round_to(target, *source.parts(x), mode)


def from_integer(fmt, value, mode):
    return round_to(fmt, int(value < 0), abs(value), 0, mode)


def to_integer(fmt, x, lowest, highest, mode):
    """Clamped to the range; NaN gives 0."""
    if fmt.is_nan(x):
        return 0
    sign = fmt.sign_of(x)
    if fmt.is_inf(x):
        return lowest if sign else highest
    _, m, e = fmt.parts(x)
    value = round_integer(sign, m, e, mode)
    return min(max(-value if sign else value, lowest), highest)


def to_integral(fmt, x, mode):
    """Rounded to an integral value in the same format; a zero keeps the sign."""
    if fmt.is_nan(x):
        return fmt.nan
    if fmt.is_inf(x):
        return x
    sign, m, e = fmt.parts(x)
    return round_to(fmt, sign, round_integer(sign, m, e, mode), 0, "RN")


# The special functions: correctly rounded to nearest even. m * 2^e with a sticky last bit decides every rounding as long
# as m has some bits more than the format.
EXTRA = 200


def reciprocal(fmt, x):
    sign, m, e = fmt.parts(x)
    quotient, rest = divmod(1 << (EXTRA + m.bit_length()), m)
    return round_to(fmt, sign, quotient << 1 | (rest != 0), -EXTRA - m.bit_length() - 1 - e, "RN")


def square_root(fmt, x):
    _, m, e = fmt.parts(x)
    if e & 1:
        m, e = m << 1, e - 1
    root = isqrt(m << (2 * EXTRA))
    return round_to(fmt, 0, root << 1 | (root * root != m << (2 * EXTRA)), (e >> 1) - EXTRA - 1, "RN")


def reciprocal_root(fmt, x):
    _, m, e = fmt.parts(x)
    if e & 1:
        m, e = m << 1, e - 1
    scale = 2 * (EXTRA + m.bit_length())
    root = isqrt((1 << scale) // m)
    return round_to(fmt, 0, root << 1 | (root * root * m != 1 << scale), -(scale >> 1) - 1 - (e >> 1), "RN")

"""2^x, log2, sine and cosine of single-precision numbers, correctly rounded to nearest even: fixed point in big integers,
with the precision raised until both ends of the error interval round alike (Ziv's test). Exact cases come first."""
from functools import lru_cache

from ieee import F32, round_to


@lru_cache(None)
def pi(bits):
    """pi * 2^bits by Machin's formula 16 atan(1/5) - 4 atan(1/239), with 32 bits to spare."""
    def arctangent_of_inverse(n):
        total, power, k = 0, (1 << (bits + 32)) // n, 0
        while power:
            total += (-power if k & 1 else power) // (2 * k + 1)
            power //= n * n
            k += 1
        return total
    return 16 * arctangent_of_inverse(5) - 4 * arctangent_of_inverse(239) >> 32


@lru_cache(None)
def ln2(bits):
    """ln 2 * 2^bits = sum 1 / (k 2^k), with 32 bits to spare."""
    total, k = 0, 1
    while k <= bits + 32:
        total += (1 << (bits + 32 - k)) // k
        k += 1
    return total >> 32


def exponential(y, bits):
    """e^(y / 2^bits) * 2^bits for 0 <= y < 2^bits; off by less than 2^10."""
    total, term, k = 0, 1 << bits, 1
    while term:
        total += term
        term = term * y >> bits
        term //= k
        k += 1
    return total


def settle(attempt):
    """attempt(bits) gives (sign, m, e, error in last places of m); raises the precision until the rounding is sure."""
    bits = 128
    while True:
        sign, m, e, error = attempt(bits)
        low, high = round_to(F32, sign, (m - error) * 2 + 1, e - 1, "RN"), round_to(F32, sign, (m + error) * 2 - 1, e - 1, "RN")
        if low == high:
            return low
        bits *= 2


def exp2(x):
    if F32.is_nan(x):
        return F32.nan
    if F32.is_inf(x):
        return 0 if F32.sign_of(x) else F32.infinity
    sign, m, e = F32.parts(x)
    if m == 0:
        return F32.one
    if e + m.bit_length() > 9:  # beyond 2^9: overflows, or is far below the least subnormal
        return 0 if sign else F32.infinity
    value = -m if sign else m
    if e >= 0 or m % (1 << -e) == 0:
        return round_to(F32, 0, 1, value << e if e >= 0 else value >> -e, "RN")

    def attempt(bits):
        fixed = value << (bits + e) if bits + e >= 0 else value >> -(bits + e)
        whole, fraction = fixed >> bits, fixed & ((1 << bits) - 1)
        return 0, exponential(fraction * ln2(bits) >> bits, bits), whole - bits, 1 << 12
    return settle(attempt)


def log2(x):
    if F32.is_nan(x) or (F32.sign_of(x) and not F32.is_zero(x)):
        return F32.nan
    if F32.is_zero(x):
        return F32.signed(1, F32.infinity)
    if F32.is_inf(x):
        return F32.infinity
    _, m, e = F32.parts(x)
    e += m.bit_length() - 1
    if m & (m - 1) == 0:
        return round_to(F32, int(e < 0), abs(e), 0, "RN", 0)

    def attempt(bits):
        # ln(m) = 2 atanh((m - 1) / (m + 1)), m in (1, 2)
        one, fixed = 1 << bits, m << (bits - m.bit_length() + 1)
        z = ((fixed - one) << bits) // (fixed + one)
        square, power, total, k = z * z >> bits, z, 0, 1
        while power:
            total += power // k
            power = power * square >> bits
            k += 2
        total = (2 * total << bits) // ln2(bits) + (e << bits)
        return int(total < 0), abs(total), -bits, 1 << 12
    return settle(attempt)


def sine(x, shift):
    """sin(x + shift * pi/2): shift 1 is the cosine."""
    if F32.is_nan(x) or F32.is_inf(x):
        return F32.nan
    if F32.is_zero(x):
        return F32.one if shift else x
    sign, m, e = F32.parts(x)

    def attempt(bits):
        bits += 160 + max(e, 0)
        fixed = m << (bits + e) if bits + e >= 0 else m >> -(bits + e)
        half = pi(bits) >> 1
        quadrant, rest = divmod(fixed, half)
        if rest * 2 > half:  # the nearest multiple of pi/2
            quadrant, rest = quadrant + 1, rest - half
        turned = (quadrant if not shift else quadrant + 1) & 3
        cosine = turned & 1
        term, total, k = (1 << bits) if cosine else rest, 0, 0 if cosine else 1
        square = rest * rest >> bits
        while term and term != -1:
            total += term
            term = -(term * square >> bits) // ((k + 1) * (k + 2))
            k += 2
        negative = (total < 0) ^ bool(turned & 2) ^ (bool(sign) and not shift)
        # The error of x mod pi/2 is the quotient times that of pi, below 2^(e + 30) last places.
        return negative, abs(total), -bits, 1 << (max(e, 0) + 44)
    return settle(attempt)

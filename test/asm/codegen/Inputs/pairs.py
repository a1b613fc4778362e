"""What the kernel pairs of pairs-multiply-add-and-compare.cl stores, worked out with Python's integers."""
import struct
import sys

M = 2**64 - 1
for t in range(64):
    a = (t * 0x9e3779b97f4a7c15 ^ t << 61) & M
    b = ((a >> 7) * (t + 3) + (t << 40)) & M
    low = b & 0xffffffff
    signed = low - 2**32 if low >> 31 else low
    c = a if t & 1 else a ^ (1 << 32 if t & 2 else t & 4)
    out = [a * b + (t - 5), a * 3 + 1, a * 0xffffffff + b, (a & 0xffffffff) * b + signed,
           (a == c) | (a != c) << 1 | (c == 5) << 2 | (t != 5) << 3,
           1 if t == 7 else 2 if t == 8 else 3 if t != 1 else 4]
    sys.stdout.buffer.write(struct.pack('<6Q', *(x & M for x in out)))

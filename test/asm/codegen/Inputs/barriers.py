"""What barriers-behind-divergent-control-flow.cl computes, a lane at a time."""
import struct
import sys

out = [0] * 128
for t in range(64):
    s = 0
    for i in range(t % 7):
        if i == 3:
            break
        if i & 1:
            continue
        s += i + 1
    if t & 3 == 3:  # the lanes of the ballot: each fourth
        s += 0x88888888 + 1
    s &= 0xFFFFFFFF
    while True:
        s = s + 1 & 0xFFFFFFFF
        if s % 5 == 0 or (s % 7 == 0 and t > 3):
            break
    out[t] = s ^ 0xFFFFFFFF
    if t % 4 == 3:
        continue
    if t % 4 == 0:
        s += 5
    if t % 4 < 2:
        s *= 3
    out[t + 64] = s & 0xFFFFFFFF
sys.stdout.buffer.write(struct.pack("<128I", *out))

"""What votes-where-ways-meet.cl computes: warps of 32 lanes, all those together that come to the same vote in the same turn."""
import struct
import sys

LANES, WORD = 64, 0xFFFFFFFF


def shuffled(x):
    return (x * 2654435761 & WORD) >> 7


def ballots(comes):
    """The mask that each lane sees, of those that come."""
    masks = [sum(1 << lane % 32 for lane in range(LANES) if lane // 32 == warp and comes[lane]) for warp in range(LANES // 32)]
    return [masks[lane // 32] for lane in range(LANES)]


def shared_side():
    s, more, comes = list(range(LANES)), [0] * LANES, [False] * LANES
    for t in range(LANES):
        if t & 1:
            if shuffled(t) & 1:
                more[t], comes[t] = 1, True
            else:
                s[t] += 3
        elif t & 4:
            s[t], comes[t] = t * 7, True
        else:
            more[t] = 5
    masks = ballots(comes)
    return [(s[t] + masks[t] if comes[t] else s[t] ^ 0x55) & WORD for t in range(LANES)] + more


def two_ways_in():
    result = []
    for t in range(LANES):
        s, n, first = t, 0, bool(shuffled(t) & 2)
        while first or n == 0 or n < t % 5:
            if not first:
                s += 3
                if s > 200:
                    break
            first = False
            s ^= t + n
            n += 1
        result.append(s)
    return result + [WORD] * LANES


def loops():
    s, votes, gone = list(range(LANES)), [0] * LANES, [False] * LANES
    for i in range(6):
        twice, onward = [False] * LANES, [not left for left in gone]
        for t in range(LANES):
            if gone[t]:
                continue
            twice[t] = True
            for j in range(t % 4):
                if shuffled(s[t]) % 5 == 0:
                    twice[t] = False
                    break
                if shuffled(s[t]) % 7 == 0:
                    break
                s[t] = s[t] + j + 1 & WORD
            else:
                s[t] = s[t] + 5 & WORD
        masks = ballots(twice)
        for t in range(LANES):
            if twice[t]:
                s[t] = s[t] * 2 + bin(masks[t]).count("1") & WORD
        masks = ballots(onward)
        for t in range(LANES):
            if onward[t]:
                votes[t] += bin(masks[t]).count("1")
                gone[t] = i == t % 9
    return s + votes


for kernel in (shared_side, two_ways_in, loops):
    with open(f"{sys.argv[1]}.{kernel.__name__}", "wb") as file:
        file.write(struct.pack(f"<{2 * LANES}I", *kernel()))

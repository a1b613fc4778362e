#!/usr/bin/env python3
"""suites.py LENO_CC LENO_RUN FOLDER: kernels as benchmark suites have them (suites.cl), at three levels, against numpy."""
import math
import os
import subprocess
import sys

import numpy as np

CC, RUN, FOLDER = sys.argv[1:]
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "suites.cl")
os.chdir(FOLDER)
dice = np.random.default_rng(3)
tried = wrong = 0


def run(program, kernel, grid, block, *arguments):
    words = [RUN, program, "--kernel", kernel, "--grid", grid, "--block", block]
    for argument in arguments:
        words += ["--arg", str(argument)]
    subprocess.run(words, check=True)


def tell(program, kernel, right):
    global tried, wrong
    tried += 1
    if not right:
        wrong += 1
        print(f"{kernel} at {program} is wrong")


def gemm(program):
    a, b = dice.random((64, 64), dtype="f4"), dice.random((64, 64), dtype="f4")
    np.save("a", a)
    np.save("b", b)
    run(program, "gemm", "4,4", "16,16", "in:a.npy", "in:b.npy", "out:f32[64,64]:c.npy", 64)
    return np.allclose(np.load("c.npy"), a @ b, rtol=1e-4)


def reduce(program):
    x = dice.random(10000, dtype="f4")
    np.save("x", x)
    run(program, "reduce", "8", "128", "in:x.npy", "out:f32[8]:r.npy", "shared:f32[128]", 10000)
    return np.allclose(np.load("r.npy").sum(), x.astype("f8").sum(), rtol=1e-5)


def nbody(program):
    p = dice.random((128, 4), dtype="f4")
    np.save("p", p)
    run(program, "nbody", "2", "64", "in:f32:p.npy", "out:f32[128,4]:v.npy", 0.5, 128)
    d = p[None, :, :3].astype("f8") - p[:, None, :3]
    r = 1 / np.sqrt((d * d).sum(2) + 0.01)
    want = (d * (p[None, :, 3] * r**3)[..., None]).sum(1) * 0.5
    return np.allclose(np.load("v.npy")[:, :3], want, rtol=1e-3, atol=1e-3)


def lu(program):
    a = dice.random((20, 20))
    np.save("a", a)
    run(program, "lu", "2,2", "16,16", "inout:a.npy:b.npy", 20, 0)
    a[1:, 1:] -= np.outer(a[1:, 0] / a[0, 0], a[0, 1:])
    return np.allclose(np.load("b.npy"), a, rtol=1e-14)


def black(program):
    s = (dice.random(256) * 100 + 50).astype("f4")
    np.save("s", s)
    run(program, "black", "2", "128", "in:s.npy", "out:f32[256]:c.npy", 0.05, 0.2, 256)
    t = 1 + np.arange(256) % 5
    d1 = (np.log(s / 100.0) + (0.05 + 0.02) * t) / (0.2 * np.sqrt(t))
    d2 = d1 - 0.2 * np.sqrt(t)

    def normal(z):
        return np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in z])

    return np.allclose(np.load("c.npy"), s * normal(d1) - 100 * np.exp(-0.05 * t) * normal(d2), rtol=1e-3, atol=1e-3)


def bfs(program):
    count, unseen = 100, 2**32 - 1
    edges = [sorted(set(dice.integers(0, count, 3).tolist())) for _ in range(count)]
    np.save("row", np.cumsum([0] + [len(e) for e in edges]).astype("u4"))
    np.save("col", np.array([v for e in edges for v in e], dtype="u4"))
    want = np.full(count, unseen, dtype="u4")
    want[0] = 0
    np.save("level", want)
    front, depth = [0], 0
    while front:
        found = []
        for u in front:
            for v in edges[u]:
                if want[v] == unseen:
                    want[v] = depth + 1
                    found.append(v)
        front, depth = found, depth + 1
    for i in range(depth):
        run(program, "bfs", "4", "32", "in:row.npy", "in:col.npy", "in:level.npy", "inout:level.npy:next.npy", "zero:u32[1]", i, count)
        os.replace("next.npy", "level.npy")
    return (np.load("level.npy") == want).all()


def sort(program):
    x = dice.integers(0, 2**32, 256, dtype="u4")
    np.save("q", x)
    for k in (2, 4, 8, 16, 32, 64, 128, 256):
        j = k // 2
        while j:
            run(program, "sort", "2", "128", "inout:q.npy:next.npy", k, j)
            os.replace("next.npy", "q.npy")
            j //= 2
    return (np.load("q.npy") == np.sort(x)).all()


for level in "0", "2", "3":
    subprocess.run([CC, "-O" + level, "--llvm", "-verify-machineinstrs", SOURCE, "-o", "O" + level], check=True)
    for kernel in gemm, reduce, nbody, lu, black, bfs, sort:
        tell("O" + level, kernel.__name__, kernel("O" + level))
print(f"{tried} runs, {wrong} wrong")

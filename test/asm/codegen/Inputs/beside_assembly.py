#!/usr/bin/env python3
"""beside_assembly.py LENO_CC LENO_RUN KERNELS EXAMPLES FOLDER [LEVEL]: warp instructions of leno-bench's kernels and of the examples' in
OpenCL C beside those of the same in assembly by hand. The results must be the same words (nbody and step: nearly); prints a line for each
kernel, and the geometric mean."""
import json
import math
import os
import subprocess
import sys

import numpy as np

cc, run, kernels, examples, folder = sys.argv[1:6]
level = sys.argv[6] if len(sys.argv) > 6 else "2"
os.makedirs(folder, exist_ok=True)
random = np.random.default_rng(1)
floats = lambda count: random.random(count, dtype=np.float32)
words = lambda count: random.integers(0, 1 << 31, count, dtype=np.uint32)
byteText = random.integers(0, 256, 3000, dtype=np.uint8)
# A graph: each node's neighbours; the start is reached.
first = np.sort(np.append(random.integers(0, 1500, 299, dtype=np.uint32), [0, 1500]).astype(np.uint32))
distance = np.full(300, -1, np.int32)
distance[::7] = 0
# Grid, block, arguments: arrays are read, pairs (type, count) are written, numbers are numbers.
bench = {
    "saxpy": (16, "256", [floats(4096), ("inout", floats(4096)), 4096, 2.5]),
    "mandelbrot": ("4,16", "16,4", [("u32", 4096), 64, 256]),
    "matmul": ("2,2", "32,8", [floats(4096), floats(4096), ("f32", 4096), 64]),
    "reduction": (8, "256", [floats(4096), ("f32", 8), 4000, 0, 0]),
    "histogram": (4, "256", [words(4096), ("u32", 256)]),
    "collatz": (4, "128", [("u32", 512)]),
    "nbody": (4, "64", [floats(1024), ("f32", 1024), 256]),
    "bitonic": (8, "256", [("inout", words(4096)), 4, 32]),
}
# Of examples/FOLDER, as its host side launches it.
example = {
    "saxpy/saxpy": (4, "256", [1000, 2.5, floats(1000), ("inout", floats(1000))]),
    "mandelbrot/mandelbrot": ("4,8", "16,8", [60, 60, 64, -2.25, -1.5, 0.05, ("u8", 3600)]),
    "filter/filter": ("3,3,1", "16,16", [40, 40, 1, random.integers(0, 256, 1600, dtype=np.uint8), ("u8", 1600)]),
    "histogram/histogram": (8, "256", [3000, byteText, ("u32", 256)]),
    "histogram/withAtomics": (4, "256", [3000, byteText, ("inout", np.zeros(256, np.uint32))]),
    "scan/scanBlocks": (4, "256", [1000, ("inout", words(1000)), ("u32", 4)]),
    "scan/addSums": (4, "256", [1000, ("inout", words(1000)), words(4)]),
    "scan/reduce": (4, "256", [3000, words(3000), ("inout", np.array([0, 0xffffffff, 0], np.uint32))]),
    "sort/sortTiles": (4, "256", [2, 512, ("inout", words(2048))]),
    "sort/exchangeFar": (4, "256", [2048, 512, ("inout", words(2048))]),
    "nbody/step": (2, "128", [200, 0.01, 0.1, floats(800), ("inout", floats(800)), ("f32", 800)]),
    "matmul/matmul": ("3,3", "16,16", [40, 50, 45, floats(2000), floats(2250), ("f32", 1800)]),
    "bfs/level": (10, "32", [300, 0, first, random.integers(0, 300, 1500, dtype=np.uint32), ("inout", distance),
                             ("inout", np.zeros(1, np.uint32))]),
    "sha256/sha256": (2, "32", [50, words(16 * 120), np.sort(random.integers(0, 120, 51, dtype=np.uint32)), ("u32", 400)]),
    "queens/queens": (6, "6", [6, 63, ("inout", np.zeros(1, np.uint32))]),
    "contexts/collatz": (4, "128", [500, ("u32", 500)]),
    "contexts/squares": (1, "32", [words(32), ("inout", np.zeros(1, np.uint32))]),
}


def measure(name, program, kind, case, *options):
    grid, block, arguments = case
    command = [run, program, "--grid", str(grid), "--block", block, "--json", *options]
    results = []
    for number, argument in enumerate(arguments):
        path = f"{folder}/{name}-{kind}-{number}.npy"
        if isinstance(argument, np.ndarray):
            np.save(path, argument)
            argument = f"in:{path}"
        elif isinstance(argument, tuple) and argument[0] == "inout":
            np.save(path, argument[1])
            results.append(f"{folder}/{name}-{kind}-{number}-out.npy")
            argument = f"inout:{path}:{results[-1]}"
        elif isinstance(argument, tuple):
            results.append(path)
            argument = f"out:{argument[0]}[{argument[1]}]:{path}"
        command += ["--arg", str(argument)]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return json.loads(told), [np.load(result) for result in results]


ratios = []


def compare(name, assembly, compiled, case, *options):
    by_hand, want = measure(name, assembly, "hand", case, *options)
    ours, got = measure(name, compiled, "compiled", case, *options)
    nearly = name in ("nbody", "step")
    same = all(np.allclose(a, b, rtol=1e-4) if nearly else np.array_equal(a, b) for a, b in zip(want, got))
    counts = ours["statistics"]["warpInstructions"], by_hand["statistics"]["warpInstructions"]
    ratios.append(counts[0] / counts[1])
    print(f"{name:<12}{counts[0]:>9}{counts[1]:>9}{ratios[-1]:>8.3f}  {'right' if same else 'WRONG'}")


for name, case in bench.items():
    compiled = f"{folder}/{name}"
    subprocess.run([cc, "-O" + level, f"{kernels}/{name}.cl", "-o", compiled], check=True)
    compare(name, f"{kernels}/{name}.s", compiled, case)
compiled = f"{folder}/examples"
source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples.cl")
subprocess.run([cc, "-O" + level, source, "-o", compiled], check=True)
print("examples")
for path, case in example.items():
    where, name = path.split("/")
    compare(name, f"{examples}/{where}/{where}.s", compiled, case, "--kernel", name)
mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
print(f"geometric mean {mean:.3f}, worst {max(ratios):.3f}")

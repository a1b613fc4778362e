#!/usr/bin/env python3
"""beside_assembly.py LENO_CC LENO_RUN KERNELS FOLDER [LEVEL]: warp instructions of leno-bench's kernels in OpenCL C beside those of
the same in assembly by hand. The results must be the same words (nbody: nearly); prints a line for each kernel, and the geometric mean."""
import json
import math
import os
import subprocess
import sys

import numpy as np

cc, run, kernels, folder = sys.argv[1:5]
level = sys.argv[5] if len(sys.argv) > 5 else "2"
os.makedirs(folder, exist_ok=True)
random = np.random.default_rng(1)
floats = lambda count: random.random(count, dtype=np.float32)
words = lambda count: random.integers(0, 1 << 31, count, dtype=np.uint32)
# Grid, block, arguments: arrays are read, pairs (type, count) are written, numbers are numbers.
cases = {
    "saxpy": (16, "256", [floats(4096), ("inout", floats(4096)), 4096, 2.5]),
    "mandelbrot": ("4,16", "16,4", [("u32", 4096), 64, 256]),
    "matmul": ("2,2", "32,8", [floats(4096), floats(4096), ("f32", 4096), 64]),
    "reduction": (8, "256", [floats(4096), ("f32", 8), 4000, 0, 0]),
    "histogram": (4, "256", [words(4096), ("u32", 256)]),
    "collatz": (4, "128", [("u32", 512)]),
    "nbody": (4, "64", [floats(1024), ("f32", 1024), 256]),
    "bitonic": (8, "256", [("inout", words(4096)), 4, 32]),
}


def measure(name, program, kind):
    grid, block, arguments = cases[name]
    command = [run, program, "--grid", str(grid), "--block", block, "--json"]
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
for name in cases:
    compiled = f"{folder}/{name}"
    subprocess.run([cc, "-O" + level, f"{kernels}/{name}.cl", "-o", compiled], check=True)
    by_hand, want = measure(name, f"{kernels}/{name}.s", "hand")
    ours, got = measure(name, compiled, "compiled")
    same = all(np.allclose(a, b, rtol=1e-4) if name == "nbody" else np.array_equal(a, b) for a, b in zip(want, got))
    counts = ours["statistics"]["warpInstructions"], by_hand["statistics"]["warpInstructions"]
    ratios.append(counts[0] / counts[1])
    print(f"{name:<12}{counts[0]:>9}{counts[1]:>9}{ratios[-1]:>8.3f}  {'right' if same else 'WRONG'}")
mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
print(f"geometric mean {mean:.3f}, worst {max(ratios):.3f}")

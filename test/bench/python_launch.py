#!/usr/bin/env python3
"""What a launch costs through the Python module, beside the same through C++ (leno-microbench), by turns.
   PYTHONPATH=.build/release/python test/bench/python_launch.py .build/release/bin/leno-microbench"""
import json
import subprocess
import sys
import time

import numpy as np

import leno

ROUNDS, LAUNCHES = 5, 5000


def through_python():
    kernel = leno.assemble("""
        .kernel nothing
        .param  u32 n
        .param  f32 a
        .param  ptr x
        .param  ptr y
        EXIT
        .endkernel
""").kernel()
    device = leno.Device()
    x, y = device.zeros(64, np.float32, "x"), device.zeros(64, np.float32, "y")
    start = time.perf_counter()
    for _ in range(LAUNCHES):
        kernel[1, 64](64, 2.0, x, y)
    return (time.perf_counter() - start) / LAUNCHES * 1e6


def through_cpp(program):
    told = subprocess.run([program, "--benchmark_filter=launchFromTheHost", "--benchmark_format=json"],
                          capture_output=True, check=True).stdout
    return json.loads(told)["benchmarks"][0]["real_time"] / 1e3


python, cpp = [], []
for _ in range(ROUNDS):
    python.append(through_python())
    cpp.append(through_cpp(sys.argv[1]))
print(f"a launch takes {min(python):.1f} us through Python, {min(cpp):.1f} us through C++: {min(python) - min(cpp):.1f} us more")

#!/usr/bin/env python3
"""saxpy on 100,000 elements; the reference is numpy in double precision, where these products and sums are exact."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import arguments, expect, leno_run

options = arguments(__doc__)
random = np.random.default_rng(2026)
n, a = 100_000, -2.5
# Multiples of 2^-12 below 16: a * x + y needs at most 20 bits, so that rounding cannot hide an error.
x, y = (random.integers(-65536, 65536, n).astype(np.float32) / 4096 for _ in range(2))
paths = {name: os.path.join(options.out, f"saxpy-{name}.npy") for name in ("x", "y", "result")}
np.save(paths["x"], x)
np.save(paths["y"], y)
print(f"saxpy: {n} elements")
leno_run(options, "saxpy/saxpy.s", "--grid", (n + 255) // 256, "--block", 256, "--arg", f"u32:{n}", "--arg", f"f32:{a}",
         "--arg", f"in:{paths['x']}", "--arg", f"inout:{paths['y']}:{paths['result']}")
result = np.load(paths["result"])
expect("saxpy", result.dtype == np.float32 and np.array_equal(result, a * x.astype(np.float64) + y))

#!/usr/bin/env python3
"""Multiplies matrices; the reference is numpy in double precision, with the bound that sums of rounded products have."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import arguments, expect, leno_examples

options = arguments(__doc__)
paths = [os.path.join(options.out, f"matmul-{name}.bin") for name in ("left", "right", "product")]
random = np.random.default_rng(1)
for rows, inner, columns in ((128, 96, 112), (50, 37, 61), (1, 1, 1)):
    left, right = (random.standard_normal(shape).astype(np.float32) for shape in ((rows, inner), (inner, columns)))
    left.tofile(paths[0])
    right.tofile(paths[1])
    print(leno_examples(options, "matmul", rows, inner, columns, *paths), end="")
    product = np.fromfile(paths[2], np.float32).reshape(rows, columns)
    reference = left.astype(np.float64) @ right.astype(np.float64)
    # Each of `inner` fused steps rounds once, by at most 2^-24 of a sum no greater than that of the magnitudes.
    bound = np.abs(left).astype(np.float64) @ np.abs(right).astype(np.float64) * inner * 2.0**-24 * 1.001
    expect("matmul", bool(np.all(np.abs(product - reference) <= bound)), "within the rounding of its sums")

# Small integers: every sum is exact.
left, right = (random.integers(-9, 10, (40, 40)).astype(np.float32) for _ in range(2))
left.tofile(paths[0])
right.tofile(paths[1])
leno_examples(options, "matmul", 40, 40, 40, *paths)
expect("matmul", bool(np.all(np.fromfile(paths[2], np.float32).reshape(40, 40) == left @ right)))

#!/usr/bin/env python3
"""Compares a .npy file with a Python expression: the expectation is worked out here, not by the emulator.

usage: expect.py FILE.npy EXPRESSION     (lane: 0..n-1 as a numpy array of int64; np: numpy; f32(x): bits of a float)
"""
import sys

import numpy as np

result = np.load(sys.argv[1])
lane = np.arange(result.shape[0], dtype=np.int64)


def f32(value):
    return np.asarray(value, np.float32).view(np.uint32)


def f64(value):
    return np.asarray(value, np.float64).view(np.uint64)


expected = np.broadcast_to(np.asarray(eval(sys.argv[2])), result.shape)
if result.dtype.kind == "f":
    expected = expected.astype(result.dtype)
    wrong = np.nonzero(~((result == expected) | (np.isnan(result) & np.isnan(expected))))[0]
else:
    mask = np.uint64((1 << 8 * result.itemsize) - 1)
    expected = (expected if expected.dtype == np.uint64 else expected.astype(np.int64).view(np.uint64)) & mask
    wrong = np.nonzero(result.astype(np.int64).view(np.uint64) & mask != expected)[0]
if wrong.size:
    for i in wrong[:8]:
        print(f"lane {i}: {result[i]:#x} instead of {expected[i]:#x}" if result.dtype.kind != "f" else
              f"lane {i}: {result[i]} instead of {expected[i]}")
    sys.exit(f"{wrong.size} of {result.shape[0]} lanes differ")

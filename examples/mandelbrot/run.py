#!/usr/bin/env python3
"""The Mandelbrot set as a picture; the reference is numpy in single precision, which rounds each operation as IEEE 754
says, as the machine does."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import arguments, expect, leno_run, read_pnm

options = arguments(__doc__, ("size", 512, "width and height of the picture"))
size, limit = int(options.size), 256
left, top, step = np.float32(-2.25), np.float32(-1.5), np.float32(3.0 / size)
path = os.path.join(options.out, "mandelbrot.pgm")
print(f"mandelbrot: {size} x {size} pixels, up to {limit} turns")
leno_run(options, "mandelbrot/mandelbrot.s", "--grid", f"{(size + 15) // 16},{(size + 7) // 8}", "--block", "16,8",
         "--arg", f"u32:{size}", "--arg", f"u32:{size}", "--arg", f"u32:{limit}", "--arg", f"f32:{left!r}",
         "--arg", f"f32:{top!r}", "--arg", f"f32:{step!r}", "--arg", f"out:u8[{size},{size}]:{path}")

axis = np.arange(size).astype(np.float32) * step
cr, ci = (axis + left)[np.newaxis, :], (axis + top)[:, np.newaxis]
zr, zi = np.zeros((size, size), np.float32), np.zeros((size, size), np.float32)
turns, running = np.zeros((size, size), np.uint32), np.ones((size, size), bool)
with np.errstate(over="ignore", invalid="ignore"):
    for _ in range(limit):
        rr, ii = zr * zr, zi * zi
        running &= ~(rr + ii > np.float32(4))
        turns[running] += 1
        product = zr * zi
        zr, zi = rr - ii + cr, product + product + ci
reference = np.where(turns == limit, 0, (turns << 3) & 255).astype(np.uint8)
height, width, channels, data = read_pnm(path)
expect("mandelbrot", (height, width, channels) == (size, size, 1) and data == reference.tobytes())
print(f"  the picture is {os.path.relpath(path)}")

#!/usr/bin/env python3
"""A separable 7 x 7 Gaussian blur of an image (.pgm or .ppm); the reference filters the whole image with numpy."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import arguments, expect, leno_run, read_pnm

options = arguments(__doc__, ("image", None, "the image; without one, the picture that mandelbrot drew"))
image = options.image or os.path.join(options.out, "mandelbrot.pgm")
height, width, channels, data = read_pnm(image)
kind = "pgm" if channels == 1 else "ppm"
path = os.path.join(options.out, f"filtered.{kind}")
shape = f"{height},{width}" + (",3" if channels == 3 else "")
print(f"filter: {os.path.relpath(image)}, {width} x {height} pixels, {channels} channel{'s' * (channels > 1)}")
leno_run(options, "filter/filter.s", "--grid", f"{(width + 15) // 16},{(height + 15) // 16},{channels}",
         "--block", "16,16", "--arg", f"u32:{width}", "--arg", f"u32:{height}", "--arg", f"u32:{channels}",
         "--arg", f"in:{image}", "--arg", f"out:u8[{shape}]:{path}")

weights = np.array([1, 6, 15, 20, 15, 6, 1])
pixels = np.frombuffer(data, np.uint8).reshape(height, width, channels).astype(np.int64)
padded = np.pad(pixels, ((3, 3), (3, 3), (0, 0)), mode="edge")
reference = sum(wy * wx * padded[dy:dy + height, dx:dx + width]
                for dy, wy in enumerate(weights) for dx, wx in enumerate(weights))
reference = (reference + 2048 >> 12).astype(np.uint8)
result = read_pnm(path)
expect("filter", result[:3] == (height, width, channels) and result[3] == reference.tobytes())
print(f"  the filtered image is {os.path.relpath(path)}")

#!/usr/bin/env python3
"""Draws a Julia set with pyopencl: julia.py [OUT.pgm [SIZE]]

The picture is compared with numpy's, operation by operation in the same order.
"""
import sys

import numpy as np
import pyopencl as cl

SOURCE = """
__kernel void julia(__global uchar *picture, uint size, float cx, float cy) {
  uint column = get_global_id(0), row = get_global_id(1);
  float x = 3.0f * column / size - 1.5f, y = 3.0f * row / size - 1.5f;
  uint turns = 0;
  while (turns < 255) {
    float xx = x * x, yy = y * y;
    if (xx + yy > 4.0f)
      break;
    float xy = x * y;
    x = (xx - yy) + cx;
    y = (xy + xy) + cy;
    ++turns;
  }
  picture[row * size + column] = turns;
}
"""


def expected(size, cx, cy):
    """The same in numpy: float32, each operation rounded once."""
    step = np.float32(3) * np.arange(size, dtype=np.float32) / np.float32(size) - np.float32(1.5)
    x, y = np.meshgrid(step, step)
    turns = np.zeros((size, size), np.uint8)
    going = np.ones((size, size), bool)
    for _ in range(255):
        with np.errstate(over="ignore", invalid="ignore"):
            xx, yy, xy = x * x, y * y, x * y
            going &= ~(xx + yy > np.float32(4))
            x, y = np.where(going, (xx - yy) + cx, x), np.where(going, (xy + xy) + cy, y)
        turns[going] += 1
    return turns


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else "julia.pgm"
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 256
    cx, cy = np.float32(-0.8), np.float32(0.156)
    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    # Contraction would round once where numpy rounds twice.
    program = cl.Program(context, "#pragma OPENCL FP_CONTRACT OFF\n" + SOURCE).build()
    picture = np.zeros((size, size), np.uint8)
    buffer = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, picture.nbytes)
    program.julia(queue, (size, size), None, buffer, np.uint32(size), cx, cy)
    cl.enqueue_copy(queue, picture, buffer)
    with open(out, "wb") as file:
        file.write(b"P5\n%d %d\n255\n" % (size, size) + picture.tobytes())
    wrong = int((picture != expected(size, cx, cy)).sum())
    print(f"{out}: {size} x {size} on {context.devices[0].name}, {wrong} pixels other than numpy's")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())

"""Launches, arrays, traps and streams give back what they take.  leaks.py EXAMPLES LAUNCHES
LENO_TEST_EFFORT multiplies LAUNCHES."""
import ctypes
import gc
import os
import sys

import numpy as np

import leno


class Mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
                ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Mallinfo2


def taken():
    """Bytes of the C library's heap, blocks of Python's."""
    gc.collect()
    info = libc.mallinfo2()
    return info.uordblks + info.hblkhd, sys.getallocatedblocks()


def main():
    saxpy = leno.load(sys.argv[1] + "/saxpy/saxpy.s").kernel()
    launches = int(sys.argv[2]) * int(os.environ.get("LENO_TEST_EFFORT") or 1)
    device = leno.Device()
    x, y = device.array(np.ones(64, "f4")), device.array(np.ones(64, "f4"))

    def alone():
        saxpy[1, 64](64, 2.0, x, y)

    def counted():
        saxpy[1, 32](32, 2.0, x[32:], y, statistics=True)

    def trapped():
        try:
            saxpy[1, 128](128, 2.0, x, y)
        except leno.Trap as trap:
            assert trap.lane == 0

    def refused():
        try:
            saxpy[1, 64](-1, 2.0, x, y)
        except leno.Error:
            pass

    def arrays():
        device.array(np.ones(100, "f8"))[3:].sum()

    def streams():
        stream = device.stream()
        saxpy[1, 64, stream](64, 1.0, x, y)
        stream.call(lambda: None)
        stream.synchronize()

    for what, share in ((alone, 1), (counted, 4), (trapped, 10), (refused, 10), (arrays, 10), (streams, 20)):
        count = max(launches // share, 4000)
        for _ in range(50):
            what()
        before = taken()
        for _ in range(count):
            what()
        bytes, blocks = (after - was for after, was in zip(taken(), before))
        # Tables that grow now and then are no leak; eight bytes a time are one.
        if bytes > 3 * count + 8192 or blocks > count / 100 + 20:
            sys.exit(f"{what.__name__}: {count} times have left {bytes} bytes and {blocks} blocks")
        print(f"{what.__name__}: {count} times, {bytes} bytes, {blocks} blocks more")


main()

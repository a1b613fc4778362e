#!/usr/bin/env python3
"""How often each byte occurs in a text; the reference counts with Python's own Counter."""
import collections
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import arguments, expect, leno_examples, leno_run

options = arguments(__doc__, ("text", "/usr/share/common-licenses/GPL-3", "the file to count"))
with open(options.text, "rb") as file:
    data = file.read()
path = os.path.join(options.out, "histogram.npy")
print(f"histogram: {len(data)} bytes of {options.text}")
leno_run(options, "histogram/histogram.s", "--kernel", "histogram", "--grid", 256, "--block", 256,
         "--arg", f"u32:{len(data)}", "--arg", f"in:bin:{options.text}", "--arg", f"out:u32[256]:{path}")
counts = np.load(path)
reference = collections.Counter(data)
expect("histogram", counts.shape == (256,) and all(counts[value] == reference[value] for value in range(256)))
three = os.path.join(options.out, "histogram.bin")  # the host program and its three kernels
print(leno_examples(options, "histogram", options.text, three), end="")
expect("atomics and locks", np.fromfile(three, np.uint32).tolist() == [reference[value] for value in range(256)])
longest = max(1, int(counts.max()))
for value in np.argsort(-counts.astype(np.int64), kind="stable")[:10]:
    bar = "#" * int(round(40 * int(counts[value]) / longest))
    print(f"  {chr(value)!r:>6} {counts[value]:>6} {bar}")
print(f"  all 256 counts are {os.path.relpath(path)}")

#!/usr/bin/env python3
"""An urgent context beside a busy one; the program checks each answer against plain C++, here the latencies are."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import arguments, expect, leno_examples

options = arguments(__doc__)
printed = leno_examples(options, "contexts", 20000, 8)
print(printed, end="")
most = [int(text) for text in re.findall(r"most +(\d+)", printed)]
kernel = [int(text) for text in re.findall(r"kernel +(\d+)", printed)]
# emu/device/Contexts.md: with saved SMs the time depends on the state of an SM, not on the kernel beside it.
expect("contexts", len(most) == 3 and most[2] < most[1] and most[2] < 5000 < kernel[2],
       "an urgent request waits for no kernel where SMs save their state")

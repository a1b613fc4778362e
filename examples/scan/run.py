#!/usr/bin/env python3
"""Where each line of a text begins, by a scan of their lengths; the reference is Python's own reading of the file."""
import itertools
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import arguments, expect, leno_examples

options = arguments(__doc__, ("text", "/usr/share/common-licenses/GPL-3", "the text"))
path = os.path.join(options.out, "scan-offsets.bin")
printed = leno_examples(options, "scan", options.text, path)
print(printed, end="")
with open(options.text, "rb") as file:
    lengths = [len(line) for line in file]
expect("reduce", printed == f"scan: {len(lengths)} lines, {sum(lengths)} bytes, the shortest {min(lengths)}, "
       f"the longest {max(lengths)}\n")
expect("scan", np.fromfile(path, np.uint32).tolist() == list(itertools.accumulate(lengths)))

#!/usr/bin/env python3
"""Sorts the 32-bit words of a file; the reference is numpy's sort."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import arguments, expect, leno_examples

options = arguments(__doc__, ("file", "/usr/share/common-licenses/GPL-3", "the file"))
path = os.path.join(options.out, "sorted.bin")
print(leno_examples(options, "sort", options.file, path), end="")
size = os.path.getsize(options.file) // 4
words = np.fromfile(options.file, np.uint32, size)
expect("sort", np.array_equal(np.fromfile(path, np.uint32), np.sort(words)))

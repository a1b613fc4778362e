#!/usr/bin/env python3
"""A policy of the host's against the machine's own; the program checks each result against plain C++, here the times are."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import arguments, expect, leno_examples

options = arguments(__doc__)
printed = leno_examples(options, "policy", 16, 2, 8, 1, 4)
print(printed, end="")
mean = [int(text) for text in re.findall(r"mean +(\d+)", printed)]
most = [int(text) for text in re.findall(r"most +(\d+)", printed)]
# What is known of such orders: the mean is least where who has least left comes first, and the last one's end stays.
expect("policy", len(mean) == 2 and mean[1] < 0.8 * mean[0] and most[1] < 1.1 * most[0],
       "the host's policy takes less than 0.8 of the built-in one's time on average, and the last user ends no later than 1.1 of it")

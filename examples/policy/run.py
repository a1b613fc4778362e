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
# What is known of such orders: the mean is least where who has least left comes first.
expect("policy", len(mean) == 2 and mean[1] < 0.85 * mean[0],
       "users wait less than 0.85 as long on average with the host's policy")

#!/usr/bin/env python3
"""Queens that do not attack each other; the reference tries all permutations of the columns."""
import itertools
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import arguments, expect, leno_examples

options = arguments(__doc__)


def ways(n):
    """Each row and column has one queen: a permutation. Its sums and differences are the diagonals."""
    return sum(len({c + r for r, c in enumerate(p)}) == n == len({c - r for r, c in enumerate(p)})
               for p in itertools.permutations(range(n)))


known = {n: ways(n) for n in range(2, 8)} | {8: 92, 9: 352, 10: 724}  # the last ones are OEIS A000170's
found = {}
for n in known:
    printed = leno_examples(options, "queens", n)
    found[n] = int(re.search(r"in (\d+) ways", printed).group(1))
print(printed, end="")
expect("queens", found == known, "as many ways as there are, for 2 to 10 queens")

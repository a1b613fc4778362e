"""Which forms of compiled code still look at their lanes one by one.

    opt -passes=print<loops> -disable-output Forms_avx512.bc 2>&1 | llvm-cxxfilt | lane_loops.py

Prints the functions with loops, each once. Of a loop over lanes that has not become vectors, all registers that its
operation names are places in memory, and not values, throughout the kernel.
"""
import re
import sys

name, found, count = None, [], 0
for line in sys.stdin:
    if told := re.match(r"Loop info for function '(.*)':", line):
        name = told.group(1)
        count += 1
    elif "Loop at depth" in line and name not in found:
        found.append(name)
print(*sorted(found), sep="\n")
print(f"{count} functions")

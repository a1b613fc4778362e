#!/usr/bin/env python3
"""Cuts a file at many places and checks that each tool refuses every piece: exit status 1, one message, no crash.

usage: truncate.py FILE TOOL...
"""
import subprocess
import sys

path, tools = sys.argv[1], sys.argv[2:]
data = open(path, "rb").read()
cuts = sorted({*range(1, 80, 7), *range(80, len(data), max(1, len(data) // 40)), len(data) - 1})
count = 0
for cut in cuts:
    piece = path + ".cut"
    with open(piece, "wb") as file:
        file.write(data[:cut])
    for tool in tools:
        result = subprocess.run([tool, piece], capture_output=True, text=True, errors="replace")
        if result.returncode != 1 or "error:" not in result.stderr:
            sys.exit(f"{tool} on {cut} of {len(data)} bytes: exit status {result.returncode}\n{result.stderr}")
        count += 1
print(f"all {count} cuts refused")

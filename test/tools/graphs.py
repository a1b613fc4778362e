#!/usr/bin/env python3
"""Draws the control-flow graph of every program with Graphviz, which must take each without a word.

usage: graphs.py BIN-DIR SCRATCH SOURCE...
"""
import pathlib
import subprocess
import sys

tools, scratch, sources = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
scratch.mkdir(parents=True, exist_ok=True)
count = 0
for source in sources:
    made = scratch / "a.o"
    subprocess.run([tools + "/leno-as", "-w", "-c", source, "-o", made], check=True)
    graph = subprocess.run([tools + "/leno-objdump", "--cfg", made], check=True, capture_output=True).stdout
    drawn = subprocess.run(["dot", "-Tplain"], input=graph, capture_output=True)
    nodes = sum(line.startswith(b"node ") for line in drawn.stdout.splitlines())
    if drawn.returncode or drawn.stderr or not nodes:
        sys.exit(f"{source}: dot says {drawn.stderr.decode()!r}, {nodes} nodes")
    count += 1
print(f"{count} graphs")

#!/usr/bin/env python3
"""Writes the files of a folder, which a tool carries inside, as a C++ table.

usage: embed.py FOLDER OUTPUT
"""
import os
import sys

folder, output = sys.argv[1:]
paths = sorted(os.path.relpath(os.path.join(root, name), folder) for root, _, names in os.walk(folder) for name in names)
out = ["// Made by asm/embed.py: do not edit."]
for index, path in enumerate(paths):
    with open(os.path.join(folder, path), encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    out.append(f"static constexpr char text{index}[] =")
    for line in lines:
        escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        out.append(f'    "{escaped}"')
    out[-1] += ";"
out.append("static constexpr File files[] = {")
out += [f'    {{"{path}", text{index}, sizeof text{index} - 1}},' for index, path in enumerate(paths)]
out.append("};")
with open(output, "w", encoding="utf-8") as file:
    file.write("\n".join(out) + "\n")

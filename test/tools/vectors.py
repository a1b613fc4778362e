#!/usr/bin/env python3
"""Runs the vectors of a file, each a statement with its registers before and after, and reports those that differ.

usage: vectors.py BIN_DIR FILE...

A line is `STATEMENT ; R1=1 R2=0xff => R4=3 P0=1`; numbers are as in C, or floats such as 1.5f (32 bits) and 1.5 (64 bits,
in a pair). `#` begins a comment; a file's comments tell where its vectors come from.
"""
import array
import os
import re
import struct
import subprocess
import sys
import tempfile

HEAD = """\
        .kernel vectors
        .param  ptr out
        MOV     R250, c[0][out]
        MOV     R251, c[0][out+4]
"""


def words_of(text):
    """The value of a register, or of a pair."""
    if re.fullmatch(r"-?(\d+\.\d*|inf)(e-?\d+)?f?", text):
        single = text.endswith("f") and text != "-inf" and text != "inf"
        data = struct.pack("<f" if single else "<d", float(text.removesuffix("f") if single else text))
        return list(struct.unpack(f"<{len(data) // 4}I", data))
    return [int(text, 0) & 0xFFFFFFFF]


def assignments(text):
    """R4=1.5 fills R4 and R5."""
    result = {}
    for item in text.split():
        name, value = item.split("=")
        words = words_of(value)
        for i, word in enumerate(words):
            result[name if len(words) == 1 else f"R{int(name[1:]) + i}"] = word
    return result


def read(paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                text = line.partition("#")[0].strip()
                if text:
                    statement, rest = text.split(";")
                    before, after = rest.split("=>")
                    yield f"{path}:{number}: {text}", statement.strip(), assignments(before), assignments(after)


def kernel(vectors):
    lines, at = [], 0
    for _, statement, before, after in vectors:
        lines += [f"MOV32I {register}, 0xdeadbeef" for register in after if register[0] == "R" and register not in before]
        for name, value in before.items():
            lines.append(f"MOV32I {name}, {value:#x}" if name[0] == "R" else f"PSETP.and {name}, PT, {'' if value else '!'}PT, PT")
        lines.append(statement)
        for name in after:
            if name[0] == "P":
                lines += ["MOV R249, 0", f"@{name} MOV R249, 1"]
            lines.append(f"STG [R250.64+{at}], {name if name[0] == 'R' else 'R249'}")
            at += 4
    return HEAD + "".join(f"        {line}\n" for line in lines) + "        EXIT\n        .endkernel\n", at // 4


def main():
    directory, paths = sys.argv[1], sys.argv[2:]
    vectors = list(read(paths))
    text, count = kernel(vectors)
    with tempfile.TemporaryDirectory() as work:
        source, out = os.path.join(work, "vectors.s"), os.path.join(work, "out.bin")
        with open(source, "w", encoding="ascii") as file:
            file.write(text)
        subprocess.run([os.path.join(directory, "leno-run"), source, f"--arg=out:u32[{count}]:{out}"], check=True)
        results = array.array("I")
        with open(out, "rb") as file:
            results.fromfile(file, count)
    at = differ = 0
    for place, _, _, after in vectors:
        got = dict(zip(after, results[at:at + len(after)]))
        at += len(after)
        if got != after:
            differ += 1
            print(f"{place}\n    gives {' '.join(f'{name}={value:#x}' for name, value in got.items())}")
    print(f"{len(vectors)} vectors, {differ} differ")
    sys.exit(bool(differ or not vectors))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Assembles each mistake of a list inside a kernel, and fails unless the first message stands in the wanted column and
says what it must; a line that a note says to write must assemble in the mistake's place.

usage: mistakes.py LENO_AS LIST FILE      (FILE: where the texts are written)

In the list a mistake is a line, and the indented line below it `COLUMN: part of the message`; below that may stand
`write LINE`, the note's. Lines that begin with // name groups.
"""
import re
import subprocess
import sys

HEAD = "  .kernel k\n  .param u32 n\n  .param ptr p\n  .shared tile, 64\n"
TAIL = "\ndone:\n  EXIT\n  .endkernel\n"
LINE = HEAD.count("\n") + 1


def read_list(path):
    """(source, column, part of the message, line to write or None) of each mistake."""
    mistakes = []
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            if not line or line.startswith("//"):
                continue
            if not line.startswith("  "):
                mistakes.append([line, 0, "", None])
            elif line.startswith("  write "):
                mistakes[-1][3] = line[8:]
            else:
                column, mistakes[-1][2] = line.strip().split(": ", 1)
                mistakes[-1][1] = int(column)
    return mistakes


def assemble(assembler, path, source):
    """(exit status, messages) of a kernel with that line."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + source + TAIL)
    result = subprocess.run([assembler, "-c", "-Wno-all", "-Wparameter-offset", "-Wshift-range", path, "-o", path + ".o"],
                            capture_output=True, text=True)
    return result.returncode, result.stderr


def main():
    assembler, list_path, path = sys.argv[1:]
    mistakes = read_list(list_path)
    failed = 0
    for source, column, part, advice in mistakes:
        status, messages = assemble(assembler, path, source)
        first = re.search(r"^.*?:(\d+):(\d+): (?:error|warning): (.*)", messages)
        line, at, text = (int(first[1]), int(first[2]), first[3]) if first else (0, 0, "no message")
        written = re.search(r"note: write (.*?)(?: if \w+ is a source, too)?$", messages, re.M)
        wrong = None
        if (line, at) != (LINE, column) or part not in text or status not in (0, 1):
            wrong = f"expected column {column}: {part}; got {line - LINE}:{at}: {text} (exit status {status})"
        elif (written[1] if written else None) != advice:
            wrong = f"expected the advice {advice}; got {written and written[1]}"
        elif advice and assemble(assembler, path, advice)[0]:
            wrong = f"the advice does not assemble: {advice}"
        if wrong:
            failed += 1
            print(f"{source}\n  {wrong}")
    print(f"{len(mistakes)} mistakes, {failed} not told as they should be")
    sys.exit(bool(failed or not mistakes))


if __name__ == "__main__":
    main()

"""Runs the transcripts of a document: transcripts.py DOCUMENT FOLDER TOOLS.

An indented block that begins with "$ cat NAME" is a file. One that begins with "$ leno-dbg ARGUMENTS" is a session: its
lines after the prompt are typed, and what comes out must be the block. Other blocks that begin with "$ leno-" are commands
and their output. Blocks are done in the order of the document, in FOLDER."""
import difflib
import os
import shlex
import subprocess
import sys

PROMPT = "(leno) "


def blocks(text):
    block = []
    for line in text.split("\n") + [""]:
        if line.startswith("    ") or (block and not line.strip()):
            block.append(line[4:])
        elif block:
            while not block[-1].strip():
                block.pop()
            yield block
            block = []


def run(block, folder, tools):
    command = shlex.split(block[0][2:])
    typed = [line[len(PROMPT):] for line in block[1:] if line.startswith(PROMPT)]
    command[0] = os.path.join(tools, command[0])
    done = subprocess.run(command, input="".join(line + "\n" for line in typed), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, cwd=folder, text=True, timeout=120)
    return done.stdout.rstrip("\n").split("\n") if done.stdout else []


def main():
    document, folder, tools = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    sessions = 0
    failed = False
    for block in blocks(open(document).read()):
        if block[0].startswith("$ cat "):
            with open(os.path.join(folder, block[0][len("$ cat "):]), "w") as file:
                file.write("\n".join(block[1:]) + "\n")
        elif block[0].startswith("$ leno-"):
            sessions += 1
            got = [line.rstrip() for line in run(block, folder, tools)]
            wanted = [line.rstrip() for line in block[1:]]
            if got != wanted:
                failed = True
                print("%s: the block '%s' is not what comes out:" % (document, block[0]))
                print("\n".join(difflib.unified_diff(wanted, got, "document", "output", lineterm="")))
    assert sessions, "the document has no transcripts"
    print("%d transcripts" % sessions)
    sys.exit(failed)


if __name__ == "__main__":
    main()

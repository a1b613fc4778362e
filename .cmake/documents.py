#!/usr/bin/env python3
"""Writes the tree's documents as they are installed: relative links lead to what is installed, wherever it is put; a link
to what is only in the tree becomes its text.

usage: documents.py SOURCE DESTINATION DOCDIR [FOLDER=INSTALLED]...

FOLDER: what is installed besides, such as examples=share/leno/examples; both places as seen from the prefix, as DOCDIR is.
"""
import glob
import os
import re
import sys

ROOMS = ("isa", "asm", "emu", "runtime", "dbg", "test", "examples")

source, destination, docdir, *places = sys.argv[1:]
places = dict(place.split("=") for place in places)
documents = {os.path.relpath(path, source) for path in
             [os.path.join(source, "README.md"), *(p for room in ROOMS
                                                   for p in glob.glob(os.path.join(source, room, "**/*.md"), recursive=True))]}
folders = {folder for path in documents for folder in [os.path.dirname(path)] if folder}


def installed(target):
    """Where a file or folder of the tree is, from the prefix; None: nowhere."""
    if target in documents:
        return os.path.join(docdir, target)
    for folder, place in places.items():
        if target == folder or target.startswith(folder + "/"):
            return os.path.normpath(place + target[len(folder):])
    return os.path.join(docdir, target) if target in folders else None


def rewritten(document):
    here = os.path.dirname(document)

    def link(match):
        text, target = match.groups()
        name, hash_, anchor = target.partition("#")
        if "://" in target or not name:
            return match[0]
        place = installed(os.path.normpath(os.path.join(here, name)))
        return f"[{text}]({os.path.relpath(place, os.path.join(docdir, here))}{hash_}{anchor})" if place else text

    with open(os.path.join(source, document), encoding="utf-8") as file:
        lines = file.read().split("\n")
    return "\n".join(line if line.startswith("    ") else re.sub(r"\[([^][]*)\]\(([^)\s]+)\)", link, line) for line in lines)


for document in sorted(documents):
    path = os.path.join(destination, document)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(rewritten(document))

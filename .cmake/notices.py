#!/usr/bin/env python3
"""Writes DESTINATION/PACKAGE/copyright and changelog.gz: what the rights in a package of Leno are, and the notices of the
work of others in it, as their Debian packages have them.

usage: notices.py DESTINATION PACKAGE [DEBIAN-PACKAGE]...
"""
import gzip
import os
import sys

OWN = """Leno's own parts: the owner of Leno has chosen no licence yet. Until one is chosen all rights are reserved, and nobody
has been given leave to copy, change or pass them on.
"""

destination, package, *others = sys.argv[1:]
folder = os.path.join(destination, package)
os.makedirs(folder, exist_ok=True)
notices = {}  # by text: packages of one source have the same
missing = []
for other in others:
    path = f"/usr/share/doc/{other}/copyright"
    try:
        with open(path, encoding="utf-8") as file:
            notices.setdefault(file.read(), []).append(other)
    except OSError:
        missing.append(path)
if missing:
    sys.exit(f"notices.py: {package} contains the work of others, whose notices are missing: {', '.join(missing)}. They are in the "
             "Debian packages of these names.")
with open(os.path.join(folder, "copyright"), "w", encoding="utf-8") as file:
    file.write(OWN)
    if notices:
        file.write("\nThis package also contains work of others, under the terms that follow, as Debian's packages have them:\n"
                   + "".join(f"  {', '.join(names)}\n" for names in notices.values()))
    for text, names in notices.items():
        file.write(f"\n{'=' * 80}\n{', '.join(names)}\n{'=' * 80}\n\n{text.strip()}\n")
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "changelog"), "rb") as file:
    changes = file.read()
with open(os.path.join(folder, "changelog.gz"), "wb") as file:
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
        packed.write(changes)

#!/usr/bin/env python3
"""What a Debian package depends on, in how many steps; the reference reads the file and searches by itself."""
import collections
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import arguments, expect, leno_examples

options = arguments(__doc__, ("status", "/var/lib/dpkg/status", "a dpkg status file"),
                    ("package", "", "where to begin; the one with the most dependencies when none is told"))
needs, provides = {}, collections.defaultdict(set)
with open(options.status, encoding="utf-8") as file:
    for paragraph in file.read().split("\n\n"):
        fields = dict(re.findall(r"^([A-Za-z-]+):[ \t]*(.*(?:\n[ \t].*)*)", paragraph, re.MULTILINE))
        if "Package" not in fields:
            continue
        names = {field: {re.match(r"\s*([^\s(:]+)", part).group(1) for part in re.split("[,|]", fields.get(field, ""))
                         if part.strip()} for field in ("Depends", "Pre-Depends", "Provides")}
        name = fields["Package"].strip()
        needs[name] = needs.get(name, set()) | names["Depends"] | names["Pre-Depends"]
        for provided in names["Provides"] | {name}:
            provides[provided].add(name)
package = options.package or max(needs, key=lambda name: (len(needs[name]), name))
distance, queue = {package: 0}, collections.deque([package])
while queue:
    node = queue.popleft()
    for neighbour in set().union(*(provides.get(name, set()) for name in needs[node]), set()):
        if neighbour not in distance:
            distance[neighbour] = distance[node] + 1
            queue.append(neighbour)

path = os.path.join(options.out, "bfs-distances.txt")
print(leno_examples(options, "bfs", options.status, package, path), end="")
with open(path, encoding="utf-8") as file:
    found = {name: int(steps) for name, steps in (line.split() for line in file)}
expect("bfs", found == distance)

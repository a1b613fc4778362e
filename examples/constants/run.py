#!/usr/bin/env python3
"""S2's figures 3A, 3B and 6 step by step, and sixteen versions of a constant at once: what each protocol takes."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import HERE, arguments, expect

options = arguments(__doc__)


def run(name, *settings):
    """What leno-run says of a context file, and the events of its trace as (cycle, kind, the rest)."""
    trace = os.path.join(options.out, "constants.trace")
    sets = [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run([os.path.join(options.bin, "leno-run"), "--contexts", os.path.join(HERE, "constants", name),
                           "--trace", trace, *sets], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{name}: leno-run ended with status {done.returncode}")
    with open(trace, encoding="utf-8") as file:
        lines = [re.match(r"cycle (\d+) context \w+: (\w+)(.*)", line) for line in file]
    sums = [int(word) for line in re.findall(r"^ +\[ *\d+\](.*)", done.stdout, re.M) for word in line.split()]
    cycles = int(re.search(r"^cycles (\d+)", done.stdout, re.M)[1])
    return sums, cycles, [(int(line[1]), line[2], line[3]) for line in lines]


def figure(name, sums):
    """Its steps: what the protocol does about the constant c[1][0x0], and about SMs."""
    print("figure", name)
    got, _, events = run(f"figure-{name}.yaml")
    for _, kind, rest in events:
        if re.search(r" (sm|from|words)=", rest) and kind not in ("SmGranted", "Locked") and "c[0]" not in rest \
                or "c[1][0x0]" in rest or kind == "Locked" and "words=1" not in rest:
            print(f"  {kind}{rest}")
    expect("figure " + name, got == sums, "each launch has the constant of its place in the stream")


def chart(path, runs):
    """A bar for each piece of work: its SM, its cycles."""
    longest = max(cycles for _, cycles, _ in runs)
    rows = [f"<svg xmlns='http://www.w3.org/2000/svg' width='760' height='{250 * len(runs)}' font-family='sans-serif' "
            "font-size='12'>"]
    for number, (name, cycles, events) in enumerate(runs):
        rows.append(f"<text x='10' y='{250 * number + 20}'>{name}: {cycles} cycles</text>")
        begun, version = {}, 0
        for cycle, kind, rest in events:
            sm = re.match(r" sm=(\d+)", rest)
            if kind == "WorkGiven":
                begun[sm[1]], version = (cycle, version), version + 1
            if kind == "WorkDone":
                start, its = begun.pop(sm[1])
                rows.append(f"<rect x='{10 + 740 * start / longest:.1f}' y='{250 * number + 30 + 13 * int(sm[1])}' height='11' "
                            f"width='{740 * (cycle - start) / longest:.1f}' fill='hsl({its * 22},60%,55%)'/>")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(rows + ["</svg>\n"]))


figure("3a", [111 * 100, 222 * 500, 222 * 600, 222 * 700])
figure("3b", [111 * 100, 222 * 300, 333 * 500])
figure("6", [111 * 300, 222 * 700, 333 * 50, 333 * 400])
runs = []
for protocol in ("A", "B", "drained"):
    sums, cycles, events = run("sixteen.yaml", "constants.protocol=" + protocol)
    expect("protocol " + protocol, sums == [500 * (k + 1) for k in range(16)], f"{cycles} cycles for sixteen launches")
    runs.append((protocol, cycles, events))
expect("constants", all(1.5 * cycles <= runs[2][1] for _, cycles, _ in runs[:2]),
       f"A takes {runs[2][1] / runs[0][1]:.1f} times fewer cycles than drained, B {runs[2][1] / runs[1][1]:.1f} times")
for _, _, events in runs[:2]:
    at_once = most = 0
    for _, kind, _ in events:
        at_once += (kind == "WorkGiven") - (kind == "WorkDone")
        most = max(most, at_once)
    expect("constants", most == 16, "sixteen versions at once on sixteen SMs")
chart(os.path.join(options.out, "constants.svg"), runs)
print("  " + os.path.join(options.out, "constants.svg") + ": which SM worked with which version, and when")

#!/usr/bin/env python3
"""Checks what leno-run --profile and --timeline have written.

usage: profile.py by-hand DIR              the counts that comments `#= lanes=64 sectors=8` of the sources expect at their lines
       profile.py sums DIR JSON            sums over instructions and lines are those of the same run's --json --stats
       profile.py speedscope DIR           speedscope.json is what the format's published schema asks for
       profile.py callgrind DIR TEXT       callgrind_annotate's TEXT has the totals, and the counts of each line
       profile.py timeline FILE            every event is whole, and slices of a track stand inside of each other
       profile.py waits FILE JSON          waits for memory and the stack take as long as the same run's --json --stats say
       profile.py messages FILE TRACE      each message of the run's trace is there from its sending to its reply, with arrows
       profile.py launches FILE JSON       the queue and the launches of each context are those of the same run's --json
Each prints what it has compared.
"""
import collections
import csv
import json
import pathlib
import re
import sys


def load(folder):
    return json.loads((pathlib.Path(folder) / "profile.json").read_text())


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got}, expected {wanted}")


def by_hand(folder):
    profile = load(folder)
    compared = 0
    for launch in profile["launches"]:
        lines = {(row["file"], row["line"]): row["counts"] for row in launch["lines"]}
        for file in sorted({file for file, _ in lines}):
            text = profile["sources"][file]
            for number, line in enumerate(text, 1):
                if "#=" not in line:
                    continue
                for key, value in re.findall(r"(\w+)=(\d+)", line.split("#=")[1]):
                    if key not in {kind["key"] for kind in profile["kinds"]}:
                        sys.exit(f"there is no count {key}")
                    expect(f"{file}:{number} {key}", lines.get((file, number), {}).get(key, 0), int(value))
                    compared += 1
    print(compared, "counts as by hand")


def total(rows):
    sums = collections.Counter()
    for row in rows:
        sums.update(row["counts"])
    return sums


def sums(folder, statistics_file):
    statistics = json.load(open(statistics_file))["statistics"]
    (launch,) = load(folder)["launches"]
    counts = collections.Counter(launch["counts"])
    for rows in ("instructions", "lines"):
        expect(rows, total(launch[rows]), counts)
    with open(pathlib.Path(folder) / "profile.csv", newline="") as file:
        table = list(csv.DictReader(file))
    for key in counts:
        expect(f"profile.csv {key}", sum(int(row[key]) for row in table), counts[key])
    expect("CTAs", sum(piece["ctas"] for piece in launch["ctas"]["pieces"]), statistics["ctas"])
    expect("warp instructions of CTAs", sum(piece["warps"] for piece in launch["ctas"]["pieces"]), counts["warps"])
    both = {
        "warps": "warpInstructions",
        "lanes": "laneOperations",
        "divergences": "divergentBranches",
        "reconvergences": "reconvergences",
        "pushes": "stackPushes",
        "pops": "stackPops",
        "spilled": "stackEntriesSpilled",
        "restored": "stackEntriesRestored",
        "barrierArrivals": "barrierArrivals",
        "constantRequests": "constantLoads",
        "stackWait": "stackStallCycles",
    }
    for key, name in both.items():
        expect(key, counts[key], statistics[name])
    of = lambda space: sum(statistics[space + kind] for kind in ("Loads", "Stores"))
    expect("requests", counts["requests"], of("global") + of("local") + statistics["globalAtomics"])
    expect("sharedRequests", counts["sharedRequests"], of("shared") + statistics["sharedAtomics"])
    modelled = {"l1BySm": (("l1Hits", "readHits"), ("l1Misses", "readMisses"))}
    for table, columns in modelled.items():
        for key, column in columns:
            if table in statistics:
                expect(key, counts[key], sum(row[column] for row in statistics[table]))
    if "globalBySm" in statistics:
        rows = statistics["globalBySm"] + statistics["localBySm"]
        expect("L2 requests", counts["l2Hits"] + counts["l2Misses"], sum(row["requests"] for row in rows))
        expect("L2 hits", counts["l2Hits"], sum(row["hits"] for row in rows))
        if "cycles" in statistics:
            expect("memoryWait", counts["memoryWait"], sum(row["waitCycles"] for row in rows))
    print("sums as in the statistics:", counts["warps"], "warp instructions")


# https://www.speedscope.app/file-format-schema.json: File, SampledProfile and Frame, all they require and nothing else.
def speedscope(folder):
    file = json.loads((pathlib.Path(folder) / "speedscope.json").read_text())
    expect("schema", file["$schema"], "https://www.speedscope.app/file-format-schema.json")
    expect("properties", set(file) - {"activeProfileIndex", "exporter", "name"}, {"$schema", "shared", "profiles"})
    frames = file["shared"]["frames"]
    kinds = {"name": str, "file": str, "line": int, "col": int}
    for frame in frames:
        if "name" not in frame or any(type(value) is not kinds.get(key) for key, value in frame.items()):
            sys.exit(f"no frame: {frame}")
    units = {"bytes", "microseconds", "milliseconds", "nanoseconds", "none", "seconds"}
    for profile in file["profiles"]:
        expect("a profile", set(profile), {"type", "name", "unit", "startValue", "endValue", "samples", "weights"})
        expect("type", profile["type"], "sampled")
        expect("unit", profile["unit"] in units, True)
        expect("samples", len(profile["samples"]), len(profile["weights"]))
        expect("weights", sum(profile["weights"]), profile["endValue"] - profile["startValue"])
        for sample in profile["samples"]:
            expect("a sample", all(0 <= frame < len(frames) for frame in sample), True)
    expect("activeProfileIndex", file["activeProfileIndex"] < len(file["profiles"]), True)
    print(len(file["profiles"]), "profiles,", len(frames), "frames")


def callgrind(folder, text_file):
    text = pathlib.Path(text_file).read_text()
    profile = load(folder)
    (events,) = re.findall(r"^Events shown: +(.*)$", text, re.MULTILINE)
    events = events.split()
    numbers = lambda line: [int(n.replace(",", "")) for n in re.findall(r"(?<![\w.(%])([\d,]+)(?= |$)", line)]
    (whole,) = re.findall(r"^(.*)  PROGRAM TOTALS$", text, re.MULTILINE)
    counts = total(profile["launches"])
    expect("PROGRAM TOTALS", numbers(re.sub(r"\([^)]*\)", "", whole)), [counts[event] for event in events])
    compared = 0
    for launch in profile["launches"]:
        for row in launch["lines"]:
            source = profile["sources"][row["file"]][row["line"] - 1]
            found = [line[: -len(source)] for line in text.splitlines() if line.endswith("  " + source)]
            wanted = [row["counts"].get(event, 0) for event in events]
            if len(found) != 1:
                sys.exit(f"{len(found)} times: {source}")
            expect(source, numbers(re.sub(r"\([^)]*\)", "", found[0])), wanted)
            compared += 1
    print(compared, "lines as annotated")


def timeline(file):
    made = json.load(open(file))
    expect("parts", set(made), {"traceEvents", "displayTimeUnit", "otherData"})
    needed = {"X": {"ts", "dur", "tid"}, "i": {"ts", "tid", "s"}, "C": {"ts", "args"}, "M": {"args"}}
    needed.update({phase: {"ts", "tid", "id", "cat"} for phase in "stf"})
    tracks = collections.defaultdict(list)
    names = {}
    for event in made["traceEvents"]:
        missing = (needed[event["ph"]] | {"name", "pid"}) - set(event)
        if missing:
            sys.exit(f"without {missing}: {event}")
        if event["ph"] == "X":
            tracks[event["pid"], event["tid"]].append((event["ts"], -event["dur"], event["name"]))
        if event["name"] == "thread_name":
            names[event["pid"], event["tid"]] = event["args"]["name"]
    for track, slices in sorted(tracks.items()):
        ends = []
        for start, length, name in sorted(slices):
            while ends and ends[-1] <= start:
                ends.pop()
            if ends and start - length > ends[-1]:
                sys.exit(f"{names[track]}: {name} at {start} stands across the end of another, {ends[-1]}")
            ends.append(start - length)
            print(f"{names[track]}: {name} {start}..{start - length}")
    for event in made["traceEvents"]:
        if event["ph"] == "i":
            print(f"{names[event['pid'], event['tid']]}: {event['name']} at {event['ts']}")
        elif event["ph"] == "C":
            print(f"{event['name']} at {event['ts']}: {event['args']}")
    for key, value in made["otherData"].items():
        print(f"{key}: {value}")


def messages(file, trace):
    found = {}
    for cycle, event, channel, number in re.findall(r"cycle (\d+) context .*: (MessageSent|ReplyTaken) channel=(\w+) number=(\d+)", pathlib.Path(trace).read_text()):
        found.setdefault(f"{channel} {number}", {})[event] = int(cycle)
    shown = slices(file)
    arrows = collections.defaultdict(dict)
    for event in json.load(open(file))["traceEvents"]:
        if event["ph"] in "stf":
            arrows[event["name"]][event["ph"]] = event
    tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in json.load(open(file))["traceEvents"] if e["name"] == "thread_name"}
    expect("arrows", set(arrows), set(found))
    for name, times in found.items():
        (track, start, end), = [(s[1], s[3], s[4]) for s in shown if s[2] == name]
        expect(name, (start, end), (times["MessageSent"], times["ReplyTaken"]))
        parts = {s[2]: (s[3], s[4]) for s in shown if s[1] == track and start <= s[3] and s[4] <= end}
        ends = [parts[part] for part in ("on its way", "waits to be read", "served", "reply")]
        expect("the parts follow one another", [start] + [e for _, e in ends], [s for s, _ in ends] + [end])
        arrow = arrows[name]
        expect("arrows", (len({arrow[phase]["id"] for phase in "stf"}), arrow["s"]["ts"], arrow["t"]["ts"], arrow["f"]["ts"]), (1, start, parts["served"][0], end - 1))
        reader = tracks[arrow["t"]["pid"], arrow["t"]["tid"]]
        if not any(s[1] == reader and s[3] <= arrow["t"]["ts"] < s[4] for s in shown):
            sys.exit(f"the arrow of {name} leads to no slice of {reader}")
        took = parts["reply"][1] - parts["reply"][0]
        least = 305 + 50 + 200
        print(f"{name}: sent at {start}, {ends[0][1] - ends[0][0]} on its way, then read by {reader}; its reply took {'at least' if took >= least else 'less than'} {least} cycles")
    print(len(found), "messages")


def slices(file):
    made = json.load(open(file))["traceEvents"]
    processes = {event["pid"]: event["args"]["name"] for event in made if event["name"] == "process_name"}
    tracks = {(event["pid"], event["tid"]): event["args"]["name"] for event in made if event["name"] == "thread_name"}
    return [(processes[e["pid"]], tracks[e["pid"], e["tid"]], e["name"], e["ts"], e["ts"] + e["dur"]) for e in made if e["ph"] == "X"]


def waits(file, statistics_file):
    statistics = json.load(open(statistics_file))["statistics"]
    sums = collections.Counter()
    for _, _, name, start, end in slices(file):
        sums[name] += end - start
    memory = sum(row["waitCycles"] for table in ("globalBySm", "localBySm") for row in statistics.get(table, []))
    expect("wait for memory", sums["wait for memory"], memory)
    expect("wait for the stack", sums["wait for the stack"], statistics["stackStallCycles"])
    print(f"{sums['wait for memory']} cycles for memory, {sums['wait for the stack']} for the stack")


def launches(file, result_file):
    made = slices(file)
    result = json.load(open(result_file))
    for context in result["contexts"]:
        of = lambda track: sorted((start, end, name) for process, its, name, start, end in made if (process, its) == (context["name"], track))
        rows = context["launches"]
        expect("launches", of("launches"), [(row["started"], row["ended"], row["kernel"]) for row in rows])
        expect("queue", of("queue"), [(row["decoded"], row["started"], row["kernel"] + " waits") for row in rows])
        print(f"{context['name']}: {len(rows)} launches")


modes = (by_hand, sums, speedscope, callgrind, timeline, waits, messages, launches)
{mode.__name__.replace("_", "-"): mode for mode in modes}[sys.argv[1]](*sys.argv[2:])

"""Each launch of a table, once on the command line and once in a context file with one context: the same files, the same
status, the same counts and the same trap.

both_ways.py LENO_RUN EXAMPLES FOLDER"""
import json
import os
import random
import subprocess
import sys

leno_run, examples, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
random.seed(1)


def data(name, words):
    with open(name, "wb") as file:
        for word in words:
            file.write(word.to_bytes(4, "little"))


data("words.bin", [random.getrandbits(32) for _ in range(1024)])
data("floats.bin", [0x3f800000 + random.getrandbits(23) for _ in range(1024)])
# A graph of 64 nodes, each with an edge to the next and to the one after it.
data("first.bin", [2 * node for node in range(65)])
data("edges.bin", [(node + step) % 64 for node in range(64) for step in (1, 2)])
data("distance.bin", [0] + [0xFFFFFFFF] * 63)
data("blocks.bin", list(range(33)))  # messages of one block each
with open("faults.s", "w") as file:
    file.write("""
.kernel past
.param ptr out
        S2R  R0, SR_TID.X
        SHL  R1, R0, 2
        IADD R1, R1, c[0][out]
        STG  [R1], R0
        EXIT
.endkernel
.kernel endless
.param ptr out
turn:   BRA  turn
        EXIT
.endkernel
.kernel deep
.param ptr out
        S2R  R0, SR_CTAID.X
        ISETP.eq P0, R0, 3
        @!P0 EXIT
        CAL  forever
        EXIT
.endkernel
forever:
        CAL  forever
        RET
""")

# Program, kernel, grid, block, instructions, arguments; OUT is an output's file.
TABLE = [
    ("saxpy/saxpy.s", "saxpy", "4", "256", None,
     ["u32:1000", "f32:2.5", "in:floats.bin", "inout:floats.bin:OUT"]),
    ("mandelbrot/mandelbrot.s", "mandelbrot", "2,4", "32,8", None,
     ["u32:64", "u32:32", "u32:40", "f32:-2", "f32:-1", "f32:0.05", "out:u8[32,64]:OUT.pgm"]),
    ("histogram/histogram.s", "histogram", "2", "256", None, ["u32:4096", "in:words.bin", "out:u32[256]:OUT"]),
    ("histogram/histogram.s", "withAtomics", "2", "128", None, ["u32:4096", "in:words.bin", "out:u32[256]:OUT"]),
    ("matmul/matmul.s", "matmul", "2,2", "16,16", None,
     ["rows=20", "inner=32", "columns=24", "in:floats.bin", "in:floats.bin", "out:f32[20,24]:OUT"]),
    ("nbody/nbody.s", "step", "2", "64", None,
     ["u32:100", "f32:0.01", "f32:0.1", "in:floats.bin", "inout:floats.bin:OUT", "out:f32[256,4]:OUT"]),
    ("bfs/bfs.s", "level", "1", "64", None,
     ["u32:64", "u32:0", "in:first.bin", "in:edges.bin", "inout:distance.bin:OUT", "out:u32[1]:OUT"]),
    ("queens/queens.s", "queens", "6", "6", None, ["rows=6", "all=63", "out:u32[1]:OUT"]),
    ("scan/scan.s", "scanBlocks", "4", "256", None, ["u32:1024", "inout:words.bin:OUT", "out:u32[4]:OUT"]),
    ("sha256/sha256.s", "sha256", "1", "32", None,
     ["u32:32", "in:words.bin", "in:blocks.bin", "out:u32[32,8]:OUT"]),
    ("faults.s", "past", "1", "5", None, ["out:u32[4]:OUT"]),
    ("faults.s", "endless", "1", "32", 1000, ["out:u32[4]:OUT"]),
    ("faults.s", "deep", "5", "32", None, ["out:u32[4]:OUT"]),
]
MACHINES = [[], ["sm.count=2", "stack.model=cache"]]


def run(arguments):
    """Its status, its result, and what it said."""
    done = subprocess.run([leno_run, "--json", *arguments], capture_output=True, text=True)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout), done.stderr


def named(arguments, way):
    """Files are named by the way that makes them."""
    return [a.replace("OUT", f"{way}-{i}") + (".bin" if a.endswith("OUT") else "") for i, a in enumerate(arguments)]


def files(way):
    """What they hold, and away with them."""
    found = {}
    for name in sorted(os.listdir(".")):
        if name.startswith(way + "-"):
            with open(name, "rb") as file:
                found[name[len(way):]] = file.read()
            os.remove(name)
    return found


for program, kernel, grid, block, limit, arguments in TABLE:
    path = program if program == "faults.s" else os.path.join(examples, program)
    for machine in MACHINES:
        settings = [word for key in machine for word in ("--set", key)]
        line = [path, "--kernel", kernel, "--grid", grid, "--block", block, *settings]
        if limit:
            line += ["--max-instructions", str(limit)]
        for argument in named(arguments, "line"):
            line += ["--arg", argument]
        launch = {"launch": path, "kernel": kernel, "grid": grid, "block": block, "args": named(arguments, "file")}
        if limit:
            launch["max-instructions"] = limit
        with open("c.yaml", "w") as file:  # JSON is YAML
            json.dump({"contexts": [{"name": "only", "stream": [launch]}]}, file)
        status, alone, said = run(line)
        status2, several, said2 = run(["--contexts", "c.yaml", *settings])
        what = f"{program} {kernel} {' '.join(machine)}"
        context = several["contexts"][0]
        assert status == status2, (what, status, status2, said, said2)
        ofLine, ofFile = files("line"), files("file")
        assert ofLine == ofFile, (what, {n: len(b) for n, b in ofLine.items()}, {n: len(b) for n, b in ofFile.items()})
        outputs = sum("OUT" in a for a in arguments)
        assert len(ofLine) == (0 if status else outputs), (what, list(ofLine))
        assert (alone["status"] == "finished") == (status == 0) == (context["status"] == "finished"), what
        assert (alone.get("trap") or {}) == (context.get("trap") or {}), (what, alone.get("trap"), context.get("trap"))
        assert ("trap" in alone) == (status == 1), what
        counts, counts2 = alone["statistics"], context["launches"][0]["statistics"]
        differ = {key: (counts.get(key), counts2.get(key)) for key in {*counts, *counts2}
                  if counts.get(key) != counts2.get(key)}
        assert not differ, (what, differ)
        assert ("the rest of the grid went on" in said) == ("the rest of the grid went on" in said2), (what, said, said2)
        # The same table for people.
        table = subprocess.run([leno_run, "--stats", *line], capture_output=True, text=True).stdout
        report = subprocess.run([leno_run, "--stats", "--contexts", "c.yaml", *settings], capture_output=True, text=True).stdout
        files("line"), files("file")
        head, _, rest = report.partition(f"\ncontext only, launch 0, {kernel}\n")
        assert head.startswith("cycles ") and table and rest == table, (what, table, report)
        print("same:", what)

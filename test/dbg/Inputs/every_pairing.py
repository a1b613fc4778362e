"""Everything that the debugger does, under every model of the machine, for a launch alone, for one of several contexts and
for one that overlaps another.

What each must say is computed here: thread t of `work` has after i turns the sum of 1 to i, and 5 i more if t is odd, else 2 i.
"""
import json
import os
import struct
import subprocess
import sys

import dap

DEBUGGER, FOLDER = sys.argv[1], sys.argv[2]
TURNS = 4

WORK = """\
        .kernel work
        .param  ptr out
        .param  u32 n
        S2R     R0, SR_TID.X
        MOV     R1, RZ
        MOV     R2, RZ
        AND     R3, R0, 1
        ISETP.ne P1, R3, RZ
loop:   IADD    R1, R1, 1
        IADD    R2, R2, R1
        SSY     join
  @P1   BRA     odd
        IADD    R2, R2, 2
        SYNC
odd:    IADD    R2, R2, 5
        NOP.S
join:   ISETP.lt P0, R1, c[0][n]
  @P0   BRA     loop
        SHL     R4, R0, 2
        IADD    R4, R4, c[0][out]
        STG     [R4], R2
        EXIT
        .endkernel
"""
JOIN = 1 + next(i for i, line in enumerate(WORK.splitlines()) if line.startswith("join"))
OTHER = """\
        .kernel other
        .param  ptr out
        .param  u32 n
        S2R     R0, SR_TID.X
        MOV     R2, RZ
again:  IADD    R2, R2, 3
        ISETP.lt P0, R2, c[0][n]
  @P0   BRA     again
        SHL     R4, R0, 2
        IADD    R4, R4, c[0][out]
        STG     [R4], R2
        EXIT
        .endkernel
"""

MODELS = {
    "plain machine": [],
    "stack cache": ["stack.model=cache", "stack.entries=4", "stack.moveEntries=1"],
    "constant caches": ["constants.model=caches"],
    "slices": ["l2.model=slices"],
    "L1": ["l2.model=slices", "l1.model=cache"],
    "cycle model": ["timing.model=cycles"],
    "units": ["timing.model=cycles", "units.model=scoreboard", "units.int.latency=4", "l2.model=slices"],
    "instruction cache": ["timing.model=cycles", "icache.model=cache", "icache.bytes=256", "icache.ways=2", "l15.model=cache"],
}

SHAPES = None, "several contexts", "launches that overlap"


def after(turns, thread):
    return turns * (turns + 1) // 2 + turns * (5 if thread % 2 else 2)


def results():
    return b"".join(struct.pack("<I", after(TURNS, thread)) for thread in range(32))


class Cell:
    """One machine, alone or with several contexts."""

    def __init__(self, model, several):
        self.name = "%s, %s" % (model, several or "one context")
        self.several = several
        self.settings = MODELS[model]
        self.out = os.path.join(FOLDER, "out.bin")
        self.session = os.path.join(FOLDER, "x.session")

    def arguments(self):
        sets = [word for setting in self.settings for word in ("--set", setting)]
        if self.several:
            return ["--contexts", self.several, *sets]
        return ["work.s", "--block", "32", "--arg", "out:u32[32]:out.bin", "--arg", "u32:%d" % TURNS, *sets]

    def run(self, commands, arguments=None, status=0):
        done = subprocess.run([DEBUGGER, *(arguments or self.arguments()), "--batch"], cwd=FOLDER, text=True,
                              input="\n".join(commands) + "\n", capture_output=True)
        assert done.returncode == status, (self.name, commands, done)
        assert "error" not in done.stdout + done.stderr, (self.name, commands, done)
        return done.stdout

    def focus(self):
        return ["context work"] if self.several else []

    def values(self, text):
        """What `print` said, value after value."""
        return [int(line.split("=")[1].split()[0]) for line in text.splitlines() if line.startswith("$")]

    def expect(self, what, found, wanted):
        assert found == wanted, "%s: %s: found %r, it should be %r" % (self.name, what, found, wanted)


def conditions_watchpoints_reverse(cell):
    said = cell.run(cell.focus() + [
        "break join if R1 == 3", "run", "print R2[0]", "print R2[1]",
        "delete 1", "watch R2[0]", "continue", "print R2[0]", "reverse-continue", "print R2[0]",
        "reverse-continue", "print R2[0]", "delete", "continue"])
    three = after(3, 0)
    cell.expect("condition, watchpoint, reverse", cell.values(said),
                [three, after(3, 1), three + 4, three, three - 2])
    with open(cell.out, "rb") as file:
        cell.expect("results", file.read(), results())
    os.remove(cell.out)


def save(cell):
    said = cell.run(cell.focus() + ["break join if R1 == 3", "run", "stepi", "print R2[1]", "save -f x.session"])
    cell.expect("save", cell.values(said), [after(3, 1)])
    # Back to the breakpoint, past it to the start, and to the breakpoint again.
    said = cell.run(["print R2[1]", "reverse-continue", "print R1[1]", "reverse-continue", "run", "print R1[1]",
                     "delete", "continue"], ["x.session"])
    cell.expect("open", cell.values(said), [after(3, 1), 3, 3])
    assert not os.path.exists(cell.out), "a saved session writes no files"
    with open(os.path.join(FOLDER, "x.session"), "r+", encoding="utf-8") as file:
        text = file.read()
        first = text.split("\n", 1)[0]
        older = first[:-1] + str(int(first[-1]) - 1)
        file.seek(0)
        file.write(older + text[len(first):])
    old = subprocess.run([DEBUGGER, "x.session", "--batch"], cwd=FOLDER, text=True, input="", capture_output=True)
    assert old.returncode == 1 and "has version" in old.stderr, (cell.name, old)


def reload(cell):
    said = cell.run(cell.focus() + ["break join if R1 == 3", "run", "print R2[1]", "reload", "run", "print R2[1]", "delete", "continue"])
    cell.expect("reload", cell.values(said), [after(3, 1)] * 2)
    with open(cell.out, "rb") as file:
        cell.expect("results", file.read(), results())
    os.remove(cell.out)


def as_json(cell):
    done = subprocess.run([DEBUGGER, *cell.arguments(), "--json"], cwd=FOLDER, text=True, capture_output=True,
                          input="\n".join(cell.focus() + ["break join if R1 == 2", "run", "info caches", "info lanes"]) + "\n")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    cell.expect("JSON's end", (done.returncode, lines[-1]["type"]), (0, "bye"))
    assert all(line.get("ok", True) for line in lines), (cell.name, done.stdout)
    stop = next(line for line in lines if line["type"] == "stop")
    cell.expect("JSON's stop", (stop["reason"], stop["breakpoints"], stop["at"]["label"]), ("breakpoint", [1], "join"))
    cell.expect("context", stop.get("context"), "work" if cell.several else None)


def with_an_editor(cell):
    client = dap.Client(DEBUGGER, cwd=FOLDER)
    client.ask("initialize", adapterID="leno")
    if cell.several:
        client.ask("launch", contexts=cell.several, set=cell.settings)
    else:
        client.ask("launch", program="work.s", block=32, args=["out:u32[32]:out.bin", "u32:%d" % TURNS], set=cell.settings)
    client.event("initialized")
    answer = client.ask("setBreakpoints", source={"path": os.path.join(FOLDER, "work.s")},
                        breakpoints=[{"line": JOIN, "condition": "R1 == 3"}])["breakpoints"][0]
    cell.expect("breakpoint", (answer["verified"], answer["line"]), (True, JOIN))
    client.ask("configurationDone")
    thread = client.stopped("breakpoint")["threadId"]
    names = {one["id"]: one["name"] for one in client.ask("threads")["threads"]}
    cell.expect("thread", names[thread].startswith("context work, CTA" if cell.several else "CTA"), True)
    frame = client.frame(thread)
    cell.expect("frame", (frame["line"], frame["source"]["name"]), (JOIN, "work.s"))

    def value(expression):
        return client.ask("evaluate", expression=expression, frameId=client.frame(thread)["id"], context="watch")["result"].split()[0]

    cell.expect("evaluate", value("R2[1]"), str(after(3, 1)))
    rows = client.children(client.scope(thread, "Parameters")["variablesReference"])
    cell.expect("parameter", [row["value"].split()[0] for row in rows if row["name"] == "n"], [str(TURNS)])
    memory = client.ask("disassemble", memoryReference=frame["instructionPointerReference"], instructionCount=1)["instructions"][0]
    assert memory["instruction"].startswith("ISETP.lt"), (cell.name, memory)
    client.ask("stepBack", threadId=thread, granularity="instruction")
    client.stopped("step")
    client.ask("next", threadId=thread, granularity="instruction")
    client.stopped()
    cell.expect("back and on", value("R1[1]"), "3")
    client.ask("setBreakpoints", source={"path": os.path.join(FOLDER, "work.s")}, breakpoints=[])
    client.ask("continue", threadId=thread)
    cell.expect("end", client.event("exited")["exitCode"], 0)
    client.disconnect()
    with open(cell.out, "rb") as file:
        cell.expect("results", file.read(), results())
    os.remove(cell.out)


def main():
    for name, text in (("work.s", WORK), ("other.s", OTHER), ("several contexts", """\
machine: { sm.count: 2 }
contexts:
  - name: other
    stream: [ { launch: other.s, grid: 3, block: 32, args: ['out:u32[32]:other.bin', u32:60] } ]
  - name: work
    stream: [ { launch: work.s, block: 32, args: ['out:u32[32]:out.bin', u32:%d] } ]
""" % TURNS), ("launches that overlap", """\
machine: { sm.count: 4 }
contexts:
  - name: work
    stream:
      - { launch: other.s, grid: 3, block: 32, args: ['out:u32[32]:other.bin', u32:60] }
      - { launch: work.s, block: 32, args: ['out:u32[32]:out.bin', u32:%d], overlap: true }
""" % TURNS)):
        with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
            file.write(text)
    cells = 0
    for model in MODELS:
        for several in SHAPES if model in ("constant caches", "cycle model") else SHAPES[:2]:
            cell = Cell(model, several)
            for check in (conditions_watchpoints_reverse, save, reload, as_json, with_an_editor):
                check(cell)
                cells += 1
    print("%d pairings" % cells)


main()

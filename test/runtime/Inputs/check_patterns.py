"""Patterns of concurrent programs, right and wrong, each with the verdict that it is known for.

    check_patterns.py LENO-RUN

Locks by compare-and-swap, messages, reductions by the last CTA, barriers of a grid, neighbours in shared memory: each with
its fences, without one of them, and with one of too narrow a scope. Prints those whose verdict is another, and their number.
"""
import os
import subprocess
import sys
import tempfile

start = """
        .kernel k
        .param  ptr d                           # 1024 words
        .shared a, 256
        S2R     R0, SR_TID.X
        S2R     R1, SR_CTAID.X
        S2R     R4, SR_LANEID
        SHR.u32 R5, R0, 5                       # the warp
        MOV     R2, c[0][d]
        MOV     R3, c[0][d+4]
        MOV32I  R20, 1
        MOV     R21, RZ
"""
end = """
        EXIT
        .endkernel
"""
patterns = []


def pattern(name, text, races, grid=2, block=32):
    patterns.append((name, text, races, grid, block))


def fence(scope):
    return f"        MEMBAR.{scope}\n" if scope else ""


first_thread = "        ISETP.ne P3, R0, 0\n  @P3   EXIT\n"
first_lane = "        ISETP.ne P3, R4, 0\n  @P3   EXIT\n"


def lock(acquire, release, who=first_thread, unlock="ATOM.exch R6, [R2.64+256], R21"):
    """A counter behind a lock."""
    return f"""{who}
spin:   ATOM.cas R6, [R2.64+256], R21, R20
        ISETP.ne P0, R6, 0
  @P0   BRA     spin
{fence(acquire)}
        LDG     R7, [R2.64]
        IADD    R7, R7, 1
        STG     [R2.64], R7
{fence(release)}
        {unlock}
"""


for acquire in ("GL", "CTA", ""):
    for release in ("GL", "CTA", ""):
        name = f"lock, MEMBAR.{acquire or 'none'} and MEMBAR.{release or 'none'}"
        pattern(name + ", two CTAs", lock(acquire, release), acquire != "GL" or release != "GL")
        pattern(name + ", one CTA", lock(acquire, release, first_lane), not acquire or not release, grid=1, block=64)
pattern("lock given back by a store", lock("GL", "GL", unlock="STG [R2.64+256], R21"), True)
pattern("no lock", first_thread + "        LDG R7, [R2.64]\n        STG [R2.64], R7\n", True)


def message(before, behind, store="STG [R2.64+64], R20", ask="LDG.cv R6, [R2.64+64]", load="LDG R7, [R2.64]",
            who=first_thread, role="R1"):
    """A word and its flag."""
    return f"""{who}
        ISETP.ne P0, {role}, 0
  @P0   BRA     wait
        STG     [R2.64], R20
{fence(before)}
        {store}
        EXIT
wait:   {ask}
        ISETP.ne P0, R6, 1
  @P0   BRA     wait
{fence(behind)}
        {load}
"""


for before in ("SYS", "GL", "CTA", ""):
    for behind in ("SYS", "GL", "CTA", ""):
        name = f"message, MEMBAR.{before or 'none'} and MEMBAR.{behind or 'none'}"
        wide = ("SYS", "GL")
        pattern(name + ", two CTAs", message(before, behind), before not in wide or behind not in wide)
        text = message(before, behind, who=first_lane, role="R5")
        pattern(name + ", one CTA", text, not before or not behind, grid=1, block=64)
for flag in ("RED.add [R2.64+64], R20", "ATOM.exch R9, [R2.64+64], R20"):
    for ask in ("ATOM.or R6, [R2.64+64], R21", "ATOM.cas R6, [R2.64+64], R20, R20", "LDG.cv R6, [R2.64+64]"):
        pattern(f"message by {flag}, asked by {ask}", message("GL", "GL", flag, ask), False)
        pattern(f"message by {flag}, asked by {ask}, no fence", message("", "GL", flag, ask), True)
for ask in ("LDG R6, [R2.64+64]", "LDG.cg R6, [R2.64+64]"):
    pattern(f"flag asked by {ask}", message("GL", "GL", ask=ask), True)
pattern("data that are asked by .cv", message("GL", "", load="LDG.cv R7, [R2.64]"), False)


def reduction(before, behind, load="LDG"):
    """Each CTA stores its part; the last to count reads all."""
    return f"""
        SHL     R8, R1, 2
        IADD.CC R10, R2, R8
        IADD.X  R11, R3, RZ
        ISETP.ne P3, R0, 0
  @!P3  STG     [R10.64], R20
{fence(before)}
        MOV     R13, RZ
  @!P3  ATOM.add R12, [R2.64+512], R20
  @!P3  ISETP.eq P4, R12, 3
  @!P3  SEL     R13, R20, RZ, P4
  @!P3  STS     [a], R13
        BAR.SYNC 0
        LDS     R13, [a]
        ISETP.eq P5, R13, 0
  @P5   EXIT
{fence(behind)}
        ISETP.ge P5, R0, 4
  @P5   EXIT
        SHL     R8, R0, 2
        IADD.CC R10, R2, R8
        IADD.X  R11, R3, RZ
        {load}  R14, [R10.64]
"""


pattern("reduction by the last CTA", reduction("GL", "GL"), False, grid=4, block=64)
pattern("reduction by the last CTA, .cv", reduction("GL", "", "LDG.cv"), False, grid=4, block=64)
pattern("reduction by the last CTA, no fence", reduction("", "GL"), True, grid=4, block=64)
pattern("reduction by the last CTA, no fence behind", reduction("GL", ""), True, grid=4, block=64)
pattern("reduction by the last CTA, narrow fence", reduction("CTA", "GL"), True, grid=4, block=64)


def all_meet(before, behind, shift):
    """A barrier of the grid, then a look at what the other CTA has stored."""
    return f"""
        SHL     R8, R1, {shift}
        LEA     R8, R0, R8, 2
        IADD.CC R10, R2, R8
        IADD.X  R11, R3, RZ
        STG     [R10.64], R20
        BAR.SYNC 0
        ISETP.ne P3, R0, 0
        SSY     met
  @P3   BRA     others
{fence(before)}
        RED.add [R2.64+2048], R20
wait:   LDG.cv  R12, [R2.64+2048]
        ISETP.lt P0, R12, 2
  @P0   BRA     wait
{fence(behind)}
        SYNC
others: SYNC
met:    BAR.SYNC 0
        LOP.xor R8, R8, {1 << shift}
        IADD.CC R10, R2, R8
        IADD.X  R11, R3, RZ
        LDG     R14, [R10.64]
"""


for warps, shift in ((1, 7), (2, 8)):
    for before, behind in (("GL", "GL"), ("", "GL"), ("GL", ""), ("CTA", "GL"), ("GL", "CTA")):
        name = f"barrier of a grid, warps of a CTA: {warps}, MEMBAR.{before or 'none'} and MEMBAR.{behind or 'none'}"
        pattern(name, all_meet(before, behind, shift), (before, behind) != ("GL", "GL"), block=32 * warps)

neighbour = """
        SHL     R8, R0, 2
        STS     [R8+a], R0
        {}
        LOP.xor R9, R8, {}
        LDS     R10, [R9+a]
        {}
        STS     [R8+a], R10
"""
wait = "BAR.SYNC 0"
pattern("neighbours in a warp", neighbour.format("", 4, ""), False, grid=1)
pattern("neighbours in two warps", neighbour.format(wait, 128, wait), False, grid=1, block=64)
pattern("neighbours in two warps, no first barrier", neighbour.format("", 128, wait), True, grid=1, block=64)
pattern("neighbours in two warps, no second barrier", neighbour.format(wait, 128, ""), True, grid=1, block=64)
handed = """
        SHL     R8, R4, 2
        ISETP.ne P0, R5, 0
  @P0   BRA     takes
{}
        EXIT
takes:  BAR.SYNC 1, 64
        LDS     R9, [R8+a]
"""
store, arrive = "        STS     [R8+a], R0\n", "        BAR.ARV 1, 64\n"
pattern("handed over at a named barrier", handed.format(store + arrive), False, grid=1, block=64)
pattern("handed over behind a named barrier", handed.format(arrive + store), True, grid=1, block=64)
pattern("lanes store different values", "        STS [a], R0\n", True, grid=1)
pattern("lanes store one value", "        STS [a], R20\n", False, grid=1)
pattern("warps store one value", "        STS [a], R20\n", True, grid=1, block=64)
pattern("atomics, then a look", "        ATOMS.add R6, [RZ+a], R20\n        LDS R7, [a]\n", True, grid=1, block=64)
counts = "        ATOMS.add R6, [RZ+a], R20\n        BAR.SYNC 0\n        LDS R7, [a]\n"
pattern("atomics, a barrier, a look", counts, False, grid=1, block=64)
pattern("two sides of a branch", """
        ISETP.lt P0, R0, 16
        SSY     join
  @P0   BRA     other
        STS     [a], R20
        SYNC
other:  LDS     R6, [a]
        SYNC
join:
""", True, grid=1)
pattern("before a branch and on a side", """
        STS     [a], R20
        ISETP.lt P0, R0, 16
        SSY     join
  @P0   BRA     other
        SYNC
other:  LDS     R6, [a]
        SYNC
join:   STS     [a], R20
""", False, grid=1)
pattern("CTAs store to a word", first_thread + "        STG [R2.64], R1\n", True)
pattern("CTAs count in a word", "        RED.add [R2.64], R20\n", False)
bytes_of = first_thread + "        IADD.CC R10, R2, R1\n        IADD.X R11, R3, RZ\n        STG.u8 [R10.64], R1\n"
pattern("CTAs store to bytes of a word", bytes_of, False, grid=8)
pattern("CTAs store to bytes and load the word", bytes_of + "        LDG R9, [R2.64]\n", True)

wrong = 0
with tempfile.TemporaryDirectory() as folder:
    source = os.path.join(folder, "k.s")
    for name, text, races, grid, block in patterns:
        with open(source, "w") as file:
            file.write(start + text + end)
        command = [sys.argv[1], source, "--grid", str(grid), "--block", str(block), "--arg", "zero:u32[1024]"]
        command += ["--max-instructions", "100000", "--check", "race"]
        run = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if run.returncode != (3 if races else 0):
            wrong += 1
            print(f"{name}: expected {'a race' if races else 'none'}, status {run.returncode}\n{run.stderr}")
print(f"{len(patterns)} patterns, {wrong} wrong")

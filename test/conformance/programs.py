"""Runs the scenarios of records: those that end well share one kernel, a CTA each; one that must trap is a kernel alone."""
import array
import os

from kernels import ToolError, run_tool
from scenarios import SCENARIOS, Situation, passes
from selection import flag_tests, guard_classes, modifier_combinations

WARPS = 2
THREADS = 32 * WARPS
HEAD = """\
        .kernel scenarios
        .param  ptr out
        .shared words, 256
        S2R     R0, SR_TID.X
        S2R     R1, SR_LANEID
        S2R     R2, SR_CTAID.X
        SHL     R3, R2, 9
        SHL     R4, R0, 2
        IADD    R3, R3, R4
        IADD.CC R250, R3, c[0][out]
        IADD.X  R251, RZ, c[0][out+4]
        MOV     R8, 0
        MOV     R9, 0
"""
STORE = ["STG [R250.64], R8", "STG [R250.64+256], R9"]


def situations(isa, inst, start):
    """Every combination of modifiers with every guard the record takes. Every test of the flags comes with every guard
    and modifier, alone: with a state of the flags in each lane, and with states that pass and fail in all lanes."""
    guards = ["none"] + (["true", "false", "mixed"] if "true" in guard_classes(inst) and inst.guarded else [])
    every = [(mods, guard, None) for mods in modifier_combinations(isa, inst) for guard in guards]
    for index, test in enumerate(flag_tests(isa, inst)):
        uniform = [next((i for i in range(index, index + 16) if passes(test, i % 16) == wanted), None)
                   for wanted in (True, False)]
        for mods in modifier_combinations(isa, inst):
            if sum(map(bool, mods.values())) > 1:
                continue
            # A broken promise of .U is a launch of its own: some of them do.
            states = [None] if not mods.get("U") or index % 6 == 0 else []
            states += [state % 16 for state in uniform if state is not None]
            every += [(dict(mods, test=test), guard, state) for guard in guards for state in states
                      if not mods.get("U") or guard != "mixed" or index % 6 == 0]
    return [Situation(inst, mods, guard, start + i, state) for i, (mods, guard, state) in enumerate(every)]


def body(situation, lines):
    out = [f"S{situation.number}:"] + situation.prepare()
    for line in lines:
        out += STORE if line == "@store" else [line]
    return out + STORE + ["EXIT"]


def write(path, parts):
    """parts: (situation, lines); CTA i runs the i-th."""
    text = [HEAD]
    for cta, (situation, _) in enumerate(parts):
        text += [f"        ISETP.eq P0, R2, {cta}", f"        @P0 BRA.U S{situation.number}"]
    text.append("        EXIT")
    for situation, lines in parts:
        text += ["        " + line for line in body(situation, lines)]
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(text) + "\n        .endkernel\n")


def launch(tools, base, ctas):
    out = f"--arg=out:u32[{ctas * 2 * THREADS}]:{base}.out.bin"
    run_tool(tools.runner, base + ".s", "--block", str(THREADS), "--grid", str(ctas), out)
    results = array.array("I")
    with open(base + ".out.bin", "rb") as file:
        results.fromfile(file, ctas * 2 * THREADS)
    return results


def run_scenarios(isa, records, tools, out, report):
    ending, trapping = [], []
    number = 0
    for inst in records:
        for situation in situations(isa, inst, number):
            number += 1
            lines, expected = SCENARIOS[inst.mnemonic](situation)
            (trapping if isinstance(expected, str) else ending).append((situation, lines, expected))
    base = os.path.join(out, "scenarios")
    if ending:
        write(base + ".s", [(s, lines) for s, lines, _ in ending])
        try:
            results = launch(tools, base, len(ending))
        except ToolError as error:
            report.problems.append(str(error))
            return
    for cta, (situation, lines, expected) in enumerate(ending):
        for thread in range(THREADS):
            at = cta * 2 * THREADS + thread
            got, want = (results[at], results[at + THREADS]), expected(thread // 32, thread % 32)
            report.results += 1
            if got != tuple(x & 0xFFFFFFFF for x in want):
                report.differ(situation.inst.name, "\n        ".join(
                    [f"scenario of {situation.text('...')}: warp {thread // 32} lane {thread % 32}"
                     f" expected R8, R9 = {want}, got {got}"] + lines))
        report.cover(situation)
    for situation, lines, kind in trapping:
        base = os.path.join(out, f"trap{situation.number}")
        write(base + ".s", [(situation, lines)])
        try:
            launch(tools, base, 1)
            report.differ(situation.inst.name, f"{situation.text('...')} should trap {kind}, and did not: {base}.s")
        except ToolError as error:
            report.results += 1
            if f"error: {kind} at" not in str(error):
                report.differ(situation.inst.name, f"{situation.text('...')} should trap {kind}: {error}")
        report.cover(situation)

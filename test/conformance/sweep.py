#!/usr/bin/env python3
"""The conformance sweep of one family: every record of its TableGen file, with all pairs of modifier values, operand
shapes and guards, is assembled, disassembled, assembled again, executed on edge-case and random operands, and compared
with an independent model.

usage: sweep.py ISA.json FAMILY --bin DIR [--hosts PROGRAM] --objcopy PATH --out DIR [--part I/N] [--rounds N] [--seed N] [--only MNEMONIC]

FAMILY is the name of a file of records without `.td`, such as Integer. The models (models/*.py) are written from the
Meaning texts of the records, the design choices and IEEE 754, one lane at a time, and share no code with the emulator.
The family must be covered wholly: every record, modifier value and guard (true, false, mixed), and results must tell any two
values of a modifier apart (telling.py); an instruction without a model or scenario is a hole, and holes.txt must name
exactly those. --hosts: each kernel runs again from hosts that have changed their floating-point environment (hosts.cpp).
LENO_TEST_EFFORT adds a round, with operands of its own, for each ten.
"""
import argparse
import glob
import importlib
import json
import os
import random
import sys
from types import SimpleNamespace

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "models"))

import kernels  # noqa: E402
from memory_cases import MemoryCase  # noqa: E402
from selection import Hole, InstructionSet, cases_of, coverage_keys, families, modifier_values, random_case  # noqa: E402
from operands import constant_pool  # noqa: E402
from programs import run_scenarios  # noqa: E402
from scenarios import SCENARIOS  # noqa: E402
from telling import Telling  # noqa: E402

ROOM = os.path.dirname(os.path.abspath(__file__))
REPORTED = 8  # mismatches of one record that are printed


def load_models():
    for path in sorted(glob.glob(os.path.join(ROOM, "models", "*.py"))):
        importlib.import_module(os.path.basename(path)[:-3])


class Report:
    """What was compared, covered and found."""

    def __init__(self, isa, out):
        self.isa = isa
        self.out, self.results, self.covered, self.problems, self.count = out, 0, set(), [], {}
        self.telling = Telling(isa)

    def cover(self, case):
        """`case`: anything with inst, mods, guard_class and tells(): a result that nothing keeps covers nothing."""
        if not case.tells():
            return
        for name, spelling in modifier_values(self.isa, case.inst):
            if not name:
                self.covered.add(f"{case.inst.name} {case.guard_class}")
            elif case.mods.get(name) == spelling:
                self.covered.add(f"{case.inst.name} {name}={spelling or '-'} {case.guard_class}")

    def differ(self, name, text):
        self.count[name] = self.count.get(name, 0) + 1
        if self.count[name] <= REPORTED:
            self.problems.append(text)

    def mismatch(self, case, view, expected, got):
        name = case.inst.name
        self.count[name] = self.count.get(name, 0) + 1
        if self.count[name] > REPORTED:
            return
        quad = case.written_quad()
        names = [f"R{quad + i}" for i in range(4)] + ["predicates"]
        lines = [f"{case.text}    ({name}, cta {view.cta} lane {view.lane})"]
        for operand, value in case.operands.items():
            bits = view.__dict__.get(operand)
            if isinstance(bits, int) and not isinstance(bits, bool) and operand not in case.destinations:
                lines.append(f"    {operand:10} {value.text:16} {bits:#0{2 + 8 * value.words}x}")
        before = view.write({}, {})[1]
        lines.append(f"    {'before':10} {'predicates':16} {before:#06x}   (OF CF SF ZF, P6..P0)")
        for what, want, have in zip(names, expected, got):
            if want != have:
                lines.append(f"    {what:10} expected {want:#010x}   got {have:#010x}")
        self.problems.append("\n".join(lines))
        if self.count[name] == 1:
            self.problems[-1] += f"\n    alone in {self.write_alone(case, view)}"

    def compare_region(self, item, warp, expected, got):
        self.results += len(expected) // 4
        if expected == got:
            return
        at = next(i for i in range(0, len(expected), 4) if expected[i:i + 4] != got[i:i + 4])
        words = [int.from_bytes(x[at:at + 4], "little") for x in (expected, got)]
        self.count[item.case.inst.name] = self.count.get(item.case.inst.name, 0) + 1
        self.problems.append(f"{item.case.text}    ({item.case.inst.name}, cta {warp[0].cta}, {item.case.space})\n"
                             f"    memory at {at:#x} expected {words[0]:#010x}   got {words[1]:#010x}")

    def write_alone(self, case, view):
        """The one lane of a mismatch as a kernel for leno-dbg or leno-run."""
        path = os.path.join(self.out, f"{case.inst.name}.s")
        lines = [f"MOV32I R{register}, {value:#x}" for register, value in sorted(view.registers.items())
                 if value is not None]
        lines += [f"MOV32I R12, {view.write({}, {})[1]:#x}", "R2P R12, 0xf7f", *case.around("after"), "P2R R13, RZ, 0xf7f"]
        with open(path, "w", encoding="ascii") as file:
            file.write("# The smallest case of a mismatch: look at it with leno-dbg.\n        .kernel alone\n")
            file.write("".join(f"        {line}\n" for line in lines) + "        BPT 0\n        EXIT\n        .endkernel\n")
        return path


def run_cases(prepared, isa, ctas, tools, base, report):
    kernel = kernels.Kernel(prepared, ctas, isa.constants)
    kernel.write(base + ".s")
    kernel.write_operands(base + ".")
    problem = kernel.round_trip(tools, base)
    if problem:
        report.problems.append(problem)
    results, after = kernel.run(tools, base)
    stride = len(prepared) * kernels.RESULT_ROWS * 32
    for index, item in enumerate(prepared):
        executing = []
        for cta, (warp, rows, region) in enumerate(item.expected(ctas)):
            executing.append([view for view in warp if item.case.runs(item.rows[0][cta * 32 + view.lane])])
            if region:
                at = cta * kernel.mem_stride + item.region_at
                report.compare_region(item, warp, region, after[at:at + len(region)])
            start = cta * stride + index * kernels.RESULT_ROWS * 32
            for view, expected in zip(warp, rows):
                got = [results[start + row * 32 + view.lane] for row in range(kernels.RESULT_ROWS)]
                report.results += 1
                expected = [have if want is None else want for want, have in zip(expected, got)]
                if got != expected:
                    report.mismatch(item.case, view, expected, got)
        report.cover(item.case)
        report.telling.look(item.case, executing)


def try_cases(prepared, isa, ctas, tools, base, report):
    try:
        if prepared:
            run_cases(prepared, isa, ctas, tools, base, report)
    except kernels.ToolError as error:
        report.problems.append(str(error))


def telling_cases(isa, inst, ctas, rng, telling):
    """Cases beyond the covering ones, for modifiers whose values no result has told apart yet."""
    def draw(mods):
        item = kernels.Prepared(random_case(isa, inst, mods, rng), ctas, rng)
        return item, list(item.views(ctas))
    return telling.seek(inst, draw)


def check_holes(family, holes, covered_by_model, report):
    """holes.txt names exactly the records of the family that have no model."""
    with open(os.path.join(ROOM, "holes.txt"), encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    told = {name for where, name in lines if where == family}
    for name, why in sorted(holes.items()):
        if name not in told:
            report.problems.append(f"hole: {name}: {why}\n    write its model in test/conformance/models, or for the time "
                                   f"being name it in test/conformance/holes.txt: {family} {name}")
    for name in sorted(told - set(holes)):
        report.problems.append(f"holes.txt names {family} {name}, which is swept now, or gone: take the line out")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isa")
    parser.add_argument("family")
    parser.add_argument("--bin", required=True)
    parser.add_argument("--hosts")
    parser.add_argument("--objcopy", default="llvm-objcopy")
    parser.add_argument("--out", required=True)
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--ctas", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    tools = SimpleNamespace(assembler=os.path.join(options.bin, "leno-as"), runner=os.path.join(options.bin, "leno-run"),
                            objdump=os.path.join(options.bin, "leno-objdump"), objcopy=options.objcopy, hosts=options.hosts)
    load_models()
    isa = InstructionSet.read(options.isa)
    records = families(isa).get(options.family)
    if not records:
        sys.exit(f"no records in {options.family}.td; there are: {' '.join(sorted(families(isa)))}")
    part, parts = map(int, options.part.split("/"))
    records = [r for i, r in enumerate(records) if i % parts == part - 1 and options.only in (None, r.mnemonic)]
    report, holes = Report(isa, options.out), {}
    for round_number in range(options.rounds + int(os.environ.get("LENO_TEST_EFFORT") or 1) // 10):
        rng = random.Random(f"{options.family} {options.seed} {round_number}")
        isa.constants = constant_pool(rng)
        chosen = []
        if round_number == 0:
            run_scenarios(isa, [r for r in records if r.mnemonic in SCENARIOS], tools, options.out, report)
        for inst in records:
            if inst.mnemonic in SCENARIOS:
                continue
            try:
                chosen += cases_of(isa, inst, rng)
            except Hole as hole:
                holes[inst.name] = str(hole)
        for start in range(0, len(chosen), kernels.CASES_PER_KERNEL):
            prepared = [kernels.Prepared(c, options.ctas, rng) for c in chosen[start:start + kernels.CASES_PER_KERNEL]]
            try_cases(prepared, isa, options.ctas, tools, os.path.join(options.out, f"k{start}"), report)
        swept = {case.inst.name: case.inst for case in chosen if not isinstance(case, MemoryCase)}
        more = [item for inst in swept.values() for item in telling_cases(isa, inst, options.ctas, rng, report.telling)]
        try_cases(more, isa, options.ctas, tools, os.path.join(options.out, "more"), report)
        if report.problems:
            break
    if not options.only:
        check_holes(options.family, {n: h for n, h in holes.items()}, report.covered, report)
    wanted = {key for inst in records if inst.name not in holes for key in coverage_keys(isa, inst)}
    if not report.problems:
        report.problems += [f"not covered: {key}" for key in sorted(wanted - report.covered)]
        report.problems += report.telling.missing()
    with open(os.path.join(options.out, "coverage.json"), "w", encoding="utf-8") as file:
        json.dump({"family": options.family, "results": report.results, "holes": holes,
                   "covered": sorted(report.covered)}, file)
    for name, count in report.count.items():
        if count > REPORTED:
            report.problems.append(f"{name}: {count} lanes differ, of which {REPORTED} are shown")
    print("\n\n".join(report.problems))
    print(f"{options.family}: {len(records) - len(holes)} of {len(records)} records, {report.results} results compared, "
          f"{sum(report.count.values())} differ")
    sys.exit(bool(report.problems))


if __name__ == "__main__":
    main()

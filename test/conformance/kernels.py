"""Cases as one kernel: each loads its operands, runs its statement and stores what the statement may have written.

Every CTA is one warp with operands of its own. Buffers are arrays of rows of 32 words, one a lane, so that a lane finds
any row at a fixed offset from R250 (operands) or R252 (results); a case stores the quad around its destination and the
predicate register.
"""
import array
import os
import re
import subprocess

from machine import View, WARP_MODELS, MODELS
from memory_cases import Memories, MemoryCase, REGION, attach
from values import Values, WORD

ROW = 32 * 4
CASES_PER_KERNEL = 4000
RESULT_ROWS = 5

HEAD = """\
        .kernel sweep
        .param  ptr in
        .param  ptr out
        .param  ptr mem
        .param  u64 unused
{parameters}
{memories}
        S2R     R0, SR_CTAID.X
        S2R     R1, SR_LANEID
        SHL     R1, R1, 2
        MOV32I  R3, {in_stride}
        IMAD    R2, R0, R3, R1
        IADD.CC R250, R2, c[0][in]
        IADD.X  R251, RZ, c[0][in+4]
        MOV32I  R3, {out_stride}
        IMAD    R2, R0, R3, R1
        IADD.CC R252, R2, c[0][out]
        IADD.X  R253, RZ, c[0][out+4]
        MOV32I  R3, {mem_stride}
        IMUL    R2, R0, R3
        IADD.CC R246, R2, c[0][mem]
        IADD.X  R247, RZ, c[0][mem+4]
        IADD.CC R244, R246, R1
        IADD.X  R245, R247, RZ
        MOV     R249, R1
"""


class ToolError(Exception):
    """A tool refused what it should take, or a kernel trapped."""


class Prepared:
    """A case with the operand values of each CTA's lanes."""

    def __init__(self, case, ctas, rng):
        self.case = case
        loads = case.loaded()
        self.rows = [None]  # the predicate register, then one row for each loaded register: lists of CTA x lane values
        values = Values(rng)
        lanes = range(32 * ctas)
        self.rows[0] = [case.predicate_word(rng) for _ in lanes]
        self.registers = []
        hints = [(register, words, case.hint_of(name)) for register, (name, words) in loads.items()]
        columns = {register: [] for register, _, _ in hints}
        for _ in lanes:
            values.new_lane()
            for register, words, hint in hints:
                columns[register].append(values.value(hint, words))
        self.tie(hints, columns, rng)
        for register, words, _ in hints:
            for i in range(words):
                self.registers.append(register + i)
                self.rows.append([v >> 32 * i & 0xFFFFFFFF for v in columns[register]])
        self.memories = self.draw_memories(ctas, rng, values) if isinstance(case, MemoryCase) else None
        quad = case.written_quad()
        self.patterns = {r: 0xA5000000 | r << 8 | (case.serial & 0xFF) for r in range(quad, quad + 4)
                         if r not in self.registers and not (self.memories and 16 <= r < 20)}

    def tie(self, hints, columns, rng):
        """In some lanes an operand is equal to another, or its complement."""
        fixed = [(o.words, o.bits) for o in self.case.operands.values() if o.bits is not None]
        for target, words, _ in hints:
            others = [columns[r] for r, w, _ in hints if r != target and w == words]
            others += [[bits] * len(columns[target]) for w, bits in fixed if w == words]
            for lane in range(len(columns[target]) if others else 0):
                if rng.randrange(16) == 0:
                    value = rng.choice(others)[lane]
                    columns[target][lane] = value ^ (1 << 32 * words) - 1 if rng.randrange(4) == 0 else value

    def draw_memories(self, ctas, rng, values):
        """The lanes' places, and what the region holds; the row of the address register is not known before layout."""
        case = self.case
        self.places = case.draw(32 * ctas, rng)
        hint = case.hint_of("rb")
        words = [[values.value(hint, 1) for _ in range(REGION // 4)] for _ in range(ctas)]
        if hint == "few":
            words = [[rng.choice((0, 1, WORD)) for _ in range(REGION // 4)] for _ in range(ctas)]
        self.region = [array.array("I", w).tobytes() for w in words]
        self.rows.append(None)
        if case.space == "mixed" or case.inst.mnemonic in ("LD", "ST"):
            self.rows.append([("global", "shared", "local").index(space) for _, space in self.places])
        return True

    def place(self, region_at):
        """Fills the row of the address register."""
        if self.memories:
            self.region_at = region_at
            self.rows[self.address_row()] = [self.case.base_value(at, space, region_at) & WORD
                                             for at, space in self.places]

    def address_row(self):
        return 1 + len(self.registers)

    def lines(self, in_row, out_row, label):
        case, out = self.case, []
        if self.memories:
            out += case.before(in_row + self.address_row(), self.region_at) + case.locks()
        out.append(f"LDG R12, [R250.64+{in_row * ROW}]")
        out.append("R2P R12, 0xf7f")
        for i, register in enumerate(self.registers):
            out.append(f"LDG R{register}, [R250.64+{(in_row + 1 + i) * ROW}]")
        out += [f"MOV32I R{register}, {value:#x}" for register, value in self.patterns.items()]
        out += case.around(label)
        out.append("P2R R13, RZ, 0xf7f")
        quad = case.written_quad()
        out += [f"STG [R252.64+{(out_row + i) * ROW}], R{quad + i}" for i in range(4)]
        out.append(f"STG [R252.64+{(out_row + 4) * ROW}], R13")
        return out + (case.after(self.region_at) if self.memories else [])

    def views(self, ctas):
        """For each CTA the views of its 32 lanes."""
        operands, signs = self.case.operands, self.case.signs
        for cta in range(ctas):
            warp = []
            for lane in range(32):
                index = cta * 32 + lane
                registers = dict.fromkeys(range(16, 20)) if self.memories else {}
                registers.update(self.patterns)
                for register, row in zip(self.registers, self.rows[1:]):
                    registers[register] = row[index]
                view = View(lane, cta, self.rows[0][index], operands, registers)
                view.neg, view.abs, view.inv = signs["neg"], signs["abs"], signs["inv"]
                view.part = {name: o.part for name, o in operands.items()}
                view.ctas = ctas
                warp.append(view)
            yield warp

    def expected(self, ctas):
        """For each CTA its views, the five words that each lane stores by the model, and its region then."""
        case, quad = self.case, self.case.written_quad()
        for cta, warp in enumerate(self.views(ctas)):
            if self.memories:
                memories = Memories(self.region[cta], case.isa.constants)
                for view in warp:
                    at, space = self.places[cta * 32 + view.lane]
                    attach(view, memories.of(space, view.lane), at)
            executing = [v for v in warp if case.runs(self.rows[0][cta * 32 + v.lane])]
            if case.inst.mnemonic in WARP_MODELS:
                results = WARP_MODELS[case.inst.mnemonic](case.m, executing) if executing else []
            else:
                function = MODELS[case.inst.mnemonic]
                results = [function(case.m, v) for v in executing]
            given = {v.lane: result for v, result in zip(executing, results)}
            rows = []
            for view in warp:
                registers, word = view.write(case.operands, given.get(view.lane, {}))
                rows.append([registers[quad + i] for i in range(4)] + [word])
            yield warp, rows, memories.after(case.space) if self.memories else b""


def run_tool(*command):
    result = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if result.returncode:
        raise ToolError(f"{os.path.basename(command[0])} failed ({result.returncode}): {result.stderr.strip()[:2000]}")
    return result.stdout


class Kernel:
    """Some prepared cases in one file; `run` gives the rows of results."""

    def __init__(self, prepared, ctas, constants):
        self.prepared, self.ctas, self.constants = prepared, ctas, constants
        self.in_rows = sum(len(p.rows) for p in prepared)
        self.text, self.case_at = [], []
        self.mem_stride = sum(p.case.regions() * REGION for p in prepared if p.memories)

    def write(self, path):
        local = any(i.mnemonic == "LDL" for i in self.prepared[0].case.isa.instructions)
        memories = "        .shared region, 1024" + ("\n        .local 32" if local else "")
        parameters = "\n".join(f"        .param  u32 k{i}" for i in range(len(self.constants)))
        self.text = [HEAD.format(parameters=parameters, in_stride=self.in_rows * ROW, memories=memories, mem_stride=self.mem_stride,
                                 out_stride=len(self.prepared) * RESULT_ROWS * ROW)]
        in_row, word, region_at = 0, 18, 0
        for index, item in enumerate(self.prepared):
            item.place(region_at)
            region_at += item.case.regions() * REGION if item.memories else 0
            lines = item.lines(in_row, index * RESULT_ROWS, f"L{index}")
            self.text += ["        " + line for line in lines]
            in_row += len(item.rows)
            word += sum(not line.endswith(":") for line in lines)
            self.case_at.append(word * 8)
        self.text.append("        EXIT\n        .endkernel")
        with open(path, "w", encoding="ascii") as file:
            file.write("\n".join(self.text) + "\n")

    def write_operands(self, path):
        data = array.array("I")
        for cta in range(self.ctas):
            for item in self.prepared:
                for row in item.rows:
                    data.extend(row[cta * 32:cta * 32 + 32])
        with open(path + "in.bin", "wb") as file:
            data.tofile(file)
        with open(path + "mem.bin", "wb") as file:
            for cta in range(self.ctas):
                for item in self.prepared:
                    if item.memories:
                        file.write(item.region[cta] + bytes((item.case.regions() - 1) * REGION))
            file.write(bytes(4))

    def round_trip(self, tools, base):
        """Assembled, disassembled and assembled again: the same bytes."""
        run_tool(tools.assembler, "-c", base + ".s", "-o", base + ".o")
        text = run_tool(tools.objdump, base + ".o")
        with open(base + ".again.s", "w", encoding="utf-8") as file:
            file.write(text)
        run_tool(tools.assembler, "-c", base + ".again.s", "-o", base + ".again.o")
        pieces = []
        for name in (base + ".o", base + ".again.o"):
            run_tool(tools.objcopy, "-O", "binary", "--only-section=.text", name, name + ".bin")
            with open(name + ".bin", "rb") as file:
                pieces.append(file.read())
        if pieces[0] != pieces[1]:
            at = next(i for i in range(0, len(pieces[0]), 8) if pieces[0][i:i + 8] != pieces[1][i:i + 8])
            return f"round trip: the word at {at:#x} differs: {self.statement_at(at)}"
        return None

    def statement_at(self, address):
        for item, end in zip(self.prepared, self.case_at):
            if address < end:
                return item.case.text
        return "after the last case"

    def run(self, tools, base):
        words = len(self.prepared) * RESULT_ROWS * 32 * self.ctas
        arguments = [f"--arg=in:{base}.in.bin", f"--arg=out:u32[{words}]:{base}.out.bin",
                     f"--arg=inout:{base}.mem.bin:{base}.after.bin", "--arg=u64:0"]
        arguments += [f"--arg=u32:{value}" for value in self.constants]
        if threads := os.environ.get("LENO_THREADS"):  # no CTA touches what another does
            arguments += ["--threads", threads]
        try:
            run_tool(tools.runner, base + ".s", "--block", "32", "--grid", str(self.ctas), *arguments)
        except ToolError as error:
            place = re.search(r"sweep\+0x([0-9a-f]+)", str(error))
            if place:
                raise ToolError(f"{error}\n    at the case: {self.statement_at(int(place[1], 16))}")
            raise
        with open(base + ".out.bin", "rb") as out, open(base + ".after.bin", "rb") as after:
            results, memory = array.array("I", out.read()), after.read()
        if tools.hosts:
            self.run_by_hosts(tools, base, results, memory)
        return results, memory

    def run_by_hosts(self, tools, base, results, memory):
        """Hosts in floating-point environments of their own read back the same."""
        arguments = [f"in:{base}.in.bin", f"out:{4 * len(results)}:{base}.out.bin",
                     f"inout:{base}.mem.bin:{base}.after.bin", "u64:0", *(f"u32:{value}" for value in self.constants)]
        run_tool(tools.hosts, base + ".s", str(self.ctas), "32", *arguments)
        with open(base + ".out.bin", "rb") as out, open(base + ".after.bin", "rb") as after:
            theirs = array.array("I", out.read())
            is_same_memory = after.read() == memory
            if theirs == results and is_same_memory:
                return
        row = ROW // 4 * RESULT_ROWS
        wrong = {self.prepared[i // row % len(self.prepared)].case.text
                 for i, (a, b) in enumerate(zip(results, theirs)) if a != b}
        if os.environ.get("LENO_THREADS", "1") != "1":  # which SM of several host threads takes a CTA is open
            wrong = {text for text in wrong if "SR_SMID" not in text}
        if not wrong and is_same_memory:
            return
        where = min(wrong, default="memory")
        raise ToolError(f"hosts that have changed their floating-point environment get other bits: {where}")

"""Control flow, which no straight line shows: each record has small programs, one a CTA of two warps, whose threads tell by
R8 (which way they went) and R9 (who was there with them) what happened. What they should tell is worked out here for
each lane from the rule of the instruction.

A scenario is a function of a `Situation` that gives (lines, expected): `expected(warp, lane)` is (R8, R9). Lanes for
which the guard holds are those with P0, whose mask is `now.mask` in both warps. The flags of a lane are a state from 0
to 15 (ZF, SF, CF, OF in bits 0 to 3): each state in some lanes, or one in all; a branch with a test of them is taken by
the lanes of `now.taken`.
"""
from types import SimpleNamespace

from models.predicate import flag_test

SCENARIOS = {}
ALL = 0xFFFFFFFF
MASKS = {"none": ALL, "true": ALL, "false": 0, "mixed": 0x5A3CF001}


def scenario(*mnemonics):
    def keep(function):
        SCENARIOS.update({mnemonic: function for mnemonic in mnemonics})
        return function
    return keep


def passes(test, state):
    """Whether flags in that state pass a test, None being that of a branch without one."""
    flags = SimpleNamespace(**{name: bool(state >> i & 1) for i, name in enumerate(("ZF", "SF", "CF", "OF"))})
    return flag_test(test or "t", flags)


class Situation:
    """One record with chosen modifiers and guard. `label(x)` is unique to it; `state` is that of all lanes' flags, None
    for a state each."""

    def __init__(self, inst, mods, guard, number, state=None):
        self.inst, self.mods, self.guard_mode, self.number, self.state = inst, mods, guard, number, state
        self.inverted = number % 2 == 1 and guard != "none"
        self.mask = MASKS[guard]
        self.pops = bool(mods.get("S"))
        self.test = mods.get("test")
        passing = sum(passes(self.test, i % 16 if state is None else state) << i for i in range(32))
        self.taken = self.mask & passing

    @property
    def guard_class(self):
        return "true" if self.guard_mode == "none" else self.guard_mode

    def tells(self):
        return True

    def label(self, name):
        return f"L{self.number}{name}"

    def text(self, *operands):
        guard = {"none": ""}.get(self.guard_mode, "@!P0 " if self.inverted else "@P0 ")
        head = self.inst.asm.split("\t")[0].split("$")[1:]
        mods = "".join("." + self.mods[n] for n in head if self.mods.get(n))
        test = f"CC.{self.test}, " if self.test else ""
        return f"{guard}{self.inst.mnemonic}{mods} {test}{', '.join(operands)}".strip()

    def holds(self, lane):
        return bool(self.mask >> lane & 1)

    def takes(self, lane):
        return bool(self.taken >> lane & 1)

    def splits(self):
        """Whether some lanes take the branch and some do not."""
        return self.taken not in (0, ALL)

    def prepare(self):
        """P0 = the lanes of the mask, written inverted when the guard is; and the flags."""
        mask = self.mask ^ ALL if self.inverted else self.mask
        flags = ["LOP.and R2, R1, 15"] if self.state is None else [f"MOV R2, {self.state}"]
        return [f"MOV32I R2, {mask:#x}", "SHR.u32 R2, R2, R1", "LOP.and R2, R2, 1", "ISETP.ne P0, R2, RZ",
                *flags, "SHL R2, R2, 8", "R2P R2, 0xf00"]


HERE = "VOTE.any R9, PT, PT"


@scenario("BRA", "BRA.SSY", "JMP")
def branch(now):
    """Taken and untaken lanes tell 2 and 1, and who is with them; then all meet."""
    own_sync = now.inst.mnemonic.endswith(".SSY")
    T, J = now.label("t"), now.label("j")
    lines = ([] if own_sync else [f"SSY {J}"]) + [
        now.text(T, J) if own_sync else now.text(T), "MOV R8, 1", HERE, "SYNC",
        f"{T}:", "MOV R8, 2", HERE, "SYNC",
        f"{J}:", "VOTE.any R10, PT, PT", f"ISETP.ne P1, R10, -1", "@P1 MOV R8, 99"]
    if now.mods.get("U") and now.splits():
        return lines, "DIVERGENT"

    def expected(warp, lane):
        if now.pops:  # lanes whose guard is true join at once
            return (0, 0) if now.holds(lane) else (1, ALL & ~now.mask)
        return (2, now.taken) if now.takes(lane) else (1, ALL & ~now.taken)
    return lines, expected


@scenario("SSY")
def ssy(now):
    J = now.label("j")
    return [now.text(J), "MOV R8, 1", "ISETP.lt P1, R1, 9", "@P1 SYNC", "MOV R8, 2", HERE, "SYNC", "MOV R8, 3", f"{J}:",
            "VOTE.any R10, PT, PT", "IADD R8, R8, R10"], lambda w, l: (0, 0) if l < 9 else (1, ALL & ~0x1FF)


@scenario("PBK", "PBK.SSY")
def pbk(now):
    """Lanes leave a loop in turn lane % 4; behind it they are together."""
    E, J, H = now.label("e"), now.label("j"), now.label("h")
    own_sync = now.inst.mnemonic.endswith(".SSY")
    lines = [now.text(E, J) if own_sync else now.text(E), "LOP.and R2, R1, 3", f"{H}:",
             "ISETP.eq P1, R8, R2", "@P1 BRK", "IADD R8, R8, 1", f"BRA {H}", f"{E}:", HERE]
    return lines + (["SYNC", "MOV R8, 99", f"{J}:"] if own_sync else []), lambda w, l: (l & 3, ALL)


@scenario("BRK")
def brk(now):
    """Lanes with the guard break, the others run on and break later."""
    E = now.label("e")
    return [f"PBK {E}", "MOV R8, 1", now.text(), "MOV R8, 2", HERE, "BRK", "MOV R8, 3", f"{E}:", "VOTE.any R10, PT, PT",
            "ISETP.ne P1, R10, -1", "@P1 MOV R8, 99"], lambda w, l: (1, 0) if now.holds(l) else (2, ALL & ~now.mask)


@scenario("PCNT")
def pcnt(now):
    C = now.label("c")
    return [now.text(C), "ISETP.lt P1, R1, 7", "MOV R8, 1", "@P1 CONT", "MOV R8, 2", "CONT", "MOV R8, 3", f"{C}:", HERE], \
        lambda w, l: (1 if l < 7 else 2, ALL)


@scenario("CONT")
def cont(now):
    C = now.label("c")
    return [f"PCNT {C}", "MOV R8, 1", now.text(), "MOV R8, 2", HERE, "CONT", "MOV R8, 3", f"{C}:",
            "VOTE.any R10, PT, PT", "ISETP.ne P1, R10, -1", "@P1 MOV R8, 99"], \
        lambda w, l: (1, 0) if now.holds(l) else (2, ALL & ~now.mask)


@scenario("CAL", "CAL.SSY", "JCAL")
def call(now):
    """A function that adds 5, with an early return of some lanes."""
    F, J, E = now.label("f"), now.label("j"), now.label("e")
    own_sync = now.inst.mnemonic.endswith(".SSY")
    return [now.text(F, J) if own_sync else now.text(F), "IADD R8, R8, 100", HERE] + (["SYNC"] if own_sync else []) + [
        f"{J}:", f"BRA {E}", f"{F}:", "IADD R8, R8, 5", "ISETP.lt P1, R1, 3", "@P1 RET", "IADD R8, R8, 1", "RET", f"{E}:"], \
        lambda w, l: (105 if l < 3 else 106, ALL)


@scenario("PRET")
def pret(now):
    F, B = now.label("f"), now.label("b")
    return [now.text(B), f"BRA {F}", f"{F}:", "MOV R8, 1", "ISETP.lt P1, R1, 3", "@P1 RET", "MOV R8, 2", "RET", "MOV R8, 3",
            f"{B}:", HERE], lambda w, l: (1 if l < 3 else 2, ALL)


@scenario("RET")
def ret(now):
    F, E = now.label("f"), now.label("e")
    return [f"CAL {F}", "VOTE.any R10, PT, PT", "ISETP.ne P1, R10, -1", "@P1 MOV R8, 99", f"BRA {E}", f"{F}:", "MOV R8, 1",
            now.text(), "MOV R8, 2", HERE, "RET", f"{E}:"], \
        lambda w, l: (1, 0) if now.holds(l) else (2, ALL & ~now.mask)


@scenario("EXIT", "KIL")
def leave(now):
    """Who leaves has stored 1 before; the others tell 2 and who is left."""
    return ["MOV R8, 1", "@store", now.text(), "MOV R8, 2", HERE], \
        lambda w, l: (1, 0) if now.holds(l) else (2, ALL & ~now.mask)


@scenario("NOP")
def nop(now):
    return ["MOV R8, 7", now.text(), HERE], lambda w, l: (7, ALL)


@scenario("SYNC", "NOP.S")
def sync(now):
    J = now.label("j")
    return [f"SSY {J}", "MOV R8, 1", now.text(), "MOV R8, 2", HERE, "SYNC", f"{J}:", "VOTE.any R10, PT, PT",
            "ISETP.ne P1, R10, -1", "@P1 MOV R8, 99"], lambda w, l: (1, 0) if now.holds(l) else (2, ALL & ~now.mask)


@scenario("BPT")
def bpt(now):
    """Without a debugger it traps, unless no lane executes it."""
    lines = ["MOV R8, 7", f"SSY {now.label('j')}", now.text("5"), "SYNC", f"{now.label('j')}:", HERE]
    return lines, (lambda w, l: (7, ALL)) if now.guard_class == "false" else "BREAKPOINT"


def at_barrier(now, number, threads, *others):
    """(lines, text) of a barrier instruction, number and count as its record has them: registers or immediates."""
    kinds = [operand.name for operand in now.inst.text_operands()]
    lines, before, behind = [], [o for o in others if o[0] != "source"], [o for o in others if o[0] == "source"]
    operands = [text for _, text in before]
    if "ra" in kinds:
        lines.append(f"MOV R5, {number}")
    operands.append("R5" if "ra" in kinds else str(number))
    if "rc" in kinds:
        lines.append(f"MOV R6, {threads or 64}")
    operands += ["R6"] if "rc" in kinds else [str(threads)] if threads else []
    return lines, now.text(*operands, *[text for _, text in behind])


@scenario("BAR.SYNC")
def barrier(now):
    """What a warp wrote before the barrier the other reads behind it."""
    J = now.label("j")
    before, text = at_barrier(now, 3, 64 * (now.number % 2))
    lines = ["SHL R3, R0, 2", "IADD R4, R0, 100", "STS [R3], R4", *before, f"SSY {J}", text, "SYNC", f"{J}:",
             "LOP.xor R3, R3, 128"]
    if now.guard_class == "mixed":
        return lines, "DIVERGENT"
    if now.guard_class == "false":
        return lines + ["MOV R8, 5"], lambda w, l: (5, 0)
    return lines + ["LDS R8, [R3]"], lambda w, l: (100 + (32 * (1 - w) + l), 0)


@scenario("BAR.ARV")
def arrive(now):
    """Warp 1 arrives and goes on, and what it wrote warp 0 reads behind BAR.SYNC. A warp that does not wait reaches the
    end first, so warp 1 may exit before warp 0 comes."""
    J, W = now.label("j"), now.label("w")
    before, text = at_barrier(now, 3, 64)
    if now.guard_class == "mixed":
        return before + [text], "DIVERGENT"
    if now.guard_class == "false":
        return ["MOV R8, 5", *before, f"SSY {J}", text, "SYNC", f"{J}:"], lambda w, l: (5, 0)
    return ["SHL R3, R0, 2", "IADD R4, R0, 100", "STS [R3], R4", *before, "S2R R7, SR_WARPID", "ISETP.eq P1, R7, 0",
            f"@P1 BRA {W}", f"SSY {J}", text, "SYNC", f"{W}:", "BAR.SYNC 3, 64", "LOP.xor R3, R3, 128", "LDS R8, [R3]",
            f"{J}:", HERE], lambda w, l: (0, ALL) if w else (132 + l, ALL)


@scenario("BAR.RED.POPC", "BAR.RED.AND", "BAR.RED.OR")
def reduction(now):
    """Lanes l of warp w bring a predicate: some of them, none or all by the number of the situation."""
    J = now.label("j")
    most = (11, 0, 32)[now.number // 4 % 3]  # below it, in both warps
    inverted = now.number // 2 % 2
    result = ("R8" if now.inst.operand("rd") else "P2")
    before, text = at_barrier(now, 15, 64 * (now.number % 2), ("result", result), ("source", "!P1" if inverted else "P1"))
    lines = [f"ISETP.lt P1, R1, {most}", "MOV R8, 77", "ISETP.eq P2, R1, 7", *before, f"SSY {J}", text, "SYNC", f"{J}:",
             "P2R R9, RZ, 4"]
    if now.guard_class == "mixed":
        return lines, "DIVERGENT"
    count = 2 * (32 - most if inverted else most)

    def expected(warp, lane):
        if now.guard_class == "false":
            return 77, 4 * (lane == 7)
        if result == "R8":
            return count, 4 * (lane == 7)
        return 77, 4 * (count == 64 if now.inst.mnemonic.endswith("AND") else count > 0)
    return lines, expected


@scenario("BRX", "JMX")
def indirect(now):
    """Four targets of four words each, by lane % 4; with .U one for all."""
    T, J, uniform = now.label("t"), now.label("j"), bool(now.mods.get("U"))
    register = ["MOV R5, 32"] if uniform else ["LOP.and R5, R1, 3", "SHL R5, R5, 5"]
    operands = ("R5", T)
    lines = register + [f"SSY {J}", now.text(*operands), "MOV R8, 9", HERE, "SYNC", f"{T}:"]
    for k in range(4):
        lines += [f"MOV R8, {k + 1}", HERE, "SYNC", "NOP"]
    lines += [f"{J}:", "VOTE.any R10, PT, PT", "ISETP.ne P1, R10, -1", "@P1 MOV R8, 99"]
    if uniform and now.splits():
        return lines, "DIVERGENT"

    def expected(warp, lane):
        if now.pops:
            return (0, 0) if now.holds(lane) else (9, ALL & ~now.mask)
        if not now.takes(lane):
            return 9, ALL & ~now.taken
        return (2, now.taken) if uniform else (lane % 4 + 1, now.taken & 0x11111111 << lane % 4)
    return lines, expected

"""Writes what each instruction reads and writes and where control goes, for the static checker (asm/checker).

Everything comes from the records: operand lists tell registers and predicates, Wide how many of them, Flow, Reads,
Writes and Distinct (Formats.td) what operands do not tell.
"""

FLOWS = ["next", "branch", "indirect", "call", "SSY", "PBK", "PCNT", "PRET", "BRK", "CONT", "RET", "EXIT", "barrier"]
STATES = {"CC": 1, "P": 2}


def flow_name(flow):
    return flow.capitalize()


def mask(inst, states):
    unknown = [s for s in states if s not in STATES]
    if unknown:
        raise SystemExit(f"{inst}: the checker knows no state {unknown[0]}; it knows {', '.join(STATES)}")
    return sum(STATES[s] for s in states)


def registers(isa, operand):
    """(offset in the MCInst, class) of the parts of an operand that are registers."""
    record = isa.records[operand.kind]
    if "RegClass" in record:  # a RegisterOperand
        return [(0, record["RegClass"]["def"])]
    if operand.kind in ("GPR", "PR"):
        return [(0, operand.kind)]
    parts = record.get("MIOperandInfo", {}).get("args", [])
    return [(i, part[0]["def"]) for i, part in enumerate(parts) if part[0]["def"] in ("GPR", "PR")]


def words(isa, inst, operand):
    """How many registers the operand fills: (number, or -1; MCInst index that tells; digit for each of its values)."""
    count = inst.wide.get(operand.name, 1)
    if isinstance(count, int) or (isinstance(count, str) and count.isdigit()):
        return int(count), -1, ""
    told = inst.operand(count) if isinstance(count, str) else count
    group = isa.groups[told.kind]
    return 0, told.index, "".join(str(r) for r in group.registers)


def roles(isa, inst):
    outs = set(inst.outs)
    for operand in inst.operands:
        if operand.is_mod:
            continue
        for offset, kind in registers(isa, operand):
            verb = "Write" if operand.name in outs else "Read"
            if kind == "PR":
                role = "Guard" if operand.name == "guard" else verb + "Predicate"
                yield f"{{Role::{role}, {operand.index + offset}, 1, -1, \"\"}}"
                continue
            count, told, digits = words(isa, inst, operand)
            if "wide" in operand.parts:  # an address: its mark tells
                count, told, digits = 0, operand.index + operand.parts.index("wide"), "12"
            yield f"{{Role::{verb}Register, {operand.index + offset}, {count}, {told}, \"{digits}\"}}"


def conditions(isa, inst):
    for operand in inst.mods:
        group = isa.groups[operand.kind]
        reads, writes = mask(group.name, group.reads), mask(group.name, group.writes)
        if reads or writes:
            yield f"{{{operand.index}, {group.implicit}, {reads}, {writes}}}"
    for operand in inst.operands:
        reads = [] if operand.is_mod else isa.records[operand.kind].get("Reads", [])
        if reads:
            yield f"{{{operand.index}, 0, {mask(operand.kind, reads)}, 0}}"


def index_of(inst, name):
    operand = inst.operand(name)
    return operand.index if operand else -1


def index_of_any(inst, *names):
    return next((i for i in (index_of(inst, n) for n in names) if i >= 0), -1)


def threshold(inst):
    """The immediate that a test compares with, or -1."""
    predicates = [o for o in inst.operands if o.is_out and o.kind in ("PR", "OptPredDest")]
    operand = inst.operand("rb")
    return operand.index if predicates and operand and operand.kind.startswith("Imm") else -1


def check_flow(inst):
    if inst.flow not in FLOWS:
        raise SystemExit(f"{inst.name}: Flow is {inst.flow}; it must be one of {', '.join(FLOWS)}")
    if inst.operand("target") and inst.flow == "next":
        raise SystemExit(f"{inst.name}: it has a $target, so its record must say where control goes (Formats.td: Flow)")


def write_effects(isa, out):
    flows = ", ".join(flow_name(f) for f in FLOWS)
    out.append(f"#ifdef GET_LENO_FLOW\nenum class Flow : uint8_t {{ {flows}, Opaque }};\n#endif // GET_LENO_FLOW\n")
    out.append("#ifdef GET_LENO_EFFECTS")
    for inst in isa.instructions:
        check_flow(inst)
        row = list(roles(isa, inst))
        out.append(f"static constexpr RoleInfo rolesOf_{inst.name}[] = {{{', '.join(row)}}};" if row else
                   f"static constexpr llvm::ArrayRef<RoleInfo> rolesOf_{inst.name};")
        row = list(conditions(isa, inst))
        out.append(f"static constexpr StateInfo statesOf_{inst.name}[] = {{{', '.join(row)}}};" if row else
                   f"static constexpr llvm::ArrayRef<StateInfo> statesOf_{inst.name};")
    out.append("static const EffectInfo *effectInfo(unsigned opcode) {\n  switch (opcode) {")
    for inst in isa.instructions:
        relative = "target" in {o.name for o in inst.operands} and \
            isa.records[inst.operand("target").kind]["OperandType"] == "OPERAND_PCREL"
        pure = bool(inst.outs) and not inst.touches_more and inst.klass not in ("control", "barrier", "memory")
        sync = int(inst.bits[4] == 1)
        lane_source = index_of(inst, "sr")
        cells = [f"Flow::{flow_name(inst.flow)}", str(pure).lower(), str(inst.distinct).lower(), str(sync).lower(),
                 str(relative).lower(), index_of(inst, "S"), index_of(inst, "U"), index_of_any(inst, "target", "address"),
                 index_of(inst, "join"), index_of(inst, "HI"), lane_source, threshold(inst),
                 mask(inst.name, inst.reads), mask(inst.name, inst.writes),
                 f"rolesOf_{inst.name}", f"statesOf_{inst.name}"]
        out.append(f"  case LENO::{inst.name}: {{ static constexpr EffectInfo info = "
                   f"{{{', '.join(str(c) for c in cells)}}}; return &info; }}")
    out.append("  default: return nullptr;\n  }\n}")
    lanes = " || ".join(f"value == {value}" for value, name, _ in isa.special if isa.records[name]["ByLane"])
    out.append(f"static bool differsByLane(unsigned value) {{ return {lanes}; }}")
    out.append("#endif // GET_LENO_EFFECTS")

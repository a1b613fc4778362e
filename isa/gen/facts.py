"""Writes the facts of instructions (isa/Facts.h): where control goes, what is read and written, what can trap or wait.

Everything comes from the records: operand lists tell registers and predicates, Wide how many of them, Traps what may be
raised; Formats.td says the rest. A record that lacks what its kind must say ends the generator.
"""

FLOWS = ["next", "branch", "indirect", "call", "SSY", "PBK", "PCNT", "PRET", "BRK", "CONT", "RET", "EXIT", "barrier"]
SPACES = ["global", "shared", "constant", "local", "generic"]
LOCKS = ["take", "give"]
UNITS = {"int": "int", "move": "int", "predicate": "int", "video": "int", "float": "float", "double": "double",
         "special": "special", "memory": "memory", "control": "none", "barrier": "none"}  # by Class (Formats.td)
TRAPS = ["ILLEGAL_INSTRUCTION", "ILLEGAL_OPERAND", "MISALIGNED_REGISTER", "MISALIGNED_PC", "PC_OUT_OF_RANGE",
         "STACK_OVERFLOW", "STACK_ERROR", "RET_EMPTY_STACK", "MISALIGNED_ADDRESS", "ADDRESS_OUT_OF_RANGE",
         "INVALID_CONSTANT_ADDRESS", "DIVERGENT", "LOCK_HELD_AT_EXIT", "BARRIER_DEADLOCK", "TIMEOUT", "BREAKPOINT"]
# State beside the operands, as bits of the predicate register (Move.td).
STATES = {"P": 0x7f, "ZF": 0x100, "SF": 0x200, "CF": 0x400, "OF": 0x800, "CC": 0xf00}
SPECIAL = "specialRegisterPlace"  # in place of a modifier


def fail(inst, message):
    raise SystemExit(f"{inst.name} ({inst.file}:{inst.line}): {message}")


def one_of(inst, what, value, values):
    if value not in values:
        fail(inst, f"{what} is '{value}'; it must be one of {', '.join(values)}")
    return value


def enumerators(names):
    return ", ".join(camel(name) for name in names)


def camel(name):
    return "".join(word.capitalize() for word in name.split("_"))


def write_names(isa, out):
    out.append("/// Where control goes (Formats.td: Flow). Opaque: the word is no instruction.")
    out.append(f"enum class Flow : uint8_t {{ {enumerators(FLOWS)}, Opaque }};")
    out.append("/// The spaces of memory. Generic: each lane's address tells.")
    out.append(f"enum class MemorySpace : uint8_t {{ {enumerators(SPACES)} }};")
    out.append("/// What an access does with the lock flags of its words.")
    out.append(f"enum class Lock : uint8_t {{ None, {enumerators(LOCKS)} }};")
    out.append("/// What of an SM executes it [S1].")
    out.append(f"enum class Unit : uint8_t {{ {enumerators(dict.fromkeys(UNITS.values()))} }};")
    out.append(f"enum class TrapKind : uint8_t {{ {enumerators(TRAPS)} }};")
    for what, names in (("space", SPACES), ("trap", TRAPS)):
        quoted = ", ".join(f'"{name}"' for name in names)
        out.append(f"inline constexpr const char *{what}Names[] = {{{quoted}}};")


def state_mask(where, names):
    for name in names:
        if name.split(":")[0] not in STATES:
            raise SystemExit(f"{where}: there is no state '{name}'; there are {', '.join(STATES)}")
    return sum(STATES[name] for name in names)


#===--- What does not depend on registers: a row for each encoding, or for each semantic ---===#


def own_traps(inst):
    kinds = [one_of(inst, "the kind of a trap", trap.split(":")[0], TRAPS) for trap in inst.traps]
    return sum(1 << TRAPS.index(kind) for kind in set(kinds))


def trap_mask(isa, inst):
    """What an instruction may raise, its other forms and spellings too; what joining raises stands apart."""
    mask = 0
    for other in isa.semantics()[inst.semantic]:
        mask |= 0 if other.bits[4] == 1 else own_traps(other)
    return mask


def size_of(isa, inst):
    """(bytes, or 0; the modifier operand that tells; bytes by its value)"""
    told = [o for o in inst.mods if isa.groups[o.kind].bytes]
    if len(told) == 1 and not inst.bytes:
        group = isa.groups[told[0].kind]
        if len(group.bytes) != len(group.spellings) or len(group.bytes) > 8:
            raise SystemExit(f"Modifiers.td: the Bytes of {group.name} do not match its spellings")
        return 0, told[0], group.bytes
    if not inst.bytes or told:
        fail(inst, "it accesses memory, so Bytes or one modifier whose group has Bytes must tell of how many bytes")
    return inst.bytes, None, []


def check(inst):
    one_of(inst, "Flow", inst.flow, FLOWS)
    if inst.operand("target") and inst.flow == "next":
        fail(inst, "it has a $target, so its record must say where control goes (Formats.td: Flow)")
    if inst.flow in ("branch", "call", "SSY", "PBK", "PCNT", "PRET") and index_of(inst, "target", "address") < 0:
        fail(inst, f"its Flow is {inst.flow}, but it has neither $target nor $address")
    addressed = any(inst.operand(name) for name in ("addr", "caddr"))
    if addressed or inst.loads or inst.stores:
        one_of(inst, "Space", inst.space, SPACES)
    elif inst.space:
        fail(inst, "it has a Space, but neither an address nor mayLoad or mayStore")
    if inst.lock:
        one_of(inst, "Lock", inst.lock, LOCKS)
    if inst.flow == "barrier" and inst.waits is None:
        fail(inst, "it is a barrier, so Waits must say whether the warp waits at it")
    seen = inst.space in ("global", "generic") or (inst.klass == "memory" and not inst.space)
    if seen and inst.order is None:
        fail(inst, "other CTAs may see what it does, so Order must say whether it tells in what order they run")
    if inst.order and inst.space and not seen:
        fail(inst, f"no other CTA reaches its {inst.space} memory, so it has no Order to tell")


def orders(isa, inst, place):
    """Rows (place, values, text): with one of these values there, it tells what the text says."""
    for text in inst.order or []:
        condition, colon, says = text.rpartition(": ")
        if not colon:
            yield "-1, 0", says
            continue
        name, values = condition.split("=")
        operand = inst.operand(name)
        if not operand or not operand.is_mod:
            fail(inst, f"Order names a modifier operand that it has not: {text}")
        spellings = isa.groups[operand.kind].spellings
        for value in values.split(","):
            if value not in spellings:
                fail(inst, f"Order names '{value}', no value of ${name}")
        mask = sum(1 << spellings.index(value) for value in values.split(","))
        yield f"{place(operand)}, {mask:#x}", says
    sr = inst.operand("sr")
    by_text = {}
    for value, name, _ in isa.special if sr else []:
        if says := isa.records[name]["Order"]:
            by_text[says] = by_text.get(says, 0) | 1 << value
    for says, mask in by_text.items():
        yield f"{place(sr)}, {mask:#x}", says


def fact_row(isa, inst, place):
    check(inst)
    rows = [f'{{{row}, "{says}"}}' for row, says in orders(isa, inst, place)]
    if len(rows) > 4:
        fail(inst, "more than four rows of Order: isa/Facts.h has room for four")
    memory = "{}"
    size = "-1, {}"
    if inst.loads or inst.stores:
        count, told, by_value = size_of(isa, inst)
        lock = camel(inst.lock) if inst.lock else "None"
        flags = [inst.loads, inst.stores, inst.loads and inst.stores]
        memory = f"{{MemorySpace::{camel(inst.space)}, {count}, {', '.join(str(f).lower() for f in flags)}, Lock::{lock}}}"
        if told:
            size = f"{place(told)}, {{{', '.join(str(value) for value in by_value)}}}"
    touches = str(inst.loads or inst.stores).lower()
    return (f"{{Flow::{camel(inst.flow)}, {str(bool(inst.waits)).lower()}, {trap_mask(isa, inst):#x}, {touches}, {memory}, "
            f"{size}, {{{', '.join(rows)}}}}}")


#===--- What each encoding reads and writes ---===#


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
    """How many registers the operand fills: (number, or 0; MCInst index that tells; a digit for each of its values)."""
    count = inst.wide.get(operand.name, 1)
    if isinstance(count, int):
        return f"{count}, -1, \"\""
    group = isa.groups[count.kind]
    if len(group.registers) != len(group.spellings):
        raise SystemExit(f"Modifiers.td: {group.name} sizes an operand, but its Registers do not match its spellings")
    return f"0, {count.index}, \"{''.join(str(r) for r in group.registers)}\""


def roles(isa, inst):
    for operand in inst.operands:
        if operand.is_mod:
            continue
        if operand.name in inst.wide and operand.kind.startswith("Const"):
            yield f"{{Role::Constant, {operand.index + 1}, {words(isa, inst, operand)}}}"
        for offset, kind in registers(isa, operand):
            verb = "Write" if operand.is_out else "Read"
            if kind == "PR":
                role = "Guard" if operand.name == "guard" else verb + "Predicate"
                yield f"{{Role::{role}, {operand.index + offset}, 1, -1, \"\"}}"
                continue
            count = words(isa, inst, operand)
            if "wide" in operand.parts:  # an address: its mark tells
                count = f"0, {operand.index + operand.parts.index('wide')}, \"12\""
            yield f"{{Role::{verb}Register, {operand.index + offset}, {count}}}"


def states(isa, inst):
    """State read and written: always, or when a modifier has not its implicit value; all of it, or what a mask picks."""
    for at, implicit, reads, writes, picked, mask_at in all_states(isa, inst):
        yield f"{{{at}, {implicit}, {reads:#x}, {writes:#x}, {str(picked).lower()}, {mask_at}}}"


def state_rows(isa, inst):
    """(place of the modifier or -1, its implicit value, state read, state written): at most, where a mask picks."""
    return (row[:4] for row in all_states(isa, inst))


def all_states(isa, inst):
    for verb, names in (("reads", inst.reads), ("writes", inst.writes)):
        for picked in sorted({name.partition(":")[2] for name in names}):
            mask = state_mask(inst.name, [n.split(":")[0] for n in names if n.partition(":")[2] == picked])
            operand = inst.operand(picked)
            if picked and not operand:
                fail(inst, f"its state is picked by ${picked}, an operand that it has not")
            at = operand.index if operand and operand.kind.startswith("Imm") else -1
            both = (mask, 0) if verb == "reads" else (0, mask)
            yield -1, 0, *both, bool(picked), at
    for operand in inst.operands:
        source = isa.groups[operand.kind] if operand.is_mod else None
        implicit = source.implicit if source else 0
        reads = source.reads if source else isa.records.get(operand.kind, {}).get("Reads", [])
        reads = state_mask(operand.kind, reads)
        writes = state_mask(operand.kind, source.writes if source else [])
        if reads or writes:
            yield operand.index, implicit, reads, writes, False, -1


def unit_of(inst):
    return camel(UNITS[one_of(inst, "Class", inst.klass, UNITS)])


def index_of(inst, *names):
    return next((o.index for o in map(inst.operand, names) if o), -1)


def threshold(inst):
    """The immediate that a test compares with, or -1."""
    predicates = [o for o in inst.operands if o.is_out and o.kind in ("PR", "OptPredDest")]
    operand = inst.operand("rb")
    return operand.index if predicates and operand and operand.kind.startswith("Imm") else -1


def array(kind, name, rows):
    rows = list(rows)
    return (f"static constexpr {kind} {name}[] = {{{', '.join(rows)}}};" if rows else
            f"static constexpr llvm::ArrayRef<{kind}> {name};")


def write_encodings(isa, out):
    for inst in isa.instructions:
        out.append(array("RoleInfo", f"rolesOf_{inst.name}", roles(isa, inst)))
        out.append(array("StateInfo", f"statesOf_{inst.name}", states(isa, inst)))
    out.append("static const EncodingFacts *encodingFacts(unsigned opcode) {\n  switch (opcode) {")
    for inst in isa.instructions:
        target = inst.operand("target")
        relative = bool(target) and isa.records[target.kind]["OperandType"] == "OPERAND_PCREL"
        pure = bool(inst.outs) and not inst.touches_more and inst.klass not in ("control", "barrier", "memory")
        flags = [pure, inst.distinct, inst.bits[4] == 1, relative]
        cells = [fact_row(isa, inst, lambda operand: operand.index), *(str(flag).lower() for flag in flags),
                 index_of(inst, "S"), index_of(inst, "U"), index_of(inst, "target", "address"), index_of(inst, "join"),
                 index_of(inst, "HI"), index_of(inst, "sr"), threshold(inst),
                 f"rolesOf_{inst.name}", f"statesOf_{inst.name}"]
        out.append(f"  case LENO::{inst.name}: {{ static constexpr EncodingFacts facts = "
                   f"{{{', '.join(str(c) for c in cells)}}}; return &facts; }}")
    out.append("  default: return nullptr;\n  }\n}")
    lanes = " || ".join(f"value == {value}" for value, name, _ in isa.special if isa.records[name]["ByLane"])
    out.append(f"static bool differsByLane(unsigned value) {{ return {lanes}; }}")


def write_semantics(isa, out):
    out.append(f"static constexpr int8_t {SPECIAL} = 127;")
    out.append("static constexpr FactRow factRows[] = {")
    for semantic, encodings in isa.semantics().items():
        place = lambda operand: (SPECIAL if operand.name == "sr" else
                                 f"int8_t(offsetof(isa::{semantic}Mods, {operand.name}))")
        encodings = [inst for inst in encodings if not inst.asm_only]
        rows = sorted({fact_row(isa, inst, place) for inst in encodings})
        if len(rows) > 1:
            fail(encodings[0], f"the encodings of semantic {semantic} have different facts: {' and '.join(rows)}")
        out.append(f"  {rows[0]}, // {semantic}")
    out.append("};")


def write_facts(isa, out):
    out.append("#ifdef GET_LENO_ENCODING_FACTS")
    write_encodings(isa, out)
    out.append("#endif // GET_LENO_ENCODING_FACTS\n\n#ifdef GET_LENO_SEMANTIC_FACTS")
    write_semantics(isa, out)
    out.append("#endif // GET_LENO_SEMANTIC_FACTS")
    joins = next(inst for inst in isa.instructions if inst.mnemonic == "SYNC")
    out.append("\n/// What lanes that join may raise besides.")
    out.append(f"static constexpr uint32_t joinTraps = {own_traps(joins):#x};")

"""Cases of instructions that access memory.

A case owns a region of 1024 bytes for each CTA, in global memory. The lanes' addresses lie in it, or in shared or local
memory where a copy of the region is made before the statement and copied back behind it: so all spaces are compared
the same way. Local memory is 32 bytes a lane, of which word k is word 32 * k + lane of the region.
"""
from cases import Case, QUADS
from operands import CONSTANTS_AT, CONSTANT_WORDS, Operand, Shape

REGION, LOCAL = 1024, 32
BASE = QUADS["ra"]           # the address operand's register, or pair
LOW, HIGH = 14, 15           # scratch
POINTER, OWN = 246, 244      # pairs: the CTA's regions, and the same plus 4 * lane
ADDRESS_BITS = {"GlobalAddress": 24, "SharedAddress": 24, "LocalAddress": 24, "GlobalAddress16": 16,
                "SharedAddress16": 16, "GlobalAddress12": 12, "SharedAddress12": 12}


def is_memory(inst):
    return any(o.kind in ADDRESS_BITS or o.kind == "ConstAddress" for o in inst.text_operands())


def offset_text(offset):
    return f"+{offset}" if offset > 0 else str(offset) if offset else ""


def address_shapes(kind):
    """[R4+offset], [R4.64+offset], and where addresses are small [offset]."""
    if kind == "ConstAddress":
        def constant(slot):
            offset = slot.rng.choice((0, CONSTANTS_AT, slot.rng.randrange(CONSTANTS_AT)))
            return Operand(f"c[0][R{BASE}{offset_text(offset)}]", more={"offset": offset, "wide": False})
        def plain(slot):
            offset = CONSTANTS_AT + 16 * slot.rng.randrange(CONSTANT_WORDS // 4)
            return Operand(f"c[0][{offset}]", more={"offset": offset, "absolute": offset})
        return [Shape("c[R]", constant), Shape("c[imm]", plain)]
    bits = ADDRESS_BITS[kind]

    def based(suffix):
        def make(slot):
            limit = 1 << (bits - 1)
            # Below the first global address no 32-bit register can stand: it is zero-extended before the offset counts.
            most = limit if suffix or not kind.startswith("Global") else min(limit, 0x8000)
            offset = slot.rng.choice((0, 4, -4, most - 1, -limit, slot.rng.randrange(-limit, most)))
            return Operand(f"[R{BASE}{suffix}{offset_text(offset)}]", more={"offset": offset, "wide": bool(suffix)})
        return make

    def absolute(slot):
        offset = 16 * slot.rng.randrange(LOCAL // 16 if kind == "LocalAddress" else REGION // 16)
        return Operand(f"[{offset:#x}]", more={"offset": offset, "absolute": offset})
    shapes = [Shape("[R+o]", based(""))]
    return shapes + ([Shape("[R.64+o]", based(".64"))] if kind.startswith("Global") else [Shape("[imm]", absolute)])


class MemoryCase(Case):
    """Adds the lanes' addresses and the region to a case."""

    def __init__(self, isa, inst, row, hints, rng):
        super().__init__(isa, inst, row, hints, rng)
        if inst.mnemonic in ("LDLK", "LDSLK") and self.operands["pu"].predicate == 7:
            # Nobody could tell then which lanes to unlock for; PT as a destination is swept elsewhere.
            self.operands["pu"] = Operand("P5", predicate=5)
            self.text = self.statement()
        if inst.mnemonic == "STSUL" and "absolute" in self.operands["addr"].more:  # one lane alone could hold that lock
            self.operands["addr"] = Operand(f"[R{BASE}]", more={"offset": 0, "wide": False})
            self.text = self.statement()
        self.address = next(o for o in self.operands.values() if "offset" in o.more)
        kind = next(o.kind for o in inst.text_operands() if o.kind in ADDRESS_BITS or o.kind == "ConstAddress")
        self.space = {"C": "constant", "S": "shared", "L": "local"}.get(kind[0], "global")
        if inst.mnemonic in ("LD", "ST"):
            wide = self.address.more.get("wide")
            self.space = rng.choice(("global", "shared", "local", "mixed")) if wide else "global"
        self.bytes = self.size_of_access()

    def size_of_access(self):
        kind = getattr(self.m, "size", None) or getattr(self.m, "type", None) or "32"
        if ".u64" in self.inst.mnemonic.lower():
            return 8
        return {"8": 1, "16": 2, "32": 4, "64": 8, "128": 16}[kind.lstrip("usf")]

    def draw(self, lanes, rng):
        """For each lane its address relative to the region, and its space."""
        size, absolute = self.bytes, self.address.more.get("absolute")
        crowd = rng.choice((2, 5, 1 << 20))  # few addresses, so that lanes meet, or many
        result = []
        for lane in range(lanes):
            space = rng.choice(("global", "shared", "local")) if self.space == "mixed" else self.space
            limit = {"local": LOCAL, "constant": 4 * CONSTANT_WORDS}.get(space, REGION)
            at = size * (rng.randrange(limit // size) % crowd)
            if absolute is not None:
                at = absolute - (CONSTANTS_AT if space == "constant" else 0)
            if self.inst.mnemonic in ("STUL", "STSUL"):  # locks are taken first: each lane has its own
                at = size * (lane % 32)
            result.append((at, space))
        return result

    def base_value(self, at, space, region_at):
        """What the address register's low word needs, as the row holds it: without the pointer of global memory."""
        start = {"global": region_at, "constant": CONSTANTS_AT}.get(space, 0)
        return start + at - self.address.more["offset"]

    def before(self, row, region_at):
        """Lines that place the region and the address; predicates are free yet."""
        out = []
        shared, local = self.space in ("shared", "mixed"), self.space in ("local", "mixed")
        for k in range(8) if shared or local else ():
            out.append(f"LDG R{LOW}, [R{OWN}.64+{region_at + 128 * k}]")
            out += [f"STS [R249+{128 * k}], R{LOW}"] if shared else []
            out += [f"STL [{4 * k}], R{LOW}"] if local else []
        if "absolute" in self.address.more:
            return out
        out.append(f"LDG R{LOW}, [R250.64+{row * 128}]")
        generic = self.inst.mnemonic in ("LD", "ST") and self.space != "global"
        if self.space == "global":
            out += [f"SHR R{HIGH}, R{LOW}, 31", f"IADD.CC R{BASE}, R{POINTER}, R{LOW}",
                    f"IADD.X R{BASE + 1}, R{POINTER + 1}, R{HIGH}"]
        elif generic:
            # Row + 1 tells the space: 0 global, 1 shared, 2 local.
            out += [f"LDG R{BASE + 2}, [R250.64+{(row + 1) * 128}]", f"SHR R{HIGH}, R{LOW}, 31",
                    f"ISETP.eq P0, R{BASE + 2}, 1", f"ISETP.eq P1, R{BASE + 2}, 2",
                    f"IADD.CC R{BASE}, R{POINTER}, R{LOW}", f"IADD.X R{BASE + 1}, R{POINTER + 1}, R{HIGH}",
                    f"@P0 MOV R{BASE}, R{LOW}", f"@P1 MOV R{BASE}, R{LOW}",
                    f"@P0 S2R R{BASE + 1}, SR_SHARED_BASE", f"@P1 S2R R{BASE + 1}, SR_LOCAL_BASE",
                    f"@P0 SHR.u32 R{BASE + 1}, R{BASE + 1}, 16", f"@P1 SHR.u32 R{BASE + 1}, R{BASE + 1}, 16",
                    f"@P0 IADD R{BASE + 1}, R{BASE + 1}, R{HIGH}", f"@P1 IADD R{BASE + 1}, R{BASE + 1}, R{HIGH}"]
        else:
            out.append(f"MOV R{BASE}, R{LOW}")
        return out

    def locks(self):
        """STUL's lanes hold their locks; what they are lent is of no interest. LDLK's address is needed again behind it, and
        its destination may be the address's register."""
        if self.inst.mnemonic in ("LDLK", "LDSLK"):
            return [f"MOV R{BASE + 2}, R{BASE}", f"MOV R{BASE + 3}, R{BASE + 1}"]
        lock = {"STUL": "LDLK", "STSUL": "LDSLK"}.get(self.inst.mnemonic)
        size = ".64" if self.bytes == 8 else ""
        return [f"{lock}{size} P0, R10, {self.address.text}"] if lock else []

    def after(self, region_at):
        """Locks back, then the copies of the region."""
        out = []
        mnemonic, size = self.inst.mnemonic, ".64" if self.bytes == 8 else ""
        if mnemonic in ("LDLK", "LDSLK"):
            unlock = {"LDLK": "STUL", "LDSLK": "STSUL"}[mnemonic]
            load = {"LDLK": "LDG", "LDSLK": "LDS"}[mnemonic]
            address = self.address.text.replace(f"R{BASE}", f"R{BASE + 2}")
            # The lanes that executed (by the guard as it was, R12) and got the lock (by the predicate as it is, R13).
            out += ["R2P R12, 0x7f", "MOV R10, RZ",
                    f"{self.guard_text}LOP.and R10, R13, {1 << self.operands['pu'].predicate}", "ISETP.ne P0, R10, RZ",
                    f"@P0 {load}{size} R10, {address}", f"@P0 {unlock}{size} {address}, R10"]
        if mnemonic in ("STUL", "STSUL") and self.guard_text:
            opposite = self.guard_text.replace("@!", "@") if "!" in self.guard_text else self.guard_text.replace("@", "@!")
            load = {"STUL": "LDG", "STSUL": "LDS"}[mnemonic]
            out.append(f"{opposite}{load}{size} R10, {self.address.text}")
            out.append(f"{opposite}{mnemonic}{size} {self.address.text}, R10")
        shared, local = self.space == "shared", self.space == "local"
        if self.space == "mixed":  # each in its own place: global bytes stay, the others go to the regions behind
            for k in range(8):
                out += [f"LDS R{LOW}, [R249+{128 * k}]", f"STG [R{OWN}.64+{region_at + REGION + 128 * k}], R{LOW}",
                        f"LDL R{LOW}, [{4 * k}]", f"STG [R{OWN}.64+{region_at + 2 * REGION + 128 * k}], R{LOW}"]
        for k in range(8) if shared or local else ():
            out.append(f"LDS R{LOW}, [R249+{128 * k}]" if shared else f"LDL R{LOW}, [{4 * k}]")
            out.append(f"STG [R{OWN}.64+{region_at + 128 * k}], R{LOW}")
        return out

    def regions(self):
        return 3 if self.space == "mixed" else 1


class Memories:
    """The three memories of one CTA before a case, all with the region's bytes, and what they are afterwards."""

    def __init__(self, region, pool):
        self.globals, self.shared = bytearray(region), bytearray(region)
        self.local = [bytearray(b"".join(region[128 * k + 4 * lane:][:4] for k in range(8))) for lane in range(32)]
        self.constant = bytearray(b"".join(w.to_bytes(4, "little") for w in pool))

    def of(self, space, lane):
        return self.local[lane] if space == "local" else {"global": self.globals, "shared": self.shared,
                                                          "constant": self.constant}[space]

    def local_region(self):
        return b"".join(self.local[lane][4 * k:4 * k + 4] for k in range(8) for lane in range(32))

    def after(self, space):
        if space == "mixed":
            return bytes(self.globals) + bytes(self.shared) + self.local_region()
        return {"shared": bytes(self.shared), "local": self.local_region()}.get(space, bytes(self.globals))


def attach(view, memory, at):
    view.memory, view.at = memory, at
    view.load = lambda size: int.from_bytes(memory[at:at + size], "little")

    def store(value, size):
        memory[at:at + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    view.store = store


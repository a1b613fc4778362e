//===- Memory.td - Loads, stores, atomics, locks ---------------------------===//

class Access<Opcode opcode, string mnemonic, string space, dag outs, dag inputs, string args, string mods = "">
    : Guarded<opcode, 0, mnemonic, mnemonic, outs, !con((ins ModMemSize:$size), inputs), "$size" # mods, args> {
  bits<8> rd;
  bits<33> addr; // {wide, offset (24), base (8)}
  bits<3> size;
  let Inst{12-5} = rd;
  let Inst{20-13} = addr{7-0};
  let Inst{44-21} = addr{31-8};
  let Inst{51-49} = size;
  let Inst{52} = addr{32};
  let Wide = ["rd=size"];
  let Class = "memory";
  let Space = space;
  let Order = [];
}
class Load<Opcode opcode, string mnemonic, Operand address, string space>
    : Access<opcode, mnemonic, space, (outs GPR:$rd), (ins address:$addr), "$rd, $addr"> {
  let mayLoad = 1;
}
class CachedLoad<Opcode opcode, string mnemonic, string space>
    : Access<opcode, mnemonic, space, (outs GPR:$rd), (ins ModLoadCache:$cache, GlobalAddress:$addr), "$rd, $addr", "$cache"> {
  bits<2> cache;
  let Inst{54-53} = cache;
  let mayLoad = 1;
}
class Store<Opcode opcode, string mnemonic, Operand address, string space>
    : Access<opcode, mnemonic, space, (outs), (ins address:$addr, GPR:$rd), "$addr, $rd"> {
  let mayStore = 1;
}

// What the pages of several instructions say alike.
defvar sayAddress64 = [{
The address of a lane is its `Ra` (32 bits, zero-extended), or with `[Ra.64+offset]` its pair `Ra+1:Ra`, plus the sign-extended
offset, modulo 2^64.}];
defvar sayAddress32 = [{
The address of a lane is (`Ra` + the sign-extended offset) modulo 2^32.}];
defvar sayCaches = [{

A cache operator says which caches are asked, and never what is read: `.ca` (implied) all, `.cg` those behind the crossbar
alone, `.cv` the same, and a line of the SM's own L1 that has the datum is dropped. Shared memory knows none of them.}];
defvar saySizes = [{
`.32` (when nothing is said) moves a register, `.64` an aligned pair, `.128` an aligned quad; byte k of the datum is at address + k,
the least significant of the lowest register first.}];
defvar sayLoadSizes = saySizes # [{ `.u8` and `.u16` load a byte or half and extend it with zeros,
`.s8` and `.s16` with its sign. A load into `RZ` is judged like any other and its datum dropped.}];
defvar sayStoreSizes = saySizes # [{ `.u8`, `.s8` store the low byte of the register, `.u16`, `.s16` its
low half.}];
defvar sayLaneOrder = [{
All executing lanes are judged first: an access that traps writes nothing, in no lane. Then the lanes go in order, lowest first:
where several store to one byte, the highest executing lane's value stays.}];
defvar sayMisaligned = "MISALIGNED_ADDRESS: a lane's address is not a multiple of the access's size";
defvar sayOutsideGlobal = "ADDRESS_OUT_OF_RANGE: a lane's bytes are not all inside one allocation of global memory";
defvar sayOutsideShared = "ADDRESS_OUT_OF_RANGE: a lane's bytes are not all inside the CTA's shared memory";
defvar sayOutsideLocal = "ADDRESS_OUT_OF_RANGE: a lane's bytes are not all inside its local memory";

def LDG : CachedLoad<OP_LDG, "LDG", "global"> {
  let Summary = "load from global memory";
  let Meaning = !strconcat(sayAddress64, "\n", sayLoadSizes, [{

    d = memory[address]}], sayCaches);
  let Traps = [sayMisaligned, sayOutsideGlobal];
  let Example = [{
LDG R1, [R4.64+16];      # R1 = the word at R5:R4 + 16
LDG.cg R1, [R4.64];      # a word that is read once: no line of the L1 goes for it
LDG.s8 R1, [R4];         # a byte, sign-extended
LDG.128 R8, [R4.64];     # R8 to R11}];
}
def STG : Store<OP_STG, "STG", GlobalAddress, "global"> {
  let Summary = "store to global memory";
  let Meaning = !strconcat(sayAddress64, "\n", sayStoreSizes, "\n", sayLaneOrder, [{

    memory[address] = d}]);
  let Traps = [sayMisaligned, sayOutsideGlobal];
  let Example = [{
STG [R4.64+16], R1;      # the word at R5:R4 + 16 = R1
@P0 STG.u8 [R4], R1;     # the low byte of R1}];
}
def LDS : Load<OP_LDS, "LDS", SharedAddress, "shared"> {
  let Inst{52} = 0; // 32-bit addresses only
  let Summary = "load from the CTA's shared memory";
  let Meaning = !strconcat(sayAddress32, " Addresses start at 0; the kernel's `.shared` lines tell how many bytes there are.\n",
                           sayLoadSizes, [{

    d = shared[address]}]);
  let Traps = [sayMisaligned, sayOutsideShared];
  let Example = [{
LDS R1, [R2+64];         # R1 = the word at R2 + 64 of shared memory
LDS.64 R2, [0x10];       # R2 and R3}];
}
def STS : Store<OP_STS, "STS", SharedAddress, "shared"> {
  let Inst{52} = 0; // 32-bit addresses only
  let Summary = "store to the CTA's shared memory";
  let Meaning = !strconcat(sayAddress32, " Addresses start at 0; the kernel's `.shared` lines tell how many bytes there are.\n",
                           sayStoreSizes, "\n", sayLaneOrder, [{

    shared[address] = d}]);
  let Traps = [sayMisaligned, sayOutsideShared];
  let Example = [{
STS [R2], R1;            # the word at R2 of shared memory = R1
STS.u16 [R2+2], RZ;      # a half = 0}];
}
def LDL : Load<OP_LDL, "LDL", LocalAddress, "local"> {
  let Inst{52} = 0; // 32-bit addresses only
  let Summary = "load from the lane's local memory";
  let Meaning = !strconcat(sayAddress32, [{
Each lane has a local memory of its own, which no other lane can reach; addresses start at 0, the kernel's `.local` line tells how
many bytes there are, and all are zero when the CTA starts. How lanes share the memory behind is not visible to a program: it is
interleaved by words, so a warp whose lanes access one local address touches 128 consecutive bytes.
}], sayLoadSizes, [{

    d = local[address]}]);
  let Traps = [sayMisaligned, sayOutsideLocal];
  let Example = [{
LDL R16, [R1+8];         # restore R16 from the frame at R1}];
}
def STL : Store<OP_STL, "STL", LocalAddress, "local"> {
  let Inst{52} = 0; // 32-bit addresses only
  let Summary = "store to the lane's local memory";
  let Meaning = !strconcat(sayAddress32, " Each lane has a local memory of its own (see LDL).\n",
                           sayStoreSizes, [{
 All executing lanes are judged first: an access that traps writes nothing, in no lane.

    local[address] = d}]);
  let Traps = [sayMisaligned, sayOutsideLocal];
  let Example = [{
IADD R1, R1, -16;        # a frame of 16 bytes
STL [R1+8], R16;         # save R16 in it}];
}

defvar sayWindows = [{
The address tells the space, for each lane on its own [S1]:

    SR_SHARED_BASE * 2^16 <= address < SR_SHARED_BASE * 2^16 + 2^32:  shared memory, at the low word of the address
    SR_LOCAL_BASE  * 2^16 <= address < SR_LOCAL_BASE  * 2^16 + 2^32:  the lane's local memory, at the low word
    anything else:                                                    global memory, at the address

Both windows are aligned to 2^32 bytes, so a shared or local address becomes a generic one by a high word of SR_SHARED_BASE >> 16 or
SR_LOCAL_BASE >> 16.}];
def LD : CachedLoad<OP_LD, "LD", "generic"> {
  let Summary = "load from a generic address: global, or shared and local memory through their windows [S1]";
  let Meaning = !strconcat(sayAddress64, sayWindows, "\n", sayLoadSizes, sayCaches);
  let Traps = [sayMisaligned, sayOutsideGlobal, sayOutsideShared, sayOutsideLocal];
  let Example = [{
S2R R3, SR_SHARED_BASE;
SHR.u32 R3, R3, 16;      # R3:R2 = the generic address of the shared word at R2
LD R4, [R2.64];}];
}
def ST : Store<OP_ST, "ST", GlobalAddress, "generic"> {
  let Summary = "store to a generic address: global, or shared and local memory through their windows [S1]";
  let Meaning = !strconcat(sayAddress64, sayWindows, "\n", sayStoreSizes, "\n", sayLaneOrder);
  let Traps = [sayMisaligned, sayOutsideGlobal, sayOutsideShared, sayOutsideLocal];
  let Example = [{
S2R R3, SR_LOCAL_BASE;
SHR.u32 R3, R3, 16;      # R3:R2 = the generic address of the local word at R2
ST [R2.64], R4;}];
}

def LDC : Guarded<OP_LDC, 0, "LDC", "LDC", (outs GPR:$rd), (ins ModMemSize:$size, ConstAddress:$caddr), "$size",
                  "$rd, $caddr"> {
  bits<8> rd;
  bits<28> caddr; // {bank (4), offset (16), base (8)}
  bits<3> size;
  let Inst{12-5} = rd;
  let Inst{20-13} = caddr{7-0};
  let Inst{36-21} = caddr{23-8};
  let Inst{40-37} = caddr{27-24};
  let Inst{51-49} = size;
  let Wide = ["rd=size"];
  let mayLoad = 1;
  let Space = "constant";
  let Summary = "load from a constant bank, each lane at its own offset [S2]";
  let Class = "memory";
  let Meaning = !strconcat([{
The offset of a lane in the bank is (`Ra` + the offset written, which is not negative) modulo 2^32.}], "\n", sayLoadSizes, [{

    d = c[bank][offset]}]);
  let Traps = ["MISALIGNED_ADDRESS: a lane's offset is not a multiple of the access's size",
               "INVALID_CONSTANT_ADDRESS: a lane's bytes are not all inside the bank"];
  let Example = [{
LDC R1, c[3][R2+0x10];   # R1 = the word at R2 + 16 of bank 3
LDC.u8 R1, c[0][R2];     # a byte}];
}

//===--- Atomics ----------------------------------------------------------===//
// Fields: rb in 28-21, the offset above it, the operation in 48-45. Compare-and-swap is form 3: rc takes 48-41, and
// four bits of the offset go.

defvar sayOrder = [{
All executing lanes are judged first: an instruction that traps changes nothing. Then the lanes go one after the other, lowest
first, so that several lanes with one address each see what the ones before them have left, and nobody else's access comes between
the read and the write of a lane.}];
defvar sayOperations = [{

    old = memory[address]
    .add     new = old + b           (.u32 .s32: modulo 2^32; .u64: modulo 2^64; .f32: IEEE 754 to nearest even, subnormals kept,
                                      every NaN 0x7fffffff)
    .min     new = old < b ? old : b     .max  new = old < b ? b : old      (.u32 .u64 unsigned, .s32 signed)
    .inc     new = old >= b ? 0 : old + 1                                   (unsigned)
    .dec     new = old == 0 or old > b ? b : old - 1                        (unsigned)
    .and .or .xor    new = old op b
    .exch    new = b
    memory[address] = new}];
defvar sayTypes = [{

`.u32` is meant when no type is said. `.add` has `.u32 .s32 .u64 .f32`; `.min` and `.max` have `.u32 .s32 .u64`; `.inc` and
`.dec` have `.u32`; `.and`, `.or`, `.xor` and `.exch` have `.u32` and `.u64`: other pairs are undefined encodings. `.u64` takes
aligned pairs of registers and an address that is a multiple of 8, the others registers and a multiple of 4.}];
defvar sayCas = [{

    old = memory[address]
    memory[address] = old == b ? c : old
    d = old

b is compared, c stored. `.u32` is meant when no type is said; `.u64` takes aligned pairs for d, b and c and an address that is a
multiple of 8; there are no others: signed integers and floats are compared by their bits, so that -0 is not 0, and a NaN equals
itself. b and c are registers; the offset has 12 bits, -2048 to 2047. A lane has swapped when its d equals its b; with RZ as d
nobody is told. `.CAS`, `.CAS.u32` and `.u32.CAS` are the same, and so are `.CAS.u64` and `.u64.CAS`.}];

class AtomicBase<Opcode opcode, bits<2> form, string semantic, string mnemonic, dag outs, dag inputs, string mods,
                 string args>
    : Guarded<opcode, form, semantic, mnemonic, outs, inputs, mods, args> {
  bits<33> addr; // {wide, offset (24), base (8)}
  bits<8> rb;
  bits<3> type;
  let Inst{20-13} = addr{7-0};
  let Inst{28-21} = rb;
  let Inst{51-49} = type;
  let Inst{52} = addr{32};
  let mayLoad = 1;
  let mayStore = 1;
  let Class = "memory";
  let Space = !if(!eq(!substr(semantic, 0, 5), "ATOMS"), "shared", "global");
  let Order = !if(!eq(Space, "shared"), []<string>, ["reads what other CTAs' atomics have left"]);
}
class Atomic<Opcode opcode, string mnemonic, dag outs, Operand address, DAGOperand op, string args>
    : AtomicBase<opcode, 0, mnemonic, mnemonic, outs, (ins op:$op, ModAtomType:$type, address:$addr, GPR:$rb),
                 "$op$type", args> {
  bits<4> op;
  let Inst{44-29} = addr{23-8};
  let Inst{48-45} = op;
}
class AtomicWithResult<Opcode opcode, string mnemonic, Operand address>
    : Atomic<opcode, mnemonic, (outs GPR:$rd), address, ModAtomOp, "$rd, $addr, $rb"> {
  bits<8> rd;
  let Inst{12-5} = rd;
  let Wide = ["rd=type", "rb=type"];
  let Only = ["op=min,max: type=u32,s32,u64", "op=inc,dec: type=u32", "op=and,or,xor,exch: type=u32,u64"];
}
def ATOM : AtomicWithResult<OP_ATOM, "ATOM", GlobalAddress16> {
  let Summary = "atomic operation on global memory, giving the old value";
  let Meaning = !strconcat(sayAddress64, sayOrder, sayOperations, "\n    d = old", sayTypes);
  let Traps = [sayMisaligned, sayOutsideGlobal];
  let Example = [{
ATOM.add R1, [R4.64], R2;        # R1 = the word, which grows by R2
ATOM.max.s32 RZ, [R4.64], R2;    # no result wanted: RED does the same
ATOM.exch.u64 R2, [R4.64+8], R6; # pairs}];
}
def ATOMS : AtomicWithResult<OP_ATOMS, "ATOMS", SharedAddress16> {
  let Inst{52} = 0; // 32-bit addresses only
  let Summary = "atomic operation on the CTA's shared memory, giving the old value";
  let Meaning = !strconcat(sayAddress32, sayOrder, sayOperations, "\n    d = old", sayTypes);
  let Traps = [sayMisaligned, sayOutsideShared];
  let Example = [{
ATOMS.inc R1, [R4], R2;          # R1 = a ticket from 0 to R2
ATOMS.add.f32 RZ, [R4+64], R3;   # a sum of floats}];
}
def RED : Atomic<OP_RED, "RED", (outs), GlobalAddress16, ModRedOp, "$addr, $rb"> {
  let Wide = ["rb=type"];
  let Only = ["op=min,max: type=u32,s32,u64", "op=inc,dec: type=u32", "op=and,or,xor: type=u32,u64"];
  let Order = ["op=inc,dec: has atomics whose order matters", "type=f32: has atomics whose order matters"];
  let Summary = "atomic operation on global memory without a result";
  let Meaning = !strconcat("ATOM without a destination and without `.exch`, which would be a store.\n",
                           sayAddress64, sayOrder, sayOperations, sayTypes);
  let Traps = [sayMisaligned, sayOutsideGlobal];
  let Example = [{
RED.add [R4.64], R2;             # count
RED.or.u64 [R4.64+8], R2;        # set bits of 64}];
}

class CompareAndSwap<Opcode opcode, string semantic, string mnemonic, Operand address, dag typed, string mods>
    : AtomicBase<opcode, 3, semantic, mnemonic, (outs GPR:$rd), !con(typed, (ins address:$addr, GPR:$rb, GPR:$rc)),
                 mods, "$rd, $addr, $rb, $rc"> {
  bits<8> rd;
  bits<8> rc;
  let Inst{12-5} = rd;
  let Inst{40-29} = addr{19-8};
  let Inst{48-41} = rc;
}
class Cas<Opcode opcode, string mnemonic, Operand address>
    : CompareAndSwap<opcode, mnemonic # "CAS", mnemonic # ".CAS", address, (ins ModAtomType:$type), "$type"> {
  let Wide = ["rd=type", "rb=type", "rc=type"];
  let Only = ["type=u32,u64"];
}
def ATOM_CAS : Cas<OP_ATOM, "ATOM", GlobalAddress12> {
  let Summary = "compare and swap a word of global memory, giving the old value";
  let Meaning = !strconcat(sayAddress64, sayOrder, sayCas);
  let Traps = [sayMisaligned, sayOutsideGlobal];
  let Example = [{
ATOM.CAS R1, [R4.64], R2, R3;    # where the word is R2, it becomes R3
ISETP.eq P0, R1, R2;             # P0: this lane has swapped
ATOM.CAS.u64 R8, [R4.64+16], R10, R12;
ATOM.u64.CAS R8, [R4.64+16], R10, R12; # the same}];
}
def ATOMS_CAS : Cas<OP_ATOMS, "ATOMS", SharedAddress12> {
  let Inst{52} = 0; // 32-bit addresses only
  let Summary = "compare and swap a word of the CTA's shared memory, giving the old value";
  let Meaning = !strconcat(sayAddress32, sayOrder, sayCas);
  let Traps = [sayMisaligned, sayOutsideShared];
  let Example = [{
ATOMS.CAS.u64 R8, [R4], R10, R12; # pairs}];
}
// The type may stand before CAS too.
class CasAlias<Opcode opcode, string mnemonic, Operand address, string spelling, bits<3> value>
    : CompareAndSwap<opcode, mnemonic # "CAS", mnemonic # "." # spelling # ".CAS", address, (ins), ""> {
  let type = value;
  let Wide = !if(!eq(value, 2), ["rd=2", "rb=2", "rc=2"], []<string>);
  let Bytes = !if(!eq(value, 2), 8, 4);
  let Summary = "alias of " # mnemonic # ".CAS." # spelling;
  let isAsmParserOnly = 1;
}
def ATOM_U32_CAS  : CasAlias<OP_ATOM, "ATOM", GlobalAddress12, "u32", 0>;
def ATOM_U64_CAS  : CasAlias<OP_ATOM, "ATOM", GlobalAddress12, "u64", 2>;
def ATOMS_U32_CAS : CasAlias<OP_ATOMS, "ATOMS", SharedAddress12, "u32", 0> { let Inst{52} = 0; }
def ATOMS_U64_CAS : CasAlias<OP_ATOMS, "ATOMS", SharedAddress12, "u64", 2> { let Inst{52} = 0; }

//===--- Locks [S1] -------------------------------------------------------===//

defvar sayFlags = [{
Every aligned 4-byte word of memory has a lock flag, which nothing but these instructions reads or writes: other accesses do not
heed it. An access of `.64` takes the flags of both of its words, or none. A flag is held by one lane of one warp.}];

class LoadLock<bits<2> form, string mnemonic, Operand address>
    : Guarded<OP_LOCK, form, mnemonic, mnemonic, (outs PR:$pu, GPR:$rd), (ins ModMemSize:$size, address:$addr),
              "$size", "$pu, $rd, $addr"> {
  bits<3> pu;
  bits<8> rd;
  bits<33> addr;
  bits<3> size;
  let Inst{12-5} = rd;
  let Inst{20-13} = addr{7-0};
  let Inst{44-21} = addr{31-8};
  let Inst{47-45} = pu;
  let Inst{51-49} = size;
  let Inst{52} = addr{32};
  let Wide = ["rd=size"];
  let Only = ["size=32,64"];
  let mayLoad = 1;
  let hasSideEffects = 1;
  let Class = "memory";
  let Space = !if(form, "shared", "global");
  let Lock = "take";
  let Order = !if(form, []<string>, ["locks global memory"]);
}
class StoreUnlock<bits<2> form, string mnemonic, Operand address>
    : Guarded<OP_UNLOCK, form, mnemonic, mnemonic, (outs), (ins ModMemSize:$size, address:$addr, GPR:$rd),
              "$size", "$addr, $rd"> {
  bits<8> rd;
  bits<33> addr;
  bits<3> size;
  let Inst{12-5} = rd;
  let Inst{20-13} = addr{7-0};
  let Inst{44-21} = addr{31-8};
  let Inst{51-49} = size;
  let Inst{52} = addr{32};
  let Wide = ["rd=size"];
  let Only = ["size=32,64"];
  let mayStore = 1;
  let hasSideEffects = 1;
  let Class = "memory";
  let Space = !if(form, "shared", "global");
  let Lock = "give";
  let Order = !if(form, []<string>, ["locks global memory"]);
}
class LoadLockText<string address, string memory> {
  string Meaning = !strconcat(address, sayFlags, [{
The lanes go one after the other, lowest first:

    Pu = all flags of the access are free;  if so, the lane holds them now
    d = }], memory, [{[address]                 (whether the lock was taken or not)

A flag that the lane itself holds is not free: locking again gives false. The lock does not wait; a program tries again. The lane
that has the lock must be able to go on while others try, so the critical section stands inside the loop, under the predicate, and
its lanes leave the loop after it:

            PBK done;
    again:  LDLK P0, R1, [R4.64];
            @P0 IADD R1, R1, 1;
            @P0 STUL [R4.64], R1;
            @P0 BRK;
            BRA again;
    done:

A program whose losers loop apart from the winner, which then never runs on to its STUL, waits for ever.}]);
}
class StoreUnlockText<string address, string memory> {
  string Meaning = !strconcat(address, sayFlags, [{

    }], memory, [{[address] = d;  the flags of the access are free

Every executing lane must hold all flags of its access: judged first, for all lanes, before anything is written.}]);
}
defvar notHeld = "ILLEGAL_OPERAND: a lane does not hold the lock it gives back";
def LDLK : LoadLock<0, "LDLK", GlobalAddress> {
  let Summary = "load from global memory and try to take the lock of the address; a predicate tells [S1]";
  let Meaning = LoadLockText<sayAddress64, "memory">.Meaning;
  let Traps = [sayMisaligned, sayOutsideGlobal];
  let Example = [{
LDLK P0, R1, [R4.64];    # R1 = the word; P0: this lane has its lock
@P0 STUL [R4.64], RZ;    # the word = 0, and its lock is free again}];
}
def LDSLK : LoadLock<1, "LDSLK", SharedAddress> {
  let Inst{52} = 0; // 32-bit addresses only
  let Summary = "load from shared memory and try to take the lock of the address; a predicate tells [S1]";
  let Meaning = LoadLockText<sayAddress32, "shared">.Meaning;
  let Traps = [sayMisaligned, sayOutsideShared];
  let Example = [{
LDSLK P0, R1, [R4];      # R1 = the word; P0: this lane has its lock
@P0 STSUL [R4], RZ;      # the word = 0, and its lock is free again}];
}
def STUL : StoreUnlock<0, "STUL", GlobalAddress> {
  let Summary = "store to global memory and give back the lock of the address [S1]";
  let Meaning = StoreUnlockText<sayAddress64, "memory">.Meaning;
  let Traps = [sayMisaligned, sayOutsideGlobal, notHeld];
  let Example = [{
LDLK.64 P0, R2, [R4.64]; # R3:R2 = 64 bits, and the locks of both words
@P0 STUL.64 [R4.64], R2; # both are free again}];
}
def STSUL : StoreUnlock<1, "STSUL", SharedAddress> {
  let Inst{52} = 0; // 32-bit addresses only
  let Summary = "store to shared memory and give back the lock of the address [S1]";
  let Meaning = StoreUnlockText<sayAddress32, "shared">.Meaning;
  let Traps = [sayMisaligned, sayOutsideShared, notHeld];
  let Example = [{
LDSLK P0, R1, [R4];
@P0 STSUL [R4], R1;      # only the lock is given back}];
}

//===--- Order and caches -------------------------------------------------===//

def MEMBAR : Guarded<OP_MEMBAR, 0, "MEMBAR", "MEMBAR", (outs), (ins ModMemScope:$scope), "$scope", ""> {
  bits<2> scope;
  let Inst{50-49} = scope;
  let hasSideEffects = 1;
  let Class = "memory";
  let Order = ["scope=GL,SYS: orders accesses that other CTAs see"];
  let Summary = "memory barrier: the lane's accesses before it are seen before those after it";
  let Meaning = [{
Every load, store and atomic that the lane has executed before it is performed, as far as the threads of its CTA (`.CTA`), of its
context (`.GL`) or the host as well (`.SYS`) can see, before any that it executes afterwards. It changes no data and waits for no
other thread. On this machine accesses are performed in the order in which they execute, so that no program can see a difference;
one that needs the order says so with it all the same.}];
  let Example = [{
STG [R4.64], R1;
MEMBAR.GL;               # who sees the flag sees the data
STG [R6.64], R2;}];
}
def CCTL : Guarded<OP_MEMBAR, 1, "CCTL", "CCTL", (outs), (ins ModCacheOp:$op, GlobalAddress:$addr), "$op", "$addr"> {
  bits<33> addr;
  bits<2> op;
  let Inst{20-13} = addr{7-0};
  let Inst{44-21} = addr{31-8};
  let Inst{50-49} = op;
  let Inst{52} = addr{32};
  let hasSideEffects = 1;
  let Class = "memory";
  let Space = "global";
  let Order = [];
  let Summary = "cache control of the line that holds a global address";
  let Meaning = sayAddress64 # [{
Tells the caches what to do with the line that holds each executing lane's address: `.IV` invalidate (after writing back what only
the cache has), `.WB` write back and keep, `.RS` write back and make it the first to be replaced, `.PF` prefetch. No register and
no byte of memory as any program sees it changes. The address is a hint: it is not judged, need not be aligned, and where nothing is
allocated nothing happens.}];
  let Example = [{
CCTL.PF [R4.64+128];     # the line will be wanted soon}];
}

//===- Opcodes.td - The opcode plan for the whole instruction set ---------===//
// Bits 63-57 of a word. Every family of Architecture.md 4 has its place
// here, also where its instructions come later, so that no encoding moves.
// 0 stays undefined: a word of zeros traps. Each row of 16 is one family.
//===----------------------------------------------------------------------===//

class Opcode<bits<7> value> {
  bits<7> Value = value;
}

// 0x0_: moves and predicate moves
def OP_MOV    : Opcode<0x01>;  def OP_MOV32I : Opcode<0x02>;  def OP_S2R   : Opcode<0x03>;
def OP_SEL    : Opcode<0x04>;  def OP_P2R    : Opcode<0x05>;  def OP_R2P   : Opcode<0x06>;
def OP_VOTE   : Opcode<0x07>;  def OP_SHFL   : Opcode<0x08>;  def OP_PRMT  : Opcode<0x09>;
// 0x1_: predicate and register set
def OP_ISETP  : Opcode<0x10>;  def OP_FSETP  : Opcode<0x11>;  def OP_DSETP : Opcode<0x12>;
def OP_PSETP  : Opcode<0x13>;  def OP_CSETP  : Opcode<0x14>;  def OP_VSETP : Opcode<0x15>;
def OP_ISET   : Opcode<0x18>;  def OP_FSET   : Opcode<0x19>;  def OP_DSET  : Opcode<0x1a>;
def OP_PSET   : Opcode<0x1b>;  def OP_CSET   : Opcode<0x1c>;  def OP_VSET  : Opcode<0x1d>;
// 0x2_, 0x3_: integer and bit operations
def OP_IADD   : Opcode<0x20>;  def OP_IADD32I: Opcode<0x21>;  def OP_IMUL  : Opcode<0x22>;
def OP_IMAD   : Opcode<0x23>;  def OP_IMADW  : Opcode<0x24>;  def OP_ISCADD: Opcode<0x25>;
def OP_IMNMX  : Opcode<0x26>;  def OP_LEA    : Opcode<0x27>;  def OP_LEAHI : Opcode<0x28>;
def OP_IADD3  : Opcode<0x29>;  def OP_IDP    : Opcode<0x2a>;
def OP_SHL    : Opcode<0x30>;  def OP_SHR    : Opcode<0x31>;  def OP_SHF   : Opcode<0x32>;
def OP_LOP    : Opcode<0x33>;  def OP_LOP32I : Opcode<0x34>;  def OP_LOP3  : Opcode<0x35>;
def OP_BFE    : Opcode<0x36>;  def OP_BFI    : Opcode<0x37>;  def OP_BREV  : Opcode<0x38>;
def OP_POPC   : Opcode<0x39>;  def OP_FLO    : Opcode<0x3a>;
// 0x4_: video
def OP_VADD   : Opcode<0x40>;  def OP_VSUB   : Opcode<0x41>;  def OP_VABSDIFF : Opcode<0x42>;
def OP_VMIN   : Opcode<0x43>;  def OP_VMAX   : Opcode<0x44>;  def OP_VSHL  : Opcode<0x45>;
def OP_VSHR   : Opcode<0x46>;  def OP_VMAD   : Opcode<0x47>;
// 0x48 to 0x4a: floating point with 32 bits of immediate, for which row 5 has no room
def OP_FADD32I: Opcode<0x48>;  def OP_FMUL32I: Opcode<0x49>;  def OP_FFMA32I: Opcode<0x4a>;
// 0x5_: floating point, special function, conversion
def OP_FADD   : Opcode<0x50>;  def OP_FMUL   : Opcode<0x51>;  def OP_FFMA  : Opcode<0x52>;
def OP_FMNMX  : Opcode<0x53>;  def OP_DADD   : Opcode<0x54>;  def OP_DMUL  : Opcode<0x55>;
def OP_DFMA   : Opcode<0x56>;  def OP_DMNMX  : Opcode<0x57>;  def OP_HADD2 : Opcode<0x58>;
def OP_HMUL2  : Opcode<0x59>;  def OP_HFMA2  : Opcode<0x5a>;  def OP_MUFU  : Opcode<0x5b>;
def OP_F2F    : Opcode<0x5c>;  def OP_F2I    : Opcode<0x5d>;  def OP_I2F   : Opcode<0x5e>;
def OP_I2I    : Opcode<0x5f>;
// 0x6_: memory, locks, barrier
def OP_LD     : Opcode<0x60>;  def OP_ST     : Opcode<0x61>;  def OP_LDG   : Opcode<0x62>;
def OP_STG    : Opcode<0x63>;  def OP_LDS    : Opcode<0x64>;  def OP_STS   : Opcode<0x65>;
def OP_LDL    : Opcode<0x66>;  def OP_STL    : Opcode<0x67>;  def OP_LDC   : Opcode<0x68>;
def OP_ATOM   : Opcode<0x69>;  def OP_ATOMS  : Opcode<0x6a>;  def OP_RED   : Opcode<0x6b>;
def OP_LOCK   : Opcode<0x6c>;  def OP_UNLOCK : Opcode<0x6d>;  def OP_MEMBAR: Opcode<0x6e>;
def OP_BAR    : Opcode<0x6f>;
// 0x7_: control
def OP_NOP    : Opcode<0x70>;  def OP_BRA    : Opcode<0x71>;  def OP_BRX   : Opcode<0x72>;
def OP_JMP    : Opcode<0x73>;  def OP_JMX    : Opcode<0x74>;  def OP_CAL   : Opcode<0x75>;
def OP_JCAL   : Opcode<0x76>;  def OP_RET    : Opcode<0x77>;  def OP_PBK   : Opcode<0x78>;
def OP_BRK    : Opcode<0x79>;  def OP_PCNT   : Opcode<0x7a>;  def OP_CONT  : Opcode<0x7b>;
def OP_SSY    : Opcode<0x7c>;  def OP_EXIT   : Opcode<0x7d>;  def OP_BPT   : Opcode<0x7e>;
def OP_PRET   : Opcode<0x7f>;
// Shared codes, told apart by the form bits: MEMBAR 1 = CCTL; BPT 1 = KIL;
// IMADW = IMAD.WIDE; ATOM, ATOMS 3 = compare-and-swap; LOCK 0 = LDLK,
// 1 = LDSLK; UNLOCK 0 = STUL, 1 = STSUL; BAR by its operation in 51-49.

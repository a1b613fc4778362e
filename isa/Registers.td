//===- Registers.td - Registers of a lane (Architecture.md 2, S1) ---------===//

// Of the numbers that LLVM gives: the code generator has its own (asm/codegen/LenoCode.td).
#ifdef LENO_CODE
defvar numberSpace = "CODE";
#else
defvar numberSpace = "LENO";
#endif

class LenoReg<string n, bits<16> enc> : Register<n> {
  let Namespace = numberSpace;
  let HWEncoding = enc;
}

// R0..R254 hold 32 bits per lane; RZ (255) reads 0 and swallows writes.
foreach i = 0...254 in
  def R#i : LenoReg<"R"#i, i>, DwarfRegNum<[i]>;
let isConstant = 1 in
def RZ : LenoReg<"RZ", 255>, DwarfRegNum<[255]>;

def GPR : RegisterClass<numberSpace, [i32], 32, (add (sequence "R%u", 0, 254), RZ)>;

// P0..P6 hold one bit per lane; PT (7) reads 1 and swallows writes [S1].
foreach i = 0...6 in
  def P#i : LenoReg<"P"#i, i>, DwarfRegNum<[!add(256, i)]>;
let isConstant = 1 in
def PT : LenoReg<"PT", 7>, DwarfRegNum<[263]>;

def PR : RegisterClass<numberSpace, [i1], 32, (add (sequence "P%u", 0, 6), PT)> {
  let Size = 32; // in memory: a word
}

// Special registers are read by S2R only: set at launch, read-only [S1].
class SpecialRegister<bits<8> value, string summary, bit byLane = 0, string order = ""> {
  bits<8> Value = value;
  string Summary = summary;
  bit ByLane = byLane;          // surely differs from lane to lane of a warp
  string Order = order;         // what it tells of the order in which CTAs run, or of where (Formats.td)
}
def SR_LANEID      : SpecialRegister<0,  "lane in its warp, 0..31", 1>;
def SR_WARPID      : SpecialRegister<1,  "warp in its CTA">;
def SR_NWARPID     : SpecialRegister<2,  "warps in a CTA">;
def SR_SMID        : SpecialRegister<3,  "streaming multiprocessor the CTA runs on", 0, "reads SR_SMID">;
def SR_NSMID       : SpecialRegister<4,  "streaming multiprocessors of the machine">;
def SR_GRIDID      : SpecialRegister<5,  "number of the launch">;
def SR_CTXID       : SpecialRegister<6,  "number of the context">;
def SR_CLOCKLO     : SpecialRegister<7,  "cycle counter of the SM, low word", 0, "reads the clock">;
def SR_CLOCKHI     : SpecialRegister<8,  "cycle counter of the SM, high word", 0, "reads the clock">;
def SR_TID_X       : SpecialRegister<16, "thread index in its CTA, x", 1>;
def SR_TID_Y       : SpecialRegister<17, "thread index in its CTA, y">;
def SR_TID_Z       : SpecialRegister<18, "thread index in its CTA, z">;
def SR_NTID_X      : SpecialRegister<19, "threads of a CTA along x">;
def SR_NTID_Y      : SpecialRegister<20, "threads of a CTA along y">;
def SR_NTID_Z      : SpecialRegister<21, "threads of a CTA along z">;
def SR_CTAID_X     : SpecialRegister<22, "CTA index in its grid, x">;
def SR_CTAID_Y     : SpecialRegister<23, "CTA index in its grid, y">;
def SR_CTAID_Z     : SpecialRegister<24, "CTA index in its grid, z">;
def SR_NCTAID_X    : SpecialRegister<25, "CTAs of the grid along x">;
def SR_NCTAID_Y    : SpecialRegister<26, "CTAs of the grid along y">;
def SR_NCTAID_Z    : SpecialRegister<27, "CTAs of the grid along z">;
def SR_LANEMASK_EQ : SpecialRegister<32, "mask with this lane's bit", 1>;
def SR_LANEMASK_LT : SpecialRegister<33, "mask of the lanes below this one", 1>;
def SR_LANEMASK_LE : SpecialRegister<34, "mask of the lanes up to this one", 1>;
def SR_LANEMASK_GT : SpecialRegister<35, "mask of the lanes above this one", 1>;
def SR_LANEMASK_GE : SpecialRegister<36, "mask of the lanes from this one on", 1>;
def SR_SHARED_BASE : SpecialRegister<40, "generic address of the shared window, in units of 2^16 bytes">;
def SR_SHARED_SIZE : SpecialRegister<41, "bytes of shared memory of the CTA">;
def SR_LOCAL_BASE  : SpecialRegister<42, "generic address of the local window, in units of 2^16 bytes">;
def SR_LOCAL_SIZE  : SpecialRegister<43, "bytes of local memory of a lane">;

//===- ForeignNames.cpp - What other assemblers call our instructions -----===//
#include "asm/ForeignNames.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace leno {

namespace {
struct Row {
  StringLiteral names; ///< in lower case, with blanks between
  StringLiteral advice;
};
} // namespace

static StringRef adviceIn(ArrayRef<Row> rows, StringRef name) {
  for (const Row &row : rows) {
    SmallVector<StringRef, 16> names;
    row.names.split(names, ' ');
    for (StringRef known : names)
      if (known == name)
        return row.advice;
  }
  return {};
}

StringRef adviceForName(StringRef text) {
  static constexpr Row rows[] = {
      // Memory.
      {"ld.global ldg.e ldr ld.e", "a load from global memory is LDG R1, [R2.64]"},
      {"st.global stg.e str store st.e", "a store to global memory is STG [R2.64], R1"},
      {"ld.shared", "a load from shared memory is LDS R1, [R2]"},
      {"st.shared", "a store to shared memory is STS [R2], R1"},
      {"ld.local", "a load from local memory is LDL R1, [R2]"},
      {"st.local", "a store to local memory is STL [R2], R1"},
      {"ld.param", "a parameter is a constant: MOV R1, c[0][NAME]"},
      {"ld.const uldc",
       "a constant is a source of most instructions, as in MOV R1, c[3][8]; LDC R1, c[3][R2] indexes"},
      {"load", "loads are LDG (global), LDS (shared), LDL (local) and LDC (constant): LDG R1, [R2.64]"},
      {"atom.global atom.shared atomg",
       "atomics are ATOM.add R1, [R2.64], R3 on global and ATOMS on shared memory"},
      {"red.global red.shared", "RED.add [R2.64], R1 changes global memory without giving the old value"},
      {"cvta cvta.to",
       "a global address is a generic one already; SR_SHARED_BASE and SR_LOCAL_BASE begin the others"},
      {"push pop stmdb ldmia stmfd ldmfd",
       "there is no stack pointer: STL and LDL reach the local memory of .local BYTES"},
      {"prefetch", "a cache line is fetched by CCTL.PF [R2.64]"},
      // Moves.
      {"mov.u16 mov.u32 mov.s32 mov.b32 mov.f32 movl movw movd movss movi li la ldi",
       "a move is MOV R1, R2, of 32 bits of any type; MOV32I R1, 1.5 takes a whole immediate"},
      {"mov.u64 mov.b64 mov.s64 mov.f64 movq movsd movabs",
       "64 bits are a pair of registers: two MOVs, of R2 and of R3"},
      {"umov r2ur s2ur", "there are no uniform registers: MOV R1, R2, and S2R R1, SR_CTAID.X"},
      {"cs2r", "special registers are read by S2R R1, SR_CLOCKLO"},
      {"selp selp.b32 selp.u32 selp.s32 selp.f32 fsel usel select cmov csel",
       "a choice is SEL R1, R2, R3, P0"},
      {"fcsel cmovne cmove cmovl cmovg", "a choice is SEL R1, R2, R3, P0, after ISETP or FSETP"},
      {"xchg swap", "two registers are exchanged by way of a third, with MOV"},
      {"mrs rdtsc", "special registers are read by S2R R1, SR_CLOCKLO"},
      {"vote.ballot vote.sync ballot", "a ballot is VOTE.any R1, PT, P0"},
      {"shfl.sync", "SHFL.idx R1, R2, R3, 0x1f; it has no mask of lanes"},
      {"activemask", "the active lanes are VOTE.any R1, PT, PT"},
      // Integers.
      {"add add.s32 add.u32 add.s64 add.u64 uiadd3 adds vaddq addl addq addi inc",
       "an integer addition is IADD R1, R2, R3; of 64 bits two, IADD.CC and IADD.X"},
      {"sub sub.s32 sub.u32 subs subl subq subi dec rsb",
       "a subtraction is ISUB R1, R2, R3, or IADD R1, R2, -R3"},
      {"mul.wide", "a product of 64 bits is IMAD.WIDE R2, R1, R3, RZ"},
      {"getelementptr gep", "the address of an element is IMAD.WIDE.u32 R2, R1, 4, R4"},
      {"mul mul.lo mul.hi mull muls imull", "an integer product is IMUL R1, R2, R3; .HI gives its high word"},
      {"mad mad.lo mad.hi mad.wide mla xmad smlal umlal",
       "a product and a sum are IMAD R1, R2, R3, R4; IMAD.WIDE gives 64 bits"},
      {"dp4a vdot dot4 sdot udot idp",
       "a dot product of bytes is IDP.4A R1, R2, R3, R4; .u32 for unsigned ones"},
      {"dp2a", "a dot product of halves and bytes is IDP.2A R1, R2, R3, R4; .HI takes the upper bytes"},
      {"imad.mov", "a move is MOV R1, R2"},
      {"imad.iadd", "an addition is IADD R1, R2, R3"},
      {"imad.shl", "a shift is SHL R1, R2, 4"},
      {"div div.s32 div.u32 div.rn rem rem.s32 rem.u32 idiv sdiv udiv urem srem mod fdiv",
       "there is no division: multiply by MUFU.RCP's reciprocal, or shift"},
      {"neg neg.s32 negs", "a negation is INEG R1, R2; most sources take a sign, as -R2"},
      {"abs abs.s32", "an absolute value is IABS R1, R2; of floats |R2|"},
      {"min min.s32 min.u32 smin umin", "a minimum is IMIN R1, R2, R3, of floats FMIN"},
      {"max max.s32 max.u32 smax umax", "a maximum is IMAX R1, R2, R3, of floats FMAX"},
      {"shl.b32 lsl sal shll ushf usshl sll slli", "a left shift is SHL R1, R2, 4"},
      {"shr.u32 lsr srl srli shrl", "a logical right shift is SHR.u32 R1, R2, 4"},
      {"shr.s32 asr sar sra srai ashr", "an arithmetic right shift is SHR R1, R2, 4"},
      {"ror rol shf.l.wrap shf.r.wrap ror.w", "a rotation is SHF.R.W R1, R2, 4, R2"},
      {"and.b32 andl ands test and.pred",
       "a bitwise and is AND R1, R2, R3, of predicates PSETP.and P0, P1, P2"},
      {"or.b32 orr orl or.pred", "a bitwise or is OR R1, R2, R3, of predicates PSETP.or P0, P1, P2"},
      {"xor.b32 eor xorl xor.pred", "an exclusive or is XOR R1, R2, R3, of predicates PSETP.xor P0, P1, P2"},
      {"not.b32 mvn notl not.pred", "an inversion is NOT R1, R2; sources of LOP take ~R2"},
      {"lop3.lut lop3.b32", "LOP3 R1, R2, R3, R4, TABLE, with the table last"},
      {"plop3", "predicates are combined by PSETP.and.or P0, P1, P2, P3, P4"},
      {"clz bfind lzcnt bsr", "the highest bit is found by FLO.u32 R1, R2"},
      {"popc.b32 popcnt cnt", "POPC R1, R2 counts the bits"},
      {"brev.b32 rbit", "BREV R1, R2 turns the bits round"},
      {"bfe.u32 bfe.s32 ubfx sbfx", "BFE R1, R2, R3 takes position and length from R3"},
      {"prmt.b32", "PRMT R1, R2, R3, R4 takes bytes by the selector R3"},
      // Floats.
      {"add.f32 fadd.rn fadds addss vadd.f32", "a float addition is FADD R1, R2, R3"},
      {"sub.f32 fsub subss vsub.f32", "a float subtraction is FADD R1, R2, -R3"},
      {"mul.f32 fmuls mulss vmul.f32", "a float product is FMUL R1, R2, R3"},
      {"fma fma.rn mad.f32 fmadd vfmadd fmla fmad fmac", "a fused product and sum are FFMA R1, R2, R3, R4"},
      {"add.f64 fma.f64 mul.f64 sub.f64 dsub addsd mulsd",
       "doubles are of DADD, DMUL and DFMA, in pairs of registers"},
      {"hadd hmul hfma add.f16 add.f16x2 mul.f16 fma.rn.f16",
       "two halves are computed at once, by HADD2, HMUL2 and HFMA2"},
      {"rcp rcp.approx rcp.rn rcpss frcp", "a reciprocal is MUFU.RCP R1, R2"},
      {"sqrt sqrt.approx sqrt.rn fsqrt sqrtss", "a square root is MUFU.SQRT R1, R2"},
      {"rsqrt rsqrt.approx frsqrt", "a reciprocal square root is MUFU.RSQ R1, R2"},
      {"sin sin.approx fsin", "a sine of radians is MUFU.SIN R1, R2"},
      {"cos cos.approx fcos", "a cosine of radians is MUFU.COS R1, R2"},
      {"ex2 ex2.approx exp exp2", "2 to the power of x is MUFU.EX2 R1, R2"},
      {"lg2 lg2.approx log log2", "the logarithm of base 2 is MUFU.LG2 R1, R2"},
      {"neg.f32 fneg", "a float is negated where it is a source: -R2"},
      {"abs.f32 fabs", "a float's absolute value is taken where it is a source: |R2|"},
      {"cvt cvt.rn cvt.rzi cvt.u32 cvt.s32 cvt.f32 cvt.u64 cvt.s64 sitofp uitofp fptosi fptoui fpext fptrunc "
       "zext sext trunc cvtsi2ss cvttss2si",
       "conversions are I2F, F2I, F2F and I2I, with both formats: I2F.f32.s32 R1, R2"},
      // Comparisons and control.
      {"setp setp.lt setp.le setp.gt setp.ge setp.eq setp.ne set cmp cmpl cmpq icmp tst cmn teq",
       "a comparison gives a predicate: ISETP.lt P0, R1, R2, with .u32 for unsigned, FSETP for floats"},
      {"fcmp ucomiss comiss vcmp", "a comparison of floats gives a predicate: FSETP.lt P0, R1, R2"},
      {"je jne jz jnz jl jle jg jge ja jb jae jbe js jns beq bne blt ble bgt bge bhi blo bcc bcs bz bnz cbz "
       "cbnz brz",
       "a branch takes a guard in front: ISETP.lt P0, R1, R2, then @P0 BRA label"},
      {"b br goto bra.uni jr j bx", "a branch is BRA label; where all lanes take it, BRA.U label"},
      {"call call.uni bl blr jal invoke",
       "a call is CAL label, with PRET before it and RET at the function's end"},
      {"ret.uni return", "RET ends a function, EXIT a kernel"},
      {"bssy bssy.reconvergent", "SSY label says where lanes meet; SYNC there, or .S, joins them"},
      {"bsync warpsync reconverge", "lanes join with SYNC, or .S on an instruction, after SSY label"},
      {"bar bar.warp barrier barrier.sync barrier.cta __syncthreads",
       "a barrier of the CTA is BAR.SYNC 0; .ARV does not wait, .RED.POPC, .RED.AND and .RED.OR combine a "
       "predicate"},
      {"membar.gl fence membar.cta threadfence __threadfence dmb mfence",
       "memory is ordered by MEMBAR.CTA, MEMBAR.GL or MEMBAR.SYS"},
      {"depbar yield nanosleep errbar warpsync.all cctl.ivall",
       "results are waited for by the machine itself: leave it out"},
      {"trap hlt abort ud2 brkpt bkpt", "BPT 1 stops with a trap"},
      {"if for while do switch",
       "control is BRA with a guard, or .include \"leno/structured.inc\" with IF P0, LOOP and UNTIL P0"},
      {"define declare int unsigned float double void global __global__ __shared__ uint32_t int32_t struct "
       "const static extern typedef func function",
       "this is no C: .kernel NAME, .param TYPE NAME and .reg NAME, R1 declare"},
      {"section global_start segment bits org db dw dd dq resb resd equ proc endp end",
       "directives have a dot: .word 1, 2 puts words, .set NAME, 5 names a number"}};
  // The longest dotted beginning that has a row.
  std::string lower = text.lower();
  for (StringRef name = lower;; name = name.rsplit('.').first)
    if (StringRef advice = adviceIn(rows, name); !advice.empty() || !name.contains('.'))
      return advice;
}

StringRef adviceForDirective(StringRef name) {
  static constexpr Row rows[] = {
      {".entry .visible .func .weak_kernel .amdgpu_hsa_kernel .amdhsa_kernel",
       "a kernel is .kernel NAME, then .param lines and instructions, then .endkernel"},
      {".version .target .address_size .headerflags .elftype .cubin_target .arch .cpu .syntax .thumb "
       ".intel_syntax .att_syntax",
       "leave it out: there is one machine"},
      {".maxntid .minnctapersm .reqntid .maxnreg .maxrregs",
       "a launch gives the block, and .registers N registers"},
      {".b8 .u8 .s8", "bytes are .byte 1, 2"},
      {".b32 .u32 .s32 .dword .dd", "words of 32 bits are .word 1, 2"},
      {".b64 .u64 .s64 .dq", "words of 64 bits are .quad 1, 2"},
      {".f32", "floats are .float 1.5, 2.5"},
      {".f64", "doubles are .double 1.5, 2.5"},
      {".f16", "halves are .half 1.5, 2.5"},
      {".proc .endp .ent", "a function begins with its label and ends with RET"},
      {".stack .lmem", "local memory is .local BYTES"},
      {".smem .lds", "shared memory is .shared NAME, BYTES"},
      {".define .equate .constant", "a number's name is .set NAME, 5"},
      {".sreg .vreg .regs", "a register's name is .reg NAME, R4; how many there are is .registers N"},
      {".endfunc .endproc", "a function ends with RET; .endkernel ends a kernel"},
      {".endmac", "a macro ends with .endm"},
      {".loop .endloop .while .endw", ".include \"leno/structured.inc\" brings LOOP, ENDLOOP and UNTIL P0"}};
  return adviceIn(rows, name);
}

StringRef adviceForModifier(StringRef modifier) {
  static constexpr Row rows[] = {
      {"e", "an address of 64 bits is a pair in brackets, [R2.64]"},
      {"lut", "the table is the last operand"},
      {"reuse yield", "leave it out: the machine has no such hint"},
      {"sync", "leave it out: the active lanes take part"},
      {"aligned uni", ".U says that all active lanes agree, where a branch takes it"},
      {"b32 b16 b8 b64", "bits have no type here: leave it out"},
      {"ftz", "only float operations flush subnormals"},
      {"approx", "leave it out: MUFU's accuracy is in its manual"},
      {"cs lu nc", "cache operators are .ca, .cg and .cv, of LDG and LD"},
      {"global", "global memory is LDG's, STG's and ATOM's"},
      {"shared", "shared memory is LDS's, STS's and ATOMS's"},
      {"local", "local memory is LDL's and STL's"},
      {"param const", "constants are sources: MOV R1, c[0][NAME]"},
      {"wide", "64 bits of a product are IMAD.WIDE R2, R1, R3, R4"},
      {"lo", "the low word needs no modifier"},
      {"v2", "two words are .64, in an aligned pair"},
      {"v4", "four words are .128, in an aligned quad"}};
  std::string lower = modifier.lower();
  return adviceIn(rows, lower);
}

} // namespace leno

//===- Directives.td - The assembler's directives -------------------------===//
// Parse: what reads one that is ours, a function of LenoAsmParser; `loc` is where it stands. The others are LLVM's,
// of which those are here that assembly text for Leno has a use for. Made from these records: the parser's tables,
// the manual's list, the editors' grammars.
//===----------------------------------------------------------------------===//

class Directive<string name, string parse = "", string syntax = "", string does = ""> {
  string Name = name;
  string Parse = parse;
  string Syntax = syntax; // its row in the manual, if it has one of its own
  string Does = does;
  bit PutsData = 0;       // bytes, where the assembler is
  bit Common = 0;         // of LLVM's: one of those that people write most, by which a mistyped one is meant
}

// Kernels, names, sections.
def DIR_kernel : Directive<".kernel", "parseKernel(loc)",
    "`.kernel NAME` ... `.endkernel`",
    "encloses a kernel: code that a launch may name">;
def DIR_endkernel : Directive<".endkernel", "parseEndKernel(loc)">;
def DIR_param : Directive<".param", "parseParam(loc)",
    "`.param TYPE NAME`",
    "a parameter of the kernel: `u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 ptr`. `ptr.f32` also says what is pointed to (`u8` to `i64`, `f16 f32 f64`, `bool`, `c64 c128`), and tools that fill buffers hold them against it. They lie in c[0] from 0x40 on, in their order and naturally aligned; the name is the offset in any expression of the kernel, `c[0][NAME]` the value. Below them lie the words NTID.X, .Y, .Z, NCTAID.X, .Y, .Z, GRIDID and the bytes of shared memory, at 0, 4, ... 28, and from 32 on eight words that the host gives, 0 where it does not">;
def DIR_argument : Directive<".argument", "parseArgument(loc)",
    "`.argument NAME, \"TYPE\", \"QUALIFIERS\", SPACE, BYTES, OFFSET, ...`",
    "an argument of the kernel as its source has it: its SPACE is `private` for a value, else what it points to, `global`, `constant` or `local`; the `.param`s that follow, one for each OFFSET, are the numbers that lie there in its BYTES. Compilers write it for who launches kernels by their source">;
def DIR_block : Directive<".block", "parseBlock(loc)",
    "`.block X, Y, Z`",
    "the threads of a CTA that the kernel is made for; OpenCL's launches must have them">;
def DIR_hints : Directive<".hints", "parseHints(loc)",
    "`.hints \"TEXT\"`",
    "what the kernel's source advises of its launches, as OpenCL C's attributes have it (`work_group_size_hint(64,1,1)`), and whether its work-groups may be of several sizes (`non_uniform_work_groups`); only OpenCL's driver looks at it">;
def DIR_shared : Directive<".shared", "parseShared(loc)",
    "`.shared NAME, BYTES{, ALIGNMENT}`",
    "a variable in shared memory, aligned to 16 bytes unless told; the name is its address: `[NAME]`, `[R4+NAME]`">;
def DIR_local : Directive<".local", "parseLocal(loc)",
    "`.local BYTES`",
    "the local memory that each lane of the kernel and all it calls needs, a multiple of 16">;
def DIR_reg : Directive<".reg", "parseRegisterName(false)",
    "`.reg NAME, R4`, `.reg NAME[0:3], R8`",
    "a name for a register, or for several: `NAME[2]` is R10; it holds to `.endkernel`, outside kernels to the end of the file">;
def DIR_pred : Directive<".pred", "parseRegisterName(true)",
    "`.pred NAME, P1`",
    "likewise for predicates">;
def DIR_registers : Directive<".registers", "parseRegisters(loc)",
    "`.registers N`",
    "more registers than the instructions of the kernel name, for functions it reaches indirectly">;
def DIR_const : Directive<".const", "parseConst()",
    "`.const N`",
    "what follows are data in constant bank N, 1 to 15; a label there is its offset in the bank: `c[N][LABEL]`">;
def DIR_global : Directive<".global", "parseGlobal()",
    "`.global`",
    "what follows are data in global memory; `lo(LABEL)` and `hi(LABEL)` in MOV32I are the words of their address">;
def DIR_text : Directive<".text", "", "`.text`", "what follows is code again"> {
  let Common = 1;
}

// Data.
let PutsData = 1 in {
def DIR_byte : Directive<".byte", "", "`.byte .half .word .quad .float .double .ascii .zero .balign` and others",
    "data of 1, 2, 4, 8 bytes, floats (`.half 1.5` too), text, space"> {
  let Common = 1;
}
def DIR_word : Directive<".word", "parseData(4)">;
def DIR_half : Directive<".half", "parseData(2)">;
def DIR_float : Directive<".float", "parseFloatData(APFloat::IEEEsingle())">;
def DIR_single : Directive<".single", "parseFloatData(APFloat::IEEEsingle())">;
def DIR_double : Directive<".double", "parseFloatData(APFloat::IEEEdouble())">;
def DIR_dc_s : Directive<".dc.s", "parseFloatData(APFloat::IEEEsingle())">;
def DIR_dc_d : Directive<".dc.d", "parseFloatData(APFloat::IEEEdouble())">;
def DIR_incbin : Directive<".incbin", "opensBytes()">;
def DIR_zero : Directive<".zero", "parseSpace(loc)">;
def DIR_space : Directive<".space", "parseSpace(loc)">;
def DIR_skip : Directive<".skip", "parseSpace(loc)">;
def DIR_fill : Directive<".fill", "parseFill(loc)">;
foreach name = ["ascii", "asciz", "quad"] in
  def DIR_#name : Directive<"."#name> { let Common = 1; }
foreach name = [
    "2byte", "4byte", "8byte", "int", "long", "octa", "org", "short", "sleb128", "string", "uleb128", "value"] in
  def DIR_#name : Directive<"."#name>;
}

// What the assembler itself is told.
def DIR_set : Directive<".set", "checkAssigned()">;
def DIR_equ : Directive<".equ", "checkAssigned()">;
def DIR_equiv : Directive<".equiv", "checkAssigned()">;
def DIR_include : Directive<".include", "checkInclude(loc)">;
def DIR_rept : Directive<".rept", "checkRepetitions()">;
def DIR_rep : Directive<".rep", "checkRepetitions()">;
let Common = 1 in
foreach name = [
    "align", "balign", "bss", "data", "else", "endif", "endm", "endr", "globl", "if", "ifdef", "irp", "macro",
    "section", "weak"] in
  def DIR_#name : Directive<"."#name>;
foreach name = [
    "altmacro", "elseif", "end", "endmacro", "err", "error", "exitm", "extern", "file", "hidden", "ident", "ifb",
    "ifc", "ifeq", "ifeqs", "ifge", "ifgt", "ifle", "iflt", "ifnb", "ifnc", "ifndef", "ifne", "ifnes", "ifnotdef",
    "irpc", "loc", "noaltmacro", "p2align", "popsection", "previous", "print", "purgem", "pushsection", "size",
    "subsection", "type", "warning"] in
  def DIR_#name : Directive<"."#name>;

" Vim syntax file: Leno assembly. Made from isa/*.td by isa/gen/grammar.py: do not edit.
if exists("b:current_syntax")
  finish
endif
syntax case ignore

syntax match lenoLabel ~[[:alpha:]_.$][[:alnum:]_.$]*\ze\s*:~
syntax match lenoNumber ~\%([[:alnum:]_$.]\)\@<!\%(0x\x\+\|0b[01]\+\|\d\+\.\d*\%(e[-+]\?\d\+\)\?\|\d\+e[-+]\?\d\+\|\d\+[bf]\?\)\%([[:alnum:]_$]\)\@!~
syntax match lenoType ~\%([[:alnum:]_$.]\)\@<!\%(u8\|i8\|u16\|i16\|u32\|i32\|u64\|i64\|f32\|f64\|ptr\|ptr\.u8\|ptr\.i8\|ptr\.u16\|ptr\.i16\|ptr\.u32\|ptr\.i32\|ptr\.u64\|ptr\.i64\|ptr\.f16\|ptr\.f32\|ptr\.f64\|ptr\.bool\|ptr\.c64\|ptr\.c128\)\%([[:alnum:]_$.]\)\@!~
syntax match lenoRegister ~\%([[:alnum:]_$.]\)\@<!R\%(25[0-4]\|2[0-4][0-9]\|1[0-9][0-9]\|[1-9]\=[0-9]\|Z\)\%([[:alnum:]_$]\)\@!~ nextgroup=lenoModifier
syntax match lenoPredicate ~\%([[:alnum:]_$.]\)\@<!P[0-6T]\%([[:alnum:]_$.]\)\@!~
syntax match lenoFlags ~\%([[:alnum:]_$.]\)\@<!CC\%([[:alnum:]_$]\)\@!~ nextgroup=lenoModifier
syntax match lenoBank ~\%([[:alnum:]_$.]\)\@<!c\ze\[~
syntax match lenoSpecial ~\%([[:alnum:]_$.]\)\@<!\%(SR_LANEMASK_EQ\|SR_LANEMASK_GE\|SR_LANEMASK_GT\|SR_LANEMASK_LE\|SR_LANEMASK_LT\|SR_SHARED_BASE\|SR_SHARED_SIZE\|SR_LOCAL_BASE\|SR_LOCAL_SIZE\|SR_NCTAID\.X\|SR_NCTAID\.Y\|SR_NCTAID\.Z\|SR_CLOCKHI\|SR_CLOCKLO\|SR_CTAID\.X\|SR_CTAID\.Y\|SR_CTAID\.Z\|SR_NWARPID\|SR_GRIDID\|SR_LANEID\|SR_NTID\.X\|SR_NTID\.Y\|SR_NTID\.Z\|SR_WARPID\|SR_CTXID\|SR_NSMID\|SR_TID\.X\|SR_TID\.Y\|SR_TID\.Z\|SR_SMID\)\%([[:alnum:]_$.]\)\@!~
syntax match lenoGuard ~@\s*!\=P[0-6T]\%([[:alnum:]_$.]\)\@!~
syntax match lenoDirective ~\%([[:alnum:]_$.]\)\@<!\%(\.endkernel\|\.registers\|\.argument\|\.include\|\.double\|\.global\|\.incbin\|\.kernel\|\.shared\|\.single\|\.block\|\.const\|\.equiv\|\.float\|\.hints\|\.local\|\.param\|\.space\|\.dc\.d\|\.dc\.s\|\.fill\|\.half\|\.pred\|\.rept\|\.skip\|\.word\|\.zero\|\.equ\|\.reg\|\.rep\|\.set\)\%([[:alnum:]_$.]\)\@!~
syntax match lenoLlvmDirective ~\%([[:alnum:]_$.]\)\@<!\%(\.pushsection\|\.noaltmacro\|\.popsection\|\.subsection\|\.altmacro\|\.endmacro\|\.ifnotdef\|\.previous\|\.p2align\|\.section\|\.sleb128\|\.uleb128\|\.warning\|\.balign\|\.elseif\|\.extern\|\.hidden\|\.ifndef\|\.purgem\|\.string\|\.2byte\|\.4byte\|\.8byte\|\.align\|\.ascii\|\.asciz\|\.endif\|\.error\|\.exitm\|\.globl\|\.ident\|\.ifdef\|\.ifeqs\|\.ifnes\|\.macro\|\.print\|\.short\|\.value\|\.byte\|\.data\|\.else\|\.endm\|\.endr\|\.file\|\.ifeq\|\.ifge\|\.ifgt\|\.ifle\|\.iflt\|\.ifnb\|\.ifnc\|\.ifne\|\.irpc\|\.long\|\.octa\|\.quad\|\.size\|\.text\|\.type\|\.weak\|\.bss\|\.end\|\.err\|\.ifb\|\.ifc\|\.int\|\.irp\|\.loc\|\.org\|\.if\)\%([[:alnum:]_$.]\)\@!~
syntax match lenoMnemonic ~\%([[:alnum:]_$.]\)\@<!\%(ATOMS\.U32\.CAS\|ATOMS\.U64\.CAS\|ATOM\.U32\.CAS\|ATOM\.U64\.CAS\|BAR\.RED\.POPC\|BAR\.RED\.AND\|BAR\.RED\.OR\|ATOMS\.CAS\|IMAD\.WIDE\|ATOM\.CAS\|BAR\.SYNC\|VABSDIFF\|BAR\.ARV\|BRA\.SSY\|CAL\.SSY\|FADD32I\|FFMA32I\|FMUL32I\|IADD32I\|PBK\.SSY\|IDP\.2A\|IDP\.4A\|ISCADD\|LEA\.HI\|LOP32I\|MEMBAR\|MOV32I\|ATOMS\|CSETP\|DMNMX\|DSETP\|FMNMX\|FSETP\|HADD2\|HFMA2\|HMUL2\|IADD3\|IMNMX\|ISETP\|LDSLK\|NOP\.S\|PSETP\|STSUL\|VSETP\|ATOM\|BREV\|CCTL\|CONT\|CSET\|DADD\|DFMA\|DMAX\|DMIN\|DMUL\|DSET\|EXIT\|FADD\|FFMA\|FMAX\|FMIN\|FMUL\|FSET\|IABS\|IADD\|IMAD\|IMAX\|IMIN\|IMUL\|INEG\|ISET\|ISUB\|JCAL\|LDLK\|LOP3\|MUFU\|PCNT\|POPC\|PRET\|PRMT\|PSET\|SHFL\|STUL\|SYNC\|VADD\|VMAD\|VMAX\|VMIN\|VOTE\|VSET\|VSHL\|VSHR\|VSUB\|AND\|BFE\|BFI\|BPT\|BRA\|BRK\|BRX\|CAL\|F2F\|F2I\|FLO\|I2F\|I2I\|JMP\|JMX\|KIL\|LDC\|LDG\|LDL\|LDS\|LEA\|LOP\|MOV\|NOP\|NOT\|P2R\|PBK\|R2P\|RED\|RET\|S2R\|SEL\|SHF\|SHL\|SHR\|SSY\|STG\|STL\|STS\|XOR\|LD\|OR\|ST\)\%([[:alnum:]_$]\)\@!~ nextgroup=lenoModifier
syntax match lenoModifier ~\.\%(RCP64H\|RSQ64H\|FLOOR\|ROUND\|TRUNC\|shr15\|CEIL\|RC16\|SQRT\|bfly\|down\|exch\|full\|pass\|shr0\|shr7\|su32\|us32\|128\|B4E\|COS\|CTA\|ECL\|ECR\|EX2\|F4E\|FTZ\|IDX\|LG2\|NaN\|RC8\|RCP\|RSQ\|SAT\|SIN\|SYS\|UB0\|UB1\|UB2\|UB3\|UH0\|UH1\|add\|all\|and\|any\|dec\|equ\|f16\|f32\|f64\|geu\|gtu\|idx\|inc\|leu\|ltu\|max\|min\|nan\|neu\|nof\|nsf\|num\|s16\|s32\|s64\|u16\|u32\|u64\|xor\|32\|64\|B0\|B1\|B2\|B3\|BF\|CC\|GL\|H0\|H1\|HI\|IV\|PF\|PO\|RM\|RN\|RP\|RS\|RZ\|SH\|WB\|b0\|b1\|b2\|b3\|ca\|cg\|cv\|eq\|ge\|gt\|h0\|h1\|hi\|hs\|le\|lo\|ls\|lt\|ne\|of\|or\|s8\|sf\|u8\|up\|L\|R\|S\|U\|W\|X\|f\|t\)\%([[:alnum:]_$]\)\@!~ contained nextgroup=lenoModifier
syntax match lenoComment ~\%(#\|//\).*$~ contains=@Spell
syntax region lenoComment start=~/\*~ end=~\*/~ contains=@Spell
syntax region lenoString start=~"~ skip=~\\.~ end=~"~ oneline

highlight default link lenoLabel Label
highlight default link lenoNumber Number
highlight default link lenoType Type
highlight default link lenoRegister Identifier
highlight default link lenoPredicate Identifier
highlight default link lenoFlags Identifier
highlight default link lenoBank Identifier
highlight default link lenoSpecial Constant
highlight default link lenoGuard Conditional
highlight default link lenoDirective PreProc
highlight default link lenoLlvmDirective PreProc
highlight default link lenoMnemonic Statement
highlight default link lenoModifier Type
highlight default link lenoComment Comment
highlight default link lenoString String

let b:current_syntax = "leno"

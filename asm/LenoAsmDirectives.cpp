//===- LenoAsmDirectives.cpp - Kernels, sections, data --------------------===//
#include "asm/LenoAsmParser.h"

#include "asm/ForeignNames.h"
#include "asm/support/NearMiss.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/MC/MCSymbol.h"

using namespace llvm;

namespace leno {

struct LenoAsmParser::Directive {
  StringLiteral name;
  ParseStatus (*parse)(LenoAsmParser &parser, SMLoc loc);
};

/// Ours; LLVM knows the rest.
ArrayRef<LenoAsmParser::Directive> LenoAsmParser::directives() {
  static constexpr Directive rows[] = {
#define LENO_DIRECTIVE(name, call)                                                                           \
  {name, [](LenoAsmParser &p, [[maybe_unused]] SMLoc loc) -> ParseStatus { return p.call; }},
#include "isa/LenoDirectives.inc"
  };
  return rows;
}

/// The directives, ours and LLVM's, that put bytes where the assembler is; alignment in code is made of NOPs.
static bool putsData(StringRef directive) {
  static constexpr StringLiteral names[] = {
#define LENO_DATA_DIRECTIVE(name) name,
#include "isa/LenoDirectives.inc"
  };
  return is_contained(names, directive) || directive.starts_with(".dc") || directive.starts_with(".ds");
}

ParseStatus LenoAsmParser::parseDirective(AsmToken directive) {
  std::string lower = directive.getString().lower(); // LLVM takes directives in either case
  StringRef name = lower;
  if (putsData(name)) {
    calls.note(directive.getLoc(), parser);
    target().noteData(directive.getLoc());
    kernelHasData |= target().inKernel();
    const auto *section = static_cast<const MCSectionELF *>(getStreamer().getCurrentSectionOnly());
    if (section && section->getFlags() & ELF::SHF_EXECINSTR)
      locate(directive.getLoc(), /*isInstruction=*/false, getStreamer());
  }
  if (name == ".endmacro" || name == ".endm" || name == ".exitm")
    leaveMacro(directive.getLoc());
  for (const Directive &row : directives())
    if (name == row.name)
      return row.parse(*this, directive.getLoc());
  if (name.starts_with(".dcb") || name == ".ds" || name.starts_with(".ds."))
    return checkRepetitions();
  return ParseStatus::NoMatch;
}

/// LLVM's directives that people write most.
static constexpr StringLiteral commonDirectives[] = {
#define LENO_COMMON_DIRECTIVE(name) name,
#include "isa/LenoDirectives.inc"
};

std::string LenoAsmParser::directiveHint(StringRef typed) {
  typed = typed.take_until([](char c) { return !isAlnum(c) && c != '.' && c != '_'; });
  if (StringRef advice = adviceForDirective(StringRef(typed.lower())); !advice.empty())
    return (": " + advice).str();
  NearMiss near(typed);
  for (const Directive &row : directives())
    near.consider(row.name, row.name);
  for (StringRef known : commonDirectives)
    near.consider(known, known);
  return near.hint();
}

bool LenoAsmParser::isDirective(StringRef name) {
  return is_contained(commonDirectives, name) ||
         any_of(directives(), [&](const Directive &row) { return row.name == name; });
}

bool LenoAsmParser::parseKernel(SMLoc loc) {
  SMLoc nameLoc = token().getLoc();
  StringRef name;
  bool failed = false;
  if (parser.parseIdentifier(name))
    failed = Error(nameLoc, "expected the kernel's name");
  else if (parser.parseEOL())
    return true;
  if (target().inKernel()) {
    failed = Error(loc, "kernel '" + Twine(target().kernel()->name) +
                            "' is still open: end it with .endkernel first");
    Note(kernelLoc, "it begins here");
    target().endKernel({});
  }
  MCSymbol *symbol = failed ? nullptr : getContext().lookupSymbol(name);
  if (symbol && symbol->isDefined()) {
    failed = Error(nameLoc, "'" + name + "' is already defined");
    if (SMLoc first = firstPlace(name); first.isValid())
      Note(first, "the first time is here");
  } else if (!failed) {
    failed = !nameIsNoRegister(name, nameLoc);
    firstPlaces.try_emplace(name, nameLoc);
  }
  kernelLoc = loc;
  registersLoc = highestLoc = SMLoc();
  highestRegisters = 0;
  kernelHasStatements = false;
  kernelNames.clear();
  // After an error it is open all the same, under a name that nothing has: what stands in it is checked, and
  // its .endkernel is none too many.
  target().beginKernel(failed ? getContext().createNamedTempSymbol("kernel")->getName() : name);
  return failed;
}

bool LenoAsmParser::nameIsNoRegister(StringRef name, SMLoc loc) {
  if (!registerNamed(name))
    return true;
  return !Error(loc, "'" + name + "' is a register itself: choose another name");
}

/// Registers are named by .reg, numbers by .set.
ParseStatus LenoAsmParser::checkAssigned() {
  StringRef name = token().getString();
  if (token().isNot(AsmToken::Identifier) || (!registerNamed(name) && !findName(name)))
    return ParseStatus::NoMatch;
  return Error(token().getLoc(), "'" + name + "' is a register: MOV gives it a value, and .reg NAME, " +
                                     name + " another name");
}

/// Parameters and shared variables share one name space in their kernel.
bool LenoAsmParser::nameIsNoVariable(StringRef name, SMLoc loc) {
  const KernelInfo &kernel = *target().kernel();
  for (const KernelParam &param : kernel.params)
    if (param.name == name)
      return !Error(loc, "parameter '" + name + "' is already declared");
  for (const SharedVariable &variable : kernel.shared)
    if (variable.name == name)
      return !Error(loc, "shared variable '" + name + "' is already declared");
  return true;
}

bool LenoAsmParser::nameIsFree(StringRef name, SMLoc loc) {
  if (!nameIsNoVariable(name, loc) || !nameIsNoRegister(name, loc))
    return false;
  if (const NamedRegisters *named = findName(name)) {
    Error(loc, "'" + name + "' is the name of a register");
    Note(named->loc, "it is declared here");
    return false;
  }
  return true;
}

bool LenoAsmParser::parseParam(SMLoc loc) {
  StringRef typeText, name;
  SMLoc typeLoc = token().getLoc();
  if (parser.parseIdentifier(typeText))
    return Error(typeLoc, "expected the parameter's type and name, such as `.param u32 n`");
  std::optional<KernelParam> param = parseKernelParam(typeText);
  if (!param && typeText.starts_with_insensitive("ptr.")) {
    SMLoc elementLoc = SMLoc::getFromPointer(typeLoc.getPointer() + 4);
    return Error(elementLoc,
                 "unknown element type '" + typeText.drop_front(4) + "'; types are " + elementTypeNames());
  }
  if (!param) {
    NearMiss near(typeText);
    for (unsigned i = 0; i <= unsigned(ParamType::Ptr); ++i)
      near.consider(paramTypeName(ParamType(i)), paramTypeName(ParamType(i)));
    if (near.found())
      fixIts.replace(textAt(typeLoc, typeText.size()), near.nearest());
    return Error(typeLoc, "unknown parameter type '" + typeText + "'; types are " + near.all() +
                              (typeText.starts_with(".") ? ", without a dot" : "") +
                              "; ptr.f32 and its like also say what is pointed to");
  }
  SMLoc nameLoc = token().getLoc();
  if (parser.parseIdentifier(name))
    return Error(nameLoc, "expected the parameter's name");
  if (parser.parseEOL())
    return true;
  if (!target().inKernel())
    return Error(loc, ".param belongs inside a .kernel");
  if (!nameIsFree(name, nameLoc))
    return true;
  uint32_t size = paramTypeSize(param->type);
  if (alignTo(target().kernel()->paramEnd(), size) + size > constantBankBytes)
    return Error(loc, "the parameters do not fit in constant bank 0 (64 KiB)");
  param->name = name.str();
  target().addParam(std::move(*param));
  return false;
}

/// `.argument NAME, "TYPE", "QUALIFIERS", SPACE, BYTES, OFFSET, ...`
bool LenoAsmParser::parseArgument(SMLoc loc) {
  KernelArgument argument;
  StringRef name;
  std::string space;
  SMLoc spaceLoc, at;
  auto comma = [&](const char *what) {
    return parser.parseToken(AsmToken::Comma, "expected ',' and the argument's " + Twine(what));
  };
  auto text = [&](std::string &into, const char *what) {
    return comma(what) || (token().isNot(AsmToken::String)
                               ? Error(token().getLoc(), "expected the argument's " + Twine(what) + " in quotes")
                               : parser.parseEscapedString(into));
  };
  if (parser.parseIdentifier(name))
    return Error(loc, "expected the argument's name, such as `.argument v, \"float2\", \"\", private, 8, 0, 4`");
  if (text(argument.type, "type") || text(argument.qualifiers, "qualifiers") || comma("memory"))
    return true;
  spaceLoc = token().getLoc();
  StringRef word;
  std::optional<KernelArgument::Space> known;
  if (parser.parseIdentifier(word) || !(known = parseArgumentSpace(word)))
    return Error(spaceLoc, "expected the argument's memory: private, global, constant or local");
  int64_t bytes = 0;
  if (comma("size") || parseAbsolute(bytes, "the size", at))
    return true;
  if (bytes < 0 || bytes > int64_t(constantBankBytes))
    return Error(at, "an argument has at most 64 KiB");
  while (parseOptionalToken(AsmToken::Comma)) {
    int64_t offset = 0;
    if (parseAbsolute(offset, "the offset of a part", at))
      return true;
    if (offset < 0 || offset > bytes)
      return Error(at, "the part is outside of the argument's " + Twine(bytes) + " bytes");
    argument.offsets.push_back(uint32_t(offset));
  }
  if (parser.parseEOL())
    return true;
  if (!target().inKernel())
    return Error(loc, ".argument belongs inside a .kernel");
  const KernelInfo &kernel = *target().kernel();
  size_t before = kernel.arguments.empty()
                      ? 0
                      : kernel.arguments.back().first + kernel.arguments.back().offsets.size();
  if (before != kernel.params.size())
    return Error(loc, kernel.arguments.empty()
                          ? "the kernel has parameters that are no argument's: .argument stands before its .param"
                          : "argument '" + kernel.arguments.back().name + "' has " +
                                Twine(kernel.arguments.back().offsets.size()) +
                                " parts, and not as many .param follow it");
  argument.name = name.str();
  argument.space = *known;
  argument.bytes = uint32_t(bytes);
  target().addArgument(std::move(argument));
  return false;
}

/// `.block X, Y, Z`: what launches must have.
bool LenoAsmParser::parseBlock(SMLoc loc) {
  std::array<uint32_t, 3> block{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    int64_t threads = 0;
    SMLoc at;
    if ((axis && parser.parseToken(AsmToken::Comma, "expected three numbers of threads, such as `.block 16, 16, 1`")) ||
        parseAbsolute(threads, "the number of threads", at))
      return true;
    if (threads < 1 || threads > 65536)
      return Error(at, "a CTA has 1 to 65536 threads along an axis");
    block[axis] = uint32_t(threads);
  }
  if (parser.parseEOL())
    return true;
  if (!target().inKernel())
    return Error(loc, ".block belongs inside a .kernel");
  target().setBlock(block);
  return false;
}

/// `.hints "TEXT"`: what launches are advised of.
bool LenoAsmParser::parseHints(SMLoc loc) {
  std::string text;
  if (token().isNot(AsmToken::String))
    return Error(token().getLoc(), "expected a text in quotes, such as `.hints \"work_group_size_hint(64,1,1)\"`");
  if (parser.parseEscapedString(text) || parser.parseEOL())
    return true;
  if (!target().inKernel())
    return Error(loc, ".hints belongs inside a .kernel");
  target().setHints(std::move(text));
  return false;
}

bool LenoAsmParser::parseShared(SMLoc loc) {
  StringRef name;
  SMLoc nameLoc = token().getLoc();
  if (parser.parseIdentifier(name) || name.starts_with("."))
    return Error(nameLoc, "expected a name and a size, such as `.shared tile, 4096`");
  int64_t bytes = 0, alignment = 16;
  if (parser.parseToken(AsmToken::Comma, "expected ',' and the size in bytes"))
    return true;
  SMLoc sizeLoc;
  if (parseAbsolute(bytes, "the size", sizeLoc))
    return true;
  SMLoc alignLoc = token().getLoc();
  if (parseOptionalToken(AsmToken::Comma) && parseAbsolute(alignment, "the alignment", alignLoc))
    return true;
  if (parser.parseEOL())
    return true;
  if (!target().inKernel())
    return Error(loc, ".shared belongs inside a .kernel");
  if (alignment < 1 || alignment > 4096 || !isPowerOf2_64(uint64_t(alignment)))
    return Error(alignLoc, "the alignment must be a power of two up to 4096");
  if (bytes < 1 || alignTo(target().kernel()->sharedBytes, alignment) + uint64_t(bytes) > maxSharedBytes)
    return Error(sizeLoc, "shared memory of a kernel is 1 byte to 1 MiB in all");
  if (!nameIsFree(name, nameLoc))
    return true;
  target().addShared(name, uint32_t(bytes), uint32_t(alignment));
  return false;
}

/// `.local N`: what the kernel and all it calls need of each lane's local memory.
ParseStatus LenoAsmParser::parseLocal(SMLoc loc) {
  if (token().is(AsmToken::Identifier)) // with a name it is ELF's
    return ParseStatus::NoMatch;
  int64_t bytes;
  SMLoc sizeLoc;
  if (parseAbsolute(bytes, "the size of local memory", sizeLoc) || parser.parseEOL())
    return true;
  if (!target().inKernel())
    return Error(loc, ".local belongs inside a .kernel: it counts what the kernel and all it calls need");
  if (target().kernel()->localBytes)
    return Error(loc,
                 "the kernel has its .local already, of " + Twine(target().kernel()->localBytes) + " bytes");
  if (bytes < 1 || bytes > maxLocalBytes || bytes % localAlignment)
    return Error(sizeLoc, "local memory of a lane is 16 bytes to 512 KiB, a multiple of 16");
  target().setLocal(uint32_t(bytes));
  return false;
}

/// `.registers N`: more registers than the instructions name, for functions that are reached indirectly.
bool LenoAsmParser::parseRegisters(SMLoc loc) {
  int64_t count;
  SMLoc countLoc;
  if (parseAbsolute(count, "the number of registers", countLoc) || parser.parseEOL())
    return true;
  if (!target().inKernel())
    return Error(loc, ".registers belongs inside a .kernel");
  if (count < 1 || count > 255)
    return Error(countLoc, "a lane has 1 to 255 registers");
  if (registersLoc.isValid()) {
    Error(loc, "the kernel's registers are given twice");
    Note(registersLoc, "the first time is here");
    return true;
  }
  registersLoc = countLoc;
  target().setRegisters(uint32_t(count));
  return false;
}

/// `.const N`: what follows goes into constant bank N.
bool LenoAsmParser::parseConst() {
  int64_t bank;
  SMLoc bankLoc;
  if (parseAbsolute(bank, "the bank", bankLoc) || parser.parseEOL())
    return true;
  if (bank == 0)
    return Error(bankLoc, "bank 0 holds the launch's geometry and parameters; data go to banks 1 to 15");
  if (bank < 0 || bank > 15)
    return Error(bankLoc, "there is no constant bank " + Twine(bank) + ": data go to banks 1 to 15");
  getStreamer().switchSection(
      getContext().getELFSection(constantSection + Twine(bank), ELF::SHT_PROGBITS, ELF::SHF_ALLOC));
  return false;
}

/// `.global`: what follows is data in global memory.
ParseStatus LenoAsmParser::parseGlobal() {
  if (token().isNot(AsmToken::EndOfStatement)) // with a name it is that of .globl
    return ParseStatus::NoMatch;
  getStreamer().switchSection(getContext().getObjectFileInfo()->getDataSection());
  return parser.parseEOL();
}

/// `.float 0.1, -inf`: literals, each rounded once to the format.
bool LenoAsmParser::parseFloatData(const fltSemantics &format) {
  return parser.checkForValidSection() || parser.parseMany([&] { return parseFloatValue(format); });
}

bool LenoAsmParser::parseFloatValue(const fltSemantics &format) {
  SMLoc start = token().getLoc();
  std::string text = token().is(AsmToken::Minus) ? "-" : "";
  if (token().is(AsmToken::Minus) || token().is(AsmToken::Plus))
    Lex();
  if (!beginsFloat(token()) && token().isNot(AsmToken::Integer))
    return Error(token().getLoc(), "expected a number such as 2.5, -1e-3, 0x1.8p3, inf or nan");
  text += token().getString();
  FloatLiteral read = readFloat(text, format);
  if (read.status != FloatLiteral::Ok)
    return Error(start, read.message + (read.status == FloatLiteral::Malformed &&
                                                StringRef(text).contains_insensitive("0x")
                                            ? "; .word and .quad put bits as they are"
                                            : ""));
  Lex();
  getStreamer().emitIntValue(read.bits(), APFloat::getSizeInBits(format) / 8);
  return false;
}

/// `.word` is four bytes, `.half` two, also of a float; LLVM knows the other sizes.
bool LenoAsmParser::parseData(unsigned bytes) {
  return parser.parseMany([&] {
    SMLoc start = token().getLoc();
    bool isSigned = token().is(AsmToken::Minus) || token().is(AsmToken::Plus);
    if (AsmToken next = isSigned ? getLexer().peekTok() : token(); bytes == 2 && beginsFloat(next))
      return parser.checkForValidSection() || parseFloatValue(APFloat::IEEEhalf());
    const MCExpr *expr;
    if (parser.checkForValidSection() || parser.parseExpression(expr))
      return true;
    if (int64_t value; expr->evaluateAsAbsolute(value)) {
      if (!isIntN(8 * bytes, value) && !isUIntN(8 * bytes, uint64_t(value)))
        return Error(start, Twine(value) + " does not fit in " + Twine(bytes) + " bytes");
      getStreamer().emitIntValue(uint64_t(value), bytes);
    } else {
      getStreamer().emitValue(expr, bytes, start);
    }
    return false;
  });
}

bool LenoAsmParser::parseEndKernel(SMLoc loc) {
  if (parser.parseEOL())
    return true;
  if (!target().inKernel())
    return Error(loc, ".endkernel without a .kernel before it");
  if (!target().kernel()->bytes && !kernelHasStatements)
    Error(kernelLoc, "kernel '" + Twine(target().kernel()->name) + "' has no instructions");
  if (const KernelInfo &kernel = *target().kernel(); !kernel.arguments.empty()) {
    const KernelArgument &last = kernel.arguments.back();
    if (last.first + last.offsets.size() != kernel.params.size())
      Error(loc, "argument '" + last.name + "' of the kernel has " + Twine(last.offsets.size()) +
                     " parts, and not as many .param follow it");
  }
  if (uint32_t given = target().kernel()->givenRegisters; given && given < highestRegisters) {
    Error(registersLoc, "kernel '" + Twine(target().kernel()->name) + "' needs " + Twine(highestRegisters) +
                            " registers, not " + Twine(given));
    Note(highestLoc, "R" + Twine(highestRegisters - 1) + " is used here");
  }
  // Structured code keeps the number of its open structures there (asm/include/leno/structured.inc).
  if (MCSymbol *open = getContext().lookupSymbol(".Lleno_depth"); open && open->isVariable())
    if (int64_t depth; open->getVariableValue()->evaluateAsAbsolute(depth) && depth)
      Error(loc, "an IF or LOOP of this kernel has no ENDIF or ENDLOOP");
  target().endKernel(getContext().getGenDwarfForAssembly() ? visibleNames() : std::vector<RegisterName>(),
                     target().notesSharedUses && !kernelHasData ? std::move(sharedUses)
                                                                : std::vector<SharedUse>());
  sharedUses.clear();
  kernelHasData = false;
  kernelNames.clear();
  return false;
}

void LenoAsmParser::onEndOfFile() {
  if (target().inKernel())
    Error(kernelLoc, "kernel '" + Twine(target().kernel()->name) + "' has no .endkernel");
  checkNames();
}

} // namespace leno

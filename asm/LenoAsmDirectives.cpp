//===- LenoAsmDirectives.cpp - .kernel, .param, .shared, .local, .endkernel ===//
#include "asm/LenoAsmParser.h"

#include "asm/NearMiss.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSymbol.h"

using namespace llvm;

namespace leno {

/// LLVM's directives that put bytes where the assembler is; alignment in code is made of NOPs.
static bool putsData(StringRef directive) {
  static constexpr StringLiteral names[] = {
      ".byte", ".short", ".half", ".value",  ".2byte",  ".long",   ".word",    ".int",    ".4byte",
      ".quad", ".8byte", ".octa", ".single", ".float",  ".double", ".ascii",   ".asciz",  ".string",
      ".fill", ".space", ".skip", ".zero",   ".incbin", ".org",    ".uleb128", ".sleb128"};
  return is_contained(names, directive) || directive.starts_with(".dc") || directive.starts_with(".ds");
}

ParseStatus LenoAsmParser::parseDirective(AsmToken directive) {
  StringRef name = directive.getString();
  SMLoc loc = directive.getLoc();
  if (name == ".kernel")
    return parseKernel(loc);
  if (name == ".param")
    return parseParam(loc);
  if (name == ".shared")
    return parseShared(loc);
  if (name == ".local" && token().isNot(AsmToken::Identifier)) // with a name it is ELF's
    return parseLocal(loc);
  if (name == ".endkernel")
    return parseEndKernel(loc);
  if (putsData(name))
    target().noteData(loc);
  return ParseStatus::NoMatch;
}

bool LenoAsmParser::parseKernel(SMLoc loc) {
  SMLoc nameLoc = token().getLoc();
  StringRef name;
  if (parser.parseIdentifier(name))
    return Error(nameLoc, "expected the kernel's name");
  if (parser.parseEOL())
    return true;
  if (target().inKernel()) {
    Error(loc, "kernel '" + Twine(target().kernel()->name) + "' is still open: end it with .endkernel first");
    Note(kernelLoc, "it begins here");
    return true;
  }
  if (MCSymbol *symbol = getContext().lookupSymbol(name); symbol && symbol->isDefined())
    return Error(nameLoc, "'" + name + "' is already defined");
  kernelLoc = loc;
  target().beginKernel(name);
  return false;
}

/// Parameters and shared variables share one name space in their kernel.
bool LenoAsmParser::nameIsFree(StringRef name, SMLoc loc) {
  const KernelInfo &kernel = *target().kernel();
  for (const KernelParam &param : kernel.params)
    if (param.name == name)
      return !Error(loc, "parameter '" + name + "' is already declared");
  for (const SharedVariable &variable : kernel.shared)
    if (variable.name == name)
      return !Error(loc, "shared variable '" + name + "' is already declared");
  return true;
}

bool LenoAsmParser::parseParam(SMLoc loc) {
  StringRef typeText, name;
  SMLoc typeLoc = token().getLoc();
  if (parser.parseIdentifier(typeText))
    return Error(typeLoc, "expected the parameter's type and name, such as `.param u32 n`");
  std::optional<ParamType> type = parseParamType(typeText);
  if (!type) {
    NearMiss near(typeText);
    for (unsigned i = 0; i <= unsigned(ParamType::Ptr); ++i)
      near.consider(paramTypeName(ParamType(i)), paramTypeName(ParamType(i)));
    return Error(typeLoc, "unknown parameter type '" + typeText + "'; types are " + near.all());
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
  if (target().kernel()->paramEnd() + 2 * paramTypeSize(*type) > constantBankBytes)
    return Error(loc, "the parameters do not fit in constant bank 0 (64 KiB)");
  target().addParam(name, *type);
  return false;
}

bool LenoAsmParser::parseShared(SMLoc loc) {
  StringRef name;
  SMLoc nameLoc = token().getLoc();
  if (parser.parseIdentifier(name))
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
bool LenoAsmParser::parseLocal(SMLoc loc) {
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

bool LenoAsmParser::parseEndKernel(SMLoc loc) {
  if (parser.parseEOL())
    return true;
  if (!target().inKernel())
    return Error(loc, ".endkernel without a .kernel before it");
  if (!target().kernel()->bytes)
    return Error(kernelLoc, "kernel '" + Twine(target().kernel()->name) + "' has no instructions");
  target().endKernel();
  return false;
}

void LenoAsmParser::onEndOfFile() {
  if (target().inKernel())
    Error(kernelLoc, "kernel '" + Twine(target().kernel()->name) + "' has no .endkernel");
}

/// A parameter's name is its offset in c[0], a shared variable's its offset in shared memory.
bool LenoAsmParser::parsePrimaryExpr(const MCExpr *&res, SMLoc &end) {
  if (const KernelInfo *kernel = target().kernel(); kernel && token().is(AsmToken::Identifier)) {
    std::optional<int64_t> offset;
    StringRef name = token().getString();
    for (const KernelParam &param : kernel->params)
      if (param.name == name)
        offset = param.offset;
    for (const SharedVariable &variable : kernel->shared)
      if (variable.name == name)
        offset = variable.offset;
    if (offset) {
      res = MCConstantExpr::create(*offset, getContext());
      end = token().getEndLoc();
      Lex();
      return false;
    }
  }
  return MCTargetAsmParser::parsePrimaryExpr(res, end);
}

} // namespace leno

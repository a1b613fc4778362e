#include "emu/program/Predecoder.h"
#include "asm/Decoder.h"
#include "asm/LenoMCTargetDesc.h"
#include "asm/support/FloatEnvironment.h"

using namespace leno;

namespace {

/// OpBuilder, with MC's names of registers understood.
class McOpBuilder : public OpBuilder {
public:
  McOpBuilder(Program &program, const Decoder &decoder) : OpBuilder(program), decoder(decoder) {}
  unsigned reg(const llvm::MCOperand &operand) const { return decoder.encodingOf(operand.getReg()); }
  unsigned pred(const llvm::MCOperand &operand) const { return decoder.encodingOf(operand.getReg()); }

private:
  const Decoder &decoder;
};

#include "isa/LenoPredecode.inc"

} // namespace

Program leno::predecode(llvm::ArrayRef<uint64_t> code, const Engine &engine) {
  FloatScope floats; // an immediate of single precision becomes a half or a double
  Program program(engine);
  Decoder decoder;
  for (uint64_t word : code) {
    McOpBuilder builder(program, decoder);
    llvm::MCInst inst;
    if (!decoder.decode(word, inst) || !::predecode(builder, inst))
      builder.illegal();
    builder.finish(word);
  }
  program.seal();
  return program;
}

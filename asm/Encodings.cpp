//===- Encodings.cpp - The bits of each encoding --------------------------===//
#include "asm/Encodings.h"

#include "asm/Decoder.h"
#include "asm/LenoMCTargetDesc.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace leno {

#define GET_LENO_ENCODINGS
#include "isa/LenoAsmTables.inc"

ArrayRef<EncodingInfo> allEncodings() { return encodings; }
int constantOffsetIndex(unsigned opcode) { return constantOffsetOf(opcode); }

std::string bitRanges(uint64_t bits) {
  std::string text;
  while (bits) {
    int high = 63 - countl_zero(bits), low = high;
    while (low > 0 && bits >> (low - 1) & 1)
      --low;
    text += (text.empty() ? "" : ", ") + std::to_string(high);
    if (low != high)
      text += "-" + std::to_string(low);
    bits &= ~(~uint64_t(0) >> (63 - high) & ~uint64_t(0) << low);
  }
  return text;
}

/// A word whose fixed bits are an encoding's, and which still has no meaning: which field is to blame?
static std::string explainFields(const Decoder &decoder, uint64_t word, const EncodingInfo &encoding) {
  MCInst inst;
  for (const EncodingField &field : encoding.fields)
    for (uint64_t bit = 0; bit <= 1; ++bit) { // zero means something in most fields, one in the rest
      uint64_t lowest = field.bits & -field.bits;
      if (decoder.decode((word & ~field.bits) | (bit ? lowest : 0), inst))
        return (encoding.mnemonic + ": its field " + field.name + " (bits " + bitRanges(field.bits) +
                ") has no meaning")
            .str();
    }
  return (encoding.mnemonic + ": its fields do not go together").str();
}

std::string Decoder::explain(uint64_t word) const {
  constexpr uint64_t opcodeBits = uint64_t(127) << 57, formBits = uint64_t(3) << 55;
  const EncodingInfo *sameOpcode = nullptr, *nearest = nullptr;
  unsigned wrongBits = 65;
  for (const EncodingInfo &encoding : encodings) {
    uint64_t wrong = (word ^ encoding.value) & encoding.fixed;
    if (wrong & opcodeBits)
      continue;
    sameOpcode = &encoding;
    if (wrong & formBits)
      continue;
    if (unsigned count = unsigned(popcount(wrong)); count < wrongBits) {
      wrongBits = count;
      nearest = &encoding;
    }
  }
  if (!sameOpcode)
    return "no instruction has opcode 0x" + utohexstr(word >> 57, true) + " (bits 63-57)";
  if (!nearest)
    return (sameOpcode->mnemonic + " has no form " + Twine(word >> 55 & 3) + " (bits 56-55)").str();
  if (wrongBits == 0)
    return explainFields(*this, word, *nearest);
  uint64_t wrong = (word ^ nearest->value) & nearest->fixed;
  std::string text = nearest->mnemonic.str() + ": ";
  if (uint64_t set = wrong & word)
    text += "must be zero: bits " + bitRanges(set);
  if (uint64_t clear = wrong & ~word)
    text += (wrong & word ? "; must be one: bits " : "must be one: bits ") + bitRanges(clear);
  return text;
}

} // namespace leno

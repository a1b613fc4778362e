//===- DecoderFuzzer.cpp - Any word, to text and back ---------------------===//
// Words decode or they do not; the text of those that do assembles to the same
// word, unless it names pairs or quads of registers that do not exist, which
// trap when they run. To assemble costs far more than to decode, so the texts of many words
// are assembled together.
//===----------------------------------------------------------------------===//
#include "asm/Assembler.h"
#include "asm/Decoder.h"
#include "asm/ElfReader.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace leno;

namespace {

constexpr size_t batchWords = 1024;

std::vector<uint64_t> assembled(const std::string &text) {
  std::vector<uint64_t> words;
  std::string diagnostics;
  raw_string_ostream os(diagnostics);
  AssembleOptions options;
  options.warnings.on.reset();
  Expected<SmallVector<char, 0>> object =
      assemble(MemoryBuffer::getMemBufferCopy(text, "words.s"), options, os);
  if (!object) {
    errs() << diagnostics << toString(object.takeError()) << '\n';
    return words;
  }
  Elf elf = cantFail(openElf(MemoryBufferRef(StringRef(object->data(), object->size()), "words.o")));
  for (const ElfSection &section : cantFail(elf.sections()))
    if (cantFail(elf.getSectionName(section)) == ".text") {
      ArrayRef<uint8_t> bytes = cantFail(elf.getSectionContents(section));
      for (size_t i = 0; i + 8 <= bytes.size(); i += 8)
        words.push_back(support::endian::read64le(&bytes[i]));
    }
  return words;
}

struct Batch {
  std::vector<uint64_t> words;
  std::string text;

  void add(uint64_t word, const std::string &line) {
    words.push_back(word);
    text += line + ";\n";
    if (words.size() == batchWords)
      check();
  }
  void check() {
    if (words.empty() || assembled(text) == words) {
      words.clear();
      text.clear();
      return;
    }
    // Which one it is: alone each.
    Decoder decoder;
    for (uint64_t word : words) {
      std::string line = decoder.print(word);
      if (std::vector<uint64_t> back = assembled(line + ";\n"); back != std::vector{word}) {
        errs() << "the word " << format_hex(word, 18) << " prints as '" << line << "', which gives";
        for (uint64_t other : back)
          errs() << ' ' << format_hex(other, 18);
        errs() << '\n';
        std::abort();
      }
    }
    errs() << "texts that assemble alone do not assemble together\n" << text;
    std::abort();
  }
};

Batch &batch() {
  static Batch *instance = new Batch; // it is still there when the program exits
  return *instance;
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  (void)assembled("NOP;\n"); // makes what the last batch needs, so that it is destroyed after that
  std::atexit([] { batch().check(); });
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Decoder decoder;
  uint64_t word = 0;
  std::memcpy(&word, data, std::min(size, sizeof word));
  MCInst inst;
  if (decoder.decode(word, inst) && !decoder.effectsOf(inst).misaligned)
    batch().add(word, decoder.print(inst));
  else
    (void)decoder.print(word);
  return 0;
}

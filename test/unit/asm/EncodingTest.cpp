// The encoding is sound: no two records claim one word, and every word is one instruction that encodes to the
// same word, or undefined. The records' fixed bits come from the TableGen list itself, not from the decoder
// made of it.
#include "asm/Assembler.h"
#include "asm/Decoder.h"
#include "asm/ElfReader.h"
#include "asm/LenoMCTargetDesc.h"
#include "test/unit/Effort.h"
#include "test/unit/Encodings.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>

using namespace leno;
using namespace leno::test;
using namespace llvm;

namespace {

class Encoder {
public:
  uint64_t encode(const MCInst &inst) {
    bytes.clear();
    fixups.clear();
    emitter->encodeInstruction(inst, bytes, fixups, *subtargetInfo);
    return support::endian::read64le(bytes.data());
  }
  std::string nameOf(const MCInst &inst) const { return instrInfo->getName(inst.getOpcode()).str(); }

private:
  std::unique_ptr<MCRegisterInfo> registerInfo = createRegisterInfo();
  std::unique_ptr<MCAsmInfo> asmInfo = createAsmInfo();
  std::unique_ptr<MCInstrInfo> instrInfo = createInstrInfo();
  std::unique_ptr<MCSubtargetInfo> subtargetInfo = createSubtargetInfo();
  MCContext context{lenoTriple(), asmInfo.get(), registerInfo.get(), subtargetInfo.get()};
  std::unique_ptr<MCCodeEmitter> emitter = createCodeEmitter(context);
  SmallVector<char, 8> bytes;
  SmallVector<MCFixup, 2> fixups;
};

/// What a share of the random words showed.
struct Findings {
  uint64_t total = 0, defined = 0;
  std::set<std::string> seen; ///< records that some word decoded to
  std::string failure;        ///< the first
};

/// `each` random words of every form of an opcode: the decoder agrees with the records about what is an
/// instruction and which, and the encoder gives the word again.
void tryOpcode(unsigned opcode, unsigned each, Decoder &decoder, Encoder &encoder, Findings &findings) {
  Words words(20031 + opcode);
  MCInst inst;
  for (unsigned form = 0; form < 4; ++form) {
    auto here = recordsAt(opcode, form);
    for (unsigned i = 0; i < each && findings.failure.empty(); ++i) {
      uint64_t word = words.next(opcode, form, here);
      auto owner = find_if(here, [&](const Record *record) { return record->claims(word); });
      ++findings.total;
      if (!decoder.decode(word, inst))
        continue; // undefined: outside of every record, or a field that has no such value
      ++findings.defined;
      std::string name = encoder.nameOf(inst);
      if (owner == here.end())
        findings.failure = hex(word) + " decodes to " + name + ", whose fixed bits it has not";
      else if ((*owner)->name != name)
        findings.failure = hex(word) + " decodes to " + name + ", but it is of " + (*owner)->name;
      else if ((*owner)->hasUndefinedModifier(word))
        findings.failure = hex(word) + " decodes to " + name + " with modifiers that it has not";
      else if (encoder.encode(inst) != word)
        findings.failure =
            hex(word) + " is " + decoder.print(inst) + ", which encodes to " + hex(encoder.encode(inst));
      findings.seen.insert(name);
    }
  }
}

} // namespace

TEST(Encoding, NoTwoRecordsClaimOneWord) {
  for (const Record &a : records()) {
    EXPECT_EQ(a.mask >> 57, 0x7fu) << a.name << " leaves its opcode open";
    for (const Record &b : records())
      if (&a < &b)
        EXPECT_NE(a.value & b.mask & a.mask, b.value & a.mask & b.mask) << a.name << " and " << b.name;
  }
}

TEST(Encoding, EveryWordIsOneInstructionOrUndefined) {
  const unsigned each = effort(3000); // times 512: 1.5 million words, 10^8 in the long mode
  records();
  std::atomic<unsigned> opcodes = 0;
  std::mutex lock;
  Findings all;
  auto work = [&] {
    Decoder decoder;
    Encoder encoder;
    Findings mine;
    for (unsigned opcode; (opcode = opcodes++) < 128;)
      tryOpcode(opcode, each, decoder, encoder, mine);
    std::lock_guard guard(lock);
    all.total += mine.total, all.defined += mine.defined;
    all.seen.insert(mine.seen.begin(), mine.seen.end());
    all.failure += mine.failure;
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::clamp(std::thread::hardware_concurrency(), 1u, 16u); ++i)
    workers.emplace_back(work);
  for (std::thread &worker : workers)
    worker.join();
  EXPECT_EQ(all.failure, "");
  for (const Record &record : records())
    EXPECT_TRUE(all.seen.count(record.name)) << "no word decoded to " << record.name;
  std::cout << all.total << " words, " << all.defined << " of them instructions of " << all.seen.size()
            << " records\n";
}

// On a sample: the text of a word assembles to the word. A word may name registers that its assembler
// refuses, a pair that is not aligned: such words trap.
TEST(Encoding, TheTextOfAWordAssemblesToTheWord) {
  Decoder decoder;
  Words words(20033);
  std::vector<uint64_t> sample;
  std::string text;
  MCInst inst;
  for (unsigned round = 0; round < effort(20); ++round)
    for (const Record &record : records()) {
      unsigned tries = 0;
      uint64_t word = words.of(record);
      while (!decoder.decode(word, inst) && ++tries < 200)
        word = words.of(record);
      if (tries == 200)
        continue;
      sample.push_back(word);
      text += decoder.print(inst) + ";\n";
    }
  std::string diagnostics;
  raw_string_ostream out(diagnostics);
  auto object = assemble(MemoryBuffer::getMemBufferCopy(text, "sample.s"), {}, out);
  // Lines that the assembler refuses for their registers alone are taken out, once.
  if (!object) {
    consumeError(object.takeError());
    std::map<unsigned, std::string> refused;
    SmallVector<StringRef, 0> lines;
    StringRef(diagnostics).split(lines, '\n');
    for (StringRef line : lines)
      if (line.consume_front("sample.s:")) {
        unsigned number = 0;
        line.consumeInteger(10, number);
        if (line.contains("error:"))
          refused[number] = line.str();
      }
    std::vector<uint64_t> kept;
    std::string rest;
    SmallVector<StringRef, 0> statements;
    StringRef(text).split(statements, '\n', -1, false);
    for (unsigned i = 0; i < sample.size(); ++i) {
      auto reason = refused.find(i + 1);
      if (reason == refused.end()) {
        kept.push_back(sample[i]);
        rest += statements[i].str() + "\n";
        continue;
      }
      StringRef why = reason->second;
      EXPECT_TRUE(why.contains("aligned") || why.contains("past") || why.contains("multiple of"))
          << hex(sample[i]) << ": " << statements[i].str() << "\n"
          << why.str();
    }
    sample = kept;
    diagnostics.clear();
    object = assemble(MemoryBuffer::getMemBufferCopy(rest, "sample.s"), {}, out);
  }
  ASSERT_TRUE(bool(object)) << toString(object.takeError()) << "\n" << diagnostics;
  StringRef bytes(object->data(), object->size());
  auto file = cantFail(object::ObjectFile::createELFObjectFile(MemoryBufferRef(bytes, "sample.o")));
  for (const object::SectionRef &section : file->sections())
    if (cantFail(section.getName()) == ".text") {
      StringRef code = cantFail(section.getContents());
      ASSERT_EQ(code.size(), 8 * sample.size());
      for (unsigned i = 0; i < sample.size(); ++i) {
        uint64_t got = support::endian::read64le(code.data() + 8 * i);
        EXPECT_EQ(got, sample[i]) << hex(sample[i]) << " prints as " << decoder.print(sample[i])
                                  << ", which is " << hex(got);
      }
    }
  std::cout << sample.size() << " words printed and assembled again\n";
}

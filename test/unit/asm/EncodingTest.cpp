// The encoding is sound: no two records claim one word, and every word is one instruction that encodes to the same word,
// or undefined. The records' fixed bits come from the TableGen list itself, not from the decoder made of it.
#include "asm/Assembler.h"
#include "asm/Decoder.h"
#include "asm/ElfReader.h"
#include "asm/LenoMCTargetDesc.h"
#include "test/unit/Effort.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace leno;
using namespace llvm;

namespace {

/// The bits of a word that a record fixes.
struct Record {
  std::string name;
  uint64_t mask = 0, value = 0;
  bool claims(uint64_t word) const { return (word & mask) == value; }
};

/// Every record that has an encoding of its own: not those that are only another spelling.
std::vector<Record> readRecords() {
  auto file = cantFail(errorOrToExpected(MemoryBuffer::getFile(LENO_ISA_JSON)));
  json::Value root = cantFail(json::parse(file->getBuffer()));
  const json::Object &all = *root.getAsObject();
  std::vector<Record> records;
  for (const json::Value &name : *all.getObject("!instanceof")->getArray("LenoInst")) {
    const json::Object &fields = *all.getObject(*name.getAsString());
    if (fields.getInteger("isAsmParserOnly").value_or(0))
      continue;
    Record record{name.getAsString()->str()};
    const json::Array &bits = *fields.getArray("Inst");
    for (unsigned i = 0; i < 64; ++i)
      if (auto bit = bits[i].getAsInteger()) {
        record.mask |= uint64_t(1) << i;
        record.value |= uint64_t(*bit) << i;
      }
    records.push_back(record);
  }
  return records;
}

const std::vector<Record> &records() {
  static const std::vector<Record> list = readRecords();
  return list;
}

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

/// Words of every density of bits; in every second one the fixed bits of a record, so that many are instructions.
class Words {
public:
  uint64_t next(unsigned opcode, unsigned form, const std::vector<const Record *> &here) {
    uint64_t word = random();
    for (unsigned thin = random() % 5; thin; --thin)
      word &= random();
    word = (word & (uint64_t(1) << 55) - 1) | uint64_t(opcode) << 57 | uint64_t(form) << 55;
    if (!here.empty() && random() % 8) {
      const Record &record = *here[random() % here.size()];
      word = (word & ~record.mask) | record.value; // its form may be open: then of this form
      if (random() % 4 == 0) // beside it: a bit that the record fixes the other way
        word ^= uint64_t(1) << random() % 55;
    }
    return word;
  }
  std::mt19937_64 random{20031};
};

std::vector<const Record *> recordsAt(unsigned opcode, unsigned form) {
  std::vector<const Record *> here;
  for (const Record &record : records())
    // 32 bits of immediate leave no room for a form: then the record is at home in several.
    if (record.value >> 57 == opcode && (form & record.mask >> 55 & 3) == (record.value >> 55 & 3))
      here.push_back(&record);
  return here;
}

std::string hex(uint64_t word) { return ("0x" + utohexstr(word, true, 16)); }

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
  Decoder decoder;
  Encoder encoder;
  Words words;
  const unsigned each = leno::test::effort(3000); // times 512: 1.5 million words, 10^8 in the long mode
  uint64_t defined = 0, total = 0;
  std::map<std::string, uint64_t> seen;
  MCInst inst;
  for (unsigned opcode = 0; opcode < 128; ++opcode)
    for (unsigned form = 0; form < 4; ++form) {
      auto here = recordsAt(opcode, form);
      for (unsigned i = 0; i < each && !HasFailure(); ++i) {
        uint64_t word = words.next(opcode, form, here);
        const Record *claiming = nullptr;
        for (const Record *record : here)
          if (record->claims(word))
            claiming = record;
        ++total;
        if (!decoder.decode(word, inst))
          continue; // undefined: outside of every record, or a field that has no such value
        ++defined;
        std::string name = encoder.nameOf(inst);
        ASSERT_TRUE(claiming) << hex(word) << " decodes to " << name << ", whose fixed bits it has not";
        ASSERT_EQ(claiming->name, name) << hex(word);
        ASSERT_EQ(encoder.encode(inst), word) << name << " " << hex(word) << ": " << decoder.print(inst);
        ++seen[name];
      }
    }
  for (const Record &record : records())
    EXPECT_TRUE(seen.count(record.name)) << "no word decoded to " << record.name;
  std::cout << total << " words, " << defined << " of them instructions of " << seen.size() << " records\n";
  RecordProperty("words", int64_t(total));
}

// On a sample: the text of a word assembles to the word. A word may name registers that its assembler refuses, a pair
// that is not aligned: such words trap.
TEST(Encoding, TheTextOfAWordAssemblesToTheWord) {
  Decoder decoder;
  Words words;
  std::vector<uint64_t> sample;
  std::string text;
  MCInst inst;
  for (unsigned round = 0; round < leno::test::effort(20); ++round)
    for (const Record &record : records()) {
      unsigned tries = 0;
      uint64_t word = words.next(unsigned(record.value >> 57), record.value >> 55 & 3, {&record});
      while (!decoder.decode(word, inst) && ++tries < 200)
        word = words.next(unsigned(record.value >> 57), record.value >> 55 & 3, {&record});
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
          << hex(sample[i]) << ": " << statements[i].str() << "\n" << why.str();
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
        EXPECT_EQ(got, sample[i]) << hex(sample[i]) << " prints as " << decoder.print(sample[i]) << ", which is "
                                  << hex(got);
      }
    }
  std::cout << sample.size() << " words printed and assembled again\n";
}

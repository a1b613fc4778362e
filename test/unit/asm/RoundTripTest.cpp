// What the disassembler prints assembles to the same bytes: every program of the tree, random instructions.
#include "asm/Assembler.h"
#include "asm/Decoder.h"
#include "asm/ElfReader.h"
#include "asm/Encodings.h"
#include "asm/Linker.h"
#include "asm/ObjectDump.h"
#include "test/unit/Effort.h"
#include "gtest/gtest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>
#include <random>

using namespace llvm;
using namespace leno;

namespace {

using Bytes = SmallVector<char, 0>;

MemoryBufferRef bufferOf(const Bytes &bytes) {
  return MemoryBufferRef(StringRef(bytes.data(), bytes.size()), "file");
}

/// Nothing when the text has errors.
std::optional<Bytes> assembleText(std::unique_ptr<MemoryBuffer> text, const AssembleOptions &options,
                                  raw_ostream &diagnostics) {
  Expected<Bytes> object = assemble(std::move(text), options, diagnostics);
  if (!object) {
    diagnostics << toString(object.takeError());
    return std::nullopt;
  }
  return std::move(*object);
}

std::string dumped(const Bytes &file) {
  std::string text;
  raw_string_ostream os(text);
  EXPECT_EQ(toString(dump(bufferOf(file), DumpOptions(), os)), "");
  return text;
}

Bytes reassembled(const std::string &text, const AssembleOptions &options) {
  std::string messages;
  raw_string_ostream os(messages);
  std::optional<Bytes> object =
      assembleText(MemoryBuffer::getMemBufferCopy(text, "disassembly"), options, os);
  EXPECT_TRUE(object) << messages;
  return object ? std::move(*object) : Bytes();
}

/// Where the texts of two files part, for messages.
std::string difference(const Bytes &a, const Bytes &b) {
  std::string textOfA = dumped(a), textOfB = dumped(b);
  StringRef restOfA = textOfA, restOfB = textOfB, lineOfA, lineOfB;
  while (!restOfA.empty() || !restOfB.empty()) {
    std::tie(lineOfA, restOfA) = restOfA.split('\n');
    std::tie(lineOfB, restOfB) = restOfB.split('\n');
    if (lineOfA != lineOfB)
      return ("'" + lineOfA + "' became '" + lineOfB + "'").str();
  }
  return "the texts are the same";
}

/// The sections that are loaded, and the metadata: what a line table beside them does not touch.
std::string contents(const Bytes &file) {
  std::string all;
  Elf elf = cantFail(openElf(bufferOf(file)));
  for (const ElfSection &section : cantFail(elf.sections())) {
    StringRef name = cantFail(elf.getSectionName(section));
    if (section.sh_type != ELF::SHT_NOBITS && (section.sh_flags & ELF::SHF_ALLOC || name == noteSection))
      all += name.str() + '\0' + toStringRef(cantFail(elf.getSectionContents(section))).str();
  }
  return all;
}

std::vector<std::string> programs() {
  std::vector<std::string> paths;
  for (const char *room : {"/test", "/examples"})
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(LENO_SOURCE_DIR + std::string(room)))
      if (entry.path().extension() == ".s")
        paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(RoundTrip, EveryProgramOfTheTree) {
  unsigned objects = 0, executables = 0;
  for (const std::string &path : programs()) {
    SCOPED_TRACE(path);
    AssembleOptions options;
    options.includeDirs = {std::filesystem::path(path).parent_path().string()};
    auto source = MemoryBuffer::getFile(path);
    ASSERT_TRUE(source);
    std::optional<Bytes> object = assembleText(std::move(*source), options, nulls());
    if (!object) // a negative test
      continue;
    ++objects;
    std::string text = dumped(*object);
    EXPECT_TRUE(reassembled(text, options) == *object) << text;
    Expected<Bytes> executable = link(bufferOf(*object));
    if (!executable) {
      consumeError(executable.takeError());
      continue;
    }
    ++executables;
    text = dumped(*executable);
    Expected<Bytes> again = link(bufferOf(reassembled(text, options)));
    ASSERT_TRUE(bool(again)) << toString(again.takeError());
    EXPECT_TRUE(*again == *executable) << text;
  }
  EXPECT_GT(objects, 140u);
  EXPECT_GT(executables, 140u);
}

TEST(RoundTrip, LineTablesAsideWithThem) {
  for (const std::string &path : programs()) {
    if (StringRef(path).contains("/errors/"))
      continue;
    SCOPED_TRACE(path);
    AssembleOptions options;
    options.includeDirs = {std::filesystem::path(path).parent_path().string()};
    options.debugLines = true;
    std::optional<Bytes> object =
        assembleText(cantFail(errorOrToExpected(MemoryBuffer::getFile(path))), options, nulls());
    if (!object)
      continue;
    std::string text = dumped(*object);
    EXPECT_TRUE(contents(reassembled(text, options)) == contents(*object)) << text;
  }
}

/// Words of random encodings with random fields: the ends of a field and small values more often than chance.
class RandomWords {
public:
  explicit RandomWords(unsigned seed) : random(seed) {}
  uint64_t next() {
    const EncodingInfo &encoding = allEncodings()[random() % allEncodings().size()];
    uint64_t word = encoding.value;
    for (const EncodingField &field : encoding.fields) {
      uint64_t value = random() << 32 ^ random();
      switch (random() % 5) {
      case 0:
        value &= 255;
        break;
      case 1:
        value &= 252;
        break;
      case 2:
        value = value & 1 ? ~uint64_t(0) : 0;
        break;
      default:
        break;
      }
      for (uint64_t bits = field.bits; bits; bits &= bits - 1, value >>= 1)
        if (value & 1)
          word |= bits & -bits;
    }
    return word;
  }

private:
  std::mt19937_64 random;
};

/// A word that the assembler takes as an instruction.
bool isInstruction(const Decoder &decoder, uint64_t word) {
  MCInst inst;
  return decoder.decode(word, inst) && !decoder.effectsOf(inst).misaligned;
}

TEST(RoundTrip, RandomInstructions) {
  constexpr unsigned chunk = 15000;
  unsigned total = test::effort(chunk), seed = 1;
  Decoder decoder;
  for (unsigned done = 0; done < total; done += chunk, ++seed) {
    RandomWords random(seed);
    std::vector<uint64_t> words;
    std::string text;
    while (words.size() < chunk) {
      uint64_t word = random.next();
      if (!isInstruction(decoder, word))
        continue;
      words.push_back(word);
      text += decoder.print(word) + ";\n";
    }
    Bytes object = reassembled(text, AssembleOptions());
    ASSERT_FALSE(object.empty());
    Elf elf = cantFail(openElf(bufferOf(object)));
    for (const ElfSection &section : cantFail(elf.sections())) {
      if (!(section.sh_flags & ELF::SHF_EXECINSTR))
        continue;
      ArrayRef<uint8_t> bytes = cantFail(elf.getSectionContents(section));
      ASSERT_EQ(bytes.size(), words.size() * wordBytes);
      for (size_t i = 0; i < words.size(); ++i)
        ASSERT_EQ(support::endian::read64le(&bytes[i * wordBytes]), words[i])
            << decoder.print(words[i]) << " seed " << seed << " number " << i;
    }
    // The file as a whole: labels in the places of targets.
    ASSERT_TRUE(reassembled(dumped(object), AssembleOptions()) == object) << "seed " << seed;
  }
}

/// Any words at all: what is no instruction prints as data.
TEST(RoundTrip, RandomWordsInCode) {
  for (unsigned seed = 1; seed <= test::effort(1); ++seed) {
    RandomWords random(seed);
    std::mt19937_64 noise(seed);
    std::string text;
    for (unsigned i = 0; i < 4000; ++i)
      text +=
          ".quad " + std::to_string(random.next() ^ (noise() % 2 ? uint64_t(1) << noise() % 64 : 0)) + "\n";
    Bytes object = reassembled(text, AssembleOptions());
    ASSERT_FALSE(object.empty());
    Bytes again = reassembled(dumped(object), AssembleOptions());
    ASSERT_TRUE(again == object) << "seed " << seed << ": " << difference(object, again);
  }
}

} // namespace

// Words that are no instruction trap when they are reached, with the word told; words whose registers are no
// aligned pair trap; every other word executes or traps for a reason of its own. Through the assembler, the
// loader and every engine of the host.
#include "Harness.h"
#include "asm/Decoder.h"
#include "asm/LoadProgram.h"
#include "emu/program/Predecoder.h"
#include "test/unit/Effort.h"
#include "test/unit/Encodings.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace leno;
using namespace leno::test;

namespace {

/// The words as data of one program, loaded as a file's would be.
Executable load(llvm::ArrayRef<uint64_t> words) {
  std::string text = "  .kernel words\n", diagnostics;
  for (uint64_t word : words)
    text += llvm::formatv("  .quad {0:x16}\n", word).str();
  llvm::raw_string_ostream out(diagnostics);
  auto result = loadProgramText(text + "  EXIT\n  .endkernel\n", "words.s", {}, out);
  EXPECT_TRUE(bool(result)) << diagnostics;
  return llvm::cantFail(std::move(result));
}

/// Runs a warp from each word on, for few instructions; `judge` sees how it ended.
void runEach(llvm::ArrayRef<uint64_t> words, llvm::function_ref<void(uint64_t, const GridRun &)> judge) {
  constexpr size_t most = 2000; // a launch copies the program
  if (words.size() > most) {
    runEach(words.take_front(most), judge);
    return runEach(words.drop_front(most), judge);
  }
  Executable executable = load(words);
  ASSERT_EQ(executable.code().size(), words.size() + 1);
  for (const Engine *engine : availableEngines()) {
    SCOPED_TRACE(std::string("engine ") + engine->name);
    Program program = predecode(executable.code(), *engine);
    TestMachine machine({}, *engine);
    for (size_t i = 0; i < words.size() && !testing::Test::HasFailure(); ++i) {
      LaunchSpec spec;
      spec.kernel = "words";
      spec.entry = 8 * i;
      spec.maxInstructions = 20;
      spec.sharedBytes = 256;
      auto run = llvm::cantFail(Machine::create(machine.device, program, spec));
      run->run();
      judge(words[i], *run->grid());
    }
  }
}

void expectIllegal(const std::vector<uint64_t> &words) {
  runEach(words, [](uint64_t word, const GridRun &run) {
    ASSERT_TRUE(run.trap()) << hex(word) << " does not trap";
    EXPECT_EQ(run.trap()->kind, TrapKind::IllegalInstruction) << hex(word) << ": " << run.trap()->str();
    EXPECT_NE(run.trap()->str().find(llvm::formatv("{0:x16} is not an instruction", word).str()),
              std::string::npos)
        << hex(word) << ": " << run.trap()->str();
  });
  std::cout << words.size() << " words\n";
}

} // namespace

TEST(UndefinedWords, OfEveryOpcodeAndFormTrapWithTheWord) {
  std::vector<uint64_t> words;
  Words random(1);
  for (unsigned opcode = 0; opcode < 128; ++opcode)
    for (unsigned form = 0; form < 4; ++form)
      for (unsigned i = 0; i < effort(12); ++i)
        if (uint64_t word = random.next(opcode, form, recordsAt(opcode, form)); !claiming(word))
          words.push_back(word);
  expectIllegal(words);
}

TEST(UndefinedWords, WithABitThatMustBeOtherwiseTrap) {
  std::vector<uint64_t> words;
  Words random(2);
  for (const Record &record : records())
    for (unsigned bit = 0; bit < 57; ++bit)
      if (record.mask >> bit & 1) {
        uint64_t word = (random.of(record) & ~record.mask) | record.value;
        word ^= uint64_t(1) << bit;
        if (!claiming(word))
          words.push_back(word);
      }
  expectIllegal(words);
}

TEST(UndefinedWords, WithAModifierThatIsNoneTrap) {
  std::vector<uint64_t> words;
  Words random(3);
  for (const Record &record : records())
    for (const auto &[name, field] : record.mods)
      for (unsigned value = unsigned(field.spellings.size()); value < 1u << field.bits; ++value)
        words.push_back(field.put((random.of(record) & ~record.mask) | record.value, value));
  expectIllegal(words);
}

TEST(UndefinedWords, WithModifiersThatDoNotGoTogetherTrap) {
  std::vector<uint64_t> words;
  Words random(4);
  for (const Record &record : records()) {
    if (record.only.empty())
      continue;
    for (unsigned i = 0; i < effort(400); ++i) {
      uint64_t word = (random.of(record) & ~record.mask) | record.value;
      for (const auto &[name, field] : record.mods)
        word = field.put(word, unsigned(random.random() % field.spellings.size()));
      if (record.hasUndefinedModifier(word))
        words.push_back(word);
    }
  }
  EXPECT_GT(words.size(), 500u);
  expectIllegal(words);
}

TEST(UndefinedWords, WithPairsThatAreNotAlignedTrapMisalignedRegister) {
  std::vector<uint64_t> words;
  Words random(5);
  Decoder decoder;
  llvm::MCInst inst;
  for (const Record &record : records())
    for (const WideField &field : record.wide)
      for (unsigned i = 0, found = 0; i < 4000 && found < 6; ++i) {
        uint64_t word = random.of(record) | 7; // @PT, where there is a guard
        if (record.guarded)
          word &= ~uint64_t(8);
        if (!decoder.decode(word, inst))
          continue;
        unsigned count = record.wordsOf(word, field), number = unsigned(random.random() % 255);
        if (count < 2 || (number % count == 0 && number + count <= 255))
          continue;
        word = (word & ~(uint64_t(255) << field.at)) | uint64_t(number) << field.at;
        words.push_back(word);
        ++found;
      }
  EXPECT_GT(words.size(), 300u);
  runEach(words, [](uint64_t word, const GridRun &run) {
    ASSERT_TRUE(run.trap()) << hex(word) << " does not trap";
    EXPECT_EQ(run.trap()->kind, TrapKind::MisalignedRegister)
        << hex(word) << " " << Decoder().print(word) << ": " << run.trap()->str();
  });
  std::cout << words.size() << " words\n";
}

TEST(UndefinedWords, NoOthersTrapSo) {
  std::vector<uint64_t> words;
  Words random(6);
  Decoder decoder;
  llvm::MCInst inst;
  for (const Record &record : records())
    for (unsigned i = 0; i < effort(10); ++i)
      if (uint64_t word = random.of(record); decoder.decode(word, inst))
        words.push_back(word);
  uint64_t at = 0;
  runEach(words, [&](uint64_t word, const GridRun &run) {
    // The next words may trap, but the first one may not for not being an instruction.
    if (run.trap() && run.trap()->kind == TrapKind::IllegalInstruction)
      EXPECT_EQ(run.trap()->str().find(llvm::formatv("{0:x16} is not", word).str()), std::string::npos)
          << hex(word);
    ++at;
  });
  std::cout << at << " words executed\n";
}

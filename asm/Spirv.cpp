#include "asm/Spirv.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;

namespace leno {

namespace {
constexpr uint32_t magic = 0x07230203;
constexpr size_t headerWords = 5;

/// Of the specification's table of opcodes: those that are looked at here.
enum Opcode : uint32_t {
  OpTypeBool = 20,
  OpTypeInt = 21,
  OpTypeFloat = 22,
  OpConstantFalse = 42,
  OpConstant = 43,
  OpConstantNull = 46,
  OpSpecConstantTrue = 48,
  OpSpecConstantFalse = 49,
  OpSpecConstant = 50,
  OpFunction = 54,
  OpDecorate = 71,
  OpConvertPtrToU = 117,
  OpIEqual = 170,
  OpINotEqual = 171,
  OpPtrEqual = 401,
  OpPtrNotEqual = 402
};
constexpr uint32_t SpecId = 1; // a decoration

} // namespace

bool isSpirv(StringRef bytes) {
  if (bytes.size() < 4)
    return false;
  uint32_t first = support::endian::read32le(bytes.data());
  return first == magic || first == byteswap(magic);
}

Expected<std::string> spirvTranslator() {
  if (const char *told = std::getenv("LENO_SPIRV"); told && *told) {
    if (sys::fs::can_execute(told))
      return told;
    return createStringError(Twine("LENO_SPIRV in the environment is '") + told + "', which is no program");
  }
  for (unsigned version = 22; version >= 15; --version) // of those before LLVM cannot read all
    if (auto found = sys::findProgramByName("llvm-spirv-" + std::to_string(version)))
      return *found;
  if (auto found = sys::findProgramByName("llvm-spirv"))
    return *found;
  return createStringError(
      "there is no llvm-spirv, which reads SPIR-V for leno-cc: install the package llvm-spirv-15; "
      "LENO_SPIRV in the environment can tell where it is");
}

Expected<SpirvModule> SpirvModule::read(StringRef bytes) {
  if (!isSpirv(bytes))
    return createStringError("this is not SPIR-V: it does not begin with 0x07230203");
  if (bytes.size() % 4 || bytes.size() / 4 < headerWords)
    return createStringError("SPIR-V of " + Twine(bytes.size()) +
                             " bytes: it is whole words, and its header has " + Twine(headerWords));
  SpirvModule module;
  module.words.resize(bytes.size() / 4);
  std::memcpy(module.words.data(), bytes.data(), bytes.size());
  if (module.words[0] != magic)
    for (uint32_t &word : module.words)
      word = byteswap(word);
  for (size_t at = headerWords, count; at < module.words.size(); at += count) {
    count = module.words[at] >> 16;
    if (count == 0 || count > module.words.size() - at)
      return createStringError("SPIR-V, word " + Twine(at) + ": its instruction has " + Twine(count) +
                               " words, and there are " + Twine(module.words.size() - at));
  }
  return module;
}

std::string SpirvModule::bytes() const {
  return {reinterpret_cast<const char *>(words.data()), words.size() * 4};
}

/// Each instruction's opcode, words and place.
template <class Visit> void SpirvModule::forEach(Visit visit) const {
  for (size_t at = headerWords; at < words.size(); at += words[at] >> 16)
    visit(words[at] & 0xffff, ArrayRef(words).slice(at, words[at] >> 16), at);
}

size_t SpirvModule::definition(uint32_t result) const {
  size_t found = 0;
  forEach([&](uint32_t opcode, ArrayRef<uint32_t> inst, size_t at) {
    bool isType = opcode == OpTypeBool || opcode == OpTypeInt || opcode == OpTypeFloat;
    bool isConstant = opcode >= OpConstantFalse && opcode <= OpSpecConstant;
    size_t which = isType ? 1 : 2;
    if ((isType || isConstant) && inst.size() > which && inst[which] == result)
      found = at;
  });
  return found;
}

unsigned SpirvModule::bitsOf(uint32_t type) const {
  size_t at = definition(type);
  if (!at)
    return 0;
  return (words[at] & 0xffff) == OpTypeBool ? 1 : words[at] >> 16 > 2 ? words[at + 2] : 0;
}

std::vector<size_t> SpirvModule::specialized(uint32_t id) const {
  std::vector<size_t> places;
  forEach([&](uint32_t opcode, ArrayRef<uint32_t> inst, size_t) {
    if (opcode != OpDecorate || inst.size() != 4 || inst[2] != SpecId || inst[3] != id)
      return;
    size_t at = definition(inst[1]);
    uint32_t defines = at ? words[at] & 0xffff : 0;
    if (defines >= OpSpecConstantTrue && defines <= OpSpecConstant)
      places.push_back(at);
  });
  return places;
}

size_t SpirvModule::specializationBytes(uint32_t id) const {
  std::vector<size_t> places = specialized(id);
  return places.empty() ? 0 : (bitsOf(words[places[0] + 1]) + 7) / 8;
}

void SpirvModule::specialize(uint32_t id, StringRef value) {
  for (size_t at : specialized(id)) {
    uint32_t count = words[at] >> 16;
    if ((words[at] & 0xffff) != OpSpecConstant) {
      words[at] = count << 16 | (value[0] ? OpSpecConstantTrue : OpSpecConstantFalse);
      continue;
    }
    std::vector<uint32_t> literal(count - 3);
    std::memcpy(literal.data(), value.data(), std::min(value.size(), literal.size() * 4));
    copy(literal, words.begin() + long(at + 3));
  }
}

void SpirvModule::simplify() {
  std::vector<uint32_t> result(words.begin(), words.begin() + headerWords);
  auto add = [&](uint32_t opcode, std::initializer_list<uint32_t> operands) {
    result.push_back(uint32_t(operands.size() + 1) << 16 | opcode);
    result.insert(result.end(), operands);
  };
  uint32_t bound = words[3]; // the first number that names nothing
  uint32_t address = 0;      // the type of an address as a number
  forEach([&](uint32_t opcode, ArrayRef<uint32_t> inst, size_t) {
    unsigned bits = opcode == OpConstantNull && inst.size() == 3 ? bitsOf(inst[1]) : 0;
    if (opcode == OpTypeInt && inst.size() == 4 && inst[2] == 64)
      address = inst[1];
    if (opcode == OpFunction && !address)
      add(OpTypeInt, {address = bound++, 64, 0});
    if (bits == 1) {
      add(OpConstantFalse, {inst[1], inst[2]});
    } else if (bits > 32) {
      add(OpConstant, {inst[1], inst[2], 0, 0});
    } else if (bits) {
      add(OpConstant, {inst[1], inst[2], 0});
    } else if ((opcode == OpPtrEqual || opcode == OpPtrNotEqual) && inst.size() == 5) {
      uint32_t first = bound++, second = bound++;
      add(OpConvertPtrToU, {address, first, inst[3]});
      add(OpConvertPtrToU, {address, second, inst[4]});
      add(opcode == OpPtrEqual ? OpIEqual : OpINotEqual, {inst[1], inst[2], first, second});
    } else {
      append_range(result, inst);
    }
  });
  result[3] = bound;
  words = std::move(result);
}

} // namespace leno

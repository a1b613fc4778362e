// What code on disk is known by: all that it follows from.
#include "emu/compiled/CodeCache.h"
#include "emu/compiled/CompilerLibrary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELF.h"
#include "llvm/TargetParser/Host.h"

using namespace leno;
using namespace leno::compiled;
using namespace llvm;

namespace {

/// The number of its build; empty: it has none.
std::string buildOf(StringRef bytes) {
  auto elf = object::ELF64LEFile::create(bytes);
  auto headers = elf ? elf->program_headers() : elf.takeError();
  if (!headers) {
    consumeError(headers.takeError());
    return "";
  }
  std::string found;
  for (const auto &header : *headers) {
    if (header.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    for (const auto &note : elf->notes(header, error))
      if (note.getName() == "GNU" && note.getType() == ELF::NT_GNU_BUILD_ID)
        found = toHex(note.getDesc(header.p_align));
    consumeError(std::move(error));
  }
  return found;
}

/// The same wherever it lies.
std::string identityOf(StringRef library) {
  auto file = MemoryBuffer::getFile(library, false, /*RequiresNullTerminator=*/false);
  if (!file)
    return library.str();
  const StringRef bytes = (*file)->getBuffer();
  std::string build = buildOf(bytes);
  return build.empty() ? toHex(BLAKE3::hash<>(arrayRefFromStringRef(bytes))) : build;
}

/// What of the key is the same for all regions.
struct Maker {
  std::string compiler, llvm, host;
  explicit Maker(StringRef compiler)
      : compiler(identityOf(compiler)), llvm(identityOf(fileOfLLVM())), host(hostWords()) {}
  static std::string hostWords() {
    std::string words = sys::getHostCPUName().str();
    std::vector<std::string> features;
    for (const auto &[name, isThere] : sys::getHostCPUFeatures())
      features.push_back((isThere ? "+" : "-") + name.str());
    llvm::sort(features);
    for (const std::string &feature : features)
      words += feature;
    return words;
  }
};

} // namespace

Expected<CodeCache::Key> CodeCache::keyOf(const Region &region) {
  Expected<std::string> compiler = compilerFile();
  if (!compiler)
    return compiler.takeError();
  static const Maker *maker = new Maker(*compiler); // threads may ask while the process ends
  BLAKE3 hash;
  auto number = [&](u64 value) {
    hash.update(ArrayRef(reinterpret_cast<const uint8_t *>(&value), sizeof(value)));
  };
  auto text = [&](StringRef words) {
    number(words.size());
    hash.update(words);
  };
  number(Compiler::current);
  text(maker->compiler);
  text(maker->llvm);
  text(maker->host);
  text(region.width);
  number(u64(region.warps));
  number(region.count);
  for (const Operation &each : ArrayRef(region.operations, region.count)) {
    text(StringRef(reinterpret_cast<const char *>(&each.op), sizeof(Op)));
    for (u64 part :
         {u64(each.index), u64(each.form), u64(each.stack), u64(each.kind), u64(each.isLeader),
          u64(each.tokenType), u64(each.reason), u64(each.window), u64(each.lanes), u64(each.parts),
          u64(each.goesOut), u64(each.beginsTurns), u64(each.isBarrier), u64(each.countsGuard),
          u64(each.counters), each.shared[0], each.shared[1], each.shared[2], each.shared[3]})
      number(part);
  }
  number(region.poolSize);
  for (const PoolWord &word : ArrayRef(region.pool, region.poolSize)) {
    number(word.isConstant);
    number(word.value);
  }
  number(region.entry);
  number(region.counts);
  number(region.sharesWords);
  number(region.stackCount);
  for (const StackShape &shape : ArrayRef(region.stacks, region.stackCount)) {
    number(shape.depth);
    for (const StackEntry &entry : ArrayRef(shape.entries, shape.depth)) {
      number(entry.type);
      number(entry.pc);
    }
  }
  return hash.final<>();
}

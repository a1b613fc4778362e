#include "emu/constants/LaunchConstants.h"
#include "emu/engine/Services.h"
#include "emu/launch/GridRun.h"
#include "emu/semantics/Memory.h"
#include "emu/sm/Cta.h"
#include <algorithm>
#include <cstring>

using namespace leno;

LaunchConstants::LaunchConstants(ConstantUnit &unit, const ConstantBanks &banks, const Program &program)
    : unit(unit), banks(banks), program(program), images(unit.sms()) {
  for (Image &image : images)
    for (unsigned bank = 0; bank < ConstantBanks::count; ++bank) {
      llvm::ArrayRef<uint8_t> bytes = banks.bank(bank);
      std::vector<uint8_t> &copy = image.bytes[bank];
      copy.resize((bytes.size() + 3) / 4 * 4);
      std::transform(bytes.begin(), bytes.end(), copy.begin(), [](uint8_t byte) { return uint8_t(~byte); });
      image.windows[bank] = {0, bytes.size(), copy.data()};
    }
}

//===--- What an operation reads ------------------------------------------===//

void LaunchConstants::Words::add(u32 bank, u32 offset) {
  std::pair word(bank, offset);
  if (std::find(distinct.begin(), distinct.end(), word) == distinct.end())
    distinct.push_back(word);
}

void LaunchConstants::operandsOf(const Op &op, Words &words) const {
  if (op.flags & Op::setSync) // whose b is the join
    return;
  for (s32 offset : {op.a, op.b, op.c})
    if (std::optional<size_t> row = program.poolRowAt(offset); row && program.pool()[*row].isConstant)
      for (u32 k = 0, count = program.pool()[*row].words; k < count; ++k)
        words.add(program.pool()[*row - k].bank, program.pool()[*row - k].offset);
}

// Architecture.md 7: an indexed read with k distinct words is k accesses. What traps reads nothing.
void LaunchConstants::indexedOf(const Warp &warp, const Op &op, Words &words) const {
  isa::LDCMods mods;
  std::memcpy(&mods, op.mods, sizeof(mods));
  unsigned bytes = sem::bytesOf(mods.size);
  const u32 *base = reinterpret_cast<const u32 *>(warp.frame + op.a);
  u64 size = banks.bank(op.extra).size();
  for (LaneMask left = warp.executing(op); left; left &= left - 1) {
    u32 address = base[__builtin_ctz(left)] + u32(op.immediate);
    if (address % bytes != 0 || address >= size || bytes > size - address) {
      words.distinct.clear();
      return;
    }
    for (u32 word = address / 4; word <= (address + bytes - 1) / 4; ++word)
      words.add(op.extra, word * 4);
  }
}

bool LaunchConstants::areReadBy(const Op &op) const {
  if (op.inner == service::misalignedRegister || op.inner == service::misalignedConstant)
    return false;
  Words words;
  operandsOf(op, words);
  return !words.distinct.empty() || op.semantic == Semantic::LDC;
}

//===--- Reading ----------------------------------------------------------===//

bool LaunchConstants::read(Warp &warp, const Op &op) {
  Words words;
  operandsOf(op, words);
  if (op.semantic == Semantic::LDC)
    indexedOf(warp, op, words);
  const StreamingMultiprocessor &on = warp.multiprocessor();
  unsigned sm = on.identity();
  // The L1 takes a word each cycle; the warp waits for the last to come.
  u64 start = warp.time().now(), done = start + 1;
  MemoryChain *chain = warp.grid().memoryChain();
  auto fromMemory = [&](u32 word, u64 cycle) {
    u64 bytes = warp.grid().device().config().constants.caches.l2.lineBytes;
    return chain->constantLine(on.index(), MemoryChain::constantsAddress + u64(word) * 4, bytes, cycle);
  };
  ConstantUnit::Memory memory;
  if (chain)
    memory = fromMemory;
  for (auto [bank, offset] : words.distinct) {
    ConstantUnit::Read read = unit.read(sm, constantWord(bank, offset), start++, memory);
    ConstantAccess access{bank, offset, read.value, read.source};
    warp.grid().tell(Observer::Constants, [&](Observer &o) { o.constantAccess(warp, op, access); });
    if (read.source == ConstantSource::Stalled)
      return false;
    done = std::max(done, read.done);
    deposit(warp, op, access);
  }
  // An instruction has a cycle of its own: what is there at its end costs nothing.
  if (unit.takesTime())
    unit.addWait(on.index(), warp.time().waitUntil(done - 1));
  return true;
}

void LaunchConstants::deposit(Warp &warp, const Op &op, const ConstantAccess &access) {
  if (op.semantic == Semantic::LDC) {
    std::vector<uint8_t> &bytes = images[warp.multiprocessor().identity()].bytes[access.bank];
    std::memcpy(&bytes[access.offset], &access.value, 4);
    return;
  }
  for (s32 offset : {op.a, op.b, op.c}) {
    std::optional<size_t> row = program.poolRowAt(offset);
    for (u32 k = 0, count = row ? program.pool()[*row].words : 0; k < count; ++k)
      if (const Program::PoolRow &entry = program.pool()[*row - k];
          entry.isConstant && entry.bank == access.bank && entry.offset == access.offset) {
        Row *rows = reinterpret_cast<Row *>(warp.frame + offset);
        std::fill_n(rows[k].lane, laneCount, access.value);
      }
  }
}

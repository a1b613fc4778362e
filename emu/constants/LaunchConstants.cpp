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
  for (const Op &op : program.ops())
    operands.push_back(operandsOf(op));
}

//===--- What an operation reads ------------------------------------------===//

LaunchConstants::Word &LaunchConstants::Words::add(u32 bank, u32 offset) {
  auto same =
      llvm::find_if(distinct, [&](const Word &word) { return word.bank == bank && word.offset == offset; });
  return same != distinct.end() ? *same : distinct.emplace_back(Word{bank, offset});
}

LaunchConstants::Words LaunchConstants::operandsOf(const Op &op) const {
  Words words;
  if (op.flags & Op::setSync) // whose b is the join
    return words;
  for (s32 offset : {op.a, op.b, op.c})
    if (std::optional<size_t> row = program.poolRowAt(offset); row && program.pool()[*row].isConstant)
      for (u32 k = 0, count = program.pool()[*row].words; k < count; ++k) {
        const Program::PoolRow &entry = program.pool()[*row - k];
        Word &word = words.add(entry.bank, entry.offset);
        if (s32 place = offset + s32(k * rowBytes); !llvm::is_contained(word.rows, place))
          word.rows.push_back(place);
      }
  return words;
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
  return !operandsOf(op).distinct.empty() || op.semantic == Semantic::LDC;
}

//===--- Reading ----------------------------------------------------------===//

bool LaunchConstants::read(Warp &warp, const Op &op) {
  const Words *words = &operands[warp.grid().indexOf(op)];
  Words indexed;
  const bool isIndexed = op.semantic == Semantic::LDC;
  if (isIndexed) {
    indexed = *words;
    indexedOf(warp, op, indexed);
    words = &indexed;
  }
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
  for (const Word &word : words->distinct) {
    ConstantUnit::Read read = unit.read(sm, constantWord(word.bank, word.offset), start++, memory);
    warp.grid().tell(Observer::Constants, [&](Observer &o) {
      o.constantAccess(warp, op, {word.bank, word.offset, read.value, read.source});
    });
    if (read.source == ConstantSource::Stalled)
      return false;
    done = std::max(done, read.done);
    if (isIndexed)
      std::memcpy(&images[sm].bytes[word.bank][word.offset], &read.value, 4);
    else
      for (s32 place : word.rows) // the same in all lanes
        if (Row &row = *reinterpret_cast<Row *>(warp.frame + place); row.lane[0] != read.value)
          std::fill_n(row.lane, laneCount, read.value);
  }
  // An instruction has a cycle of its own: what is there at its end costs nothing.
  if (unit.takesTime())
    unit.addWait(on.index(), warp.time().waitUntil(done - 1));
  return true;
}

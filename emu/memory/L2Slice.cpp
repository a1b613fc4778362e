#include "emu/memory/L2Slice.h"
#include "asm/support/Assert.h"
#include <cstring>

using namespace leno;

L2Slice::L2Slice(const CacheShape &shape, Dram *dram)
    : bytesOfLine(shape.lineBytes), dram(dram), array(shape, Line()) {}

L2Slice::ByteMask L2Slice::maskOf(u64 address, size_t count) const {
  u64 first = address % bytesOfLine;
  LENO_ASSERT(count > 0 && first + count <= bytesOfLine, "an access to a slice crosses its line");
  return ByteMask::range(first, count);
}

L2Slice::Line &L2Slice::place(u64 number) {
  Line *line = array.victim(number, [](const Line &) { return true; });
  if (line->present) {
    ++counters.evictions;
    if (line->dirty.any()) {
      ++counters.writeBacks;
      writeBack(*line);
    }
  }
  line->number = number;
  line->present = true;
  line->valid.reset();
  line->dirty.reset();
  if (dram)
    line->bytes.resize(bytesOfLine);
  return *array.use(number);
}

// Runs of dirty bytes: those between them memory may have newer than the line, which never had them.
void L2Slice::writeBack(Line &line) {
  for (size_t first = 0; dram && first < bytesOfLine;) {
    if (!line.dirty[first]) {
      ++first;
      continue;
    }
    size_t end = first;
    while (end < bytesOfLine && line.dirty[end])
      ++end;
    dram->write(line.number * bytesOfLine + first, llvm::ArrayRef(line.bytes).slice(first, end - first));
    first = end;
  }
  line.dirty.reset();
}

void L2Slice::fetch(Line &line) {
  if (dram) {
    std::vector<u8> fetched(bytesOfLine);
    dram->read(line.number * bytesOfLine, fetched);
    for (size_t i = 0; i < bytesOfLine; ++i)
      if (!line.valid[i])
        line.bytes[i] = fetched[i];
  }
  line.valid = ByteMask::range(0, bytesOfLine);
}

/// The line with those bytes, and whether the access hit.
std::pair<L2Slice::Line *, bool> L2Slice::find(u64 number, const ByteMask &bytes, bool isStore) {
  Line *line = array.use(number);
  bool hit = line && (isStore || line->valid.covers(bytes));
  ++(isStore ? hit ? counters.writeHits : counters.writeMisses
     : hit   ? counters.readHits
             : counters.readMisses);
  if (!line)
    line = &place(number);
  if (isStore) {
    line->valid |= bytes;
    line->dirty |= bytes;
  } else if (!hit) {
    fetch(*line);
  }
  return {line, hit};
}

bool L2Slice::read(u64 address, llvm::MutableArrayRef<u8> bytes) {
  auto [line, hit] = find(address / bytesOfLine, maskOf(address, bytes.size()), false);
  std::memcpy(bytes.data(), &line->bytes[address % bytesOfLine], bytes.size());
  return hit;
}

bool L2Slice::write(u64 address, llvm::ArrayRef<u8> bytes) {
  auto [line, hit] = find(address / bytesOfLine, maskOf(address, bytes.size()), true);
  std::memcpy(&line->bytes[address % bytesOfLine], bytes.data(), bytes.size());
  return hit;
}

void L2Slice::flush() {
  for (Line &line : array)
    if (line.present && line.dirty.any()) {
      ++counters.writeBacks;
      writeBack(line);
    }
}

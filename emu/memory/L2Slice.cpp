#include "emu/memory/L2Slice.h"
#include "isa/Assert.h"
#include <cstring>

using namespace leno;

L2Slice::L2Slice(const CacheShape &shape, Dram &dram)
    : bytesOfLine(shape.lineBytes), dram(dram), array(shape, Line()) {}

L2Slice::ByteMask L2Slice::maskOf(u64 address, size_t count) const {
  u64 first = address % bytesOfLine;
  LENO_ASSERT(count > 0 && first + count <= bytesOfLine, "an access to a slice crosses its line");
  ByteMask ones = ~ByteMask() >> (mostLineBytes - count);
  return ones << first;
}

L2Slice::Line &L2Slice::place(u64 address) {
  u64 number = address / bytesOfLine;
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
  line->bytes.resize(bytesOfLine);
  return *array.use(number);
}

// Runs of dirty bytes: those between them memory may have newer than the line, which never had them.
void L2Slice::writeBack(Line &line) {
  for (size_t first = 0; first < bytesOfLine;) {
    if (!line.dirty[first]) {
      ++first;
      continue;
    }
    size_t end = first;
    while (end < bytesOfLine && line.dirty[end])
      ++end;
    dram.write(line.number * bytesOfLine + first, llvm::ArrayRef(line.bytes).slice(first, end - first));
    first = end;
  }
  line.dirty.reset();
}

bool L2Slice::read(u64 address, llvm::MutableArrayRef<u8> bytes) {
  ByteMask wanted = maskOf(address, bytes.size());
  Line *line = array.use(address / bytesOfLine);
  bool hit = line && (wanted & ~line->valid).none();
  ++(hit ? counters.readHits : counters.readMisses);
  if (!hit) {
    if (!line)
      line = &place(address);
    std::vector<u8> fetched(bytesOfLine);
    dram.read(line->number * bytesOfLine, fetched);
    for (size_t i = 0; i < bytesOfLine; ++i)
      if (!line->valid[i])
        line->bytes[i] = fetched[i];
    line->valid = ~ByteMask() >> (mostLineBytes - bytesOfLine);
  }
  std::memcpy(bytes.data(), &line->bytes[address % bytesOfLine], bytes.size());
  return hit;
}

bool L2Slice::write(u64 address, llvm::ArrayRef<u8> bytes) {
  ByteMask written = maskOf(address, bytes.size());
  Line *line = array.use(address / bytesOfLine);
  bool hit = line != nullptr;
  ++(hit ? counters.writeHits : counters.writeMisses);
  if (!hit)
    line = &place(address);
  std::memcpy(&line->bytes[address % bytesOfLine], bytes.data(), bytes.size());
  line->valid |= written;
  line->dirty |= written;
  return hit;
}

void L2Slice::flush() {
  for (Line &line : array)
    if (line.present && line.dirty.any()) {
      ++counters.writeBacks;
      writeBack(line);
    }
}

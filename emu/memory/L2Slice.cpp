#include "emu/memory/L2Slice.h"

using namespace leno;

/// An empty line, in the place of another where there is none.
L2Slice::Line &L2Slice::place(u64 number) {
  Line &line = *array.victim(number);
  if (array.numberOf(line) != array.nothing) {
    ++counters.evictions;
    counters.writeBacks += line.dirty.any();
  }
  line = {};
  return array.put(line, number);
}

bool L2Slice::load(u64 number, const ByteMask &bytes) {
  Line *line = array.use(number);
  if (line && line->valid.covers(bytes)) {
    ++counters.readHits;
    return true;
  }
  ++counters.readMisses;
  (line ? *line : place(number)).valid = ByteMask::range(0, bytesOfLine);
  return false;
}

bool L2Slice::store(u64 number, const ByteMask &bytes) {
  Line *found = array.use(number);
  ++(found ? counters.writeHits : counters.writeMisses);
  Line &line = found ? *found : place(number);
  line.valid |= bytes;
  line.dirty |= bytes;
  return found;
}

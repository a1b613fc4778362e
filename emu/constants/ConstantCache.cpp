#include "emu/constants/ConstantCache.h"
#include "asm/support/Assert.h"
#include <algorithm>
#include <bit>

using namespace leno;

ConstantCache::ConstantCache(const CacheShape &shape, Marked marked)
    : wordsOfLine(shape.lineBytes / 4), locks(marked == Marked::Locked),
      array(shape, {0, 0, std::vector<u32>(wordsOfLine), std::vector<u64>(wordsOfLine)}) {}

std::optional<u32> ConstantCache::read(u32 word) {
  Line *line = array.use(lineOf(word));
  if (!line || !(line->valid & bitOf(word)))
    return std::nullopt;
  return line->values[placeOf(word)];
}

bool ConstantCache::hasRoomFor(u32 word) const {
  if (array.find(lineOf(word)))
    return true;
  auto &self = const_cast<ConstantCache &>(*this); // finding a victim changes nothing
  return self.array.victim(lineOf(word), [&](const Line &line) { return mayGo(line); }) != nullptr;
}

ConstantCache::Line &ConstantCache::place(u32 word, std::vector<Word> &evicted) {
  if (Line *line = array.use(lineOf(word)))
    return *line;
  Line *line = array.victim(lineOf(word), [&](const Line &each) { return mayGo(each); });
  LENO_ASSERT(line, "a constant has no room: ask hasRoomFor first");
  if (u64 number = array.numberOf(*line); number != array.nothing)
    collect(*line, number, 0, evicted);
  line->valid = line->marked = 0;
  return array.put(*line, lineOf(word));
}

std::vector<ConstantCache::Word> ConstantCache::write(u32 word, u32 value, u64 stamp, bool mark) {
  std::vector<Word> evicted;
  Line &line = place(word, evicted);
  line.values[placeOf(word)] = value;
  line.stamps[placeOf(word)] = stamp;
  line.valid |= bitOf(word);
  line.marked = mark ? line.marked | bitOf(word) : line.marked & ~bitOf(word);
  return evicted;
}

std::vector<ConstantCache::Word> ConstantCache::fill(u32 firstWord, llvm::ArrayRef<u32> values) {
  std::vector<Word> evicted;
  Line &line = place(firstWord, evicted);
  for (unsigned i = 0; i < wordsOfLine; ++i)
    if (!(line.valid >> i & 1))
      line.values[i] = values[i];
  line.valid = ~u64(0) >> (64 - wordsOfLine);
  return evicted;
}

void ConstantCache::collect(const Line &line, u64 number, u64 after, std::vector<Word> &words) const {
  for (u64 left = line.marked; left; left &= left - 1) {
    unsigned i = unsigned(std::countr_zero(left));
    if (line.stamps[i] > after)
      words.push_back({u32(number * wordsOfLine + i), line.values[i], line.stamps[i]});
  }
}

std::vector<ConstantCache::Word> ConstantCache::markedSince(u64 after) const {
  std::vector<Word> words;
  array.forEach([&](const Line &line, u64 number) { collect(line, number, after, words); });
  std::sort(words.begin(), words.end(), [](const Word &a, const Word &b) { return a.word < b.word; });
  return words;
}

void ConstantCache::unmark(u64 stamp) {
  array.forEach([&](Line &line, u64) {
    for (u64 left = line.marked; left; left &= left - 1)
      if (unsigned i = unsigned(std::countr_zero(left)); line.stamps[i] <= stamp)
        line.marked &= ~(u64(1) << i);
  });
}

void ConstantCache::invalidate() {
  array.forEach([&](Line &line, u64) { array.drop(line); });
}

std::optional<ConstantWordState::Copy> ConstantCache::copyOf(u32 word) const {
  const Line *line = array.find(lineOf(word));
  if (!line || !(line->valid & bitOf(word)))
    return std::nullopt;
  bool marked = line->marked & bitOf(word);
  return ConstantWordState::Copy{line->values[placeOf(word)], marked,
                                 marked ? line->stamps[placeOf(word)] : 0};
}

void ConstantCache::invalidateUnmarked() {
  array.forEach([&](Line &line, u64) {
    line.valid = line.marked;
    if (!line.marked)
      array.drop(line);
  });
}

u64 ConstantCache::markedWords() const {
  u64 count = 0;
  array.forEach([&](const Line &line, u64) { count += u64(std::popcount(line.marked)); });
  return count;
}

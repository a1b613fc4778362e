#include "emu/constants/OldestInL2.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace leno;

OldestInL2::OldestInL2(const ConstantCacheConfig &config, unsigned smCount)
    : ConstantProtocol(smCount), l1(smCount, ConstantCache(config.l1, ConstantCache::Marked::Locked)),
      l2(config.l2), versions(smCount, 1) {}

ConstantProtocol::Wait OldestInL2::constant(u32 word, u32 value) {
  if (!isSomeInactive() && activeSms())
    return Wait::NoInactiveSm;
  auto isThere = [&](unsigned sm) { return isPresent(sm) && !isActive(sm); };
  auto locked = [&] {
    for (unsigned sm = 0; sm < smCount(); ++sm)
      if (isThere(sm) && !l1[sm].hasRoomFor(word))
        return true;
    return false;
  };
  if (locked()) {
    // With nothing active the L2 takes what is locked; otherwise it will, when the SMs that use its version
    // are done: they have no locked words, and so cannot be waiting themselves.
    settle();
    if (locked())
      return Wait::Locked;
  }
  bool isAlone = !isSomeInactive();
  if (isAlone)
    settle(); // the L2 is current then
  openSequence();
  ++current;
  for (unsigned sm = 0; sm < smCount(); ++sm)
    if (isThere(sm)) {
      if (isValid(sm))
        tell({.kind = ConstantEvent::Incoherent, .sm = sm});
      l1[sm].write(word, value, current);
      versions[sm] = current;
      ++countsOf(sm).writtenWords;
      tell({.kind = ConstantEvent::ConstantToL1, .sm = sm, .version = current, .word = word, .value = value});
      tell({.kind = ConstantEvent::Locked, .sm = sm, .words = 1});
    }
  if (isAlone) {
    l2.write(word, value);
    inL2 = current;
    tell({.kind = ConstantEvent::ConstantToL2, .version = current, .word = word, .value = value});
  }
  for (unsigned sm = 0; sm < smCount(); ++sm)
    rest(sm);
  return Wait::None;
}

void OldestInL2::work(unsigned sm) {
  settle();
  start(sm);
}

void OldestInL2::done(unsigned sm) {
  if (finish(sm))
    settle();
}

void OldestInL2::settle() {
  bool l2InUse = false;
  for (unsigned sm = 0; sm < smCount(); ++sm)
    l2InUse |= isActive(sm) && versions[sm] == inL2;
  if (!l2InUse && inL2 != current)
    raiseL2();
  for (unsigned sm = 0; sm < smCount(); ++sm)
    if (isPresent(sm) && !isActive(sm) && versions[sm] != current)
      copy(holderOf(current), sm);
  for (unsigned sm = 0; sm < smCount(); ++sm)
    rest(sm);
}

/// An inactive SM that is away: what it has is of use only while nobody else has the current version. Else it
/// is like one that has just been made coherent with the L2, and has nothing.
void OldestInL2::rest(unsigned sm) {
  if (isPresent(sm) || isActive(sm))
    return;
  if (versions[sm] == current && inL2 != current) {
    bool isKept = false;
    for (unsigned other = 0; other < smCount(); ++other)
      isKept |= other != sm && versions[other] == current;
    if (!isKept)
      return;
  }
  l1[sm].invalidate();
  versions[sm] = inL2;
}

u64 OldestInL2::left(unsigned sm) {
  l1[sm].invalidateUnmarked();
  rest(sm);
  return l1[sm].markedWords();
}

u64 OldestInL2::came(unsigned sm) {
  l1[sm].invalidateUnmarked();
  u64 words = l1[sm].markedWords();
  if (!isActive(sm))
    settle();
  return words;
}

void OldestInL2::raiseL2() {
  u64 oldest = current;
  for (unsigned sm = 0; sm < smCount(); ++sm)
    if (isActive(sm))
      oldest = std::min(oldest, versions[sm]);
  unsigned from = holderOf(oldest);
  for (unsigned sm = 0; sm < smCount(); ++sm)
    if (!isActive(sm) && isPresent(sm) && versions[sm] == inL2)
      copy(from, sm);
  std::vector<ConstantCache::Word> words = l1[from].markedSince(inL2);
  for (const ConstantCache::Word &word : words)
    l2.write(word.word, word.value);
  inL2 = oldest;
  tell({.kind = ConstantEvent::CopiedToL2, .from = from, .words = words.size(), .version = oldest});
  for (unsigned sm = 0; sm < smCount(); ++sm) {
    // Words that a later version wrote stay locked.
    u64 locked = lockedWords(sm);
    l1[sm].unmark(oldest);
    if (locked != lockedWords(sm))
      tell({.kind = ConstantEvent::Unlocked, .sm = sm, .words = locked - lockedWords(sm)});
    if (isPresent(sm) && isValid(sm))
      tell({.kind = ConstantEvent::Coherent, .sm = sm, .version = oldest});
  }
}

// The receiver has room: what it then has locked is the difference of the L2's version and its own, and the
// giver, of the same shape, has just that locked.
void OldestInL2::copy(unsigned from, unsigned to) {
  std::vector<ConstantCache::Word> words = l1[from].markedSince(versions[to]);
  for (const ConstantCache::Word &word : words)
    l1[to].write(word.word, word.value, word.stamp);
  versions[to] = versions[from];
  countsOf(to).copiedWords += words.size();
  tell({.kind = ConstantEvent::CopiedToL1,
        .sm = to,
        .from = from,
        .words = words.size(),
        .version = versions[to]});
  if (!words.empty())
    tell({.kind = ConstantEvent::Locked, .sm = to, .words = words.size()});
}

unsigned OldestInL2::holderOf(u64 version) const {
  unsigned found = smCount();
  for (unsigned sm = 0; sm < smCount(); ++sm)
    if (versions[sm] == version && (found == smCount() || (isActive(sm) && !isActive(found))))
      found = sm;
  LENO_ASSERT(found < smCount(), "no L1 holds a version of the constants that is in use");
  return found;
}

ConstantProtocol::Read OldestInL2::read(unsigned sm, u32 word) {
  ConstantCache &cache = l1[sm];
  if (std::optional<u32> value = cache.read(word)) {
    count(sm, Source::L1);
    return {*value, Source::L1};
  }
  if (!cache.hasRoomFor(word)) {
    count(sm, Source::Stalled);
    tell({.kind = ConstantEvent::ReadStalls, .sm = sm, .word = word});
    return {0, Source::Stalled};
  }
  u32 first = word - word % cache.lineWords();
  llvm::SmallVector<u32, 64> line(cache.lineWords());
  Source source = l2.read(first, line) ? Source::L2 : Source::Memory;
  cache.fill(first, line);
  count(sm, source);
  // What the L2's version and the SM's differ in is locked in its L1: the word just filled is none of that.
  return {line[word - first], source};
}

ConstantWordState OldestInL2::stateOf(u32 word) const {
  ConstantWordState state;
  for (unsigned sm = 0; sm < smCount(); ++sm)
    state.sms.push_back({isActive(sm), versions[sm], isValid(sm), l1[sm].copyOf(word)});
  state.l2Version = inL2;
  state.current = current;
  l2.look(word, state);
  return state;
}

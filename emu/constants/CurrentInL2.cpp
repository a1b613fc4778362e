#include "emu/constants/CurrentInL2.h"
#include "llvm/ADT/SmallVector.h"

using namespace leno;

CurrentInL2::CurrentInL2(const ConstantCacheConfig &config, unsigned smCount)
    : ConstantProtocol(smCount), l1(smCount, ConstantCache(config.l1, ConstantCache::Marked::WrittenBack)),
      l2(config.l2), tags(smCount), capacity(config.backupWords), queueWords(config.queueWords) {}

ConstantProtocol::Wait CurrentInL2::constant(u32 word, u32 value) {
  if (!isSomeInactive() && activeSms())
    return Wait::NoInactiveSm;
  if (queue.size() >= queueWords && !takePosted())
    return Wait::BackupFull;
  openSequence();
  for (unsigned sm = 0; sm < smCount(); ++sm)
    if (isPresent(sm) && !isActive(sm)) {
      l1[sm].write(word, value, 0, /*mark=*/false);
      ++countsOf(sm).writtenWords;
      tell({.kind = ConstantEvent::ConstantToL1,
            .sm = sm,
            .version = sequence + 1,
            .word = word,
            .value = value});
    }
  queue.push_back({word, value, sequence});
  return Wait::None;
}

void CurrentInL2::done(unsigned sm) {
  if (!finish(sm))
    return;
  if (startedAt[sm] != sequence) {
    // Old, or it will be when the L2 takes what is posted.
    l1[sm].invalidate();
    tags[sm] = 0;
    if (isPresent(sm)) // or its context has ended
      ++countsOf(sm).invalidations;
    tell({.kind = ConstantEvent::Invalidated, .sm = sm});
  }
  retire();
}

bool CurrentInL2::someActiveBefore(u64 sequence) const {
  for (unsigned sm = 0; sm < smCount(); ++sm)
    if (isActive(sm) && startedAt[sm] < sequence)
      return true;
  return false;
}

void CurrentInL2::age(u64 sequence) {
  taken = sequence;
  for (unsigned sm = 0; sm < smCount(); ++sm)
    if (isActive(sm) && startedAt[sm] < sequence)
      tell({.kind = ConstantEvent::Aged, .sm = sm, .version = ++tags[sm]});
}

bool CurrentInL2::takePosted() {
  if (queue.empty())
    return false;
  Post post = queue.front();
  bool keep = someActiveBefore(post.sequence) && !backup.contains({post.word, post.sequence});
  if (keep && backup.size() >= capacity)
    return false;
  if (taken != post.sequence)
    age(post.sequence);
  if (keep) {
    u32 old = 0;
    l2.read(post.word, old);
    backup[{post.word, post.sequence}] = old;
    tell({.kind = ConstantEvent::BackedUp, .version = 1, .word = post.word, .value = old});
  }
  l2.write(post.word, post.value);
  queue.pop_front();
  tell({.kind = ConstantEvent::ConstantToL2,
        .version = post.sequence + 1,
        .word = post.word,
        .value = post.value});
  return true;
}

// An entry that sequence s put there is read by an SM that started before s and, if the word has an older
// entry, not before the sequence that made that one.
void CurrentInL2::retire() {
  u64 gone = 0;
  for (auto entry = backup.begin(); entry != backup.end();) {
    auto [word, replacedBy] = entry->first;
    u64 from = 0;
    if (entry != backup.begin())
      if (auto older = std::prev(entry)->first; older.word == word)
        from = older.replacedBy;
    bool asked = false;
    for (unsigned sm = 0; sm < smCount(); ++sm)
      asked |= isActive(sm) && startedAt[sm] >= from && startedAt[sm] < replacedBy;
    // The next entry of the word then answers for what this one did: nobody.
    entry = asked ? std::next(entry) : backup.erase(entry);
    gone += !asked;
  }
  if (gone)
    tell({.kind = ConstantEvent::Retired, .words = gone});
}

ConstantProtocol::Read CurrentInL2::read(unsigned sm, u32 word) {
  ConstantCache &cache = l1[sm];
  if (std::optional<u32> value = cache.read(word)) {
    count(sm, Source::L1);
    return {*value, Source::L1};
  }
  while (!queue.empty() && queue.front().sequence <= startedAt[sm])
    if (!takePosted()) {
      count(sm, Source::Stalled);
      tell({.kind = ConstantEvent::ReadStalls, .sm = sm, .word = word});
      return {0, Source::Stalled};
    }
  u32 first = word - word % cache.lineWords();
  llvm::SmallVector<u32, 64> line(cache.lineWords());
  Source source = l2.read(first, line) ? Source::L2 : Source::Memory;
  for (unsigned i = 0; tags[sm] && i < line.size(); ++i) {
    // With tag v: the earliest of the last v sequences that replaced the word.
    auto entry = backup.upper_bound({first + i, taken - tags[sm]});
    if (entry == backup.end() || entry->first.word != first + i)
      continue;
    line[i] = entry->second;
    readsOfBackup += first + i == word;
  }
  cache.fill(first, line);
  count(sm, source);
  return {line[word - first], source};
}

ConstantWordState CurrentInL2::stateOf(u32 word) const {
  ConstantWordState state;
  for (unsigned sm = 0; sm < smCount(); ++sm)
    state.sms.push_back({isActive(sm), tags[sm], false, l1[sm].copyOf(word)});
  l2.look(word, state);
  // A value enters with age 1, and every sequence since has aged it by one.
  for (auto entry = backup.lower_bound({word, 0}); entry != backup.end() && entry->first.word == word;
       ++entry)
    state.backup.insert(state.backup.begin(), {taken - entry->first.replacedBy + 1, entry->second});
  for (const Post &post : queue)
    if (post.word == word)
      state.posted.push_back(post.value);
  return state;
}

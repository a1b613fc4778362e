//===- ConstantProtocol.h - Who has which version of the constants --------===//
// S2: constants change while threads run that still use the old ones. Three
// controllers keep that promise, and programs cannot tell them apart:
//
//   OldestInL2     S2's first protocol (figures 3A, 3B, 4), "A"
//   CurrentInL2    S2's second protocol (figures 5, 6, 7), "B"
//   DrainedStore   S2's background: one store, changed when nothing runs
//
// A controller takes the commands of a stream one at a time: constants and
// work. An SM is active while it has work, all of it given out at one version
// of the constants. A controller that cannot go on says why, changes nothing,
// and is asked again later. It knows no clock: what it moves it tells a
// listener, and the unit (ConstantUnit.h) makes time of that.
//
// Where contexts share a device (S4), each has a controller, and its SMs come
// and go: an SM that works for another context is absent, and its L1 is that
// one's. What then counts is the state of an SM, wherever it is: its work and
// its version stay, also while it waits in context storage, and it comes back
// to any SM, whose L1 is invalid for it. Numbers below are of such states;
// counts belong to the SM that a state is on.
//===----------------------------------------------------------------------===//
#pragma once
#include "asm/support/Assert.h"
#include "emu/constants/ConstantCacheConfig.h"
#include "emu/constants/ConstantL2.h"
#include <memory>

namespace leno {

/// What a controller did, in the order in which it did it.
struct ConstantEvent {
  enum Kind {
    WorkGiven,      ///< SM `sm` has work; active
    WorkDone,       ///< SM `sm` has none left; inactive
    ConstantToL1,   ///< a constant command wrote the L1 of `sm`
    ConstantToL2,   ///< or the L2
    ConstantStored, ///< or the one store
    CopiedToL1,     ///< from the L1 of `from` to that of `sm`, `words` of them
    CopiedToL2,     ///< from the L1 of `from`; L2 has `version` now
    Coherent,       ///< `sm` is marked valid: its L1 and L2 have one version
    Aged,           ///< the version tag of `sm` went up, to `version`
    BackedUp,       ///< the word's value went from L2 to the backup, with tag `version`
    Invalidated,    ///< the L1 of `sm`, and its tag cleared
    Retired,        ///< `words` entries of the backup that no active SM can ask for
    Locked,         ///< `words` in the L1 of `sm`, until the L2 has them
    Unlocked,       ///< `words` of it
    Incoherent,     ///< `sm` is marked invalid: its L1 is newer than the L2
    ReadStalls,     ///< `sm` has no line for the word: all candidates are locked, or the backup is full
    CommandWaits,   ///< the constant command of the word, for `wait`
  } kind;
  /// Why a command cannot be taken now.
  enum class Wait : u8 {
    None,
    NoInactiveSm, ///< S2: all SMs are active, or with other contexts
    Locked,       ///< no room in the L1s for a constant: every line of a set is locked
    BackupFull,   ///< no room in the L2 backup for the value that is to be replaced
    Drain,        ///< the baseline: some SM is active
  };
  static constexpr unsigned storage = ~0u; ///< an SM's state that is on none
  unsigned sm = 0, from = 0;
  u64 words = 0;
  u64 version = 0;
  u32 word = 0, value = 0;
  Wait wait = Wait::None;
  // For those who hear of it from a machine: SMs are where they are, not numbers of states.
  u64 cycle = 0;
  u32 context = 0;
};

class ConstantListener {
public:
  virtual void constantEvent(const ConstantEvent &) = 0;

protected:
  ~ConstantListener() = default;
};

/// Of one SM; they belong to the hardware and stay when versions go.
struct ConstantCounts {
  u64 reads = 0, hits = 0, misses = 0;
  u64 lockStalls = 0;    ///< reads that found every line of their set locked
  u64 copiedWords = 0;   ///< that came from another SM's L1
  u64 writtenWords = 0;  ///< by constant commands
  u64 invalidations = 0; ///< of the whole L1
  u64 versions = 0;      ///< of the constants that its work has had, one after the other
};

class ConstantProtocol {
public:
  using Wait = ConstantEvent::Wait;
  using Source = ConstantSource;
  struct Read {
    u32 value;
    Source source;
  };

  static std::unique_ptr<ConstantProtocol> create(const ConstantCacheConfig &config, unsigned smCount);
  virtual ~ConstantProtocol() = default;
  /// Another with the same caches, versions and counts.
  virtual std::unique_ptr<ConstantProtocol> clone() const = 0;

  /// Before the first command: what a word is.
  virtual void preset(u32 word, u32 value) = 0;
  /// A constant command.
  virtual Wait constant(u32 word, u32 value) = 0;
  /// Whether work may go to the SM now: it is inactive, or all its work has the current version.
  bool takesWork(unsigned sm) const { return !isActive(sm) || startedAt[sm] == sequence; }
  virtual void work(unsigned sm) = 0;
  /// One piece of the SM's work is done.
  virtual void done(unsigned sm) = 0;
  /// A read by the SM's work.
  virtual Read read(unsigned sm, u32 word) = 0;
  /// The SM goes to another context. Its L1 is invalid from now on; returns how many words go to context
  /// storage with its state, because nobody else has them.
  u64 leave(unsigned sm);
  /// It is back, on the SM `place`. Returns how many words come with it.
  u64 come(unsigned sm, unsigned place);
  bool isPresent(unsigned sm) const { return places[sm] != nowhere; }
  /// ConstantEvent::storage: on none.
  unsigned placeOf(unsigned sm) const { return places[sm]; }
  /// Of those that are present the one that is on the SM `place`; nothing when none is.
  std::optional<unsigned> stateOn(unsigned place) const;
  /// What is posted to the L2 and waits for it, in words; `takePosted` lets the L2 take the oldest of them,
  /// or returns false when it cannot now.
  virtual size_t posted() const { return 0; }
  virtual bool takePosted() { return false; }

  unsigned smCount() const { return unsigned(running.size()); }
  bool isActive(unsigned sm) const { return running[sm] != 0; }
  unsigned activeSms() const { return active; }
  /// Versions that SMs have worked with at once, at most.
  unsigned mostVersions() const { return most; }
  /// Of the SM at `place`.
  const ConstantCounts &counts(unsigned place) const { return counters[place]; }
  virtual ConstantL2::Counts l2Counts() const { return {}; }
  /// Reads that the backup answered.
  virtual u64 backupReads() const { return 0; }
  /// All of it but the counts.
  virtual void addTo(StateHash &hash) const {
    hash.all(running), hash.all(startedAt), hash.all(hadWork), hash.all(places);
    hash.add(sequence, inSequence, active);
  }
  /// Where a word is. Nothing changes.
  virtual ConstantWordState stateOf(u32 word) const = 0;
  void setListener(ConstantListener *listener) { ears = listener; }

protected:
  explicit ConstantProtocol(unsigned smCount)
      : running(smCount), startedAt(smCount), hadWork(smCount), counters(smCount), places(smCount) {
    for (unsigned sm = 0; sm < smCount; ++sm)
      places[sm] = sm;
  }
  /// The state leaves its SM. Returns the words that it takes along.
  virtual u64 left(unsigned sm) { return 0; }
  virtual u64 came(unsigned sm) { return 0; }
  void tell(const ConstantEvent &event) {
    if (ears)
      ears->constantEvent(event);
  }
  /// A constant command came: the first after work opens a sequence. True then.
  bool openSequence() {
    bool first = !std::exchange(inSequence, true);
    sequence += first;
    return first;
  }
  void count(unsigned sm, Source source);
  /// Of the SM that it is on.
  ConstantCounts &countsOf(unsigned sm) {
    LENO_ASSERT(isPresent(sm), "an SM's state that is in context storage does nothing");
    return counters[places[sm]];
  }
  /// S2: there is an SM that a constant can be written to.
  bool isSomeInactive() const {
    for (unsigned sm = 0; sm < smCount(); ++sm)
      if (isPresent(sm) && !isActive(sm))
        return true;
    return false;
  }
  void start(unsigned sm);
  /// True when the SM has become inactive.
  bool finish(unsigned sm);

  // A sequence: constant commands with no work between them. A version is what a sequence leaves.
  u64 sequence = 0;
  bool inSequence = false;
  std::vector<unsigned> running; ///< pieces of work on each SM
  std::vector<u64> startedAt;    ///< the sequence before an SM's work
  std::vector<bool> hadWork;
  unsigned active = 0, most = 0;
  std::vector<ConstantCounts> counters;

private:
  static constexpr unsigned nowhere = ConstantEvent::storage;
  std::vector<unsigned> places; ///< where each is
  ConstantListener *ears = nullptr;
};

} // namespace leno

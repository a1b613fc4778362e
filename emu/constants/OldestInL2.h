//===- OldestInL2.h - S2's first protocol ---------------------------------===//
// S2, figures 3A, 3B and 4. The L2 holds the oldest version of the constants
// that an active SM uses. A constant command writes the L1s of all inactive
// SMs, and the words are locked there until the L2 has them. Whenever an SM
// becomes inactive, and before work is given out (settle):
//
//   1. when no active SM uses the L2's version and it is not the current one,
//      the L2 moves up to the oldest version in use. An SM with that version
//      gives its words first to the inactive SMs that have the L2's version,
//      then to the L2; all with that version are then valid: coherent with L2;
//   2. inactive SMs with an old version get the words of the current one from
//      an L1 that has it.
//
// S2's controller may keep dirty bits to know what to copy. Here each locked
// word has a stamp, the version that wrote it, so that exactly the words that
// the receiver lacks are copied, whoever copied them before (CHOICE).
// A version is counted for every constant command.
//
// CHOICE, where SMs come and go: locked words are of an SM's state and go with
// it to context storage, whence they are copied as from its L1. An inactive
// one takes them only if nobody else has the current version, and comes back
// as one that has the L2's. With no SM at all, and no work, constants go to
// the L2.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/constants/ConstantProtocol.h"

namespace leno {

class OldestInL2 final : public ConstantProtocol {
public:
  OldestInL2(const ConstantCacheConfig &config, unsigned smCount);
  std::unique_ptr<ConstantProtocol> clone() const override { return std::make_unique<OldestInL2>(*this); }
  void preset(u32 word, u32 value) override { l2.preset(word, value); }
  Wait constant(u32 word, u32 value) override;
  void work(unsigned sm) override;
  void done(unsigned sm) override;
  Read read(unsigned sm, u32 word) override;
  ConstantWordState stateOf(u32 word) const override;
  ConstantL2::Counts l2Counts() const override { return l2.counts(); }

  void addTo(StateHash &hash) const override {
    ConstantProtocol::addTo(hash);
    for (const ConstantCache &cache : l1)
      cache.addTo(hash);
    l2.addTo(hash);
    hash.all(versions);
    hash.add(current, inL2);
  }

  // For inspection.
  u64 versionOf(unsigned sm) const { return versions[sm]; }
  u64 l2Version() const { return inL2; }
  /// S2's valid flag: the L1 is coherent with the L2.
  bool isValid(unsigned sm) const { return versions[sm] == inL2; }
  u64 lockedWords(unsigned sm) const { return l1[sm].markedWords(); }

private:
  u64 left(unsigned sm) override;
  u64 came(unsigned sm) override;
  void settle();
  void rest(unsigned sm);
  void raiseL2();
  void copy(unsigned from, unsigned to);
  /// An SM whose L1 has the version, an active one if there is one.
  unsigned holderOf(u64 version) const;

  std::vector<ConstantCache> l1;
  ConstantL2 l2;
  std::vector<u64> versions;
  u64 current = 1, inL2 = 1;
};

} // namespace leno

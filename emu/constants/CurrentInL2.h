//===- CurrentInL2.h - S2's second protocol -------------------------------===//
// S2, figures 5, 6 and 7. The L2 always has the current version, or is just
// getting it; values that it replaces go to the L2 backup while an active SM
// may ask for them. Version tags count age: 0 is current.
//
//   - A sequence of constant commands ages by one every SM that was active when
//     it began, and every entry of the backup. A value that it replaces enters
//     the backup with age 1; two writes to one word leave one entry.
//   - A miss of an L1 carries its SM's tag v. The entry of the word with the
//     greatest age not above v answers it, or the L2 when there is none.
//   - When an SM with a tag above 0 becomes inactive, its L1 is invalidated and
//     the tag cleared. Entries that no active SM can ask for are retired.
//
// Constants reach the L1s of inactive SMs at once. The L2 takes them from a
// queue (figure 6 has it do so after new work has come and gone), and ages tags
// as it does; a miss of an SM that began after they were posted makes it take
// them first.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/constants/ConstantProtocol.h"
#include <deque>
#include <map>

namespace leno {

class CurrentInL2 final : public ConstantProtocol {
public:
  CurrentInL2(const ConstantCacheConfig &config, unsigned smCount);
  std::unique_ptr<ConstantProtocol> clone() const override { return std::make_unique<CurrentInL2>(*this); }
  void preset(u32 word, u32 value) override { l2.preset(word, value); }
  Wait constant(u32 word, u32 value) override;
  void work(unsigned sm) override { start(sm); }
  void done(unsigned sm) override;
  Read read(unsigned sm, u32 word) override;
  ConstantWordState stateOf(u32 word) const override;
  size_t posted() const override { return queue.size(); }
  bool takePosted() override;
  ConstantL2::Counts l2Counts() const override { return l2.counts(); }
  u64 backupReads() const override { return readsOfBackup; }

  void addTo(StateHash &hash) const override {
    ConstantProtocol::addTo(hash);
    for (const ConstantCache &cache : l1)
      cache.addTo(hash);
    l2.addTo(hash);
    for (const auto &[key, value] : backup)
      hash.add(key.word, key.replacedBy, value);
    for (const Post &post : queue)
      hash.add(post.word, post.value, post.sequence);
    hash.all(tags);
    hash.number(taken);
  }

  // For inspection.
  u64 tagOf(unsigned sm) const { return tags[sm]; }
  size_t backupWords() const { return backup.size(); }

private:
  u64 left(unsigned sm) override {
    l1[sm].invalidate();
    return 0;
  }
  /// Of a word with a tag; ages go up together, so the sequence that replaced the value stands for it.
  struct BackupKey {
    u32 word;
    u64 replacedBy;
    auto operator<=>(const BackupKey &) const = default;
  };
  struct Post {
    u32 word, value;
    u64 sequence;
  };
  bool someActiveBefore(u64 sequence) const;
  void age(u64 sequence);
  void retire();

  std::vector<ConstantCache> l1;
  ConstantL2 l2;
  std::map<BackupKey, u32> backup;
  std::deque<Post> queue;
  std::vector<u64> tags;
  u64 taken = 0; ///< the last sequence that the L2 has begun to take
  size_t capacity, queueWords;
  u64 readsOfBackup = 0;
};

} // namespace leno

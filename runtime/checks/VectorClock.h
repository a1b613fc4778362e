//===- VectorClock.h - What somebody knows to have happened ----------------===//
// The accesses of a warp have times that only grow. A lane knows of every warp
// which of its times are before it: one stretch where the warp's lanes went
// together, a few where they diverged and have not met since.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>
#include <vector>

namespace leno::checks {

class VectorClock {
public:
  bool empty() const { return stretches.empty(); }
  size_t bytes() const { return stretches.capacity() * sizeof(Stretch); }

  bool covers(u32 warp, u32 time) const {
    auto next = llvm::upper_bound(stretches, std::pair(warp, time), [](auto &at, const Stretch &stretch) {
      return at < std::pair(stretch.warp, stretch.first);
    });
    return next != stretches.begin() && std::prev(next)->warp == warp && time <= std::prev(next)->last;
  }

  /// One more time of a warp, later than all of it that are known.
  void add(u32 warp, u32 time) {
    auto next = llvm::upper_bound(stretches, warp, [](u32 at, const Stretch &s) { return at < s.warp; });
    if (next != stretches.begin() && std::prev(next)->warp == warp && std::prev(next)->last + 1 == time)
      std::prev(next)->last = time;
    else
      stretches.insert(next, {warp, time, time});
  }

  /// Knows what `other` knows, too.
  void join(const VectorClock &other) {
    if (other.empty() || stretches == other.stretches)
      return;
    std::vector<Stretch> all;
    all.reserve(stretches.size() + other.stretches.size());
    std::merge(stretches.begin(), stretches.end(), other.stretches.begin(), other.stretches.end(),
               std::back_inserter(all));
    size_t kept = 0;
    for (const Stretch &stretch : all)
      if (kept && all[kept - 1].warp == stretch.warp && stretch.first <= all[kept - 1].last + 1)
        all[kept - 1].last = std::max(all[kept - 1].last, stretch.last);
      else
        all[kept++] = stretch;
    all.resize(kept);
    stretches = std::move(all);
  }

private:
  struct Stretch {
    u32 warp, first, last;
    auto operator<=>(const Stretch &) const = default;
  };
  std::vector<Stretch> stretches; ///< apart, in order
};

} // namespace leno::checks

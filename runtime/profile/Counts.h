//===- Counts.h - What a profile counts at each instruction ---------------===//
// One list: the columns of every file that a profile is written as, and of the
// comparison of two.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>

namespace leno::profile {

/// The order of countKinds().
enum class Count : u8 {
  Warps,
  Lanes,
  Taken,
  NotTaken,
  Divergences,
  Reconvergences,
  Pushes,
  Pops,
  Spilled,
  Restored,
  BarrierArrivals,
  Requests,
  Bytes,
  Sectors,
  Lines,
  L1Hits,
  L1Misses,
  L2Hits,
  L2Misses,
  SharedRequests,
  SharedBytes,
  SharedPasses,
  BankConflicts,
  ConstantRequests,
  ConstantL1,
  ConstantL2,
  ConstantMemory,
  MemoryWait,
  StackWait,
  BarrierWait,
  FetchWait,
  ResultWait,
  OtherWait,
  TurnWait,
  count
};
inline constexpr size_t countOfCounts = size_t(Count::count);

struct CountKind {
  const char *key;   ///< in JSON, and the column of CSV and callgrind
  const char *label; ///< for people
  const char *group;
  const char *help; ///< one sentence, without a final dot
};
/// By Count.
llvm::ArrayRef<CountKind> countKinds();
inline const CountKind &kindOf(Count count) { return countKinds()[size_t(count)]; }

/// All counts of an instruction, a line or a launch.
class CountRow {
public:
  u64 &operator[](Count count) { return values[size_t(count)]; }
  u64 operator[](Count count) const { return values[size_t(count)]; }
  CountRow &operator+=(const CountRow &other) {
    for (size_t i = 0; i < countOfCounts; ++i)
      values[i] += other.values[i];
    return *this;
  }
  bool operator==(const CountRow &) const = default;
  bool any() const { return *this != CountRow(); }

private:
  std::array<u64, countOfCounts> values{};
};

} // namespace leno::profile

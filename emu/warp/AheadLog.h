//===- AheadLog.h - What a warp has executed before its turns -------------===//
// engine/RunAhead.h. Whoever has to know which operation's turn it is, or what the
// stack had counted by then, finds it here: a launch can end in between.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/program/Op.h"
#include "emu/warp/TokenStorage.h"

namespace leno {

class AheadLog {
public:
  void clear() { operations = stretchCount = changeCount = at = behind = 0; }
  /// No room for another jump or change of the active lanes, or for another change of the stack.
  bool isFull() const { return stretchCount + 1 == mostStretches || changeCount == mostChanges; }
  /// Operations that follow each other in the program have executed with these active lanes.
  void add(const Op *first, unsigned count, LaneMask active) {
    stretches[stretchCount++] = {first, count, active};
    operations += count;
  }
  /// Operation number `number`, from 0, has changed what the stack counts, which was `before`.
  void addStackChange(unsigned number, const StackCounters &before) {
    changes[changeCount++] = {number, before.pushes, before.pops, before.deepest};
  }

  struct Place {
    const Op &op;
    LaneMask active;
  };
  /// The operation with so many turns to come, its own included.
  Place operation(unsigned left) const {
    const unsigned number = operations - left;
    if (number < behind) // turns have been taken back
      at = behind = 0;
    while (number - behind >= stretches[at].operations)
      behind += stretches[at++].operations;
    return {stretches[at].first[number - behind], stretches[at].active};
  }
  /// What the stack, which counts `now`, had counted before that operation.
  StackCounters countersBefore(unsigned left, StackCounters now) const {
    for (unsigned i = 0; i < changeCount; ++i)
      if (const Change &change = changes[i]; change.number >= operations - left) {
        now.pushes = change.pushes, now.pops = change.pops, now.deepest = change.deepest;
        break;
      }
    return now;
  }

private:
  static constexpr unsigned mostStretches = 17, mostChanges = 8;
  struct Stretch {
    const Op *first;
    unsigned operations;
    LaneMask active;
  };
  struct Change {
    unsigned number;
    u64 pushes, pops, deepest;
  };
  unsigned operations = 0, stretchCount = 0, changeCount = 0;
  mutable unsigned at = 0,
                   behind = 0; ///< where operation() was last: a stretch, and the operations before it
  Stretch stretches[mostStretches];
  Change changes[mostChanges];
};

} // namespace leno

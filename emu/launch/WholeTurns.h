//===- WholeTurns.h - Turns that nobody looks into ------------------------===//
// Where nobody looks at warps, the machine need not make each of them resident
// to give it its turns. Of what runs so all else is as if it were: the order
// of the turns, what they execute, and what is left when it ends.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"

namespace leno {

class Warp;

class WholeTurns {
public:
  virtual ~WholeTurns() = default;
  /// CTAs have begun that have not ended.
  virtual bool isUnderWay() const = 0;
  /// Its tier can go on so.
  virtual bool isPossible() { return true; }
  struct Ran {
    u64 ticks = 0;         ///< instructions, and CTAs that have ended
    Warp *stays = nullptr; ///< it cannot go on so behind the last turn, or in its midst
    u64 ofTurn = 0;        ///< it has executed so many in it
  };
  /// Turn after turn of at most `turn` instructions each, while `most` ticks are enough for one more. Stops
  /// where no CTA is left.
  virtual Ran run(u64 most, u64 turn) = 0;
  /// Makes resident what is under way, for good. Returns the SM whose turn is next.
  virtual size_t settle() = 0;
};

} // namespace leno

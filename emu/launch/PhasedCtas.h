//===- PhasedCtas.h - CTAs whose warps meet at barriers -------------------===//
// Such a warp's turns end where it waits, after a few instructions. While
// nobody looks at them, warps with all their lanes are no more than their
// registers, predicates and codes, and run at one place a CTA, from barrier to
// barrier, in the very order of their turns. Where one comes to anything else
// that others must see, all become resident as if they had always been.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/launch/PhasedCta.h"
#include "emu/launch/WholeTurns.h"
#include "emu/sm/StreamingMultiprocessor.h"

namespace leno {

class GridRun;

class PhasedCtas final : public WholeTurns {
public:
  /// Of a grid none of whose CTAs is resident, on all of its SMs.
  explicit PhasedCtas(GridRun &grid);
  /// Of one whose CTAs are resident, which can all be taken. `next`: the SM whose turn is next.
  PhasedCtas(GridRun &grid, size_t next);

  bool isUnderWay() const override { return count; }
  bool isPossible() override;
  Ran run(u64 most, u64 turn) override;
  size_t settle() override;

private:
  struct Sm {
    std::vector<std::unique_ptr<PhasedCta>> ctas; ///< in the order of their turns
    size_t current = 0;                           ///< whose warp had the last turn
    u64 behind = ~u64(0);                         ///< its warps (a bit each) that come after that one
    u64 turns = 0;                                ///< that it has had
    // Its last turns, which may be ahead of others, where they were visits: of that CTA and those that
    // follow.
    std::vector<PhasedCta::Visited> visited;
    size_t first = 0;
    u64 turnsBefore = 0;
  };

  void begin();
  bool fill();
  bool take(size_t number, std::unique_ptr<PhasedCta> &&its = nullptr);
  size_t next() const;
  PhasedCta &choose(Sm &at);
  bool visit(Sm &at, Ran &ran);
  Tier::PhaseEnd takeTurn(Sm &at, u64 turn, Ran &ran);
  void note(u64 instructions, Ran &ran);
  void takeBack(Sm &at, Ran &ran);
  void takeBack(size_t next, u64 turns, u64 turn, Ran &ran);
  void endCta(Sm &at);

  GridRun &grid;
  const size_t mostOfSm; ///< CTAs
  std::vector<Sm> sms;
  size_t count = 0;                  ///< of the CTAs on all of them
  size_t sm;                         ///< whose turn it was, or is
  const PhasedCta *atWork = nullptr; ///< the warp at its place is in the middle of a turn
};

} // namespace leno

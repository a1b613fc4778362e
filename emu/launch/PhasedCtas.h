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

  bool isUnderWay() const override { return count; }
  bool isPossible() override;
  Ran run(u64 most, u64 turn) override;
  size_t settle() override;

private:
  struct Sm {
    std::vector<std::unique_ptr<PhasedCta>> ctas; ///< in the order of their turns
    size_t current = 0;                          ///< whose warp had the last turn
    u64 behind = ~u64(0);                        ///< its warps (a bit each) that come after that one
    u64 turns = 0;                               ///< that it has had; who has none to take passes
    PhasedCta::Passed passed;                    ///< the last of them, of current's warps
    u64 behindBefore = 0;                        ///< and before them
  };

  bool fill();
  bool take(size_t number, std::unique_ptr<PhasedCta> &&its = nullptr);
  size_t next() const;
  PhasedCta &choose(Sm &at);
  bool pass(PhasedCta &its, Sm &at, Ran &ran);
  void takeBack(size_t number, u64 turns, Ran &ran);
  void endCta(Sm &at);

  GridRun &grid;
  const size_t mostOfSm; ///< CTAs
  std::vector<Sm> sms;
  size_t count = 0;                 ///< of the CTAs on all of them
  size_t sm;                        ///< whose turn it was, or is
  const PhasedCta *atWork = nullptr; ///< one of its warps is in the middle of a turn,
  unsigned warpAtWork = 0;          ///< which is at its place
};

} // namespace leno

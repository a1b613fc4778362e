//===- PhasedCtas.h - CTAs whose warps meet at barriers -------------------===//
// Such a warp's turns end where it waits, after a few instructions. While
// nobody looks at them, warps with all their lanes are no more than their
// registers, predicates and codes, and run at one place a CTA, from barrier to
// barrier, in the very order of their turns. Where one comes to anything else
// that others must see, all become resident as if they had always been.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "emu/engine/Tier.h"
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
  struct Resident {
    std::unique_ptr<Cta> cta;
    Warp *place = nullptr;
    // By warp, a bit each:
    u64 live = 0;                ///< it has not exited
    u64 waiting = 0;             ///< it waits at a barrier
    const Op *barrier = nullptr; ///< that they wait at
    std::vector<compiled::WarpWords> words;
    std::vector<u32> next; ///< operations, by index
    std::vector<u64> executed;
    std::unique_ptr<Row[]> frames;
  };
  struct Sm {
    std::vector<std::unique_ptr<Resident>> ctas; ///< in the order of their turns
    size_t current = 0;                          ///< whose warp had the last turn
    u64 behind = ~u64(0);                        ///< its warps (a bit each) that come after that one
  };

  bool fill();
  bool take(size_t number, std::unique_ptr<Resident> &&its = nullptr);
  void begin(Resident &its, Dim3 index);
  Tier::Phase runPiece(Resident &its, unsigned warp, u64 budget);
  Tier::PhaseEnd takeTurn(Resident &its, unsigned warp, u64 turn, u64 &executed);
  Resident &choose(Sm &at, unsigned &warp);
  void makeReal(Resident &its, unsigned warp);
  void restore(const Resident &its, Warp &warp);
  void endCta(Sm &at);

  GridRun &grid;
  const size_t mostOfSm; ///< CTAs
  const size_t below;    ///< rows of a frame that stand before R0's
  std::vector<Sm> sms;
  size_t count = 0;                 ///< of the CTAs on all of them
  size_t sm = 0;                    ///< whose turn it is
  const Resident *atWork = nullptr; ///< one of its warps is in the middle of a turn,
  unsigned warpAtWork = 0;          ///< which is at its place
};

} // namespace leno

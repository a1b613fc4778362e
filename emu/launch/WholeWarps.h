//===- WholeWarps.h - Warps that begin and end in one turn ----------------===//
// To most warps a turn is a whole life. Where nobody looks at them, the warps
// of the CTAs that are on the SMs at the same time run one after the other, in
// the very order of their turns, at one place an SM that stays in the host's
// caches, or all in one go where the tier can. As soon as one does not end in
// its turn, all become resident as if they had always been, and the machine
// goes on as usual.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "emu/engine/Tier.h"
#include "emu/launch/WholeTurns.h"
#include "emu/sm/StreamingMultiprocessor.h"

namespace leno {

class GridRun;

class WholeWarps final : public WholeTurns {
public:
  /// Of a grid none of whose CTAs is resident, on all of its SMs.
  explicit WholeWarps(GridRun &grid);

  bool isUnderWay() const override { return count; }
  Ran run(u64 most, u64 turn) override;
  size_t settle() override;

private:
  bool begin();
  bool takeTurn(u64 turn);
  bool goOn(u64 turn);
  bool takeTurns(u64 most, u64 turn, Ran &ran);
  bool takeGroupTurns(u64 most, u64 turn, Ran &ran);
  void makeCommon();
  void next();

  GridRun &grid;
  struct Place {
    std::unique_ptr<Cta> cta;
    Warp *warp = nullptr;
    bool isClean = false; ///< as Warp::start leaves it
  };
  std::vector<Place> places; ///< by SM
  size_t count = 0;          ///< of the CTAs that are on SMs now, on the first ones
  unsigned warp = 0;         ///< of each of them, whose turn it is
  size_t sm = 0;             ///< and where
  bool isAtWork = false;     ///< that one is in the middle
  u64 executed = 0;          ///< in the last turn
  Place common;              ///< of groups
  std::vector<compiled::Group::Cta> ctas;
  compiled::Group group{};
};

} // namespace leno

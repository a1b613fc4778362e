//===- MemoryCheck.h - Accesses to what they are not meant for --------------===//
// Accesses outside of all memory trap without a checker; here they are findings,
// too. Beside them:
//
// - use-after-release: outside, where a buffer was that has been released.
// - foreign-buffer: in a buffer that the launch was not given: no parameter, no
//   constant, no word of the host's, and no word of the memory that these lead to points into it.
// - past-shared-variable: an access that was written for a `.shared` variable
//   covers other bytes than its own (Provenance.h; of programs run from their source).
// - misaligned-pointer: what a launch gives for a `.param ptr.f32` is no multiple
//   of the type's size.
// - past-frame: an access by way of the stack pointer reaches past the end of its
//   function's frame. Loads by R1 itself may: arguments stand there.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/memory/AddressSpace.h"
#include "runtime/checks/Check.h"
#include "runtime/checks/Provenance.h"

namespace leno::checks {

class MemoryCheck final : public Check {
public:
  Interests interests() const override { return Life | Memory | Host; }
  std::string limits() const override;
  std::unique_ptr<Observer> save() const override { return std::make_unique<MemoryCheck>(*this); }
  void restore(const Observer &saved) override {
    *this = static_cast<const MemoryCheck &>(saved);
    last = nullptr;
  }

  void gridStart(const GridRun &) override;
  void gridEnd(const GridRun &) override;
  void trap(const GridRun &, const Trap &) override;
  void memory(const Warp &, const Op &, const MemoryAccess &) override;
  void host(const HostEvent &) override;

private:
  using GridKey = std::pair<u32, u64>; ///< context, number
  struct Range {
    u64 begin, end;
  };
  struct Grid {
    RunningProgram running;
    std::shared_ptr<const Provenance> provenance; ///< null: nothing is known
    std::vector<Range> given;                     ///< allocations that the launch may use
    std::vector<Range> foreign;                   ///< and those that it may not
  };
  /// A buffer that is no more.
  struct Released {
    u64 begin, end;
    std::string name;
  };

  static GridKey keyOf(const GridRun &grid);
  Grid *gridOf(const GridRun &grid);
  Finding findingAt(const GridRun &grid, const char *kind, std::string text, Action action) const;
  void global(const Warp &warp, const Op &op, const MemoryAccess &access, Grid &grid);
  void shared(const Warp &warp, const Op &op, const MemoryAccess &access, Grid &grid, unsigned variable);
  void local(const Warp &warp, const Op &op, const MemoryAccess &access, const Provenance::Access &meant);
  bool isGiven(const GridRun &run, Grid &grid, const AddressSpace::Allocation &buffer);

  std::map<GridKey, Grid> grids;
  std::map<u32, std::vector<Released>> released; ///< by context, the last 1,000
  u64 unseen = 0;                                ///< buffers whose words were too many to look at
  const GridRun *last = nullptr;                 ///< a short cut to
  Grid *lastGrid = nullptr;
};

} // namespace leno::checks

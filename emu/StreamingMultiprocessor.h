//===- StreamingMultiprocessor.h - Where CTAs run -------------------------===//
// S0, S4: holds up to 24 warps. machine.md 11: one warp instruction a cycle,
// loose round robin; here a warp keeps its turn for a quantum of
// instructions, which no program can tell but by the clock.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/Cta.h"
#include "emu/MachineConfig.h"

namespace leno {

class StreamingMultiprocessor {
public:
  StreamingMultiprocessor(GridRun &run, unsigned index, const MachineConfig::Sm &room)
      : run(run), number(index), warpSlots(unsigned(room.warps)), ctaSlots(room.ctas),
        sharedFree(room.sharedBytes) {}

  unsigned index() const { return number; }
  u64 clock() const { return cycles; }
  void advance(u64 count) { cycles += count; }

  /// S4: the work distributor asks this before it hands over a CTA.
  bool hasRoom(unsigned warps, u32 sharedBytes) const {
    return warps <= warpSlots - resident && ctas.size() < ctaSlots && sharedBytes <= sharedFree;
  }
  Cta &start(Dim3 ctaIndex, unsigned warps, u32 sharedBytes);
  /// Takes away CTAs that have finished; their warps' places are free again.
  void retireFinished();

  /// The next warp in turn that can run, or null.
  Warp *nextReady();
  const auto &residentCtas() const { return ctas; }

private:
  GridRun &run;
  unsigned number;
  unsigned warpSlots;
  u64 ctaSlots;
  u64 sharedFree;
  unsigned resident = 0;
  u64 cycles = 0;
  std::vector<std::unique_ptr<Warp>> warps; ///< every place made so far
  std::vector<Warp *> freeWarps;
  std::vector<Warp *> running; ///< in the order of their turns
  size_t turn = 0;
  std::vector<std::unique_ptr<Cta>> ctas;
};

} // namespace leno

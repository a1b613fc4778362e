//===- StreamingMultiprocessor.h - Where CTAs run -------------------------===//
// S0, S4: holds a number of warps, 24 there. Which of them runs next is the
// machine's to say (Machine.h).
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/MachineConfig.h"
#include "emu/constants/ConstantUnit.h"
#include "emu/sm/Cta.h"
#include "emu/sm/Units.h"
#include "llvm/Support/Allocator.h"
#include <functional>

namespace leno {

/// What a CTA takes of an SM.
struct CtaNeeds {
  unsigned warps;
  u64 sharedBytes;
  u64 registers; ///< of all its lanes
};

/// What an SM has for CTAs, or what they take of it.
struct SmRoom {
  u64 warps = 0, ctas = 0, sharedBytes = 0, registers = 0;
  SmRoom() = default;
  SmRoom(u64 warps, u64 ctas, u64 sharedBytes, u64 registers)
      : warps(warps), ctas(ctas), sharedBytes(sharedBytes), registers(registers) {}
  SmRoom(const MachineConfig::Sm &sm) : SmRoom(sm.warps, sm.ctas, sm.sharedBytes, sm.registers) {}
  SmRoom(const CtaNeeds &one) : SmRoom(one.warps, 1, one.sharedBytes, one.registers) {}
  template <class Op> SmRoom with(const SmRoom &other, Op op) const {
    return {op(warps, other.warps), op(ctas, other.ctas), op(sharedBytes, other.sharedBytes),
            op(registers, other.registers)};
  }
  SmRoom operator+(const SmRoom &other) const { return with(other, std::plus()); }
  SmRoom operator-(const SmRoom &other) const { return with(other, std::minus()); }
  bool fitsIn(const SmRoom &room) const {
    return warps <= room.warps && ctas <= room.ctas && sharedBytes <= room.sharedBytes &&
           registers <= room.registers;
  }
};

/// How many CTAs of a kind an SM holds at once, and what there is not enough of for more.
struct Occupancy {
  enum Limit : u8 { Warps, Ctas, Registers, SharedMemory } limit;
  u64 ctas;
  u64 warps;
};
Occupancy occupancyOf(const MachineConfig::Sm &sm, const CtaNeeds &needs);
const char *limitName(Occupancy::Limit limit);

/// A multiprocessor at a moment, but for its warps and CTAs: a snapshot copies it whole.
struct StreamingMultiprocessorMoment {
  SmRoom room; ///< that its CTAs may take
  MemoryPort port;
  unsigned number; ///< of the SM that it is on
  SmRoom taken{};
  u64 cycles = 0;
  std::vector<Warp *> freeWarps{};
  std::vector<Warp *> running{}; ///< that have not exited, in the order of their turns
  size_t turn = 0;
  std::optional<Units> units{}; ///< with units.model
  Units *unitsOfAll = nullptr;  ///< where it has the states of several contexts
};

class alignas(hostLines) StreamingMultiprocessor : StreamingMultiprocessorMoment {
public:
  /// `constants`: null when their caches are not modelled.
  StreamingMultiprocessor(GridRun &run, unsigned index, const MachineConfig &config, ConstantUnit *constants)
      : StreamingMultiprocessorMoment{config.sm, memoryPort(config.timing), index}, run(run), own(index),
        constants(constants) {
    if (config.units.model != MachineConfig::Units::None)
      units.emplace(config.units);
  }

  GridRun &grid() const { return run; }
  unsigned index() const { return number; }
  /// Which of its grid's it is: the same wherever a device run lets it run (S4: an SM's state can be saved
  /// and restored on another).
  unsigned identity() const { return own; }
  /// `sharedPort` and `sharedUnits`: of that SM, where it has the states of several contexts; else null.
  void moveTo(unsigned index, MemoryPort::Queue *sharedPort, Units *sharedUnits) {
    number = index;
    port.moveTo(index, sharedPort);
    unitsOfAll = sharedUnits;
  }
  /// S4: of an SM with several contexts, what the CTAs of this one may have of it all.
  void setRoom(const SmRoom &most) { room = most; }
  const SmRoom &roomTaken() const { return taken; }
  u64 clock() const { return cycles; }
  void advance(u64 count) { cycles += count; }
  void setClock(u64 cycle) { cycles = cycle; }

  /// S4: the work distributor asks this before it hands over a CTA.
  bool hasRoom(const CtaNeeds &needs) const {
    return (taken + needs).fitsIn(room) && (!constants || constants->takesWork(own));
  }
  Cta &start(Dim3 ctaIndex, const CtaNeeds &needs);
  /// One whose warps run at one place, which nobody else knows of.
  std::pair<std::unique_ptr<Cta>, Warp *> lend();
  /// It is resident from now on, behind those that are (Cta::spread); the place is that of `lent`.
  Cta &adopt(std::unique_ptr<Cta> cta, Warp &place, const Cta::Lent &lent);
  /// The next turn is that of the warp that comes behind so many others.
  void goOnAt(size_t place) { turn = place; }
  /// It is no longer needed.
  void giveBack(std::unique_ptr<Cta> cta, Warp &place);
  /// The inverse of adopt, of the first of those that are resident: its warps' places are still taken.
  std::unique_ptr<Cta> withdraw();
  void giveBack(Warp &place) { freeWarps.push_back(&place); }
  /// Null: the next turn is that of the first one again.
  const Warp *nextInOrder() const { return turn < running.size() ? running[turn] : nullptr; }
  /// Ends all work in the middle, for a launch that goes away.
  void release();
  /// The same, unknown to anybody else.
  void forgetCtas() { ctas.clear(); }
  /// It takes no turns any more.
  void leaveTurns(const Warp &warp);
  /// Takes away CTAs that have finished; their warps' places are free again.
  void retireFinished();

  /// The next warp in turn that can run in `cycle`, or null.
  Warp *nextReady(u64 cycle) {
    for (size_t tried = 0; tried < running.size(); ++tried) {
      if (turn >= running.size())
        turn = 0;
      Warp *warp = running[turn++];
      if (warp->status == WarpStatus::Ready && warp->readyAt <= cycle &&
          (!units || issuesFrom(*warp) <= cycle)) {
        prefetchNext();
        return warp;
      }
    }
    return nullptr;
  }
  /// From `cycle` on, one a cycle, the turns of warps that are ahead: that of `warp`, which nextReady gave,
  /// and all others up to the first of a warp that is not, or a cycle in which none is ready. Returns that
  /// cycle.
  u64 passTurns(Warp &warp, u64 cycle);
  /// That it could pass at most.
  u64 turnsAhead() const;
  /// Takes back the last `count` of the turns that passTurns passed, before anything else has happened here;
  /// the last one that stays is in the cycle before `end`.
  void takeBack(u64 count, u64 end);
  /// The first cycle in which the warp can issue, and a unit can take its instruction, as things stand.
  u64 issuesFrom(const Warp &warp) const;
  void takeUnit(isa::Unit kind, u64 cycle) { usedUnits().take(kind, cycle); }
  /// The first cycle in which a warp can run, as things stand, or one up to `soon` if there is one; the
  /// largest number when none can.
  u64 readyFrom(u64 soon = 0) const;
  bool hasUnfinishedWarps() const { return !running.empty(); }
  const auto &residentCtas() const { return ctas; }
  unsigned residentWarps() const { return unsigned(taken.warps); }
  /// The way to memory that its warps share.
  MemoryPort &memory() { return port; }
  /// What the stacks of its warps, those that have exited included, have done in this launch.
  StackCounters stackCounters() const;
  /// Where its warps' registers are.
  auto &frameMemory() { return frames; }
  /// One of the places that warps have had here, or null.
  const Warp *anyWarp() const { return warps.empty() ? nullptr : warps.front().get(); }

  /// Whose turn is next, and what is under way on the way to memory.
  void addTo(StateHash &hash) const {
    hash.add(number, cycles, taken.warps, running.empty() ? 0 : turn % running.size());
    port.addTo(hash);
    if (units)
      usedUnits().addTo(hash);
  }

  // For Snapshot.
  struct Saved;
  void save(Saved &saved, const Saved *before, const std::shared_ptr<u64> &meter) const;
  void restore(const Saved &saved);
  void setWatched();

private:
  /// Without the cycle model a transaction takes no time.
  static MemoryPort memoryPort(const MachineConfig::Timing &timing) {
    if (timing.model == MachineConfig::Timing::Off)
      return MemoryPort(0, 0, false);
    return MemoryPort(timing.memoryLatency, timing.memoryInterval, timing.postedWrites);
  }

  Warp *takePlace();
  std::unique_ptr<Cta> spareCta();
  u64 passRounds(u64 cycle);
  /// By the time it is their turn others of the machine have had theirs.
  void prefetchNext() const {
    const size_t next = turn < running.size() ? turn : 0, after = next + 1 < running.size() ? next + 1 : 0;
    running[next]->prefetchRows();
    running[after]->prefetch();
  }
  Units &usedUnits() { return unitsOfAll ? *unitsOfAll : *units; }
  const Units &usedUnits() const { return unitsOfAll ? *unitsOfAll : *units; }

  GridRun &run;
  unsigned own;
  ConstantUnit *constants; ///< null: not modelled
  llvm::BumpPtrAllocatorImpl<llvm::MallocAllocator, 16384, 16384> frames;
  /// Every place made so far. A place once made stays, also when the machine goes back to where it was not
  /// made yet: who remembers the warp by its address finds it again.
  std::vector<std::unique_ptr<Warp>> warps;
  size_t made = 0; ///< of them
  std::vector<std::unique_ptr<Cta>> ctas, spareCtas;
  struct Passed {
    u32 place;  ///< in `running`, of the warp whose turn it was
    u32 rounds; ///< instead: so many turns of each, in order
  };
  std::vector<Passed> passed; ///< by the last passTurns
};

} // namespace leno

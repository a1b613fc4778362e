//===- PhasedCta.h - A CTA whose warps are no more than their registers ---===//
// Each warp runs at the CTA's one place, from barrier to barrier or to its
// turn's end: as a rule with all of its lanes and nothing on its stack, and
// otherwise as a warp that has come back. What nobody but the CTA can tell
// the time of executes for all warps at once, in the order of the turns that
// are to come: these only tell, then, what they have executed. Should the CTA
// become as others are before that, it goes back to what was kept.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "emu/engine/Tier.h"
#include "emu/sm/Cta.h"
#include <memory>

namespace leno {

class PhasedCta {
public:
  PhasedCta(GridRun &grid, StreamingMultiprocessor &sm);
  void begin(Dim3 index);
  /// Of a resident one, where canTake() says so.
  PhasedCta(GridRun &grid, StreamingMultiprocessor &sm, std::unique_ptr<Cta> resident);
  /// Its warps run, or wait together at a barrier where phases end.
  static bool canTake(const Cta &cta);

  u64 live() const { return alive; }
  /// That do not wait at a barrier.
  u64 ready() const { return alive & ~waiting; }
  Warp &place() { return *itsPlace; }
  /// Of a ready warp. Left: it is at the place, and goes on there.
  Tier::PhaseEnd takeTurn(unsigned warp, u64 turn, u64 &executed);
  /// A visit is a turn of each warp, in their order. So many, up to `most`, execute nothing that has not been
  /// before.
  unsigned visits(unsigned most) const;
  struct Visited {
    u64 turns, instructions;
    // What was before:
    u64 waiting;
    size_t told;
    u64 turnsLeft;
  };
  Visited visit(unsigned times);
  /// They have not been.
  void takeBack(const Visited &visited);
  /// It becomes resident, where its warps have come to in their turns; the place is that of `atWork`, if it
  /// is any warp.
  void settle(std::optional<unsigned> atWork);
  void giveBack();

private:
  /// Phases that have executed before their turns.
  struct Ahead {
    struct Phase {
      size_t from, at;  ///< its first operation, and the barrier
      u64 warps;        ///< a bit each, that have executed it: all but in the last one
      u64 instructions; ///< of these
    };
    std::vector<Phase> phases;
    size_t told = 0; ///< so many have had the turns of all warps; those that wait have one more
    // The turn that comes behind these may have begun:
    bool isBegun = false;
    unsigned warp = 0;             ///< of this warp,
    size_t next = 0;               ///< which has come to before that operation
    u64 begun = 0;                 ///< in so many instructions
    std::vector<u32> instructions; ///< by phase and warp, with the barrier
    std::vector<u8> order;         ///< the warps, as they have their turns of the first phase
    u64 turnsLeft = 0;             ///< of all phases
    std::vector<compiled::OwnTurn> turns;
    std::vector<compiled::OwnTurn *> inOrder; ///< of the next phase
    // What was before:
    bool isNew;             ///< all registers were zero
    std::vector<u32> rows;  ///< of which a row of each warp is kept,
    std::vector<Row> words; ///< one after the other
    std::vector<compiled::WarpWords> warps;
    std::vector<u8> shared; ///< empty: it is the same
    /// The i-th of a phase's warps: who arrives last goes on at once.
    unsigned warpAt(size_t phase, size_t i) const {
      return order[(i + phase * (order.size() - 1)) % order.size()];
    }
    u32 &instructionsOf(size_t phase, unsigned warp) { return instructions[phase * warps.size() + warp]; }
  };
  struct State {
    compiled::WarpWords words;
    u32 next;     ///< operation, by index
    u64 executed; ///< these two without Ahead's turns
    u32 past = 0; ///< Warp::past
    size_t deepest = 0;   ///< its stack, so far
    bool isApart = false; ///< it has not all lanes, or has something on its stack:
    LaneMask killed = 0, waiting[5] = {};
    llvm::SmallVector<Token, 4> stack; ///< the last one first
  };
  static constexpr size_t mostAhead = 64;
  static constexpr size_t mostKept = 4096; ///< bytes a warp

  Row *rowsOf(unsigned warp) const { return reinterpret_cast<Row *>(warps[warp].words.frame); }
  Tier::Phase runPiece(unsigned warp, u64 budget);
  void makeReal(unsigned warp);
  void clear(u64 those);
  void makeRooms();
  void restore(Warp &to) const;
  void takeFrom(Warp &from);
  unsigned char *localOf(unsigned warp) {
    return reinterpret_cast<unsigned char *>(locals.data()) + warp * localBytes;
  }
  void wait(u64 those, size_t at);
  bool meet();
  void goAhead(unsigned warp, u64 turn, u64 executed);
  bool runAhead(size_t from, u64 turn, u64 &ofFirst);
  u64 tell(unsigned warp);
  u64 instructionsOf(size_t phase, u64 those);
  std::pair<size_t, u64> behindVisit(size_t told, u64 waits) const;
  u64 goOnBehind(unsigned warp);
  /// A ready warp's next phase has executed.
  bool isAhead(unsigned warp) const {
    return ahead.told < ahead.phases.size() && ahead.phases[ahead.told].warps >> warp & 1;
  }
  /// That it has had, of Ahead's.
  size_t turnsOf(unsigned warp) const { return ahead.told + (waiting >> warp & 1); }
  bool keep(const Tier::OwnPhases &own);
  void goBack();
  void forget();
  void interpret(unsigned warp, size_t from, u64 instructions);

  GridRun &grid;
  StreamingMultiprocessor &sm;
  std::unique_ptr<Cta> cta;
  Warp *itsPlace = nullptr;
  unsigned char *ownFrame, *ownLocal; ///< of the place
  size_t localBytes;                  ///< of a warp: rows
  // By warp, a bit each:
  u64 alive = 0;
  u64 waiting = 0;
  const Op *barrier = nullptr; ///< that they wait at
  bool areAlike = false;       ///< at the same operation
  bool isTogether = false;     ///< all stand before the same operation, and none has begun a phase there
  bool isNew = false;          ///< none has executed anything
  u64 blank = 0;               ///< whose registers are still to become zero
  std::vector<State> warps;
  std::unique_ptr<Row[]> frames;
  std::vector<Row> locals;
  Ahead ahead;
};

} // namespace leno

//===- CompiledTier.h - The tier that runs a kernel's machine code --------===//
// From leader to leader in compiled code, and what has no compiled form in the
// interpreter. Where somebody wants to hear of what compiled code does not
// tell, or the operations are not what was compiled, all is the interpreter's;
// the two change over between any two operations.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/compiled/HotKernel.h"
#include "emu/engine/Interpreter.h"
#include "emu/warp/Warp.h"

namespace leno {

class GridRun;

class CompiledTier final : public Tier {
public:
  /// `code`: the grid's.
  CompiledTier(GridRun &grid, const LaunchCode &code, compiled::KernelSource &source);
  Ran run(Warp &warp, u64 budget) override;
  Whole runWhole(Warp &warp, u64 budget) override;
  void giveCounts(OperationCounts &to) override;
  bool runsGroups(u64 turn) override;
  Grouped runGroup(Warp &warp, compiled::Group &group) override;
  u64 moveLeft(Warp &from, Warp &to) override;
  bool runsPhases() override;
  Phase runPhase(Warp &place, compiled::WarpWords &words, size_t from, u64 budget, bool isBlank) override;
  const OwnPhases *ownPhases(size_t from) override;
  std::optional<OwnTurns> runOwnPhase(Warp &place, size_t from, llvm::ArrayRef<compiled::OwnTurn *> turns,
                                      u64 turn, u64 ofFirst) override;
  Phase goOn(Warp &warp, u64 budget) override;
  Phase resume(Warp &warp, u64 budget) override;
  /// Asks for code that is wanted and not there yet; of a kernel whose warps begin and end in one turn for
  /// that of groups first. What cannot be made is interpreted.
  void prepare();
  /// What code is not to keep for itself now, and so is made for (RegionPlan::Guess); and what it is made
  /// for.
  static Observer::Interests watchedIn(const GridRun &grid);
  /// How often there was new code.
  unsigned timesMade() const { return times; }

private:
  /// A kernel's code, and where it is worth to be entered: places that it soon leaves are taken out.
  struct Code {
    std::shared_ptr<const compiled::CompiledKernel> kernel;
    /// By operation of the program: there is a leader that is worth it, or a phase ends there.
    enum Place : u8 { Passed, Entered, PhaseEnds };
    std::vector<u8> places;
    size_t entries = 0;        ///< how many
    struct Worth {
      u32 entries = 0;
      u64 instructions = 0;
    };
    std::vector<Worth> worth; ///< by leader
    std::vector<u32> left;    ///< by operation: how often code was left at a regular access that was none
    std::vector<bool> near;   ///< and whether its lanes were near to each other then
    compiled::RegionPlan::Guess guess;
    bool isWanted = false, isAnswered = false;
    bool isNeeded = false; ///< though there is whole code
    bool isRemade = false; ///< what would be made of it is known
    u64 generation = ~u64(0); ///< LaunchCode's that this is of:
    bool isAsMade = false;    ///< its operations are those that the code was made of
    compiled::Tables tables;
    unsigned remakes = 0; ///< that were asked for
    std::vector<std::shared_ptr<const compiled::CompiledKernel>> before; ///< that it was made anew of

    void set(std::shared_ptr<const compiled::CompiledKernel> made, size_t programSize);
    /// Code is not entered there, but it is to be looked at.
    void stopAt(const std::vector<u8> &stops);
    u32 leaderAt(size_t index) const {
      return kernel && places[index] == Entered ? kernel->leaderAt(index) : compiled::CompiledKernel::none;
    }
    void entered(u32 leader, size_t index, u64 instructions);
    /// To enter and to leave takes as long as some ten instructions.
    static constexpr u64 worthwhile = 12;
    /// The warp has left it at that operation; whether it should be made anew.
    bool leftAt(const Warp &warp, size_t index);
    bool findWindow(const Warp &warp, const compiled::Operation &operation);
  };

  /// What phases end at, by operation.
  enum Stop : u8 { None, Others, AtBarrier };
  void findStops();
  bool endsAt(const Warp &warp, size_t index) const;
  /// By the operation that the warps stand before.
  struct KnownPhases {
    enum { Unasked, None, Some } are = Unasked;
    OwnPhases its;
  };
  void findOverwritten(size_t from);
  template <class Is> void clearRegisters(const compiled::WarpWords &words, Is isToBe) const;
  std::vector<size_t> findBarriers(llvm::SmallVector<s64, 16> waiting, OwnPhases &its) const;
  KnownPhases findOwnPhases(size_t from) const;
  u32 runTurns(compiled::OwnTurns &its, size_t from);
  Why runOn(Warp &warp, u64 &left, bool inPhase);
  Phase runToBarrier(Warp &warp, u64 budget, u64 left);
  void set(Code &made, std::shared_ptr<const compiled::CompiledKernel> kernel);
  void giveCounts(Code &made, OperationCounts &to);
  void giveCounts(Code &made, u32 number, u32 blockEnd, OperationCounts &to);
  void takeBack(const Warp &warp, const Code &made, u32 at, u64 behind);
  void countStack(Warp &warp, u64 deepest, const compiled::Kept &kept);
  void begin(Observer::Interests watched);
  bool isReady();
  bool isCounted() const { return watched & Observer::Counts; }
  bool isUsable();
  bool isAsMade(Code &made) const;
  bool isWorthEntering() const;
  bool hasRoomToPush() const;
  /// Phases that begin at an operation.
  struct Piece {
    u32 tries = 0, parted = 0; ///< in so many lanes have parted
  };
  Code &codeOfPhase(size_t from);
  bool isWhole(const Code &made, const compiled::WarpWords &words) const;
  compiled::Warps warpsOf(const Code &made) const {
    return &made == &any    ? compiled::Warps::Any
           : &made == &full ? compiled::Warps::Full
                            : compiled::Warps::Whole;
  }
  /// The code for the warp's lanes of now.
  Code &codeOf(const Warp &warp) {
    if (warp.active == allLanes && prefersFull)
      return full;
    if (!any.isWanted)
      wantAny();
    return any;
  }
  /// Code for any lanes, when a warp first needs it.
  void wantAny();
  llvm::Error ask(Code &made);
  void askAnew(Code &made);
  /// Accesses have turned out to be of another kind than thought.
  void remake(Code &made);
  /// Lanes have held what it could not be entered with.
  void noteRefused(Code &made);
  bool takeLater(Code &made);
  void place(compiled::Kept &kept, Warp &warp, u64 left);
  void prepare(compiled::Kept &kept, Warp &warp, u64 left);
  void prepareStarted(Warp &warp, u64 budget);
  void leave(Warp &warp, const Code &made, u32 at, compiled::Kept &kept);
  void enter(Warp &warp, Code &made, u32 leader, u64 &left);

  GridRun &grid;
  const LaunchCode &code;
  compiled::KernelSource &source;
  unsigned times = 0;
  Code full, any, whole; ///< for warps with all lanes, for others, and for groups
  bool prefersFull = true;
  bool isUnseen = false;    ///< Kept::isUnseen
  std::vector<Row> threads; ///< Kept::threads of all warps of a CTA
  compiled::Kept started;   ///< all of a warp that has just started but for what differs
  bool isPrepared = false;
  u64 leftTurns = 0, turns = 0; ///< how often whole code was left, and of how many turns
  u32 leftAt = 0;               ///< last, before that operation,
  u64 ofTurn = 0;               ///< in a turn of so many instructions
  std::vector<u8> stops;        ///< where the grid may be run in phases
  std::vector<KnownPhases> knownPhases; ///< of the full code of now; none: nobody has asked yet
  std::vector<Piece> pieces;            ///< by operation; none: no phase has run
  /// By register: the operation by which a warp that has just started writes it before it reads it, all lanes
  /// of it and wherever it goes then; such need not become zero before. Of the full code of now; none: nobody
  /// has asked yet.
  std::vector<u32> overwrittenBy;
  static constexpr u32 never = ~u32(0);
  struct {
    Code *code;
    size_t from;
  } phase = {}; ///< the last one
  u64 partings = 0, fullInstructions = 0;
  Interpreter interpreter;
  u64 releases = 0;                ///< the memory's that this is of
  Observer::Interests watched = 0; ///< RegionPlan::Guess
  bool isBegun = false;            ///< and has been asked for
};

} // namespace leno

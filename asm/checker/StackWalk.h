//===- StackWalk.h - Every stack a lane can arrive with -------------------===//
// Follows one lane through a kernel or function with its divergence stack, as
// Architecture.md 5 [S0] describes it. A lane sees only the entries it is in: at a
// leave it goes on where the innermost entry of its reason says.
//===----------------------------------------------------------------------===//
#pragma once

#include "asm/checker/Code.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <tuple>

namespace leno::check {

/// Instructions that control only enters at the first and only leaves after the last.
struct Block {
  uint32_t begin, end;
};

/// The blocks of a program; instruction number to block.
struct Blocks {
  explicit Blocks(const Code &code);
  std::vector<Block> blocks;
  std::vector<uint32_t> blockOf;
  /// Where a section or a kernel begins, and what follows one: nothing should fall into it.
  std::vector<bool> boundary;
};

/// The blocks that control can get to from a place whatever the stack holds, and that `seen` has not yet.
std::vector<uint32_t> flood(const Code &code, const Blocks &blocks, uint32_t place, std::vector<bool> &seen);

/// What can be told of a callee where it is called.
struct Callee {
  bool known = true; ///< false: not in this file, or it branches to places unknown
  bool recursive = false;
  bool returns = true;
  unsigned entries = 0;     ///< at most on the stack, beyond what its caller has pushed
  unsigned divergences = 0; ///< DIV entries at most at a time
};

enum class StackFault : uint8_t {
  NoEntry,    ///< a leave without the entry of its reason
  AcrossCall, ///< the entry lies beyond a CALL
  Grows,      ///< a push comes again while its entry is there
  Pending,    ///< RET with entries that nothing resumes
  RunsOut,    ///< control goes past the end
  DivergentBarrier,
};

class StackWalk {
public:
  struct Fault {
    StackFault kind;
    uint32_t at;           ///< the instruction
    uint32_t other = none; ///< a second one that explains it
  };
  struct Call {
    uint32_t at, target;
    unsigned entries, divergences;
  };
  using AskCallee = llvm::function_ref<Callee(uint32_t target)>;

  StackWalk(const Code &code, const Blocks &blocks, uint32_t root, RootKind kind)
      : code(code), blocks(blocks), root(root), kind(kind) {}

  /// Walks. With `varying` (instructions whose guard surely differs by lane) barriers under divergence are
  /// faults.
  void run(AskCallee askCallee, const llvm::BitVector *varying = nullptr);

  uint32_t rootInstruction() const { return root; }

  /// False when the walk met a branch to places unknown, or too many stacks: then what it did not find says
  /// nothing.
  bool complete = true;
  bool returns = false;
  bool hasBarrier = false;
  unsigned maxTotal = 0, maxEntries = 0, maxDivergences = 0;
  std::vector<Fault> faults;
  std::vector<Call> calls;
  /// Blocks reached, in the order they were, and where a lane goes from each.
  std::vector<uint32_t> reached;
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  /// Blocks that only entries lead to that no lane was seen to resume at.
  std::vector<uint32_t> alsoReached;
  /// The pushes of SYNC that were reached and whose entry no lane was seen to resume at.
  std::vector<uint32_t> neverResumed() const;

private:
  /// A push: its instruction, and 1 when the entry is a SYNC (set-sync forms push two).
  using Push = std::pair<uint32_t, uint32_t>;
  enum class EntryKind : uint8_t { Base, Sync, Brk, Cont, Call };
  struct Entry {
    uint32_t below;
    EntryKind kind;
    uint32_t resume, pusher;
    uint32_t divergedBy; ///< lanes surely left or stayed behind while this entry was on top
    unsigned depth;
  };
  using Counts = llvm::SmallVector<uint8_t, 8>;
  struct Node {
    uint32_t block, stack;
    Counts divergences; ///< DIV entries above each entry, at most
    unsigned updates = 0;
    bool queued = false;
  };

  uint32_t intern(Entry entry);
  uint32_t push(uint32_t stack, EntryKind kind, uint32_t resume, uint32_t pusher, bool &grows);
  uint32_t markDiverged(uint32_t stack, uint32_t level, uint32_t by);
  uint32_t divergedBy(uint32_t stack) const;
  void go(uint32_t instruction, uint32_t stack, Counts divergences);
  void fallThrough(uint32_t at, uint32_t stack, Counts divergences);
  void visit(uint32_t node);
  uint32_t leave(EntryKind wanted, uint32_t at, uint32_t stack, const Counts &divergences);
  bool mayWait(uint32_t instruction);
  void fault(StackFault kind, uint32_t at, uint32_t other = none);
  void measure(uint32_t stack, const Counts &divergences, unsigned extra = 0);
  void finishPending();

  const Code &code;
  const Blocks &blocks;
  uint32_t root;
  RootKind kind;
  llvm::SmallVector<Push, 8> pushes;
  llvm::DenseSet<Push> resumed;
  AskCallee *ask = nullptr;
  const llvm::BitVector *varying = nullptr;
  std::vector<Entry> entries;
  std::map<std::tuple<uint32_t, EntryKind, uint32_t, uint32_t, uint32_t>, uint32_t> entryIndex;
  std::vector<Node> nodes;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> nodeIndex;
  std::vector<uint32_t> queue;
  uint32_t from = none; ///< the block being visited
  llvm::DenseSet<uint64_t> edgeSet, faultSet;
  std::vector<bool> seen;
  llvm::DenseMap<uint32_t, bool> waits;
  /// RETs met with entries on the stack, and the entry's push.
  llvm::SmallVector<std::pair<uint32_t, Push>, 4> pendingAtReturn;
};

} // namespace leno::check

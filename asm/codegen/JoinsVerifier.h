//===- JoinsVerifier.h - Proof that joins lead where the program does --------===//
#pragma once

#include "asm/codegen/LenoCode.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <map>
#include <optional>
#include <string>

namespace llvm {
class MachineLoopInfo;

/// The functions of a module in which lanes may do something together: barriers, votes, shuffles, inline
/// assembly, what is called by address or elsewhere, and calls of such functions.
class ConvergentFunctions {
public:
  explicit ConvergentFunctions(const Module &module);
  ConvergentFunctions() = default;
  bool contains(const Function *function) const { return found.contains(function); }
  /// Whether the instruction is an operation of several lanes.
  bool isOperation(const MachineInstr &inst) const;

private:
  SmallPtrSet<const Function *, 16> found;
};

/// Reads a function's graph before LenoJoins, and follows the lanes through what LenoJoins wrote. Proves:
/// - each branch leads where it did, by whatever SSY, SYNC, PBK and BRK: the stack always holds what is
///   popped;
/// - lanes that come to the same operation of several lanes, in the same turns of the loops around it, are
///   together there.
class JoinsVerifier {
public:
  JoinsVerifier(MachineFunction &function, const MachineLoopInfo &loops,
                const ConvergentFunctions &convergent);
  struct Fault {
    DebugLoc where;
    std::string what;
    bool apart; ///< it leads where it should, but lanes are not together
  };
  /// Nothing: all is proven.
  std::optional<Fault> verify();

private:
  using Block = MachineBasicBlock;
  static constexpr unsigned leaves = ~0u; ///< as a node: the end of the kernel or function
  struct Node {
    SmallVector<unsigned, 2> ways; ///< as the predicate holds, and as it does not
    Register predicate;
    bool negated = false, parts = false;
    bool stops = false; ///< something happens in it; else it only goes on
    bool ends = false;  ///< it only leaves
    int loop = -1;
    DebugLoc where;
  };
  struct Loop {
    int parent;
    unsigned header, depth;
  };
  struct Entry {
    bool breaks;
    Block *resume;
    Block *pusher;
    int loop; ///< the loop that control was in when it was pushed
    bool operator<(const Entry &other) const {
      return std::tie(breaks, resume, pusher, loop) <
             std::tie(other.breaks, other.resume, other.pusher, other.loop);
    }
  };
  using Stack = SmallVector<Entry, 8>;
  /// Branches whose sides are apart, and the innermost loop of theirs whose turn has not changed since.
  using Apart = std::map<unsigned, int>;
  struct Place {
    Block *block;
    Stack stack;
    bool operator<(const Place &other) const {
      return block != other.block ? block->getNumber() < other.block->getNumber() : stack < other.stack;
    }
  };
  struct Lanes {
    std::vector<Apart> levels; ///< below the first entry, and on each
  };

  void readGraph(const MachineLoopInfo &loops);
  bool isIrreducible() const;
  bool contains(int loop, int inner) const;
  int common(int a, int b) const;
  /// Where a way leads to, past blocks in which nothing happens, and the loops whose next turn begins.
  unsigned follow(unsigned from, unsigned to, SmallVectorImpl<int> &turned) const;
  /// The nodes that one gets to from a node without coming to the header of the loop, or by any way: -1.
  const BitVector &reach(unsigned from, int loop);

  bool checkOperations(const Place &place, const Lanes &lanes);
  /// Follows the lanes out of a block, until something happens; null: they leave.
  bool go(Place &place, Lanes &lanes, bool holds, Block *&stop);
  bool visit(const Place &place);
  void arrive(Place place, Lanes lanes);
  bool say(const DebugLoc &where, const Twine &what, bool apart = false);

  MachineFunction &function;
  const ConvergentFunctions &convergent;
  std::vector<Node> nodes;
  DenseMap<const Block *, unsigned> numberOf;
  std::vector<Loop> loops;
  std::map<std::pair<unsigned, int>, BitVector> reached;
  std::map<Place, std::pair<Lanes, bool>> known; ///< and whether it is in the queue
  std::vector<Place> queue;
  std::optional<Fault> fault;
};

} // namespace llvm

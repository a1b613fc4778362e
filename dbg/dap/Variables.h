//===- Variables.h - The state of a warp as a tree ------------------------===//
// What a client opens is made when it is asked for, a page at a time: a lane has hundreds of registers and a
// bank of constants 16,384 words.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/Session.h"
#include "dbg/source/Object.h"
#include "llvm/Support/JSON.h"

namespace leno::dbg::dap {

/// A node with children. Kept by position: its CTA may be gone when it is asked for.
struct Container {
  enum Kind : u8 {
    Lane,           ///< registers, predicates and flags of one lane
    Parameters,     ///< by name
    Registers,      ///< each a Vector
    RegisterLanes,  ///< `number` over the lanes
    Predicates,     ///< masks of predicates and flags
    PredicateLanes, ///< `number` over the lanes; flags come after the predicates
    Special,
    Shared, ///< variables by name, then words by offset
    Banks,
    Bank, ///< words of constant bank `number`
    Stack,
    StackEntry,
    Lanes,     ///< their states
    Locals,    ///< of the source, in frame `frame`
    Arguments, ///< of its function
    Parts,     ///< of `expression`, in frame `frame`
  } kind;
  Dim3 cta{0, 0, 0};
  unsigned warp = 0;
  unsigned number = 0;
  u32 context = 0, launch = 0;
  size_t frame = 0;
  std::string expression{};
};

/// A row, as the protocol has it, and the expression that names it.
struct Variable {
  std::string name;
  std::string value{};
  std::string type{};
  std::string expression{}; ///< what `print` takes for it; empty: nothing does
  bool canBeSet = false;
  std::string memory{}; ///< its memoryReference, or empty
  std::optional<Container> children{};
};

class Variables {
public:
  explicit Variables(Session &session) : session(session) {}

  /// Forgets all references: they hold until the machine moves.
  void clear() { containers.clear(); }
  int64_t reference(const Container &container);
  llvm::Expected<Container> find(int64_t reference) const;

  /// Named children come first.
  size_t namedCount(const Container &container) const;
  size_t indexedCount(const Container &container) const;
  /// Children from `first` on. Fails when the warp is gone.
  llvm::Expected<std::vector<Variable>> children(const Container &container, size_t first, size_t count,
                                                 bool hexadecimal) const;
  /// The child of that name, for those who change or watch it.
  llvm::Expected<Variable> child(const Container &container, llvm::StringRef name) const;
  /// Scopes of a frame with their titles.
  std::vector<std::pair<std::string, Container>> scopes(Warp &warp, size_t frame) const;
  /// What has parts, for those who look at an expression. Nullopt: it has none.
  std::optional<Container> partsOf(Warp &warp, size_t frame, const source::Object &object,
                                   llvm::StringRef expression) const;
  Warp *warpOf(const Container &container) const;
  /// Whether it is the name of a parameter that is a pointer: shown as an address.
  bool isPointer(llvm::StringRef name) const;
  /// "R4 (count)": with its names of .reg.
  std::string registerName(unsigned number) const;

private:
  Variable at(const Container &container, Warp &warp, size_t index, bool hexadecimal) const;
  Variable laneRow(const Container &, Warp &, size_t index, bool hexadecimal) const;
  Variable vectorRow(const Container &, Warp &, size_t index, bool hexadecimal) const;
  Variable specialRow(Warp &, size_t index, bool hexadecimal) const;
  Variable memoryRow(const Container &, Warp &, size_t index, bool hexadecimal) const;
  Variable sourceRow(const Container &, Warp &, size_t index, bool hexadecimal) const;
  Variable rowOf(Warp &, size_t frame, const source::Object &, llvm::StringRef name, llvm::StringRef expression,
                 bool hexadecimal) const;
  std::optional<source::Object> objectOf(const Container &, Warp &) const;
  Variable stackRow(const Container &, Warp &, size_t index) const;
  Variable evaluated(const Container &, Warp &, llvm::StringRef name, llvm::StringRef expression,
                     bool hexadecimal) const;

  std::vector<unsigned> banksWithData() const;

  Session &session;
  std::vector<Container> containers;
};

/// An address of code. Before 0 it is a negative decimal number, so that it stands before 0 wherever they are
/// compared.
std::string addressText(u64 address);

/// "global:0x10000", "shared:0,0,0:0x10", "const:0:0x40", "local:0,0,0:1:7:0x10", or a plain address of code;
/// of another context than number 0 "1/global:0x10000".
struct MemoryReference {
  bool isCode = false;
  MemorySpace space = MemorySpace::Global;
  Dim3 cta{0, 0, 0};
  unsigned warp = 0, lane = 0; ///< of local memory
  unsigned bank = 0;
  u64 address = 0;
  u32 context = 0; ///< of code: none

  /// An address of code may be negative.
  static llvm::Expected<MemoryReference> parse(llvm::StringRef text);
  std::string text() const;
};

} // namespace leno::dbg::dap

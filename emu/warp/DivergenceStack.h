//===- DivergenceStack.h - A warp's thread execution data -----------------===//
// S0: a last-in first-out stack of 64-bit entries, one independent stack for
// each thread group, pushed by calls, pre-breaks and divergent branches and
// popped by returns, breaks and branch synchronisation. Architecture.md 5 gives
// the entry's layout and the one unwinding rule implemented here.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/Trap.h"
#include "emu/warp/TokenStorage.h"
#include <optional>
#include <vector>

namespace leno {

enum class TokenType : uint8_t { Div, Sync, Brk, Cont, Call };
const char *tokenTypeName(TokenType type);

/// Why a lane does not run. None: it runs, or waits for a DIV or SYNC entry.
enum class Reason : uint8_t { None, Brk, Cont, Ret, Exit };
const char *reasonName(Reason reason);

/// The reason with which the lanes of an entry wait for it.
constexpr Reason reasonOf(TokenType type) {
  switch (type) {
  case TokenType::Brk:
    return Reason::Brk;
  case TokenType::Cont:
    return Reason::Cont;
  case TokenType::Call:
    return Reason::Ret;
  default:
    return Reason::None;
  }
}

/// One entry: mask in [31:0], PC in words in [59:32], type in [63:60].
struct Token {
  TokenType type = TokenType::Div;
  LaneMask mask = 0;
  u32 pc = 0; ///< in words

  constexpr u64 pack() const { return u64(type) << 60 | u64(pc & 0xfffffff) << 32 | mask; }
  static constexpr Token unpack(u64 bits) {
    return {TokenType(bits >> 60), LaneMask(bits), u32(bits >> 32) & 0xfffffff};
  }
  bool operator==(const Token &) const = default;
};

class DivergenceStack {
public:
  /// S0: the driver programs a nesting limit; past it a push traps.
  DivergenceStack(TokenStorage &storage, size_t nestingLimit)
      : storage(&storage), nestingLimit(nestingLimit) {}

  /// The same stack in a copy of its storage.
  void moveTo(TokenStorage &copy) { storage = &copy; }

  /// Forgets everything; `launched` are the lanes that exist.
  void reset(LaneMask launched);

  /// False: the nesting limit is reached and nothing was pushed.
  [[nodiscard]] bool push(Token token) {
    if (storage->depth() >= nestingLimit)
      return false;
    storage->push(token.pack());
    deepest = std::max(deepest, storage->depth());
    return true;
  }

  /// Of the lanes that have exited, those that KIL ended.
  LaneMask killed() const { return ended; }
  void kill(LaneMask lanes) { ended |= lanes; }

  /// Notes why `lanes` leave the active mask. Reason::None: they join (.S).
  void leave(Reason reason, LaneMask lanes) { waiting[unsigned(reason)] |= lanes; }

  /// What the warp does once its active mask is empty.
  struct Outcome {
    enum Kind : uint8_t { Resume, Retire, Fault } kind;
    Token token;    ///< Resume: the entry whose lanes run on
    LaneMask lanes; ///< Resume: the new active mask; Fault: the lanes at fault
    TrapKind trap;  ///< Fault: what it is
    const char *detail;
  };
  struct Popped {
    Token token;
    size_t entry;
    EntryPlace place; ///< where it was
  };
  /// `popped`, when given, is told of every entry taken off.
  Outcome unwind(std::vector<Popped> *popped = nullptr);
  /// Whether that would be Resume, if `lanes` had left with `reason` before.
  bool resumesWithout(LaneMask lanes, Reason reason) const;

  /// The lanes that wait with `reason` (not defined for None).
  LaneMask lanesWaiting(Reason reason) const { return waiting[unsigned(reason)]; }
  Reason reasonOfLane(unsigned lane) const;
  /// Lanes that were launched and have not exited.
  LaneMask live() const { return launched & ~lanesWaiting(Reason::Exit); }

  size_t depth() const { return storage->depth(); }
  size_t maxDepth() const { return deepest; }
  size_t limit() const { return nestingLimit; }
  /// Of these two, entry 0 is the oldest.
  EntryPlace placeOf(size_t index) const { return storage->placeOf(index); }
  Token at(size_t index) const { return Token::unpack(storage->at(index)); }

  // For a tier that keeps the upper entries and the lanes that wait with itself while a warp runs.
  Token take() { return Token::unpack(storage->take()); }
  void giveBack(Token token) { storage->giveBack(token.pack()); }
  /// By Reason.
  LaneMask (&waitingLanes())[5] { return waiting; }
  /// What it did with entries, and how deep the stack was at most.
  void count(u64 pushes, u64 pops, u64 most) {
    storage->count(pushes, pops, most);
    deepest = std::max<size_t>(deepest, most);
  }
  void setMaxDepth(size_t depth) { deepest = depth; }

private:
  TokenStorage *storage;
  size_t nestingLimit;
  size_t deepest = 0;
  LaneMask launched = 0;
  LaneMask ended = 0; ///< by KIL
  LaneMask waiting[5] = {};
};

} // namespace leno

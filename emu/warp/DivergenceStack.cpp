#include "emu/warp/DivergenceStack.h"

using namespace leno;

const char *leno::tokenTypeName(TokenType type) {
  static constexpr const char *names[] = {"DIV", "SYNC", "BRK", "CONT", "CALL"};
  return unsigned(type) < 5 ? names[unsigned(type)] : "?";
}

const char *leno::reasonName(Reason reason) {
  static constexpr const char *names[] = {"none", "BRK", "CONT", "RET", "EXIT"};
  return names[unsigned(reason)];
}

void DivergenceStack::reset(LaneMask lanes) {
  storage->clear();
  deepest = 0;
  launched = lanes;
  ended = 0;
  for (LaneMask &mask : waiting)
    mask = 0;
}

Reason DivergenceStack::reasonOfLane(unsigned lane) const {
  for (unsigned reason = unsigned(Reason::Brk); reason <= unsigned(Reason::Exit); ++reason)
    if (waiting[reason] >> lane & 1)
      return Reason(reason);
  return Reason::None;
}

// Architecture.md 5: pop T; m = the lanes of T.mask whose reason is T's; if there
// are any they run at T.PC, otherwise the next entry is popped.
DivergenceStack::Outcome DivergenceStack::unwind(std::vector<Popped> *popped) {
  auto withReason = [&](Reason reason) { return waiting[unsigned(reason)]; };
  auto fault = [](TrapKind kind, LaneMask lanes, const char *detail) {
    return Outcome{Outcome::Fault, {}, lanes, kind, detail};
  };
  while (storage->depth() > 0) {
    if (popped)
      popped->push_back({{}, storage->depth() - 1, storage->placeOf(storage->depth() - 1)});
    Token token = Token::unpack(storage->pop());
    if (popped)
      popped->back().token = token;
    LaneMask breaking = withReason(Reason::Brk) | withReason(Reason::Cont);
    // A loop may hold calls and a call loops, but neither may leave the other half done.
    if (token.type == TokenType::Call && (token.mask & breaking))
      return fault(
          TrapKind::StackError, token.mask & breaking,
          "mismatched nesting: a call ends while lanes of it wait in BRK or CONT for a loop outside");
    Reason reason = reasonOf(token.type);
    LaneMask anyReason = breaking | withReason(Reason::Ret) | withReason(Reason::Exit);
    LaneMask lanes = token.mask & (reason == Reason::None ? ~anyReason : withReason(reason));
    if (!lanes)
      continue;
    waiting[unsigned(reason)] &= ~lanes;
    return {Outcome::Resume, token, lanes, {}, nullptr};
  }
  LaneMask left = live();
  if (!left)
    return {Outcome::Retire, {}, 0, {}, nullptr};
  if (LaneMask returning = left & withReason(Reason::Ret))
    return fault(TrapKind::RetEmptyStack, returning, "RET without a call: the stack is empty");
  return fault(TrapKind::StackError, left,
               "the stack is empty and lanes still wait: a BRK, CONT or .S without its "
               "PBK, PCNT or SSY");
}

#include "emu/warp/DivergenceStack.h"
#include <algorithm>

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

namespace {

using Waiting = LaneMask[5];

LaneMask breaking(const Waiting &waiting) {
  return waiting[unsigned(Reason::Brk)] | waiting[unsigned(Reason::Cont)];
}
/// A loop may hold calls and a call loops, but neither may leave the other half done.
LaneMask mismatched(Token token, const Waiting &waiting) {
  return token.type == TokenType::Call ? token.mask & breaking(waiting) : 0;
}
/// The lanes of an entry that run on at its place.
LaneMask resuming(Token token, const Waiting &waiting) {
  if (Reason reason = reasonOf(token.type); reason != Reason::None)
    return token.mask & waiting[unsigned(reason)];
  return token.mask & ~(breaking(waiting) | waiting[unsigned(Reason::Ret)] | waiting[unsigned(Reason::Exit)]);
}

} // namespace

bool DivergenceStack::resumesWithout(LaneMask lanes, Reason reason) const {
  Waiting then;
  std::copy(std::begin(waiting), std::end(waiting), then);
  if (reason != Reason::None)
    then[unsigned(reason)] |= lanes;
  for (size_t i = depth(); i-- > 0;) {
    Token token = at(i);
    if (mismatched(token, then))
      return false;
    if (resuming(token, then))
      return true;
  }
  return false;
}

// Architecture.md 5: pop T; m = the lanes of T.mask whose reason is T's; if there
// are any they run at T.PC, otherwise the next entry is popped.
DivergenceStack::Outcome DivergenceStack::unwind(std::vector<Popped> *popped) {
  auto fault = [](TrapKind kind, LaneMask lanes, const char *detail) {
    return Outcome{Outcome::Fault, {}, lanes, kind, detail};
  };
  while (storage->depth() > 0) {
    if (popped)
      popped->push_back({{}, storage->depth() - 1, storage->placeOf(storage->depth() - 1)});
    Token token = Token::unpack(storage->pop());
    if (popped)
      popped->back().token = token;
    if (LaneMask lanes = mismatched(token, waiting))
      return fault(
          TrapKind::StackError, lanes,
          "mismatched nesting: a call ends while lanes of it wait in BRK or CONT for a loop outside");
    LaneMask lanes = resuming(token, waiting);
    if (!lanes)
      continue;
    waiting[unsigned(reasonOf(token.type))] &= ~lanes;
    return {Outcome::Resume, token, lanes, {}, nullptr};
  }
  LaneMask left = live();
  if (!left)
    return {Outcome::Retire, {}, 0, {}, nullptr};
  if (LaneMask returning = left & waiting[unsigned(Reason::Ret)])
    return fault(TrapKind::RetEmptyStack, returning, "RET without a call: the stack is empty");
  return fault(TrapKind::StackError, left,
               "the stack is empty and lanes still wait: a BRK, CONT or .S without its "
               "PBK, PCNT or SSY");
}

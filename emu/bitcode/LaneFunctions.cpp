#include "emu/bitcode/LaneFunctions.h"
#include "emu/semantics/Atomic.h"
#include "emu/semantics/Bits.h"
#include "emu/semantics/Convert.h"
#include "emu/semantics/Double.h"
#include "emu/semantics/Float.h"
#include "emu/semantics/Half.h"
#include "emu/semantics/Integer.h"
#include "emu/semantics/Logic.h"
#include "emu/semantics/Predicate.h"
#include "emu/semantics/Special.h"
#include "emu/semantics/Video.h"

namespace leno::sem {
#define LENO_SEMANTIC(name) struct name;
#include "isa/LenoSemantics.def"
} // namespace leno::sem

namespace {

using namespace leno;
using lanes::Operands;
using lanes::Outcome;
using lanes::Shape;

/// The argument at `position` of a lane function, as the engines' sourceOf finds it for a row.
template <class T> T argument(const Operands &in, unsigned position) {
  if constexpr (__is_same(T, bool))
    return in.p & 1;
  else if constexpr (__is_same(T, sem::Flags))
    return {bool(in.codes.overflow & 1), bool(in.codes.carry & 1), bool(in.codes.sign & 1),
            bool(in.codes.zero & 1)};
  else if constexpr (__is_same(T, sem::PredicateWord))
    return {in.predicateWord};
  else {
    u64 bits = position == 0 ? in.a : position == 1 ? in.b : in.c;
    if constexpr (sizeof(T) == 8)
      return __builtin_bit_cast(T, bits);
    else
      return __builtin_bit_cast(T, u32(bits));
  }
}

/// Of a function of whole masks: predicates in order, then the codes.
template <class T> T maskArgument(const Operands &in, unsigned position) {
  if constexpr (__is_same(T, LaneMask))
    return position == 0 ? in.p : position == 1 ? in.q : in.r;
  else
    return in.codes;
}

template <class T> void put(T value, Outcome &out) {
  if constexpr (sizeof(T) == 8)
    out.shape = Shape::Pair, out.value = __builtin_bit_cast(u64, value);
  else
    out.shape = Shape::Word, out.value = __builtin_bit_cast(u32, value);
}

template <class M, class R> void take(M mods, const Operands &in, R result, Outcome &out) {
  if constexpr (__is_same(R, bool)) {
    LaneMask t = result;
    out.shape = Shape::Test;
    out.u = sem::combine(mods.bop, t, in.p) & 1;
    out.v = sem::combine(mods.bop, ~t, in.p) & 1;
  } else if constexpr (requires { result.flags; }) {
    put(result.value, out);
    out.hasFlags = true;
    out.codes = {result.flags.overflow, result.flags.carry, result.flags.sign, result.flags.zero};
  } else if constexpr (__is_same(R, sem::PredicateWrite)) {
    out.shape = Shape::Select;
    out.select = result.select;
    out.value = result.values;
  } else
    put(result, out);
}

template <class S, class R, class M, class... Args>
void runLane(R (*)(M, Args...), const Operands &in, Outcome &out) {
  M mods;
  __builtin_memcpy(&mods, in.mods, sizeof(mods));
  // Braces: arguments are evaluated in order, which counts the positions.
  unsigned position = 0;
  struct Call {
    R result;
    Call(M m, Args... args) : result(S::lane(m, args...)) {}
  } call{mods, argument<Args>(in, position++)...};
  take(mods, in, call.result, out);
}

template <class S, class M, class... Args>
void runMasks(sem::PredicatePair (*)(M, Args...), const Operands &in, Outcome &out) {
  M mods;
  __builtin_memcpy(&mods, in.mods, sizeof(mods));
  unsigned position = 0;
  struct Call {
    sem::PredicatePair result;
    Call(M m, Args... args) : result(S::masks(m, args...)) {}
  } call{mods, maskArgument<__remove_cvref(Args)>(in, position++)...};
  out.shape = Shape::Masks;
  out.u = call.result.u;
  out.v = call.result.v;
}

template <class S, class M> void evaluate(const Operands &in, Outcome &out) {
  M mods;
  __builtin_memcpy(&mods, in.mods, sizeof(mods));
  if constexpr (requires { &S::result; }) {
    out.shape = Shape::Atomic;
    out.value = S::result(mods, in.a, in.b, in.c);
  } else if constexpr (requires { &S::masks; }) {
    runMasks<S>(&S::masks, in, out);
  } else if constexpr (requires { &S::sourceLane; }) {
    out.shape = Shape::SourceLane;
    out.value = u64(s64(S::sourceLane(mods, s32(in.lane), u32(in.b), u32(in.c))));
  } else if constexpr (requires { &S::vote; }) {
    auto [agreed, ballot] = S::vote(mods, in.executing, in.p);
    out.shape = Shape::Vote;
    out.value = ballot;
    out.u = agreed;
  } else if constexpr (requires { &S::convert; }) {
    out.shape = S::isWideResult(mods) ? Shape::Pair : Shape::Word;
    u64 result = S::convert(mods, S::isWideSource(mods) ? in.b : u32(in.b));
    out.value = S::isWideResult(mods) ? result : u32(result);
  } else if constexpr (requires { &S::lane; }) {
    runLane<S>(&S::lane, in, out);
  }
}

} // namespace

#define LENO_SEMANTIC(name)                                                                                  \
  extern "C" void leno_lane_##name(const Operands *in, Outcome *out) {                                       \
    *out = {};                                                                                               \
    evaluate<sem::name, isa::name##Mods>(*in, *out);                                                         \
  }
#include "isa/LenoSemantics.def"

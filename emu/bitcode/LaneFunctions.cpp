#include "emu/bitcode/LaneFunctions.h"
#include "emu/semantics/All.h"
#include "emu/semantics/Shape.h"

namespace {

using namespace leno;
using lanes::Operands;
using lanes::Outcome;

/// One lane's part of what an engine takes from rows, predicates and flags.
struct LaneSources {
  const Operands &in;
  template <class T, Operand operand> T get() const {
    if constexpr (operand == Operand::P)
      return in.p & 1;
    else if constexpr (operand == Operand::Codes)
      return {bool(in.codes.overflow & 1), bool(in.codes.carry & 1), bool(in.codes.sign & 1),
              bool(in.codes.zero & 1)};
    else if constexpr (operand == Operand::PredicateWord)
      return {in.predicateWord};
    else {
      u64 bits = operand == Operand::A ? in.a : operand == Operand::B ? in.b : in.c;
      if constexpr (sizeof(T) == 8)
        return __builtin_bit_cast(T, bits);
      else
        return __builtin_bit_cast(T, u32(bits));
    }
  }
};

struct MaskSources {
  const Operands &in;
  template <class T, Operand operand> T get() const {
    if constexpr (operand == Operand::Codes)
      return in.codes;
    else
      return operand == Operand::P ? in.p : operand == Operand::Q ? in.q : in.r;
  }
};

template <class T> u64 bitsOf(T value) {
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(u64, value);
  else
    return __builtin_bit_cast(u32, value);
}

template <class S, class M, class R> void take(M mods, const Operands &in, R result, Outcome &out) {
  auto write = [&](sem::Flags flags) { out.codes = {flags.overflow, flags.carry, flags.sign, flags.zero}; };
  if constexpr (__is_same(R, bool)) {
    LaneMask t = result;
    out.u = sem::combine(mods.bop, t, in.p) & 1;
    out.v = sem::combine(mods.bop, ~t, in.p) & 1;
  } else if constexpr (requires { result.flags; }) {
    out.value = bitsOf(result.value);
    write(result.flags);
  } else if constexpr (__is_same(R, sem::PredicateWrite)) {
    out.select = result.select;
    out.value = result.values;
  } else {
    out.value = bitsOf(result);
    if constexpr (hasFlagsOfValue<S>())
      write(sem::flagsOf(result));
  }
}

template <class S, class M> void evaluate(const Operands &in, Outcome &out) {
  M mods;
  __builtin_memcpy(&mods, in.mods, sizeof(mods));
  constexpr Shape shape = shapeOf<S>();
  if constexpr (shape == Shape::Lane) {
    take<S>(mods, in, bind<shape>(&S::lane, LaneSources{in}, [&](auto... a) { return S::lane(mods, a...); }),
         out);
  } else if constexpr (shape == Shape::Conversion) {
    u64 result = S::convert(mods, S::isWideSource(mods) ? in.b : u32(in.b));
    out.value = S::isWideResult(mods) ? result : u32(result);
  } else if constexpr (shape == Shape::Masks) {
    auto [u, v] = bind<shape>(&S::masks, MaskSources{in}, [&](auto... a) { return S::masks(mods, a...); });
    out.u = u, out.v = v;
  } else if constexpr (shape == Shape::Vote) {
    auto [agreed, ballot] = S::vote(mods, in.executing, in.p);
    out.value = ballot;
    out.u = agreed;
  } else if constexpr (shape == Shape::Shuffle) {
    out.value = u64(s64(S::sourceLane(mods, s32(in.lane), u32(in.b), u32(in.c))));
  } else if constexpr (shape == Shape::Atomic) {
    out.value = S::result(mods, in.a, in.b, in.c);
  }
}

} // namespace

#define LENO_SEMANTIC(name)                                                                                  \
  extern "C" void leno_lane_##name(const Operands *in, Outcome *out) {                                       \
    *out = {};                                                                                               \
    evaluate<sem::name, isa::name##Mods>(*in, *out);                                                         \
  }
#include "isa/LenoSemantics.def"

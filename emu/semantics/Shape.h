//===- Shape.h - What kind of thing a semantic is -------------------------===//
// A semantic says by the name of its member what it is, and by that function's
// arguments where its operands come from. Both are read here and nowhere else.
// Engines include this: no function may be left for the linker.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Predicate.h"
#include "emu/warp/WarpState.h"

namespace leno {

enum class Shape : u8 {
  // Functions of values.
  Lane,       ///< lane: of one lane's words
  Conversion, ///< convert: the same, of words or pairs as the modifiers say
  Masks,      ///< masks: of all lanes' predicates and flags
  Vote,       ///< vote: of all lanes' predicates, one result for all
  Shuffle,    ///< sourceLane: which lane a lane reads
  Atomic,     ///< result: what memory holds then
  // Of the warp and memory.
  Access,  ///< access: loads and stores
  Lock,    ///< lock: those that lock and unlock
  Special, ///< values: reads special registers
  Control, ///< warp: control flow, barriers
};

template <class S> consteval Shape shapeOf() {
  static_assert(sizeof(S) > 0, "the header of the semantic's family is missing");
  if (requires { S::access; })
    return Shape::Access;
  if (requires { &S::result; })
    return Shape::Atomic;
  if (requires { S::lock; })
    return Shape::Lock;
  if (requires { &S::masks; })
    return Shape::Masks;
  if (requires { &S::sourceLane; })
    return Shape::Shuffle;
  if (requires { &S::vote; })
    return Shape::Vote;
  if (requires { &S::values; })
    return Shape::Special;
  if (requires { &S::warp; })
    return Shape::Control;
  if (requires { &S::convert; })
    return Shape::Conversion;
  return Shape::Lane;
}
consteval bool isFunctionOfValues(Shape shape) { return shape <= Shape::Atomic; }

//===--- Operands ---------------------------------------------------------===//

/// What a function that takes its modifiers first gives, and which modifiers.
template <class F> struct Signature;
template <class R, class M, class... Args> struct Signature<R (*)(M, Args...)> {
  using Result = R;
  using Mods = M;
};
template <class R, class M, class... Args>
struct Signature<R (*)(M, Args...) noexcept> : Signature<R (*)(M, Args...)> {};

template <class S> using LaneResult = typename Signature<decltype(&S::lane)>::Result;

/// Whether .CC writes the flags that follow from the value (Flags.h), which a function of lanes alone gives.
template <class S> consteval bool hasFlagsOfValue() {
  return requires(typename Signature<decltype(&S::lane)>::Mods mods) { mods.CC; } &&
         !requires(LaneResult<S> result) { result.flags; };
}

enum class Operand : u8 { A, B, C, P, Q, R, Codes, PredicateWord };

/// Where the argument at `position` of a function of lanes or masks comes from. Words, or pairs of words for
/// 64-bit types, from rows a, b, c in order; a bool from predicate p; masks from predicates p, q, r in order;
/// flags and the word of all predicates wherever they stand.
template <Shape shape, class T> consteval Operand operandOf(unsigned position) {
  if (__is_same(T, sem::Flags) || __is_same(T, ConditionCodes))
    return Operand::Codes;
  if (__is_same(T, sem::PredicateWord))
    return Operand::PredicateWord;
  if (__is_same(T, bool))
    return Operand::P;
  unsigned first = unsigned(shape == Shape::Masks ? Operand::P : Operand::A);
  return Operand(first + (position < 2 ? position : 2));
}

template <unsigned... positions> struct Positions {};
template <unsigned count, unsigned... positions> consteval auto positionsUpTo() {
  if constexpr (sizeof...(positions) == count)
    return Positions<positions...>{};
  else
    return positionsUpTo<count, positions..., sizeof...(positions)>();
}

template <Shape shape, class... Args, unsigned... positions, class Sources, class Take>
[[clang::always_inline]] constexpr auto bindAll(Positions<positions...>, const Sources &sources, Take take) {
  return take(sources.template get<Args, operandOf<shape, Args>(positions)>()...);
}
/// Gives `take` what the arguments of the function behind its modifiers come from: of each, what
/// sources.get<type, operand>() returns.
template <Shape shape, class R, class M, class... Args, class Sources, class Take>
[[clang::always_inline]] constexpr auto bind(R (*)(M, Args...), const Sources &sources, Take take) {
  return bindAll<shape, __remove_cvref(Args)...>(positionsUpTo<sizeof...(Args)>(), sources, take);
}

} // namespace leno

//===- Forms.cpp - What compiled code is made of --------------------------===//
// Compiled to bitcode, once for each vector width, from the same source as the
// engines (engine/Handlers.inc): the compiler inlines these functions with
// their operations as constants. A form either does all that the operation's
// handler would do, or gives null and has done nothing: the operation is the
// interpreter's then. It asks no service and tells nobody.
//===----------------------------------------------------------------------===//
#define LENO_COMPILED_FORMS
#include "emu/compiled/CompiledCode.h"
#include "emu/engine/Engines.h"
#include "emu/engine/Handlers.inc"

#pragma clang attribute push(__attribute__((internal_linkage)), apply_to = any(function, record))
namespace {

using compiled::Judgement;

/// How the addresses of executing lanes lie to each other: of rows that do not change it is known once.
struct Addresses {
  u64 first;  ///< of the lowest lane
  bool isOne; ///< the same for all
  bool isRow; ///< words side by side, in lane order
};
template <sem::MemorySpace space>
[[clang::always_inline]] inline Addresses patternOf(WarpState &warp, const Op &op, s64 immediate,
                                                    LaneMask exec) {
  const unsigned first = unsigned(__builtin_ctz(exec)), last = 31 - unsigned(__builtin_clz(exec));
  const u32 low = wordOf(warp, op.a, first);
  const Vector apart = *row<const Vector>(warp, op.a) - low;
  auto holds = [&](Vector isZero) { return !(exec & ~lanesWhere(isZero)); };
  const bool isOne = holds(apart), isRow = holds(apart - (laneNumbers - first) * 4);
  if (!hasWideAddresses(space))
    return {u32(low + u32(immediate)), isOne, isRow};
  u64 address = u64(low) + u64(immediate);
  bool isTogether = true;
  if (op.flags & Op::wideBase) {
    const u32 high = wordOf(warp, op.a + s32(rowBytes), first);
    const LaneMask apart = ~lanesWhere(*row<const Vector>(warp, op.a + s32(rowBytes)) - high);
    isTogether = !(exec & LaneMask(__builtin_annotation(s32(apart), "judged"))); // SharedWords may set more
    address += u64(high) << 32;
  }
  // No row goes on where the lower words begin anew.
  return {address, bool(isOne & isTogether), bool(isRow & isTogether & (low <= ~u32(4 * (last - first))))};
}

/// Loads and stores of one word of all executing lanes, or of words side by side, inside one window; else
/// nothing has moved. What is judged with this one finds it first.
template <isa::MemSize size, sem::MemorySpace space, bool isStore, compiled::Lanes lanes>
[[clang::always_inline]] inline bool moveTogether(WarpState &warp, const Op &op, LaneMask exec) {
  constexpr unsigned bytes = sem::bytesOf(size);
  constexpr bool isRow = bytes == 4 && space != sem::MemorySpace::Local && lanes == compiled::Lanes::Row;
  if constexpr (space == sem::MemorySpace::Local ? bytes < 4
                                                 : bytes == 4 && !isRow && lanes != compiled::Lanes::One)
    return false;
  const Judgement judgement = Judgement::of(op);
  const s64 further = judgement.isMade() ? judgement.above : 0; // than the first of them
  const Addresses addresses = patternOf<space>(warp, op, op.immediate - further, exec);
  const unsigned first = unsigned(__builtin_ctz(exec)), last = 31 - unsigned(__builtin_clz(exec));
  if (!judgement.isMade()) {
    // Where the offset is a multiple, as it mostly is, alignment is the base's, and known once.
    const bool isAligned = (op.immediate % bytes ? addresses.first : wordOf(warp, op.a, first)) % bytes == 0;
    const u64 all = (isRow ? 4 * (last - first) + 4 : bytes) + judgement.reach();
    auto isSoundIn = [&](const MemoryWindow &window) { // all of it, without branches
      return (isRow ? addresses.isRow : addresses.isOne) & isAligned & (window.size >= all) &
             (addresses.first - u64(judgement.below) - window.base <= window.size - all);
    };
    if (!isSoundIn(windowOf<space>(warp, op))) [[unlikely]] {
      const MemoryWindow other = warp.otherGlobal;
      if (!hasWideAddresses(space) || !isSoundIn(other))
        return false;
      warp.global.base = other.base; // of which the size is known to be enough
      warp.global.host = other.host;
    }
  }
  const MemoryWindow &window = windowOf<space>(warp, op);
  const u64 offset = addresses.first - window.base + u64(further);
  if constexpr (isRow) {
    unsigned char *host = window.host + offset - size_t(first) * 4;
    for (unsigned line = 0; line < rowBytes; line += 64) {
      if (op.extra & compiled::fetchesAhead)
        __builtin_prefetch(host + rowBytes + line);
      if (op.extra & compiled::fetchesFar)
        __builtin_prefetch(host + compiled::bytesFar + line, /*rw=*/0, /*locality=*/2);
    }
    transferRow<isStore>(warp, op.d, host, exec);
  } else
    moving<size, space, isStore>(warp, op, exec, window, {Stretch::One, offset});
  return true;
}

/// Of lanes that may lie in any way, called with copies of the rows: those of the address, and from the third on those
/// of the data. The windows come by their parts: what compiled code keeps of the warp shall be in nobody's memory.
template <isa::MemSize size, sem::MemorySpace space, bool isStore>
[[gnu::noinline]] bool moveAny(u32 *rows, s64 immediate, u8 flags, LaneMask exec, u64 base, u64 bytes,
                               unsigned char *host, u64 otherBase, u64 otherBytes, unsigned char *otherHost) {
  WarpState warp;
  warp.frame = reinterpret_cast<unsigned char *>(rows);
  warp.global = warp.shared = {base, bytes, host};
  warp.constants = &warp.global;
  warp.otherGlobal = {otherBase, otherBytes, otherHost};
  Op op{};
  op.a = 0;
  op.d = s32(2 * rowBytes);
  op.immediate = immediate;
  op.flags = flags;
  const unsigned first = unsigned(__builtin_ctz(exec)), last = 31 - unsigned(__builtin_clz(exec));
  const u32 apart = rows[last] - rows[first];
  if ((apart == 4 * (last - first) &&
       moveTogether<size, space, isStore, compiled::Lanes::Row>(warp, op, exec)) ||
      (!apart && moveTogether<size, space, isStore, compiled::Lanes::One>(warp, op, exec)))
    return true;
  return accessingWindow<size, space, isStore>(warp, op, exec, warp.global) ||
         (hasWideAddresses(space) && accessingWindow<size, space, isStore>(warp, op, exec, warp.otherGlobal));
}

/// The same of local memory, where one address of all lanes is a row.
template <isa::MemSize size, bool isStore>
[[gnu::noinline]] bool moveLocal(u32 *rows, u32 immediate, LaneMask exec, u64 bytesOfLane,
                                 unsigned char *host) {
  constexpr unsigned bytes = sem::bytesOf(size);
  WarpState warp;
  warp.frame = reinterpret_cast<unsigned char *>(rows);
  Op op{};
  op.d = s32(2 * rowBytes);
  const Vector addresses = *row<const Vector>(warp, 0) + immediate;
  const u32 last = u32(bytesOfLane) - bytes;
  if (bytesOfLane < bytes || exec & ~lanesWhere((addresses & (bytes - 1)) | Vector(addresses > last)))
    return false;
  alignas(rowBytes) u32 from[laneCount];
  __builtin_memcpy(from, &addresses, sizeof(from));
  transfer<size, isStore>(warp, op, exec, [&](unsigned lane, unsigned k) {
    return host + localOffset(lane, from[lane] + 4 * k);
  });
  return true;
}

#ifdef __AVX512F__
/// A load of words of which those of lanes 0 to 15, and of the others, lie in two lines of 64 bytes each:
/// these are loaded as they are, which takes a part of what a gather does. False: they lie further apart, and
/// nothing has moved.
template <sem::MemorySpace space>
[[clang::always_inline]] inline bool loadNear(WarpState &warp, const Op &op, LaneMask exec,
                                              const MemoryWindow &window) {
  constexpr unsigned half = laneCount / 2;
  constexpr u32 line = sizeof(__m512i), most = 2 * line;
  const Vector offsets = offsetsIn(warp, op, window);
  if (window.size < most || !areIn<4, space>(warp, op, exec, window, offsets))
    return false;
  u32 from[2], away = 0;
  __m512i further[2];
#pragma clang loop unroll(full)
  for (unsigned k = 0; k < 2; ++k) {
    const u32 first = offsets[half * k], last = offsets[half * k + half - 1];
    const u32 below = (first < last ? first : last) & ~(line - 1), end = u32(window.size) - most;
    from[k] = below < end ? below : end;
    further[k] =
        _mm512_sub_epi32(reinterpret_cast<const __m512i *>(&offsets)[k], _mm512_set1_epi32(s32(from[k])));
    away |= _mm512_mask_cmpge_epu32_mask(__mmask16(exec >> half * k), further[k], _mm512_set1_epi32(most));
  }
  if (away)
    return false;
  auto *words = row<__m512i>(warp, op.d);
#pragma clang loop unroll(full)
  for (unsigned k = 0; k < 2; ++k) {
    const unsigned char *host = window.host + from[k];
    const __m512i found = _mm512_permutex2var_epi32(
        _mm512_loadu_si512(host), _mm512_srli_epi32(further[k], 2), _mm512_loadu_si512(host + line));
    words[k] = _mm512_mask_mov_epi32(words[k], __mmask16(exec >> half * k), found);
  }
  return true;
}
#endif

template <class S, unsigned hot, class M, compiled::Lanes lanes> const Op *accessing(WarpState &warp, const Op &op) {
  constexpr isa::MemSize size = M::withHot(M{}, hot).size;
  constexpr sem::MemorySpace space = S::access.space;
  constexpr bool isStore = S::access.isStore;
  constexpr bool isLocal = space == sem::MemorySpace::Local; // interleaved: one address is a row
  LaneMask exec = executing(warp, op);
  if (!exec)
    return &op + 1;
  // The host and other host threads write global memory, too: each access happens, and in its order.
  if constexpr (hasWideAddresses(space))
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if constexpr (lanes != compiled::Lanes::Any)
    return moveTogether<size, space, isStore, lanes>(warp, op, exec) ? &op + 1 : nullptr;
#ifdef __AVX512F__ // which gathers and scatters at once
  if constexpr (sem::bytesOf(size) == 4 && space != sem::MemorySpace::Constant && !isLocal && !isStore)
    if (op.extra & compiled::liesNear && loadNear<space>(warp, op, exec, windowOf<space>(warp, op)))
      return &op + 1;
  if constexpr (sem::bytesOf(size) == 4 && !isLocal)
    if (accessingWindow<size, space, isStore>(warp, op, exec, windowOf<space>(warp, op))) [[likely]]
      return &op + 1;
#endif
  if constexpr (sem::bytesOf(size) > 4 && !isLocal) {
    const MemoryWindow &near = windowOf<space>(warp, op);
    const Vector offsets = offsetsIn(warp, op, near);
    if (areSideBySide<sem::bytesOf(size)>(exec, offsets) &&
        areIn<sem::bytesOf(size), space>(warp, op, exec, near, offsets)) [[likely]] {
      transferSideBySide<size, isStore>(warp, op, near.host + offsets[0]);
      return &op + 1;
    }
  }
  constexpr unsigned registers = sem::registersOf(size);
  alignas(rowBytes) Vector rows[2 + registers];
  rows[0] = *row<const Vector>(warp, op.a);
  if (op.flags & Op::wideBase)
    rows[1] = *row<const Vector>(warp, op.a + s32(rowBytes));
#pragma clang loop unroll(full) // rows are values only where it is known which they are
  for (unsigned k = 0; k < registers; ++k)
    rows[2 + k] = *row<const Vector>(warp, op.d + s32(k * rowBytes));
  const MemoryWindow window = windowOf<space>(warp, op), other = warp.otherGlobal;
  if constexpr (isLocal) {
    if (!moveLocal<size, isStore>(reinterpret_cast<u32 *>(rows), u32(op.immediate), exec, window.size,
                                  window.host))
      return nullptr;
  } else if (!moveAny<size, space, isStore>(reinterpret_cast<u32 *>(rows), op.immediate, op.flags, exec,
                                            window.base, window.size, window.host, other.base, other.size,
                                            other.host))
    return nullptr;
  if constexpr (!isStore)
#pragma clang loop unroll(full)
    for (unsigned k = 0; k < registers; ++k)
      *row<Vector>(warp, op.d + s32(k * rowBytes)) = rows[2 + k];
  return &op + 1;
}

/// Of lanes whose words lie in one window; called, as moveAny is, with the rows of their offsets, of both
/// operands and of the result, two of each.
template <class S, class M>
[[gnu::noinline]] void replaceAny(u32 *rows, M mods, LaneMask exec, bool isShared, unsigned char *host) {
  WarpState warp;
  warp.frame = reinterpret_cast<unsigned char *>(rows);
  Op op{};
  op.b = s32(2 * rowBytes);
  op.c = s32(4 * rowBytes);
  op.d = s32(6 * rowBytes);
  const Vector offsets = *row<const Vector>(warp, 0);
  if (isShared)
    replacingAt<S, M, true>(warp, op, mods, exec, host, offsets);
  else
    replacingAt<S, M, false>(warp, op, mods, exec, host, offsets);
}

template <class S, class M> const Op *replacing(WarpState &warp, const Op &op) {
  const M mods = modsOf<M>(op);
  const bool isWide = sem::bytesOf(mods.type) == 8;
  LaneMask exec = executing(warp, op);
  if (!exec)
    return &op + 1;
  constexpr bool isGlobal = hasWideAddresses(S::space);
  if constexpr (isGlobal)
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  alignas(rowBytes) Vector rows[8];
  auto isIn = [&](const MemoryWindow &window) {
    rows[0] = offsetsIn(warp, op, window);
    return isWide ? areIn<8, S::space>(warp, op, exec, window, rows[0])
                  : areIn<4, S::space>(warp, op, exec, window, rows[0]);
  };
  const MemoryWindow first = isGlobal ? warp.global : warp.shared, other = warp.otherGlobal;
  const bool isFirst = isIn(first);
  if (!isFirst && !(isGlobal && isIn(other)))
    return nullptr;
  auto take = [&](unsigned to, s32 from) {
    rows[to] = *row<const Vector>(warp, from);
    if (isWide)
      rows[to + 1] = *row<const Vector>(warp, from + s32(rowBytes));
  };
  take(2, op.b);
  if constexpr (S::swaps)
    take(4, op.c);
  if (S::returnsOld && exec != allLanes)
    take(6, op.d);
  replaceAny<S>(reinterpret_cast<u32 *>(rows), mods, exec, isGlobal && warp.sharesMemory,
                isFirst ? first.host : other.host);
  if constexpr (S::returnsOld) {
    *row<Vector>(warp, op.d) = rows[6];
    if (isWide)
      *row<Vector>(warp, op.d + s32(rowBytes)) = rows[7];
  }
  return &op + 1;
}

/// Copies of three rows.
struct Copies {
  const Vector (&rows)[3];
  template <class T, Operand operand> [[clang::always_inline]] auto get() const {
    return Source<T>{reinterpret_cast<const T *>(rows + unsigned(operand))};
  }
};
template <class S, unsigned hot, class M>
[[gnu::noinline]] void computeAway(LaneResult<S> *values, M mods, const Vector (&rows)[3]) {
  bind<Shape::Lane>(&S::lane, Copies{rows},
                    [&](auto... in) { computeLanes<S>(values, M::withHot(mods, hot), in...); });
}

/// A page of code for each lane, or nearly so, is called: rows it would look at lane by lane were no values.
template <class S, unsigned hot, class M> const Op *calling(WarpState &warp, const Op &op) {
  alignas(rowBytes) Vector sources[3] = {*row<const Vector>(warp, op.a), *row<const Vector>(warp, op.b),
                                         *row<const Vector>(warp, op.c)};
  alignas(rowBytes) LaneResult<S> values[laneCount];
  const M mods = modsOf<M>(op);
  computeAway<S, hot>(values, mods, sources);
  writeResults<S>(warp, op, mods, values, executing(warp, op));
  return &op + 1;
}
template <class S, class M, unsigned hot> consteval bool isCalledAs() {
  if constexpr (requires { &S::isLong; })
    return S::isLong(M::withHot(M{}, hot));
  else
    return isCalled<S>;
}

template <class S, class M, unsigned hot, unsigned variant> constexpr Handler formOf() {
  constexpr Shape shape = shapeOf<S>();
  constexpr bool plain = variant == 1 && M::hasCold;
  if constexpr (shape == Shape::Access)
    return &accessing<S, hot, M, compiled::Lanes(variant)>;
  else if constexpr (shape == Shape::Atomic)
    return variant == unsigned(compiled::Lanes::Any) ? &replacing<S, M> : nullptr;
  else if constexpr (variant >= 2)
    return nullptr;
  else if constexpr (isCalledAs<S, M, hot>())
    return &calling<S, hot, M>;
  else if constexpr (shape == Shape::Lane || shape == Shape::Conversion || shape == Shape::Masks ||
                     shape == Shape::Shuffle || shape == Shape::Vote)
    return handlerOf<S, M, hot, plain>();
  else
    return nullptr;
}

template <class M> struct Forms {
  /// By hotIndex(), without and with all others at their defaults; of accesses, by compiled::Lanes.
  Handler each[compiled::variants * M::hotCount];
};
template <class S, class M, unsigned hot = 0> constexpr void fill(Forms<M> &forms) {
  if constexpr (hot < M::hotCount) {
    forms.each[compiled::variants * hot] = formOf<S, M, hot, 0>();
    forms.each[compiled::variants * hot + 1] = formOf<S, M, hot, 1>();
    forms.each[compiled::variants * hot + 2] = formOf<S, M, hot, 2>();
    fill<S, M, hot + 1>(forms);
  }
}
template <class S, class M> constexpr Forms<M> formsOf() {
  Forms<M> forms{};
  fill<S, M>(forms);
  return forms;
}

} // namespace
#pragma clang attribute pop

#define LENO_SEMANTIC(name)                                                                                  \
  [[gnu::used]] static constexpr Forms<isa::name##Mods> forms_##name asm("leno_forms_" #name) =               \
      formsOf<sem::name, isa::name##Mods>();
#include "isa/LenoSemantics.def"

/// The lanes that a branch takes to its target, and whether it promises that they go together.
#define LENO_BRANCH(name)                                                                                    \
  extern "C" LaneMask leno_taken_##name(WarpState &warp, const Op &op) {                                     \
    return sem::takenLanes(warp, modsOf<isa::name##Mods>(op), executing(warp, op));                          \
  }                                                                                                          \
  extern "C" bool leno_uniform_##name(WarpState &, const Op &op) { return modsOf<isa::name##Mods>(op).U; }
LENO_BRANCH(BRA)
LENO_BRANCH(JMP)

/// The executing lanes of what it writes.
extern "C" void leno_write(WarpState &warp, const Op &op, const Vector &values) {
  writeRow(warp, op.d, &values, executing(warp, op));
}

extern "C" LaneMask leno_executing(WarpState &warp, const Op &op) { return executing(warp, op); }

// The rules. Those that move, select or combine bits do the same to undefined ones, by the operation's own
// lane function; sums are undefined from their lowest undefined bit up; all else is undefined where a source
// has any undefined bit.
#include "runtime/checks/UndefinedBits.h"
#include "emu/semantics/All.h"
#include <cstring>

using namespace leno;
using namespace leno::checks;

namespace {

template <class M> M modsOf(const Op &op) {
  M mods;
  static_assert(sizeof(M) <= sizeof op.mods);
  std::memcpy(&mods, op.mods, sizeof(M));
  return mods;
}

template <class M> std::optional<isa::BoolOp> bopOf(const Op &op) {
  if constexpr (requires(M mods) { mods.bop; })
    return modsOf<M>(op).bop;
  return std::nullopt;
}

/// The bits of a sum whose lowest undefined bit is that of `undefined`.
constexpr u32 fromLowestUp(u32 undefined) { return 0 - (undefined & (0 - undefined)); }

/// Which sources are one register, and have one value.
struct Ties {
  bool ab = false, bc = false, ac = false;
};

/// Bits in which f of some values that the sources may have differ; f combines bit by bit.
template <class F>
u32 undefinedOf(F &&f, u32 a, u32 va, u32 b, u32 vb, u32 c = 0, u32 vc = 0, Ties ties = {}) {
  u32 canBeZero = 0, canBeOne = 0;
  for (unsigned k = 0; k < 8; ++k) {
    u32 x = 0 - (k & 1), y = 0 - (k >> 1 & 1), z = 0 - (k >> 2 & 1);
    if ((ties.ab && x != y) || (ties.bc && y != z) || (ties.ac && x != z))
      continue;
    u32 possible = (va | ~(a ^ x)) & (vb | ~(b ^ y)) & (vc | ~(c ^ z));
    u32 result = f(x, y, z);
    canBeOne |= possible & result;
    canBeZero |= possible & ~result;
  }
  return canBeZero & canBeOne;
}

class Rule {
public:
  Rule(const Warp &warp, const Op &op, const CellUse &use, LaneMask executing, UndefinedBits &bits, u32 from)
      : warp(warp), op(op), use(use), executing(executing), bits(bits), from(from) {}
  void carry();

private:
  const u32 *valuesAt(s32 offset) const { return reinterpret_cast<const u32 *>(warp.frame + offset); }
  /// Undefined bits of a source, which may be no register.
  const u32 *undefinedAt(s32 offset) {
    static constexpr u32 none[laneCount] = {};
    unsigned reg = unsigned(offset) / rowBytes;
    return offset >= 0 && use.reads.has(reg) && bits.cells.has(reg) ? bits.row(reg) : none;
  }
  LaneMask undefinedPredicate(unsigned p) {
    unsigned cell = firstPredicate + p;
    return p < truePredicate && bits.cells.has(cell) ? bits.mask(cell) : 0;
  }
  LaneMask valueOf(unsigned p, unsigned flip) const {
    return warp.predicates[p] ^ (op.flips >> flip & 1 ? allLanes : 0);
  }
  /// The result, lane by lane: f(lane, values and undefined bits of a, b, c).
  template <class F> void each(F &&f) {
    const u32 *a = valuesAt(op.a), *b = valuesAt(op.b), *c = valuesAt(op.c);
    const u32 *va = undefinedAt(op.a), *vb = undefinedAt(op.b), *vc = undefinedAt(op.c);
    u32 result[laneCount];
    for (LaneMask left = executing; left; left &= left - 1) {
      unsigned i = unsigned(std::countr_zero(left));
      result[i] = f(i, a[i], va[i], b[i], vb[i], c[i], vc[i]);
    }
    put(result);
  }
  void put(const u32 *result) {
    if (op.d < 0)
      return;
    unsigned reg = unsigned(op.d) / rowBytes;
    bits.define(reg, executing);
    for (LaneMask left = executing; left; left &= left - 1) {
      unsigned lane = unsigned(std::countr_zero(left));
      if (result[lane])
        bits.set(reg, lane, result[lane], from);
    }
  }
  /// Bits go where `f` takes them: f(a, b, c) with `b` as it is.
  template <class F> void move(F &&f) {
    each([&](unsigned, u32, u32 va, u32 b, u32 vb, u32, u32 vc) { return vb ? ~u32(0) : f(va, b, vc); });
  }
  void putPredicates(LaneMask undefined) {
    for (u8 p : {op.u, op.v})
      if (p < truePredicate && use.writes.has(firstPredicate + p))
        bits.setMask(firstPredicate + p, executing, undefined, from);
  }
  LaneMask lanesOfSources(unsigned first, unsigned last);
  void putFlags(LaneMask undefined) {
    if (use.writes.has(flagsCell))
      bits.setMask(flagsCell, executing, undefined, from);
  }
  void sum(u32 (*shifted)(const Op &, u32));
  void conservative();
  std::optional<isa::BoolOp> combining() const;
  template <class S, class M> void masks();
  void vote();
  void shuffle();
  void toRegister();
  void toPredicates();

  const Warp &warp;
  const Op &op;
  const CellUse &use;
  LaneMask executing;
  UndefinedBits &bits;
  u32 from;
};

/// Lanes in which a source among cells [first, last) has an undefined bit.
LaneMask Rule::lanesOfSources(unsigned first, unsigned last) {
  LaneMask lanes = 0;
  bits.cells.forBoth(use.reads, [&](unsigned cell) {
    if (cell >= first && cell < last)
      lanes |= bits.lanesOf(cell);
  });
  return lanes;
}

/// How a comparison goes together with its source predicate.
std::optional<isa::BoolOp> Rule::combining() const {
  switch (op.semantic) {
#define LENO_SEMANTIC(name)                                                                                  \
  case Semantic::name:                                                                                       \
    return bopOf<isa::name##Mods>(op);
#include "isa/LenoSemantics.def"
  case Semantic::count:
    break;
  }
  return std::nullopt;
}

void Rule::conservative() {
  LaneMask undefined = lanesOfSources(0, cellCount);
  LaneMask ofPredicates = undefined;
  if (std::optional<isa::BoolOp> bop = combining()) {
    LaneMask compared = lanesOfSources(0, firstPredicate) | lanesOfSources(flagsCell, cellCount);
    LaneMask p = undefinedPredicate(op.p), value = valueOf(op.p, 0);
    // A comparison with a predicate that decides alone is that.
    LaneMask decides = *bop == isa::BoolOp::AND ? ~value : *bop == isa::BoolOp::OR ? value : 0;
    undefined = ofPredicates = (compared & ~(decides & ~p)) | p;
  }
  use.writes.forBoth(use.writes, [&](unsigned cell) {
    if (cell >= firstPredicate) {
      bits.setMask(cell, executing, cell == flagsCell ? undefined : ofPredicates, from);
      return;
    }
    bits.define(cell, executing);
    for (LaneMask left = undefined & executing; left; left &= left - 1)
      bits.set(cell, unsigned(std::countr_zero(left)), ~u32(0), from);
  });
}

/// `shifted`: of the first source, before it is added.
void Rule::sum(u32 (*shifted)(const Op &, u32)) {
  if (use.reads.has(flagsCell) && bits.cells.has(flagsCell))
    return conservative();
  LaneMask undefined = lanesOfSources(0, firstPredicate);
  each([&](unsigned, u32, u32 va, u32, u32 vb, u32, u32 vc) {
    return fromLowestUp(shifted(op, va) | vb | vc);
  });
  putFlags(undefined);
}

template <class S, class M> void Rule::masks() {
  M mods = modsOf<M>(op);
  LaneMask p = valueOf(op.p, 0), q = valueOf(op.q, 1), r = valueOf(op.r, 2);
  LaneMask undefined =
      undefinedOf([&](u32 x, u32 y, u32 z) { return S::masks(mods, x, y, z).u; }, p, undefinedPredicate(op.p),
                  q, undefinedPredicate(op.q), r, undefinedPredicate(op.r));
  LaneMask other =
      undefinedOf([&](u32 x, u32 y, u32 z) { return S::masks(mods, x, y, z).v; }, p, undefinedPredicate(op.p),
                  q, undefinedPredicate(op.q), r, undefinedPredicate(op.r));
  // A result may take the place of a source.
  if (use.writes.has(firstPredicate + op.u) && op.u < truePredicate)
    bits.setMask(firstPredicate + op.u, executing, undefined, from);
  if (use.writes.has(firstPredicate + op.v) && op.v < truePredicate)
    bits.setMask(firstPredicate + op.v, executing, other, from);
}

void Rule::vote() {
  auto mode = modsOf<isa::VOTEMods>(op).mode;
  LaneMask undefined = undefinedPredicate(op.p) & executing,
           value = valueOf(op.p, 0) & executing & ~undefined;
  bool someTrue = value, someFalse = executing & ~undefined & ~value;
  bool isDecided = !undefined || (mode == isa::VoteMode::ALL   ? someFalse
                                  : mode == isa::VoteMode::ANY ? someTrue
                                                               : someTrue && someFalse);
  putPredicates(isDecided ? 0 : allLanes);
  u32 ballot[laneCount];
  std::fill(std::begin(ballot), std::end(ballot), undefined);
  put(ballot);
}

void Rule::shuffle() {
  auto mods = modsOf<isa::SHFLMods>(op);
  const u32 *a = undefinedAt(op.a);
  LaneMask lost = 0;
  each([&](unsigned lane, u32, u32, u32 b, u32 vb, u32 c, u32 vc) {
    lost |= LaneMask(vb || vc) << lane;
    s32 source = sem::SHFL::sourceLane(mods, s32(lane), b, c);
    bool reads = source >= 0 && (executing >> source & 1);
    return vb || vc ? ~u32(0) : a[reads ? unsigned(source) : lane];
  });
  putPredicates(lost);
}

/// P2R: a bit for each predicate, and for each flag from bit 8 on.
void Rule::toRegister() {
  auto mods = modsOf<isa::P2RMods>(op);
  each([&](unsigned lane, u32, u32 va, u32 b, u32 vb, u32, u32) {
    sem::PredicateWord word{0};
    for (unsigned p = 0; p < truePredicate; ++p)
      word.bits |= (undefinedPredicate(p) >> lane & 1) << p;
    if (bits.cells.has(flagsCell) && bits.mask(flagsCell) >> lane & 1)
      word.bits |= 0xf00;
    return vb ? ~u32(0) : sem::P2R::lane(mods, va, b, word);
  });
}

void Rule::toPredicates() {
  auto mods = modsOf<isa::R2PMods>(op);
  const u32 *a = undefinedAt(op.a), *b = valuesAt(op.b), *vb = undefinedAt(op.b);
  for (unsigned cell = firstPredicate; cell < cellCount; ++cell) {
    LaneMask written = 0, undefined = 0;
    u32 ofCell = cell == flagsCell ? 0xf00 : 1u << (cell - firstPredicate);
    for (LaneMask left = executing; left; left &= left - 1) {
      unsigned lane = unsigned(std::countr_zero(left));
      auto write = sem::R2P::lane(mods, a[lane], b[lane] | vb[lane]);
      written |= LaneMask((write.select & ofCell) != 0) << lane;
      undefined |= LaneMask((write.select & (write.values | vb[lane]) & ofCell) != 0) << lane;
    }
    if (written && use.writes.has(cell))
      bits.setMask(cell, written, undefined, from);
  }
}

void Rule::carry() {
  switch (op.semantic) {
  case Semantic::MOV:
  case Semantic::MOV32I:
    return each([](unsigned, u32, u32, u32, u32 vb, u32, u32) { return vb; });
  case Semantic::SEL: {
    LaneMask p = undefinedPredicate(op.p), value = valueOf(op.p, 0);
    return each([&](unsigned lane, u32 a, u32 va, u32 b, u32 vb, u32, u32) {
      return p >> lane & 1 ? va | vb | (a ^ b) : value >> lane & 1 ? va : vb;
    });
  }
  case Semantic::LOP: {
    auto mods = modsOf<isa::LOPMods>(op);
    return each([&](unsigned, u32 a, u32 va, u32 b, u32 vb, u32, u32) {
      return undefinedOf([&](u32 x, u32 y, u32) { return sem::LOP::lane(mods, x, y); }, a, va, b, vb, 0, 0,
                         {.ab = op.a == op.b});
    });
  }
  case Semantic::LOP3: {
    auto mods = modsOf<isa::LOP3Mods>(op);
    return each([&](unsigned, u32 a, u32 va, u32 b, u32 vb, u32 c, u32 vc) {
      return undefinedOf([&](u32 x, u32 y, u32 z) { return sem::LOP3::lane(mods, x, y, z); }, a, va, b, vb, c,
                         vc, {op.a == op.b, op.b == op.c, op.a == op.c});
    });
  }
#define LENO_MOVES_TWO(name)                                                                                 \
  case Semantic::name:                                                                                       \
    return move(                                                                                             \
        [mods = modsOf<isa::name##Mods>(op)](u32 va, u32 b, u32) { return sem::name::lane(mods, va, b); });
#define LENO_MOVES_THREE(name)                                                                               \
  case Semantic::name:                                                                                       \
    return move([mods = modsOf<isa::name##Mods>(op)](u32 va, u32 b, u32 vc) {                                \
      return sem::name::lane(mods, va, b, vc);                                                               \
    });
    LENO_MOVES_TWO(SHL)
    LENO_MOVES_TWO(SHR)
    LENO_MOVES_TWO(BFE)
    LENO_MOVES_THREE(SHF)
    LENO_MOVES_THREE(BFI)
    LENO_MOVES_THREE(PRMT)
  case Semantic::BREV:
    return each([&](unsigned, u32, u32, u32, u32 vb, u32, u32) {
      return sem::BREV::lane(modsOf<isa::BREVMods>(op), 0, vb);
    });
  case Semantic::IADD:
    if (op.a == op.b && modsOf<isa::IADDMods>(op).negA != modsOf<isa::IADDMods>(op).negB &&
        !use.reads.has(flagsCell)) {
      putFlags(0);
      return each([](auto...) { return u32(0); });
    }
    if (modsOf<isa::IADDMods>(op).SAT)
      return conservative();
    return sum([](const Op &, u32 va) { return va; });
  case Semantic::IADD3:
    return sum([](const Op &, u32 va) { return va; });
  case Semantic::ISCADD:
    return sum([](const Op &by, u32 va) { return va << modsOf<isa::ISCADDMods>(by).shift; });
  case Semantic::LEA:
    return sum([](const Op &by, u32 va) { return va << modsOf<isa::LEAMods>(by).shift; });
  case Semantic::IMAD:
    if (modsOf<isa::IMADMods>(op).HI)
      return conservative();
    return sum([](const Op &, u32 va) { return va; });
  case Semantic::IMUL:
    if (modsOf<isa::IMULMods>(op).HI)
      return conservative();
    return sum([](const Op &, u32 va) { return va; });
  case Semantic::PSETP:
    return masks<sem::PSETP, isa::PSETPMods>();
  case Semantic::VOTE:
    return vote();
  case Semantic::SHFL:
    return shuffle();
  case Semantic::P2R:
    return toRegister();
  case Semantic::R2P:
    return toPredicates();
  default:
    return conservative();
  }
}

} // namespace

void checks::carryUndefined(const Warp &warp, const Op &op, const CellUse &use, LaneMask executing,
                            UndefinedBits &bits, u32 from) {
  Rule(warp, op, use, executing, bits, from).carry();
}

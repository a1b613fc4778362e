#include "runtime/checks/InitCheck.h"
#include "asm/checker/Code.h"
#include "emu/launch/GridRun.h"
#include "emu/program/OpFacts.h"
#include "emu/sm/Cta.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace leno;
using namespace leno::checks;
using isa::Flow;
using llvm::formatv;

static unsigned lowest(LaneMask lanes) { return unsigned(std::countr_zero(lanes)); }

//===--- State ------------------------------------------------------------===//

/// What each instruction of a program reads and writes.
const std::vector<CellUse> &InitCheck::usesOf(const GridRun &grid) {
  auto &known = programs[&grid.program()];
  if (known)
    return *known;
  const Program &program = grid.program();
  std::vector<u64> words;
  for (size_t i = 0; i < program.size(); ++i)
    words.push_back(program.word(i));
  check::Code code = check::decodeImage(words, {});
  auto uses = std::make_shared<std::vector<CellUse>>(program.ops().size());
  for (size_t i = 0; i < code.instructions.size(); ++i) {
    CellUse &use = (*uses)[i];
    for (const Effect &effect : code.effectsOf(code.instructions[i]))
      for (unsigned k = 0; k < effect.count; ++k)
        if (effect.guards)
          use.guard = u8(effect.cell - firstPredicate);
        else
          (effect.writes ? use.writes : use.reads).set(effect.cell + k);
    for (const Effect &effect : code.effectsOf(code.instructions[i]))
      for (unsigned k = 0; k < effect.count; ++k)
        use.all.set(effect.cell + k);
  }
  known = std::move(uses);
  return *known;
}

InitCheck::WarpState &InitCheck::stateOf(const Warp &warp) {
  if (last == &warp)
    return *lastState;
  const GridRun &grid = warp.grid();
  CtaState &cta = ctas[CtaKey(grid.device().contextId(), grid.gridId(), grid.linear(warp.cta().index()))];
  last = &warp;
  lastCta = &cta;
  lastUses = &usesOf(grid);
  return *(lastState =
               &cta.warps.try_emplace(warp.index(), warp.registers(), warp.lanesLaunched()).first->second);
}

void InitCheck::gridStart(const GridRun &) { last = nullptr; }

void InitCheck::ctaEnd(const Cta &cta) {
  last = nullptr;
  const GridRun &grid = cta.grid();
  ctas.erase(CtaKey(grid.device().contextId(), grid.gridId(), grid.linear(cta.index())));
}

/// The host has written: bytes are defined.
void InitCheck::host(const HostEvent &event) {
  lastPage = {};
  u64 begin = event.address, end = event.address + event.bytes;
  constexpr u64 pageBytes = u64(1) << pageBits;
  if (event.kind == HostEvent::Allocates)
    for (u64 at = begin; at < end; ++at)
      if (Bytes *page = pageOf(event.context, at >> pageBits, true))
        put(*page, at % pageBytes, 1, 0xff);
  if (event.kind == HostEvent::Allocates || event.kind == HostEvent::Reads || !global.count(event.context))
    return;
  Pages &pages = global[event.context];
  for (auto page = pages.lower_bound(begin >> pageBits); page != pages.end() && page->first << pageBits < end;
       ++page)
    for (u64 at = std::max(begin, page->first << pageBits); at < std::min(end, (page->first + 1) << pageBits);
         ++at)
      put(page->second, at & ((1 << pageBits) - 1), 1, 0);
}

//===--- Telling ----------------------------------------------------------===//

bool InitCheck::fits(u64 bytes) {
  bool isLess = used + bytes <= limit;
  isLess ? used += bytes : ++lost;
  return isLess;
}

std::string InitCheck::limits() const {
  return lost ? formatv("origins and stores of undefined bits not followed: {0}, because the shadow memory "
                        "was full",
                        lost)
                    .str()
              : "";
}

u32 InitCheck::bornAt(const Warp &warp, const Op &op, LaneMask lanes, std::string what, std::string note) {
  Birth born{actionOf(warp, op, std::move(what), lanes), std::move(note)};
  if (!fits(sizeof(Birth) + born.note.size() + born.action.calls.size() * sizeof(CallSite)))
    return 0;
  births.push_back(std::move(born));
  return u32(births.size() - 1);
}

void InitCheck::tell(const Warp &warp, const Op &op, const char *kind, std::string text, const char *what,
                     LaneMask lanes, u32 birth) {
  u64 pc = warp.addressOf(op), otherPc = birth ? births[birth].action.pc : 0;
  if (findings.counts(kind, pc, otherPc))
    return;
  Finding finding;
  finding.check = "init";
  finding.kind = kind;
  finding.text = std::move(text);
  finding.context = warp.grid().device().contextId();
  finding.launch = warp.grid().gridId();
  finding.first = actionOf(warp, op, what, lanes);
  if (birth) {
    finding.second = births[birth].action;
    finding.notes.push_back(births[birth].note);
  }
  findings.add(std::move(finding));
}

/// Where the undefined bits that are read come from: they are born here where nobody has written the cell.
u32 InitCheck::birthOf(const Warp &warp, const Op &op, WarpState &state, const CellSet &reads,
                       LaneMask executing) {
  u32 birth = 0;
  state.bits.cells.forBoth(reads, [&](unsigned cell) {
    LaneMask lanes = state.bits.lanesOf(cell) & executing;
    if (!lanes)
      return;
    u32 &origin = state.bits.origin(cell);
    if (!origin) {
      std::string name = check::cellName(cell);
      origin = bornAt(warp, op, lanes, "read of " + name,
                      formatv("{0} was not written in {1} before it is read there", name,
                              lanes & (lanes - 1) ? "these lanes" : "this lane"));
    }
    birth = birth ? birth : origin;
  });
  return birth;
}

/// A use of a cell that matters. What was told of is defined.
void InitCheck::useOf(const Warp &warp, const Op &op, WarpState &state, unsigned cell, LaneMask lanes,
                      const char *kind, const char *what) {
  LaneMask undefined = state.bits.lanesOf(cell) & lanes;
  if (!undefined)
    return;
  CellSet one;
  one.set(cell);
  u32 birth = birthOf(warp, op, state, one, lanes);
  tell(warp, op, kind,
       formatv("{0} depends on {1}, which has no value in lane{2} {3}", what, check::cellName(cell),
               undefined & (undefined - 1) ? "s, the lowest is" : "", lowest(undefined)),
       "use", undefined, birth);
  state.bits.define(cell, undefined);
}

void InitCheck::checkUses(const Warp &warp, const Op &op, WarpState &state, const CellUse &use,
                          LaneMask executing) {
  isa::Facts facts = factsOf(op);
  bool moves = facts.flow != Flow::Next && !facts.waits;
  if (use.guard < truePredicate)
    useOf(warp, op, state, firstPredicate + use.guard, warp.active,
          moves ? "undefined-branch" : "undefined-guard",
          moves ? "a branch" : "whether the instruction executes");
  auto eachRead = [&](auto &&holds, const char *kind, const char *what) {
    state.bits.cells.forBoth(use.reads, [&](unsigned cell) {
      if (holds(cell))
        useOf(warp, op, state, cell, executing, kind, what);
    });
  };
  bool hasAddress = facts.memory && op.a >= 0;
  unsigned base = unsigned(op.a) / rowBytes;
  if (hasAddress)
    eachRead([&](unsigned cell) { return cell == base || ((op.flags & Op::wideBase) && cell == base + 1); },
             "undefined-address", "an address");
  if (moves && !facts.memory)
    eachRead([](unsigned) { return true; }, "undefined-branch", "where a branch goes");
  else if (facts.waits) // a reduction gives to all what one lane brings
    eachRead([](unsigned) { return true; }, "undefined-barrier", "a barrier");
}

//===--- Instructions -----------------------------------------------------===//

void InitCheck::instruction(const Warp &warp, const Op &op, LaneMask executing) {
  WarpState &state = stateOf(warp);
  size_t at = warp.addressOf(op) / 8;
  if (at >= lastUses->size())
    return;
  const CellUse &use = (*lastUses)[at];
  UndefinedBits &bits = state.bits;
  if (!bits.cells.meets(use.all))
    return;
  bool reads = bits.cells.meets(use.reads);
  if (reads || (use.guard < truePredicate && bits.cells.has(firstPredicate + use.guard))) {
    checkUses(warp, op, state, use, executing);
    reads = bits.cells.meets(use.reads);
  }
  if (reads && !factsOf(op).memory)
    return carryUndefined(warp, op, use, executing, bits, birthOf(warp, op, state, use.reads, executing));
  // What loads, tells of itself (memory); an atomic's result may take the place of its source.
  auto isAtomic = [&] {
    std::optional<isa::MemoryFacts> memory = factsOf(op).memory;
    return memory && memory->isAtomic && memory->lock == isa::Lock::None;
  };
  if (bits.cells.meets(use.writes) && !isAtomic()) {
    CellSet written = use.writes;
    bits.cells.forBoth(written, [&](unsigned cell) { bits.define(cell, executing); });
  }
}

//===--- Memory -----------------------------------------------------------===//

InitCheck::Bytes *InitCheck::pageOf(u32 context, u64 number, bool makes) {
  if (lastPage.context == context && lastPage.number == number && (lastPage.page || !makes))
    return lastPage.page;
  lastPage = {context, number, nullptr};
  auto known = global.find(context);
  if (known == global.end() && !makes)
    return nullptr;
  Pages &memory = global[context];
  if (auto page = memory.find(number); page != memory.end())
    return lastPage.page = &page->second;
  if (!makes)
    return nullptr;
  constexpr u64 size = u64(1) << pageBits;
  if (!fits(size * (sizeof(u8) + sizeof(u32) / 2)))
    return nullptr;
  Bytes made;
  made.undefined.resize(size);
  made.births.resize(size / 4);
  made.stores.resize(size / 4);
  return lastPage.page = &(memory[number] = std::move(made));
}

InitCheck::Bytes *InitCheck::bytesOf(const Warp &warp, const MemoryAccess &access, unsigned lane, bool makes,
                                     u64 &at) {
  auto within = [&](Bytes &bytes, u64 size) -> Bytes * {
    if (bytes.undefined.empty()) {
      bytes.undefined.assign(size, 255);
      bytes.left = size;
      bytes.births.resize(size / 4 + 1);
    }
    return at + access.bytes <= bytes.undefined.size() ? &bytes : nullptr;
  };
  if (access.space == MemorySpace::Shared) {
    at = u32(access.addresses[lane]);
    return within(lastCta->shared, warp.shared.size);
  }
  if (access.space == MemorySpace::Local) {
    at = lane * warp.local.size + u32(access.addresses[lane]);
    return within(lastState->local, warp.local.size * laneCount);
  }
  at = access.addresses[lane] & ((1 << pageBits) - 1);
  return pageOf(warp.grid().device().contextId(), access.addresses[lane] >> pageBits, makes);
}

bool InitCheck::isAllDefined(const Warp &warp, const MemoryAccess &access) {
  if (access.space == MemorySpace::Shared)
    return !lastCta->shared.undefined.empty() && !lastCta->shared.left;
  if (access.space == MemorySpace::Local)
    return !lastState->local.undefined.empty() && !lastState->local.left;
  if (global.empty())
    return true;
  u64 first = access.addresses[lowest(access.lanes)], differ = 0;
  if (access.lanes == allLanes)
    for (unsigned lane = 0; lane < laneCount; ++lane)
      differ |= first ^ access.addresses[lane];
  else
    for (LaneMask rest = access.lanes; rest; rest &= rest - 1)
      differ |= first ^ access.addresses[lowest(rest)];
  if (differ >> pageBits)
    return false;
  const Bytes *page = pageOf(warp.grid().device().contextId(), first >> pageBits, false);
  return !page || !page->left;
}

void InitCheck::put(Bytes &bytes, u64 at, unsigned count, u32 undefined) {
  auto nonZero = [](u32 word) {
    word |= word >> 4 & 0x0f0f0f0f;
    word |= word >> 2 & 0x3f3f3f3f;
    word |= word >> 1 & 0x7f7f7f7f;
    return u64(std::popcount(word & 0x01010101));
  };
  u32 before = 0;
  if (count < 4)
    undefined &= (1u << 8 * count) - 1;
  std::memcpy(&before, &bytes.undefined[at], count);
  std::memcpy(&bytes.undefined[at], &undefined, count);
  if (before != undefined)
    bytes.left += nonZero(undefined) - nonZero(before);
}

void InitCheck::load(const Warp &warp, const Op &op, const MemoryAccess &access, WarpState &state,
                     unsigned reg) {
  if (isAllDefined(warp, access))
    return;
  unsigned words = std::max(1u, access.bytes / 4);
  bool extends = factsOf(op).memory && access.bytes < 4;
  u32 born = 0;
  LaneMask unborn = 0;
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    unsigned lane = lowest(left);
    u64 at = 0;
    Bytes *bytes = bytesOf(warp, access, lane, false, at);
    if (!bytes)
      continue;
    for (unsigned word = 0; word < words; ++word) {
      u32 undefined = 0;
      std::memcpy(&undefined, &bytes->undefined[at + 4 * word], std::min(4u, access.bytes));
      if (!undefined)
        continue;
      // A sign that is not known fills the rest.
      if (extends && undefined >> (8 * access.bytes - 1) & 1)
        undefined |= ~u32(0) << (8 * access.bytes - 1);
      u32 &birth = bytes->births[at / 4 + word];
      if (!birth) {
        unborn |= LaneMask(1) << lane;
        if (!born)
          born =
              bornAt(warp, op, 0, "load",
                     formatv("nobody has written what it loads, the first is the byte at {0:x} of {1} memory",
                             access.addresses[lane], nameOf(access.space)));
        birth = born;
      }
      state.bits.set(reg + word, lane, undefined, birth);
    }
  }
  if (born)
    births[born].action.lanes = unborn;
}

/// The number of a store of undefined bits; 0: no room.
u32 InitCheck::storedBy(const Warp &warp, const Op &op, const char *what, u32 birth) {
  if (!fits(sizeof(Storing)))
    return 0;
  storing.push_back({checks::actionOf(warp, op, what, 0), birth, warp.grid().gridId()});
  return u32(storing.size() - 1);
}

void InitCheck::store(const Warp &warp, const Op &op, const MemoryAccess &access, WarpState &state,
                      s32 from) {
  unsigned words = std::max(1u, access.bytes / 4);
  unsigned reg = unsigned(from) / rowBytes;
  bool anyUndefined = false;
  for (unsigned word = 0; from >= 0 && word < words; ++word)
    anyUndefined |= state.bits.cells.has(reg + word);
  if (!access.lanes || (!anyUndefined && isAllDefined(warp, access)))
    return;
  bool isGlobal = access.space == MemorySpace::Global;
  u32 by = 0;
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    unsigned lane = lowest(left);
    u64 at = 0;
    Bytes *bytes = bytesOf(warp, access, lane, anyUndefined, at);
    if (!bytes)
      continue;
    for (unsigned word = 0; word < words; ++word) {
      u32 undefined = from >= 0 && state.bits.cells.has(reg + word) ? state.bits.row(reg + word)[lane] : 0;
      put(*bytes, at + 4 * word, std::min(4u, access.bytes), undefined);
      if (access.bytes < 4)
        undefined &= (1u << 8 * access.bytes) - 1;
      size_t place = at / 4 + word;
      if (undefined) {
        bytes->births[place] = state.bits.origin(reg + word);
        if (isGlobal && !by) {
          by = storedBy(warp, op, "store", bytes->births[place]);
        }
        if (isGlobal)
          storing[by].action.lanes |= LaneMask(1) << lane;
      }
      if (isGlobal && (undefined || access.bytes >= 4))
        bytes->stores[place] = undefined ? by : 0;
    }
  }
}

/// What was there does not matter afterwards.
static bool isExchange(const Op &op) {
  isa::ATOMMods global;
  isa::ATOMSMods shared;
  std::memcpy(&global, op.mods, sizeof global);
  std::memcpy(&shared, op.mods, sizeof shared);
  return (op.semantic == Semantic::ATOM && global.op == isa::AtomOp::EXCH) ||
         (op.semantic == Semantic::ATOMS && shared.op == isa::AtomOp::EXCH);
}

static MemoryAccess onlyLanes(MemoryAccess access, LaneMask lanes) {
  access.lanes = lanes;
  return access;
}

void InitCheck::memory(const Warp &warp, const Op &op, const MemoryAccess &access) {
  WarpState &state = stateOf(warp);
  const CellUse &use = (*lastUses)[warp.addressOf(op) / 8];
  if (access.kind == MemoryAccess::Kind::Store) {
    if (op.d >= 0)
      birthOf(warp, op, state, use.reads, access.lanes);
    return store(warp, op, access, state, op.d);
  }
  bool hasResult = op.d >= 0 && use.writes.has(unsigned(op.d) / rowBytes);
  if (access.kind == MemoryAccess::Kind::Load) {
    if (hasResult)
      load(warp, op, access, state, unsigned(op.d) / rowBytes);
    return;
  }
  // An atomic: what is there afterwards depends on what was there, and on what is given.
  LaneMask given = 0;
  for (s32 offset : {op.b, op.c})
    if (offset >= 0 && use.reads.has(unsigned(offset) / rowBytes))
      for (unsigned word = 0; word < std::max(1u, access.bytes / 4); ++word)
        given |= state.bits.lanesOf(unsigned(offset) / rowBytes + word);
  u32 birth = given & access.lanes ? birthOf(warp, op, state, use.reads, access.lanes) : 0;
  if (hasResult) {
    unsigned reg = unsigned(op.d) / rowBytes;
    for (unsigned word = 0; word < std::max(1u, access.bytes / 4); ++word)
      state.bits.define(reg + word, access.lanes);
    load(warp, op, access, state, reg);
  }
  if (isExchange(op))
    store(warp, op, onlyLanes(access, access.lanes & ~given), state, -1);
  for (LaneMask left = access.lanes & given; left; left &= left - 1) {
    unsigned lane = lowest(left);
    u64 at = 0;
    Bytes *bytes = bytesOf(warp, access, lane, true, at);
    if (!bytes)
      continue;
    for (unsigned word = 0; word < std::max(1u, access.bytes / 4); ++word)
      put(*bytes, at + 4 * word, std::min(4u, access.bytes), ~u32(0));
    bytes->births[at / 4] = birth;
    if (!bytes->stores.empty()) {
      u32 by = bytes->stores[at / 4] = storedBy(warp, op, "atomic", birth);
      storing[by].action.lanes = LaneMask(1) << lane;
    }
  }
}

void InitCheck::gridEnd(const GridRun &grid) {
  last = nullptr;
  u32 context = grid.device().contextId();
  auto memory = global.find(context);
  if (memory == global.end())
    return;
  for (auto &[number, page] : memory->second)
    for (size_t word = 0; word < page.stores.size(); ++word) {
      u32 put = std::exchange(page.stores[word], 0);
      if (!put || storing[put].launch != grid.gridId()) {
        page.stores[word] = put;
        continue;
      }
      const Storing &one = storing[put];
      u64 address = (number << pageBits) + 4 * word;
      unsigned bytes = 0;
      for (unsigned k = 4; k-- > 0;)
        if (page.undefined[4 * word + k])
          ++bytes, address = (number << pageBits) + 4 * word + k;
      if (!bytes ||
          findings.counts("undefined-output", one.action.pc, one.birth ? births[one.birth].action.pc : 0))
        continue;
      Finding finding;
      finding.check = "init";
      finding.kind = "undefined-output";
      finding.text = formatv("the launch leaves {0} at {1:x} of global memory that it has stored and that "
                             "{2} no value",
                             bytes == 1 ? "a byte" : std::to_string(bytes) + " bytes", address,
                             bytes == 1 ? "has" : "have");
      finding.context = context;
      finding.launch = grid.gridId();
      finding.first = one.action;
      if (one.birth) {
        finding.second = births[one.birth].action;
        finding.notes.push_back(births[one.birth].note);
      }
      finding.space = MemorySpace::Global;
      finding.address = address;
      finding.bytes = bytes;
      findings.add(std::move(finding));
    }
}

#include "emu/memory/MemoryChain.h"
#include "asm/support/Assert.h"
#include "emu/memory/ClusterCache.h"
#include "emu/memory/HostSide.h"
#include "emu/memory/L1Cache.h"
#include "emu/memory/L2Slices.h"
#include "emu/memory/MemoryPlace.h"
#include "emu/memory/Tlb.h"
#include "emu/warp/WarpState.h"
#include <utility>

using namespace leno;

//===--- Who is asked -----------------------------------------------------===//

namespace {

/// Memory itself.
class TimedDram final : public MemoryModel {
public:
  explicit TimedDram(const MachineConfig &config) : latency(config.timing.memoryLatency) {}
  std::unique_ptr<MemoryModel> clone() const override { return std::make_unique<TimedDram>(*this); }
  MemoryAnswer access(const MemoryRequest &, u64 cycle, const MemoryBehind &) override {
    return {cycle + latency, false};
  }
  void addTo(StateHash &) const override {}

private:
  u64 latency;
};

template <class Model> std::unique_ptr<MemoryModel> make(const MachineConfig &config) {
  return std::make_unique<Model>(config);
}

template <ClusterCache::Kind kind> std::unique_ptr<MemoryModel> makeCache(const MachineConfig &config) {
  return std::make_unique<ClusterCache>(config, kind);
}

/// In the order in which they ask.
struct Link {
  enum Side : u8 { OfSms, OfMemory } side;
  const char *setting;
  bool (*isUsed)(const MachineConfig &);
  std::unique_ptr<MemoryModel> (*make)(const MachineConfig &);
};
constexpr Link links[] = {
    {Link::OfSms, "l1.model=cache", [](const MachineConfig &c) { return c.l1.model != 0; }, make<L1Cache>},
    {Link::OfSms, "tlb.model=tlb", [](const MachineConfig &c) { return c.tlb.model != 0; }, make<Tlb>},
    {Link::OfMemory, "icache.model=cache", [](const MachineConfig &c) { return c.icache.model != 0; },
     makeCache<ClusterCache::OfInstructions>},
    {Link::OfMemory, "l15.model=cache", [](const MachineConfig &c) { return c.l15.model != 0; },
     makeCache<ClusterCache::L15>},
    {Link::OfMemory, "host.model=clock", [](const MachineConfig &c) { return c.host.model != 0; },
     make<HostSide>},
    {Link::OfMemory, "l2.model=slices", [](const MachineConfig &c) { return c.l2.model != 0; },
     make<L2Slices>},
};

void addLinks(MemoryModels &models, Link::Side side, const MachineConfig &config) {
  for (const Link &link : links)
    if (link.side == side && link.isUsed(config))
      models.add(link.make(config));
}

} // namespace

const char *MemoryChain::setting(const MachineConfig &config) {
  for (const Link &link : links)
    if (link.isUsed(config))
      return link.setting;
  return nullptr;
}

MemoryModels MemoryChain::memorySide(const MachineConfig &config) {
  MemoryModels models;
  addLinks(models, Link::OfMemory, config);
  models.add(make<TimedDram>(config));
  return models;
}

static MemoryModels modelsOfSms(const MachineConfig &config) {
  MemoryModels models;
  addLinks(models, Link::OfSms, config);
  return models;
}

SharedModels MemoryChain::sharedModels(const MachineConfig &config) {
  return {memorySide(config), config.contexts.perSm > 1 ? modelsOfSms(config) : MemoryModels()};
}

MemoryChain::MemoryChain(const MachineConfig &config, const PageTable *pages, u64 context,
                         SharedModels *shared)
    : pages(pages), context(context), timed(config.timing.model == MachineConfig::Timing::Cycles),
      fetchBytes(config.icache.model ? config.icache.lineBytes : 0), shared(shared),
      sharesSms(shared && !shared->ofSms.empty()), own(sharesSms ? MemoryModels() : modelsOfSms(config)),
      ownSide(shared ? MemoryModels() : memorySide(config)),
      lineBytes(ofSms().lineBytes() ? ofSms().lineBytes() : config.l2.lineBytes),
      sideLineBytes(config.l2.lineBytes), totals{decltype(Totals::sms)(config.sm.count), {}} {
  for (const auto &model : ofSms())
    rows.emplace_back(config.sm.count, std::vector<u64>(model->counts().front().names.size()));
}

std::vector<CacheView> MemoryChain::cacheViews() const {
  std::vector<CacheView> all = ofSms().cacheViews();
  llvm::append_range(all, side().cacheViews());
  return all;
}

//===--- Counts -----------------------------------------------------------===//

MemoryChain::Counts &MemoryChain::Counts::operator+=(const Counts &other) {
  accesses += other.accesses;
  requests += other.requests;
  hits += other.hits;
  waitCycles += other.waitCycles;
  return *this;
}

MemoryChain::Totals &MemoryChain::Totals::operator+=(const Totals &other) {
  sms.resize(std::max(sms.size(), other.sms.size()));
  for (size_t sm = 0; sm < other.sms.size(); ++sm)
    for (unsigned sender = 0; sender < senders; ++sender)
      sms[sm][sender] += other.sms[sm][sender];
  host += other.host;
  return *this;
}

MemoryChain::Counts MemoryChain::Totals::of(Sender sender) const {
  Counts sum = sender == Sender::Host ? host : Counts();
  for (const auto &sm : sms)
    sum += sm[sender];
  return sum;
}

MemoryChain::Counts MemoryChain::Totals::all() const {
  Counts sum = host;
  for (const auto &sm : sms)
    for (const Counts &counts : sm)
      sum += counts;
  return sum;
}

MemoryChain::AllCounts &MemoryChain::AllCounts::operator+=(const AllCounts &other) {
  ports += other.ports;
  models += other.models;
  return *this;
}

MemoryChain::AllCounts MemoryChain::counts() const {
  CountTables models = ofSms().counts();
  for (size_t i = 0; i < models.size(); ++i)
    models[i].rows = rows[i];
  return {totals, std::move(models)};
}

CountTables MemoryChain::AllCounts::tables() const {
  static constexpr CountName names[] = {{"accesses", "accesses"},
                                        {"requests", "requests", "l2Requests", "L2 requests"},
                                        {"hits", "hits", "l2Hits", "L2 hits"},
                                        {"waitCycles", "wait cycles", "l2WaitCycles", "L2 wait cycles"}};
  static constexpr CountName hostNames[] = {
      {"accesses", nullptr},
      {"requests", "requests to the slices", "l2Requests", "L2 requests"},
      {"hits", "hits", "l2Hits", "L2 hits"},
      {"waitCycles", nullptr}};
  auto rowOf = [](const Counts &c) { return std::vector<u64>{c.accesses, c.requests, c.hits, c.waitCycles}; };
  CountTables tables = {
      {.key = "globalBySm", .title = "global memory by SM", .of = "SM", .names = names},
      {.key = "localBySm", .title = "local memory by SM", .of = "SM", .names = names, .always = false},
      {.key = "stackBySm",
       .title = "stack entries spilled or restored by SM",
       .of = "SM",
       .names = names,
       .always = false}};
  for (const auto &sm : ports.sms)
    for (Sender sender : {Sender::Global, Sender::Local, Sender::Stack})
      tables[sender].rows.push_back(rowOf(sm[sender]));
  static constexpr CountName fetchNames[] = {{"fetches", "fetches"}, {"waitCycles", "wait cycles"}};
  CountTable fetched{.key = "fetchesBySm",
                     .title = "instructions fetched by SM",
                     .of = "SM",
                     .names = fetchNames,
                     .always = false};
  for (const auto &sm : ports.sms)
    fetched.rows.push_back({sm[Sender::Instruction].accesses, sm[Sender::Instruction].waitCycles});
  tables.push_back(fetched);
  tables.push_back({.key = "host",
                    .title = "host",
                    .of = "",
                    .names = hostNames,
                    .rows = {rowOf(ports.host)},
                    .shape = CountTable::Sentence});
  llvm::append_range(tables, models);
  return tables;
}

CountTables MemoryChain::tables() const {
  CountTables all = side().counts();
  llvm::append_range(all, counts().tables());
  return all;
}

//===--- From lanes to lines ----------------------------------------------===//

u64 MemoryChain::physicalOf(u64 address) {
  if (!pages)
    return address;
  u64 page = PageTable::pageOf(address);
  if (knownAt != pages->changes()) {
    known = {};
    knownAt = pages->changes();
  }
  Translation &entry = known[page / PageTable::pageBytes % known.size()];
  if (entry.page != page) {
    std::optional<u64> physical = pages->translate(page);
    LENO_ASSERT(physical, "an access that does not trap has no page");
    entry = {page, *physical};
  }
  return entry.physical + (address - page);
}

/// Bytes in a row. Neighbours come one after the other: look back first.
void MemoryChain::add(u64 address, u64 physical, unsigned bytes) {
  for (u64 end = address + bytes, next; address < end; physical += next - address, address = next) {
    u64 line = lineBytes.quotient(address), first = lineBytes.remainder(address);
    next = std::min((line + 1) * lineBytes, end);
    auto same =
        std::find_if(requests.rbegin(), requests.rend(), [&](const Request &r) { return r.line == line; });
    Request &request =
        same == requests.rend() ? requests.emplace_back(Request{line, physical - first, {}}) : *same;
    request.bytes.add(first, next - address);
  }
}

/// Bytes in a row, of an access that has asked for nothing so far.
void MemoryChain::addRow(u64 address, u64 physical, u64 bytes) {
  for (u64 end = address + bytes; address < end;) {
    u64 first = lineBytes.remainder(address), next = std::min(address - first + lineBytes, end);
    requests.push_back(
        {lineBytes.quotient(address), physical - first, ByteMask::range(first, next - address)});
    physical += next - address;
    address = next;
  }
}

/// The bytes that an access takes from the lowest lane's address on: when all lanes access that one, or lanes
/// in a row data in a row, within a page. Otherwise 0.
static u64 bytesInRow(const MemoryAccess &access) {
  unsigned first = unsigned(__builtin_ctz(access.lanes)), last = 31 - unsigned(__builtin_clz(access.lanes));
  u64 start = access.addresses[first], step = access.addresses[last] == start ? 0 : access.bytes;
  u64 bytes = step * (last - first) + access.bytes, differs = 0;
  if (PageTable::pageOf(start + bytes - 1) != PageTable::pageOf(start))
    return 0;
  if (step && access.lanes != (allLanes >> (31 - last) & allLanes << first)) // bytes between are nobody's
    return 0;
  if (access.lanes == allLanes) { // as vectors
    u64 used = step ? ~u64(0) : 0, shift = u64(__builtin_ctz(access.bytes));
    for (u64 lane = 0; lane < laneCount; ++lane)
      differs |= access.addresses[lane] ^ (start + (lane << shift & used));
  } else if (step)
    for (unsigned lane = first; lane <= last; ++lane)
      differs |= access.addresses[lane] ^ (start + step * (lane - first));
  else
    for (LaneMask left = access.lanes; left; left &= left - 1)
      differs |= access.addresses[__builtin_ctz(left)] ^ start;
  return differs ? 0 : bytes;
}

void MemoryChain::access(unsigned sm, const MemoryAccess &access, WarpClock &clock) {
  if (!access.lanes)
    return finish(sm, Sender::Global, access, clock);
  if (u64 bytes = bytesInRow(access)) {
    u64 first = access.addresses[__builtin_ctz(access.lanes)];
    addRow(first, physicalOf(first), bytes);
    return finish(sm, Sender::Global, access, clock);
  }
  // What neighbours access in a row of a page is added at once.
  u64 begin = 0, end = 0, page = ~u64(0), physical = 0;
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    u64 address = access.addresses[__builtin_ctz(left)];
    if (address == end && PageTable::pageOf(address) == page) {
      end += access.bytes;
      continue;
    }
    add(begin, physical + (begin - page), unsigned(end - begin));
    if (PageTable::pageOf(address) != page) {
      page = PageTable::pageOf(address);
      physical = physicalOf(page);
    }
    begin = address;
    end = address + access.bytes;
  }
  add(begin, physical + (begin - page), unsigned(end - begin));
  finish(sm, Sender::Global, access, clock);
}

void MemoryChain::accessLocal(unsigned sm, u64 place, const MemoryAccess &access, WarpClock &clock) {
  if (access.lanes == allLanes && access.bytes == 4 &&
      std::equal(access.addresses + 1, access.addresses + laneCount, access.addresses)) {
    u64 first = place + localOffset(0, u32(access.addresses[0]));
    addRow(first, first, rowBytes);
    return finish(sm, Sender::Local, access, clock);
  }
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    for (unsigned done = 0; done < access.bytes; done += 4) {
      u64 word = place + localOffset(lane, u32(access.addresses[lane]) + done);
      add(word, word, std::min(access.bytes, 4u));
    }
  }
  finish(sm, Sender::Local, access, clock);
}

u64 MemoryChain::transaction(unsigned sm, u64 physical, u64 bytes, bool isWrite, u64 cycle) {
  for (u64 at = physical; at < physical + bytes; at += 8)
    add(at, at, 8);
  return send(sm, Sender::Stack, isWrite ? MemoryAccess::Kind::Store : MemoryAccess::Kind::Load, cycle);
}

/// Past the caches of data and the TLB: the driver knows where it is.
u64 MemoryChain::readOnly(unsigned sm, Sender sender, u64 place, u64 bytes, u64 cycle) {
  ++countsOf(sm, sender)->accesses;
  u64 line = context + place / bytes * bytes;
  return side()
      .ask(0, {line, line, bytes, ByteMask::range(0, bytes), MemoryAccess::Kind::Load, sender, sm, context},
           cycle)
      .cycle;
}

u64 MemoryChain::fetch(unsigned sm, u64 place, u64 cycle, u64 &readyAt) {
  // An instruction has a cycle of its own: what is there at its end costs nothing.
  u64 there = readOnly(sm, Sender::Instruction, place, fetchBytes, cycle) - 1;
  u64 ready = std::max(readyAt, cycle), waits = std::max(ready, there) - ready;
  readyAt = waits ? there : readyAt;
  countsOf(sm, Sender::Instruction)->waitCycles += waits;
  return waits;
}

u64 MemoryChain::constantLine(unsigned sm, u64 place, u64 bytes, u64 cycle) {
  u64 there = readOnly(sm, Sender::Constant, place, bytes, cycle);
  return timed ? there : cycle;
}

void MemoryChain::accessByHost(u64 address, u64 bytes, bool isWrite) {
  for (u64 at = address; at < address + bytes; at += 4)
    add(at, physicalOf(at), 4);
  send(sms(), Sender::Host, isWrite ? MemoryAccess::Kind::Store : MemoryAccess::Kind::Load, side().latest());
}

//===--- On their way -----------------------------------------------------===//

void MemoryChain::finish(unsigned sm, Sender sender, const MemoryAccess &access, WarpClock &clock) {
  u64 done = send(sm, sender, access.kind, clock.now(), access.cache);
  if (isPlaced) [[unlikely]] {
    // CHOICE: what an SM stores lands in the order in which it was stored, whatever queue it was in.
    if (access.kind == MemoryAccess::Kind::Store) {
      lastLanding.resize(sms()), unqueued.resize(sms());
      unqueued[sm] = std::max(unqueued[sm], done - slowest.atSlice - slowest.atLink);
      done = lastLanding[sm] = std::max(done, lastLanding[sm]);
      slowest.atLink = std::min(slowest.atLink, done - unqueued[sm]);
      slowest.atSlice = done - unqueued[sm] - slowest.atLink;
    }
    bool misses = access.kind == MemoryAccess::Kind::Load && !slowest.hit && !isPast;
    lastPlaced = {clock.now(), done, slowest.atSlice, slowest.atLink, misses};
  }
  if (timed && access.kind != MemoryAccess::Kind::Store)
    totals.sms[sm][sender].waitCycles += clock.waitForResult(done);
}

/// All requests of the access at hand; when the last is answered. The host's port is at the crossbar.
u64 MemoryChain::send(unsigned port, Sender sender, MemoryAccess::Kind kind, u64 cycle,
                      isa::LoadCache cache) {
  ++countsOf(port, sender)->accesses;
  u64 done = cycle;
  MemoryRequest request{0, 0, lineBytes, {}, kind, sender, port, context, cache};
  isPlaced = false;
  for (const Request &line : requests) {
    request.address = line.line * lineBytes;
    request.physical = line.physical;
    request.bytes = line.bytes;
    MemoryAnswer answer = ask(sender == Sender::Host ? ofSms().size() : 0, request, cycle);
    if (line.physical & PlaceBits::posted) [[unlikely]]
      if (!std::exchange(isPlaced, true) || answer.cycle > slowest.cycle) {
        slowest = answer;
        isPast = line.physical & PlaceBits::past;
      }
    done = std::max(done, answer.cycle);
  }
  requests.clear();
  return timed ? done : cycle;
}

MemoryChain::Counts *MemoryChain::countsOf(unsigned port, Sender sender) {
  return sender == Sender::Walk ? nullptr : port == sms() ? &totals.host : &totals.sms[port][sender];
}

MemoryAnswer MemoryChain::ask(size_t model, const MemoryRequest &request, u64 cycle) {
  if (MemoryModels &near = ofSms(); model < near.size())
    return near.askIn(*this, model, request, cycle);
  MemoryAnswer all{cycle, true};
  Counts *counts = countsOf(request.port, request.sender);
  inLines(request, sideLineBytes, [&](const MemoryRequest &line) {
    MemoryAnswer one = side().ask(0, line, cycle);
    if (one.cycle >= all.cycle)
      all = {one.cycle, all.hit, one.atSlice, one.atLink};
    all.hit &= one.hit;
    if (counts) {
      ++counts->requests;
      counts->hits += one.hit;
    }
  });
  return all;
}

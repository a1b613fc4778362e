//===- MemoryChain.h - What stands between a grid's warps and memory --------===//
// The way of an access, as models that ask one another:
//
//   port of an SM -> models of its own -> crossbar -> slices -> DRAM
//
// Who is asked is a row each in MemoryChain.cpp. Senders are counted apart:
//
//   global   lanes of a warp that access one line make one request
//   local    the same; a word of all lanes is one line (LocalMemory.h)
//   stack    a thread set that a divergence stack spills or restores, S0
//   host     messages, through the host interface [S3]: a port beside the SMs'
//
// Instructions, with icache.model, and constants that their own L2 does not have
// go to the memory side at once, through the caches for them (ClusterCache.h).
//
// Slices are found by physical address: global memory's pages are mapped
// (AddressSpace.h), local memory and stacks lie above the guests' 40 bits. A
// grid that has the device to itself finds all models empty (CHOICE: the same
// launch, the same counts); grids of several contexts share what is behind the
// crossbar, as the others have left it.
//
// With the cycle model a load or atomic makes its warp wait for the slowest of
// its lines; stores are posted. Without it nothing waits, and all is counted.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/MachineConfig.h"
#include "emu/memory/MemoryModel.h"
#include "emu/memory/PageTable.h"
#include "emu/sm/Timing.h"
#include <array>
#include <optional>

namespace leno {

class MemoryChain final : public MemoryBehindPort, private MemoryPath {
public:
  using Sender = MemoryRequest::Sender;
  static constexpr unsigned senders = 6;
  struct Counts {
    u64 accesses = 0;   ///< of warps; transactions of stacks; messages' words and ready values; fetches
    u64 requests = 0;   ///< lines asked for or stored to, behind the crossbar
    u64 hits = 0;       ///< of the requests
    u64 waitCycles = 0; ///< of warps, with the cycle model; those of stacks are counted with the stacks
    Counts &operator+=(const Counts &other);
    bool operator==(const Counts &) const = default;
  };
  /// By who sent it, and from which SM.
  struct Totals {
    std::vector<std::array<Counts, senders>> sms;
    Counts host;
    Totals &operator+=(const Totals &other);
    /// Of all SMs.
    Counts of(Sender sender) const;
    Counts all() const;
  };
  /// All that a grid has counted.
  struct AllCounts {
    Totals ports;
    CountTables models; ///< of the SMs' own models
    AllCounts &operator+=(const AllCounts &other);
    CountTables tables() const;
  };

  /// The setting of the first model that the machine has, "l2.model=slices"; null: none, and there shall be
  /// no chain.
  static const char *setting(const MachineConfig &config);
  /// What lies behind the crossbar.
  static MemoryModels memorySide(const MachineConfig &config);
  static SharedModels sharedModels(const MachineConfig &config);

  /// `config` has been checked. `pages` are global memory's and must live longer; null: its addresses are
  /// taken as physical. `context`: where the memory begins that the context's driver has. `shared`: what
  /// others use too, which must live longer; null: it has its own.
  explicit MemoryChain(const MachineConfig &config, const PageTable *pages = nullptr, u64 context = 0,
                       SharedModels *shared = nullptr);
  /// A warp of SM `sm` accesses global memory. Moves `clock`.
  void access(unsigned sm, const MemoryAccess &access, WarpClock &clock);
  /// The access just made, where a page of it was placed (MemoryPlace.h); else null.
  struct Placed {
    u64 issued, done;
    u64 atSlice, atLink; ///< of that, behind others in queues
    bool misses;         ///< a load that a cache had to ask its memory for
  };
  const Placed *placed() const { return isPlaced ? &lastPlaced : nullptr; }
  /// The host has asked the slices for a word of a message.
  void countHost(bool hit) {
    ++totals.host.accesses;
    ++totals.host.requests;
    totals.host.hits += hit;
  }
  /// When all that an SM has stored to such pages has landed.
  u64 landed(unsigned sm) const { return lastLanding.empty() ? 0 : lastLanding[sm]; }
  /// Or local memory; the first word of its lane 0 is at the physical address `place`.
  void accessLocal(unsigned sm, u64 place, const MemoryAccess &access, WarpClock &clock);
  /// A transaction of a stack: when it is complete, if it starts in `cycle`.
  u64 transaction(unsigned sm, u64 physical, u64 bytes, bool isWrite, u64 cycle) override;
  void arrive(unsigned sm) override { ofSms().arrive(sm, context); }
  /// Where the driver has a context's code and its constants: above stacks, local memory and page tables.
  static constexpr u64 codeAddress = (u64(3) << 40) + (u64(1) << 36);
  static constexpr u64 constantsAddress = codeAddress + (u64(1) << 36);
  /// With icache.model: a warp of SM `sm` that could issue the instruction at `place` of the driver's memory
  /// in `cycle` is not ready before it has it. Returns for how long that alone keeps it.
  u64 fetch(unsigned sm, u64 place, u64 cycle, u64 &readyAt);
  bool fetches() const { return fetchBytes; }
  /// The L2 of constants asks for a line in `cycle`, on behalf of SM `sm`; when it comes.
  u64 constantLine(unsigned sm, u64 place, u64 bytes, u64 cycle);
  /// The host writes or reads global memory, in the cycle of the last access of an SM.
  void accessByHost(u64 address, u64 bytes, bool isWrite);

  /// What is its own, but for the counts.
  void addTo(StateHash &hash) const {
    own.addTo(hash);
    ownSide.addTo(hash);
    hash.all(lastLanding);
  }
  AllCounts counts() const;
  /// With those of its memory side.
  CountTables tables() const;
  /// Of its models and its memory side's, in the order in which they are asked.
  std::vector<CacheView> cacheViews() const;
  // What was sent from here.
  unsigned sms() const { return unsigned(totals.sms.size()); }
  const Counts &sm(unsigned number, Sender sender = Sender::Global) const {
    return totals.sms[number][sender];
  }
  const Counts &host() const { return totals.host; }
  /// The model of that type; null: it is not there.
  template <class Model> const Model *find() const {
    const Model *found = ofSms().find<Model>();
    return found ? found : side().find<Model>();
  }
  /// The counts of a model of the SMs that it has met in SM `sm`; null: it is not there.
  template <class Model> const u64 *rowOf(unsigned sm) const {
    auto is = [](const auto &model) { return dynamic_cast<const Model *>(model.get()) != nullptr; };
    size_t number = size_t(llvm::find_if(ofSms(), is) - ofSms().begin());
    return number < rows.size() ? rows[number][sm].data() : nullptr;
  }

private:
  struct Request {
    u64 line, physical;
    ByteMask bytes;
  };
  u64 physicalOf(u64 address);
  void add(u64 address, u64 physical, unsigned bytes);
  void addRow(u64 address, u64 physical, u64 bytes);
  u64 send(unsigned port, Sender sender, MemoryAccess::Kind kind, u64 cycle,
           isa::LoadCache cache = isa::LoadCache::CA);
  void finish(unsigned sm, Sender sender, const MemoryAccess &access, WarpClock &clock);
  MemoryAnswer ask(size_t model, const MemoryRequest &request, u64 cycle) override;
  u64 *row(size_t model, unsigned sm) override { return rows[model][sm].data(); }
  u64 readOnly(unsigned sm, Sender sender, u64 place, u64 bytes, u64 cycle);
  Counts *countsOf(unsigned port, Sender sender);
  MemoryModels &side() { return shared ? shared->memorySide : ownSide; }
  const MemoryModels &side() const { return shared ? shared->memorySide : ownSide; }
  MemoryModels &ofSms() { return sharesSms ? shared->ofSms : own; }
  const MemoryModels &ofSms() const { return sharesSms ? shared->ofSms : own; }

  const PageTable *pages;
  u64 context;
  bool timed;
  u64 fetchBytes = 0; ///< that a fetch asks the first cache for: a line of it; 0: nothing is fetched
  SharedModels *shared;
  bool sharesSms; ///< their own models
  MemoryModels own, ownSide;
  Divisor lineBytes, sideLineBytes; ///< that the first model wants, and those behind the crossbar
  Totals totals;
  std::vector<std::vector<std::vector<u64>>> rows; ///< of the models of SMs, by SM
  std::vector<Request> requests; ///< of the access at hand
  struct Translation {
    u64 page = ~u64(0), physical = 0;
  };
  std::array<Translation, 32> known; ///< by the last bits of the page's number
  u64 knownAt = 0;                   ///< PageTable::changes()
  bool isPlaced = false, isPast = false;
  MemoryAnswer slowest{}; ///< of the lines of a placed access
  Placed lastPlaced{};
  std::vector<u64> lastLanding; ///< by SM; empty: no page is placed
  std::vector<u64> unqueued;    ///< the same, had there been no queues
};

} // namespace leno

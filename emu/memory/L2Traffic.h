//===- L2Traffic.h - What goes through the L2, and how long it takes --------===//
// S3's memory side behind the SMs of a launch, as a model: which slice each
// access goes to, what is there, what that takes. Four senders, counted apart:
//
//   global   lanes of a warp that access one line make one request
//   local    the same; a word of all lanes is one line (LocalMemory.h)
//   stack    a thread set that a divergence stack spills or restores, S0
//   host     messages, through the host interface [S3]: a port beside the SMs'
//
// Slices are found by physical address: global memory's pages are mapped
// (AddressSpace.h), local memory and stacks lie above the guests' 40 bits. The
// bytes themselves stay where the guest's memory is, so that results cannot
// depend on the model. A grid that has the device to itself finds the slices
// empty (CHOICE: the same launch, the same counts); grids of several contexts
// share the device's (L2Slices.h), as the others have left them.
//
// With the cycle model a load or atomic makes its warp wait for the slowest of
// its lines; stores are posted. Without it nothing waits, and all is counted.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/memory/L2Slices.h"
#include "emu/memory/PageTable.h"
#include <optional>

namespace leno {

class L2Traffic final : public MemoryBehindPort {
public:
  enum Sender : u8 { Global, Local, Stack, Host };
  static constexpr unsigned senders = 4;
  struct Counts {
    u64 accesses = 0;   ///< of warps; transactions of stacks; messages' words and ready values
    u64 requests = 0;   ///< lines asked for or stored to
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
  };

  /// `config` has been checked. `pages` are global memory's and must live longer; null: its addresses are
  /// taken as physical. `shared`: the slices that others use too, which must live longer; null: it has its
  /// own.
  explicit L2Traffic(const MachineConfig &config, const PageTable *pages = nullptr,
                     L2Slices *shared = nullptr);
  /// A warp of SM `sm` accesses global memory. Moves `clock`.
  void access(unsigned sm, const MemoryAccess &access, WarpClock &clock);
  /// Or local memory; the first word of its lane 0 is at the physical address `place`.
  void accessLocal(unsigned sm, u64 place, const MemoryAccess &access, WarpClock &clock);
  /// A transaction of a stack: when it is complete, if it starts in `cycle`.
  u64 transaction(unsigned sm, u64 physical, u64 bytes, bool isWrite, u64 cycle) override;
  /// The host writes or reads global memory, in the cycle of the last access of an SM.
  void accessByHost(u64 address, u64 bytes, bool isWrite);

  // The slices; where they are shared, what all have sent there.
  unsigned slices() const { return l2().count(); }
  const L2Slice::Counts &slice(unsigned number) const { return l2().slice(number); }
  u64 requestsOf(unsigned number) const { return l2().requestsOf(number); }

  // What was sent from here.
  unsigned sms() const { return unsigned(totals.sms.size()); }
  const Counts &sm(unsigned number, Sender sender = Global) const { return totals.sms[number][sender]; }
  const Counts &host() const { return totals.host; }
  const Totals &counts() const { return totals; }

private:
  struct Request {
    u64 line;
    L2Slice::ByteMask bytes;
  };
  u64 physicalOf(u64 address);
  void add(u64 physical, unsigned bytes);
  void addRow(u64 physical, u64 bytes);
  u64 send(unsigned port, Counts &counts, MemoryAccess::Kind kind, u64 cycle);
  void finish(unsigned sm, Sender sender, MemoryAccess::Kind kind, WarpClock &clock);
  L2Slices &l2() { return shared ? *shared : *own; }
  const L2Slices &l2() const { return shared ? *shared : *own; }

  const PageTable *pages;
  L2Slices *shared;
  std::optional<L2Slices> own;
  Divisor lineBytes;
  Totals totals;
  std::vector<Request> requests; ///< of the access at hand
  struct Translation {
    u64 page = ~u64(0), physical = 0;
  };
  std::array<Translation, 32> known; ///< by the last bits of the page's number
  u64 knownAt = 0;                   ///< PageTable::changes()
};

} // namespace leno

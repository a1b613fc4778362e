//===- InitCheck.h - Uses of what nobody has written -------------------------===//
// Undefined bits (UndefinedBits.h) go along with values through registers,
// shared, local and global memory. Told are uses that matter, each with the
// place where the value was born:
//
// - undefined-guard: the guard of an instruction, undefined-branch of a branch,
//   or its flags or target.
// - undefined-address: of an access to memory.
// - undefined-barrier: the number of a barrier, or how many wait at it.
// - undefined-output: what a launch has stored to global memory and left there at
//   its end.
//
// What was told of is defined from then on. Nobody has written: registers,
// predicates and flags of a warp that starts, shared memory of a CTA, local
// memory. Global memory was written: the machine's allocations are zeroes. An
// allocation of which it is told (HostEvent::Allocates) was not.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/program/Program.h"
#include "runtime/checks/Check.h"
#include "runtime/checks/UndefinedBits.h"
#include <map>

namespace leno::checks {

class InitCheck final : public Check {
public:
  Interests interests() const override { return Life | Instructions | Memory | Host; }
  /// For global memory that holds undefined bits, for origins and for stores of them; 1 GiB unless told.
  void setMemory(u64 bytes) override { limit = bytes; }
  std::string limits() const override;
  std::unique_ptr<Observer> save() const override { return std::make_unique<InitCheck>(*this); }
  void restore(const Observer &saved) override {
    *this = static_cast<const InitCheck &>(saved);
    last = nullptr;
    lastPage = {};
  }
  void gridStart(const GridRun &) override;
  void gridEnd(const GridRun &) override;
  void ctaEnd(const Cta &) override;
  void instruction(const Warp &, const Op &op, LaneMask executing) override;
  void memory(const Warp &, const Op &op, const MemoryAccess &access) override;
  void host(const HostEvent &) override;

private:
  /// Where a value was born: somebody has read what nobody wrote.
  struct Birth {
    Action action;
    std::string note;
  };
  /// Undefined bits of memory, a byte for each, and of each word where they come from.
  struct Bytes {
    std::vector<u8> undefined;
    u64 left = 0; ///< bytes with any of them
    std::vector<u32> births;
    std::vector<u32> stores; ///< global memory: the store that put them there, in `storing`; 0: none
  };
  struct WarpState {
    WarpState(unsigned registers, LaneMask lanes) : bits(registers, lanes) {}
    UndefinedBits bits;
    Bytes local; ///< by lane; empty before the first access
  };
  struct CtaState {
    Bytes shared;
    std::map<unsigned, WarpState> warps;
  };
  using CtaKey = std::tuple<u32, u32, u64>; ///< context, grid, number
  using Pages = std::map<u64, Bytes>;       ///< by number; all others are defined
  /// A store of undefined bits.
  struct Storing {
    Action action;
    u32 birth;
    u32 launch;
  };

  static constexpr unsigned pageBits = 12;

  /// Takes shadow memory. False: there is no more.
  bool fits(u64 bytes);
  u32 storedBy(const Warp &warp, const Op &op, const char *what, u32 birth);
  WarpState &stateOf(const Warp &warp);
  const std::vector<CellUse> &usesOf(const GridRun &grid);
  u32 bornAt(const Warp &warp, const Op &op, LaneMask lanes, std::string what, std::string note);
  u32 birthOf(const Warp &warp, const Op &op, WarpState &state, const CellSet &reads, LaneMask executing);
  void tell(const Warp &warp, const Op &op, const char *kind, std::string text, const char *what,
            LaneMask lanes, u32 birth);
  void useOf(const Warp &warp, const Op &op, WarpState &state, unsigned cell, LaneMask lanes,
             const char *kind, const char *what);
  void checkUses(const Warp &warp, const Op &op, WarpState &state, const CellUse &use, LaneMask executing);
  /// Null: all of the page is defined.
  Bytes *pageOf(u32 context, u64 number, bool makes);
  /// Nothing that an access touches is undefined.
  bool isAllDefined(const Warp &warp, const MemoryAccess &access);
  /// `count` bytes from `at` on, 4 at most.
  static void put(Bytes &bytes, u64 at, unsigned count, u32 undefined);
  /// The bytes that a lane accesses, and where it is in them; null: they are all defined.
  Bytes *bytesOf(const Warp &warp, const MemoryAccess &access, unsigned lane, bool makes, u64 &at);
  void load(const Warp &warp, const Op &op, const MemoryAccess &access, WarpState &state, unsigned reg);
  void store(const Warp &warp, const Op &op, const MemoryAccess &access, WarpState &state, s32 from);

  u64 limit = u64(1) << 30, used = 0, lost = 0;
  std::map<CtaKey, CtaState> ctas;
  std::map<u32, Pages> global; ///< by context
  std::map<const Program *, std::shared_ptr<const std::vector<CellUse>>> programs;
  std::vector<Birth> births{1};
  std::vector<Storing> storing{1};
  const Warp *last = nullptr; ///< short cuts
  WarpState *lastState = nullptr;
  CtaState *lastCta = nullptr;
  struct {
    u32 context = 0;
    u64 number = ~u64(0);
    Bytes *page = nullptr;
  } lastPage;
  const std::vector<CellUse> *lastUses = nullptr;
};

} // namespace leno::checks

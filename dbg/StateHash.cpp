#include "dbg/SessionFile.h"
#include "emu/sm/Cta.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace leno::dbg {

namespace {
class Hash {
public:
  void bytes(const void *data, size_t size) {
    number(xxh3_64bits(ArrayRef(static_cast<const uint8_t *>(data), size)));
  }
  // FNV-1a, a word at a time.
  void number(u64 word) { value = (value ^ word) * 0x100000001b3; }
  template <class... T> void add(const T &...words) { (number(u64(words)), ...); }
  u64 value = 0xcbf29ce484222325;
};
} // namespace

static void addWarp(Hash &hash, const Warp &warp) {
  hash.add(warp.pcBytes(), warp.active, warp.exited(), warp.instructions);
  for (unsigned reg = 0; reg < warp.registers(); ++reg)
    for (unsigned lane = 0; lane < laneCount; ++lane)
      hash.number(warp.readRegister(reg, lane));
  for (unsigned i = 0; i < truePredicate; ++i)
    hash.number(warp.predicates[i]);
  hash.add(warp.codes.overflow, warp.codes.carry, warp.codes.sign, warp.codes.zero);
  hash.bytes(warp.local.host, size_t(warp.local.size + 3) / 4 * 4 * laneCount);
  const DivergenceStack &stack = warp.divergence();
  hash.number(stack.depth());
  for (size_t i = 0; i < stack.depth(); ++i)
    hash.number(stack.at(i).pack());
}

u64 stateHash(const GridRun &run) {
  Hash hash;
  hash.add(run.instructions(), run.ctasStarted(), run.trap().has_value());
  if (run.trap())
    hash.add(run.trap()->kind, run.trap()->pc, run.trap()->lanes);
  for (const auto &[base, allocation] : run.device().memory().allocations()) {
    hash.number(base);
    hash.bytes(allocation.window.host, allocation.window.size);
  }
  for (Cta *cta : run.residentCtas()) {
    hash.add(cta->index().x, cta->index().y, cta->index().z);
    hash.bytes(cta->shared().data(), cta->shared().size());
    for (const Warp *warp : cta->warps())
      addWarp(hash, *warp);
  }
  return hash.value;
}

} // namespace leno::dbg

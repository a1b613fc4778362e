//===- DrainedStore.h - The baseline: one store, drained for each update --===//
// S2's background: "Controller determines that each Processing Unit is idle
// before writing a constant to Constant Storage, blocking a unit providing
// Input if needed until the constant is modified". The store is large enough
// for all constants and serves every SM at once: the kindest baseline.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/constants/ConstantProtocol.h"

namespace leno {

class DrainedStore final : public ConstantProtocol {
public:
  explicit DrainedStore(unsigned smCount) : ConstantProtocol(smCount) {}
  std::unique_ptr<ConstantProtocol> clone() const override { return std::make_unique<DrainedStore>(*this); }
  void preset(u32 word, u32 value) override { store[word] = value; }
  Wait constant(u32 word, u32 value) override;
  void work(unsigned sm) override { start(sm); }
  void done(unsigned sm) override { finish(sm); }
  Read read(unsigned sm, u32 word) override;
  ConstantWordState stateOf(u32 word) const override;
  void addTo(StateHash &hash) const override {
    ConstantProtocol::addTo(hash);
    hash.all(store);
  }

private:
  llvm::DenseMap<u32, u32> store;
};

} // namespace leno

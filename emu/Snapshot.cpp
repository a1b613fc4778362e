#include "emu/Snapshot.h"
#include "llvm/Support/MathExtras.h"

using namespace leno;
using Meter = MemoryImage::Meter;

template <class T> static llvm::ArrayRef<uint8_t> bytesAt(const T *first, size_t bytes) {
  return {reinterpret_cast<const uint8_t *>(first), bytes};
}
template <class T> static llvm::MutableArrayRef<uint8_t> bytesAt(T *first, size_t bytes) {
  return {reinterpret_cast<uint8_t *>(first), bytes};
}

//===--- Warp -------------------------------------------------------------===//

/// All lanes' local memory (LocalMemory.h).
static size_t localBytes(const Warp &warp) { return localBytesOf(warp.local.size); }

void Warp::save(Saved &saved, const Saved *before, const Meter &meter) const {
  saved.moment = *this;
  saved.region = region;
  saved.storage = storage->clone();
  saved.stack = stack;
  saved.registers.take(bytesAt(frame, size_t(registerCount) * rowBytes),
                       before ? &before->registers : nullptr, meter);
  saved.local.take(bytesAt(local.host, localBytes(*this)), before ? &before->local : nullptr, meter);
}

void Warp::restore(const Saved &saved, Cta *cta) {
  // Where frame, constants and local memory stand never changes.
  static_cast<WarpMoment &>(*this) = saved.moment;
  home = cta;
  if (cta)
    shared = cta->sharedWindow();
  region = *saved.region;
  storage = saved.storage->clone();
  stack = *saved.stack;
  stack.moveTo(*storage);
  setWatched();
  saved.registers.putBack(bytesAt(frame, size_t(registerCount) * rowBytes));
  saved.local.putBack(bytesAt(local.host, localBytes(*this)));
}

//===--- CTA --------------------------------------------------------------===//

void Cta::save(Saved &saved, const Saved *before, const Meter &meter) {
  saved.shared.take(shared(), before ? &before->shared : nullptr, meter);
  saved.rest.reset(new Cta(*this));
  saved.rest->sharedRows = {};
}

std::unique_ptr<Cta> Cta::restored(const Saved &saved) {
  std::unique_ptr<Cta> cta(new Cta(*saved.rest));
  cta->sharedRows.resize((cta->sharedSize + rowBytes - 1) / rowBytes);
  saved.shared.putBack(cta->shared());
  return cta;
}

//===--- Multiprocessor ---------------------------------------------------===//

void StreamingMultiprocessor::save(Saved &saved, const Saved *before, const Meter &meter) const {
  saved.moment = static_cast<const StreamingMultiprocessorMoment &>(*this);
  saved.warps.resize(made);
  for (size_t i = 0; i < made; ++i)
    warps[i]->save(saved.warps[i], before && i < before->warps.size() ? &before->warps[i] : nullptr, meter);
  saved.ctas.resize(ctas.size());
  for (size_t i = 0; i < ctas.size(); ++i)
    ctas[i]->save(saved.ctas[i], before && i < before->ctas.size() ? &before->ctas[i] : nullptr, meter);
}

void StreamingMultiprocessor::restore(const Saved &saved) {
  static_cast<StreamingMultiprocessorMoment &>(*this) = *saved.moment;
  ctas.clear();
  std::map<const Warp *, Cta *> homes;
  for (const Cta::Saved &cta : saved.ctas) {
    ctas.push_back(Cta::restored(cta));
    for (Warp *warp : ctas.back()->warps())
      homes[warp] = ctas.back().get();
  }
  made = saved.warps.size();
  for (size_t i = 0; i < warps.size(); ++i)
    if (i < made)
      warps[i]->restore(saved.warps[i], homes[warps[i].get()]);
    else
      warps[i]->renew();
}

void StreamingMultiprocessor::setWatched() {
  for (const auto &warp : warps)
    warp->setWatched();
}

//===--- Device -----------------------------------------------------------===//

void Device::save(Saved &saved, const Saved *before, const Meter &meter) const {
  for (const auto &[base, allocation] : space.allocations()) {
    auto old = before ? before->memory.find(base) : decltype(before->memory.find(base))();
    saved.memory[base].take(bytesAt(allocation.window.host, allocation.window.size),
                            before && old != before->memory.end() ? &old->second : nullptr, meter);
  }
  if (caches)
    saved.caches.emplace(*caches);
  saved.pages = space.pages();
  saved.traffic = traffic;
  saved.banks = banks;
  saved.grids = grids;
}

void Device::restore(const Saved &saved) {
  LENO_ASSERT(saved.memory.size() == space.allocations().size(), "a snapshot of other allocations");
  for (const auto &[base, allocation] : space.allocations())
    saved.memory.at(base).putBack(bytesAt(allocation.window.host, allocation.window.size));
  space.setPages(saved.pages);
  traffic = saved.traffic;
  caches = saved.caches; // the first launch makes them
  setConstantListener(constantListener);
  banks = saved.banks;
  grids = saved.grids;
}

//===--- Grid -------------------------------------------------------------===//

void GridRun::save(Saved &saved, const Saved *before, const Meter &meter) const {
  saved.moment = static_cast<const GridMoment &>(*this);
  saved.tools = own.save();
  saved.multiprocessors.resize(multiprocessors.size());
  for (size_t i = 0; i < multiprocessors.size(); ++i)
    multiprocessors[i]->save(saved.multiprocessors[i], before ? &before->multiprocessors[i] : nullptr, meter);
}

void GridRun::restore(const Saved &saved) {
  static_cast<GridMoment &>(*this) = *saved.moment;
  own.restore(saved.tools);
  for (size_t i = 0; i < multiprocessors.size(); ++i)
    multiprocessors[i]->restore(saved.multiprocessors[i]);
}

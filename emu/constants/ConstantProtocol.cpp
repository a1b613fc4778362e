#include "emu/constants/ConstantProtocol.h"
#include "emu/constants/CurrentInL2.h"
#include "emu/constants/DrainedStore.h"
#include "emu/constants/OldestInL2.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using namespace llvm;

Error ConstantCacheConfig::check() const {
  if (Error error = l1.check("constants.l1."))
    return error;
  if (Error error = l2.check("constants.l2."))
    return error;
  if (l2.lineBytes < l1.lineBytes)
    return createStringError(
        formatv("the machine's constants.l2.lineBytes is {0}; a line of the L1, {1}, must fit in it",
                l2.lineBytes, l1.lineBytes));
  return Error::success();
}

std::unique_ptr<ConstantProtocol> ConstantProtocol::create(const ConstantCacheConfig &config,
                                                           unsigned smCount) {
  switch (config.protocol) {
  case ConstantCacheConfig::OldestL2:
    return std::make_unique<OldestInL2>(config, smCount);
  case ConstantCacheConfig::CurrentL2:
    return std::make_unique<CurrentInL2>(config, smCount);
  default:
    return std::make_unique<DrainedStore>(smCount);
  }
}

void ConstantProtocol::start(unsigned sm) {
  LENO_ASSERT(takesWork(sm), "work goes to an SM that runs another version of the constants");
  inSequence = false;
  active += running[sm]++ == 0;
  countsOf(sm).versions += !hadWork[sm] || startedAt[sm] != sequence;
  hadWork[sm] = true;
  startedAt[sm] = sequence;
  llvm::SmallDenseSet<u64, 32> inUse;
  for (unsigned i = 0; i < smCount(); ++i)
    if (isActive(i))
      inUse.insert(startedAt[i]);
  most = std::max(most, inUse.size());
  tell({.kind = ConstantEvent::WorkGiven, .sm = sm});
}

bool ConstantProtocol::finish(unsigned sm) {
  LENO_ASSERT(isActive(sm), "work ends on an SM that has none");
  tell({.kind = ConstantEvent::WorkDone, .sm = sm});
  if (--running[sm])
    return false;
  --active;
  return true;
}

void ConstantProtocol::count(unsigned sm, Source source) {
  ConstantCounts &c = countsOf(sm);
  if (source == Source::Stalled) {
    ++c.lockStalls;
    return;
  }
  ++c.reads;
  ++(source == Source::L1 ? c.hits : c.misses);
}

u64 ConstantProtocol::leave(unsigned sm) {
  LENO_ASSERT(isPresent(sm), "an SM's state leaves twice");
  places[sm] = nowhere;
  return left(sm);
}

u64 ConstantProtocol::come(unsigned sm, unsigned place) {
  LENO_ASSERT(!isPresent(sm) && !stateOn(place), "an SM has the state of one at a time");
  places[sm] = place;
  return came(sm);
}

std::optional<unsigned> ConstantProtocol::stateOn(unsigned place) const {
  auto found = std::find(places.begin(), places.end(), place);
  return found == places.end() ? std::nullopt : std::optional(unsigned(found - places.begin()));
}

#include "emu/compiled/StackParts.h"

using namespace leno;
using namespace leno::compiled;

// An explicit instantiation may name what is private: so the tier needs no friend in a class that knows of no tier.
namespace {

template <class Part, typename Part::Member member> struct Opened {
  friend typename Part::Member memberOf(Part) { return member; }
};
struct Waiting {
  using Member = LaneMask (DivergenceStack::*)[5];
  friend Member memberOf(Waiting);
};
struct Storage {
  using Member = TokenStorage *DivergenceStack::*;
  friend Member memberOf(Storage);
};
struct Deepest {
  using Member = size_t DivergenceStack::*;
  friend Member memberOf(Deepest);
};
struct Counts {
  using Member = StackCounters TokenStorage::*;
  friend Member memberOf(Counts);
};
template struct Opened<Waiting, &DivergenceStack::waiting>;
template struct Opened<Storage, &DivergenceStack::storage>;
template struct Opened<Deepest, &DivergenceStack::deepest>;
template struct Opened<Counts, &TokenStorage::counts>;

} // namespace

LaneMask *parts::waiting(DivergenceStack &stack) { return stack.*memberOf(Waiting()); }
TokenStorage &parts::storage(DivergenceStack &stack) { return *(stack.*memberOf(Storage())); }
size_t &parts::deepest(DivergenceStack &stack) { return stack.*memberOf(Deepest()); }
StackCounters &parts::counts(TokenStorage &storage) { return storage.*memberOf(Counts()); }

#include "emu/constants/DrainedStore.h"

using namespace leno;

ConstantProtocol::Wait DrainedStore::constant(u32 word, u32 value) {
  if (activeSms())
    return Wait::Drain;
  openSequence();
  store[word] = value;
  tell({.kind = ConstantEvent::ConstantStored, .word = word, .value = value});
  return Wait::None;
}

ConstantProtocol::Read DrainedStore::read(unsigned sm, u32 word) {
  count(sm, Source::L1);
  return {store.lookup(word), Source::L1};
}

ConstantWordState DrainedStore::stateOf(u32 word) const {
  ConstantWordState state;
  for (unsigned sm = 0; sm < smCount(); ++sm)
    state.sms.push_back({.active = isActive(sm)});
  state.memory = store.lookup(word);
  return state;
}

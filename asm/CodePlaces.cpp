//===- CodePlaces.cpp - Instructions begin at multiples of their size -----===//
#include "asm/CodePlaces.h"

#include "asm/ElfReader.h"

#include "llvm/ADT/Twine.h"
#include "llvm/MC/MCAssembler.h"
#include "llvm/MC/MCSection.h"
#include "llvm/MC/MCStreamer.h"

#include <map>

using namespace llvm;

namespace leno {

void CodePlaces::note(SMLoc loc, bool isInstruction, MCStreamer &streamer) {
  hasData |= !isInstruction;
  places.push_back({loc, streamer.getCurrentFragment(), uint32_t(streamer.getCurFragSize()), isInstruction});
}

void CodePlaces::check(const MCAssembler &assembler, const Report &report) const {
  if (!hasData)
    return;
  struct Section {
    SMLoc lastData;
    bool told = false;
  };
  std::map<const MCSection *, Section> sections;
  for (const Place &place : places) {
    const MCSection *section = place.fragment->getParent();
    Section &state = sections[section];
    uint64_t offset = assembler.getFragmentOffset(*place.fragment) + place.offset;
    if (!place.isInstruction) {
      state.lastData = place.loc;
    } else if (offset % wordBytes && !state.told) {
      report(place.loc, "this instruction would begin at byte " + Twine(offset) + " of " +
                            section->getName() + ", which is no multiple of " + Twine(wordBytes) +
                            ": write .balign 8 before it, behind the data");
      state.told = true;
    }
  }
  for (const Place &place : places) {
    const MCSection *section = place.fragment->getParent();
    Section &state = sections[section];
    uint64_t size = assembler.getSectionAddressSize(*section);
    if (state.told || size % wordBytes == 0)
      continue;
    uint64_t rest = size % wordBytes;
    report(state.lastData.isValid() ? state.lastData : place.loc,
           section->getName() + " would end " + Twine(rest) + (rest == 1 ? " byte" : " bytes") +
               " into a word: write .balign 8 behind the data");
    state.told = true;
  }
}

} // namespace leno

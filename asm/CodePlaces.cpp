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
  places.push_back({loc, streamer.getCurrentFragment(), uint32_t(streamer.getCurFragSize()), isInstruction});
}

/// Of the last `. = N` or `.org N`, which LLVM takes without asking anybody.
static SMLoc lastMove(const MCSection &section) {
  SMLoc loc;
  for (const MCFragment &fragment : section)
    if (const auto *move = dyn_cast<MCOrgFragment>(&fragment))
      loc = move->getLoc();
  return loc;
}

void CodePlaces::check(const MCAssembler &assembler, const Report &report) const {
  struct Section {
    SMLoc lastData;
    bool told = false;
  };
  std::map<const MCSection *, Section> sections;
  const MCSection *section = nullptr;
  Section *state = nullptr;
  for (const Place &place : places) {
    if (place.fragment->getParent() != section) {
      section = place.fragment->getParent();
      state = &sections[section];
    }
    uint64_t offset = assembler.getFragmentOffset(*place.fragment) + place.offset;
    if (!place.isInstruction) {
      state->lastData = place.loc;
    } else if (offset % wordBytes && !state->told) {
      report(place.loc, "this instruction would begin at byte " + Twine(offset) + " of " +
                            section->getName() + ", which is no multiple of " + Twine(wordBytes) +
                            ": write .balign 8 before it, behind the data");
      state->told = true;
    }
  }
  for (const MCSection &code : assembler) {
    uint64_t rest = assembler.getSectionAddressSize(code) % wordBytes;
    if (!code.isText() || !rest || sections[&code].told)
      continue;
    SMLoc data = sections[&code].lastData;
    report(data.isValid() ? data : lastMove(code), code.getName() + " would end " + Twine(rest) +
                                                       (rest == 1 ? " byte" : " bytes") +
                                                       " into a word: write .balign 8 behind the data");
  }
}

} // namespace leno

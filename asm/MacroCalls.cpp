//===- MacroCalls.cpp - Where expanded text was called from ---------------===//
#include "asm/MacroCalls.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCParser/MCAsmParser.h"

using namespace llvm;

namespace leno {

static bool holds(StringRef buffer, SMLoc loc) {
  return loc.getPointer() >= buffer.begin() && loc.getPointer() <= buffer.end();
}

/// The buffer of a place; the newest first, for what is being parsed lies there.
static unsigned bufferOf(SMLoc loc, const SourceMgr &sources) {
  for (unsigned id = sources.getNumBuffers(); id > 0; --id)
    if (holds(sources.getMemoryBuffer(id)->getBuffer(), loc))
      return id;
  return 0;
}

void MacroCalls::note(SMLoc loc, MCAsmParser &parser) {
  if (!loc.isValid() || holds(lastBuffer, loc))
    return;
  SourceMgr &sources = parser.getSourceManager();
  unsigned id = sources.getMainFileID();
  if (!holds(sources.getMemoryBuffer(id)->getBuffer(), loc))
    id = bufferOf(loc, sources);
  if (!id)
    return;
  lastBuffer = sources.getMemoryBuffer(id)->getBuffer();
  // A file included by a macro: what matters is where its expansion was called.
  for (SMLoc parent; (parent = sources.getParentIncludeLoc(id)).isValid();)
    if (id = bufferOf(parent, sources); !id)
      return;
  if (!sources.getMemoryBuffer(id)->getBufferIdentifier().starts_with("<instantiation>") || calls.count(id))
    return;
  // LLVM tells the expansions that are open in the notes of a diagnostic, and nowhere else.
  SmallVector<SMLoc, 4> places;
  auto handler = sources.getDiagHandler();
  void *context = sources.getDiagContext();
  sources.setDiagHandler(
      [](const SMDiagnostic &note, void *into) {
        static_cast<SmallVector<SMLoc, 4> *>(into)->push_back(note.getLoc());
      },
      &places);
  parser.Note(loc, "");
  sources.setDiagHandler(handler, context);
  for (size_t i = 1; i < places.size(); ++i) {
    calls[id] = places[i];
    id = bufferOf(places[i], sources);
  }
}

SMLoc MacroCalls::callOf(SMLoc loc, const SourceMgr &sources) const {
  return calls.empty() ? SMLoc() : calls.lookup(bufferOf(loc, sources));
}

SMLoc MacroCalls::outermost(SMLoc loc, const SourceMgr &sources) const {
  for (SMLoc call; (call = callOf(loc, sources)).isValid();)
    loc = call;
  return loc;
}

} // namespace leno

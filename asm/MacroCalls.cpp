//===- MacroCalls.cpp - Where expanded text comes from --------------------===//
#include "asm/MacroCalls.h"

#include "asm/BuiltinIncludes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCContext.h"
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

static StringRef bufferName(unsigned id, const SourceMgr &sources) {
  return sources.getMemoryBuffer(id)->getBufferIdentifier();
}
static bool isExpansion(unsigned id, const SourceMgr &sources) {
  return bufferName(id, sources).starts_with("<instantiation>");
}

static StringRef wordAt(const char *at) {
  const char *end = at;
  while (isAlnum(*end) || *end == '.' || *end == '_' || *end == '$')
    ++end;
  return StringRef(at, size_t(end - at));
}

/// The lines that .rept, .irp or .irpc repeat: from the first token of the next line to their .endr.
static StringRef repeatedBody(SMLoc directive) {
  const char *begin = strchr(directive.getPointer(), '\n');
  if (!begin)
    return {};
  begin += 1 + strspn(begin + 1, " \t");
  unsigned open = 1;
  for (const char *line = begin; *line;) {
    StringRef word = wordAt(line + strspn(line, " \t"));
    if (word.starts_with_insensitive(".rep") || word.starts_with_insensitive(".irp"))
      ++open;
    else if (word.equals_insensitive(".endr") && --open == 0)
      return StringRef(begin, size_t(word.data() - begin));
    const char *next = strchr(line, '\n');
    line = next ? next + 1 : line + strlen(line);
  }
  return {};
}

void MacroCalls::record(SMLoc loc, ArrayRef<SMLoc> open, const SourceMgr &sources, MCContext &context) {
  unsigned id = loc.isValid() ? bufferOf(loc, sources) : 0;
  // A file included by a macro: what matters is where its expansion was called.
  for (SMLoc parent; id && (parent = sources.getParentIncludeLoc(id)).isValid();)
    id = bufferOf(parent, sources);
  for (SMLoc call : open) {
    if (!id || !isExpansion(id, sources))
      return;
    StringRef word = wordAt(call.getPointer());
    const MCAsmMacro *macro = context.lookupMacro(word);
    expansions.try_emplace(id, Expansion{call, macro ? macro->Body : repeatedBody(call)});
    id = bufferOf(call, sources);
  }
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
  for (SMLoc parent; id && (parent = sources.getParentIncludeLoc(id)).isValid();)
    id = bufferOf(parent, sources);
  if (!id || !isExpansion(id, sources) || expansions.count(id))
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
  record(loc, ArrayRef(places).drop_front(!places.empty()), sources, parser.getContext());
}

SMLoc MacroCalls::callOf(SMLoc loc, const SourceMgr &sources) const {
  return expansions.empty() ? SMLoc() : expansions.lookup(bufferOf(loc, sources)).call;
}

SMLoc MacroCalls::outermost(SMLoc loc, const SourceMgr &sources) const {
  for (SMLoc call; (call = callOf(loc, sources)).isValid();)
    loc = call;
  return loc;
}

/// The line that holds a place of a text, up to its end.
static StringRef lineAt(StringRef text, const char *place) {
  size_t at = size_t(place - text.begin());
  size_t begin = text.take_front(at).rfind('\n') + 1; // npos + 1 is 0
  return text.slice(begin, std::min(text.find('\n', at), text.size()));
}

/// The column of a macro's line that column `wanted` of its expansion comes from: an argument's is that of
/// its parameter.
static size_t columnBefore(StringRef line, StringRef expanded, size_t wanted) {
  size_t from = 0, to = 0;
  while (from < line.size() && to < wanted) {
    if (line[from] != '\\') {
      if (line[from] != expanded[to]) // .altmacro's parameters have no mark
        break;
      ++from, ++to;
      continue;
    }
    StringRef name = line.substr(from + 1);
    size_t length = name.starts_with("()") ? 2
                    : name.starts_with("@") || name.starts_with("+")
                        ? 1
                        : wordAt(name.data()).split('.').first.size();
    StringRef behind = name.substr(length).take_until([](char c) { return c == '\\'; });
    size_t next = behind.empty() ? (name.size() == length ? expanded.size() : to) : expanded.find(behind, to);
    if (next == StringRef::npos || next > wanted)
      break;
    from += 1 + length;
    to = next;
  }
  return from;
}

MacroCalls::Place MacroCalls::placeInFile(SMLoc loc, const SourceMgr &sources) const {
  Place place{loc, false};
  for (unsigned id; (id = bufferOf(place.loc, sources)) && isExpansion(id, sources);) {
    auto it = expansions.find(id);
    if (it == expansions.end())
      return {loc, false};
    StringRef text = sources.getMemoryBuffer(id)->getBuffer(), body = it->second.body;
    unsigned bodyBuffer = body.empty() ? 0 : bufferOf(SMLoc::getFromPointer(body.data()), sources);
    if (!bodyBuffer || isBuiltinFile(bufferName(bodyBuffer, sources))) {
      place = {it->second.call, true};
      continue;
    }
    const char *at = place.loc.getPointer();
    StringRef expanded = lineAt(text, at);
    size_t number = StringRef(text.begin(), size_t(expanded.begin() - text.begin())).count('\n');
    SmallVector<StringRef, 0> lines;
    body.split(lines, '\n');
    if (body.ends_with("\n"))
      lines.pop_back();
    // Where .endr stands behind blanks, these begin the next turn's first line.
    bool blankEnd = lines.size() > 1 && lines.back().trim().empty();
    size_t period = lines.size() - blankEnd;
    StringRef line = lines[number % period];
    size_t column = size_t(at - expanded.begin());
    if (number >= period && number % period == 0 && blankEnd) {
      expanded = expanded.drop_front(std::min(lines.back().size(), expanded.size()));
      column -= std::min(column, lines.back().size());
    }
    place.differs |= line.trim() != expanded.trim();
    place.loc = SMLoc::getFromPointer(line.data() + columnBefore(line, expanded, column));
  }
  return place;
}

} // namespace leno

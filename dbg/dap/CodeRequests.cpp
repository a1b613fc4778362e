// Sources, disassembly and memory.
#include "asm/support/InputFile.h"
#include "dbg/Text.h"
#include "dbg/dap/Server.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno::dbg::dap {

/// Of the disassembly of a program as a source, for what has no file to show: 1 is the first program's.
static int64_t disassemblyReference(size_t program) { return int64_t(program) + 1; }
static constexpr unsigned programShift = 40;

static std::string absolute(StringRef file) {
  SmallString<128> path(file);
  sys::fs::make_absolute(path);
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

static std::string uriOf(StringRef path) {
  std::string uri = "file://";
  for (char c : path)
    if (isAlnum(c) || StringRef("/-._~").contains(c))
      uri += c;
    else
      uri += "%" + utohexstr(uint8_t(c), false, 2);
  return uri;
}

json::Object Server::sourceOf(StringRef file) {
  std::string path = absolute(interpreter->sources.path(file));
  return json::Object{{"name", jsonText(sys::path::filename(file))},
                      {"path", pathsAreUris ? uriOf(path) : jsonText(path)}};
}

Expected<std::string> Server::pathOf(const json::Object &source) const {
  Expected<std::string> path = Arguments(&source).stringOr("path", "");
  StringRef rest = path ? StringRef(*path) : StringRef();
  if (!pathsAreUris || !rest.consume_front("file://"))
    return path;
  rest = rest.drop_front(std::min(rest.find('/'), rest.size())); // the name of a host
  std::string plain;
  while (!rest.empty()) {
    unsigned code;
    if (rest.front() == '%' && rest.size() > 2 && !rest.substr(1, 2).getAsInteger(16, code)) {
      plain += char(code);
      rest = rest.drop_front(3);
    } else {
      plain += rest.front();
      rest = rest.drop_front();
    }
  }
  return plain;
}

static size_t numberOf(const Executable &program, const Session &session) {
  std::vector<const Executable *> all = session.code().programs();
  return size_t(find(all, &program) - all.begin());
}

u64 Server::wholeAddress(const CodePlace &place) const {
  return (u64(numberOf(*place.program, *session)) << programShift) + place.address;
}

Server::CodePlace Server::placeAt(u64 address) const {
  std::vector<const Executable *> all = session->code().programs();
  u64 number = address >> programShift;
  if (number >= all.size()) // before the first, or behind the last
    return {all.front(), address};
  return {all[number], address - (number << programShift)};
}

json::Object Server::disassemblySource(const Executable &program) const {
  return json::Object{{"name", "disassembly"},
                      {"sourceReference", disassemblyReference(numberOf(program, *session))},
                      {"origin", "the program's instructions"}};
}

Server::Spot Server::spotOf(const CodePlace &place) {
  if (std::optional<SourceLine> line = place.program->line(place.address))
    if (interpreter->sources.lineCount(line->file) >= line->line)
      return {sourceOf(line->file), line->line};
  return {disassemblySource(*place.program), unsigned(place.address / 8 + 1)};
}

Server::FileOfProgram Server::fileAt(StringRef path) const {
  std::string wanted = absolute(path);
  FileOfProgram sameName;
  SmallString<128> real;
  bool hasReal = !sys::fs::real_path(wanted, real);
  for (const Executable *program : session->code().programs())
    for (const std::string &file : program->files()) {
      std::string candidate = absolute(interpreter->sources.path(file));
      SmallString<128> realCandidate;
      if (candidate == wanted ||
          (hasReal && !sys::fs::real_path(candidate, realCandidate) && realCandidate == real))
        return {program, file};
      // The program may have been assembled in another folder.
      if (sys::path::filename(file) == sys::path::filename(wanted) && !sys::fs::exists(candidate))
        sameName = {program, file};
    }
  return sameName;
}

Server::Reply Server::source(const Arguments &arguments) {
  Expected<int64_t> reference = arguments.integerOr("sourceReference", 0);
  if (!reference)
    return reference.takeError();
  std::string content;
  std::vector<const Executable *> programs = session->code().programs();
  if (*reference > 0 && u64(*reference) <= programs.size()) {
    const Executable &program = *programs[size_t(*reference - 1)];
    raw_string_ostream out(content);
    for (u64 address = 0; address < program.code().size() * 8; address += 8)
      out << left_justify(program.describe(address), 24) << ' ' << session->code().text(program, address)
          << '\n';
    return json::Object{{"content", jsonText(content)}, {"mimeType", "text/x-lenoasm"}};
  }
  Expected<const json::Object *> source = arguments.child("source");
  if (!source)
    return source.takeError();
  Expected<std::string> path = pathOf(**source);
  if (!path)
    return path.takeError();
  std::string file = fileAt(*path).name;
  // Only what the program was made from is anybody's business here.
  auto buffer = readWhole(file.empty() ? "" : interpreter->sources.path(file));
  if (!buffer) {
    consumeError(buffer.takeError());
    return createStringError("'" + *path + "' is no source of the program that can be read");
  }
  return json::Object{{"content", jsonText((*buffer)->getBuffer())}};
}

Server::Reply Server::loadedSources(const Arguments &) {
  json::Array all;
  std::set<std::string> told;
  for (const Executable *program : session->code().programs())
    for (const std::string &file : program->files())
      if (interpreter->sources.lineCount(file) && told.insert(file).second)
        all.push_back(sourceOf(file));
  for (const Executable *program : session->code().programs())
    all.push_back(disassemblySource(*program));
  return json::Object{{"sources", std::move(all)}};
}

Server::Reply Server::disassemble(const Arguments &arguments) {
  Expected<std::string> text = arguments.string("memoryReference");
  Expected<int64_t> count = arguments.integer("instructionCount");
  Expected<int64_t> bytes = arguments.integerOr("offset", 0),
                    instructions = arguments.integerOr("instructionOffset", 0);
  if (!text || !count || !bytes || !instructions)
    return joinErrors(joinErrors(text.takeError(), count.takeError()),
                      joinErrors(bytes.takeError(), instructions.takeError()));
  // An editor opens its view before it knows a place, too.
  Expected<MemoryReference> place = MemoryReference{
      .isCode = true,
      .address = wholeAddress(
          {&session->focus().executable(), session->focus().pc().value_or(session->focus().kernel().entry)})};
  if (!text->empty())
    place = MemoryReference::parse(*text);
  if (!place)
    return place.takeError();
  if (!place->isCode)
    return createStringError("'" + *text + "' is no address of code");
  constexpr int64_t most = 1 << 16;
  if (*count < 0 || *count > most || std::abs(*instructions) > (int64_t(1) << 40))
    return createStringError("instructionCount is from 0 to " + Twine(most));
  json::Array all;
  for (int64_t i = 0; i < *count; ++i) {
    u64 address = place->address + u64(*bytes) + u64(*instructions + i) * 8;
    json::Object row{{"address", addressText(address)}};
    if (CodePlace code = placeAt(address); code.isInstruction()) {
      Spot spot = spotOf(code);
      row["instruction"] = jsonText(session->code().text(*code.program, code.address));
      row["instructionBytes"] = utohexstr(code.program->code()[code.address / 8], true, 16);
      row["symbol"] = jsonText(code.program->describe(code.address));
      if (!spot.source.get("sourceReference")) {
        row["location"] = std::move(spot.source);
        row["line"] = int64_t(clientLine(spot.line));
      }
    } else {
      // As many as were asked for, whatever there is.
      row["instruction"] = "";
      row["presentationHint"] = "invalid";
    }
    all.push_back(std::move(row));
  }
  return json::Object{{"instructions", std::move(all)}};
}

//===--- Memory -----------------------------------------------------------===//

/// A memory reference as something that can be read.
struct Server::Block {
  MemoryReference place;
  WarpContext context;
};

Expected<Server::Block> Server::blockOf(Session &session, const Arguments &arguments) {
  Expected<std::string> text = arguments.string("memoryReference");
  Expected<int64_t> offset = arguments.integerOr("offset", 0);
  if (!text || !offset)
    return joinErrors(text.takeError(), offset.takeError());
  Expected<MemoryReference> place = MemoryReference::parse(*text);
  if (!place)
    return place.takeError();
  place->address += u64(*offset);
  if (place->context >= session.prepared().contextCount())
    return createStringError("there is no context " + Twine(place->context));
  Warp *warp = session.focus().position().context == place->context ? session.focus().warp() : nullptr;
  if (place->space == MemorySpace::Shared || place->space == MemorySpace::Local) {
    Cta *cta = session.focus().findCta(place->context, place->cta);
    if (!cta || place->warp >= cta->warps().size())
      return createStringError("the CTA of this memory runs no more");
    warp = cta->warps()[place->warp];
  }
  return Block{*place, session.focus().contextOf(place->context, warp, place->lane)};
}

/// The bytes from the start on that can be read.
std::vector<uint8_t> Server::readBytes(const Block &block, size_t count) {
  std::vector<uint8_t> bytes(count);
  if (block.place.isCode) {
    CodePlace code = placeAt(block.place.address);
    for (size_t i = 0; i < count; ++i) {
      u64 at = code.address + i;
      if (at / 8 >= code.program->code().size()) {
        bytes.resize(i);
        break;
      }
      bytes[i] = uint8_t(code.program->code()[at / 8] >> at % 8 * 8);
    }
    return bytes;
  }
  auto readable = [&](size_t size) {
    Error error = block.context.read(block.place.space, block.place.bank, block.place.address,
                                     block.place.lane, MutableArrayRef(bytes).take_front(size));
    bool ok = !error;
    consumeError(std::move(error));
    return ok;
  };
  // Memory ends somewhere: the longest start of it, found by halves.
  size_t good = 0, bad = count + 1;
  if (readable(count))
    return bytes;
  while (bad - good > 1) {
    size_t middle = good + (bad - good) / 2;
    (readable(middle) ? good : bad) = middle;
  }
  bytes.assign(good, 0);
  if (good)
    readable(good);
  return bytes;
}

Server::Reply Server::readMemory(const Arguments &arguments) {
  Expected<Block> block = blockOf(*session, arguments);
  if (!block)
    return block.takeError();
  Expected<int64_t> count = arguments.integer("count");
  if (!count)
    return count.takeError();
  constexpr int64_t most = 1 << 24;
  if (*count < 0)
    return createStringError("'count' is not negative");
  std::vector<uint8_t> bytes = readBytes(*block, size_t(std::min(*count, most)));
  json::Object body{{"address", "0x" + utohexstr(block->place.address, true)}};
  if (bytes.size() < size_t(*count))
    body["unreadableBytes"] = *count - int64_t(bytes.size());
  body["data"] = encodeBase64(bytes);
  return std::move(body);
}

Server::Reply Server::writeMemory(const Arguments &arguments) {
  Expected<Block> block = blockOf(*session, arguments);
  if (!block)
    return block.takeError();
  Expected<std::string> data = arguments.string("data");
  Expected<bool> partial = arguments.flag("allowPartial");
  if (!data || !partial)
    return joinErrors(data.takeError(), partial.takeError());
  std::vector<char> decoded;
  if (Error error = decodeBase64(*data, decoded)) {
    consumeError(std::move(error));
    return createStringError("the argument 'data' is not base64");
  }
  if (block->place.isCode || block->place.space == MemorySpace::Constant)
    return createStringError(block->place.isCode ? "code cannot be changed" : "constants cannot be changed");
  std::vector<uint8_t> bytes(decoded.begin(), decoded.end());
  size_t fits = readBytes(*block, bytes.size()).size();
  if (fits < bytes.size() && !*partial)
    return createStringError("only " + Twine(fits) + " of " + Twine(bytes.size()) +
                             " bytes are in memory there");
  bytes.resize(fits);
  if (!bytes.empty())
    if (Error error =
            block->context.write(block->place.space, block->place.address, block->place.lane, bytes))
      return std::move(error);
  return json::Object{{"bytesWritten", int64_t(fits)}};
}

} // namespace leno::dbg::dap

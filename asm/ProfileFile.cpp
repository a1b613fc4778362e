//===- ProfileFile.cpp - The counts that leno-run --profile has written ---===//
#include "asm/ProfileFile.h"

#include "asm/support/InputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno {

namespace {

/// What fails is told by its path in the text: "expected integer at launches[0].instructions[3].address".
class Reader {
public:
  explicit Reader(ProfileFile &file) : file(file) {}

  bool read(const json::Value &value, json::Path path) {
    const json::Object *object = value.getAsObject();
    if (!object || object->getString("format") != "leno-profile")
      return path.report("not a profile"), false;
    if (object->getInteger("version") != 1)
      return path.field("version").report("written by another version of leno-run"), false;
    return each(*object, path, "kinds",
                [&](const json::Object &kind, json::Path at) {
                  ProfileFile::Kind &made = file.kinds.emplace_back();
                  return text(kind, at, "key", made.key) && text(kind, at, "label", made.label);
                }) &&
           each(*object, path, "launches",
                [&](const json::Object &from, json::Path at) {
                  return launch(from, at, file.launches.emplace_back());
                }) &&
           sources(*object, path);
  }

private:
  template <class Take>
  static bool each(const json::Object &object, json::Path path, StringLiteral key, Take take) {
    const json::Array *array = object.getArray(key);
    if (!array)
      return path.field(key).report("expected a list"), false;
    for (size_t i = 0; i < array->size(); ++i) {
      const json::Object *one = (*array)[i].getAsObject();
      if (!one)
        return path.field(key).index(unsigned(i)).report("expected an object"), false;
      if (!take(*one, path.field(key).index(unsigned(i))))
        return false;
    }
    return true;
  }
  static bool text(const json::Object &object, json::Path path, StringLiteral key, std::string &to) {
    std::optional<StringRef> found = object.getString(key);
    if (!found)
      return path.field(key).report("expected a string"), false;
    to = found->str();
    return true;
  }
  template <class T>
  static bool number(const json::Object &object, json::Path path, StringLiteral key, T &to) {
    const json::Value *found = object.get(key);
    std::optional<uint64_t> value = found ? found->getAsUINT64() : std::nullopt;
    if (!value || *value > std::numeric_limits<T>::max())
      return path.field(key).report("expected a number, 0 or more"), false;
    to = T(*value);
    return true;
  }
  bool counts(const json::Object &object, json::Path path, ProfileFile::Counts &to) {
    to.assign(file.kinds.size(), 0);
    const json::Object *found = object.getObject("counts");
    if (!found)
      return path.field("counts").report("expected an object"), false;
    for (const auto &[key, value] : *found) {
      size_t kind = file.kind(key);
      std::optional<uint64_t> count = value.getAsUINT64();
      if (kind == file.kinds.size() || !count)
        return path.field("counts").field(key).report("expected a number of a kind that is listed"), false;
      to[kind] = *count;
    }
    return true;
  }
  bool launch(const json::Object &from, json::Path path, ProfileFile::Launch &to) {
    return text(from, path, "name", to.name) && text(from, path, "context", to.context) &&
           number(from, path, "launch", to.number) && counts(from, path, to.counts) &&
           each(from, path, "instructions",
                [&](const json::Object &row, json::Path at) {
                  ProfileFile::Instruction &made = to.instructions.emplace_back();
                  made.word = row.getString("word").value_or("").str();
                  return number(row, at, "address", made.address) && counts(row, at, made.counts);
                }) &&
           each(from, path, "lines", [&](const json::Object &row, json::Path at) {
             ProfileFile::Line &made = to.lines.emplace_back();
             return text(row, at, "file", made.file) && number(row, at, "line", made.line) &&
                    counts(row, at, made.counts);
           });
  }
  bool sources(const json::Object &object, json::Path path) {
    const json::Object *found = object.getObject("sources");
    if (!found)
      return path.field("sources").report("expected an object"), false;
    for (const auto &[name, lines] : *found) {
      std::vector<std::string> &to = file.sources[name.str()];
      if (!json::fromJSON(lines, to, path.field("sources").field(name)))
        return false;
    }
    return true;
  }

  ProfileFile &file;
};

} // namespace

Expected<ProfileFile> ProfileFile::read(StringRef path, RunFiles &files) {
  SmallString<128> name(path);
  if (sys::fs::is_directory(path))
    sys::path::append(name, "profile.json");
  auto bytes = readInput(name.str().str(), &files);
  if (!bytes)
    return bytes.takeError();
  auto fail = [&](Error error) {
    return createStringError("'" + name +
                             "' is no profile of leno-run --profile: " + toString(std::move(error)));
  };
  Expected<json::Value> value = json::parse((*bytes)->getBuffer());
  if (!value)
    return fail(value.takeError());
  ProfileFile file;
  json::Path::Root root;
  if (!Reader(file).read(*value, root))
    return fail(root.getError());
  return std::move(file);
}

size_t ProfileFile::kind(StringRef key) const {
  return size_t(find_if(kinds, [&](const Kind &kind) { return kind.key == key; }) - kinds.begin());
}

StringRef ProfileFile::textOf(const Line &line) const {
  auto found = sources.find(line.file);
  if (found == sources.end() || line.line == 0 || line.line > found->second.size())
    return "";
  return StringRef(found->second[line.line - 1]).trim();
}

} // namespace leno

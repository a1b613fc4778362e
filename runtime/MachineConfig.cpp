#include "runtime/MachineConfig.h"

#include "asm/support/NearMiss.h"
#include "asm/support/Numbers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <optional>

using leno::MachineConfig;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace leno::runtime {

/// Of a Choice key, in the order of their values.
static llvm::SmallVector<StringRef> choicesOf(const MachineKey &key) {
  llvm::SmallVector<StringRef> names;
  StringRef(key.choices).split(names, '|');
  return names;
}

std::string shownValue(const MachineKey &key, uint64_t value) {
  if (key.type == MachineKey::Choice)
    return choicesOf(key)[value].str();
  if (key.hasWord() && value == key.most + 1)
    return key.choices;
  if (key.type == MachineKey::Bytes)
    for (auto [suffix, shift] : {std::pair("GiB", 30), std::pair("MiB", 20), std::pair("KiB", 10)})
      if (value && value % (uint64_t(1) << shift) == 0)
        return std::to_string(value >> shift) + suffix;
  return std::to_string(value);
}

static std::string shownRange(const MachineKey &key) {
  if (key.type == MachineKey::Choice)
    return key.choices;
  return shownValue(key, key.least) + ".." + shownValue(key, key.most) + (key.hasWord() ? "|" : "") +
         key.choices;
}

std::vector<std::string> settingsOf(MachineConfig config) {
  std::vector<std::string> all;
  for (const MachineKey &key : machineKeys())
    all.push_back(std::string(key.name) + "=" + shownValue(key, key.field(config)));
  return all;
}

void printMachineKeys(llvm::raw_ostream &os) {
  static constexpr unsigned Columns = 5;
  std::vector<std::array<std::string, Columns>> rows = {{"key", "default", "range", "unit", "meaning"}};
  for (const MachineKey &key : machineKeys())
    rows.push_back({key.name, shownValue(key, key.defaultValue()), shownRange(key),
                    *key.unit ? key.unit : "-", key.doc});
  size_t widths[Columns] = {};
  for (const auto &row : rows)
    for (unsigned i = 0; i < Columns; ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const auto &row : rows) {
    for (unsigned i = 0; i + 1 < Columns; ++i)
      os << llvm::left_justify(row[i], widths[i] + 2);
    os << row.back() << '\n';
  }
}

static const MachineKey *findKey(StringRef name) {
  const MachineKey *found =
      llvm::find_if(machineKeys(), [&](const MachineKey &key) { return name == key.name; });
  return found == machineKeys().end() ? nullptr : found;
}

/// With the key that the name most likely stands for: near in spelling, or its last part alone.
static std::string unknownKey(StringRef name) {
  NearMiss near(name, 3);
  for (const MachineKey &key : machineKeys()) {
    bool isLastPart = name.equals_insensitive(StringRef(key.name).rsplit('.').second);
    near.consider(isLastPart ? name : key.name, key.name);
  }
  return "unknown key '" + name.str() + "'" + near.hint() + " (--machine '?' lists the keys)";
}

/// Nothing on success, else the message.
static std::optional<std::string> assign(MachineConfig &config, const MachineKey &key, StringRef text) {
  if (key.type == MachineKey::Choice) {
    llvm::SmallVector<StringRef> names = choicesOf(key);
    auto found = llvm::find_if(names, [&](StringRef name) { return name.equals_insensitive(text); });
    if (found == names.end())
      return std::string(key.name) + " is one of " + llvm::join(names, ", ") + "; not '" + text.str() + "'";
    key.field(config) = uint64_t(found - names.begin());
    return std::nullopt;
  }
  if (key.hasWord() && text.equals_insensitive(key.choices)) {
    key.field(config) = key.most + 1;
    return std::nullopt;
  }
  ScannedInteger scanned = scanInteger(text, key.type == MachineKey::Bytes);
  std::string kind =
      key.type == MachineKey::Bytes ? "a number of bytes (such as 49152 or 48KiB)"
                     : key.hasWord()              ? "an integer or " + std::string(key.choices)
                                                  : "an integer";
  if (scanned.status == ScannedInteger::Malformed)
    return std::string(key.name) + " is " + kind + ", not '" + text.str() + "': " + scanned.message;
  bool outside = scanned.status == ScannedInteger::TooLarge || (scanned.negative && scanned.magnitude != 0) ||
                 scanned.magnitude < key.least || scanned.magnitude > key.most;
  if (outside)
    return std::string(key.name) + " is out of range: " + text.str() + " is not in " + shownRange(key);
  key.field(config) = scanned.magnitude;
  return std::nullopt;
}

Error setMachineKey(MachineConfig &config, StringRef assignment) {
  auto fail = [&](const Twine &message) {
    return llvm::createStringError("--set " + assignment + ": " + message);
  };
  size_t equals = assignment.find('=');
  if (equals == StringRef::npos)
    return fail("expected key=value, as in --set sm.count=8");
  StringRef name = assignment.take_front(equals).trim();
  const MachineKey *key = findKey(name);
  if (!key)
    return fail(unknownKey(name));
  if (std::optional<std::string> message = assign(config, *key, assignment.substr(equals + 1).trim()))
    return fail(*message);
  return Error::success();
}

namespace {

bool isGroup(StringRef name) {
  return llvm::any_of(machineKeys(), [&](const MachineKey &key) {
    return StringRef(key.name).starts_with(name.str() + ".");
  });
}

class MachineKeyReader {
public:
  MachineKeyReader(const YamlText &file, MachineConfig &config) : file(file), config(config) {}
  Error readMapping(const YamlValue &mapping, StringRef prefix);

private:
  Error readEntry(const YamlEntry &entry, StringRef prefix);

  const YamlText &file;
  MachineConfig &config;
  llvm::StringSet<> seen;
};

Error MachineKeyReader::readEntry(const YamlEntry &entry, StringRef prefix) {
  const YamlValue &value = entry.value;
  std::string full = prefix.str() + entry.key.text;
  if (value.kind == YamlValue::Mapping && isGroup(full))
    return readMapping(value, full + ".");
  const MachineKey *key = findKey(full);
  if (!key)
    return file.error(entry.key.at, isGroup(full) ? "'" + full + "' is a group of keys: write '" + full +
                                                        ":' and its keys, indented, on the next lines"
                                                  : unknownKey(full));
  if (!seen.insert(full).second)
    return file.error(entry.key.at, "'" + full + "' is set twice; keep one of the lines");
  if (value.kind != YamlValue::Scalar)
    return file.error(value.at, "'" + full + "' takes one value, as in " + full + ": " +
                                    shownValue(*key, key->defaultValue()));
  if (std::optional<std::string> message = assign(config, *key, value.text))
    return file.error(value.at, *message);
  return Error::success();
}

Error MachineKeyReader::readMapping(const YamlValue &mapping, StringRef prefix) {
  for (const YamlEntry &entry : mapping.entries)
    if (Error error = readEntry(entry, prefix))
      return error;
  return Error::success();
}

} // namespace

Error readMachineKeys(MachineConfig &config, const YamlText &file, const YamlValue &keys) {
  if (keys.kind == YamlValue::Null) // an empty file changes nothing
    return Error::success();
  if (keys.kind != YamlValue::Mapping)
    return file.error(keys.at, "expected keys and values, such as 'sm.count: 8'");
  MachineConfig changed = config;
  if (Error error = MachineKeyReader(file, changed).readMapping(keys, ""))
    return error;
  config = changed;
  return Error::success();
}

Error parseMachineText(MachineConfig &config, StringRef text, StringRef name) {
  Expected<std::unique_ptr<YamlText>> file = YamlText::parse(text, name);
  return file ? readMachineKeys(config, **file, (*file)->root()) : file.takeError();
}

Error loadMachineFile(MachineConfig &config, StringRef path) {
  Expected<std::unique_ptr<YamlText>> file =
      YamlText::load(path, "machine file", " (--machine '?' lists the keys it may hold)");
  return file ? readMachineKeys(config, **file, (*file)->root()) : file.takeError();
}

} // namespace leno::runtime

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

// One truth: a key is added by a field with its default in emu/MachineConfig.h and a row here.
static constexpr MachineKey Keys[] = {
    {"sm.count", MachineKey::Integer, 1, 1024, "", "streaming multiprocessors of the device",
     [](MachineConfig &c) -> uint64_t & { return c.sm.count; }},
    {"sm.warps", MachineKey::Integer, 1, 64, "", "warps that an SM holds",
     [](MachineConfig &c) -> uint64_t & { return c.sm.warps; }},
    {"sm.ctas", MachineKey::Integer, 1, 64, "", "CTAs that an SM holds",
     [](MachineConfig &c) -> uint64_t & { return c.sm.ctas; }},
    {"sm.sharedBytes", MachineKey::Bytes, 0, 1 << 20, "bytes", "shared memory of an SM",
     [](MachineConfig &c) -> uint64_t & { return c.sm.sharedBytes; }},
    {"sm.registers", MachineKey::Integer, 32, 1 << 24, "",
     "32-bit registers of an SM; a CTA takes those of all its lanes",
     [](MachineConfig &c) -> uint64_t & { return c.sm.registers; }},
    {"warp.stackDepth", MachineKey::Integer, 1, 1 << 20, "entries",
     "nesting limit of the divergence stack; past it STACK_OVERFLOW",
     [](MachineConfig &c) -> uint64_t & { return c.warp.stackDepth; }},
    {"warp.localBytes", MachineKey::Bytes, 0, 512 << 10, "bytes", "local memory that a lane can have",
     [](MachineConfig &c) -> uint64_t & { return c.warp.localBytes; }},
    {"barrier.divergent", MachineKey::Choice, 0, 1, "",
     "lanes at a barrier without the others of their warp: a trap, or count as the whole warp",
     [](MachineConfig &c) -> uint64_t & { return c.barrier.divergent; }, "trap|count"},
    {"memory.bytes", MachineKey::Bytes, 1 << 16, uint64_t(1) << 40, "bytes",
     "global memory that a context may allocate",
     [](MachineConfig &c) -> uint64_t & { return c.memory.bytes; }},
    {"scheduler.quantum", MachineKey::Integer, 1, uint64_t(1) << 32, "warp instructions",
     "length of a warp's turn before the next one runs",
     [](MachineConfig &c) -> uint64_t & { return c.scheduler.quantum; }},
    {"stack.model", MachineKey::Choice, 0, 2, "", "where a warp's divergence stack is kept",
     [](MachineConfig &c) -> uint64_t & { return c.stack.model; }, "chip|cache|memory"},
    {"stack.entries", MachineKey::Integer, 2, 1024, "entries", "of the stack cache, for each warp",
     [](MachineConfig &c) -> uint64_t & { return c.stack.entries; }},
    {"stack.setEntries", MachineKey::Integer, 1, 1024, "entries", "of a thread set: one memory transaction",
     [](MachineConfig &c) -> uint64_t & { return c.stack.setEntries; }},
    {"stack.policy", MachineKey::Choice, 0, 1, "", "when the stack cache spills and restores",
     [](MachineConfig &c) -> uint64_t & { return c.stack.policy; }, "threshold|set-boundary"},
    {"stack.flags", MachineKey::Choice, 0, 1, "", "what has a valid and a dirty flag of its own",
     [](MachineConfig &c) -> uint64_t & { return c.stack.flags; }, "entry|set"},
    {"stack.direction", MachineKey::Choice, 0, 1, "", "in which the stack cache's buffer grows",
     [](MachineConfig &c) -> uint64_t & { return c.stack.direction; }, "up|down"},
    {"stack.spillThreshold", MachineKey::Integer, 0, 1023, "entries",
     "more dirty entries than this are spilled; 0: half of stack.entries",
     [](MachineConfig &c) -> uint64_t & { return c.stack.spillThreshold; }},
    {"stack.restoreThreshold", MachineKey::Integer, 0, 1023, "entries",
     "more invalid entries than this are restored; 0: a quarter of stack.entries",
     [](MachineConfig &c) -> uint64_t & { return c.stack.restoreThreshold; }},
    {"stack.moveEntries", MachineKey::Integer, 1, 1023, "entries", "moved by a spill or restore by threshold",
     [](MachineConfig &c) -> uint64_t & { return c.stack.moveEntries; }},
    {"stack.setsAhead", MachineKey::Integer, 1, 1023, "sets",
     "that set-boundary keeps ready beside the one in use",
     [](MachineConfig &c) -> uint64_t & { return c.stack.setsAhead; }},
    {"timing.model", MachineKey::Choice, 0, 1, "",
     "cycles: warps take turns each cycle and wait for latencies",
     [](MachineConfig &c) -> uint64_t & { return c.timing.model; }, "off|cycles"},
    {"timing.memoryLatency", MachineKey::Integer, 1, 1 << 20, "cycles", "of a memory transaction",
     [](MachineConfig &c) -> uint64_t & { return c.timing.memoryLatency; }},
    {"timing.memoryInterval", MachineKey::Integer, 1, 1 << 20, "cycles",
     "between the starts of two transactions of an SM",
     [](MachineConfig &c) -> uint64_t & { return c.timing.memoryInterval; }},
    {"timing.postedWrites", MachineKey::Choice, 0, 1, "", "a write is over for the chip once it has started",
     [](MachineConfig &c) -> uint64_t & { return c.timing.postedWrites; }, "no|yes"},
    {"l2.model", MachineKey::Choice, 0, 1, "",
     "slices: global accesses go through L2 slices, and are counted there",
     [](MachineConfig &c) -> uint64_t & { return c.l2.model; }, "off|slices"},
    {"l2.slices", MachineKey::Integer, 1, 1024, "", "of the L2, each with a portion of the memory",
     [](MachineConfig &c) -> uint64_t & { return c.l2.slices; }},
    {"l2.bytes", MachineKey::Bytes, 16, 1 << 30, "bytes", "of a slice",
     [](MachineConfig &c) -> uint64_t & { return c.l2.bytes; }},
    {"l2.lineBytes", MachineKey::Bytes, 16, 256, "bytes",
     "of a line, a power of two; lines go to slices in turn",
     [](MachineConfig &c) -> uint64_t & { return c.l2.lineBytes; }},
    {"l2.ways", MachineKey::Integer, 1, 1 << 20, "", "lines of a set",
     [](MachineConfig &c) -> uint64_t & { return c.l2.ways; }},
    {"l2.latency", MachineKey::Integer, 1, 1 << 20, "cycles",
     "of a hit; a miss takes timing.memoryLatency more",
     [](MachineConfig &c) -> uint64_t & { return c.l2.latency; }},
    {"l2.interval", MachineKey::Integer, 1, 1 << 20, "cycles", "between two requests to a slice",
     [](MachineConfig &c) -> uint64_t & { return c.l2.interval; }},
    {"constants.model", MachineKey::Choice, 0, 1, "",
     "caches: reads of c[b][o] go through the constant caches, and are counted there",
     [](MachineConfig &c) -> uint64_t & { return c.constants.model; }, "none|caches"},
    {"constants.protocol", MachineKey::Choice, 0, 2, "",
     "who has which version: the oldest in the L2, the current one, or one drained store",
     [](MachineConfig &c) -> uint64_t & { return c.constants.caches.protocol; }, "A|B|drained"},
    {"constants.l1.bytes", MachineKey::Bytes, 4, 1 << 20, "bytes", "of the L1 of an SM",
     [](MachineConfig &c) -> uint64_t & { return c.constants.caches.l1.bytes; }},
    {"constants.l1.lineBytes", MachineKey::Bytes, 4, 256, "bytes", "of a line of it, a power of two",
     [](MachineConfig &c) -> uint64_t & { return c.constants.caches.l1.lineBytes; }},
    {"constants.l1.ways", MachineKey::Integer, 1, 1 << 16, "", "lines of a set of it",
     [](MachineConfig &c) -> uint64_t & { return c.constants.caches.l1.ways; }},
    {"constants.l1.latency", MachineKey::Integer, 1, 1 << 20, "cycles",
     "of a hit; the first is the instruction's own",
     [](MachineConfig &c) -> uint64_t & { return c.constants.latencies.l1Latency; }},
    {"constants.l2.bytes", MachineKey::Bytes, 4, 64 << 20, "bytes", "of the L2 that all SMs share",
     [](MachineConfig &c) -> uint64_t & { return c.constants.caches.l2.bytes; }},
    {"constants.l2.lineBytes", MachineKey::Bytes, 4, 256, "bytes", "of a line of it, a power of two",
     [](MachineConfig &c) -> uint64_t & { return c.constants.caches.l2.lineBytes; }},
    {"constants.l2.ways", MachineKey::Integer, 1, 1 << 20, "", "lines of a set of it",
     [](MachineConfig &c) -> uint64_t & { return c.constants.caches.l2.ways; }},
    {"constants.l2.latency", MachineKey::Integer, 1, 1 << 20, "cycles",
     "of a miss of an L1 beside the hit's; timing.memoryLatency more when the L2 misses too",
     [](MachineConfig &c) -> uint64_t & { return c.constants.latencies.l2Latency; }},
    {"constants.l2.interval", MachineKey::Integer, 1, 1 << 20, "cycles", "between two requests to it",
     [](MachineConfig &c) -> uint64_t & { return c.constants.latencies.l2Interval; }},
    {"constants.copyLatency", MachineKey::Integer, 1, 1 << 20, "cycles",
     "of a copy from L1 to L1, and one more for each word",
     [](MachineConfig &c) -> uint64_t & { return c.constants.latencies.copyLatency; }},
    {"constants.backupWords", MachineKey::Integer, 1, 1 << 20, "words", "of protocol B's L2 backup",
     [](MachineConfig &c) -> uint64_t & { return c.constants.caches.backupWords; }},
    {"constants.queueWords", MachineKey::Integer, 1, 1 << 20, "words",
     "written, that protocol B's L2 has not taken yet",
     [](MachineConfig &c) -> uint64_t & { return c.constants.caches.queueWords; }},
    {"device.launchCycles", MachineKey::Integer, 0, 1 << 20, "cycles",
     "from the decoding of a launch in a pushbuffer until its first CTA can go out",
     [](MachineConfig &c) -> uint64_t & { return c.device.launchCycles; }},
    {"device.copyBytes", MachineKey::Bytes, 1, 1 << 20, "bytes", "that a copy command moves in a cycle",
     [](MachineConfig &c) -> uint64_t & { return c.device.copyBytes; }},
    {"device.faultCycles", MachineKey::Integer, 1, 1 << 30, "cycles",
     "from a page fault until the driver has mapped the page",
     [](MachineConfig &c) -> uint64_t & { return c.device.faultCycles; }},
    {"contexts.allocation", MachineKey::Choice, 0, 2, "",
     "of SMs to contexts: one at a time, a fixed split, or by the rule of blocked cycles",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.allocation; }, "one|static|dynamic"},
    {"contexts.switch", MachineKey::Choice, 0, 1, "",
     "an SM that changes hands finishes its CTAs, or saves their state and restores it later",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.switching; }, "drain|save"},
    {"contexts.storageBytes", MachineKey::Bytes, 1, 1 << 20, "bytes",
     "that an SM and its context storage exchange in a cycle",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.storageBytes; }},
    {"contexts.window", MachineKey::Integer, 1, uint64_t(1) << 32, "cycles",
     "over which dynamic allocation counts a context's blocked cycles",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.window; }},
    {"contexts.threshold", MachineKey::Integer, 0, uint64_t(1) << 32, "cycles",
     "more blocked than the least blocked context by more than this: it gains an SM from that one",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.threshold; }},
    {"contexts.timeSlice", MachineKey::Integer, 0, uint64_t(1) << 32, "cycles",
     "after which contexts, or saved states, that wait for an SM take turns; 0: never",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.timeSlice; }},
    {"contexts.watchdog", MachineKey::Integer, 0, uint64_t(1) << 40, "cycles",
     "that a grid of a context may take before it traps TIMEOUT; 0: no limit",
     [](MachineConfig &c) -> uint64_t & { return c.contexts.watchdog; }},
};

llvm::ArrayRef<MachineKey> machineKeys() { return Keys; }

/// Of a Choice key, in the order of their values.
static llvm::SmallVector<StringRef> choicesOf(const MachineKey &key) {
  llvm::SmallVector<StringRef> names;
  StringRef(key.choices).split(names, '|');
  return names;
}

std::string shownValue(const MachineKey &key, uint64_t value) {
  if (key.type == MachineKey::Choice)
    return choicesOf(key)[value].str();
  if (key.type == MachineKey::Bytes)
    for (auto [suffix, shift] : {std::pair("GiB", 30), std::pair("MiB", 20), std::pair("KiB", 10)})
      if (value && value % (uint64_t(1) << shift) == 0)
        return std::to_string(value >> shift) + suffix;
  return std::to_string(value);
}

static std::string shownRange(const MachineKey &key) {
  if (key.type == MachineKey::Choice)
    return key.choices;
  return shownValue(key, key.least) + ".." + shownValue(key, key.most);
}

void printMachineKeys(llvm::raw_ostream &os) {
  static constexpr unsigned Columns = 5;
  std::vector<std::array<std::string, Columns>> rows = {{"key", "default", "range", "unit", "meaning"}};
  for (const MachineKey &key : Keys)
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
  const MachineKey *found = llvm::find_if(Keys, [&](const MachineKey &key) { return name == key.name; });
  return found == std::end(Keys) ? nullptr : found;
}

/// With the key that the name most likely stands for: near in spelling, or its last part alone.
static std::string unknownKey(StringRef name) {
  NearMiss near(name, 3);
  for (const MachineKey &key : Keys) {
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
  ScannedInteger scanned = scanInteger(text, key.type == MachineKey::Bytes);
  std::string kind =
      key.type == MachineKey::Bytes ? "a number of bytes (such as 49152 or 48KiB)" : "an integer";
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
  return llvm::any_of(
      Keys, [&](const MachineKey &key) { return StringRef(key.name).starts_with(name.str() + "."); });
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

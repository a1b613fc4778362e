#include "dbg/ConstantReport.h"
#include "dbg/Facts.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

using Copy = ConstantWordState::Copy;

static std::string word(u32 value) { return hexAddress(value, 8); }
static std::string valueOf(const std::optional<Copy> &copy) { return copy ? word(copy->value) : "-"; }
/// Protocol A locks what a constant command wrote; under B it is as clean as what a miss brought.
static StringRef stateInL1(const std::optional<Copy> &copy) {
  return !copy ? "-" : copy->marked ? "locked, dirty" : "valid";
}
static StringRef stateInL2(const std::optional<Copy> &copy) {
  return !copy ? "-" : copy->marked ? "dirty" : "valid";
}

//===--- Tables of words --------------------------------------------------===//

std::vector<std::string> columnsOfConstants(u64 protocol) {
  if (protocol == ConstantCacheConfig::Drained)
    return {};
  std::vector<std::string> columns = {"L1", "SMs", "L2"};
  if (protocol == ConstantCacheConfig::CurrentL2)
    columns.insert(columns.end(), {"Backup", "Queue"});
  return columns;
}

std::vector<std::string> cellsOfConstant(const ConstantWordState &state, u64 protocol,
                                         std::optional<unsigned> sm) {
  if (protocol == ConstantCacheConfig::Drained)
    return {};
  std::vector<unsigned> holders;
  for (unsigned i = 0; i < state.sms.size(); ++i)
    if (state.sms[i].copy)
      holders.push_back(i);
  std::vector<std::string> cells = {sm ? stateInL1(state.sms[*sm].copy).str() : "-", numberRanges(holders),
                                    stateInL2(state.l2).str()};
  if (protocol == ConstantCacheConfig::OldestL2)
    return cells;
  std::string tags =
      join(map_range(state.backup,
                     [](const ConstantWordState::Old &old) { return "tag " + std::to_string(old.tag); }),
           ", ");
  cells.push_back(tags.empty() ? "-" : tags);
  cells.push_back(state.posted.empty() ? "-" : std::to_string(state.posted.size()));
  return cells;
}

//===--- One word ---------------------------------------------------------===//

namespace {

/// Rows of level, work, version or tag, coherence (of protocol A), value, state.
class Levels {
public:
  explicit Levels(bool oldest) : oldest(oldest), table(headerOf(oldest)) {}
  void sm(unsigned number, const ConstantWordState::Sm &sm, bool marked) {
    row(marked ? "*" : " ", "L1 of SM " + std::to_string(number), sm.active ? "active" : "inactive",
        std::to_string(sm.version), sm.coherent ? "yes" : "no", valueOf(sm.copy), stateInL1(sm.copy).str());
  }
  void level(const std::string &name, const std::string &version, const std::string &value,
             StringRef state = "-") {
    row(" ", name, "-", version, "-", value, state.str());
  }
  void print(raw_ostream &os) const { table.print(os); }

private:
  static std::vector<std::string> headerOf(bool oldest) {
    std::vector<std::string> header = {" ", "Level", "Work", oldest ? "Version" : "Tag"};
    if (oldest)
      header.push_back("Coherent");
    header.insert(header.end(), {"Value", "State"});
    return header;
  }
  void row(const std::string &mark, const std::string &level, const std::string &work,
           const std::string &version, const std::string &coherent, const std::string &value,
           const std::string &state) {
    std::vector<std::string> cells = {mark, level, work, version};
    if (oldest)
      cells.push_back(coherent);
    cells.insert(cells.end(), {value, state});
    table.row(std::move(cells));
  }
  bool oldest;
  Table table;
};

} // namespace

void printConstant(raw_ostream &os, const ConstantWordState &state, u64 protocol,
                   std::optional<unsigned> sm) {
  if (protocol == ConstantCacheConfig::Drained) {
    os << "drained: one store for all SMs has " << word(state.memory) << '\n';
    return;
  }
  bool oldest = protocol == ConstantCacheConfig::OldestL2;
  if (oldest)
    os << formatv("protocol A: the L2 has version {0}, the current one is {1}\n", state.l2Version,
                  state.current);
  else
    os << "protocol B: the L2 has the current version, or is getting it\n";
  Levels levels(oldest);
  for (unsigned i = 0; i < state.sms.size(); ++i)
    levels.sm(i, state.sms[i], sm == i);
  levels.level("L2", oldest ? std::to_string(state.l2Version) : "0", valueOf(state.l2), stateInL2(state.l2));
  levels.level("memory", "-", word(state.memory));
  for (const ConstantWordState::Old &old : state.backup)
    levels.level("L2 backup", std::to_string(old.tag), word(old.value));
  for (u32 value : state.posted)
    levels.level("queue", "-", word(value), "not in the L2 yet");
  levels.print(os);
}

json::Object factsOf(const ConstantWordState &state, u64 protocol) {
  auto bits = [](u32 value) { return facts::hex(value, 8); };
  json::Object found{{"memory", bits(state.memory)}};
  if (protocol == ConstantCacheConfig::Drained) {
    found["protocol"] = "drained";
    return found;
  }
  bool oldest = protocol == ConstantCacheConfig::OldestL2;
  found["protocol"] = oldest ? "A" : "B";
  json::Array sms;
  for (unsigned i = 0; i < state.sms.size(); ++i) {
    const ConstantWordState::Sm &sm = state.sms[i];
    json::Object one{
        {"sm", int64_t(i)}, {"active", sm.active}, {oldest ? "version" : "tag", int64_t(sm.version)}};
    if (oldest)
      one["coherent"] = sm.coherent;
    if (sm.copy) {
      one["bits"] = bits(sm.copy->value);
      one["locked"] = one["dirty"] = sm.copy->marked;
    }
    sms.push_back(std::move(one));
  }
  found["sms"] = std::move(sms);
  if (state.l2)
    found["l2"] = json::Object{{"bits", bits(state.l2->value)}, {"dirty", state.l2->marked}};
  if (oldest) {
    found["l2Version"] = int64_t(state.l2Version);
    found["currentVersion"] = int64_t(state.current);
    return found;
  }
  found["backup"] = facts::list(state.backup, [&](const ConstantWordState::Old &old) {
    return json::Object{{"tag", int64_t(old.tag)}, {"bits", bits(old.value)}};
  });
  found["queue"] = facts::list(state.posted, bits);
  return found;
}

} // namespace leno::dbg

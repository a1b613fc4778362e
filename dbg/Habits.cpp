#include "dbg/Habits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace leno::dbg {

namespace {

/// What was typed, word by word. A word in quotes is one, without them.
class Words {
public:
  explicit Words(StringRef line) : rest_(line.trim()) {}
  bool empty() const { return rest_.empty(); }
  StringRef rest() const { return rest_; }
  StringRef peek() const { return split().first; }
  StringRef take() {
    auto [word, after] = split();
    rest_ = after;
    return word;
  }

private:
  std::pair<StringRef, StringRef> split() const {
    if (rest_.starts_with("'") || rest_.starts_with("\""))
      if (size_t end = rest_.find(rest_[0], 1); end != StringRef::npos)
        return {rest_.slice(1, end), rest_.substr(end + 1).ltrim()};
    size_t end = std::min(rest_.find_first_of(" \t"), rest_.size());
    return {rest_.take_front(end), rest_.substr(end).ltrim()};
  }
  StringRef rest_;
};

class Matcher {
public:
  Matcher(StringRef pattern, StringRef line) : line(line) { pattern.split(tokens, ' ', -1, false); }

  bool matches() {
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].starts_with("{")) {
        i = options(i);
        continue;
      }
      if (!token(tokens[i]))
        return false;
    }
    return line.empty();
  }
  std::string fill(StringRef text) const;

private:
  bool token(StringRef pattern);
  bool literal(StringRef pattern, StringRef word) const;
  size_t options(size_t from);
  bool option(StringRef names, StringRef name);

  SmallVector<StringRef, 8> tokens;
  Words line;
  std::map<StringRef, std::string> found;
};

} // namespace

bool Matcher::literal(StringRef pattern, StringRef word) const {
  if (pattern == "||")
    return word == "|";
  SmallVector<StringRef, 4> several;
  pattern.split(several, '|');
  return any_of(several, [&](StringRef one) {
    auto [least, more] = one.split(':');
    if (!one.contains(':'))
      return word == one;
    return word.starts_with(least) && more.starts_with(word.drop_front(least.size()));
  });
}

bool Matcher::token(StringRef pattern) {
  size_t open = pattern.find('<');
  if (open == StringRef::npos)
    return !line.empty() && literal(pattern, line.take());
  StringRef name = pattern.substr(open + 1).drop_back();
  if (name.consume_back("?") || name.consume_back("...")) {
    if (pattern.ends_with("...>") && line.empty())
      return false;
    found[name] = line.rest().str();
    line = Words("");
    return true;
  }
  if (line.empty())
    return false;
  StringRef word = line.take(), before = pattern.take_front(open);
  if (!before.empty()) { // `re:ad/<f>`
    if (!word.contains(before.back()))
      return false;
    auto [start, after] = word.split(before.back());
    if (!literal(before.drop_back(), start))
      return false;
    word = after;
  }
  if (word.empty())
    return false;
  found[name] = word.str();
  return true;
}

bool Matcher::option(StringRef names, StringRef name) {
  SmallVector<StringRef, 4> several;
  names.split(several, '|');
  for (StringRef one : several) {
    StringRef word = line.peek();
    if (!word.consume_front(one))
      continue;
    if (word.empty()) {
      line.take();
      found[name] = line.take().str();
      return true;
    }
    if (one.starts_with("--") ? word.consume_front("=") : one.size() == 2) {
      found[name] = word.str();
      line.take();
      return true;
    }
  }
  return false;
}

/// Of a run of options that begins with number `from`; gives the number of the last token of it.
size_t Matcher::options(size_t from) {
  SmallVector<std::pair<StringRef, StringRef>, 4> all;
  size_t i = from;
  for (; i + 1 < tokens.size() && tokens[i].starts_with("{"); i += 2) {
    StringRef name = tokens[i + 1].drop_front().drop_back(2); // <c>}
    all.push_back({tokens[i].drop_front(), name});
    found[name];
  }
  while (!line.empty() && any_of(all, [&](auto &one) { return option(one.first, one.second); }))
    ;
  return i - 1;
}

std::string Matcher::fill(StringRef text) const {
  std::string result;
  while (!text.empty()) {
    auto [plain, rest] = text.split('<');
    result += plain;
    size_t close = rest.find('>');
    if (plain.size() == text.size())
      break;
    auto [name, words] = rest.take_front(close).split(':');
    auto value = found.find(name);
    if (close == StringRef::npos || value == found.end()) { // a sign of its own
      result += '<';
      text = rest;
      continue;
    }
    SmallVector<StringRef, 4> pairs;
    words.split(pairs, ',', -1, false);
    auto pair = find_if(pairs, [&](StringRef one) { return one.split('=').first == value->second; });
    result += pair == pairs.end() ? (pairs.empty() ? value->second : "") : pair->split('=').second.str();
    text = rest.substr(close + 1);
  }
  return StringRef(result).trim().str();
}

std::optional<FoundHabit> findHabit(StringRef line) {
  // A register may be called as a setting is.
  Words words(line);
  words.take();
  words.take();
  if (words.rest().starts_with("=") && !words.rest().starts_with("==") && line.ltrim().starts_with("set"))
    return std::nullopt;
  for (const Habit &habit : allHabits())
    if (Matcher matcher(habit.pattern, line); matcher.matches())
      return FoundHabit{habit.kind, matcher.fill(habit.text)};
  return std::nullopt;
}

StringRef nameByHabit(StringRef name) {
  static constexpr std::pair<StringLiteral, StringLiteral> names[] = {
      {"threadIdx.x", "SR_TID.X"},
      {"threadIdx.y", "SR_TID.Y"},
      {"threadIdx.z", "SR_TID.Z"},
      {"threadIdx", "SR_TID.X"},
      {"blockIdx.x", "SR_CTAID.X"},
      {"blockIdx.y", "SR_CTAID.Y"},
      {"blockIdx.z", "SR_CTAID.Z"},
      {"blockIdx", "SR_CTAID.X"},
      {"blockDim.x", "SR_NTID.X"},
      {"blockDim.y", "SR_NTID.Y"},
      {"blockDim.z", "SR_NTID.Z"},
      {"blockDim", "SR_NTID.X"},
      {"gridDim.x", "SR_NCTAID.X"},
      {"gridDim.y", "SR_NCTAID.Y"},
      {"gridDim.z", "SR_NCTAID.Z"},
      {"gridDim", "SR_NCTAID.X"},
      {"laneid", "$lane"},
      {"laneId", "$lane"},
      {"warpid", "$warp"},
      {"warpId", "$warp"},
      {"lane_id", "$lane"},
      {"warp_id", "$warp"},
      {"smid", "SR_SMID"},
      {"exec", "$mask"},
      {"$exec", "$mask"},
      {"$rip", "$pc"},
      {"$eip", "$pc"},
      {"$ip", "$pc"},
      {"rip", "$pc"},
      {"pc", "$pc"},
      {"$_laneid", "$lane"},
      {"$_lane", "$lane"},
      {"$_thread", "$warp"},
      {"$_gthread", "$warp"},
      {"$_inferior", "$cta"},
      {"threadIdx_x", "SR_TID.X"},
      {"$_wave_id", "$warp"},
      {"$_workgroup_pos", "$cta"},
      {"$_lane_count", "32"},
      {"warpSize", "32"},
      {"activemask", "$mask"},
      {"__activemask", "$mask"},
      {"$sp", "$depth"},
      {"$fp", "$depth"},
      {"$tid", "SR_TID.X"},
      {"tid", "SR_TID.X"},
      {"ctaid", "SR_CTAID.X"},
      {"$_active_lanes", "$mask"},
      {"true", "1"},
      {"false", "0"},
  };
  for (auto [habit, here] : names)
    if (habit == name)
      return here;
  // cuda-gdb takes CUDA's names with and without it.
  return name.consume_front("$") ? nameByHabit(name) : "";
}

} // namespace leno::dbg

#include "runtime/profile/ProfileDiff.h"

#include "runtime/StatisticsReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using llvm::Error;
using llvm::StringRef;

namespace leno::profile {

using Launch = ProfileFile::Launch;
using Line = ProfileFile::Line;

//===--- What belongs together --------------------------------------------===//

static std::string placeOf(const Line &line) { return line.file + ":" + std::to_string(line.line); }

static std::vector<std::string> keysOf(const ProfileFile &file, const Launch &launch) {
  std::vector<std::string> keys;
  for (const Line &line : launch.lines) {
    StringRef text = file.textOf(line);
    keys.push_back(text.empty() ? placeOf(line) : text.str());
  }
  return keys;
}

/// Two programs too long to compare their texts.
static std::vector<LinePair> pairByPlace(const Launch &ofA, const Launch &ofB) {
  std::vector<LinePair> pairs;
  auto key = [](const Line &line) { return std::tie(line.file, line.line); };
  auto a = ofA.lines.begin(), b = ofB.lines.begin(); // by file and line
  while (a != ofA.lines.end() || b != ofB.lines.end()) {
    bool hasA = a != ofA.lines.end() && (b == ofB.lines.end() || key(*a) <= key(*b));
    bool hasB = b != ofB.lines.end() && (a == ofA.lines.end() || key(*b) <= key(*a));
    pairs.push_back({hasA ? &*a++ : nullptr, hasB ? &*b++ : nullptr});
  }
  return pairs;
}

/// The longest common subsequence.
std::vector<LinePair> pairLines(const ProfileFile &a, const Launch &ofA, const ProfileFile &b,
                                const Launch &ofB) {
  constexpr size_t mostCells = 16'000'000;
  if (ofA.lines.size() * ofB.lines.size() > mostCells)
    return pairByPlace(ofA, ofB);
  const std::vector<std::string> keysA = keysOf(a, ofA), keysB = keysOf(b, ofB);
  const size_t width = keysB.size() + 1;
  std::vector<uint32_t> longest((keysA.size() + 1) * width);
  for (size_t i = keysA.size(); i-- > 0;)
    for (size_t j = keysB.size(); j-- > 0;)
      longest[i * width + j] = keysA[i] == keysB[j]
                                   ? longest[(i + 1) * width + j + 1] + 1
                                   : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
  std::vector<LinePair> pairs;
  size_t i = 0, j = 0;
  while (i < keysA.size() || j < keysB.size())
    if (i < keysA.size() && j < keysB.size() && keysA[i] == keysB[j])
      pairs.push_back({&ofA.lines[i++], &ofB.lines[j++]});
    else if (i < keysA.size() &&
             (j == keysB.size() || longest[(i + 1) * width + j] >= longest[i * width + j + 1]))
      pairs.push_back({&ofA.lines[i++], nullptr});
    else
      pairs.push_back({nullptr, &ofB.lines[j++]});
  return pairs;
}

namespace {

struct Difference {
  size_t kind;
  uint64_t a, b;
};

struct LaunchPair {
  const Launch *a, *b; ///< one may be null
};

class Diff {
public:
  Diff(const ProfileFile &a, const ProfileFile &b) : a(a), b(b) {
    for (const Launch &one : a.launches)
      launches.push_back({&one, find(b, one)});
    for (const Launch &one : b.launches)
      if (!find(a, one))
        launches.push_back({nullptr, &one});
  }
  void print(llvm::raw_ostream &os) const;
  void write(llvm::json::OStream &json) const;

private:
  static const Launch *find(const ProfileFile &in, const Launch &like) {
    auto found = llvm::find_if(in.launches, [&](const Launch &one) {
      return one.context == like.context && one.number == like.number;
    });
    return found == in.launches.end() ? nullptr : &*found;
  }
  std::vector<Difference> differences(const ProfileFile::Counts *ofA, const ProfileFile::Counts *ofB) const {
    std::vector<Difference> found;
    for (size_t kind = 0; kind < a.kinds.size(); ++kind) {
      uint64_t inA = ofA ? (*ofA)[kind] : 0, inB = ofB ? (*ofB)[kind] : 0;
      if (inA != inB)
        found.push_back({kind, inA, inB});
    }
    return found;
  }
  std::vector<Difference> differences(const LinePair &pair) const {
    return differences(pair.a ? &pair.a->counts : nullptr, pair.b ? &pair.b->counts : nullptr);
  }
  std::string titleOf(const LinePair &pair) const;
  void writeDifferences(llvm::json::OStream &json, const std::vector<Difference> &differences) const;

  const ProfileFile &a, &b;
  std::vector<LaunchPair> launches;
};

std::string change(uint64_t a, uint64_t b) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (a)
    os << llvm::format("%+.1f%%", (double(b) - double(a)) / double(a) * 100);
  else
    os << "new";
  return text;
}

std::string Diff::titleOf(const LinePair &pair) const {
  const Line &line = pair.a ? *pair.a : *pair.b;
  std::string title = placeOf(line);
  if (pair.a && pair.b && placeOf(*pair.a) != placeOf(*pair.b))
    title += " and " + placeOf(*pair.b);
  StringRef text = (pair.a ? a : b).textOf(line);
  if (!text.empty())
    title += "  " + text.str();
  return title + (pair.a ? pair.b ? "" : "  (only in A)" : "  (only in B)");
}

void Diff::print(llvm::raw_ostream &os) const {
  const char *between = "";
  for (const LaunchPair &launch : launches) {
    os << between;
    between = "\n";
    if (!launch.a || !launch.b) {
      os << (launch.a ? launch.a : launch.b)->name << ": only in " << (launch.a ? "A" : "B") << '\n';
      continue;
    }
    std::vector<std::vector<std::string>> rows = {{launch.a->name, "A", "B", "change"}};
    if (launch.a->name != launch.b->name)
      rows[0][0] += " and " + launch.b->name;
    auto add = [&](const std::vector<Difference> &found) {
      for (const Difference &one : found)
        rows.push_back({"  " + a.kinds[one.kind].label, std::to_string(one.a), std::to_string(one.b),
                        change(one.a, one.b)});
    };
    add(differences(&launch.a->counts, &launch.b->counts));
    bool any = rows.size() > 1;
    std::vector<std::pair<size_t, std::string>> titles; // before which row
    for (const LinePair &pair : pairLines(a, *launch.a, b, *launch.b))
      if (std::vector<Difference> found = differences(pair); !found.empty()) {
        any = true;
        titles.push_back({rows.size(), titleOf(pair)});
        add(found);
      }
    if (!any) {
      os << rows[0][0] << ": no count differs\n";
      continue;
    }
    std::string table;
    llvm::raw_string_ostream aligned(table);
    runtime::printAligned(aligned, rows);
    llvm::SmallVector<StringRef> lines;
    StringRef(table).split(lines, '\n', -1, false);
    auto title = titles.begin();
    for (size_t i = 0; i < lines.size(); ++i) {
      if (title != titles.end() && title->first == i)
        os << (title++)->second << '\n';
      os << lines[i] << '\n';
    }
  }
}

void Diff::writeDifferences(llvm::json::OStream &json, const std::vector<Difference> &found) const {
  json.attributeObject("counts", [&] {
    for (const Difference &one : found)
      json.attributeArray(a.kinds[one.kind].key, [&] {
        json.value(one.a);
        json.value(one.b);
      });
  });
}

void Diff::write(llvm::json::OStream &json) const {
  auto writePlace = [&](StringRef key, const Line *line) {
    if (line)
      json.attribute(key, placeOf(*line));
  };
  for (const LaunchPair &launch : launches)
    json.object([&] {
      if (launch.a)
        json.attribute("a", launch.a->name);
      if (launch.b)
        json.attribute("b", launch.b->name);
      if (!launch.a || !launch.b)
        return;
      writeDifferences(json, differences(&launch.a->counts, &launch.b->counts));
      json.attributeArray("lines", [&] {
        for (const LinePair &pair : pairLines(a, *launch.a, b, *launch.b))
          if (std::vector<Difference> found = differences(pair); !found.empty())
            json.object([&] {
              writePlace("a", pair.a);
              writePlace("b", pair.b);
              writeDifferences(json, found);
            });
      });
    });
}

} // namespace

Error writeDiff(llvm::raw_ostream &os, StringRef nameA, StringRef nameB, bool asJson) {
  RunFiles files;
  llvm::Expected<ProfileFile> a = ProfileFile::read(nameA, files);
  if (!a)
    return a.takeError();
  llvm::Expected<ProfileFile> b = ProfileFile::read(nameB, files);
  if (!b)
    return b.takeError();
  auto sameKey = [](const ProfileFile::Kind &one, const ProfileFile::Kind &other) {
    return one.key == other.key;
  };
  if (!std::equal(a->kinds.begin(), a->kinds.end(), b->kinds.begin(), b->kinds.end(), sameKey))
    return llvm::createStringError("'" + nameA + "' and '" + nameB +
                                   "' count other things: they are of two versions of leno-run");
  Diff diff(*a, *b);
  if (!asJson) {
    diff.print(os);
    return Error::success();
  }
  llvm::json::OStream json(os, 2);
  json.object([&] { json.attributeArray("launches", [&] { diff.write(json); }); });
  os << '\n';
  return Error::success();
}

} // namespace leno::profile

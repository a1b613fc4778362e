#include "runtime/checks/Suppressions.h"
#include "runtime/YamlText.h"
#include "llvm/ADT/STLExtras.h"

using namespace leno::checks;
using leno::runtime::YamlEntry, leno::runtime::YamlText, leno::runtime::YamlValue;
using llvm::Error;
using llvm::StringRef;

static constexpr const char *keys[] = {"check", "kind", "kernel", "line", "before", "text"};
/// Of a file that was written after a run of a large program.
static constexpr uint64_t mostBytes = 1 << 22;

static std::array<StringRef, 6> fieldsOf(const Suppressible &finding) {
  return {finding.check, finding.kind, finding.kernel, finding.line, finding.before, finding.text};
}

Error Suppressions::read(StringRef path) {
  auto file = YamlText::load(path, "suppressions", "", mostBytes);
  if (!file)
    return file.takeError();
  auto fail = [&](llvm::SMLoc at, const llvm::Twine &message) { return (*file)->error(at, message); };
  const YamlValue &root = (*file)->root();
  if (root.kind == YamlValue::Null)
    return Error::success();
  if (root.kind != YamlValue::Sequence)
    return fail(root.at, "expected a list: '- kind: store-after-load' and the like");
  for (const YamlValue &item : root.items) {
    if (item.kind != YamlValue::Mapping || item.entries.empty())
      return fail(item.at, "expected a mapping with some of check, kind, kernel, line, before and text");
    Entry entry;
    for (const YamlEntry &pair : item.entries) {
      auto key = llvm::find(keys, StringRef(pair.key.text));
      if (key == std::end(keys))
        return fail(pair.key.at,
                    "'" + pair.key.text +
                        "' is no key here; there are check, kind, kernel, line, before and text");
      std::string &pattern = entry[size_t(key - keys)];
      if (!pattern.empty())
        return fail(pair.key.at, "'" + pair.key.text + "' is told twice");
      if (pair.value.kind != YamlValue::Scalar || pair.value.text.empty())
        return fail(pair.value.at, "expected a pattern, such as '*' for anything");
      pattern = pair.value.text;
    }
    entries.push_back(std::move(entry));
  }
  return Error::success();
}

/// '*' and '?' as shells have them.
static bool fits(StringRef pattern, StringRef text) {
  size_t at = 0, star = StringRef::npos, from = 0;
  size_t k = 0;
  while (k < text.size()) {
    if (at < pattern.size() && pattern[at] == '*')
      star = at++, from = k;
    else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[k]))
      ++at, ++k;
    else if (star == StringRef::npos)
      return false;
    else
      at = star + 1, k = ++from;
  }
  return pattern.drop_front(at).find_first_not_of('*') == StringRef::npos;
}

bool Suppressions::holds(const Suppressible &finding) const {
  auto fields = fieldsOf(finding);
  return llvm::any_of(entries, [&](const Entry &entry) {
    for (size_t k = 0; k < entry.size(); ++k) {
      bool isLine = StringRef(keys[k]) == "line" || StringRef(keys[k]) == "before";
      if (!entry[k].empty() && !fits(entry[k], fields[k]) &&
          !(isLine && fits(entry[k], fields[k].substr(fields[k].rfind('/') + 1))))
        return false;
    }
    return true;
  });
}

void Suppressions::write(llvm::raw_ostream &os, const std::vector<Suppressible> &findings) {
  os << "# Findings that are known and left alone: leno-run --check-suppress reads this.\n";
  for (const Suppressible &finding : findings) {
    const char *start = "- ";
    for (size_t k = 0; k < 5; ++k) { // the text has addresses
      StringRef field = fieldsOf(finding)[k];
      if (field.empty())
        continue;
      os << start << keys[k] << ": '";
      for (char c : field)
        os << (c == '\'' ? "''" : std::string(1, c));
      os << "'\n";
      start = "  ";
    }
  }
}

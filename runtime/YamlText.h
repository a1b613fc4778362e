// A YAML text as a tree whose parts know their place: what the machine file and the context file are read
// from.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"
#include <string>
#include <vector>

namespace leno::runtime {

struct YamlEntry;

struct YamlValue {
  enum Kind : uint8_t { Null, Scalar, Sequence, Mapping, Alias } kind = Null;
  std::string text;               ///< of a Scalar, as YAML reads it
  std::vector<YamlValue> items;   ///< of a Sequence
  std::vector<YamlEntry> entries; ///< of a Mapping, in the file's order
  /// Where it begins. What stands for no value, and an alias, have no place of their own: their key's.
  llvm::SMLoc at;

  /// Of byte `column` of a Scalar's text, where the file has it as it is; else where the scalar begins.
  llvm::SMLoc placeOf(size_t column) const;
};

struct YamlEntry {
  YamlValue key; ///< a Scalar
  YamlValue value;
};

/// One document, or none, which is Null. Anchors are no part of these files: an alias has no value.
class YamlText {
public:
  /// `name` stands for the file in messages.
  static llvm::Expected<std::unique_ptr<YamlText>> parse(llvm::StringRef text, llvm::StringRef name);
  /// Far above any file that people write.
  static constexpr uint64_t maximumBytes = 1 << 16;
  /// `what` the file is, for messages: "machine file". `hint` goes to the message of one that is not there.
  static llvm::Expected<std::unique_ptr<YamlText>>
  load(llvm::StringRef path, llvm::StringRef what, llvm::StringRef hint = "", uint64_t most = maximumBytes);
  YamlText(const YamlText &) = delete;
  YamlText &operator=(const YamlText &) = delete;

  const YamlValue &root() const { return tree; }
  const std::string &name() const { return theName; }
  llvm::StringRef text() const { return theText; }
  /// "file:line:column: error: message", then the line and a caret.
  llvm::Error error(llvm::SMLoc at, const llvm::Twine &message) const;

private:
  YamlText(llvm::StringRef text, llvm::StringRef name);
  class Parser;

  std::string theText, theName;
  llvm::SourceMgr sources;
  YamlValue tree;
};

} // namespace leno::runtime

#include "runtime/YamlText.h"
#include "asm/support/InputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/YAMLParser.h"
#include "llvm/Support/raw_ostream.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace leno::runtime {

constexpr unsigned DeepestNesting = 16;

llvm::SMLoc YamlValue::placeOf(size_t column) const {
  const char *start = at.getPointer();
  if (kind != Scalar || !start)
    return at;
  // The text of a file ends with a zero, so that no comparison passes its end.
  for (const char *from : {start, start + (*start == '"' || *start == '\'')})
    if (std::strncmp(from, text.c_str(), text.size()) == 0)
      return llvm::SMLoc::getFromPointer(from + std::min(column, text.size()));
  return at;
}

YamlText::YamlText(StringRef text, StringRef name) : theText(text), theName(name) {
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(theText, theName), llvm::SMLoc());
}

static std::string shown(const llvm::SMDiagnostic &diagnostic) {
  std::string message;
  llvm::raw_string_ostream os(message);
  diagnostic.print(nullptr, os, /*ShowColors=*/false);
  while (StringRef(message).ends_with("\n"))
    message.pop_back();
  return message;
}

Error YamlText::error(llvm::SMLoc at, const Twine &message) const {
  return llvm::createStringError(shown(sources.GetMessage(at, llvm::SourceMgr::DK_Error, message)));
}

/// LLVM's parser builds its nodes as they are asked for, in order; here they are all asked for.
class YamlText::Parser {
public:
  explicit Parser(YamlText &file) : file(file) {
    sources.setDiagHandler(
        [](const llvm::SMDiagnostic &diagnostic, void *self) {
          Parser &parser = *static_cast<Parser *>(self);
          if (parser.diagnosis.empty()) // later ones of a parser that lost its way mislead
            parser.diagnosis = shown(diagnostic);
        },
        this);
  }
  Error parse();

private:
  using Node = llvm::yaml::Node;
  bool fail(llvm::SMLoc at, const Twine &message) {
    if (diagnosis.empty())
      diagnosis = llvm::toString(file.error(at, message));
    return false;
  }
  llvm::SMLoc startOf(const Node &node) const;
  bool read(Node *node, YamlValue &value, llvm::SMLoc fallback, unsigned depth);
  bool readMapping(llvm::yaml::MappingNode &mapping, YamlValue &value, unsigned depth);

  YamlText &file;
  llvm::SourceMgr sources; ///< the parser's own: it adds the text to it
  llvm::yaml::Stream *stream = nullptr;
  std::string diagnosis;
};

/// LLVM starts the range of a flow collection at its first entry, not at its bracket.
llvm::SMLoc YamlText::Parser::startOf(const Node &node) const {
  StringRef text = file.theText;
  const char *start = node.getSourceRange().Start.getPointer();
  bool collection = llvm::isa<llvm::yaml::MappingNode, llvm::yaml::SequenceNode>(&node);
  size_t before = text.take_front(size_t(start - text.begin())).find_last_not_of(" \t\r\n");
  if (collection && before != StringRef::npos && (text[before] == '[' || text[before] == '{'))
    start = text.begin() + before;
  return llvm::SMLoc::getFromPointer(start);
}

bool YamlText::Parser::readMapping(llvm::yaml::MappingNode &mapping, YamlValue &value, unsigned depth) {
  for (llvm::yaml::KeyValueNode &entry : mapping) {
    Node *keyNode = entry.getKey();
    if (!keyNode)
      return false;
    YamlEntry &added = value.entries.emplace_back();
    if (!read(keyNode, added.key, value.at, depth + 1))
      return false;
    if (added.key.kind != YamlValue::Scalar)
      return fail(startOf(*keyNode), "expected a key: a word, then ':' and its value");
    if (!read(entry.getValue(), added.value, added.key.at, depth + 1))
      return false;
  }
  return !stream->failed();
}

bool YamlText::Parser::read(Node *node, YamlValue &value, llvm::SMLoc fallback, unsigned depth) {
  if (!node || stream->failed())
    return false;
  value.at = startOf(*node);
  if (depth > DeepestNesting)
    return fail(value.at, "nested too deep: the keys of these files need no more than a few levels");
  if (auto *scalar = llvm::dyn_cast<llvm::yaml::ScalarNode>(node)) {
    llvm::SmallString<64> storage;
    value.kind = YamlValue::Scalar;
    value.text = scalar->getValue(storage).str();
  } else if (auto *block = llvm::dyn_cast<llvm::yaml::BlockScalarNode>(node)) {
    value.kind = YamlValue::Scalar;
    value.text = block->getValue().str();
  } else if (auto *mapping = llvm::dyn_cast<llvm::yaml::MappingNode>(node)) {
    value.kind = YamlValue::Mapping;
    return readMapping(*mapping, value, depth);
  } else if (auto *sequence = llvm::dyn_cast<llvm::yaml::SequenceNode>(node)) {
    value.kind = YamlValue::Sequence;
    for (Node &item : *sequence)
      if (!read(&item, value.items.emplace_back(), value.at, depth + 1))
        return false;
  } else {
    value.kind = llvm::isa<llvm::yaml::AliasNode>(node) ? YamlValue::Alias : YamlValue::Null;
    value.at = fallback;
  }
  return !stream->failed();
}

Error YamlText::Parser::parse() {
  llvm::yaml::Stream yaml(llvm::MemoryBufferRef(file.theText, file.theName), sources, /*ShowColors=*/false);
  stream = &yaml;
  bool good = true, first = true;
  llvm::SMLoc start = llvm::SMLoc::getFromPointer(file.theText.data());
  for (auto document = yaml.begin(); good && document != yaml.end(); ++document) {
    YamlValue root;
    good = read(document->getRoot(), root, start, 0);
    if (good && !first && root.kind != YamlValue::Null)
      good = fail(root.at, "expected one document; remove the '---' line");
    if (first)
      file.tree = std::move(root);
    first = false;
  }
  if (good && !yaml.failed() && diagnosis.empty())
    return Error::success();
  return llvm::createStringError(diagnosis.empty() ? file.theName + ":1:1: error: not a YAML file"
                                                   : diagnosis);
}

Expected<std::unique_ptr<YamlText>> YamlText::parse(StringRef text, StringRef name) {
  std::unique_ptr<YamlText> file(new YamlText(text, name));
  if (Error error = Parser(*file).parse())
    return std::move(error);
  return file;
}

Expected<std::unique_ptr<YamlText>> YamlText::load(StringRef path, StringRef what, StringRef hint,
                                                   uint64_t most) {
  auto fail = [&](const Twine &message) {
    return llvm::createStringError("cannot read the " + what + " '" + path + "': " + message);
  };
  auto buffer = readWhole(path, most);
  if (!buffer)
    return fail(llvm::toString(buffer.takeError()) + (llvm::sys::fs::exists(path) ? "" : hint));
  return parse((*buffer)->getBuffer(), path);
}

} // namespace leno::runtime

//===- KernelInfo.cpp - What an object says of its kernels ----------------===//
#include "asm/KernelInfo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/BinaryFormat/MsgPackReader.h"
#include "llvm/Support/raw_ostream.h"

#include <iterator>

using namespace llvm;

namespace leno {

namespace {
constexpr StringLiteral recursiveDepth = "recursive";

struct TypeRow {
  StringLiteral name;
  uint32_t size;
};
constexpr TypeRow types[] = {{"u8", 1},  {"i8", 1},  {"u16", 2}, {"i16", 2}, {"u32", 4}, {"i32", 4},
                             {"u64", 8}, {"i64", 8}, {"f32", 4}, {"f64", 8}, {"ptr", 8}};

Error damaged(const Twine &what) { return createStringError("the kernel metadata is damaged: " + what); }

/// Reads one unsigned field of a map.
Expected<uint32_t> field(msgpack::MapDocNode &map, StringRef key, uint32_t least, uint32_t most) {
  auto it = map.find(key);
  if (it == map.end() || it->second.getKind() != msgpack::Type::UInt)
    return damaged("no number '" + key + "'");
  uint64_t value = it->second.getUInt();
  if (value < least || value > most)
    return damaged("'" + key + "' is " + Twine(value) + ", more than " + Twine(most));
  return uint32_t(value);
}

/// The same for a field that older files have not.
Error optionalField(msgpack::MapDocNode &map, StringRef key, uint32_t most, uint32_t &value) {
  if (map.find(key) == map.end())
    return Error::success();
  return field(map, key, 0, most).moveInto(value);
}

Expected<std::string> nameOf(msgpack::MapDocNode &map) {
  auto it = map.find("name");
  if (it == map.end() || !it->second.isString() || it->second.getString().empty())
    return damaged("something has no name");
  return it->second.getString().str();
}

Expected<KernelParam> readParam(msgpack::MapDocNode map) {
  KernelParam param;
  if (Error e = nameOf(map).moveInto(param.name))
    return std::move(e);
  auto it = map.find("type");
  std::optional<ParamType> type =
      it != map.end() && it->second.isString() ? parseParamType(it->second.getString()) : std::nullopt;
  if (!type)
    return damaged("parameter '" + param.name + "' has no known type");
  param.type = *type;
  if (auto element = map.find("element"); element != map.end()) {
    if (element->second.isString())
      param.element = elementTypeNamed(element->second.getString());
    if (!param.element || param.type != ParamType::Ptr)
      return damaged("parameter '" + param.name + "' points to no known type");
  }
  if (Error e = field(map, "offset", parameterBase, constantBankBytes - paramTypeSize(*type))
                    .moveInto(param.offset))
    return std::move(e);
  if (param.offset % paramTypeSize(*type))
    return damaged("parameter '" + param.name + "' is not aligned");
  return param;
}

Expected<KernelArgument> readArgument(msgpack::MapDocNode map) {
  KernelArgument argument;
  if (Error e = nameOf(map).moveInto(argument.name))
    return std::move(e);
  auto text = [&](StringRef key) {
    auto it = map.find(key);
    return it != map.end() && it->second.isString() ? it->second.getString().str() : std::string();
  };
  argument.type = text("type");
  argument.qualifiers = text("qualifiers");
  std::optional<KernelArgument::Space> space = parseArgumentSpace(text("space"));
  if (!space)
    return damaged("argument '" + argument.name + "' is in no known memory");
  argument.space = *space;
  if (Error e = field(map, "bytes", 0, constantBankBytes).moveInto(argument.bytes))
    return std::move(e);
  auto it = map.find("offsets");
  if (it == map.end() || !it->second.isArray())
    return damaged("no list 'offsets'");
  for (msgpack::DocNode &offset : it->second.getArray()) {
    if (offset.getKind() != msgpack::Type::UInt || offset.getUInt() > argument.bytes)
      return damaged("argument '" + argument.name + "' has a part outside of it");
    argument.offsets.push_back(uint32_t(offset.getUInt()));
  }
  return argument;
}

/// Each argument's parameters follow those of the one before it, and none is left over.
Error placeArguments(KernelInfo &kernel) {
  size_t next = 0;
  for (KernelArgument &argument : kernel.arguments) {
    argument.first = uint32_t(next);
    if (argument.offsets.size() > kernel.params.size() - next)
      return damaged("kernel '" + kernel.name + "' has fewer parameters than its arguments need");
    for (size_t i = 0; i < argument.offsets.size(); ++i)
      if (argument.offsets[i] + paramTypeSize(kernel.params[next + i].type) > argument.bytes &&
          argument.space != KernelArgument::Local)
        return damaged("argument '" + argument.name + "' has a part outside of it");
    next += argument.offsets.size();
  }
  if (!kernel.arguments.empty() && next != kernel.params.size())
    return damaged("kernel '" + kernel.name + "' has parameters that are no argument's");
  return Error::success();
}

Expected<SharedVariable> readShared(msgpack::MapDocNode map) {
  SharedVariable variable;
  if (Error e = nameOf(map).moveInto(variable.name))
    return std::move(e);
  if (Error e = field(map, "offset", 0, maxSharedBytes).moveInto(variable.offset))
    return std::move(e);
  if (Error e = field(map, "bytes", 0, maxSharedBytes).moveInto(variable.bytes))
    return std::move(e);
  return variable;
}

Expected<SharedUse> readUse(msgpack::MapDocNode map) {
  SharedUse use;
  if (Error e = field(map, "instruction", 0, maxCodeBytes / 8).moveInto(use.instruction))
    return std::move(e);
  if (Error e = field(map, "variable", 0, UINT32_MAX).moveInto(use.variable))
    return std::move(e);
  return use;
}

Expected<RegisterName> readName(msgpack::MapDocNode map) {
  RegisterName name;
  if (Error e = nameOf(map).moveInto(name.name))
    return std::move(e);
  uint32_t predicate = 0, range = 0;
  if (Error e = optionalField(map, "predicate", 1, predicate))
    return std::move(e);
  if (Error e = optionalField(map, "range", 1, range))
    return std::move(e);
  name.isPredicate = predicate;
  name.isRange = range;
  if (Error e = optionalField(map, "first_index", 65535, name.firstIndex))
    return std::move(e);
  if (Error e = field(map, "first", 0, predicate ? 7 : 255).moveInto(name.first))
    return std::move(e);
  if (Error e = field(map, "count", 1, (predicate ? 8 : 256) - name.first).moveInto(name.count))
    return std::move(e);
  return name;
}

/// Reads a list of maps; `what` each of them is.
template <class T>
Error readList(msgpack::MapDocNode &map, StringRef key, StringRef what, std::vector<T> &out,
               Expected<T> (*read)(msgpack::MapDocNode)) {
  auto it = map.find(key);
  if (it == map.end() || !it->second.isArray())
    return damaged("no list '" + key + "'");
  for (msgpack::DocNode &node : it->second.getArray()) {
    if (!node.isMap())
      return damaged(what + " is not a map");
    Expected<T> item = read(node.getMap());
    if (!item)
      return item.takeError();
    out.push_back(std::move(*item));
  }
  return Error::success();
}

/// A number, "recursive", or nothing when it is not known.
Expected<StackDepth> readStackDepth(msgpack::MapDocNode &map) {
  auto it = map.find("stack_depth");
  if (it == map.end())
    return StackDepth();
  if (it->second.isString() && it->second.getString() == recursiveDepth)
    return StackDepth{StackDepth::Recursive, 0};
  Expected<uint32_t> entries = field(map, "stack_depth", 0, UINT32_MAX);
  if (!entries)
    return entries.takeError();
  return StackDepth{StackDepth::Known, *entries};
}

Expected<KernelInfo> readKernel(msgpack::MapDocNode map) {
  KernelInfo kernel;
  if (Error e = nameOf(map).moveInto(kernel.name))
    return std::move(e);
  if (Error e = field(map, "registers", 0, 255).moveInto(kernel.registers))
    return std::move(e);
  uint32_t entry = 0, bytes = 0;
  if (Error e = optionalField(map, "entry", maxCodeBytes, entry))
    return std::move(e);
  if (Error e = optionalField(map, "bytes", maxCodeBytes, bytes))
    return std::move(e);
  kernel.entry = entry;
  kernel.bytes = bytes;
  if (Error e = optionalField(map, "given_registers", 255, kernel.givenRegisters))
    return std::move(e);
  if (Error e = optionalField(map, "barriers", maxBarriers, kernel.barriers))
    return std::move(e);
  if (Error e = field(map, "shared_bytes", 0, maxSharedBytes).moveInto(kernel.sharedBytes))
    return std::move(e);
  // Files from before local memory have none.
  if (map.find("local_bytes") != map.end())
    if (Error e = field(map, "local_bytes", 0, maxLocalBytes).moveInto(kernel.localBytes))
      return std::move(e);
  if (kernel.localBytes % localAlignment)
    return damaged("'local_bytes' is not a multiple of " + Twine(localAlignment));
  if (Error e = readStackDepth(map).moveInto(kernel.stackDepth))
    return std::move(e);
  if (Error e = readList(map, "params", "a parameter", kernel.params, readParam))
    return std::move(e);
  if (map.find("arguments") != map.end())
    if (Error e = readList(map, "arguments", "an argument", kernel.arguments, readArgument))
      return std::move(e);
  if (Error e = placeArguments(kernel))
    return std::move(e);
  static constexpr StringLiteral axes[] = {"block_x", "block_y", "block_z"};
  for (auto [axis, threads] : zip(axes, kernel.block))
    if (Error e = optionalField(map, axis, UINT32_MAX, threads))
      return std::move(e);
  if (auto hints = map.find("hints"); hints != map.end() && hints->second.isString())
    kernel.hints = hints->second.getString().str();
  if (Error e = readList(map, "shared", "a shared variable", kernel.shared, readShared))
    return std::move(e);
  if (map.find("names") != map.end())
    if (Error e = readList(map, "names", "the name of a register", kernel.names, readName))
      return std::move(e);
  if (map.find("shared_uses") != map.end())
    if (Error e = readList(map, "shared_uses", "the use of a shared variable", kernel.sharedUses, readUse))
      return std::move(e);
  for (const SharedUse &use : kernel.sharedUses)
    if (use.variable != SharedUse::several && use.variable >= kernel.shared.size())
      return damaged("an instruction uses a shared variable that is not there");
  return kernel;
}
} // namespace

std::string stackDepthText(const StackDepth &depth) {
  switch (depth.kind) {
  case StackDepth::Known:
    return depth.entries == 0
               ? "no entries"
               : ("at most " + Twine(depth.entries) + (depth.entries == 1 ? " entry" : " entries")).str();
  case StackDepth::Recursive:
    return "recursive: unbounded";
  case StackDepth::Unknown:
    break;
  }
  return "not known: it branches or calls to where the code does not tell";
}

static constexpr StringLiteral spaces[] = {"private", "global", "constant", "local"};
StringRef argumentSpaceName(KernelArgument::Space space) { return spaces[space]; }
std::optional<KernelArgument::Space> parseArgumentSpace(StringRef text) {
  const auto *found = find(spaces, text);
  return found == std::end(spaces) ? std::nullopt
                                   : std::optional(KernelArgument::Space(found - std::begin(spaces)));
}

std::string argumentText(const KernelArgument &argument, StringRef quotedName) {
  std::string text;
  raw_string_ostream os(text);
  os << ".argument " << quotedName << ", \"";
  os.write_escaped(argument.type) << "\", \"";
  os.write_escaped(argument.qualifiers) << "\", " << argumentSpaceName(argument.space) << ", " << argument.bytes;
  for (uint32_t offset : argument.offsets)
    os << ", " << offset;
  return text;
}

std::string blockText(const std::array<uint32_t, 3> &block) {
  return (".block " + Twine(block[0]) + ", " + Twine(block[1]) + ", " + Twine(block[2])).str();
}

std::string hintsText(StringRef hints) {
  std::string text;
  raw_string_ostream os(text);
  (os << ".hints \"").write_escaped(hints) << '"';
  return text;
}

StringRef paramTypeName(ParamType type) { return types[size_t(type)].name; }
uint32_t paramTypeSize(ParamType type) { return types[size_t(type)].size; }

std::optional<ParamType> parseParamType(StringRef text) {
  for (size_t i = 0; i < std::size(types); ++i)
    if (text.equals_insensitive(types[i].name))
      return ParamType(i);
  return std::nullopt;
}

std::string KernelParam::typeText() const {
  return paramTypeName(type).str() + (element ? std::string(".") + info(*element).name : "");
}

std::optional<KernelParam> parseKernelParam(StringRef typeText) {
  KernelParam param;
  auto [type, element] = typeText.split('.');
  std::optional<ParamType> known = parseParamType(type);
  if (!known)
    return std::nullopt;
  param.type = *known;
  if (typeText.contains('.')) {
    param.element = elementTypeNamed(element.lower());
    if (!param.element || *known != ParamType::Ptr)
      return std::nullopt;
  }
  return param;
}

static msgpack::DocNode namesNode(msgpack::Document &document, const std::vector<RegisterName> &names) {
  msgpack::ArrayDocNode list = document.getArrayNode();
  for (const RegisterName &name : names) {
    msgpack::MapDocNode row = document.getMapNode();
    row["name"] = document.getNode(name.name, /*Copy=*/true);
    row["predicate"] = document.getNode(uint32_t(name.isPredicate));
    row["range"] = document.getNode(uint32_t(name.isRange));
    row["first_index"] = document.getNode(name.firstIndex);
    row["first"] = document.getNode(name.first);
    row["count"] = document.getNode(name.count);
    list.push_back(row);
  }
  return list;
}

std::string encodeModuleInfo(const ModuleInfo &module) {
  msgpack::Document document;
  msgpack::MapDocNode root = document.getRoot().getMap(/*Convert=*/true);
  root["function_registers"] = document.getNode(module.functionRegisters);
  root["function_barriers"] = document.getNode(module.functionBarriers);
  msgpack::ArrayDocNode kernels = root["kernels"].getArray(true);
  for (const KernelInfo &kernel : module.kernels) {
    msgpack::MapDocNode map = document.getMapNode();
    map["name"] = document.getNode(kernel.name, /*Copy=*/true);
    // So that a program whose symbols were stripped still has its kernels.
    if (module.isLinked) {
      map["entry"] = document.getNode(kernel.entry);
      map["bytes"] = document.getNode(kernel.bytes);
    }
    map["registers"] = document.getNode(kernel.registers);
    if (kernel.givenRegisters)
      map["given_registers"] = document.getNode(kernel.givenRegisters);
    map["barriers"] = document.getNode(kernel.barriers);
    map["shared_bytes"] = document.getNode(kernel.sharedBytes);
    map["local_bytes"] = document.getNode(kernel.localBytes);
    if (kernel.stackDepth.kind == StackDepth::Known)
      map["stack_depth"] = document.getNode(kernel.stackDepth.entries);
    else if (kernel.stackDepth.kind == StackDepth::Recursive)
      map["stack_depth"] = document.getNode(recursiveDepth);
    msgpack::ArrayDocNode params = map["params"].getArray(true);
    for (const KernelParam &param : kernel.params) {
      msgpack::MapDocNode row = document.getMapNode();
      row["name"] = document.getNode(param.name, true);
      row["type"] = document.getNode(paramTypeName(param.type));
      if (param.element)
        row["element"] = document.getNode(info(*param.element).name);
      row["offset"] = document.getNode(param.offset);
      params.push_back(row);
    }
    if (!kernel.arguments.empty()) {
      msgpack::ArrayDocNode arguments = map["arguments"].getArray(true);
      for (const KernelArgument &argument : kernel.arguments) {
        msgpack::MapDocNode row = document.getMapNode();
        row["name"] = document.getNode(argument.name, true);
        row["type"] = document.getNode(argument.type, true);
        row["qualifiers"] = document.getNode(argument.qualifiers, true);
        row["space"] = document.getNode(argumentSpaceName(argument.space));
        row["bytes"] = document.getNode(argument.bytes);
        msgpack::ArrayDocNode offsets = row["offsets"].getArray(true);
        for (uint32_t offset : argument.offsets)
          offsets.push_back(document.getNode(offset));
        arguments.push_back(row);
      }
    }
    if (kernel.block[0]) {
      map["block_x"] = document.getNode(kernel.block[0]);
      map["block_y"] = document.getNode(kernel.block[1]);
      map["block_z"] = document.getNode(kernel.block[2]);
    }
    if (!kernel.hints.empty())
      map["hints"] = document.getNode(kernel.hints, true);
    msgpack::ArrayDocNode shared = map["shared"].getArray(true);
    for (const SharedVariable &variable : kernel.shared) {
      msgpack::MapDocNode row = document.getMapNode();
      row["name"] = document.getNode(variable.name, true);
      row["offset"] = document.getNode(variable.offset);
      row["bytes"] = document.getNode(variable.bytes);
      shared.push_back(row);
    }
    if (!kernel.names.empty())
      map["names"] = namesNode(document, kernel.names);
    if (!kernel.sharedUses.empty()) {
      msgpack::ArrayDocNode uses = map["shared_uses"].getArray(true);
      for (const SharedUse &use : kernel.sharedUses) {
        msgpack::MapDocNode row = document.getMapNode();
        row["instruction"] = document.getNode(use.instruction);
        row["variable"] = document.getNode(use.variable);
        uses.push_back(row);
      }
    }
    kernels.push_back(map);
  }
  std::string bytes;
  document.writeToBlob(bytes);
  return bytes;
}

/// Whether the keys of all maps are names: msgpack::Document cannot compare others, and jumps into nowhere.
static bool keysAreNames(StringRef bytes) {
  msgpack::Reader reader(bytes);
  struct Level {
    bool isMap;
    uint64_t left;
  };
  SmallVector<Level, 8> levels{{false, 1}};
  while (!levels.empty()) {
    Level &level = levels.back();
    if (level.left == 0) {
      levels.pop_back();
      continue;
    }
    bool isKey = level.isMap && level.left-- % 2 == 0;
    if (!level.isMap)
      --level.left;
    msgpack::Object object;
    Expected<bool> read = reader.read(object);
    if (!read) {
      consumeError(read.takeError());
      return false;
    }
    if (!*read || (isKey && object.Kind != msgpack::Type::String))
      return false;
    if (object.Kind == msgpack::Type::Map)
      levels.push_back({true, 2 * uint64_t(object.Length)});
    else if (object.Kind == msgpack::Type::Array)
      levels.push_back({false, object.Length});
  }
  return true;
}

Expected<ModuleInfo> decodeModuleInfo(StringRef bytes) {
  msgpack::Document document;
  if (!keysAreNames(bytes) || !document.readFromBlob(bytes, /*Multi=*/false) || !document.getRoot().isMap())
    return damaged("it is not one MessagePack map");
  msgpack::MapDocNode root = document.getRoot().getMap();
  ModuleInfo module;
  if (Error e = field(root, "function_registers", 0, 255).moveInto(module.functionRegisters))
    return std::move(e);
  if (Error e = optionalField(root, "function_barriers", maxBarriers, module.functionBarriers))
    return std::move(e);
  if (Error e = readList(root, "kernels", "a kernel", module.kernels, readKernel))
    return std::move(e);
  module.isPresent = true;
  for (msgpack::DocNode &kernel : root["kernels"].getArray())
    module.isLinked = kernel.getMap().find("entry") != kernel.getMap().end();
  return module;
}

} // namespace leno

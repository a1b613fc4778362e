#include "dbg/source/Program.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno::dbg::source {

namespace {

std::string text(const char *bytes) { return bytes ? bytes : ""; }

u64 number(const DWARFDie &die, dwarf::Attribute attribute, u64 otherwise = 0) {
  std::optional<DWARFFormValue> value = die.find(attribute);
  if (!value)
    return otherwise;
  if (std::optional<u64> constant = value->getAsUnsignedConstant())
    return *constant;
  if (std::optional<s64> constant = value->getAsSignedConstant())
    return u64(*constant);
  return otherwise;
}

} // namespace

/// Reads the units of a program.
class Program::Reader {
public:
  Reader(const Executable &executable, Program &into) : executable(executable), into(into) {}
  void read();

private:
  const Type *typeOf(const DWARFDie &die);
  const Type *read(const DWARFDie &die);
  void readBase(const DWARFDie &die, Type &type);
  void readPointer(const DWARFDie &die, Type &type);
  const Type *readArray(const DWARFDie &die, Type &type);
  void readMembers(const DWARFDie &die, Type &type);
  void readScope(const DWARFDie &die, Scope &scope);
  void readFunction(const DWARFDie &die);
  void readInlined(const DWARFDie &die, Scope &outer);
  Variable readVariable(const DWARFDie &die);
  void addFromOrigin(const DWARFDie &die, Scope &scope);
  std::string fileOf(const DWARFDie &die, dwarf::Attribute attribute) const;
  void name(const std::string &name, const Type *type) {
    if (!name.empty() && type->kind != Type::Void)
      into.named.try_emplace(name, type);
  }
  Type &make(Type::Kind kind) {
    into.owned.push_back(std::make_unique<Type>());
    into.owned.back()->kind = kind;
    return *into.owned.back();
  }

  const Executable &executable;
  Program &into;
  std::map<u64, const Type *> known; ///< by the place of its entry
  unsigned depth = 0;
};

//===--- Types ------------------------------------------------------------===//

const Type *Program::Reader::typeOf(const DWARFDie &die) {
  static const Type none{};
  DWARFDie type = die.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
  if (!type)
    if (DWARFDie origin = die.getAttributeValueAsReferencedDie(dwarf::DW_AT_abstract_origin))
      type = origin.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
  const Type *found = type ? read(type) : nullptr;
  return found ? found : &none;
}

const Type *Program::Reader::read(const DWARFDie &die) {
  constexpr unsigned deepest = 200;
  if (auto it = known.find(die.getOffset()); it != known.end())
    return it->second;
  if (depth > deepest)
    return nullptr;
  ++depth;
  const Type *result = nullptr;
  std::string own = text(die.getName(DINameKind::ShortName));
  // Known before its parts are: they may point to it.
  auto begin = [&](Type::Kind kind) -> Type & {
    Type &type = make(kind);
    type.name = own;
    type.size = number(die, dwarf::DW_AT_byte_size);
    known[die.getOffset()] = result = &type;
    return type;
  };
  switch (die.getTag()) {
  case dwarf::DW_TAG_base_type:
    readBase(die, begin(Type::Base));
    name(own, result);
    break;
  case dwarf::DW_TAG_pointer_type:
  case dwarf::DW_TAG_reference_type:
    readPointer(die, begin(Type::Pointer));
    break;
  case dwarf::DW_TAG_array_type:
    result = readArray(die, begin(die.find(dwarf::DW_AT_GNU_vector) ? Type::Vector : Type::Array));
    break;
  case dwarf::DW_TAG_structure_type:
  case dwarf::DW_TAG_class_type:
  case dwarf::DW_TAG_union_type: {
    bool isUnion = die.getTag() == dwarf::DW_TAG_union_type;
    Type &type = begin(isUnion ? Type::Union : Type::Structure);
    type.name = (isUnion ? "union " : "struct ") + (own.empty() ? "{...}" : own);
    readMembers(die, type);
    if (!own.empty())
      name(type.name, &type);
    break;
  }
  case dwarf::DW_TAG_enumeration_type: {
    Type &type = begin(Type::Enumeration);
    const Type &base = typeOf(die)->plain();
    type.scalar = base.kind == Type::Base ? base.scalar
                  : type.size == 8        ? ValueType::S64
                  : type.size == 1        ? ValueType::U8
                                          : ValueType::S32;
    type.name = "enum " + (own.empty() ? "{...}" : own);
    for (const DWARFDie &one : die.children())
      if (one.getTag() == dwarf::DW_TAG_enumerator) {
        type.enumerators.push_back(
            {text(one.getName(DINameKind::ShortName)), s64(number(one, dwarf::DW_AT_const_value))});
        into.enumerators.try_emplace(type.enumerators.back().name,
                                     valueOf(type, u64(type.enumerators.back().value)));
      }
    if (!own.empty())
      name(type.name, &type);
    break;
  }
  case dwarf::DW_TAG_typedef: {
    Type &type = begin(Type::Alias);
    type.target = typeOf(die);
    type.size = type.target->size;
    name(own, &type);
    break;
  }
  case dwarf::DW_TAG_subroutine_type:
    begin(Type::Function).name = "function";
    break;
  case dwarf::DW_TAG_const_type:
  case dwarf::DW_TAG_volatile_type: {
    Type &type = begin(Type::Qualified);
    type.name = die.getTag() == dwarf::DW_TAG_const_type ? "const" : "volatile";
    type.target = typeOf(die);
    type.size = type.target->size;
    break;
  }
  case dwarf::DW_TAG_restrict_type:
  case dwarf::DW_TAG_atomic_type:
    known[die.getOffset()] = result = typeOf(die);
    break;
  default:
    break;
  }
  --depth;
  return result;
}

void Program::Reader::readBase(const DWARFDie &die, Type &type) {
  using enum ValueType;
  static constexpr ValueType signedOnes[] = {S8, S16, S32, S64}, unsignedOnes[] = {U8, U16, U32, U64};
  unsigned width = type.size >= 8 ? 3 : type.size >= 4 ? 2 : type.size >= 2 ? 1 : 0;
  switch (number(die, dwarf::DW_AT_encoding)) {
  case dwarf::DW_ATE_boolean:
    type.scalar = Bool;
    return;
  case dwarf::DW_ATE_float:
    type.isHalf = type.size == 2;
    type.scalar = type.size == 8 ? F64 : F32;
    return;
  case dwarf::DW_ATE_signed_char:
    type.isCharacter = type.size == 1;
    type.scalar = signedOnes[width];
    return;
  case dwarf::DW_ATE_unsigned_char:
    type.isCharacter = type.size == 1;
    type.scalar = unsignedOnes[width];
    return;
  case dwarf::DW_ATE_signed:
    type.scalar = signedOnes[width];
    return;
  default:
    type.scalar = unsignedOnes[width];
  }
}

/// The classes are those of the donor target's debuggers: 1 generic, 3 shared, 5 private, none global.
void Program::Reader::readPointer(const DWARFDie &die, Type &type) {
  u64 memory = number(die, dwarf::DW_AT_address_class);
  type.space = memory == 3 ? MemorySpace::Shared : memory == 5 ? MemorySpace::Local : MemorySpace::Generic;
  bool isNarrow = type.space != MemorySpace::Generic;
  type.size = isNarrow ? 4 : 8;
  type.scalar = isNarrow ? ValueType::U32 : ValueType::U64;
  type.target = typeOf(die);
}

const Type *Program::Reader::readArray(const DWARFDie &die, Type &type) {
  std::vector<u64> counts;
  for (const DWARFDie &one : die.children())
    if (one.getTag() == dwarf::DW_TAG_subrange_type) {
      u64 upper = number(one, dwarf::DW_AT_upper_bound, ~u64(0));
      counts.push_back(number(one, dwarf::DW_AT_count, upper + 1));
    }
  const Type *element = typeOf(die);
  // The last bracket is of the innermost array.
  for (size_t i = counts.size(); i-- > 1;) {
    Type &inner = make(Type::Array);
    inner.target = element;
    inner.count = counts[i];
    inner.size = element->size * inner.count;
    element = &inner;
  }
  type.target = element;
  type.count = counts.empty() ? 0 : counts[0];
  if (!type.size)
    type.size = element->size * type.count;
  // clang has vectors of three as four.
  return &type;
}

void Program::Reader::readMembers(const DWARFDie &die, Type &type) {
  for (const DWARFDie &one : die.children()) {
    if (one.getTag() != dwarf::DW_TAG_member)
      continue;
    Type::Member member{text(one.getName(DINameKind::ShortName)), typeOf(one),
                        number(one, dwarf::DW_AT_data_member_location)};
    member.bitSize = unsigned(number(one, dwarf::DW_AT_bit_size));
    if (member.bitSize) {
      u64 unit = 8 * std::max<u64>(member.type->size, 1);
      u64 bit = number(one, dwarf::DW_AT_data_bit_offset, ~u64(0));
      if (bit == ~u64(0)) // DWARF 2 to 4: from the upper end of its unit
        bit = member.offset * 8 + unit - number(one, dwarf::DW_AT_bit_offset) - member.bitSize;
      member.offset = bit / unit * (unit / 8);
      member.bitOffset = unsigned(bit % unit);
    }
    type.members.push_back(std::move(member));
  }
}

//===--- Variables and scopes ---------------------------------------------===//

std::string Program::Reader::fileOf(const DWARFDie &die, dwarf::Attribute attribute) const {
  std::optional<u64> index = dwarf::toUnsigned(die.find(attribute));
  const DWARFDebugLine::LineTable *table =
      die.getDwarfUnit()->getContext().getLineTableForUnit(die.getDwarfUnit());
  std::string path;
  if (!index || !table ||
      !table->getFileNameByIndex(*index, "", DILineInfoSpecifier::FileLineInfoKind::RawValue, path))
    return "";
  // As the line table of the program calls it.
  for (const std::string &file : executable.files())
    if (file == path || sys::path::filename(file) == sys::path::filename(path))
      return file;
  return path;
}

Variable Program::Reader::readVariable(const DWARFDie &die) {
  Variable variable;
  variable.name = text(die.getName(DINameKind::ShortName));
  into.names.insert(variable.name);
  variable.type = typeOf(die);
  variable.isParameter = die.getTag() == dwarf::DW_TAG_formal_parameter;
  variable.line = unsigned(die.getDeclLine());
  if (die.find(dwarf::DW_AT_const_value))
    variable.constant = number(die, dwarf::DW_AT_const_value);
  if (!die.find(dwarf::DW_AT_location))
    return variable;
  Expected<DWARFLocationExpressionsVector> places = die.getLocations(dwarf::DW_AT_location);
  if (!places) {
    consumeError(places.takeError());
    return variable;
  }
  for (const DWARFLocationExpression &place : *places) {
    Location &location = variable.locations.emplace_back();
    if (place.Range) {
      location.from = place.Range->LowPC;
      location.to = place.Range->HighPC;
      if (location.from >= location.to) {
        variable.locations.pop_back();
        continue;
      }
    }
    location.expression.assign(place.Expr.begin(), place.Expr.end());
  }
  return variable;
}

/// What an inlined function has, and nothing is left of here.
void Program::Reader::addFromOrigin(const DWARFDie &die, Scope &scope) {
  DWARFDie origin = die.getAttributeValueAsReferencedDie(dwarf::DW_AT_abstract_origin);
  if (!origin)
    return;
  std::vector<Variable> all;
  for (const DWARFDie &one : origin.children()) {
    if (one.getTag() != dwarf::DW_TAG_formal_parameter && one.getTag() != dwarf::DW_TAG_variable)
      continue;
    Variable variable = readVariable(one);
    auto here = find_if(scope.variables, [&](const Variable &v) { return v.name == variable.name && v.line == variable.line; });
    all.push_back(here == scope.variables.end() ? std::move(variable) : std::move(*here));
    if (here != scope.variables.end())
      scope.variables.erase(here);
  }
  all.insert(all.end(), std::make_move_iterator(scope.variables.begin()),
             std::make_move_iterator(scope.variables.end()));
  scope.variables = std::move(all);
}

void Program::Reader::readScope(const DWARFDie &die, Scope &scope) {
  if (Expected<DWARFAddressRangesVector> ranges = die.getAddressRanges()) {
    for (const DWARFAddressRange &range : *ranges)
      if (range.LowPC < range.HighPC)
        scope.ranges.push_back({range.LowPC, range.HighPC});
  } else
    consumeError(ranges.takeError());
  for (const DWARFDie &one : die.children())
    switch (one.getTag()) {
    case dwarf::DW_TAG_formal_parameter:
    case dwarf::DW_TAG_variable:
      scope.variables.push_back(readVariable(one));
      break;
    case dwarf::DW_TAG_lexical_block: {
      auto block = std::make_unique<Scope>();
      block->outer = &scope;
      readScope(one, *block);
      scope.inner.push_back(std::move(block));
      break;
    }
    case dwarf::DW_TAG_inlined_subroutine:
      readInlined(one, scope);
      break;
    default:
      break;
    }
  if (scope.kind != Scope::Function || die.find(dwarf::DW_AT_abstract_origin))
    addFromOrigin(die, scope);
  for (Variable &variable : scope.variables)
    variable.scope = &scope;
}

void Program::Reader::readInlined(const DWARFDie &die, Scope &outer) {
  auto scope = std::make_unique<Scope>();
  scope->kind = Scope::Inlined;
  scope->outer = &outer;
  scope->name = text(die.getSubroutineName(DINameKind::ShortName));
  std::string file = fileOf(die, dwarf::DW_AT_call_file);
  if (unsigned line = unsigned(number(die, dwarf::DW_AT_call_line)); line && !file.empty())
    scope->calledAt = SourceLine{file, line};
  if (const Type *result = typeOf(die); result->kind != Type::Void)
    scope->result = result;
  readScope(die, *scope);
  outer.inner.push_back(std::move(scope));
}

void Program::Reader::readFunction(const DWARFDie &die) {
  auto function = std::make_unique<Scope>();
  function->kind = Scope::Function;
  function->name = text(die.getSubroutineName(DINameKind::ShortName));
  if (const Type *result = typeOf(die); result->kind != Type::Void)
    function->result = result;
  if (auto base = die.find(dwarf::DW_AT_frame_base))
    if (auto block = base->getAsBlock())
      function->frameBase.assign(block->begin(), block->end());
  readScope(die, *function);
  if (function->ranges.empty()) // it was taken in wherever it is called
    return;
  auto [begin, end] = function->ranges.front();
  function->bodyBegins = executable.lineTable().endOfPrologue(begin, end).value_or(begin);
  for (const KernelInfo &kernel : executable.kernels())
    function->isKernel |= kernel.entry == begin;
  into.functions.push_back(std::move(function));
}

void Program::Reader::read() {
  if (!executable.lineTable().sections())
    return;
  auto quiet = [](Error error) { consumeError(std::move(error)); };
  std::unique_ptr<DWARFContext> dwarf = DWARFContext::create(
      *executable.lineTable().sections(), /*AddrSize=*/8, /*isLittleEndian=*/true, quiet, quiet);
  for (const auto &unit : dwarf->compile_units())
    for (const DWARFDie &die : unit->getUnitDIE(false).children()) {
      if (die.getTag() == dwarf::DW_TAG_subprogram)
        readFunction(die);
      else if (die.getTag() == dwarf::DW_TAG_variable)
        into.globals.push_back(readVariable(die));
      else
        read(die);
    }
}

//===--- Asking -----------------------------------------------------------===//

Program::Program(const Executable &executable) { Reader(executable, *this).read(); }

const Scope *Program::scopeAt(u64 pc) const {
  const Scope *found = nullptr;
  const std::vector<std::unique_ptr<Scope>> *among = &functions;
  while (among) {
    const std::vector<std::unique_ptr<Scope>> *next = nullptr;
    for (const auto &scope : *among)
      if (scope->holds(pc)) {
        found = scope.get();
        next = &scope->inner;
        break;
      }
    among = next;
  }
  return found;
}

std::vector<const Scope *> Program::functionsAt(u64 pc) const {
  std::vector<const Scope *> all;
  for (const Scope *scope = scopeAt(pc); scope; scope = scope->outer)
    if (scope->kind != Scope::Block)
      all.push_back(scope);
  return all;
}

const Scope *Program::functionNamed(StringRef name) const {
  for (const auto &function : functions)
    if (function->name == name)
      return function.get();
  return nullptr;
}

const Variable *Program::variable(StringRef name, const Scope *scope) const {
  for (; scope; scope = scope->kind == Scope::Block ? scope->outer : nullptr)
    // Of two of a name the later one hides the other.
    for (size_t i = scope->variables.size(); i-- > 0;)
      if (scope->variables[i].name == name)
        return &scope->variables[i];
  for (const Variable &variable : globals)
    if (variable.name == name)
      return &variable;
  return nullptr;
}

const Type *Program::type(StringRef name) const {
  auto found = named.find(name);
  return found == named.end() ? nullptr : found->second;
}

std::optional<Value> Program::enumerator(StringRef name) const {
  auto found = enumerators.find(name);
  return found == enumerators.end() ? std::nullopt : std::optional(found->second);
}

} // namespace leno::dbg::source

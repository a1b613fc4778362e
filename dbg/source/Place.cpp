// DWARF's expressions: where a variable is.
#include "dbg/source/Frame.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/LowLevel/DWARFExpression.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace leno::dbg::source {

namespace {

using Operation = DWARFExpression::Operation;

/// asm/codegen/DebugInfo.cpp: a parameter is a word of c[0], memory 4 of `xderef`.
constexpr u64 constantMemory = 4;

class Machine {
public:
  Machine(const Variable &variable, const LaneFrame &frame, unsigned lane, const Surroundings &around)
      : variable(variable), frame(frame), lane(lane), around(around) {}

  /// Nullopt: it cannot be told.
  std::optional<std::vector<Piece>> run(ArrayRef<uint8_t> bytes, u64 size);

private:
  bool step(const Operation &op);
  bool arithmetic(u8 code);
  std::optional<u64> word(unsigned number);
  std::optional<u64> frameBase();
  bool xderef();
  void finishPiece(u64 size);
  void push(u64 value) { stack.push_back(value); }
  bool pop(u64 &value) {
    if (stack.empty())
      return false;
    value = stack.back();
    stack.pop_back();
    return true;
  }
  Piece bytesOf(u64 value, u64 size) const {
    Piece piece{.kind = Piece::Bytes, .size = size};
    for (u64 i = 0; i < size; ++i)
      piece.bytes.push_back(uint8_t(i < 8 ? value >> 8 * i : 0));
    return piece;
  }

  const Variable &variable;
  const LaneFrame &frame;
  unsigned lane;
  const Surroundings &around;
  std::vector<u64> stack;
  std::vector<Piece> pieces;
  std::optional<unsigned> reg;          ///< the part is that register
  std::optional<Piece> made;            ///< or these bytes, or that constant
  bool isValue = false, isGlobal = false;
};

/// A register's bits as the frame has them.
std::optional<u64> Machine::word(unsigned number) {
  Object object{.type = baseType(ValueType::U32), .lane = lane, .pieces = {frame.place(number)}};
  Expected<std::vector<uint8_t>> bytes = object.read(around.context);
  if (!bytes) {
    consumeError(bytes.takeError());
    return std::nullopt;
  }
  return support::endian::read32le(bytes->data());
}

std::optional<u64> Machine::frameBase() {
  if (!variable.scope)
    return std::nullopt;
  ArrayRef<uint8_t> base = variable.scope->code().frameBase;
  if (base.size() == 1 && base[0] >= dwarf::DW_OP_reg0 && base[0] <= dwarf::DW_OP_reg31)
    return word(base[0] - dwarf::DW_OP_reg0);
  if (base.size() >= 2 && base[0] == dwarf::DW_OP_regx) // RZ
    return word(255);
  return std::nullopt;
}

bool Machine::xderef() {
  u64 address, memory;
  if (!pop(address) || !pop(memory) || memory != constantMemory)
    return false;
  made = Piece{.kind = Piece::Memory, .size = 0, .space = MemorySpace::Constant, .bank = 0, .address = address};
  // For operators that follow.
  uint8_t bytes[8] = {};
  u64 count = std::min<u64>(8, std::max<u64>(1, variable.type->size));
  if (Error error = around.context.read(MemorySpace::Constant, 0, address, lane, MutableArrayRef(bytes, count))) {
    consumeError(std::move(error));
    return false;
  }
  push(support::endian::read64le(bytes));
  return true;
}

bool Machine::arithmetic(u8 code) {
  u64 b = 0, a = 0;
  bool isUnary = code == dwarf::DW_OP_neg || code == dwarf::DW_OP_not || code == dwarf::DW_OP_abs;
  if (!pop(b) || (!isUnary && !pop(a)))
    return false;
  made.reset();
  s64 x = s64(a), y = s64(b);
  switch (code) {
  case dwarf::DW_OP_neg:
    return push(0 - b), true;
  case dwarf::DW_OP_not:
    return push(~b), true;
  case dwarf::DW_OP_abs:
    return push(y < 0 ? 0 - b : b), true;
  case dwarf::DW_OP_plus:
    return push(a + b), true;
  case dwarf::DW_OP_minus:
    return push(a - b), true;
  case dwarf::DW_OP_mul:
    return push(a * b), true;
  case dwarf::DW_OP_div:
    return b == 0 ? false : (push(y == -1 ? 0 - a : u64(x / y)), true);
  case dwarf::DW_OP_mod:
    return b == 0 ? false : (push(a % b), true);
  case dwarf::DW_OP_and:
    return push(a & b), true;
  case dwarf::DW_OP_or:
    return push(a | b), true;
  case dwarf::DW_OP_xor:
    return push(a ^ b), true;
  case dwarf::DW_OP_shl:
    return push(b < 64 ? a << b : 0), true;
  case dwarf::DW_OP_shr:
    return push(b < 64 ? a >> b : 0), true;
  case dwarf::DW_OP_shra:
    return push(u64(x >> std::min<u64>(b, 63))), true;
  case dwarf::DW_OP_eq:
    return push(x == y), true;
  case dwarf::DW_OP_ne:
    return push(x != y), true;
  case dwarf::DW_OP_lt:
    return push(x < y), true;
  case dwarf::DW_OP_le:
    return push(x <= y), true;
  case dwarf::DW_OP_gt:
    return push(x > y), true;
  case dwarf::DW_OP_ge:
    return push(x >= y), true;
  default:
    return false;
  }
}

/// What was computed is `size` bytes of the variable.
void Machine::finishPiece(u64 size) {
  Piece piece{.kind = Piece::Absent, .size = size};
  if (reg) {
    piece = *reg >= 256 ? Piece{.kind = Piece::Predicate, .number = *reg - 256} : frame.place(*reg);
    piece.size = size;
  } else if (made) {
    piece = *made;
    piece.size = size;
    piece.bytes.resize(piece.kind == Piece::Bytes ? size : 0);
  } else if (!stack.empty() && isValue) {
    piece = bytesOf(stack.back(), size);
  } else if (!stack.empty()) {
    piece = {.kind = Piece::Memory, .size = size, .space = MemorySpace::Local, .address = u32(stack.back())};
    if (isGlobal)
      std::tie(piece.space, piece.address) = std::pair(MemorySpace::Global, stack.back());
    else if (stack.back() >> 32)
      std::tie(piece.space, piece.address) = mapGeneric(stack.back());
  }
  pieces.push_back(std::move(piece));
  stack.clear();
  reg.reset();
  made.reset();
  isValue = isGlobal = false;
}

bool Machine::step(const Operation &op) {
  u8 code = op.getCode();
  auto operand = [&](unsigned i) { return op.getNumOperands() > i ? op.getRawOperand(i) : 0; };
  if (code >= dwarf::DW_OP_lit0 && code <= dwarf::DW_OP_lit31)
    return push(code - dwarf::DW_OP_lit0), true;
  if ((code >= dwarf::DW_OP_reg0 && code <= dwarf::DW_OP_reg31) || code == dwarf::DW_OP_regx) {
    reg = code == dwarf::DW_OP_regx ? unsigned(operand(0)) : code - dwarf::DW_OP_reg0;
    return true;
  }
  if ((code >= dwarf::DW_OP_breg0 && code <= dwarf::DW_OP_breg31) || code == dwarf::DW_OP_bregx) {
    bool isIndexed = code == dwarf::DW_OP_bregx;
    std::optional<u64> base = word(isIndexed ? unsigned(operand(0)) : code - dwarf::DW_OP_breg0);
    // What is computed with it takes it for a number of 64 bits, and C's of 32 bits are below 0 more often
    // than beyond 2^31.
    return base ? (push(u64(s64(s32(*base))) + operand(isIndexed)), true) : false;
  }
  u64 a, b;
  switch (code) {
  case dwarf::DW_OP_addr:
    if (!around.globalBase || operand(0) < around.executable.globalFileAddress() || s64(operand(0)) < 0)
      return false;
    isGlobal = true;
    return push(*around.globalBase + operand(0) - around.executable.globalFileAddress()), true;
  case dwarf::DW_OP_const1u:
  case dwarf::DW_OP_const1s:
  case dwarf::DW_OP_const2u:
  case dwarf::DW_OP_const2s:
  case dwarf::DW_OP_const4u:
  case dwarf::DW_OP_const4s:
  case dwarf::DW_OP_const8u:
  case dwarf::DW_OP_const8s:
  case dwarf::DW_OP_constu:
  case dwarf::DW_OP_consts:
    return push(operand(0)), true;
  case dwarf::DW_OP_fbreg:
    if (std::optional<u64> base = frameBase())
      return push(u32(*base + operand(0))), true;
    return false;
  case dwarf::DW_OP_dup:
    return stack.empty() ? false : (push(stack.back()), true);
  case dwarf::DW_OP_drop:
    return pop(a);
  case dwarf::DW_OP_over:
    return stack.size() < 2 ? false : (push(stack[stack.size() - 2]), true);
  case dwarf::DW_OP_pick:
    return stack.size() <= operand(0) ? false : (push(stack[stack.size() - 1 - operand(0)]), true);
  case dwarf::DW_OP_swap:
    return pop(a) && pop(b) ? (push(a), push(b), true) : false;
  case dwarf::DW_OP_plus_uconst:
    made.reset();
    return pop(a) ? (push(a + operand(0)), true) : false;
  case dwarf::DW_OP_deref:
  case dwarf::DW_OP_deref_size: {
    if (!pop(a))
      return false;
    uint8_t bytes[8] = {};
    u64 count = code == dwarf::DW_OP_deref ? 8 : std::min<u64>(8, operand(0));
    auto [space, address] = a >> 32 ? mapGeneric(a) : std::pair(MemorySpace::Local, a);
    if (Error error = around.context.read(space, 0, address, lane, MutableArrayRef(bytes, count))) {
      consumeError(std::move(error));
      return false;
    }
    return push(support::endian::read64le(bytes)), true;
  }
  case dwarf::DW_OP_xderef:
    return xderef();
  case dwarf::DW_OP_stack_value:
    return isValue = true;
  case dwarf::DW_OP_piece:
    return finishPiece(operand(0)), true;
  case dwarf::DW_OP_nop:
    return true;
  default:
    return arithmetic(code);
  }
}

std::optional<std::vector<Piece>> Machine::run(ArrayRef<uint8_t> bytes, u64 size) {
  DataExtractor data(toStringRef(bytes), /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DWARFExpression expression(data, /*AddressSize=*/8);
  bool any = false;
  for (const Operation &op : expression) {
    // Its bytes stand in the expression itself.
    if (op.isError())
      return std::nullopt;
    if (op.getCode() == dwarf::DW_OP_implicit_value) {
      u64 count = std::min<u64>(op.getRawOperand(0), bytes.size());
      made = Piece{.kind = Piece::Bytes, .size = count};
      made->bytes.assign(bytes.begin() + ptrdiff_t(op.getEndOffset() - count),
                         bytes.begin() + ptrdiff_t(op.getEndOffset()));
    } else if (!step(op))
      return std::nullopt;
    any = true;
  }
  if (pieces.empty() && any)
    finishPiece(size);
  if (pieces.empty())
    return std::nullopt;
  return std::move(pieces);
}

} // namespace

static const Location *locationAt(const Variable &variable, u64 pc) {
  for (const Location &location : variable.locations)
    if ((!location.from && !location.to) || (pc >= location.from && pc < location.to))
      return &location;
  return nullptr;
}

/// A variable in shared memory has no place in DWARF: the kernels that use it say where it is.
static const SharedVariable *sharedVariable(const Variable &variable, const KernelInfo &kernel) {
  for (const SharedVariable &shared : kernel.shared)
    if (shared.name == variable.name ||
        (variable.scope && shared.name == variable.scope->function().name + "." + variable.name))
      return &shared;
  return nullptr;
}

Object place(const Variable &variable, const LaneFrame &frame, unsigned lane, const Surroundings &around) {
  Object object{.type = variable.type, .lane = lane};
  u64 size = variable.type->size;
  const Location *location = locationAt(variable, frame.pc);
  // Its argument is put there first.
  bool isInFrame = location && !location->expression.empty() && location->expression[0] == dwarf::DW_OP_fbreg;
  if (isInFrame && variable.isParameter && variable.scope && frame.isInnermost &&
      frame.pc < variable.scope->code().bodyBegins) {
    const Scope &function = variable.scope->code();
    for (const KernelParam &param : around.kernel.params)
      if (function.isKernel && param.name == variable.name) {
        object.pieces = {
            {.kind = Piece::Memory, .size = size, .space = MemorySpace::Constant, .address = param.offset}};
        return object;
      }
    object.absent = "<not stored yet>";
    return object;
  }
  if (location) {
    std::optional<std::vector<Piece>> pieces =
        Machine(variable, frame, lane, around).run(location->expression, size);
    if (pieces)
      object.pieces = std::move(*pieces);
  } else if (variable.constant) {
    object.pieces = objectOf({ValueType::U64, *variable.constant}, *variable.type, lane).pieces;
  } else if (const SharedVariable *shared = variable.locations.empty() ? sharedVariable(variable, around.kernel)
                                                                       : nullptr) {
    object.pieces = {{.kind = Piece::Memory, .size = size, .space = MemorySpace::Shared, .address = shared->offset}};
  }
  bool isWhole = !object.pieces.empty() && llvm::none_of(object.pieces, [](const Piece &piece) {
    return piece.kind == Piece::Absent;
  });
  // Of a structure its parts may be there.
  if (!isWhole && (variable.type->isScalar() || object.pieces.empty() ||
                   llvm::all_of(object.pieces, [](const Piece &p) { return p.kind == Piece::Absent; })))
    object.absent = "<optimized out>";
  return object;
}

} // namespace leno::dbg::source

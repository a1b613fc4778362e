#include "dbg/source/Frame.h"
#include "asm/Decoder.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace leno::dbg::source {

static constexpr unsigned stackPointerNumber = 1, firstKept = 16, lastKept = 31;

Piece LaneFrame::place(unsigned number) const {
  Piece piece{.kind = Piece::Register, .size = 4, .number = number};
  if (isInnermost || number == 255)
    return piece;
  if (number == stackPointerNumber && stackPointer) {
    piece = {.kind = Piece::Bytes, .size = 4};
    for (unsigned i = 0; i < 4; ++i)
      piece.bytes.push_back(uint8_t(*stackPointer >> 8 * i));
    return piece;
  }
  if (auto kept = saved.find(number); kept != saved.end())
    return {.kind = Piece::Memory, .size = 4, .space = MemorySpace::Local, .address = kept->second};
  return number >= firstKept && number <= lastKept ? piece : Piece{.kind = Piece::Absent, .size = 4};
}

//===--- What a function does first ---------------------------------------===//

namespace {

/// The text of an instruction in parts: "STL.64", "[R1+0x10]", "R16".
struct Words {
  SmallVector<StringRef, 4> all;
  bool isGuarded = false;
  explicit Words(StringRef text) {
    text = text.trim();
    if (text.starts_with("@")) {
      isGuarded = true;
      text = text.drop_while([](char c) { return c != ' ' && c != '\t'; }).ltrim();
    }
    SplitString(text, all, " \t,;");
  }
  StringRef name() const { return all.empty() ? "" : all[0].split('.').first; }
};

bool isFlow(StringRef name) {
  static constexpr StringLiteral names[] = {"BRA", "BRX", "CAL", "JCAL", "JMX", "JMP", "EXIT", "SYNC",
                                            "BRK", "CONT", "RET", "KIL"};
  return is_contained(names, name);
}

/// What `IADD R1, R1, ...` adds.
std::optional<s64> addedToStackPointer(const Words &words, const std::optional<s64> &scratch) {
  if (words.name() != "IADD" || words.all.size() != 4 || words.all[1] != "R1" || words.all[2] != "R1")
    return std::nullopt;
  s64 number;
  if (words.all[3] == "R3")
    return scratch;
  return words.all[3].getAsInteger(0, number) ? std::nullopt : std::optional(number);
}

/// "[R1+0x10]"
std::optional<s64> offsetFromStackPointer(StringRef text) {
  if (!text.consume_front("[R1") || !text.consume_back("]"))
    return std::nullopt;
  s64 number = 0;
  text.consume_front("+");
  return !text.empty() && text.getAsInteger(0, number) ? std::nullopt : std::optional(number);
}

} // namespace

Prologue prologueOf(const Executable &program, u64 begin, u64 pc) {
  Decoder decoder;
  Prologue found;
  ArrayRef<u64> code = program.code();
  std::optional<s64> scratch;
  std::vector<bool> written(256);
  u64 address = begin;
  for (; address < pc && address / 8 < code.size(); address += 8) {
    std::string text = decoder.print(code[address / 8]);
    Words words(text);
    if (isFlow(words.name()) && !(words.isGuarded && words.name() == "RET"))
      break;
    if (std::optional<s64> added = addedToStackPointer(words, scratch)) {
      found.pushed = u64(s64(found.pushed) - *added);
      continue;
    }
    if (words.name() == "MOV32I" && words.all.size() == 3 && words.all[1] == "R3") {
      s64 number;
      scratch = words.all[2].getAsInteger(0, number) ? std::nullopt : std::optional(s64(int32_t(number)));
    }
    if (words.name() == "STL" && words.all.size() == 3)
      if (std::optional<s64> offset = offsetFromStackPointer(words.all[1])) {
        unsigned first, count = words.all[0].contains(".128") ? 4 : words.all[0].contains(".64") ? 2 : 1;
        StringRef name = words.all[2];
        if (name.consume_front("R") && !name.getAsInteger(10, first))
          for (unsigned i = 0; i < count; ++i)
            if (first + i >= firstKept && first + i <= lastKept && !written[first + i])
              found.saved.try_emplace(first + i, *offset + 4 * i - s64(found.pushed));
      }
    MCInst inst;
    if (decoder.decode(code[address / 8], inst)) {
      Effects effects = decoder.effectsOf(inst);
      for (unsigned number = firstKept; number <= lastKept; ++number)
        written[number] = written[number] || effects.touches(number, /*writes=*/true);
    }
  }
  // At its end the function gives its frame back before it returns.
  if (!found.pushed)
    return found;
  for (u64 next = pc; next / 8 < code.size(); next += 8) {
    std::string text = decoder.print(code[next / 8]);
    Words words(text);
    if (addedToStackPointer(words, s64(0)))
      break;
    if (words.name() == "RET" && !words.isGuarded)
      found.pushed = 0;
    if (isFlow(words.name()))
      break;
  }
  return found;
}

//===--- Lanes ------------------------------------------------------------===//

/// Where the code of a function begins that an address is in.
static u64 beginOf(const Executable &program, const Program *source, u64 pc) {
  if (const Scope *scope = source ? source->scopeAt(pc) : nullptr)
    return scope->code().ranges.front().first;
  u64 begin = 0;
  for (const Symbol &symbol : program.symbols())
    if (symbol.isFunction && symbol.address <= pc)
      begin = std::max(begin, symbol.address);
  return begin;
}

Expected<LaneFrame> laneFrame(const Warp &warp, const LaneContext &context, const Executable &program,
                              const Program *source, unsigned lane, size_t level) {
  const DivergenceStack &stack = warp.divergence();
  std::vector<size_t> calls; // the entries of calls, the innermost first
  for (size_t i = stack.depth(); i-- > 0;)
    if (stack.at(i).type == TokenType::Call)
      calls.push_back(i);
  std::vector<CallFrame> frames = callFrames(warp);
  LaneMask bit = LaneMask(1) << lane;
  LaneFrame frame;
  // Where the lane itself stands: with the others, or at the entry that it waits for.
  size_t own = 0;
  frame.pc = warp.pcBytes();
  if (!(warp.active & bit)) {
    std::vector<LaneMask> waiting = lanesWaitingFor(warp);
    size_t entry = stack.depth();
    while (entry > 0 && !(waiting[entry - 1] & bit))
      --entry;
    if (entry == 0)
      return createStringError("lane " + Twine(lane) + " does not run");
    --entry;
    frame.pc = u64(stack.at(entry).pc) * 8;
    own = size_t(llvm::count_if(calls, [&](size_t call) { return call >= entry; }));
  }
  if (level < own)
    return createStringError("lane " + Twine(lane) + " has returned from here");
  std::optional<u32> stackPointer;
  for (size_t now = own; now < level; ++now) {
    Expected<u32> current = stackPointer ? Expected<u32>(*stackPointer) : context.readRegister(stackPointerNumber, lane);
    if (!current)
      return current.takeError();
    Prologue prologue = prologueOf(program, beginOf(program, source, frame.pc), frame.pc);
    stackPointer = u32(*current + prologue.pushed);
    for (auto [number, offset] : prologue.saved)
      frame.saved[number] = u32(*stackPointer + offset);
    frame.isInnermost = false;
    frame.pc = frames[now + 1].at;
  }
  frame.stackPointer = stackPointer;
  return frame;
}

const Scope *scopeOf(ArrayRef<CallFrame> frames, size_t number, const Program &program) {
  if (number >= frames.size())
    return nullptr;
  const Scope *scope = program.scopeAt(frames[number].at);
  for (size_t i = number; i > 0 && frames[i - 1].level == frames[number].level && scope; --i)
    scope = scope->function().outer;
  return scope;
}

} // namespace leno::dbg::source

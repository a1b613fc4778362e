#include "StructuredProgram.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace leno;
using namespace leno::test;
using llvm::formatv;

//===--- Generator --------------------------------------------------------===//

namespace {

class Generator {
public:
  Generator(u32 seed, unsigned depth) : random(seed), depth(depth), most(depth > 1 ? 3 : 2) {}

  StructuredProgram program() {
    StructuredProgram result;
    result.threads = 32 + random() % 40; // the last warp is partial
    functionCount = 1 + random() % (depth > 1 ? 4 : 2);
    for (current = 0; current < functionCount; ++current)
      result.functions.push_back(block(current == 0 ? depth : std::max(depth, 2u) - 1, {}));
    return result;
  }

private:
  struct Inside {
    bool canBreak = false, canContinue = false;
    unsigned loops = 0;
  };
  Block block(unsigned depth, Inside inside) {
    Block result;
    for (unsigned n = 1 + random() % most; n--;)
      result.push_back(statement(depth, inside));
    return result;
  }
  Statement statement(unsigned depth, Inside inside) {
    Statement s{Statement::Mix, u32(random()), 0, {}};
    unsigned pick = random() % 24;
    if (depth == 0 || pick < 11)
      return leaf(s, pick % 11, inside);
    unsigned bodies = 1;
    if (pick < 16)
      s.kind = Statement::If, bodies = 2;
    else if (pick < 17)
      s.kind = Statement::Switch, bodies = 4;
    else if (pick < 21 && inside.loops < 3)
      s.kind = Statement::Loop;
    else if (current + 1 < functionCount && pick < 23) {
      s.kind = Statement::Call;
      s.function = current + 1 + random() % (functionCount - current - 1);
      return s;
    } else if (current > 0) {
      s.kind = Statement::Recurse;
      return s;
    } else
      s.kind = Statement::If, bodies = 2;
    if (s.kind == Statement::Loop)
      inside = {s.hasBreak(), s.hasContinue(), inside.loops + 1};
    for (unsigned i = 0; i < bodies; ++i)
      s.bodies.push_back(block(depth - 1, inside));
    return s;
  }
  Statement leaf(Statement s, unsigned pick, Inside inside) {
    if (pick == 0 && inside.canContinue)
      s.kind = Statement::Continue;
    else if (pick <= 1 && inside.canBreak)
      s.kind = Statement::Break;
    else if (pick == 2 && current > 0)
      s.kind = Statement::Return;
    else if (pick == 3 && s.value % 4 == 0)
      s.kind = Statement::Exit;
    else if (pick <= 5)
      s.kind = Statement::Guarded;
    else if (pick == 6)
      s.kind = Statement::Load;
    else if (pick == 7)
      s.kind = Statement::Store;
    return s;
  }
  std::mt19937 random;
  const unsigned depth; ///< of statements in the kernel
  const unsigned most;  ///< of a block
  unsigned functionCount = 1, current = 0;
};

u32 nextBits(u32 bits) { return bits * 1664525 + 1013904223; }
u32 small(u32 value) { return value >> 8 & 0xffff; }
u32 firstBits(u32 thread, u32 seed) { return thread * 0x9e3779b9 + seed * 77; }
/// Few programs recurse deeply: such a lane may call a function with loops as often.
u32 mostFuel(u32 seed) { return seed % 5 == 0 ? 63 : 7; }
u32 firstFuel(u32 thread, u32 seed) { return firstBits(thread, seed) >> 20 & mostFuel(seed); }
/// Loops of a pre-break turn as often for all lanes, unless they break; the others as often as their bits
/// say.
constexpr unsigned loopTurns = 3;

/// What a condition looks at.
enum class Look { Bits, Lane, Memory, Sum };
Look lookOf(u32 value) { return Look(value >> 6 & 3); }
unsigned bitOf(u32 value) { return 8 + value % 24; }
unsigned slotOf(u32 value) { return value >> 12 & (memoryWords - 1); }

} // namespace

StructuredProgram StructuredProgram::random(u32 seed, unsigned depth) {
  StructuredProgram program = Generator(seed, depth).program();
  program.seed = seed;
  return program;
}

static size_t count(const Block &block) {
  size_t sum = block.size();
  for (const Statement &s : block)
    for (const Block &body : s.bodies)
      sum += count(body);
  return sum;
}

size_t StructuredProgram::statements() const {
  size_t sum = 0;
  for (const Block &function : functions)
    sum += count(function);
  return sum;
}

std::vector<u32> StructuredProgram::table() const {
  std::mt19937 random(seed + 1);
  std::vector<u32> words(tableWords);
  for (u32 &word : words)
    word = u32(random());
  return words;
}

//===--- One lane by itself -----------------------------------------------===//

namespace {

class Lane {
public:
  Lane(const StructuredProgram &program, u32 thread)
      : program(program), table(program.table()), thread(thread), bits(firstBits(thread, program.seed)),
        fuel(firstFuel(thread, program.seed)) {}

  LaneResult run() {
    call(0);
    LaneResult result{sum, bits, fuel, 0};
    std::copy(memory.begin(), memory.end(), result.begin() + firstMemoryWord);
    return result;
  }

private:
  enum Flow { Next, Broke, Continued, Returned, Exited };

  bool decide(u32 value) {
    bits = nextBits(bits);
    switch (lookOf(value)) {
    case Look::Bits:
      return bits >> bitOf(value) & 1;
    case Look::Lane:
      return thread >> (value % 6) & 1;
    case Look::Memory:
      return memory[slotOf(value)] >> (value % 3) & 1;
    case Look::Sum:
      return sum >> (value % 8) & 1;
    }
    return false;
  }
  Flow call(unsigned function) {
    return run(program.functions[function], function) == Exited ? Exited : Next;
  }
  Flow run(const Block &block, unsigned function) {
    for (const Statement &s : block)
      if (Flow flow = run(s, function); flow != Next)
        return flow;
    return Next;
  }
  Flow loop(const Statement &s, unsigned function) {
    for (unsigned i = 0;; ++i) {
      Flow flow = run(s.bodies[0], function);
      if (flow == Broke)
        return Next;
      if (flow == Returned || flow == Exited)
        return flow;
      if (i + 1 >= loopTurns || (!s.hasBreak() && !decide(s.value)))
        return Next;
    }
  }
  Flow run(const Statement &s, unsigned function) {
    switch (s.kind) {
    case Statement::Mix:
      sum = s.value % 3 == 0 ? sum * 5 + small(s.value) : s.value % 3 == 1 ? (sum ^ sum << 7) : sum + bits;
      return Next;
    case Statement::Guarded:
      sum = decide(s.value) ? sum + small(s.value) : sum ^ thread;
      return Next;
    case Statement::Load:
      bits = nextBits(bits);
      sum ^= s.value % 2 ? table[bits >> 26] : memory[slotOf(s.value)];
      return Next;
    case Statement::Store:
      memory[slotOf(s.value)] = sum;
      return Next;
    case Statement::If:
      return run(s.bodies[decide(s.value) ? 0 : 1], function);
    case Statement::Switch: {
      unsigned high = decide(s.value), low = decide(s.value * 5 + 1);
      return run(s.bodies[high * 2 + low], function);
    }
    case Statement::Loop:
      return loop(s, function);
    case Statement::Break:
      return s.value % 5 == 0 || decide(s.value) ? Broke : Next;
    case Statement::Continue:
      return s.value % 5 == 0 || decide(s.value) ? Continued : Next;
    case Statement::Call:
      return call(s.function);
    case Statement::Recurse:
      if (fuel == 0)
        return Next;
      --fuel;
      return call(function);
    case Statement::Return:
      return s.value % 5 == 0 || decide(s.value) ? Returned : Next;
    case Statement::Exit:
      return decide(s.value) ? Exited : Next;
    case Statement::count:
      break;
    }
    return Next;
  }

  const StructuredProgram &program;
  const std::vector<u32> table;
  u32 thread, sum = 0, bits, fuel;
  std::array<u32, memoryWords> memory{};
};

} // namespace

LaneResult leno::test::runAlone(const StructuredProgram &program, u32 thread) {
  return Lane(program, thread).run();
}

//===--- Assembly ---------------------------------------------------------===//

namespace {

/// R0 thread, R1 sum, R2 bits, R3 fuel, R4 the table, R5 the lane's words, R6 and R7 the generator's
/// constants, R8, R9, R11 and R12 scratch, R10 where the next caller's counters go, R20 on the loop counters
/// of this function.
class Emitter {
public:
  Emitter(const StructuredProgram &program, bool isOfGrid) : program(program), isOfGrid(isOfGrid) {}

  std::string text() {
    out = "        .kernel test\n        .param  ptr table\n        .param  ptr out\n";
    prologue();
    for (unsigned i = 0; i < program.functions.size(); ++i) {
      function = i;
      counters = 0;
      if (i > 0)
        place(formatv("f{0}", i));
      block(program.functions[i]);
      i == 0 ? leave("", "EXIT") : line("RET");
    }
    return out + "        .endkernel\n";
  }

private:
  template <class... T> void line(const char *format, T &&...values) {
    out += "        " + formatv(false, format, values...).str() + ";\n";
  }
  void place(const std::string &label) { out += label + ":\n"; }
  std::string label() { return formatv("L{0}", labels++); }

  void prologue() {
    line("S2R R0, SR_TID.X");
    if (isOfGrid) {
      line("S2R R5, SR_CTAID.X");
      line("IMAD R0, R5, c[0][0], R0"); // the CTA's threads
    }
    line("IMUL R5, R0, {0}", laneWords * 4);
    line("IADD R5, R5, c[0][out]");
    line("MOV R4, c[0][table]");
    line("MOV32I R6, 1013904223");
    line("MOV32I R7, 1664525");
    line("MOV32I R8, {0}", 0x9e3779b9u);
    line("MOV32I R9, {0}", program.seed * 77);
    line("IMAD R2, R0, R8, R9");
    line("SHR.u32 R3, R2, 20");
    line("LOP.and R3, R3, {0}", mostFuel(program.seed));
    line("IADD R10, R5, {0}", resultWords * 4);
  }

  /// Ends the lanes for which `guard` holds.
  void leave(const std::string &guard, const char *how) {
    for (unsigned i = 0; i < 3; ++i)
      line("{0}STG [R5+{1}], R{2}", guard, i * 4, i + 1);
    line("{0}{1}", guard, how);
  }

  /// Predicate `p` = the condition; R8 too, as 0 or 1.
  void decide(u32 value, unsigned p = 0) {
    line("IMAD R2, R2, R7, R6");
    switch (lookOf(value)) {
    case Look::Bits:
      line("SHR.u32 R8, R2, {0}", bitOf(value));
      break;
    case Look::Lane:
      line("SHR.u32 R8, R0, {0}", value % 6);
      break;
    case Look::Memory:
      line("LDG R8, [R5+{0}]", (firstMemoryWord + slotOf(value)) * 4);
      line("SHR.u32 R8, R8, {0}", value % 3);
      break;
    case Look::Sum:
      line("SHR.u32 R8, R1, {0}", value % 8);
      break;
    }
    line("LOP.and R8, R8, 1");
    line("ISETP.ne P{0}, R8, RZ", p);
  }

  void block(const Block &statements) {
    for (const Statement &s : statements)
      statement(s);
  }
  /// An arm of an if or a switch: its last instruction joins, by .S where a plain one stands there.
  void arm(const Block &statements) {
    size_t before = out.size();
    block(statements);
    size_t last = out.rfind("        ", out.size() - 2);
    bool plain = !statements.empty() && statements.back().kind == Statement::Mix &&
                 last != std::string::npos && last >= before && statements.back().value % 2;
    if (plain)
      out.insert(out.find(' ', last + 8), ".S");
    else
      line("SYNC");
  }
  /// After decide: to `target` where the condition does not hold. A guard tells, or the flags, or both.
  void branchAround(u32 value, unsigned predicate, const std::string &target, const std::string &join) {
    unsigned how = value >> 9 & 3;
    std::string guard = how == 1 ? "" : formatv("@!P{0} ", predicate).str();
    const char *test = how == 0 || how == 3 ? "" : value >> 11 & 1 ? "CC.ne, " : "CC.lt, ";
    if (*test)
      line("IADD.CC RZ, R8, -1"); // 1 - 1 is zero, 0 - 1 less
    if (value % 2)                // half of the joins are pushed by the branch itself
      return line("{0}BRA.SSY {1}{2}, {3}", guard, test, target, join);
    line("SSY {0}", join);
    line("{0}BRA {1}{2}", guard, test, target);
  }

  void mix(u32 value) {
    switch (value % 3) {
    case 0:
      line("MOV32I R8, {0}", small(value));
      return line("IMAD R1, R1, 5, R8");
    case 1:
      line("SHL R8, R1, 7");
      return line("LOP.xor R1, R1, R8");
    default:
      return line("IADD R1, R1, R2");
    }
  }
  void ifElse(const Statement &s) {
    unsigned p = s.value % 7;
    std::string otherwise = label(), join = label();
    decide(s.value, p);
    branchAround(s.value, p, otherwise, join);
    arm(s.bodies[0]);
    place(otherwise);
    arm(s.bodies[1]);
    place(join);
  }
  /// To one of four branches: R11 is two conditions' number.
  void jumpByTable(u32 value, const std::string (&ways)[4]) {
    std::string table = label();
    line("SHL R11, R11, 3");
    std::string guard;
    if (value >> 10 & 1) { // who has number 0 need not jump: its branch is the next instruction
      line("ISETP.ne P3, R11, RZ");
      guard = "@P3 ";
    }
    if (value >> 11 & 1)
      line("{0}BRX R11, {1}", guard, table);
    else {
      line("MOV32I R12, {0}", table);
      line("IADD R11, R11, R12");
      line("{0}JMX R11", guard);
    }
    place(table);
    for (const std::string &way : ways)
      line(value >> 12 & 1 ? "BRA {0}" : "JMP {0}", way);
  }
  void fourWays(const Statement &s) {
    std::string ways[4] = {label(), label(), label(), label()}, join = label();
    decide(s.value, 1);
    line("SHL R11, R8, 1");
    decide(s.value * 5 + 1, 2);
    line("IADD R11, R11, R8");
    line("SSY {0}", join);
    if (s.value >> 9 & 1) {
      jumpByTable(s.value, ways);
    } else {
      line("PSETP.and.and P3, PT, P1, P2, PT");
      line("PSETP.and.and P4, PT, P1, !P2, PT");
      line("PSETP.and.and P5, PT, !P1, P2, PT");
      line("@P3 BRA {0}", ways[3]);
      line("@P4 BRA {0}", ways[2]);
      line("@P5 BRA {0}", ways[1]);
    }
    for (unsigned i = 0; i < 4; ++i) {
      place(ways[i]);
      arm(s.bodies[i]);
    }
    place(join);
  }
  void loop(const Statement &s) {
    unsigned counter = 20 + counters++;
    line("MOV R{0}, RZ", counter);
    std::string head = label(), turnEnds = label(), done = label();
    line(s.hasBreak() ? "PBK {0}" : "SSY {0}", done);
    place(head);
    if (s.hasContinue())
      line("PCNT {0}", turnEnds);
    block(s.bodies[0]);
    if (s.hasContinue())
      line("CONT");
    place(turnEnds);
    line("IADD R{0}, R{0}, 1", counter);
    line("ISETP.lt P6, R{0}, {1}", counter, loopTurns);
    if (s.hasBreak()) {
      line("@!P6 BRK");
      line("BRA {0}", head);
    } else {
      // Lanes that have turned often enough decide nothing more.
      std::string last = label();
      line("SSY {0}", last);
      line("@!P6 BRA {0}", last + "out");
      decide(s.value, 5);
      line("PSETP.and.and P6, PT, P5, PT, PT");
      line("SYNC");
      place(last + "out");
      line("SYNC");
      place(last);
      line("@P6 BRA {0}", head);
      line("SYNC");
    }
    place(done);
    --counters;
  }
  /// The counters of this function's loops are its own: they are kept in the lane's memory meanwhile.
  void call(unsigned target, bool absolute = false) {
    for (unsigned i = 0; i < counters; ++i)
      line("STG [R10+{0}], R{1}", i * 4, 20 + i);
    if (counters)
      line("IADD R10, R10, {0}", counters * 4);
    line(absolute ? "JCAL f{0}" : "CAL f{0}", target);
    if (counters)
      line("IADD R10, R10, -{0}", counters * 4);
    for (unsigned i = 0; i < counters; ++i)
      line("LDG R{1}, [R10+{0}]", i * 4, 20 + i);
  }
  void recurse() {
    std::string none = label(), join = label();
    line("ISETP.eq P0, R3, RZ");
    line("@P0 BRA.SSY {0}, {1}", none, join);
    line("IADD R3, R3, -1");
    call(function);
    line("SYNC");
    place(none);
    line("SYNC");
    place(join);
  }
  /// BRK, CONT or RET, of all lanes here or of some.
  void leaveBy(const char *mnemonic, u32 value) {
    if (value % 5 == 0)
      return line("{0}", mnemonic);
    decide(value, value % 7);
    line("@P{0} {1}", value % 7, mnemonic);
  }
  void statement(const Statement &s) {
    unsigned own = (firstMemoryWord + slotOf(s.value)) * 4;
    switch (s.kind) {
    case Statement::Mix:
      return mix(s.value);
    case Statement::Guarded:
      decide(s.value, s.value % 7);
      line("@P{0} IADD R1, R1, {1}", s.value % 7, small(s.value));
      return line("@!P{0} LOP.xor R1, R1, R0", s.value % 7);
    case Statement::Load:
      line("IMAD R2, R2, R7, R6");
      if (s.value % 2) {
        line("SHR.u32 R8, R2, 26");
        line("SHL R8, R8, 2");
        line("IADD R8, R8, R4");
        line("LDG R8, [R8]");
      } else
        line("LDG R8, [R5+{0}]", own);
      return line("LOP.xor R1, R1, R8");
    case Statement::Store:
      return line("STG [R5+{0}], R1", own);
    case Statement::If:
      return ifElse(s);
    case Statement::Switch:
      return fourWays(s);
    case Statement::Loop:
      return loop(s);
    case Statement::Break:
      return leaveBy("BRK", s.value);
    case Statement::Continue:
      return leaveBy("CONT", s.value);
    case Statement::Call:
      return call(s.function, s.value % 2);
    case Statement::Recurse:
      return recurse();
    case Statement::Return:
      return leaveBy("RET", s.value);
    case Statement::Exit:
      decide(s.value, s.value % 7);
      return leave(formatv("@P{0} ", s.value % 7), s.value >> 9 & 1 ? "KIL" : "EXIT");
    case Statement::count:
      break;
    }
  }

  const StructuredProgram &program;
  const bool isOfGrid;
  std::string out;
  unsigned labels = 0, counters = 0, function = 0;
};

} // namespace

std::string StructuredProgram::assembly(bool isOfGrid) const { return Emitter(*this, isOfGrid).text(); }

//===--- Shrinking --------------------------------------------------------===//

namespace {

/// Every place in a program that holds a statement, one after the other.
template <class F> bool eachStatement(Block &block, const F &visit) {
  for (size_t i = 0; i < block.size(); ++i) {
    if (visit(block, i))
      return true;
    for (Block &body : block[i].bodies)
      if (eachStatement(body, visit))
        return true;
  }
  return false;
}

/// Whether a break or continue in it leaves the loop that it stands in.
bool leavesLoop(const Block &block) {
  for (const Statement &s : block) {
    if (s.kind == Statement::Break || s.kind == Statement::Continue)
      return true;
    for (const Block &body : s.bodies)
      if (s.kind != Statement::Loop && leavesLoop(body))
        return true;
  }
  return false;
}

/// Leaves out statement number `which`, or (with `keepBody`) puts one of its bodies into its place. False:
/// there is no such change; breaks and continues keep their loop.
bool change(StructuredProgram &program, size_t which, int keepBody) {
  for (Block &function : program.functions) {
    bool possible = false;
    bool found = eachStatement(function, [&](Block &block, size_t i) {
      if (which-- > 0)
        return false;
      Statement s = block[i];
      possible = keepBody < 0 || (size_t(keepBody) < s.bodies.size() &&
                                  (s.kind != Statement::Loop || !leavesLoop(s.bodies[size_t(keepBody)])));
      if (possible) {
        block.erase(block.begin() + long(i));
        if (keepBody >= 0)
          block.insert(block.begin() + long(i), s.bodies[size_t(keepBody)].begin(),
                       s.bodies[size_t(keepBody)].end());
      }
      return true;
    });
    if (found)
      return possible;
  }
  return false;
}

} // namespace

StructuredProgram leno::test::shrink(StructuredProgram program,
                                     const std::function<bool(const StructuredProgram &)> &fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (size_t which = 0; which < program.statements(); ++which)
      for (int keepBody = -1; keepBody < 4; ++keepBody) {
        StructuredProgram candidate = program;
        if (!change(candidate, which, keepBody) || !fails(candidate))
          continue;
        program = std::move(candidate);
        smaller = true;
        keepBody = -2; // the next one has this number now
      }
  }
  return program;
}

#include "Harness.h"
#include "test/unit/Effort.h"

// Random structured programs on the machine against one lane at a time.
using namespace leno;
using namespace leno::test;

namespace {

/// A statement of a little structured language; every lane runs it by itself in the model, all together on
/// the machine. State: R1 an accumulator, R2 a stream of pseudo-random bits of the lane, R3.. loop counters.
struct Statement {
  enum Kind { Mix, If, Loop, Break, Continue, Call, Return, Exit } kind;
  u32 value = 0; ///< Mix: the constant; otherwise which bit of R2 decides
  std::vector<Statement> body, other;
};

/// What a statement may leave: half of the loops have a pre-continue, the others do without.
enum Inside { NoLoop, PlainLoop, ContinuedLoop };
constexpr Inside insideOf(const u32 loopValue) { return loopValue % 2 ? ContinuedLoop : PlainLoop; }

class Generator {
public:
  explicit Generator(u32 seed) : random(seed) {}

  std::vector<Statement> block(unsigned depth, Inside inLoop, bool inCall) {
    std::vector<Statement> result;
    for (unsigned n = 1 + random() % 3; n--;)
      result.push_back(statement(depth, inLoop, inCall));
    return result;
  }

private:
  Statement statement(unsigned depth, Inside inLoop, bool inCall) {
    u32 value = u32(random());
    unsigned pick = random() % 16;
    if (pick < 5 || depth == 0)
      return leaf(pick, value, inLoop, inCall);
    if (pick < 10)
      return {Statement::If, value, block(depth - 1, inLoop, inCall), block(depth - 1, inLoop, inCall)};
    if (pick < 13)
      return {Statement::Loop, value, block(depth - 1, insideOf(value), inCall), {}};
    if (pick < 15)
      return {Statement::Call, value, block(depth - 1, NoLoop, true), {}};
    return leaf(pick, value, inLoop, inCall);
  }
  Statement leaf(unsigned pick, u32 value, Inside inLoop, bool inCall) {
    if (pick == 0 && inLoop == ContinuedLoop)
      return {Statement::Continue, value, {}, {}};
    if (pick == 1 && inLoop)
      return {Statement::Break, value, {}, {}};
    if (pick == 2 && inCall)
      return {Statement::Return, value, {}, {}};
    if (pick == 3 && value % 4 == 0)
      return {Statement::Exit, value, {}, {}};
    return {Statement::Mix, value, {}, {}};
  }
  std::mt19937 random;
};

constexpr unsigned loopTurns = 3;
u32 nextBits(u32 bits) { return bits * 1664525 + 1013904223; }

/// One lane, run by plain recursion.
struct Lane {
  enum Flow { Next, Broke, Continued, Returned, Exited };
  u32 sum, bits;
  bool decide(u32 value) {
    bits = nextBits(bits);
    return bits >> (8 + value % 24) & 1;
  }
  Flow run(const std::vector<Statement> &block) {
    for (const Statement &s : block)
      if (Flow flow = run(s); flow != Next)
        return flow;
    return Next;
  }
  Flow run(const Statement &s) {
    switch (s.kind) {
    case Statement::Mix:
      sum = sum * 5 + s.value;
      return Next;
    case Statement::If:
      return run(decide(s.value) ? s.body : s.other);
    case Statement::Loop:
      for (unsigned i = 0; i < loopTurns; ++i)
        if (Flow flow = run(s.body); flow != Next && flow != Continued) {
          if (flow == Broke)
            break;
          return flow;
        }
      return Next;
    case Statement::Break:
      return decide(s.value) ? Broke : Next;
    case Statement::Continue:
      return decide(s.value) ? Continued : Next;
    case Statement::Call: {
      Flow flow = run(s.body);
      return flow == Exited ? Exited : Next;
    }
    case Statement::Return:
      return decide(s.value) ? Returned : Next;
    case Statement::Exit:
      return decide(s.value) ? Exited : Next;
    }
    return Next;
  }
};

/// Emits code in two passes: the first with wrong targets, to learn the labels. R1's value is stored to R5's
/// address before every exit.
class Emitter {
public:
  Code emit(const std::vector<Statement> &program) {
    std::vector<size_t> learned; // where the labels of the pass before stand
    for (int pass = 0; pass < 2; ++pass) {
      code = Code();
      labels = learned;
      learned.clear();
      next.clear();
      functions.clear();
      depth = 0;
      prologue();
      block(program);
      finish();
      // Functions come after the main program; calls among them append more.
      for (size_t i = 0; i < functions.size(); ++i) {
        depth = functions[i].depth;
        place(functions[i].label);
        block(*functions[i].body);
        code.ret();
      }
      learned = next;
    }
    code.done();
    return std::move(code);
  }

private:
  size_t label() {
    next.push_back(0);
    return next.size() - 1;
  }
  void place(size_t which) { next[which] = code.here(); }
  size_t at(size_t which) { return which < labels.size() ? labels[which] : 0; }

  void prologue() {
    code.s2r(0, isa::SpecialRegister::TID_X).shlImm(5, 0, 2).param(4, 0).iadd(5, 5, 4).param(4, 4);
    code.mov(1, 0).mov(6, 1013904223); // R6: the generator's increment
    isa::IMULMods mul;                 // R2 = seed + tid * 0x9e3779b9
    code.op<sem::IMUL>(
        mul, [](OpBuilder &b) { b.dst(Slot::D, 2), b.src(Slot::A, 0), b.imm(Slot::B, 0x9e3779b9); });
    code.iadd(2, 2, 4);
  }
  void finish() { code.stg(5, 0, 1).exit(); }
  /// P0 = the lane's next bit.
  void decide(u32 value) {
    code.op<sem::IMAD>(isa::IMADMods{}, [](OpBuilder &b) {
      b.dst(Slot::D, 2), b.src(Slot::A, 2), b.imm(Slot::B, 1664525), b.src(Slot::C, 6);
    });
    code.lopImm(7, isa::LogicOp::AND, 2, 1u << (8 + value % 24)).isetpImm(0, isa::Cmp::NE, 7, 0);
  }
  void block(const std::vector<Statement> &statements) {
    for (const Statement &s : statements)
      statement(s);
  }
  void statement(const Statement &s) {
    switch (s.kind) {
    case Statement::Mix:
      code.op<sem::IMUL>(isa::IMULMods{},
                         [](OpBuilder &b) { b.dst(Slot::D, 1), b.src(Slot::A, 1), b.imm(Slot::B, 5); });
      code.iaddImm(1, 1, s.value);
      break;
    case Statement::If: {
      size_t otherwise = label(), join = label();
      decide(s.value);
      // Half of the joins are pushed by the branch itself.
      if (s.value % 2)
        code.when(0, true).braSsy(at(otherwise), at(join));
      else
        code.ssy(at(join)).when(0, true).bra(at(otherwise));
      block(s.body);
      code.sync();
      place(otherwise);
      block(s.other);
      code.sync();
      place(join);
      break;
    }
    case Statement::Loop: {
      size_t head = label(), turnEnds = label(), done = label();
      unsigned counter = 8 + depth++;
      code.mov(counter, 0).pbk(at(done));
      place(head);
      if (insideOf(s.value) == ContinuedLoop)
        code.pcnt(at(turnEnds));
      block(s.body);
      if (insideOf(s.value) == ContinuedLoop)
        code.cont();
      place(turnEnds);
      code.iaddImm(counter, counter, 1).isetpImm(0, isa::Cmp::GE, counter, loopTurns);
      code.when(0).brk().bra(at(head));
      place(done);
      --depth;
      break;
    }
    case Statement::Break:
      decide(s.value);
      code.when(0).brk();
      break;
    case Statement::Continue:
      decide(s.value);
      code.when(0).cont();
      break;
    case Statement::Call: {
      size_t function = label();
      functions.push_back({function, &s.body, depth});
      code.cal(at(function));
      break;
    }
    case Statement::Return:
      decide(s.value);
      code.when(0).ret();
      break;
    case Statement::Exit:
      decide(s.value);
      code.when(0).stg(5, 0, 1);
      code.when(0).exit();
      break;
    }
  }
  struct Function {
    size_t label;
    const std::vector<Statement> *body;
    unsigned depth;
  };
  Code code;
  std::vector<size_t> labels, next;
  std::vector<Function> functions;
  unsigned depth = 0;
};

} // namespace

TEST(StructuredPrograms, RunAsOneLaneAtATimeWould) {
  u64 divergences = 0;
  for (u32 seed = 1; seed <= effort(1500); ++seed) {
    std::vector<Statement> program = Generator(seed).block(4, NoLoop, false);
    Code code = Emitter().emit(program);
    Machine machine;
    unsigned threads = 32 + seed % 40; // the last warp is partial
    u64 out = machine.buffer(threads * 4);
    GridRun &run = machine.launch(code.program, {}, {threads}, {u32(out), seed * 77});
    Statistics statistics;
    run.addObserver(statistics);
    ASSERT_EQ(run.run().reason, StopReason::Finished)
        << "seed " << seed << ": " << (run.trap() ? run.trap()->str() : "");
    divergences += statistics.divergences;
    std::vector<u32> got = machine.words(out, threads);
    for (unsigned thread = 0; thread < threads; ++thread) {
      Lane lane{0, thread * 0x9e3779b9u + seed * 77};
      lane.run(program);
      ASSERT_EQ(got[thread], lane.sum) << "seed " << seed << " thread " << thread;
    }
  }
  EXPECT_GT(divergences, 1000u) << "the programs were meant to diverge";
}

//===- Checker.cpp - The static checker -----------------------------------===//
#include "asm/checker/Checker.h"

#include "asm/checker/Flows.h"
#include "asm/checker/Registers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <map>
#include <memory>

using namespace llvm;

namespace leno::check {
namespace {

constexpr CheckInfo infos[checkCount] = {
    {"unbalanced-sync", "SYNC or .S without an SSY, or an SSY that nothing joins"},
    {"break-without-pbk", "BRK where no PBK is pending"},
    {"continue-without-pcnt", "CONT where no PCNT is pending"},
    {"return-without-call", "RET in a kernel that nothing called"},
    {"pending-return", "RET past an SSY, PBK or PCNT that no lane uses"},
    {"stack-growth", "a push that comes again while its entry is still there"},
    {"unreachable", "code that nothing leads to"},
    {"missing-exit", "control that runs past the end of a kernel or function"},
    {"unset-read", "a register, predicate or CC read before anything writes it"},
    {"useless-write", "an instruction whose only results go to RZ or PT"},
    {"divergent-barrier", "BAR where lanes of the warp are surely apart"},
    {"parameter-offset", "a parameter's name, which is its offset, where its value is likely meant"},
    {"shift-range", "a shift by 32 or more"},
};

/// Walks kernels and the functions they call, each once.
class Program {
public:
  explicit Program(const Code &code) : code(code), blocks(code) {}

  struct Part {
    RootKind kind;
    std::unique_ptr<StackWalk> walk;
    Callee callee;
    Cells written;
    bool finished = false;
  };

  Part &walk(uint32_t root, RootKind kind);
  Part &function(uint32_t target) { return walk(target, RootKind::Function); }
  StackDepth depth(const Part &kernel) const;
  Callee askCallee(uint32_t target);
  Cells askWritten(uint32_t target);

  const Code &code;
  Blocks blocks;
  std::map<std::pair<uint32_t, RootKind>, Part> parts; // walks insert while references are held
  std::vector<bool> reached = std::vector<bool>(blocks.blocks.size()); ///< blocks that any walk came to
  std::vector<uint32_t> reachedSomehow; ///< and those that only other ways lead to
  unsigned callDepth = 0;
};

Callee Program::askCallee(uint32_t target) {
  if (target >= code.instructions.size())
    return {.known = false};
  auto it = parts.find({target, RootKind::Function});
  if (it != parts.end() && !it->second.finished)
    return {.recursive = true}; // its walk is under way
  // Deeper chains of calls than programs have are not followed.
  if (it == parts.end() && callDepth > 256)
    return {.known = false};
  ++callDepth;
  Callee callee = function(target).callee;
  --callDepth;
  return callee;
}

Cells Program::askWritten(uint32_t target) {
  auto it = parts.find({target, RootKind::Function});
  // Not in this file, or recursive: anything.
  return it == parts.end() || !it->second.finished ? Cells().set() : it->second.written;
}

Program::Part &Program::walk(uint32_t root, RootKind kind) {
  auto [it, inserted] = parts.try_emplace({root, kind});
  Part &part = it->second;
  if (!inserted)
    return part;
  part.kind = kind;
  part.walk = std::make_unique<StackWalk>(code, blocks, root, kind);
  StackWalk &walk = *part.walk;
  walk.run([&](uint32_t target) { return askCallee(target); });
  Callee &callee = part.callee;
  callee.known = walk.complete;
  // One that runs past its end, which is told there, surely wanted to return.
  callee.returns = walk.returns || !walk.complete ||
                   any_of(walk.faults, [](const auto &fault) { return fault.kind == StackFault::RunsOut; });
  callee.entries = walk.maxEntries;
  callee.divergences = walk.maxDivergences;
  for (const StackWalk::Call &call : walk.calls) {
    Callee inner = askCallee(call.target);
    callee.known &= inner.known;
    callee.recursive |= inner.recursive;
    callee.entries = std::max(callee.entries, call.entries + inner.entries);
    callee.divergences = std::max(callee.divergences, call.divergences + inner.divergences);
  }
  for (const auto *list : {&walk.reached, &walk.alsoReached})
    for (uint32_t block : *list)
      reached[block] = true;
  part.written = writtenBy(code, blocks, walk, [&](uint32_t target) { return askWritten(target); });
  part.finished = true;
  return part;
}

StackDepth Program::depth(const Part &kernel) const {
  if (kernel.callee.recursive)
    return {StackDepth::Recursive, 0};
  if (!kernel.callee.known)
    return {StackDepth::Unknown, 0};
  // DIV entries hold lanes that differ: a warp has at most 31 of them.
  unsigned most = kernel.walk->maxTotal;
  for (const StackWalk::Call &call : kernel.walk->calls) {
    const Callee &inner = parts.at({call.target, RootKind::Function}).callee;
    most = std::max(most, call.entries + inner.entries + std::min(31u, call.divergences + inner.divergences));
  }
  return {StackDepth::Known, most};
}

/// The findings of one program, from its walks.
class Report {
public:
  Report(Program &program) : program(program), code(program.code) {}

  void stacks(const Program::Part &part);
  void reads(const Program::Part &part);
  void barriers(const Program::Part &part);
  void useless();
  void unreachable();
  std::vector<Finding> take();

private:
  void add(Check check, uint32_t at, const Twine &message, const Twine &note, uint32_t noteAt = none,
           int cell = -1) {
    findings.push_back({check, at, cell, message.str(), noteAt, note.str()});
  }
  void noEntry(uint32_t at, bool acrossCall);
  std::string placeName(uint32_t at) const {
    for (const Kernel &kernel : code.kernels)
      if (at >= kernel.begin && at < kernel.end)
        return "kernel '" + kernel.name + "'";
    return "the code";
  }

  Program &program;
  const Code &code;
  std::vector<Finding> findings;
  DenseSet<uint32_t> deadEnds; ///< leaves without an entry: that nothing follows them is not told again
};

void Report::noEntry(uint32_t at, bool acrossCall) {
  deadEnds.insert(at);
  const char *where = acrossCall ? " in this function, only before the PRET that began it" : "";
  switch (code.instructions[at].flow) {
  case Flow::Brk:
    return add(Check::BreakWithoutPbk, at, Twine("BRK, but no PBK is pending here") + where,
               "PBK label before the loop says where the lanes that break go on together");
  case Flow::Cont:
    return add(Check::ContinueWithoutPcnt, at, Twine("CONT, but no PCNT is pending here") + where,
               "PCNT label at the start of each turn says where the lanes that continue go on together");
  case Flow::Ret:
    return add(Check::ReturnWithoutCall, at,
               "RET in a kernel: nothing called it, and it traps RET_EMPTY_STACK",
               "EXIT ends the lanes of a kernel");
  default:
    return add(Check::UnbalancedSync, at, Twine("the lanes join here, but no SSY is pending") + where,
               "SSY label before the lanes part says where they meet");
  }
}

void Report::stacks(const Program::Part &part) {
  const StackWalk &walk = *part.walk;
  DenseSet<uint32_t> told;
  for (const StackWalk::Fault &fault : walk.faults)
    switch (fault.kind) {
    case StackFault::NoEntry:
    case StackFault::AcrossCall:
      noEntry(fault.at, fault.kind == StackFault::AcrossCall);
      break;
    case StackFault::Grows:
      told.insert(fault.at);
      add(Check::StackGrowth, fault.at,
          "control comes here again while the entry pushed here is still on the stack",
          "let the lanes leave by it (SYNC, BRK, CONT) first, or push before the loop");
      break;
    case StackFault::Pending:
      if (walk.complete && told.insert(fault.other).second)
        add(Check::PendingReturn, fault.at, "RET past an entry that no lane ever uses", "it was pushed here",
            fault.other);
      break;
    case StackFault::RunsOut:
      add(Check::MissingExit, fault.at, "control runs past the end of " + placeName(fault.at),
          part.kind == RootKind::Kernel ? "end it with EXIT or a branch"
                                        : "end it with RET, EXIT or a branch");
      break;
    case StackFault::DivergentBarrier:
      break; // a walk of its own finds them
    }
  if (walk.complete)
    for (uint32_t at : walk.neverResumed())
      if (told.insert(at).second)
        add(Check::UnbalancedSync, at, "no lane joins where this SSY says",
            "end each side of the branch with SYNC, or with .S on its last instruction");
}

void Report::reads(const Program::Part &part) {
  if (part.kind != RootKind::Kernel || !part.walk->complete)
    return;
  auto written = [&](uint32_t target) { return program.askWritten(target); };
  for (UnsetRead read : unsetReads(code, program.blocks, *part.walk, written)) {
    std::string name = cellName(read.cell);
    std::string operand = read.cell == read.operand ? "" : " (with " + cellName(read.operand) + ")";
    add(Check::UnsetRead, read.at, name + operand + " is read, but nothing has written it",
        name == "CC" ? "an instruction with .CC writes the flags; they start at zero"
        : read.cell < flagsCell && read.cell >= firstPredicate
            ? "it is false when the kernel starts; PT is always true"
            : "it is 0 when the kernel starts; RZ says so plainly",
        none, read.operand);
  }
}

void Report::barriers(const Program::Part &part) {
  if (!part.walk->hasBarrier)
    return;
  auto written = [&](uint32_t target) { return program.askWritten(target); };
  BitVector varying = varyingGuards(code, program.blocks, *part.walk, written);
  StackWalk walk(code, program.blocks, part.walk->rootInstruction(), part.kind);
  walk.run([&](uint32_t target) { return program.askCallee(target); }, &varying);
  for (const StackWalk::Fault &fault : walk.faults)
    if (fault.kind == StackFault::DivergentBarrier)
      add(Check::DivergentBarrier, fault.at,
          "a barrier for some lanes of a warp: it traps DIVERGENT, unless the machine has "
          "barrier.divergent=count",
          fault.other == fault.at ? "its guard differs from lane to lane"
                                  : "the lanes part here, by a predicate that differs from lane to lane",
          fault.other);
}

void Report::useless() {
  for (uint32_t i = 0; i < code.instructions.size(); ++i)
    if (code.instructions[i].useless)
      add(Check::NoEffect, i, "this has no effect: all it writes is swallowed by RZ or PT",
          "name a register or predicate to write, or leave it out");
}

void Report::unreachable() {
  BitVector reached(unsigned(code.instructions.size())), known = reached;
  for (const auto &[root, part] : program.parts)
    for (const auto *list : {&part.walk->reached, &part.walk->alsoReached})
      for (uint32_t block : *list) {
        const Block &range = program.blocks.blocks[block];
        reached.set(range.begin, range.end);
        known.set(range.begin, range.end);
      }
  for (uint32_t block : program.reachedSomehow)
    reached.set(program.blocks.blocks[block].begin, program.blocks.blocks[block].end);
  BitVector inKernel(unsigned(code.instructions.size()));
  for (const Kernel &kernel : code.kernels)
    inKernel.set(kernel.begin, kernel.end);
  // Of words that are no instructions nothing is known.
  auto silent = [&](uint32_t i) { return reached[i] || code.instructions[i].flow == Flow::Opaque; };
  for (uint32_t i = 0; i < code.instructions.size();) {
    if (silent(i)) {
      ++i;
      continue;
    }
    uint32_t begin = i;
    bool inside = inKernel[i];
    while (i < code.instructions.size() && !silent(i) && inKernel[i] == inside)
      ++i;
    if (begin > 0 && deadEnds.contains(begin - 1))
      continue;
    if (inside || (begin > 0 && known[begin - 1] && !code.instructions[begin].startsSection))
      add(Check::Unreachable, begin,
          i - begin == 1 ? Twine("this instruction is never reached")
                         : "these " + Twine(i - begin) + " instructions are never reached",
          "no branch, push, call or instruction before leads here");
  }
}

std::vector<Finding> Report::take() {
  llvm::stable_sort(findings, [](const Finding &a, const Finding &b) { return a.at < b.at; });
  // Code that two kernels share is told once.
  auto same = [](const Finding &a, const Finding &b) {
    return a.at == b.at && a.check == b.check && a.message == b.message;
  };
  findings.erase(llvm::unique(findings, same), findings.end());
  return std::move(findings);
}

} // namespace

std::string cellName(unsigned cell) {
  if (cell == flagsCell)
    return "CC";
  return cell < firstPredicate ? ("R" + Twine(cell)).str() : ("P" + Twine(cell - firstPredicate)).str();
}

const CheckInfo &checkInfo(Check check) { return infos[size_t(check)]; }

std::optional<Check> findCheck(StringRef name) {
  for (unsigned i = 0; i < checkCount; ++i)
    if (infos[i].name == name)
      return Check(i);
  return std::nullopt;
}

Result check(const Code &code, ArrayRef<uint32_t> functions, ArrayRef<uint32_t> others) {
  Program program(code);
  Report report(program);
  Result result;
  for (const Kernel &kernel : code.kernels)
    result.depths.push_back(program.depth(program.walk(kernel.begin, RootKind::Kernel)));
  // Where else code may begin: labels that other files or data may name.
  auto mayBegin = [&](uint32_t place) {
    append_range(program.reachedSomehow, flood(code, program.blocks, place, program.reached));
  };
  for (uint32_t place : functions)
    program.function(place);
  for (uint32_t place : others)
    mayBegin(place);
  for (const auto &[root, part] : program.parts) {
    report.stacks(part);
    report.reads(part);
    report.barriers(part);
  }
  report.useless();
  // A branch through a register may go anywhere: into a table without labels, too.
  if (!code.hasIndirect)
    report.unreachable();
  result.findings = report.take();
  return result;
}

Flows flowsOf(const Code &code, ArrayRef<uint32_t> functions) {
  Program program(code);
  for (const Kernel &kernel : code.kernels)
    program.walk(kernel.begin, RootKind::Kernel);
  for (uint32_t place : functions)
    program.function(place);
  Flows flows{program.blocks, {}};
  for (const auto &[root, part] : program.parts) {
    const StackWalk &walk = *part.walk;
    FlowPart flow{root.first, root.second, walk.complete, walk.reached, walk.edges, {}};
    for (const StackWalk::Call &call : walk.calls)
      if (std::pair<uint32_t, uint32_t> pair(call.at, call.target); !is_contained(flow.calls, pair))
        flow.calls.push_back(pair);
    flows.parts.push_back(std::move(flow));
  }
  return flows;
}

std::vector<StackDepth> stackDepths(const Code &code) {
  Program program(code);
  std::vector<StackDepth> depths;
  for (const Kernel &kernel : code.kernels)
    depths.push_back(program.depth(program.walk(kernel.begin, RootKind::Kernel)));
  return depths;
}

} // namespace leno::check

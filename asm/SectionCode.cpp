//===- SectionCode.cpp - A section's code and where lanes go in it --------===//
#include "asm/SectionCode.h"

#include "asm/LenoFixupKinds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace leno {
namespace {

check::Code resolved(const DumpSection &section, ArrayRef<check::ImageKernel> kernels) {
  std::map<StringRef, uint64_t> labels;
  for (const auto &[offset, names] : section.labels)
    for (const DumpLabel &label : names)
      labels[label.name] = offset;
  std::vector<uint64_t> words(section.size / wordBytes);
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = support::endian::read64le(&section.bytes[i * wordBytes]);
  std::vector<std::pair<uint32_t, bool>> elsewhere; // instruction, and whether its join is meant
  for (const auto &[offset, references] : section.references)
    for (const DumpReference &reference : references) {
      uint32_t type = reference.type;
      bool isJoin = type == R_LENO_JOIN20;
      if ((!isJoin && type != R_LENO_TARGET24 && type != R_LENO_ADDRESS24) || offset % wordBytes)
        continue;
      auto label = labels.find(reference.symbol);
      auto at = uint32_t(offset / wordBytes);
      if (label == labels.end()) {
        elsewhere.emplace_back(at, isJoin);
        continue;
      }
      int64_t target = int64_t(label->second) + reference.addend;
      if (type == R_LENO_ADDRESS24) {
        words[at] = (words[at] & ~address24Field) | ((uint64_t(target / wordBytes) << 21) & address24Field);
      } else {
        WordDistance distance{isJoin ? 20u : 24u};
        words[at] = (words[at] & ~distance.field()) |
                    distance.place((target - int64_t(offset) - int64_t(wordBytes)) / int64_t(wordBytes));
      }
    }
  check::Code code = check::decodeImage(words, kernels);
  for (auto [at, isJoin] : elsewhere)
    (isJoin ? code.instructions[at].join : code.instructions[at].target) = check::none;
  return code;
}

/// Labels outside of kernels that other files may call begin functions, and so does what stands first.
std::vector<uint32_t> functionsOf(const DumpSection &section, check::Code &code) {
  std::vector<uint32_t> functions;
  auto isInKernel = [&](uint32_t at) {
    return any_of(code.kernels, [&](const auto &k) { return at >= k.begin && at < k.end; });
  };
  if (section.size && !isInKernel(0))
    functions.push_back(0);
  for (const auto &[offset, labels] : section.labels) {
    auto at = uint32_t(offset / wordBytes);
    if (offset % wordBytes || offset >= section.size || isInKernel(at))
      continue;
    if (any_of(labels, [](const DumpLabel &label) {
          return label.binding != ELF::STB_LOCAL || label.type == ELF::STT_FUNC;
        })) {
      code.instructions[at].labelled = true;
      functions.push_back(at);
    }
  }
  return functions;
}

check::Flows flowsOf(const DumpSection &section, check::Code &code) {
  std::vector<uint32_t> functions = functionsOf(section, code);
  return check::flowsOf(code, functions);
}

} // namespace

SectionCode::SectionCode(const DumpSection &section, ArrayRef<check::ImageKernel> kernels)
    : code(resolved(section, kernels)), flows(flowsOf(section, code)) {}

uint32_t SectionCode::endOfFunction(uint32_t begin) const {
  auto end = uint32_t(code.instructions.size());
  auto consider = [&](uint32_t place) {
    if (place > begin)
      end = std::min(end, place);
  };
  for (const check::FlowPart &part : flows.parts)
    consider(part.root);
  for (const check::Kernel &kernel : code.kernels) {
    consider(kernel.begin);
    consider(kernel.end);
  }
  return end;
}

//===--- Life ranges ------------------------------------------------------===//

using check::Cells, check::Instruction, isa::Flow;

struct Liveness::Part {
  const check::FlowPart &flow;
  std::map<uint32_t, size_t> place = {}; ///< of a block in `flow.reached`
  std::vector<std::vector<size_t>> successors = {}, predecessors = {};
  std::vector<Cells> begins = {};
  Cells atReturn = {};
};

/// A range of cells.
static void add(Cells &cells, unsigned first, unsigned last) {
  for (unsigned cell = first; cell <= last; ++cell)
    cells.set(cell);
}

/// What functions that are not in sight may read, and may give back [isa/CallingConvention.md].
static Cells argumentCells() {
  Cells cells;
  cells.set(1);
  add(cells, 4, 15);
  return cells;
}
static Cells resultCells() {
  Cells cells = argumentCells();
  add(cells, 16, 31);
  add(cells, firstPredicate + 4, firstPredicate + 6);
  return cells;
}

Cells Liveness::beforeCall(const Instruction &inst, const Cells &after) const {
  auto summary = summaries.find(inst.target);
  if (summary == summaries.end())
    return after | argumentCells();
  return summary->second.reads | (after & summary->second.keeps);
}

/// Goes backwards through a block, from what its successors need.
Cells Liveness::beforeBlock(Part &part, size_t number, bool record) {
  Cells live;
  for (size_t next : part.successors[number])
    live |= part.begins[next];
  const check::Block &block = blocks.blocks[part.flow.reached[number]];
  for (uint32_t i = block.end; i-- > block.begin;) {
    const Instruction &inst = code.instructions[i];
    if (inst.flow == Flow::Ret && !inst.never && part.flow.kind == check::RootKind::Function)
      live |= part.atReturn;
    bool goesAnywhere = inst.flow == Flow::Indirect ||
                        (inst.flow == Flow::Branch && inst.target == check::none && !inst.never);
    if (goesAnywhere)
      live |= mentioned;
    if (record)
      livesAfter[i] |= live;
    if (!inst.never) {
      if (inst.flow == Flow::Call)
        live = beforeCall(inst, live) | (inst.conditional ? live : Cells());
      for (const Effect &effect : code.effectsOf(inst))
        if (effect.writes && !effect.mayStay && !inst.conditional)
          for (unsigned cell = effect.cell; cell < effect.cell + effect.count; ++cell)
            live.reset(cell);
      for (const Effect &effect : code.effectsOf(inst))
        if (!effect.writes)
          add(live, effect.cell, effect.cell + effect.count - 1u);
    }
    if (record)
      livesBefore[i] |= live;
  }
  return live;
}

/// What is live where a part begins when `atReturn` is where it returns.
Cells Liveness::solve(Part &part, const Cells &atReturn) {
  part.begins.assign(part.flow.reached.size(), Cells());
  part.atReturn = atReturn;
  std::vector<bool> queued(part.begins.size(), true);
  std::vector<size_t> queue;
  for (size_t i = 0; i < part.begins.size(); ++i)
    queue.push_back(i);
  while (!queue.empty()) {
    size_t at = queue.back();
    queue.pop_back();
    queued[at] = false;
    Cells live = beforeBlock(part, at, false);
    if (live == part.begins[at])
      continue;
    part.begins[at] = live;
    for (size_t before : part.predecessors[at])
      if (!queued[before]) {
        queued[before] = true;
        queue.push_back(before);
      }
  }
  return part.begins.empty() ? Cells() : part.begins.front();
}

Liveness::Liveness(const SectionCode &section)
    : code(section.code), blocks(section.flows.blocks), livesBefore(code.instructions.size()),
      livesAfter(code.instructions.size()) {
  for (const Effect &effect : code.effects)
    add(mentioned, effect.cell, effect.cell + effect.count - 1u);
  std::vector<Part> parts;
  for (const check::FlowPart &flow : section.flows.parts) {
    Part &part = parts.emplace_back(Part{flow});
    for (size_t i = 0; i < flow.reached.size(); ++i)
      part.place[flow.reached[i]] = i;
    part.successors.resize(flow.reached.size());
    part.predecessors.resize(flow.reached.size());
    for (auto [from, to] : flow.edges) {
      part.successors[part.place.at(from)].push_back(part.place.at(to));
      part.predecessors[part.place.at(to)].push_back(part.place.at(from));
    }
    if (flow.kind == check::RootKind::Function)
      summaries[flow.root];
  }
  // What a function reads, and what it surely overwrites: with nothing and with everything needed after it.
  for (bool changed = true; changed;) {
    changed = false;
    for (Part &part : parts) {
      if (part.flow.kind != check::RootKind::Function)
        continue;
      Summary &summary = summaries[part.flow.root];
      Summary now{solve(part, Cells()), solve(part, Cells().set())};
      changed |= now.reads != summary.reads || now.keeps != summary.keeps;
      summary = now;
    }
  }
  // What is needed after a function is what its callers need after their calls.
  std::map<uint32_t, Cells> needed;
  std::set<uint32_t> called;
  for (const check::FlowPart &flow : section.flows.parts)
    for (auto [at, target] : flow.calls)
      called.insert(target);
  for (const auto &[root, summary] : summaries)
    if (!called.count(root))
      needed[root] = resultCells() & mentioned;
  for (bool changed = true; changed;) {
    changed = false;
    for (Part &part : parts) {
      solve(part, needed[part.flow.root]);
      for (size_t i = 0; i < part.begins.size(); ++i)
        beforeBlock(part, i, true);
      for (auto [at, target] : part.flow.calls) {
        Cells &cells = needed[target];
        changed |= (livesAfter[at] & ~cells).any();
        cells |= livesAfter[at];
      }
    }
  }
}

//===--- The graph --------------------------------------------------------===//

/// A string of the dot language; every line of it stands at the left.
static std::string quoted(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (c == '\n')
      result += "\\l";
    else
      result += c;
  }
  return result + '"';
}

/// Why lanes go from the end of a block to another.
static std::string edgeAttributes(const Instruction &last, uint32_t end, uint32_t to) {
  if (last.flow == Flow::Branch && to == last.target)
    return last.conditional ? " [label=\"taken\"]" : "";
  bool leaves = last.sync || is_contained({Flow::Brk, Flow::Cont, Flow::Ret}, last.flow);
  if (to == end && (!leaves || last.conditional))
    return last.conditional && last.flow != Flow::Call ? " [label=\"else\"]" : "";
  // By an entry of the stack.
  const char *how = last.flow == Flow::Brk    ? "BRK"
                    : last.flow == Flow::Cont ? "CONT"
                    : last.flow == Flow::Ret  ? "RET"
                                              : "SYNC";
  return std::string(" [style=dashed, label=\"") + how + "\"]";
}

/// Where the lanes that SSY or a set-sync form has seen will meet; none: it is neither.
static uint32_t joinOf(const Instruction &inst) { return inst.flow == Flow::Ssy ? inst.target : inst.join; }

void FlowGraphText::print(raw_ostream &os, unsigned &cluster) const {
  const auto &parts = code.flows.parts;
  const auto &blocks = code.flows.blocks.blocks;
  std::vector<size_t> shown;
  auto show = [&](size_t part) {
    if (!is_contained(shown, part))
      shown.push_back(part);
  };
  for (size_t i = 0; i < parts.size(); ++i)
    if (isWanted(parts[i].root))
      show(i);
  for (size_t next = 0; next < shown.size(); ++next)
    for (auto [at, target] : parts[shown[next]].calls)
      for (size_t i = 0; i < parts.size(); ++i)
        if (parts[i].root == target && parts[i].kind == check::RootKind::Function)
          show(i);
  llvm::sort(shown);
  auto node = [&](size_t part, uint32_t block) {
    return "\"" + std::to_string(section.number) + "_" + std::to_string(part) + "_" + std::to_string(block) +
           "\"";
  };
  std::set<uint32_t> joins; // where lanes meet again
  for (const check::Instruction &inst : code.code.instructions)
    if (uint32_t join = joinOf(inst); join != check::none)
      joins.insert(join);
  for (size_t number : shown) {
    const check::FlowPart &part = parts[number];
    bool isKernel = part.kind == check::RootKind::Kernel;
    os << "  subgraph cluster_" << cluster++
       << " {\n    label=" << quoted((isKernel ? "kernel " : "function ") + nameOf(part.root)) << ";\n";
    std::vector<uint32_t> ordered = part.reached;
    llvm::sort(ordered);
    bool anywhere = false;
    for (uint32_t block : ordered) {
      std::string text;
      for (uint32_t i = blocks[block].begin; i < blocks[block].end; ++i)
        text += textOf(uint64_t(i) * wordBytes) + "\n";
      const uint64_t begin = uint64_t(blocks[block].begin) * wordBytes,
                     end = uint64_t(blocks[block].end) * wordBytes;
      if (heat)
        text += heat->note(begin, end) + "\n";
      os << "    " << node(number, block) << " [label=" << quoted(text)
         << (blocks[block].begin == part.root ? ", penwidth=2" : "")
         << (joins.count(blocks[block].begin) ? ", peripheries=2" : "")
         << (heat ? heat->attributes(begin, end) : "") << "];\n";
      anywhere |= code.code.instructions[blocks[block].end - 1].flow == Flow::Indirect;
    }
    if (anywhere)
      os << "    " << node(number, check::none) << " [shape=plaintext, label=\"where a register says\"];\n";
    os << "  }\n";
    for (uint32_t block : ordered)
      if (code.code.instructions[blocks[block].end - 1].flow == Flow::Indirect)
        os << "  " << node(number, block) << " -> " << node(number, check::none) << " [style=dotted];\n";
    for (auto [from, to] : part.edges)
      os << "  " << node(number, from) << " -> " << node(number, to)
         << edgeAttributes(code.code.instructions[blocks[from].end - 1], blocks[from].end, blocks[to].begin)
         << ";\n";
    for (auto [at, target] : part.calls)
      for (size_t other : shown)
        if (parts[other].root == target && parts[other].kind == check::RootKind::Function)
          os << "  " << node(number, code.flows.blocks.blockOf[at]) << " -> "
             << node(other, code.flows.blocks.blockOf[target]) << " [style=dotted, label=\"CAL\"];\n";
  }
}

} // namespace leno

#include "runtime/CompiledListing.h"
#include "asm/Decoder.h"
#include "emu/compiled/CompiledKernel.h"
#include "emu/engine/Engine.h"
#include "emu/program/Predecoder.h"

#include "llvm/Support/raw_ostream.h"

using namespace leno;
using compiled::CompiledKernel;
using compiled::Kind;
using compiled::RegionPlan;
using llvm::Error;
using llvm::Expected;

Error runtime::printCompiled(const Executable &executable, const KernelInfo &kernel, llvm::raw_ostream &os) {
  Expected<const Engine *> engine = chooseEngine();
  if (!engine)
    return engine.takeError();
  const Program program = predecode(executable.code(), **engine);
  Decoder decoder;
  auto describe = [&](u64 address) { return executable.describe(address); };
  auto operation = [&](u32 index) {
    const u64 address = u64(index) * 8;
    return "// " + describe(address) + ": " + decoder.print(executable.code()[index], address, describe) +
           ";";
  };
  using compiled::Warps;
  for (Warps warps : {Warps::Full, Warps::Any, Warps::Whole}) {
    os << (warps == Warps::Full ? "// " : "\n// ") << kernel.name << ": code for warps "
       << (warps == Warps::Full  ? "all of whose lanes are active"
           : warps == Warps::Any ? "with any lanes"
                                 : "that begin and end in one turn")
       << ", " << (*engine)->name << '\n';
    u32 last = CompiledKernel::none;
    size_t lines = 0;
    auto line = [&](u32 index, llvm::StringRef text) {
      if (index != CompiledKernel::none && index != last && index < program.size())
        os << operation(last = index) << '\n';
      os << text << '\n';
      ++lines;
    };
    Expected<RegionPlan> plan = CompiledKernel::list(program, kernel.entry, warps, line);
    if (!plan)
      return plan.takeError();
    if (!lines)
      os << "// nothing of it would be compiled\n";
    for (const compiled::Operation &each : plan->operations)
      if (each.kind == Kind::Leaves)
        os << operation(each.index) << " is the interpreter's\n";
  }
  return Error::success();
}

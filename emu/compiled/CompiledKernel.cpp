#include "emu/compiled/CompiledKernel.h"
#include "asm/support/FloatEnvironment.h"
#include "emu/compiled/CompilerLibrary.h"
#include "emu/compiled/CompilerProcess.h"
#include "emu/engine/Services.h"
#include "emu/program/OpFacts.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>
#include <deque>
#include <mutex>

using namespace leno;
using namespace leno::compiled;
using namespace llvm;

static Region regionOf(const RegionPlan &plan, const char *width) {
  return {plan.warps,
          width,
          plan.operations.data(),
          u32(plan.operations.size()),
          plan.pool.data(),
          u32(plan.pool.size()),
          plan.stacks.data(),
          u32(plan.stacks.size()),
          plan.entry,
          plan.guess.isCounted(),
          plan.guess.sharesWords,
          false};
}

Expected<RegionPlan> CompiledKernel::list(const Program &program, u64 entry, Warps warps,
                                          function_ref<void(u32, StringRef)> line) {
  RegionPlan plan(program, entry, warps, {});
  if (plan.isEmpty())
    return plan;
  Expected<const Compiler *> compiler = compilerLibrary();
  if (!compiler)
    return compiler.takeError();
  Region region = regionOf(plan, program.engine().name);
  region.tellsPlaces = true;
  auto take = [](void *to, u32 index, const char *text, size_t size) {
    (*static_cast<function_ref<void(u32, StringRef)> *>(to))(index, {text, size});
  };
  char message[1024];
  if (!(*compiler)->list(region, take, &line, message, sizeof(message)))
    return createStringError(Twine("the kernel cannot be compiled: ") + message);
  return plan;
}

/// Under a lock of its own.
static std::pair<std::mutex, CompiledKernel::Totals> &allMade() {
  static auto *made = new std::pair<std::mutex, CompiledKernel::Totals>; // threads may ask while the process ends
  return *made;
}

CompiledKernel::Totals CompiledKernel::totals() {
  std::lock_guard lock(allMade().first);
  return allMade().second;
}

Expected<std::shared_ptr<const CompiledKernel>> CompiledKernel::create(RegionPlan plan, const char *width,
                                                                       MakesObject makeObject) {
  // What compiling computes is so as in the machine, and the host finds its flags again.
  FloatScope floats;
  std::shared_ptr<CompiledKernel> kernel(new CompiledKernel(std::move(plan)));
  const RegionPlan &made = kernel->thePlan;
  kernel->width = width;
  Region region = regionOf(made, kernel->width);
  const auto start = std::chrono::steady_clock::now();
  Object object;
  if (makeObject && (object = makeObject(region)).bytes.empty())
    return createStringError("it was given up");
  if (Error error = compilerLibrary().moveInto(kernel->compiler))
    return std::move(error);
  char message[1024];
  const bool isMade = makeObject ? kernel->compiler->link(region, object.bytes.data(), object.bytes.size(),
                                                          kernel->code, message, sizeof(message))
                                 : kernel->compiler->compile(region, kernel->code, message, sizeof(message));
  if (makeObject)
    kernel->code.wasKnown = object.wasKnown;
  if (!isMade)
    return createStringError(Twine("the kernel cannot be compiled: ") + message);
  {
    std::lock_guard lock(allMade().first);
    Totals &totals = allMade().second;
    ++totals.codes;
    totals.known += kernel->code.wasKnown;
    totals.bytes += kernel->code.bytes;
    totals.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  kernel->leaders.assign(made.operations.back().index + 1, none);
  for (const Operation &operation : made.operations)
    if (operation.isLeader) {
      kernel->leaders[operation.index] = u32(kernel->shapeOfLeader.size());
      kernel->shapeOfLeader.push_back(operation.stack);
    }
  kernel->soonLeft = std::make_unique<std::atomic<bool>[]>(kernel->shapeOfLeader.size());
  return kernel;
}

CompiledKernel::~CompiledKernel() {
  if (code.owner)
    compiler->release(code);
}

bool CompiledKernel::isMadeOf(const LaunchCode &launched) const {
  return all_of(thePlan.operations, [&](const Operation &operation) {
    const Op &op = launched.ops()[operation.index];
    if (op.flags & (Op::breakpoint | Op::readsConstants) ||
        (op.counting != Counting::WithOthers && !guess().isCounted()))
      return false;
    return operation.kind == Kind::Leaves || op.inner != service::badConstantSource;
  });
}

namespace {

/// The kernels compiled last, as many as are worth their memory.
struct Known {
  static constexpr size_t most = 64;
  std::mutex mutex;
  std::deque<std::shared_ptr<const CompiledKernel>> kernels;
};

} // namespace

size_t CompiledKernel::numberOf(u32 index) const {
  auto found = llvm::lower_bound(thePlan.operations, index,
                                 [](const Operation &operation, u32 index) { return operation.index < index; });
  return size_t(found - thePlan.operations.begin());
}

std::optional<size_t> CompiledKernel::regularAccess(u32 index) const {
  const size_t number = numberOf(index);
  return number < thePlan.operations.size() && thePlan.operations[number].index == index &&
                 thePlan.operations[number].lanes != Lanes::Any
             ? std::optional(number)
             : std::nullopt;
}

bool CompiledKernel::partsAt(u32 index) const {
  const size_t number = numberOf(index);
  return number < thePlan.operations.size() && thePlan.operations[number].index == index &&
         (thePlan.operations[number].kind == Kind::Branches ||
          thePlan.operations[number].kind == Kind::TakesOut);
}

bool CompiledKernel::isOf(const Program &program) const {
  if (program.engine().name != StringRef(width) || program.size() <= thePlan.operations.back().index ||
      program.pool().size() < thePlan.pool.size())
    return false;
  for (size_t i = 0; i < thePlan.pool.size(); ++i)
    if (const Program::PoolRow &row = program.pool()[i];
        PoolWord{row.isConstant, row.value} != thePlan.pool[i])
      return false;
  return all_of(thePlan.operations, [&](const Operation &operation) {
    const Op &its = program.ops()[operation.index];
    if (operation.kind != Kind::Leaves && service::isFaulty(its))
      return false;
    Op op;
    copyOp(op, its);
    op.fn = op.inner = nullptr;
    // Where accesses have what the plan has found.
    const auto &memory = factsOf(operation.op).memory;
    if (operation.kind == Kind::Accesses && !memory->isAtomic) {
      Judgement::of(operation.op).set(op);
      if (memory->space != isa::MemorySpace::Constant) // whose bank it is
        op.extra = operation.op.extra;
    }
    return std::memcmp(&op, &operation.op, sizeof(Op)) == 0;
  });
}

static Known &known() {
  static Known *known = new Known; // threads may ask while the process ends
  return *known;
}

Expected<std::shared_ptr<const CompiledKernel>>
CompiledKernel::get(const Program &program, u64 entry, Warps warps, const RegionPlan::Guess &guess) {
  { // a plan takes longer than a short launch
    std::lock_guard lock(known().mutex);
    for (const auto &kernel : known().kernels)
      if (const RegionPlan &plan = kernel->thePlan;
          plan.warps == warps && plan.entry == entry / 8 && plan.guess == guess && kernel->isOf(program))
        return kernel;
  }
  return get(RegionPlan(program, entry, warps, guess), program.engine().name);
}

Expected<std::shared_ptr<const CompiledKernel>> CompiledKernel::get(RegionPlan plan, const char *width,
                                                                    MakesObject makeObject) {
  if (plan.isEmpty())
    return nullptr;
  std::unique_lock lock(known().mutex);
  for (const auto &kernel : known().kernels)
    if (kernel->width == StringRef(width) && kernel->thePlan.isSame(plan))
      return kernel;
  if (makeObject) // it takes its time
    lock.unlock();
  Expected<std::shared_ptr<const CompiledKernel>> made = create(std::move(plan), width, makeObject);
  if (!made)
    return made;
  if (makeObject)
    lock.lock();
  known().kernels.push_front(*made);
  if (known().kernels.size() > Known::most)
    known().kernels.pop_back();
  return made;
}

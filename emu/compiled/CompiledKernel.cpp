#include "emu/compiled/CompiledKernel.h"
#include "asm/support/FloatEnvironment.h"
#include "emu/compiled/CodeCache.h"
#include "emu/compiled/CompilerLibrary.h"
#include "emu/engine/Services.h"
#include "emu/program/OpFacts.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>
#include <deque>
#include <mutex>

using namespace leno;
using namespace leno::compiled;
using namespace llvm;

static Region regionOf(const RegionPlan &plan, size_t part, const char *width) {
  const ArrayRef<Operation> operations = plan.part(part);
  return {plan.warps,
          width,
          operations.data(),
          u32(operations.size()),
          plan.pool.data(),
          u32(plan.pool.size()),
          plan.stacks.data(),
          u32(plan.stacks.size()),
          part ? operations.front().index : plan.entry,
          plan.guess.isCounted(),
          plan.guess.sharesWords,
          false};
}

static Error cannotBeCompiled(const char *why) {
  return createStringError(Twine("the kernel cannot be compiled: ") + why);
}

Expected<RegionPlan> CompiledKernel::list(const Program &program, u64 entry, Warps warps,
                                          function_ref<void(u32, StringRef)> line) {
  RegionPlan plan(program, entry, warps, {});
  if (plan.isEmpty())
    return plan;
  Expected<const Compiler *> compiler = compilerLibrary();
  if (!compiler)
    return compiler.takeError();
  auto take = [](void *to, u32 index, const char *text, size_t size) {
    (*static_cast<function_ref<void(u32, StringRef)> *>(to))(index, {text, size});
  };
  for (size_t part = 0; part < plan.partCount(); ++part) {
    Region region = regionOf(plan, part, program.engine().name);
    region.tellsPlaces = true;
    char message[1024];
    if (!(*compiler)->list(region, take, &line, message, sizeof(message)))
      return cannotBeCompiled(message);
  }
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

static Expected<std::string> makeHere(const Region &region, const CodeCache::Key &key) {
  Expected<const Compiler *> compiler = compilerLibrary();
  if (!compiler)
    return compiler.takeError();
  std::string image;
  auto take = [](void *to, const char *bytes, size_t size) {
    static_cast<std::string *>(to)->assign(bytes, size);
  };
  char message[1024];
  if (!(*compiler)->image(region, take, &image, message, sizeof(message)))
    return cannotBeCompiled(message);
  CodeCache::get().keep(key, image);
  return image;
}

/// What compiling computes is so as in the machine, and the host finds its flags again.
Expected<std::shared_ptr<const CompiledKernel::Part>> CompiledKernel::make(const Region &region,
                                                                           MakesImage makeImage) {
  FloatScope floats;
  const auto start = std::chrono::steady_clock::now();
  const CodeCache &cache = CodeCache::get();
  Expected<CodeCache::Key> key = CodeCache::keyOf(region);
  if (!key)
    return key.takeError();
  std::unique_ptr<LinkedCode> code;
  const std::unique_ptr<MemoryBuffer> known = cache.find(*key);
  if (known)
    consumeError(LinkedCode::load(known->getBuffer()).moveInto(code)); // one that cannot be used is made anew
  const bool wasKnown = code != nullptr;
  u64 bytes = known ? known->getBufferSize() : 0;
  if (!wasKnown) {
    Expected<std::string> image = makeImage ? makeImage(region, *key) : makeHere(region, *key);
    if (!image)
      return image.takeError();
    if (image->empty())
      return createStringError("it was given up");
    bytes = image->size();
    if (Error error = LinkedCode::load(*image).moveInto(code))
      return cannotBeCompiled(toString(std::move(error)).c_str());
  }
  std::lock_guard lock(allMade().first);
  Totals &totals = allMade().second;
  ++totals.codes;
  totals.known += wasKnown;
  totals.bytes += bytes;
  totals.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return std::shared_ptr<const Part>(std::move(code));
}

void CompiledKernel::findLeaders() {
  leaders.assign(thePlan.operations.back().index + 1, none);
  for (size_t part = 0; part < thePlan.partCount(); ++part) {
    u32 number = 0;
    for (const Operation &operation : thePlan.part(part))
      if (operation.isLeader) {
        leaders[operation.index] = u32(placeOfLeader.size());
        placeOfLeader.push_back({operation.stack, u16(part), number++, operation.beginsTurns});
      }
  }
  soonLeft = std::make_unique<std::atomic<bool>[]>(placeOfLeader.size());
  bases = std::make_unique<std::atomic<u64>[]>(thePlan.windows);
}

/// Where code goes on that another part was left for; none: it was left for something else. As where the
/// compiler joins ways, the upper entries of the stack may have no lanes.
u32 CompiledKernel::leaderBehind(u16 part, u32 at, const WarpWords &words, const Kept &kept) const {
  const u32 leader = leaderAt(at);
  if (leader == none || kept.left <= 0 || kept.behind)
    return none;
  const Place &its = placeOfLeader[leader];
  if (its.part == part || (thePlan.warps == Warps::Any && kept.prefersFull && words.active == allLanes))
    return none;
  const StackShape &there = shape(its.shape), &here = shape(kept.stack);
  const bool fits =
      there.depth <= here.depth && std::equal(there.entries, there.entries + there.depth, here.entries) &&
      std::none_of(kept.masks + there.depth, kept.masks + here.depth, [](LaneMask m) { return m; });
  return fits ? leader : none;
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

static Known &known() {
  static Known *known = new Known; // threads may ask while the process ends
  return *known;
}

size_t CompiledKernel::numberOf(u32 index) const {
  auto found = llvm::lower_bound(thePlan.operations, index,
                                 [](const Operation &operation, u32 index) { return operation.index < index; });
  return size_t(found - thePlan.operations.begin());
}

const Operation *CompiledKernel::operationAt(u32 index) const {
  const size_t number = numberOf(index);
  const bool isThere = number < thePlan.operations.size() && thePlan.operations[number].index == index;
  return isThere ? &thePlan.operations[number] : nullptr;
}

bool CompiledKernel::partsAt(u32 index) const {
  const Operation *operation = operationAt(index);
  return operation && (operation->kind == Kind::Branches || operation->kind == Kind::TakesOut);
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

//===--- What launches have found out -------------------------------------===//

/// Of all its parts, and not of code.
static Expected<CodeCache::Key> keyOfGuess(const RegionPlan &plan, const char *width) {
  BLAKE3 hash;
  hash.update("guess");
  for (size_t part = 0; part < plan.partCount(); ++part) {
    Expected<CodeCache::Key> its = CodeCache::keyOf(regionOf(plan, part, width));
    if (!its)
      return its.takeError();
    hash.update(*its);
  }
  return hash.final<>();
}

/// Numbers: whether it shares words, how many accesses are irregular, these, and those of them that are near.
static std::string bytesOf(const RegionPlan::Guess &guess) {
  std::vector<u32> numbers{guess.sharesWords, u32(guess.irregular.size())};
  append_range(numbers, guess.irregular);
  append_range(numbers, guess.near);
  return {reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(u32)};
}

static std::optional<RegionPlan::Guess> findGuess(const RegionPlan &plan, const char *width) {
  const CodeCache &cache = CodeCache::get();
  if (!cache.isThere())
    return std::nullopt;
  Expected<CodeCache::Key> key = keyOfGuess(plan, width);
  if (!key) {
    consumeError(key.takeError());
    return std::nullopt;
  }
  const std::unique_ptr<MemoryBuffer> kept = cache.find(*key);
  if (!kept)
    return std::nullopt;
  std::vector<u32> numbers(kept->getBufferSize() / sizeof(u32));
  std::memcpy(numbers.data(), kept->getBufferStart(), numbers.size() * sizeof(u32));
  if (numbers.size() < 2 || numbers[1] > numbers.size() - 2)
    return std::nullopt;
  RegionPlan::Guess guess = plan.guess;
  guess.sharesWords = numbers[0];
  const auto first = numbers.begin() + 2, near = first + numbers[1];
  guess.irregular.assign(first, near);
  guess.near.assign(near, numbers.end());
  return guess == plan.guess ? std::nullopt : std::optional(std::move(guess));
}

void CompiledKernel::noteLater(std::shared_ptr<const CompiledKernel> kernel) const {
  if (const CodeCache &cache = CodeCache::get(); cache.isThere() && theKeptGuess != kernel->guess()) {
    if (Expected<CodeCache::Key> key = keyOfGuess(thePlan, width))
      cache.keep(*key, bytesOf(kernel->guess()));
    else
      consumeError(key.takeError());
  }
  std::lock_guard lock(laterMutex);
  madeLater = std::move(kernel);
}

Expected<std::shared_ptr<const CompiledKernel>> CompiledKernel::get(RegionPlan plan, const char *width,
                                                                    MakesImage makeImage) {
  if (plan.isEmpty())
    return nullptr;
  std::shared_ptr<CompiledKernel> made(new CompiledKernel(std::move(plan), width));
  const RegionPlan &its = made->thePlan;
  std::unique_lock lock(known().mutex);
  for (const auto &kernel : known().kernels)
    if (kernel->width == StringRef(width)) {
      if (kernel->thePlan.isSame(its))
        return kernel;
      for (size_t part = 0; part < its.partCount(); ++part)
        if (its.hasSame(part, kernel->thePlan))
          made->parts[part] = kernel->parts[part];
    }
  if (makeImage) // it takes its time
    lock.unlock();
  for (size_t part = 0; part < its.partCount(); ++part)
    if (!made->parts[part])
      if (Error error = make(regionOf(its, part, width), makeImage).moveInto(made->parts[part]))
        return std::move(error);
  made->theKeptGuess = findGuess(its, width);
  if (makeImage)
    lock.lock();
  known().kernels.push_front(made);
  if (known().kernels.size() > Known::most)
    known().kernels.pop_back();
  return made;
}

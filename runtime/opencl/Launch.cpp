// Commands that run kernels.
#include "runtime/opencl/Printf.h"
#include "runtime/opencl/Program.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace leno::opencl;
using Memory = leno::SourceArgument::Memory;

namespace {

using Size3 = std::array<size_t, 3>;
using Word3 = std::array<std::uint32_t, 3>;

/// What work-items are told of all work-groups while those of one size run: rows as
/// asm/codegen/device/workitems.c has them.
struct Whole {
  Word3 before, groups, enqueued, size, offset;
};

/// Work-groups of one size.
struct Part {
  leno::Extent grid, block;
  Word3 offset; ///< of its own first work-item
  Whole whole;
};

/// A launch, as the kernel and its arguments were when it was enqueued.
struct Launch {
  Ref<_cl_program> program;
  leno::Kernel kernel;
  leno::LaunchConfig config;
  std::vector<Part> parts;
  bool isUniform = true; ///< all work-groups are of one size
  std::vector<leno::Argument> arguments;
  std::vector<Ref<_cl_mem>> memories;
  std::vector<std::shared_ptr<Storage>> reached;

  cl_int run(_cl_command_queue &queue);

private:
  cl_int runParts(_cl_command_queue &queue);
};

leno::Extent extentOf(const Word3 &sizes) { return {sizes[0], sizes[1], sizes[2]}; }

/// One after the other, as one launch has it: what they may take is for all.
cl_int Launch::runParts(_cl_command_queue &queue) {
  _cl_context &context = *program->context;
  if (!isUniform) {
    std::shared_ptr<Storage> &room = queue.wholeRoom;
    if (!room)
      room = context.allocate(sizeof(Whole), "sizes of work-groups");
    if (!room)
      return CL_OUT_OF_RESOURCES;
    config.hostWords[6] = std::uint32_t(room->buffer.address());
    config.hostWords[7] = std::uint32_t(room->buffer.address() >> 32);
  }
  std::uint64_t most = config.maximumInstructions, taken = 0;
  for (const Part &part : parts) {
    if (!isUniform && queue.wholeRoom->write(0, &part.whole, sizeof(part.whole)))
      return CL_OUT_OF_RESOURCES;
    config.grid = part.grid, config.block = part.block;
    std::copy(part.offset.begin(), part.offset.end(), config.hostWords.begin());
    if (most)
      config.maximumInstructions = std::max<std::uint64_t>(most - std::min(most, taken), 1);
    auto result = leno::launchWith(context.where(), kernel, config, arguments);
    if (!result) {
      context.tell(result.error().message());
      return CL_OUT_OF_RESOURCES;
    }
    if (result->trap) {
      context.tell("kernel '" + kernel.name() + "' trapped: " + result->trap->text);
      return CL_OUT_OF_RESOURCES;
    }
    taken += result->warpInstructions;
  }
  return CL_SUCCESS;
}

cl_int Launch::run(_cl_command_queue &queue) {
  _cl_context &context = *program->context;
  std::shared_ptr<Storage> &room = queue.printfRoom;
  if (!room) {
    room = context.allocate(printfBytes, "printf's buffer");
    if (!room || preparePrintf(*room))
      return CL_OUT_OF_RESOURCES;
  }
  config.hostWords[4] = std::uint32_t(room->buffer.address());
  config.hostWords[5] = std::uint32_t(room->buffer.address() >> 32);
  cl_int status = runParts(queue);
  if (std::string text = takePrinted(context, *room); !text.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
    if (preparePrintf(*room))
      return CL_OUT_OF_RESOURCES;
  }
  return status;
}

/// The watchdog: LENO_MAX_INSTRUCTIONS, warp instructions of a launch; 0: none.
std::uint64_t mostInstructions() {
  const char *told = std::getenv("LENO_MAX_INSTRUCTIONS");
  return told && *told ? std::strtoull(told, nullptr, 0) : 0;
}

/// Some size that divides the global one, of whole warps where it can be. Where the last groups may be
/// smaller and it would be less than a warp, it need not divide.
Size3 chooseBlock(const _cl_kernel &kernel, const Size3 &global, size_t most) {
  std::array<std::uint32_t, 3> made = kernel.kernel.block();
  if (made[0])
    return {made[0], made[1], made[2]};
  constexpr size_t wanted = 256;
  Size3 block = {1, 1, 1};
  size_t left = std::min(most, wanted);
  for (unsigned axis = 0; axis < 3; ++axis) {
    size_t best = 1;
    for (size_t size = 1; size <= std::min(left, global[axis]); ++size)
      if (global[axis] % size == 0)
        best = size;
    // Warps lie along x: less than all there may be, but a multiple of 32, uses their lanes.
    for (size_t size = best / 32 * 32; axis == 0 && size; size -= 32)
      if (global[0] % size == 0) {
        best = size;
        break;
      }
    if (axis == 0 && kernel.takesSeveralSizes && best < 32)
      best = std::min(std::max<size_t>(left / 32 * 32, 1), global[0]);
    block[axis] = best;
    left /= best;
  }
  return block;
}

/// Groups of each size: those of the whole size along an axis, and the last one, where it is smaller.
void divide(const Size3 &whole, const Size3 &block, const Size3 &from, Launch &launch) {
  auto word3 = [](const Size3 &sizes) {
    return Word3{std::uint32_t(sizes[0]), std::uint32_t(sizes[1]), std::uint32_t(sizes[2])};
  };
  Size3 groups;
  for (unsigned axis = 0; axis < 3; ++axis)
    groups[axis] = (whole[axis] + block[axis] - 1) / block[axis];
  for (unsigned last = 0; last < 8; ++last) { // a bit for each axis
    Size3 grid, size, before = {0, 0, 0}, first = from;
    for (unsigned axis = 0; axis < 3; ++axis) {
      grid[axis] = whole[axis] / block[axis], size[axis] = block[axis];
      if (!(last >> axis & 1))
        continue;
      before[axis] = grid[axis], first[axis] += grid[axis] * block[axis];
      grid[axis] = groups[axis] - before[axis], size[axis] = whole[axis] % block[axis];
    }
    if (grid[0] && grid[1] && grid[2])
      launch.parts.push_back({extentOf(word3(grid)),
                              extentOf(word3(size)),
                              word3(first),
                              {word3(before), word3(groups), word3(block), word3(whole), word3(from)}});
  }
}

/// Of sizes above 0: CL_SUCCESS and the machine's, or what is wrong.
cl_int sizesOf(const _cl_kernel &kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
               const size_t *local, Launch &launch) {
  Size3 whole = {1, 1, 1}, block = {1, 1, 1}, from = {0, 0, 0};
  constexpr size_t limit = size_t(1) << 32; // numbers of work-items are made of 32 bits
  for (cl_uint axis = 0; axis < dimensions; ++axis) {
    whole[axis] = global[axis];
    if (whole[axis] > limit)
      return CL_INVALID_GLOBAL_WORK_SIZE;
    from[axis] = offset ? offset[axis] : 0;
    if (from[axis] > limit - whole[axis])
      return CL_INVALID_GLOBAL_OFFSET;
  }
  size_t most = mostThreads(kernel);
  if (local)
    std::copy(local, local + dimensions, block.begin());
  else
    block = chooseBlock(kernel, whole, most);
  Word3 made = kernel.kernel.block();
  size_t threads = 1, groups = 1;
  constexpr size_t mostCtas = (size_t(1) << 31) - 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (made[0] && block[axis] != made[axis])
      return CL_INVALID_WORK_GROUP_SIZE;
    if (block[axis] == 0)
      return CL_INVALID_WORK_GROUP_SIZE;
    if (block[axis] > device().threadsOfCta)
      return CL_INVALID_WORK_ITEM_SIZE;
    if (whole[axis] % block[axis]) {
      if (!kernel.takesSeveralSizes)
        return CL_INVALID_WORK_GROUP_SIZE;
      launch.isUniform = false;
    }
    threads *= block[axis];
    size_t along = (whole[axis] + block[axis] - 1) / block[axis];
    if (along > mostCtas / groups)
      return CL_INVALID_GLOBAL_WORK_SIZE;
    groups *= along;
  }
  if (threads > most)
    return CL_INVALID_WORK_GROUP_SIZE;
  divide(whole, block, from, launch);
  launch.config.hostWords[3] = dimensions;
  return CL_SUCCESS;
}

leno::Argument argumentOf(const std::string &type, std::uint64_t bits) {
  if (type == "f32")
    return std::bit_cast<float>(std::uint32_t(bits));
  if (type == "f64")
    return std::bit_cast<double>(bits);
  if (type == "u8")
    return std::uint8_t(bits);
  if (type == "i8")
    return std::int8_t(bits);
  if (type == "u16")
    return std::uint16_t(bits);
  if (type == "i16")
    return std::int16_t(bits);
  if (type == "u32")
    return std::uint32_t(bits);
  if (type == "i32")
    return std::int32_t(bits);
  if (type == "i64")
    return std::int64_t(bits);
  return bits; // u64, and a pointer's address
}

/// The kernel's values as parameters. CL_SUCCESS, or what is wrong.
cl_int bind(_cl_kernel &kernel, Launch &launch) {
  std::lock_guard lock(kernel.mutex);
  std::uint64_t local = kernel.kernel.sharedBytes();
  std::uint64_t dynamic = (local + 15) / 16 * 16; // where LaunchConfig::sharedBytes begin
  std::uint64_t end = dynamic;
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const leno::SourceArgument &argument = kernel.arguments[i];
    const _cl_kernel::Value &value = kernel.values[i];
    if (!value.isSet)
      return CL_INVALID_KERNEL_ARGS;
    std::vector<std::byte> bytes = value.bytes;
    if (value.memory) {
      std::uint64_t address = value.memory->address();
      std::memcpy(bytes.data(), &address, sizeof(address));
      launch.memories.push_back(value.memory);
    } else if (argument.memory == Memory::Local) {
      end = (end + 127) / 128 * 128; // of the widest type
      bytes.resize(8);
      std::memcpy(bytes.data(), &end, sizeof(end));
      end += value.localBytes;
    }
    for (size_t part = 0; part < argument.offsets.size(); ++part) {
      const leno::Parameter &parameter = kernel.parameters[argument.first + part];
      std::uint64_t bits = 0;
      if (argument.offsets[part] + parameter.size <= bytes.size())
        std::memcpy(&bits, bytes.data() + argument.offsets[part], parameter.size);
      launch.arguments.push_back(argumentOf(parameter.type, bits));
    }
  }
  if (end > device().sharedBytes)
    return CL_OUT_OF_RESOURCES;
  if (end > dynamic)
    end = std::min<std::uint64_t>(roomFor(end), device().sharedBytes);
  launch.config.sharedBytes = std::uint32_t(end - dynamic);
  launch.reached = kernel.reached;
  return CL_SUCCESS;
}

cl_int enqueueKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                     const size_t *global, const size_t *local, cl_command_type type, const WaitList &wait) {
  if (!isGood(queue))
    return CL_INVALID_COMMAND_QUEUE;
  if (!isGood(kernel))
    return CL_INVALID_KERNEL;
  if (kernel->program->context.get() != queue->context.get())
    return CL_INVALID_CONTEXT;
  auto launch = std::make_shared<Launch>();
  launch->program = kernel->program;
  launch->kernel = kernel->kernel;
  launch->config.maximumInstructions = mostInstructions();
  if (cl_int wrong = bind(*kernel, *launch))
    return wrong;
  if (dimensions < 1 || dimensions > 3)
    return CL_INVALID_WORK_DIMENSION;
  if (!global || std::find(global, global + dimensions, 0) != global + dimensions)
    return enqueue(*queue, type, wait, false, nullptr); // no work-item, and no mistake since 2.1
  if (cl_int wrong = sizesOf(*kernel, dimensions, offset, global, local, *launch))
    return wrong;
  return enqueue(*queue, type, wait, false, [launch, queue] { return launch->run(*queue); });
}

} // namespace

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                          const size_t *offset, const size_t *global, const size_t *local,
                                          cl_uint count, const cl_event *events, cl_event *event) {
  return enqueueKernel(queue, kernel, dimensions, offset, global, local, CL_COMMAND_NDRANGE_KERNEL,
                       {count, events, event});
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count,
                                 const cl_event *events, cl_event *event) {
  size_t one = 1;
  return enqueueKernel(queue, kernel, 1, nullptr, &one, &one, CL_COMMAND_TASK, {count, events, event});
}

cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *)(void *), void *, size_t,
                                         cl_uint, const cl_mem *, const void **, cl_uint, const cl_event *,
                                         cl_event *) {
  return isGood(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

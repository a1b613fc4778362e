#include "runtime/opencl/Context.h"

#include "runtime/opencl/Info.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sys/mman.h>

using namespace leno::opencl;

namespace leno::opencl {

Storage::~Storage() {
  if (shared)
    munmap(shared, sharedBytes);
}

cl_int Storage::write(size_t offset, const void *from, size_t bytes) {
  if (bytes == 0)
    return CL_SUCCESS;
  std::span<const std::byte> data(static_cast<const std::byte *>(from), bytes);
  return buffer.write(offset, data) ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

cl_int Storage::read(size_t offset, void *to, size_t bytes) const {
  if (bytes == 0)
    return CL_SUCCESS;
  std::span<std::byte> data(static_cast<std::byte *>(to), bytes);
  return buffer.read(offset, data) ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

} // namespace leno::opencl

namespace {

/// Contexts that there are. Programs end without releasing them, and their profiles are written all the same.
class Living {
public:
  static Living &all() {
    static auto *one = new Living; // until the process ends
    return *one;
  }
  void enter(_cl_context *context) {
    std::lock_guard lock(mutex);
    if (!hears && std::getenv("LENO_PROFILE"))
      hears = std::atexit([] { all().writeProfiles(); }) == 0;
    contexts.insert(context);
  }
  void leave(_cl_context *context) {
    std::lock_guard lock(mutex);
    contexts.erase(context);
  }

private:
  void writeProfiles() {
    std::lock_guard lock(mutex);
    for (_cl_context *context : contexts)
      if (leno::Status status = context->machine->writeProfiles(); !status)
        std::fprintf(stderr, "leno: %s\n", status.error().message().c_str());
  }
  std::mutex mutex; ///< of what follows
  std::set<_cl_context *> contexts;
  bool hears = false;
};

} // namespace

_cl_context::_cl_context(std::shared_ptr<leno::Device> machine, std::optional<leno::Context> part)
    : machine(std::move(machine)), part(std::move(part)) {
  Living::all().enter(this);
}

_cl_context::~_cl_context() {
  Living::all().leave(this);
  for (auto it = atEnd.rbegin(); it != atEnd.rend(); ++it)
    (*it)();
}

void _cl_context::tell(const std::string &what) const {
  if (notify)
    notify(what.c_str(), nullptr, 0, notifyData);
  const char *messages = std::getenv("LENO_MESSAGES");
  if (!messages || std::string_view(messages) != "off")
    std::fprintf(stderr, "leno: %s\n", what.c_str());
}

std::uint64_t leno::opencl::roomFor(std::uint64_t bytes, std::uint64_t beyond) {
  const char *checks = std::getenv("LENO_CHECK");
  if (checks && *checks)
    return bytes;
  return (bytes + beyond + bufferAlignment - 1) / bufferAlignment * bufferAlignment;
}

std::shared_ptr<Storage> _cl_context::allocate(size_t bytes, const char *name) {
  bytes = roomFor(bytes, 4 * bufferAlignment);
  std::lock_guard lock(mutex);
  leno::Result<leno::Buffer> buffer = where().allocate(bytes, name);
  return buffer ? std::make_shared<Storage>(std::move(*buffer)) : nullptr;
}

std::shared_ptr<Storage> _cl_context::sharedAt(const void *pointer, size_t bytes, size_t &offset) {
  std::lock_guard lock(mutex);
  auto *at = static_cast<const std::byte *>(pointer);
  auto it = shared.upper_bound(at);
  if (it == shared.begin())
    return nullptr;
  const std::shared_ptr<Storage> &storage = std::prev(it)->second;
  auto within = size_t(at - storage->shared);
  if (within >= storage->sharedBytes || bytes > storage->sharedBytes - within)
    return nullptr;
  offset = storage->sharedOffset() + within;
  return storage;
}

namespace {

cl_int checkProperties(const cl_context_properties *properties) {
  std::vector<cl_context_properties> seen;
  for (; properties && *properties; properties += 2) {
    if (std::find(seen.begin(), seen.end(), *properties) != seen.end())
      return CL_INVALID_PROPERTY;
    seen.push_back(*properties);
    switch (*properties) {
    case CL_CONTEXT_PLATFORM:
      if (reinterpret_cast<cl_platform_id>(properties[1]) != &platform())
        return CL_INVALID_PLATFORM;
      break;
    case CL_CONTEXT_INTEROP_USER_SYNC:
      if (properties[1] != CL_TRUE && properties[1] != CL_FALSE)
        return CL_INVALID_PROPERTY;
      break;
    default:
      return CL_INVALID_PROPERTY;
    }
  }
  return CL_SUCCESS;
}

/// A machine of the device's; null: there is no room for it.
std::shared_ptr<leno::Device> newMachine() {
  leno::Result<leno::Device> machine = leno::Device::create(device().settings);
  return machine ? std::make_shared<leno::Device>(std::move(*machine)) : nullptr;
}

/// The one that contexts share while there is any of them.
std::shared_ptr<leno::Device> sharedMachine() {
  static auto *mutex = new std::mutex;
  static auto *current = new std::weak_ptr<leno::Device>;
  std::lock_guard lock(*mutex);
  std::shared_ptr<leno::Device> machine = current->lock();
  if (!machine)
    *current = machine = newMachine();
  return machine;
}

cl_context create(const cl_context_properties *properties, _cl_context::Notify notify, void *data,
                  cl_int *error) {
  if (cl_int wrong = checkProperties(properties))
    return fail<_cl_context>(wrong, error);
  if (!notify && data)
    return fail<_cl_context>(CL_INVALID_VALUE, error);
  std::shared_ptr<leno::Device> machine = device().isShared ? sharedMachine() : newMachine();
  if (!machine)
    return fail<_cl_context>(CL_DEVICE_NOT_AVAILABLE, error);
  std::optional<leno::Context> part;
  if (device().isShared) {
    leno::Result<leno::Context> made = machine->createContext();
    if (!made) {
      if (notify)
        notify(made.error().message().c_str(), nullptr, 0, data);
      return fail<_cl_context>(CL_OUT_OF_RESOURCES, error);
    }
    part.emplace(std::move(*made));
  }
  auto *context = new _cl_context(std::move(machine), std::move(part));
  for (auto *next = properties; next && *next; next += 2)
    context->properties.insert(context->properties.end(), {next[0], next[1]});
  if (properties)
    context->properties.push_back(0);
  context->notify = notify;
  context->notifyData = data;
  succeed(error);
  return give(context);
}

} // namespace

cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties, cl_uint count,
                                       const cl_device_id *devices, _cl_context::Notify notify, void *data,
                                       cl_int *error) {
  if (!devices || count == 0)
    return fail<_cl_context>(CL_INVALID_VALUE, error);
  for (cl_uint i = 0; i < count; ++i)
    if (!isDevice(devices[i]))
      return fail<_cl_context>(CL_INVALID_DEVICE, error);
  return create(properties, notify, data, error);
}

cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties *properties, cl_device_type type,
                                               _cl_context::Notify notify, void *data, cl_int *error) {
  constexpr cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                   CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  if (type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~known)))
    return fail<_cl_context>(CL_INVALID_DEVICE_TYPE, error);
  if (!(type & (CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_GPU)) || !device().mistake.empty())
    return fail<_cl_context>(CL_DEVICE_NOT_FOUND, error);
  return create(properties, notify, data, error);
}

cl_int CL_API_CALL clRetainContext(cl_context context) { return retain(context, CL_INVALID_CONTEXT); }
cl_int CL_API_CALL clReleaseContext(cl_context context) { return release(context, CL_INVALID_CONTEXT); }

cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info what, size_t room, void *value,
                                    size_t *size) {
  if (!isGood(context))
    return CL_INVALID_CONTEXT;
  Answer answer(room, value, size);
  switch (what) {
  case CL_CONTEXT_REFERENCE_COUNT:
    return answer.of<cl_uint>(context->users);
  case CL_CONTEXT_NUM_DEVICES:
    return answer.of<cl_uint>(1);
  case CL_CONTEXT_DEVICES:
    return answer.of<cl_device_id>(&device());
  case CL_CONTEXT_PROPERTIES:
    return answer.list(context->properties);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clSetContextDestructorCallback(cl_context context,
                                                  void(CL_CALLBACK *function)(cl_context, void *), void *data) {
  if (!isGood(context))
    return CL_INVALID_CONTEXT;
  if (!function)
    return CL_INVALID_VALUE;
  std::lock_guard lock(context->mutex);
  context->atEnd.push_back([=] { function(context, data); });
  return CL_SUCCESS;
}

// The C functions: each is the C++ function of the same meaning, with its error kept for the thread.
#include "runtime/host/CHandles.h"
#include <cstring>

using namespace leno::host::c;

static thread_local std::string lastError;

leno_status leno::host::c::fail(const std::string &message, leno_status status) {
  lastError = message;
  return status;
}

leno::host::Result<std::vector<std::string>> leno::host::c::settingsOf(const char *const *settings,
                                                                       size_t count, const char *function) {
  if (count && !settings)
    return Error(std::string(function) + ": settings is NULL");
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    if (!settings[i])
      return Error(std::string(function) + ": setting " + std::to_string(i) + " is NULL");
    texts.push_back(settings[i]);
  }
  return texts;
}

static leno_status giveKernel(host::Result<host::Kernel> result, leno_kernel **kernel) {
  if (!result)
    return fail(result.error().message());
  *kernel = new leno_kernel{*result, result->name(), result->signature(), result->parameters()};
  return LENO_OK;
}

extern "C" {

const char *leno_last_error(void) { return lastError.c_str(); }
const char *leno_version(void) { return LENO_VERSION; }

//===--- The machine and its memory ------------------------------------------===//

leno_status leno_device_create(const char *const *settings, size_t count, leno_device **device) {
  LENO_NEED(device);
  host::Result<std::vector<std::string>> texts = settingsOf(settings, count, __func__);
  if (!texts)
    return fail(texts.error().message());
  return give(host::Device::create(*texts), device);
}

void leno_device_destroy(leno_device *device) { delete device; }

leno_status leno_device_setting(const leno_device *device, const char *key, uint64_t *value) {
  LENO_NEED(device);
  LENO_NEED(key);
  LENO_NEED(value);
  for (const host::Device::Setting &setting : device->value.settings())
    if (setting.key == key) {
      *value = setting.value;
      return LENO_OK;
    }
  return fail(std::string("the machine has no setting '") + key + "'");
}

uint64_t leno_device_bytes_allocated(const leno_device *device) {
  return device ? device->value.bytesAllocated() : 0;
}

leno_status leno_buffer_create(leno_device *device, uint64_t bytes, const char *name, leno_buffer **buffer) {
  LENO_NEED(device);
  LENO_NEED(buffer);
  return give(device->value.allocate(bytes, name ? name : "buffer"), buffer);
}

void leno_buffer_destroy(leno_buffer *buffer) { delete buffer; }
uint64_t leno_buffer_address(const leno_buffer *buffer) { return buffer ? buffer->value().address() : 0; }
uint64_t leno_buffer_size(const leno_buffer *buffer) { return buffer ? buffer->value().size() : 0; }

leno_status leno_buffer_write(leno_buffer *buffer, uint64_t offset, const void *data, uint64_t bytes) {
  LENO_NEED(buffer);
  if (bytes)
    LENO_NEED(data);
  if (buffer->channels)
    return fail("leno_buffer_write: a channel's buffer is written by its messages");
  return statusOf(buffer->own.write(offset, bytesAt(data, bytes)));
}

leno_status leno_buffer_read(const leno_buffer *buffer, uint64_t offset, void *data, uint64_t bytes) {
  LENO_NEED(buffer);
  if (bytes)
    LENO_NEED(data);
  return statusOf(buffer->value().read(offset, bytesAt(data, bytes)));
}

//===--- Programs -------------------------------------------------------------===//

leno_status leno_module_load(const char *path, leno_module **module) {
  LENO_NEED(path);
  LENO_NEED(module);
  return give(host::Module::load(path), module);
}

leno_status leno_module_assemble(const char *source, const char *name, leno_module **module) {
  LENO_NEED(source);
  LENO_NEED(module);
  return give(host::Module::assemble(source, name ? name : "<source>"), module);
}

void leno_module_destroy(leno_module *module) { delete module; }
size_t leno_module_kernel_count(const leno_module *module) {
  return module ? module->value.kernels().size() : 0;
}

leno_status leno_module_kernel(const leno_module *module, const char *name, leno_kernel **kernel) {
  LENO_NEED(module);
  LENO_NEED(kernel);
  return giveKernel(module->value.kernel(name ? name : ""), kernel);
}

leno_status leno_module_kernel_at(const leno_module *module, size_t index, leno_kernel **kernel) {
  LENO_NEED(module);
  LENO_NEED(kernel);
  std::vector<host::Kernel> kernels = module->value.kernels();
  if (index >= kernels.size())
    return fail("there is no kernel " + std::to_string(index) + ": the module has " +
                std::to_string(kernels.size()));
  return giveKernel(kernels[index], kernel);
}

void leno_kernel_destroy(leno_kernel *kernel) { delete kernel; }
const char *leno_kernel_name(const leno_kernel *kernel) { return kernel ? kernel->name.c_str() : ""; }
const char *leno_kernel_signature(const leno_kernel *kernel) {
  return kernel ? kernel->signature.c_str() : "";
}
unsigned leno_kernel_registers(const leno_kernel *kernel) { return kernel ? kernel->value.registers() : 0; }
uint32_t leno_kernel_shared_bytes(const leno_kernel *kernel) {
  return kernel ? kernel->value.sharedBytes() : 0;
}
size_t leno_kernel_parameter_count(const leno_kernel *kernel) {
  return kernel ? kernel->parameters.size() : 0;
}

leno_status leno_kernel_parameter(const leno_kernel *kernel, size_t index, leno_parameter *parameter) {
  LENO_NEED(kernel);
  LENO_NEED(parameter);
  if (index >= kernel->parameters.size())
    return fail("kernel " + kernel->signature + " has no parameter " + std::to_string(index));
  const host::Parameter &from = kernel->parameters[index];
  *parameter = {from.name.c_str(), from.type.c_str(), from.offset, from.size};
  return LENO_OK;
}

} // extern "C"

//===--- Launches -------------------------------------------------------------===//

static host::Result<host::Argument> argumentOf(const leno_argument &from, size_t index) {
  unsigned type; // C may put any number there, which an enumeration of C++ cannot hold
  static_assert(sizeof(type) == sizeof(from.type));
  std::memcpy(&type, &from.type, sizeof(type));
  switch (type) {
  case LENO_U8:
    return host::Argument(uint8_t(from.value.u));
  case LENO_I8:
    return host::Argument(int8_t(from.value.i));
  case LENO_U16:
    return host::Argument(uint16_t(from.value.u));
  case LENO_I16:
    return host::Argument(int16_t(from.value.i));
  case LENO_U32:
    return host::Argument(uint32_t(from.value.u));
  case LENO_I32:
    return host::Argument(int32_t(from.value.i));
  case LENO_U64:
    return host::Argument(uint64_t(from.value.u));
  case LENO_I64:
    return host::Argument(int64_t(from.value.i));
  case LENO_F32:
    return host::Argument(from.value.f32);
  case LENO_F64:
    return host::Argument(from.value.f64);
  case LENO_PTR:
    if (!from.value.buffer)
      return host::Error("argument " + std::to_string(index + 1) + " is a buffer that is NULL");
    return host::Argument(from.value.buffer->value());
  }
  return host::Error("argument " + std::to_string(index + 1) + " has the type " + std::to_string(type) +
                     ", which is no leno_type");
}

static host::Result<Launch> launchOf(const leno_launch_config *config, const leno_argument *arguments,
                                     size_t count) {
  Launch launch;
  leno_launch_config from = config ? *config : leno_launch_defaults();
  launch.config.grid = {from.grid[0], from.grid[1], from.grid[2]};
  launch.config.block = {from.block[0], from.block[1], from.block[2]};
  launch.config.maximumInstructions = from.maximum_instructions;
  launch.config.threads = from.threads;
  launch.config.tier = from.tier ? from.tier : "";
  launch.config.statistics = from.statistics != 0;
  launch.config.sharedBytes = from.shared_bytes;
  launch.config.overlap = from.overlap != 0;
  launch.config.stackDepth = from.stack_depth;
  launch.config.checks = from.checks ? from.checks : "";
  launch.config.profile = from.profile ? from.profile : "";
  if ((from.channel_count && !from.channels) || (count && !arguments))
    return host::Error("a launch with a count and no array: the channels or the arguments are NULL");
  for (size_t i = 0; i < from.channel_count; ++i) {
    if (!from.channels[i])
      return host::Error("channel " + std::to_string(i) + " of a launch is NULL");
    launch.config.channels.push_back(&from.channels[i]->value);
  }
  launch.config.message = from.message ? &from.message->value : nullptr;
  for (size_t i = 0; i < count; ++i) {
    host::Result<host::Argument> argument = argumentOf(arguments[i], i);
    if (!argument)
      return argument.error();
    launch.arguments.push_back(*argument);
  }
  return launch;
}

leno::host::Result<Launch> leno::host::c::launchOf(const leno_kernel &kernel,
                                                   const leno_launch_config *config,
                                                   const leno_argument *arguments, size_t count) {
  Result<Launch> launch = ::launchOf(config, arguments, count);
  return launch ? launch : Error("kernel '" + kernel.name + "': " + launch.error().message());
}

namespace {
/// What a leno_result points to.
struct OwnedStrings {
  std::optional<host::TrapInfo> trap;
  std::vector<host::Finding> findings;
  std::vector<leno_finding> told;
};
} // namespace

leno_status leno::host::c::giveResult(const std::string &kernel, const Result<LaunchResult> &from,
                                      leno_result *result) {
  if (!from)
    return fail(from.error().message());
  if (result) {
    *result = {};
    result->warp_instructions = from->warpInstructions;
    if (const std::optional<host::LaunchStatistics> &s = from->statistics) {
      result->has_statistics = 1;
      result->statistics = {s->ctas,
                            s->warps,
                            s->warpInstructions,
                            s->laneOperations,
                            s->branches,
                            s->divergentBranches,
                            s->stackPushes,
                            s->stackPops,
                            s->maxStackDepth,
                            s->stackEntriesSpilled,
                            s->stackEntriesRestored,
                            s->stackStallCycles,
                            s->globalBytesLoaded,
                            s->globalBytesStored,
                            s->barrierArrivals,
                            s->cycles,
                            s->l2Requests,
                            s->l2Hits,
                            s->hostRequests,
                            s->hostHits};
    }
    if (!from->trap && from->findings.empty())
      return LENO_OK;
    auto *owned = new OwnedStrings{from->trap, from->findings, {}};
    result->owned = owned;
    for (const host::Finding &finding : owned->findings)
      owned->told.push_back({finding.check.c_str(), finding.kind.c_str(), finding.text.c_str(),
                             finding.file.empty() ? nullptr : finding.file.c_str(), finding.line,
                             finding.count});
    result->findings = owned->told.data();
    result->finding_count = owned->told.size();
    if (const std::optional<host::TrapInfo> &trap = owned->trap) {
      result->trapped = 1;
      result->trap_kind = trap->kind.c_str();
      result->trap_text = trap->text.c_str();
      result->trap_label = trap->label.c_str();
      result->trap_file = trap->file.empty() ? nullptr : trap->file.c_str();
      result->trap_line = trap->line;
      result->trap_pc = trap->pc;
      for (int axis = 0; axis < 3; ++axis)
        result->trap_cta[axis] = trap->cta[size_t(axis)];
      result->trap_warp = trap->warp;
      result->trap_lanes = trap->lanes;
      result->trap_has_address = trap->address.has_value();
      result->trap_address = trap->address.value_or(0);
    }
  }
  return from->trap ? fail("kernel '" + kernel + "': " + from->trap->text, LENO_TRAP) : LENO_OK;
}

extern "C" {

leno_launch_config leno_launch_defaults(void) {
  host::LaunchConfig usual;
  leno_launch_config config{};
  std::fill_n(config.grid, 3, 1);
  std::fill_n(config.block, 3, 1);
  config.maximum_instructions = usual.maximumInstructions;
  config.threads = usual.threads;
  config.statistics = usual.statistics;
  return config;
}

void leno_result_clear(leno_result *result) {
  if (!result)
    return;
  delete static_cast<OwnedStrings *>(result->owned);
  *result = {};
}

leno_status leno_launch(leno_device *device, const leno_kernel *kernel, const leno_launch_config *config,
                        const leno_argument *arguments, size_t count, leno_result *result) {
  LENO_NEED(device);
  LENO_NEED(kernel);
  host::Result<Launch> launch = launchOf(*kernel, config, arguments, count);
  if (!launch)
    return fail(launch.error().message());
  return giveResult(kernel->name,
                    host::launchWith(device->value, kernel->value, launch->config, launch->arguments),
                    result);
}

//===--- Streams --------------------------------------------------------------===//

leno_status leno_stream_create(leno_device *device, leno_stream **stream) {
  LENO_NEED(device);
  LENO_NEED(stream);
  return give(host::Stream::create(device->value), stream);
}

void leno_stream_destroy(leno_stream *stream) { delete stream; }

leno_status leno_stream_launch(leno_stream *stream, const leno_kernel *kernel,
                               const leno_launch_config *config, const leno_argument *arguments, size_t count,
                               leno_pending **pending) {
  LENO_NEED(stream);
  LENO_NEED(kernel);
  host::Result<Launch> launch = launchOf(*kernel, config, arguments, count);
  if (!launch)
    return fail(launch.error().message());
  host::Result<host::PendingLaunch> taken =
      stream->value.launchWith(kernel->value, launch->config, launch->arguments);
  if (!taken)
    return fail(taken.error().message());
  if (pending)
    *pending = new leno_pending{*taken, kernel->name};
  return LENO_OK;
}

leno_status leno_stream_write(leno_stream *stream, const leno_buffer *buffer, uint64_t offset,
                              const void *data, uint64_t bytes) {
  LENO_NEED(stream);
  LENO_NEED(buffer);
  if (bytes)
    LENO_NEED(data);
  return statusOf(stream->value.write(buffer->value(), offset, bytesAt(data, bytes)));
}

leno_status leno_stream_read(leno_stream *stream, const leno_buffer *buffer, uint64_t offset, void *data,
                             uint64_t bytes) {
  LENO_NEED(stream);
  LENO_NEED(buffer);
  if (bytes)
    LENO_NEED(data);
  return statusOf(stream->value.read(buffer->value(), offset, bytesAt(data, bytes)));
}

leno_status leno_stream_write_constants(leno_stream *stream, const leno_module *module, unsigned bank,
                                        uint32_t offset, const void *data, uint64_t bytes) {
  LENO_NEED(stream);
  LENO_NEED(module);
  if (bytes)
    LENO_NEED(data);
  return statusOf(stream->value.writeConstants(module->value, bank, offset, bytesAt(data, bytes)));
}

leno_status leno_stream_record(leno_stream *stream, leno_event *event) {
  LENO_NEED(stream);
  LENO_NEED(event);
  return statusOf(stream->value.record(event->value));
}

leno_status leno_stream_wait(leno_stream *stream, const leno_event *event) {
  LENO_NEED(stream);
  LENO_NEED(event);
  return statusOf(stream->value.wait(event->value));
}

leno_status leno_stream_call(leno_stream *stream, void (*function)(void *data), void *data) {
  LENO_NEED(stream);
  LENO_NEED(function);
  return statusOf(stream->value.call([=] { function(data); }));
}

int leno_stream_is_idle(const leno_stream *stream) { return !stream || stream->value.isIdle(); }

leno_status leno_stream_synchronize(leno_stream *stream) {
  LENO_NEED(stream);
  return statusOf(stream->value.synchronize());
}

leno_status leno_stream_reset(leno_stream *stream) {
  LENO_NEED(stream);
  return statusOf(stream->value.reset());
}

leno_status leno_event_create(leno_event **event) {
  LENO_NEED(event);
  *event = new leno_event;
  return LENO_OK;
}

void leno_event_destroy(leno_event *event) { delete event; }
int leno_event_is_done(const leno_event *event) { return !event || event->value.isDone(); }

leno_status leno_event_synchronize(const leno_event *event) {
  LENO_NEED(event);
  return statusOf(event->value.synchronize());
}

leno_status leno_pending_wait(const leno_pending *pending, leno_result *result) {
  LENO_NEED(pending);
  return giveResult(pending->kernel, pending->value.wait(), result);
}

int leno_pending_is_done(const leno_pending *pending) { return !pending || pending->value.isDone(); }

leno_status leno_pending_cycles(const leno_pending *pending, leno_launch_cycles *cycles) {
  LENO_NEED(pending);
  LENO_NEED(cycles);
  host::LaunchCycles its = pending->value.cycles();
  *cycles = {its.decoded.value_or(LENO_NOT_YET), its.started.value_or(LENO_NOT_YET),
             its.ended.value_or(LENO_NOT_YET)};
  return LENO_OK;
}

void leno_pending_destroy(leno_pending *pending) { delete pending; }

} // extern "C"

// The C functions of several contexts on one machine.
#include "runtime/host/CHandles.h"

using namespace leno::host::c;

extern "C" {

//===--- The machine ----------------------------------------------------------===//

uint64_t leno_device_cycle(const leno_device *device) { return device ? device->value.cycle() : 0; }

leno_status leno_device_run(leno_device *device, uint64_t cycles, leno_run_stop *stop) {
  LENO_NEED(device);
  host::Result<host::RunStop> stopped = device->value.run(cycles);
  if (!stopped)
    return fail(stopped.error().message());
  if (stop)
    *stop = *stopped == host::RunStop::Idle    ? LENO_IDLE
            : *stopped == host::RunStop::Cycle ? LENO_CYCLE
                                               : LENO_STUCK;
  return LENO_OK;
}

leno_status leno_device_run_until_idle(leno_device *device) {
  LENO_NEED(device);
  return statusOf(device->value.runUntilIdle());
}

leno_status leno_device_kill(leno_device *device, leno_context *context, const char *why) {
  LENO_NEED(device);
  LENO_NEED(context);
  return statusOf(why ? device->value.kill(context->value(), why) : device->value.kill(context->value()));
}

leno_status leno_device_release(leno_device *device, uint32_t semaphore, uint64_t value) {
  LENO_NEED(device);
  return statusOf(device->value.release(semaphore, value));
}

uint64_t leno_device_semaphore(const leno_device *device, uint32_t semaphore) {
  return device ? device->value.semaphore(semaphore) : 0;
}

size_t leno_device_waits(const leno_device *device, char *text, size_t size) {
  std::string waits = device ? device->value.waits() : "";
  if (text && size)
    text[waits.copy(text, size - 1)] = 0;
  return waits.size();
}

leno_status leno_device_on_event(leno_device *device,
                                 void (*function)(const leno_context_event *event, void *data), void *data) {
  LENO_NEED(device);
  if (!function)
    return statusOf(device->value.onEvent(nullptr));
  return statusOf(device->value.onEvent([=](const host::ContextEvent &event) {
    leno_context_event told = {event.cycle, event.context.c_str(), event.kind.c_str(), event.text.c_str()};
    function(&told, data);
  }));
}

//===--- A context and its stream ---------------------------------------------===//

leno_status leno_context_create(leno_device *device, const leno_context_settings *settings,
                                leno_context **context) {
  LENO_NEED(device);
  LENO_NEED(context);
  host::ContextSettings wanted;
  if (settings)
    wanted = {settings->name ? settings->name : "", settings->priority, settings->sms, settings->watchdog,
              settings->stack_depth};
  return give(device->value.createContext(wanted), context);
}

leno_context *leno_device_context(leno_device *device) { return device ? &device->context : nullptr; }

void leno_context_destroy(leno_context *context) {
  if (context && !context->devices)
    delete context;
}

leno_status leno_context_buffer_create(leno_context *context, uint64_t bytes, const char *name,
                                       leno_buffer **buffer) {
  LENO_NEED(context);
  LENO_NEED(buffer);
  return give(context->value().allocate(bytes, name ? name : "buffer"), buffer);
}

leno_status leno_context_buffer_create_on_demand(leno_context *context, uint64_t bytes, const char *name,
                                                 leno_buffer **buffer) {
  LENO_NEED(context);
  LENO_NEED(buffer);
  return give(context->value().allocateOnDemand(bytes, name ? name : "buffer"), buffer);
}

leno_status leno_context_channel_create(leno_context *context, uint32_t slots, uint32_t words,
                                        leno_channel **channel) {
  LENO_NEED(context);
  LENO_NEED(channel);
  return give(host::MessageChannel::create(context->value(), slots, words), channel);
}

leno_status leno_context_stream_create(leno_context *context, leno_stream **stream) {
  LENO_NEED(context);
  LENO_NEED(stream);
  return give(host::Stream::create(context->value()), stream);
}

leno_status leno_context_launch(leno_context *context, const leno_kernel *kernel,
                                const leno_launch_config *config, const leno_argument *arguments,
                                size_t count, leno_pending **pending) {
  LENO_NEED(context);
  LENO_NEED(kernel);
  host::Result<Launch> launch = launchOf(*kernel, config, arguments, count);
  if (!launch)
    return fail(launch.error().message());
  host::Result<host::PendingLaunch> taken =
      context->value().launchWith(kernel->value, launch->config, launch->arguments);
  if (!taken)
    return fail(taken.error().message());
  if (pending)
    *pending = new leno_pending{*taken, kernel->name};
  return LENO_OK;
}

leno_status leno_context_write(leno_context *context, const leno_buffer *buffer, uint64_t offset,
                               const void *data, uint64_t bytes) {
  LENO_NEED(context);
  LENO_NEED(buffer);
  if (bytes)
    LENO_NEED(data);
  return statusOf(context->value().write(buffer->value(), offset, bytesAt(data, bytes)));
}

leno_status leno_context_read(leno_context *context, const leno_buffer *buffer, uint64_t offset, void *data,
                              uint64_t bytes) {
  LENO_NEED(context);
  LENO_NEED(buffer);
  if (bytes)
    LENO_NEED(data);
  return statusOf(context->value().read(buffer->value(), offset, bytesAt(data, bytes)));
}

leno_status leno_context_copy(leno_context *context, const leno_buffer *from, uint64_t from_offset,
                              const leno_buffer *to, uint64_t to_offset, uint64_t bytes) {
  LENO_NEED(context);
  LENO_NEED(from);
  LENO_NEED(to);
  return statusOf(context->value().copy(from->value(), from_offset, to->value(), to_offset, bytes));
}

leno_status leno_context_write_constants(leno_context *context, const leno_module *module, unsigned bank,
                                         uint32_t offset, const void *data, uint64_t bytes) {
  LENO_NEED(context);
  LENO_NEED(module);
  if (bytes)
    LENO_NEED(data);
  return statusOf(context->value().writeConstants(module->value, bank, offset, bytesAt(data, bytes)));
}

leno_status leno_context_release(leno_context *context, uint32_t semaphore, uint64_t value) {
  LENO_NEED(context);
  return statusOf(context->value().release(semaphore, value));
}

leno_status leno_context_acquire(leno_context *context, uint32_t semaphore, uint64_t value) {
  LENO_NEED(context);
  return statusOf(context->value().acquire(semaphore, value));
}

leno_status leno_context_sync_token(leno_context *context, uint32_t tile_x, uint32_t tile_y) {
  LENO_NEED(context);
  return statusOf(context->value().syncToken(tile_x, tile_y));
}

leno_status leno_context_remap(leno_context *context, uint32_t tile_x, uint32_t tile_y) {
  LENO_NEED(context);
  return statusOf(context->value().remap(tile_x, tile_y));
}

leno_status leno_context_set_priority(leno_context *context, int priority) {
  LENO_NEED(context);
  return statusOf(context->value().setPriority(priority));
}

leno_status leno_context_set_sms(leno_context *context, uint64_t sms) {
  LENO_NEED(context);
  return statusOf(context->value().setSms(sms));
}

int leno_context_is_idle(const leno_context *context) { return !context || context->value().isIdle(); }

leno_status leno_context_synchronize(leno_context *context) {
  LENO_NEED(context);
  return statusOf(context->value().synchronize());
}

leno_status leno_context_status(const leno_context *context) {
  LENO_NEED(context);
  return statusOf(context->value().status());
}

leno_status leno_context_get_counts(const leno_context *context, leno_context_counts *counts) {
  LENO_NEED(context);
  LENO_NEED(counts);
  host::ContextCounts c = context->value().counts();
  *counts = {c.commands,     c.warpInstructions, c.runCycles,     c.blockedCycles,
             c.smCycles,     c.switchCycles,     c.saves,         c.restores,
             c.drains,       c.savedBytes,       c.restoredBytes, c.pageFaults,
             c.slicesGained, c.slicesLost,       c.l2Requests,    c.l2Hits};
  return LENO_OK;
}

unsigned leno_context_sms(const leno_context *context) { return context ? context->value().sms() : 0; }

} // extern "C"

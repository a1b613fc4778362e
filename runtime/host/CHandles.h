// What stands behind the handles of leno-c/leno.h, and what its functions share.
#pragma once

#include "leno/Leno.h"

#include "leno-c/leno.h"

#include <string>
#include <vector>

namespace host = leno::host;

struct leno_context {
  host::Context own;
  host::Context *devices = nullptr; ///< a device's own, shown to C as a context
  host::Context &value() { return devices ? *devices : own; }
  const host::Context &value() const { return devices ? *devices : own; }
};
struct leno_device {
  host::Device value;
  leno_context context{host::Context(), &value.context()};
};
struct leno_buffer {
  host::Buffer own;
  const host::Buffer *channels = nullptr; ///< a channel's, shown to C as a buffer
  const host::Buffer &value() const { return channels ? *channels : own; }
};
struct leno_module {
  host::Module value;
};
struct leno_kernel {
  host::Kernel value;
  std::string name, signature;
  std::vector<host::Parameter> parameters;
};
struct leno_channel {
  host::MessageChannel value;
  leno_buffer buffer{{}, &value.buffer()};
};
struct leno_script {
  host::HostScript value;
};
struct leno_stream {
  host::Stream value;
};
struct leno_event {
  host::Event value;
};
struct leno_pending {
  host::PendingLaunch value;
  std::string kernel;
};

namespace leno::host::c {

/// Keeps the message for the thread.
leno_status fail(const std::string &message, leno_status status = LENO_ERROR);

inline leno_status statusOf(const Status &status) {
  return status ? LENO_OK : fail(status.error().message());
}

/// The first handle that is NULL, as an error.
#define LENO_NEED(pointer)                                                                                   \
  if (!(pointer))                                                                                            \
  return fail(std::string(__func__) + ": " #pointer " is NULL")

/// Puts a value behind a handle of its own.
template <class Handle, class T> leno_status give(Result<T> result, Handle **handle) {
  if (!result)
    return fail(result.error().message());
  *handle = new Handle{std::move(*result)};
  return LENO_OK;
}

/// Settings as the C++ API takes them; `function` is for the message of one that is NULL.
Result<std::vector<std::string>> settingsOf(const char *const *settings, size_t count, const char *function);

/// A launch as the C++ API takes it. The error names the kernel.
struct Launch {
  LaunchConfig config;
  std::vector<Argument> arguments;
};
Result<Launch> launchOf(const leno_kernel &kernel, const leno_launch_config *config,
                        const leno_argument *arguments, size_t count);
leno_status giveResult(const std::string &kernel, const Result<LaunchResult> &from, leno_result *result);

inline std::span<const std::byte> bytesAt(const void *data, uint64_t bytes) {
  return {static_cast<const std::byte *>(data), size_t(bytes)};
}
inline std::span<std::byte> bytesAt(void *data, uint64_t bytes) {
  return {static_cast<std::byte *>(data), size_t(bytes)};
}

} // namespace leno::host::c

// Streams, channels and launches under way as Python holds them.
#pragma once

#include "runtime/python/Binding.h"

namespace leno::python {

struct StreamHandle {
  StreamHandle(std::shared_ptr<Memory> owner, host::Stream stream)
      : owner(std::move(owner)), stream(new host::Stream(std::move(stream))) {}
  const std::shared_ptr<Memory> owner;
  const std::unique_ptr<host::Stream, WithoutGil> stream;
};

struct ChannelHandle {
  std::shared_ptr<Memory> owner;
  host::MessageChannel channel;
};

struct PendingHandle {
  std::shared_ptr<Memory> owner;
  host::PendingLaunch launch;
};

} // namespace leno::python

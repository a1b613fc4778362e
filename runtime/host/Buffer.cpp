#include "runtime/host/ContextState.h"

#include "leno/Buffer.h"

namespace leno::host {

static std::string bytesText(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

Buffer::Buffer(Buffer &&other) noexcept
    : device(std::move(other.device)), label(std::move(other.label)), base(std::exchange(other.base, 0)),
      bytes(std::exchange(other.bytes, 0)) {
  other.device.reset();
}

Buffer &Buffer::operator=(Buffer &&other) noexcept {
  if (this != &other) {
    free();
    device = std::move(other.device);
    other.device.reset();
    label = std::move(other.label);
    base = std::exchange(other.base, 0);
    bytes = std::exchange(other.bytes, 0);
  }
  return *this;
}

Buffer::~Buffer() { free(); }

void Buffer::free() {
  if (std::shared_ptr<ContextState> state = device.lock(); state && bytes)
    state->release(base);
  device.reset();
  base = bytes = 0;
}

bool Buffer::valid() const {
  std::shared_ptr<ContextState> state = bytes ? device.lock() : nullptr;
  return state && !state->isGone();
}

Error Buffer::outside(std::uint64_t first, std::uint64_t elementBytes) const {
  return Error("buffer '" + label + "': element " + std::to_string(first) + " of " + bytesText(elementBytes) +
               " each is past the buffer's end (" + bytesText(bytes) + ")");
}

Error Buffer::notElements(std::uint64_t elementBytes) const {
  return Error("buffer '" + label + "' of " + bytesText(bytes) + " is not a whole number of elements of " +
               bytesText(elementBytes) + "; download a part of it into a span");
}

Result<std::shared_ptr<ContextState>> Buffer::check(const char *what, std::uint64_t offset,
                                                    std::uint64_t count) const {
  if (bytes == 0)
    return Error("cannot " + std::string(what) + " buffer '" + label +
                 "': it holds no memory (never allocated, freed, or moved from)");
  std::shared_ptr<ContextState> state = device.lock();
  if (!state)
    return Error("cannot " + std::string(what) + " buffer '" + label +
                 "': its device is gone, or its context; keep them as long as their buffers");
  if (Status open = state->checkMemory(); !open)
    return Error("cannot " + std::string(what) + " buffer '" + label + "': " + open.error().message());
  if (offset > bytes || count > bytes - offset)
    return Error("cannot " + std::string(what) + " buffer '" + label + "': " + bytesText(count) +
                 " at byte " + std::to_string(offset) + " pass its end (" + bytesText(bytes) + ")");
  return state;
}

Status Buffer::write(std::uint64_t offset, std::span<const std::byte> data) {
  Result<std::shared_ptr<ContextState>> state = check("write", offset, data.size());
  return state ? (*state)->writeNow(base + offset, data) : Status(state.error());
}

Status Buffer::read(std::uint64_t offset, std::span<std::byte> data) const {
  Result<std::shared_ptr<ContextState>> state = check("read", offset, data.size());
  return state ? (*state)->readNow(base + offset, data) : Status(state.error());
}

void Buffer::writeByRunner(std::uint64_t offset, std::span<const std::byte> data) {
  auto *from = reinterpret_cast<const uint8_t *>(data.data());
  std::shared_ptr<ContextState> state = device.lock();
  llvm::cantFail(state->device.memory().write(base + offset, {from, data.size()}, /*isMessage=*/true),
                 "whoever runs the kernel knows the buffer's bounds");
}

void Buffer::readByRunner(std::uint64_t offset, std::span<std::byte> data) const {
  auto *to = reinterpret_cast<uint8_t *>(data.data());
  std::shared_ptr<ContextState> state = device.lock();
  llvm::cantFail(state->device.memory().read(base + offset, {to, data.size()}, /*isMessage=*/true),
                 "whoever runs the kernel knows the buffer's bounds");
}

} // namespace leno::host

//===- InputFile.cpp - Whole files, as every tool reads them --------------===//
#include "asm/support/InputFile.h"

#include "asm/support/RunFiles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace leno {

static Error lastError() {
  return createStringError(std::error_code(errno, std::generic_category()).message());
}

static Error tooLarge(uint64_t limit) {
  return createStringError("it holds more than " + Twine(limit) + " bytes, the most that can be read here");
}

namespace {
class Descriptor {
public:
  explicit Descriptor(StringRef path) {
    do
      number = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.str().c_str(), O_RDONLY | O_CLOEXEC);
    while (number < 0 && errno == EINTR);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }
  /// How many bytes came; 0 at the end, -1 with errno after a failure.
  ssize_t read(uint8_t *to, size_t most) const {
    for (;;)
      if (ssize_t got = ::read(number, to, most); got >= 0 || errno != EINTR)
        return got;
  }

  int number;
};
} // namespace

Expected<std::vector<uint8_t>> readBytes(StringRef path, uint64_t limit) {
  if (path.contains('\0'))
    return createStringError("the name holds a zero byte");
  Descriptor file(path);
  struct stat status;
  if (file.number < 0 || ::fstat(file.number, &status) != 0)
    return lastError();
  if (S_ISDIR(status.st_mode))
    return createStringError("it is a directory; name a file in it");
  if (S_ISREG(status.st_mode) && uint64_t(status.st_size) > limit)
    return tooLarge(limit);

  std::vector<uint8_t> bytes(S_ISREG(status.st_mode) ? size_t(status.st_size) : 0);
  size_t used = 0;
  for (;;) {
    // One more byte tells the end of a file of known size; the others grow.
    uint8_t extra;
    bool isFull = used == bytes.size();
    ssize_t got = isFull ? file.read(&extra, 1) : file.read(bytes.data() + used, bytes.size() - used);
    if (got < 0)
      return lastError();
    if (got == 0)
      break;
    if (isFull) {
      if (used >= limit)
        return tooLarge(limit);
      bytes.resize(std::min<uint64_t>(limit, std::max<uint64_t>(used * 2, 65536)));
      bytes[used] = extra;
    }
    used += size_t(got);
  }
  bytes.resize(used);
  return bytes;
}

Expected<std::unique_ptr<MemoryBuffer>> readWhole(StringRef path, uint64_t limit) {
  Expected<std::vector<uint8_t>> bytes = readBytes(path, limit);
  if (!bytes)
    return bytes.takeError();
  return MemoryBuffer::getMemBufferCopy(toStringRef(*bytes), path == "-" ? "<stdin>" : path);
}

Expected<std::unique_ptr<MemoryBuffer>> readInput(StringRef path, RunFiles *files) {
  if (files)
    files->reads(path);
  auto buffer = readWhole(path);
  if (!buffer)
    return createStringError(path + ": " + toString(buffer.takeError()));
  return buffer;
}

} // namespace leno

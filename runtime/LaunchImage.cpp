#include "runtime/LaunchImage.h"
#include "llvm/Support/Endian.h"
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace leno::runtime {

//===--- Bytes ----------------------------------------------------------------===//

namespace {

constexpr StringRef imageHead = "leno launch 1\n", answerHead = "leno answer 1\n";

class Writer {
public:
  explicit Writer(StringRef head) : bytes(head) {}
  void number(uint64_t value) {
    char little[8];
    llvm::support::endian::write64le(little, value);
    bytes.append(little, sizeof(little));
  }
  void text(StringRef value) {
    number(value.size());
    bytes += value;
  }
  void text(ArrayRef<uint8_t> value) { text(llvm::toStringRef(value)); }
  void size(const Dim3 &value) {
    for (u32 axis : {value.x, value.y, value.z})
      number(axis);
  }
  std::string bytes;
};

/// Reads on behind the first mistake, where all is empty.
class Reader {
public:
  Reader(StringRef bytes, StringRef head) : rest(bytes), failed(!rest.consume_front(head)) {}
  uint64_t number(uint64_t most = ~uint64_t(0)) {
    failed |= rest.size() < 8;
    uint64_t value = failed ? 0 : llvm::support::endian::read64le(rest.data());
    failed |= value > most;
    if (failed)
      return 0;
    rest = rest.drop_front(8);
    return value;
  }
  u32 word() { return u32(number(~u32(0))); }
  bool flag() { return number(1); }
  StringRef text() {
    uint64_t size = number();
    failed |= size > rest.size();
    if (failed)
      return "";
    StringRef value = rest.take_front(size);
    rest = rest.drop_front(size);
    return value;
  }
  std::vector<uint8_t> bytes() { return llvm::arrayRefFromStringRef(text()); }
  /// So many, as they stand there.
  ArrayRef<uint8_t> bytes(size_t count) {
    static constexpr uint8_t none[MemoryImage::pageBytes] = {};
    failed |= count > rest.size();
    if (failed)
      return ArrayRef(none).take_front(count);
    ArrayRef<uint8_t> value = llvm::arrayRefFromStringRef(rest.take_front(count));
    rest = rest.drop_front(count);
    return value;
  }
  Dim3 size() {
    Dim3 value;
    for (u32 *axis : {&value.x, &value.y, &value.z})
      *axis = word();
    return value;
  }
  /// Of a list whose entries have eight bytes at least.
  uint64_t count() { return number(rest.size() / 8); }
  bool isGood() const { return !failed; }
  Error end(const char *what) const {
    return failed || !rest.empty()
               ? llvm::createStringError(llvm::Twine("this is no ") + what + " of this version of Leno")
               : Error::success();
  }

private:
  StringRef rest;
  bool failed;
};

} // namespace

/// Of all regions: more no machine has.
static constexpr uint64_t mostBytes = uint64_t(1) << 36;

//===--- The launch -----------------------------------------------------------===//

void LaunchImage::take(Device &device, const MemoryImage::Meter &meter) {
  for (const auto &[base, allocation] : device.memory().allocations()) {
    Region &region = memory.emplace_back(Region{base, allocation.name, {}});
    region.bytes.take({allocation.window.host, size_t(allocation.window.size)}, nullptr, meter);
  }
  for (unsigned bank = 0; bank < constants.size(); ++bank)
    constants[bank] = device.constants().bank(bank);
}

Error LaunchImage::place(Device &device) const {
  for (const Region &region : memory) {
    if (Error error = device.memory().allocateAt(region.base, region.bytes.size(), region.name))
      return error;
    const MemoryWindow &window = device.memory().find(region.base)->window;
    region.bytes.putBack({window.host, size_t(window.size)});
  }
  for (unsigned bank = 0; bank < constants.size(); ++bank)
    if (!constants[bank].empty())
      if (Error error = device.constants().write(bank, 0, constants[bank]))
        return error;
  return Error::success();
}

std::string LaunchImage::encode() const {
  Writer to(imageHead);
  for (StringRef one : {StringRef(file), StringRef(*program), StringRef(kernel)})
    to.text(one);
  to.size(spec.grid);
  to.size(spec.block);
  to.number(spec.sharedBytes);
  for (u32 word : spec.hostWords)
    to.number(word);
  to.text(spec.parameters);
  to.number(spec.stackDepth);
  to.number(spec.maxInstructions);
  to.number(globalBase);
  to.number(isObserved);
  to.number(machine.size());
  for (const std::string &setting : machine)
    to.text(setting);
  to.number(memory.size());
  for (const Region &region : memory) {
    to.number(region.base);
    to.text(region.name);
    to.number(region.bytes.size());
    for (size_t i = 0; i < region.bytes.pageCount(); ++i)
      if (ArrayRef<uint8_t> page = region.bytes.page(i); !page.empty()) {
        to.number(i);
        to.bytes += llvm::toStringRef(page);
      }
    to.number(region.bytes.pageCount()); // no more pages
  }
  for (const std::vector<uint8_t> &bank : constants)
    to.text(bank);
  return std::move(to.bytes);
}

Expected<LaunchImage> LaunchImage::decode(StringRef bytes, const LaunchImage *before,
                                          const MemoryImage::Meter &meter) {
  Reader from(bytes, imageHead);
  LaunchImage image;
  image.file = from.text().str();
  image.program = std::make_shared<const std::string>(from.text());
  image.kernel = from.text().str();
  LaunchSpec &spec = image.spec;
  spec.grid = from.size();
  spec.block = from.size();
  spec.sharedBytes = from.word();
  for (u32 &word : spec.hostWords)
    word = from.word();
  spec.parameters = from.bytes();
  spec.stackDepth = from.number();
  spec.maxInstructions = from.number();
  image.globalBase = from.number();
  image.isObserved = from.flag();
  for (uint64_t left = from.count(); left; --left)
    image.machine.push_back(from.text().str());
  uint64_t room = mostBytes;
  for (uint64_t left = from.count(); left; --left) {
    uint64_t base = from.number();
    std::string name = from.text().str();
    Region &region =
        image.memory.emplace_back(Region{base, std::move(name), MemoryImage(from.number(room))});
    room -= region.bytes.size();
    auto same = [&](const Region &old) { return old.base == base; };
    const Region *old = nullptr;
    if (before)
      if (auto found = llvm::find_if(before->memory, same); found != before->memory.end())
        old = &*found;
    for (size_t page;
         (page = from.number(region.bytes.pageCount())) < region.bytes.pageCount() && from.isGood();)
      region.bytes.setPage(page, from.bytes(region.bytes.bytesOfPage(page)), old ? &old->bytes : nullptr,
                           meter);
  }
  for (std::vector<uint8_t> &bank : image.constants)
    bank = from.bytes();
  if (Error error = from.end("launch"))
    return std::move(error);
  return std::move(image);
}

//===--- What came of it ------------------------------------------------------===//

/// By words: what other host threads write beside them meanwhile stays.
void LaunchAnswer::addChanges(const LaunchImage &before, const Device &device) {
  constexpr size_t unit = 4;
  static constexpr uint8_t zeroes[MemoryImage::pageBytes] = {};
  for (const LaunchImage::Region &region : before.memory) {
    const AddressSpace::Allocation *now = device.memory().find(region.base, region.bytes.size());
    for (size_t i = 0; i < region.bytes.pageCount(); ++i) {
      size_t at = i * MemoryImage::pageBytes, size = region.bytes.bytesOfPage(i);
      const uint8_t *old = region.bytes.page(i).empty() ? zeroes : region.bytes.page(i).data();
      const uint8_t *live = now->window.host + at;
      if (std::memcmp(old, live, size) == 0)
        continue;
      bool goesOn = false;
      for (size_t from = 0; from < size; from += unit) {
        size_t bytes = std::min(unit, size - from);
        bool isNew = std::memcmp(old + from, live + from, bytes) != 0;
        if (isNew && !goesOn)
          changes.push_back({region.base + at + from, {}});
        if (isNew)
          changes.back().bytes.append(reinterpret_cast<const char *>(live + from), bytes);
        goesOn = isNew;
      }
    }
  }
}

std::string LaunchAnswer::encode() const {
  Writer to(answerHead);
  to.number(hasRun);
  if (!hasRun)
    return std::move(to.bytes);
  to.number(instructions);
  to.number(changes.size());
  for (const Change &change : changes) {
    to.number(change.address);
    to.text(change.bytes);
  }
  return std::move(to.bytes);
}

Expected<LaunchAnswer> LaunchAnswer::decode(StringRef bytes) {
  Reader from(bytes, answerHead);
  LaunchAnswer answer;
  answer.hasRun = from.flag();
  if (!answer.hasRun) {
    if (Error error = from.end("answer"))
      return std::move(error);
    return answer;
  }
  answer.instructions = from.number();
  for (uint64_t left = from.count(); left; --left) {
    uint64_t address = from.number();
    answer.changes.push_back({address, from.text().str()});
  }
  if (Error error = from.end("answer"))
    return std::move(error);
  return answer;
}

//===--- The socket -----------------------------------------------------------===//

Error sendMessage(int socket, StringRef message) {
  char length[8];
  llvm::support::endian::write64le(length, message.size());
  for (StringRef part : {StringRef(length, sizeof(length)), message})
    while (!part.empty()) {
      ssize_t sent = send(socket, part.data(), part.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR)
        continue;
      if (sent <= 0)
        return llvm::createStringError("the other side of the debugger's socket has gone");
      part = part.drop_front(size_t(sent));
    }
  return Error::success();
}

/// All of `room`; false: no.
static bool receive(int socket, llvm::MutableArrayRef<char> room, llvm::function_ref<bool()> stop) {
  while (!room.empty()) {
    pollfd ready{socket, POLLIN, 0};
    int known = poll(&ready, 1, 50);
    if (known < 0 && errno != EINTR)
      return false;
    if (known <= 0) {
      if (stop())
        return false;
      continue;
    }
    ssize_t got = recv(socket, room.data(), room.size(), 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    room = room.drop_front(size_t(got));
  }
  return true;
}

std::optional<std::string> receiveMessage(int socket, llvm::function_ref<bool()> stop) {
  constexpr uint64_t most = uint64_t(1) << 40; // as large as all memory there can be
  char length[8];
  if (!receive(socket, length, stop))
    return std::nullopt;
  uint64_t size = llvm::support::endian::read64le(length);
  if (size > most)
    return std::nullopt;
  std::string message(size, '\0');
  if (!receive(socket, {message.data(), message.size()}, stop))
    return std::nullopt;
  return message;
}

std::optional<LaunchAnswer> askDebugger(const LaunchImage &image, const std::atomic<bool> &isInterrupted) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const char *path = std::getenv(debuggerVariable);
  if (!path || std::strlen(path) >= sizeof(address.sun_path))
    return std::nullopt;
  std::strcpy(address.sun_path, path);
  int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0)
    return std::nullopt;
  std::optional<LaunchAnswer> answer;
  if (connect(socket, reinterpret_cast<const sockaddr *>(&address), sizeof(address)) == 0) {
    std::optional<std::string> said;
    if (Error error = sendMessage(socket, image.encode()))
      llvm::consumeError(std::move(error));
    else
      said = receiveMessage(socket, [&] { return isInterrupted.load(); });
    if (Expected<LaunchAnswer> read = LaunchAnswer::decode(said.value_or("")); read && read->hasRun)
      answer = std::move(*read);
    else
      llvm::consumeError(read.takeError());
  }
  close(socket);
  return answer;
}

} // namespace leno::runtime

#include "runtime/opencl/Printf.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace leno::opencl {
namespace {

/// One conversion of a format: %[flags][width][.precision][vN][length]letter
struct Conversion {
  std::string flags; ///< with width and precision, as C has them
  unsigned elements = 1;
  std::string length;
  char letter = 0;
};

Conversion parse(std::string_view format, size_t &at) {
  Conversion one;
  auto while_ = [&](std::string_view letters, std::string &into) {
    while (at < format.size() && letters.find(format[at]) != std::string_view::npos)
      into.push_back(format[at++]);
  };
  while_("-+ #0", one.flags);
  while_("0123456789", one.flags);
  while_(".", one.flags);
  while_("0123456789", one.flags);
  if (at < format.size() && format[at] == 'v') {
    std::string count;
    while_("0123456789", (++at, count));
    one.elements = unsigned(std::clamp(std::atoi(count.c_str()), 1, 16));
  }
  while_("hl", one.length);
  if (at < format.size())
    one.letter = format[at++];
  return one;
}

template <class T> std::string formatted(const std::string &with, T value) {
  int size = std::snprintf(nullptr, 0, with.c_str(), value);
  std::string text(size_t(std::max(size, 0)) + 1, '\0');
  std::snprintf(text.data(), text.size(), with.c_str(), value);
  text.pop_back();
  return text;
}

/// Bits of an integer that a length tells of: hl is of vectors' elements of 32 bits.
unsigned bitsOf(const Conversion &one) {
  return one.length == "hh" ? 8 : one.length == "h" ? 16 : one.length == "l" ? 64 : 32;
}

std::string numberText(const Conversion &one, std::uint64_t word) {
  unsigned unused = 64 - bitsOf(one);
  switch (one.letter) {
  case 'd':
  case 'i':
    return formatted("%" + one.flags + "lld", static_cast<long long>(std::int64_t(word << unused) >> unused));
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    return formatted("%" + one.flags + "ll" + one.letter, static_cast<unsigned long long>(word << unused >> unused));
  case 'c':
    return formatted("%" + one.flags + "c", int(std::uint8_t(word)));
  case 'p':
    return formatted("%" + one.flags + "p", reinterpret_cast<void *>(word));
  default:
    return formatted("%" + one.flags + one.letter, std::bit_cast<double>(word));
  }
}

} // namespace

std::string printed(std::string_view format, std::span<const std::uint64_t> words,
                    const std::function<std::string(std::uint64_t)> &string) {
  std::string text;
  size_t next = 0;
  auto take = [&] { return next < words.size() ? words[next++] : 0; };
  for (size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      text.push_back(format[at++]);
      continue;
    }
    if (format.substr(at, 2) == "%%") {
      text.push_back('%');
      at += 2;
      continue;
    }
    size_t start = at++;
    Conversion one = parse(format, at);
    if (one.letter == 's') {
      text += formatted("%" + one.flags + "s", string(take()).c_str());
    } else if (one.letter && std::strchr("diouxXfFeEgGaAcp", one.letter)) {
      for (unsigned i = 0; i < one.elements; ++i)
        text += (i ? "," : "") + numberText(one, take());
    } else {
      text += format.substr(start, at - start); // no conversion of OpenCL's
    }
  }
  return text;
}

namespace {
struct Head {
  std::uint32_t used, room;
};
} // namespace

cl_int preparePrintf(Storage &storage) {
  Head head{0, std::uint32_t(storage.buffer.size() - sizeof(Head))};
  return storage.write(0, &head, sizeof(head));
}

std::string takePrinted(_cl_context &context, const Storage &storage) {
  Head head;
  if (storage.read(0, &head, sizeof(head)) || head.used == 0)
    return "";
  std::vector<std::uint64_t> words(std::min(head.used, head.room) / 8);
  if (storage.read(sizeof(head), words.data(), 8 * words.size()))
    return "";
  auto string = [&](std::uint64_t address) {
    std::string text;
    constexpr size_t most = 1 << 16;
    for (std::byte letter; text.size() < most; text.push_back(char(letter)))
      if (!context.where().readAt(address + text.size(), {&letter, 1}) || letter == std::byte(0))
        break;
    return text;
  };
  std::string all;
  for (size_t at = 0; at < words.size();) {
    size_t count = words[at++];
    if (count == 0 || count > words.size() - at) // where the room ended
      break;
    std::span<const std::uint64_t> record(words.data() + at, count);
    all += printed(string(record[0]), record.subspan(1), string);
    at += count;
  }
  if (head.used > head.room)
    all += "[leno: printf's buffer of " + std::to_string(head.room) + " bytes is full; the kernel printed more]\n";
  return all;
}

} // namespace leno::opencl

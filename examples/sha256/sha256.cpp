// The SHA-256 of files, one thread each, in the lines that sha256sum prints.
#include "../Examples.h"

int examples::sha256(const Arguments &arguments) {
  std::vector<std::uint8_t> messages;
  std::vector<std::uint32_t> first{0}; // blocks
  for (const std::string &path : arguments) {
    auto bytes = readFile<std::uint8_t>(path);
    std::uint64_t bits = std::uint64_t(bytes.size()) * 8;
    bytes.push_back(0x80); // one bit, zeroes, and the length in bits in the last eight bytes of a block
    bytes.resize((bytes.size() + 8 + 63) / 64 * 64);
    for (unsigned i = 0; i < 8; ++i)
      bytes[bytes.size() - 1 - i] = std::uint8_t(bits >> 8 * i);
    messages.insert(messages.end(), bytes.begin(), bytes.end());
    first.push_back(std::uint32_t(messages.size() / 64));
  }
  auto count = std::uint32_t(arguments.size());

  leno::Device device = leno::Device::create().orExit();
  leno::Buffer data = device.upload(messages, "messages").orExit(),
               blocks = device.upload(first, "first").orExit();
  leno::Buffer digests = device.allocate<std::uint32_t>(count * 8, "digests").orExit();
  run(device, kernelOf("sha256/sha256.s", "sha256"), {.grid = {ctasFor(count, 32)}, .block = {32}}, count,
      data, blocks, digests);
  auto words = digests.download<std::uint32_t>().orExit();
  for (std::uint32_t file = 0; file < count; ++file) {
    for (unsigned i = 0; i < 8; ++i)
      std::printf("%08x", words[file * 8 + i]);
    std::printf("  %s\n", arguments[file].c_str());
  }
  return 0;
}

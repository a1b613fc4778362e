// The host side of a kernel that never ends by itself: it counts the words of a text, gives the counts to the
// kernel as a table, and then asks it from several threads while it runs. Every reply is checked.
//   leno-service KERNEL.s TEXT [MESSAGES] [--stats]
// With --stats the machine runs cycle by cycle and its memory has L2 slices: what both sides sent through
// them is told.
#include "leno/Leno.h"

#include <atomic>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <thread>

namespace {

enum Routine : std::uint32_t { LookUp = 0, Sum = 1 };
constexpr std::uint32_t slots = 64, words = 8, senders = 3, mostMessages = 100'000'000;

/// FNV-1a of a word; never 0, which is no key.
std::uint32_t keyOf(const std::string &word) {
  std::uint32_t hash = 2166136261u;
  for (unsigned char c : word)
    hash = (hash ^ c) * 16777619u;
  return hash ? hash : 1;
}

std::vector<std::string> wordsOf(std::istream &in) {
  std::vector<std::string> all(1);
  for (char c; in.get(c);)
    if (std::isalpha(static_cast<unsigned char>(c)))
      all.back() += char(std::tolower(static_cast<unsigned char>(c)));
    else if (!all.back().empty())
      all.emplace_back();
  if (all.back().empty())
    all.pop_back();
  return all;
}

/// As service.s probes it.
std::vector<std::uint32_t> tableOf(const std::map<std::uint32_t, std::uint32_t> &counts) {
  std::uint32_t pairs = 16;
  while (pairs < counts.size() * 2)
    pairs *= 2;
  std::vector<std::uint32_t> table(pairs * 2);
  for (auto [key, count] : counts) {
    std::uint32_t place = key * 0x9e3779b1u >> 12;
    while (table[(place %= pairs) * 2])
      ++place;
    table[place * 2] = key;
    table[place * 2 + 1] = count;
  }
  return table;
}

/// Message `i` of sender `s`: a sequence number and words that follow from it.
std::vector<std::uint32_t> messageOf(std::uint32_t s, std::uint32_t i) {
  std::vector<std::uint32_t> message = {Sum, i, s};
  while (message.size() < words)
    message.push_back(message[message.size() - 2] * 2654435761u + i);
  return message;
}

std::uint32_t sumOf(const std::vector<std::uint32_t> &message) {
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < message.size(); ++i)
    sum += message[i] * (i + 1);
  return sum;
}

/// Replies that were not what they had to be.
std::atomic<std::uint64_t> wrong = 0;

void askForWords(leno::MessageChannel &channel, const std::vector<std::string> &text,
                 const std::map<std::uint32_t, std::uint32_t> &counts) {
  std::vector<std::uint64_t> numbers;
  for (const std::string &word : text)
    numbers.push_back(channel.send(std::vector<std::uint32_t>{LookUp, keyOf(word)}).orExit());
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto reply = channel.receive(numbers[i]).orExit();
    wrong += reply[0] != 1 || reply[1] != counts.at(keyOf(text[i]));
  }
  auto reply = channel.call(LookUp, std::vector<std::uint32_t>{keyOf("no word at all")}).orExit();
  wrong += reply[0] != 0;
}

void sendSums(leno::MessageChannel &channel, std::uint32_t sender, std::uint32_t count) {
  constexpr std::uint32_t ahead = 256; // so many under way
  std::vector<std::uint64_t> numbers(count);
  for (std::uint32_t i = 0; i < count + ahead; ++i) {
    if (i < count)
      numbers[i] = channel.send(messageOf(sender, i)).orExit();
    if (i >= ahead)
      wrong += channel.receive(numbers[i - ahead]).orExit()[0] != sumOf(messageOf(sender, i - ahead));
  }
}

} // namespace

int main(int argc, char **argv) {
  bool stats = argc > 3 && std::string_view(argv[argc - 1]) == "--stats";
  argc -= stats;
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s service.s TEXT [MESSAGES] [--stats]\n", argv[0]);
    return 2;
  }
  std::uint32_t messages = 100000;
  if (argc > 3) {
    const char *end = argv[3] + std::strlen(argv[3]);
    auto [rest, mistake] = std::from_chars(argv[3], end, messages);
    if (mistake != std::errc() || rest != end || messages == 0 || messages > mostMessages) {
      std::fprintf(stderr, "error: '%s' messages: expected a number from 1 to %u\n", argv[3], mostMessages);
      return 2;
    }
  }
  std::ifstream in(argv[2]);
  std::vector<std::string> text = wordsOf(in);
  if (text.empty()) {
    std::fprintf(stderr, "error: %s: %s\n", argv[2], in.is_open() ? "no words in it" : "cannot read it");
    return 1;
  }
  std::map<std::uint32_t, std::uint32_t> counts;
  for (const std::string &word : text)
    ++counts[keyOf(word)];

  std::vector<std::string> machine = {"sm.count=2"};
  if (stats)
    machine.insert(machine.end(), {"l2.model=slices", "timing.model=cycles"});
  leno::Device device = leno::Device::create(machine).orExit();
  leno::Module module = leno::Module::load(argv[1]).orExit();
  leno::Kernel serve = module.kernel("serve").orExit();
  std::vector<std::uint32_t> pairs = tableOf(counts);
  leno::Buffer table = device.upload(pairs, "table").orExit();
  leno::MessageChannel channel = leno::MessageChannel::create(device, slots, words).orExit();

  leno::LaunchConfig config{.grid = {slots / 32},
                            .block = {32},
                            .maximumInstructions = 0,
                            .statistics = stats,
                            .channels = {&channel}};
  leno::LaunchResult result;
  std::thread kernel([&] {
    result = leno::launch(device, serve, config, channel.buffer(), channel.slotBytes(), channel.slots(),
                          channel.words(), table, std::uint32_t(pairs.size() / 2 - 1))
                 .orExit();
  });
  auto start = std::chrono::steady_clock::now();
  askForWords(channel, text, counts);
  std::vector<std::thread> threads;
  for (std::uint32_t s = 0; s < senders; ++s)
    threads.emplace_back(sendSums, std::ref(channel), s, messages / senders + (s < messages % senders));
  for (std::thread &thread : threads)
    thread.join();
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  channel.stop();
  kernel.join();
  if (result.trap)
    return std::fprintf(stderr, "error: %s\n", result.trap->text.c_str()), 1;
  std::printf("service: %zu words looked up, %zu of them different; %u messages summed, from %u threads\n",
              text.size(), counts.size(), messages, senders);
  std::printf("service: %llu replies wrong\n", static_cast<unsigned long long>(wrong));
  if (const auto &s = result.statistics)
    std::printf(
        "service: %llu cycles; L2 slices: %llu requests of the kernel, %llu hits; %llu of the host, %llu "
        "hits\n",
        static_cast<unsigned long long>(s->cycles), static_cast<unsigned long long>(s->l2Requests),
        static_cast<unsigned long long>(s->l2Hits), static_cast<unsigned long long>(s->hostRequests),
        static_cast<unsigned long long>(s->hostHits));
  std::fprintf(stderr, "%.0f messages/s\n", double(text.size() + messages) / seconds);
  return wrong != 0;
}

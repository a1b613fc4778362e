//===- MessageRuns.h - A persistent service, on the machine's clock [S3] --===//
#pragma once
#include "leno/Messages.h"

namespace leno::bench {

/// S3, table 1, by its formulas. T is a multiple of 5.
struct MessageFormula {
  std::uint64_t write, readReady, readMessage;
  std::uint64_t total() const { return write + readReady + readMessage; }
};
/// `atProducer`: it is left on the producer's side, otherwise on the consumer's; in the cache or the memory.
MessageFormula messageFormula(bool atProducer, bool inCache, std::uint64_t T, std::uint64_t K);

struct MessageRun {
  // What it is.
  bool atProducer = false, inCache = true; ///< both ways
  std::uint64_t T = 250;
  std::uint32_t K = 16, slots = 1, messages = 1, slices = 4;
  bool each = false;       ///< each reply is waited for, and the next message comes in another phase of the polls
  unsigned loadWarps = 0;  ///< of another context, which reads all the time
  // What came of it.
  host::ChannelCounts toCore, toHost;
  std::uint64_t cycles = 0; ///< of the launch
};
/// Runs the service's kernel and a scripted host. Exits on a mistake, as it is ours.
void run(MessageRun &run);

} // namespace leno::bench

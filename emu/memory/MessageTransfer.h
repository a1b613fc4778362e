//===- MessageTransfer.h - What a message costs, by where it is left ------===//
// S3, table 1: a producer writes a message of K words and a ready value; the
// consumer polls the ready value and reads the message. Four places to leave
// it: the memory or the level 2 cache of the producer or of the consumer. T is
// an access to a processor's own memory; another's takes 2T, the own cache T/5
// and another's 6T/5. Writes are pipelined, one each cycle; reads are not.
//
// Of a message in the producer's cache S3 counts two accesses for each word,
// "2KT 6/5", where the price of an access alone would give one. Here the second
// is the ready value again: the line is the producer's to change, and a word
// out of it counts only if the message still stands (Messages.md).
//
// The cost is had in two ways: by S3's formulas, and by running the message
// through the modelled memories, where both sides really move its bytes.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include <optional>

namespace leno {

enum class MessagePlace { ProducerMemory, ConsumerMemory, ProducerCache, ConsumerCache };
enum class MessageDirection { HostToCore, CoreToHost };

struct MessageCost {
  u64 write = 0;     ///< message and ready value, by the producer
  u64 readReady = 0; ///< the poll that finds it
  u64 readMessage = 0;
  u64 total() const { return write + readReady + readMessage; }
  bool operator==(const MessageCost &) const = default;
};

/// S3's formulas; T is a multiple of 5.
MessageCost messageFormula(MessagePlace place, u64 T, u64 K);

struct MessageRun {
  MessageCost cost; ///< in `readReady`, what passes from the ready value's landing to the poll's end
  u64 polls = 0;    ///< until the ready value was seen
  bool intact = false;
};

/// Runs one message. The consumer begins to poll in cycle `firstPoll`, or, if none is given, in the one in
/// which the ready value lands: the least time, S3's.
MessageRun runMessage(MessagePlace place, MessageDirection direction, u64 T, u64 K,
                      std::optional<u64> firstPoll = std::nullopt);

} // namespace leno

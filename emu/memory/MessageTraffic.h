//===- MessageTraffic.h - Messages of a context, and what they take [S3] --===//
// With host.model=clock. Words that were stored to pages for messages
// (MemoryPlace.h) are under way here until they land. Of the channels that
// messages go through it counts what S3's table 1 has in columns: the time of
// the memories alone, with what waits for a poll, what instructions take and
// what queues take told apart.
//
// In a channel's buffer, words of 32 bits (leno/Messages.h):
//
//     0                    not 0: the host is done
//     256 + i * slotBytes  slot i: the request's ready value, then its words
//         + slotBytes / 2  the reply's ready value, then its words
//
// Message n, from 1 on, goes to slot (n - 1) % slots. Its ready value is n.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/CountTable.h"
#include "emu/StateHash.h"
#include "emu/memory/AddressSpace.h"
#include "emu/memory/MemoryAccess.h"
#include "emu/memory/MemoryChain.h"
#include <map>
#include <string>

namespace leno {

struct ChannelShape {
  u32 slots = 1, words = 1, slotBytes = 0;
  /// `apart`: requests and replies have pages of their own; otherwise lines.
  static ChannelShape of(u32 slots, u32 words, bool apart) {
    u32 unit = apart ? u32(PageTable::pageBytes) : 128, start = apart ? firstSlot : 0;
    return {slots, words, 2 * ((start + 4 * (words + 1) + unit - 1) / unit * unit)};
  }
  static constexpr u32 firstSlot = 256;
  static constexpr u32 mostSlots = 65536, mostWords = 1024;
  u64 bytes() const { return firstSlot + u64(slots) * slotBytes; }
  u64 requestOf(u64 number) const { return firstSlot + (number - 1) % slots * slotBytes; }
  u64 replyOf(u64 number) const { return requestOf(number) + slotBytes / 2; }
};

/// Sums over messages of one direction, in cycles: none is in two of them, and all together are the messages'
/// time.
struct MessageCounts {
  u64 messages = 0;    ///< that were found
  u64 write = 0;       ///< S3: the words and the ready value, until the last has landed
  u64 readReady = 0;   ///< S3: the poll that finds it
  u64 readMessage = 0; ///< S3: the words
  u64 polls = 0;       ///< of the ready value, those that found it included
  u64 pollWait = 0;    ///< from the landing of a ready value to the poll that finds it
  u64 issue = 0;       ///< of the core's instructions between its accesses
  u64 misses = 0;      ///< of the reads, that a cache had to ask its memory for
  u64 atSlice = 0, atLink = 0; ///< of these accesses, behind others in queues
  u64 longest = 0;     ///< of one, from its first word's leaving to its last one's being read
  bool operator==(const MessageCounts &) const = default;
};

class MessageTraffic {
public:
  struct Channel {
    std::string name;
    u64 base;
    ChannelShape shape;
    MemoryPlace requests, replies;
    MessageCounts toCore{}, toHost{};
    /// A message on its way, by slot.
    struct Message {
      u64 number = 0;
      u64 begun = 0, landed = 0; ///< its first word left; its ready value was there
      u64 last = 0;              ///< access to it that is complete
      u64 stores = 0;            ///< of it so far
      bool isFound = false;
    };
    std::vector<Message> sent{}, replied{}; ///< the host's, the cores'
    bool isGone = false;                    ///< its buffer is another's now
  };

  /// The buffer at `base`, of shape.bytes(), is a channel: its pages get their places.
  u32 addChannel(std::string name, AddressSpace &memory, u64 base, const ChannelShape &shape,
                 MemoryPlace requests, MemoryPlace replies);
  const std::vector<Channel> &channels() const { return all; }

  //===--- Words under way --------------------------------------------------===//

  void post(u64 address, llvm::ArrayRef<u8> bytes, u64 lands, bool byHost);
  bool nothingPosted() const { return posted.empty(); }
  /// When the next ones land.
  u64 nextLanding() const { return posted.empty() ? ~u64(0) : posted.begin()->first; }
  /// What has landed by `cycle` is in memory. False: nothing has.
  bool land(u64 cycle, AddressSpace &memory);
  /// At the end of a grid all that cores have stored is there.
  void landOfCores(AddressSpace &memory);

  //===--- What is counted --------------------------------------------------===//

  // By the host.
  void begins(u32 channel, u64 number, u64 cycle) {
    messageOf(all[channel].sent, all[channel], number) = {.number = number, .begun = cycle};
  }
  using Times = MemoryChain::Placed;
  void sent(u32 channel, u64 number, const Times &ready);
  void polledReply(u32 channel, u64 number, bool isFound, const Times &times);
  void readReply(u32 channel, u64 number, const Times &times);
  // By lanes of a core: accesses to pages for messages.
  void loaded(const MemoryAccess &access, const Times &times, const AddressSpace &memory);
  void stored(u64 address, llvm::ArrayRef<u8> bytes, const Times &times);

  CountTables tables() const;
  void addTo(StateHash &hash) const;

private:
  static Channel::Message &messageOf(std::vector<Channel::Message> &messages, const Channel &channel,
                                     u64 number) {
    return messages[(number - 1) % channel.shape.slots];
  }
  Channel *channelAt(u64 address);
  void write(u64 address, llvm::ArrayRef<u8> bytes, bool byHost, AddressSpace &memory);

  struct Posted {
    u64 address;
    llvm::SmallVector<u8, 16> bytes;
    bool byHost;
  };
  std::multimap<u64, Posted> posted; ///< by when they land; those of one cycle in the order of their issue
  std::vector<Channel> all;
};

} // namespace leno

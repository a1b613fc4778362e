#include "emu/memory/MessageTraffic.h"
#include <cstring>

using namespace leno;
using llvm::ArrayRef;

u32 MessageTraffic::addChannel(std::string name, AddressSpace &memory, u64 base, const ChannelShape &shape,
                               MemoryPlace requests, MemoryPlace replies) {
  memory.setPlace(base, shape.bytes(), requests);
  if (requests != replies) // they have pages of their own
    for (u64 number = 1; number <= shape.slots; ++number)
      memory.setPlace(base + shape.replyOf(number), shape.slotBytes / 2 - ChannelShape::firstSlot, replies);
  for (Channel &other : all) // the memory of one that was freed
    other.isGone |= other.base < base + shape.bytes() && base < other.base + other.shape.bytes();
  Channel channel{std::move(name), base, shape, requests, replies};
  channel.sent.resize(shape.slots);
  channel.replied.resize(shape.slots);
  all.push_back(std::move(channel));
  return u32(all.size() - 1);
}

//===--- Words under way --------------------------------------------------===//

void MessageTraffic::post(u64 address, ArrayRef<u8> bytes, u64 lands, bool byHost) {
  posted.emplace(lands, Posted{address, {bytes.begin(), bytes.end()}, byHost});
}

/// The host's writes are told of, as all that it does; the cores' were when they were stored. A buffer may be
/// gone meanwhile.
void MessageTraffic::write(u64 address, ArrayRef<u8> bytes, bool byHost, AddressSpace &memory) {
  const AddressSpace::Allocation *buffer = memory.find(address, bytes.size());
  if (!buffer)
    return;
  if (byHost)
    llvm::cantFail(memory.write(address, bytes, /*isMessage=*/true), "it is inside of a buffer");
  else
    std::memcpy(buffer->window.host + (address - buffer->window.base), bytes.data(), bytes.size());
}

bool MessageTraffic::land(u64 cycle, AddressSpace &memory) {
  bool any = false;
  for (; !posted.empty() && posted.begin()->first <= cycle; any = true) {
    Posted first = std::move(posted.begin()->second);
    posted.erase(posted.begin());
    write(first.address, first.bytes, first.byHost, memory);
  }
  return any;
}

void MessageTraffic::landOfCores(AddressSpace &memory) {
  for (auto it = posted.begin(); it != posted.end();)
    if (it->second.byHost) {
      ++it;
    } else {
      write(it->second.address, it->second.bytes, false, memory);
      it = posted.erase(it);
    }
}

//===--- What is counted --------------------------------------------------===//

MessageTraffic::Channel *MessageTraffic::channelAt(u64 address) {
  for (Channel &channel : all)
    if (!channel.isGone && address - channel.base < channel.shape.bytes())
      return &channel;
  return nullptr;
}

/// What an access takes where nobody is before it.
static u64 unqueued(const MessageTraffic::Times &times) {
  return times.done - times.issued - times.atSlice - times.atLink;
}

void MessageTraffic::sent(u32 channel, u64 number, const Times &ready) {
  Channel &its = all[channel];
  Channel::Message &message = messageOf(its.sent, its, number);
  message.landed = ready.done;
  its.toCore.write += ready.done - message.begun - ready.atSlice - ready.atLink;
  its.toCore.atSlice += ready.atSlice;
  its.toCore.atLink += ready.atLink;
}

namespace {

void countAccess(MessageCounts &counts, MessageTraffic::Channel::Message &message,
                 const MessageTraffic::Times &times) {
  counts.atSlice += times.atSlice;
  counts.atLink += times.atLink;
  counts.misses += times.misses;
  counts.longest = std::max(counts.longest, times.done - message.begun);
  message.last = times.done;
}

/// A poll of a ready value has found it, or not.
void countPoll(MessageCounts &counts, MessageTraffic::Channel::Message &message, bool isFound,
               const MessageTraffic::Times &times) {
  ++counts.polls;
  if (!isFound)
    return;
  message.isFound = true;
  ++counts.messages;
  counts.readReady += unqueued(times);
  counts.pollWait += times.issued - message.landed;
  countAccess(counts, message, times);
}

void countRead(MessageCounts &counts, MessageTraffic::Channel::Message &message,
               const MessageTraffic::Times &times) {
  counts.readMessage += unqueued(times);
  counts.issue += times.issued - std::min(times.issued, message.last);
  countAccess(counts, message, times);
}

} // namespace

void MessageTraffic::polledReply(u32 channel, u64 number, bool isFound, const Times &times) {
  Channel &its = all[channel];
  countPoll(its.toHost, messageOf(its.replied, its, number), isFound, times);
}

void MessageTraffic::readReply(u32 channel, u64 number, const Times &times) {
  Channel &its = all[channel];
  countRead(its.toHost, messageOf(its.replied, its, number), times);
}

/// Where an address of a channel is: in the request of a slot, in its reply, or in neither.
namespace {
struct Place {
  enum Half { Neither, Request, Reply } half = Neither;
  u64 slot = 0;
  bool isReady = false; ///< it is the ready value's
};
} // namespace

static Place placeOf(const MessageTraffic::Channel &channel, u64 address) {
  u64 offset = address - channel.base;
  if (offset < ChannelShape::firstSlot)
    return {};
  u64 within = (offset - ChannelShape::firstSlot) % channel.shape.slotBytes, half = channel.shape.slotBytes / 2;
  return {within < half ? Place::Request : Place::Reply,
          (offset - ChannelShape::firstSlot) / channel.shape.slotBytes, within % half == 0};
}

void MessageTraffic::loaded(const MemoryAccess &access, const Times &times,
                            const AddressSpace &memory) {
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    u64 address = access.addresses[__builtin_ctz(left)];
    Channel *channel = channelAt(address);
    if (!channel)
      continue;
    Place at = placeOf(*channel, address);
    if (at.half != Place::Request)
      continue;
    Channel::Message &message = channel->sent[at.slot];
    if (message.isFound)
      countRead(channel->toCore, message, times);
    else if (at.isReady) {
      u8 bytes[4];
      llvm::cantFail(memory.peek(address, bytes), "a lane could read it");
      u32 word;
      std::memcpy(&word, bytes, 4);
      bool isFound = message.landed && message.landed <= times.issued && word == u32(message.number);
      countPoll(channel->toCore, message, isFound, times);
    }
  }
}

/// The reply's ready value ends the request, too: what is read of its slot after it waits for the next one.
void MessageTraffic::stored(u64 address, ArrayRef<u8> bytes, const Times &times) {
  Channel *channel = channelAt(address);
  if (!channel)
    return;
  Place at = placeOf(*channel, address);
  if (at.half != Place::Reply)
    return;
  Channel::Message &reply = channel->replied[at.slot], &request = channel->sent[at.slot];
  if (reply.number != request.number)
    reply = {.number = request.number};
  if (!reply.stores++)
    reply.begun = times.issued - 1; // S3: a cycle before its first word leaves, as the host's
  if (!at.isReady || !request.isFound)
    return;
  MessageCounts &counts = channel->toHost;
  reply.landed = times.done;
  counts.atSlice += times.atSlice;
  counts.atLink += times.atLink;
  counts.write += unqueued(times) + reply.stores; // S3: each leaves in a cycle, and the last lands
  counts.issue += times.issued - reply.begun - std::min(times.issued - reply.begun, reply.stores);
  request = {};
}

CountTables MessageTraffic::tables() const {
  static constexpr CountName names[] = {
      {"messages", "messages", "messages", "messages"},
      {"writeCycles", "write", "messageWriteCycles", "messages: cycles of writing"},
      {"readReadyCycles", "read ready", "messageReadyCycles", "messages: cycles of reading ready values"},
      {"readMessageCycles", "read message", "messageReadCycles", "messages: cycles of reading words"},
      {"polls", "polls", "messagePolls", "messages: polls"},
      {"pollWaitCycles", "waiting for a poll", "messagePollWaits", "messages: cycles until a poll"},
      {"issueCycles", "issue", "messageIssueCycles", "messages: cycles of instructions"},
      {"misses", "misses", "messageMisses", "messages: misses"},
      {"sliceWaitCycles", "at slices", "messageSliceWaits", "messages: cycles behind others at slices"},
      {"linkWaitCycles", "at the link", "messageLinkWaits", "messages: cycles behind others at the link"},
      {"longest", "longest"}};
  CountTables tables = {
      {"messagesToCores", "messages to cores, cycles, by channel", "channel", names, {}, CountTable::Rows, false},
      {"messagesToHost", "messages to the host, cycles, by channel", "channel", names, {}, CountTable::Rows, false}};
  auto row = [](const MessageCounts &c) {
    return std::vector<u64>{c.messages, c.write, c.readReady, c.readMessage, c.polls,
                            c.pollWait, c.issue, c.misses,    c.atSlice,     c.atLink, c.longest};
  };
  for (const Channel &channel : all) {
    tables[0].rows.push_back(row(channel.toCore));
    tables[1].rows.push_back(row(channel.toHost));
  }
  return tables;
}

void MessageTraffic::addTo(StateHash &hash) const {
  hash.number(posted.size());
  for (const auto &[cycle, one] : posted) {
    hash.add(cycle, one.address, one.byHost);
    hash.bytes(one.bytes.data(), one.bytes.size());
  }
  for (const CountTable &table : tables())
    for (const auto &row : table.rows)
      hash.all(row);
  for (const Channel &channel : all)
    for (const auto *messages : {&channel.sent, &channel.replied})
      for (const Channel::Message &m : *messages)
        hash.add(m.number, m.begun, m.landed, m.last, m.stores, m.isFound);
}

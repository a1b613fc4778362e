// The C functions of messages: each is the C++ function of the same meaning.
#include "runtime/host/CHandles.h"
#include <algorithm>

using namespace leno::host::c;

//===--- Channels -------------------------------------------------------------===//

leno_status leno_channel_create(leno_device *device, uint32_t slots, uint32_t words, leno_channel **channel) {
  LENO_NEED(device);
  LENO_NEED(channel);
  return give(host::MessageChannel::create(device->value, slots, words), channel);
}

const leno_buffer *leno_channel_buffer(const leno_channel *channel) {
  return channel ? &channel->buffer : nullptr;
}

void leno_channel_destroy(leno_channel *channel) { delete channel; }

uint32_t leno_channel_slot_bytes(const leno_channel *channel) {
  return channel ? channel->value.slotBytes() : 0;
}

leno_status leno_channel_send(leno_channel *channel, const uint32_t *words, size_t count, uint64_t *number) {
  LENO_NEED(channel);
  if (count)
    LENO_NEED(words);
  host::Result<std::uint64_t> sent = channel->value.send({words, count});
  if (!sent)
    return fail(sent.error().message());
  if (number)
    *number = *sent;
  return LENO_OK;
}

leno_status leno_channel_receive(leno_channel *channel, uint64_t number, uint32_t *words) {
  LENO_NEED(channel);
  LENO_NEED(words);
  host::Result<std::vector<std::uint32_t>> reply = channel->value.receive(number);
  if (!reply)
    return fail(reply.error().message());
  std::copy(reply->begin(), reply->end(), words);
  return LENO_OK;
}

leno_status leno_channel_stop(leno_channel *channel) {
  LENO_NEED(channel);
  channel->value.stop();
  return LENO_OK;
}

//===--- On the machine's clock -----------------------------------------------===//

// C's callers can give a place that is none of the enumerators.
[[clang::no_sanitize("enum")]] leno_status leno_channel_create_at(leno_device *device, uint32_t slots,
                                                                  uint32_t words, leno_place requests,
                                                                  leno_place replies,
                                                                  leno_channel **channel) {
  LENO_NEED(device);
  LENO_NEED(channel);
  for (leno_place place : {requests, replies})
    if (unsigned(place) > LENO_PLACE_SYSTEM_MEMORY)
      return fail("leno_channel_create_at: there is no place " + std::to_string(int(place)));
  return give(host::MessageChannel::create(device->value, slots, words, host::ChannelPlace(requests),
                                           host::ChannelPlace(replies)),
              channel);
}

leno_script *leno_script_create(void) { return new leno_script; }
void leno_script_destroy(leno_script *script) { delete script; }

leno_status leno_script_send(leno_script *script, const uint32_t *words, size_t count) {
  LENO_NEED(script);
  if (count)
    LENO_NEED(words);
  script->value.send({words, count});
  return LENO_OK;
}

leno_status leno_script_expect(leno_script *script, const uint32_t *words, size_t count) {
  LENO_NEED(script);
  if (count)
    LENO_NEED(words);
  script->value.expect({words, count});
  return LENO_OK;
}

leno_status leno_script_wait(leno_script *script, uint64_t cycles) {
  LENO_NEED(script);
  script->value.wait(cycles);
  return LENO_OK;
}

leno_status leno_script_at(leno_script *script, uint64_t cycle) {
  LENO_NEED(script);
  script->value.at(cycle);
  return LENO_OK;
}

leno_status leno_script_stop(leno_script *script) {
  LENO_NEED(script);
  script->value.stop();
  return LENO_OK;
}

leno_status leno_script_launch(leno_script *script) {
  LENO_NEED(script);
  script->value.launch();
  return LENO_OK;
}

leno_status leno_channel_play(leno_channel *channel, const leno_script *script) {
  LENO_NEED(channel);
  LENO_NEED(script);
  return statusOf(channel->value.play(script->value));
}

leno_script *leno_channel_recorded(const leno_channel *channel) {
  return channel ? new leno_script{channel->value.recorded()} : nullptr;
}

leno_status leno_channel_played(const leno_channel *channel) {
  LENO_NEED(channel);
  return statusOf(channel->value.played());
}

leno_status leno_channel_get_counts(const leno_channel *channel, leno_channel_counts *to_core,
                                    leno_channel_counts *to_host) {
  LENO_NEED(channel);
  auto copy = [](const host::ChannelCounts &c) {
    return leno_channel_counts{c.messages, c.write,  c.readReady, c.readMessage, c.polls,  c.pollWait,
                               c.issue,    c.misses, c.sliceWait, c.linkWait,    c.longest};
  };
  if (to_core)
    *to_core = copy(channel->value.toCore());
  if (to_host)
    *to_host = copy(channel->value.toHost());
  return LENO_OK;
}

// The host's part of a file of --contexts: channels of messages, places of buffers, and its program.
#include "runtime/ContextFileReader.h"

#include "asm/support/Numbers.h"

#include "llvm/ADT/STLExtras.h"
#include <limits>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace leno::runtime {

/// As many as a file can reasonably mean.
constexpr size_t MostHostSteps = 1 << 22;

Error ContextFile::Reader::readPlace(const YamlValue &value, StringRef what, MemoryPlace &to) const {
  std::string written;
  if (Error error = readText(value, what, written))
    return error;
  std::optional<MemoryPlace> place = memoryPlaceNamed(written);
  if (!place)
    return fail(value.at, "'" + what + "' is " + memoryPlaceChoices + ", not '" + written + "'");
  to = *place;
  return Error::success();
}

//===--- Channels -----------------------------------------------------------===//

Error ContextFile::Reader::readChannel(const YamlValue &value, Buffer &buffer) const {
  Buffer::Channel &channel = buffer.channel.emplace();
  uint64_t slots = 1, words = 1;
  auto place = [&](const char *name, MemoryPlace &to) {
    return Field{name, [=, this, &to](const YamlValue &its) { return readPlace(its, name, to); }};
  };
  if (Error error =
          readFields(value, "a channel",
                     {integer("slots", 1, ChannelShape::mostSlots, slots),
                      integer("words", 1, ChannelShape::mostWords, words),
                      place("requests", channel.requests), place("replies", channel.replies)}))
    return error;
  channel.shape = ChannelShape::of(uint32_t(slots), uint32_t(words), channel.requests != channel.replies);
  YamlValue data;
  data.kind = YamlValue::Scalar;
  data.at = value.at;
  data.text = "zero:u8[" + std::to_string(channel.shape.bytes()) + "]";
  return readSpec(data, buffer.spec);
}

Error ContextFile::Reader::readChannels(const YamlValue &value, Context &context) const {
  if (value.kind != YamlValue::Mapping)
    return fail(value.at, "'channels' gives each channel a name, as in ask: { slots: 4, words: 8 }");
  for (const YamlEntry &entry : value.entries) {
    Buffer &buffer = context.buffers.emplace_back();
    buffer.name = entry.key.text;
    buffer.at = entry.value.at;
    if (buffer.name.empty() || StringRef(buffer.name).find_first_of(":.") != StringRef::npos)
      return fail(entry.key.at, "the name of a channel has at least one letter, and neither ':' nor '.'");
    for (const Buffer &other : llvm::ArrayRef(context.buffers).drop_back())
      if (other.name == buffer.name)
        return fail(entry.key.at, "the buffer or channel '" + buffer.name +
                                      "' is there twice; give it another name");
    if (Error error = readChannel(entry.value, buffer))
      return error;
  }
  return Error::success();
}

/// "ask.slotBytes", of a channel, is a number.
Expected<bool> ContextFile::Reader::readPartOfChannel(const YamlValue &item, const Context &context,
                                                      Launch::Argument &argument) const {
  auto [parameter, whole] = StringRef(item.text).split('=');
  if (!StringRef(item.text).contains('='))
    std::swap(parameter, whole);
  auto [name, part] = whole.split('.');
  auto buffer = llvm::find_if(context.buffers,
                              [name = name](const Buffer &b) { return b.channel && b.name == name; });
  if (buffer == context.buffers.end() || part.empty())
    return false;
  const ChannelShape &shape = buffer->channel->shape;
  uint32_t number = part == "slotBytes" ? shape.slotBytes
                    : part == "slots"   ? shape.slots
                    : part == "words"   ? shape.words
                                        : 0;
  if (!number)
    return fail(item.at, "a channel has slotBytes, slots and words, and no '" + part + "'");
  YamlValue scalar = item;
  scalar.text = (parameter.empty() ? "" : parameter.str() + "=") + "u32:" + std::to_string(number);
  if (Error error = readSpec(scalar, argument.spec))
    return std::move(error);
  return true;
}

//===--- The host's program -------------------------------------------------===//

/// Words as integers of 32 bits, or as scalars with their types.
Error ContextFile::Reader::readMessage(const YamlValue &value, std::vector<uint32_t> &words) const {
  if (value.kind != YamlValue::Sequence)
    return fail(value.at, "'words' is a list, as in words: [5, f32:2.5]");
  for (const YamlValue &item : value.items) {
    if (item.kind != YamlValue::Scalar)
      return fail(item.at, "a word is an integer, or a scalar such as f32:2.5");
    if (!StringRef(item.text).contains(':')) {
      uint64_t word;
      if (Error error = readInteger(item, "words", 0, std::numeric_limits<uint32_t>::max(), word))
        return error;
      words.push_back(uint32_t(word));
      continue;
    }
    ArgumentSpec spec;
    if (Error error = readSpec(item, spec))
      return error;
    if (spec.kind != ArgumentSpec::Kind::Scalar)
      return fail(item.at, "a word is an integer, or a scalar such as f32:2.5, not a buffer");
    words.push_back(uint32_t(spec.bits));
    if (info(*spec.type).size == 8)
      words.push_back(uint32_t(spec.bits >> 32));
  }
  return Error::success();
}

/// Which of the context's channels it is; its shape.
Expected<const ChannelShape *> ContextFile::Reader::readChannelName(const YamlValue &value, StringRef what,
                                                                    const Context &context,
                                                                    uint32_t &channel) const {
  std::string name;
  if (Error error = readText(value, what, name))
    return std::move(error);
  channel = 0;
  for (const Buffer &buffer : context.buffers) {
    if (!buffer.channel)
      continue;
    if (buffer.name == name)
      return &buffer.channel->shape;
    ++channel;
  }
  return fail(value.at, "the context has no channel '" + name + "'");
}

Error ContextFile::Reader::readHostStep(const YamlValue &value, const Context &context,
                                        HostLine &line) const {
  HostStep &step = line.step;
  static constexpr std::pair<const char *, HostStep::Kind> kinds[] = {
      {"send", HostStep::Send}, {"launch", HostStep::Send}, {"expect", HostStep::Expect},
      {"wait", HostStep::Wait}, {"at", HostStep::At},       {"stop", HostStep::Stop}};
  const char *key = nullptr;
  for (auto [name, kind] : kinds)
    for (const YamlEntry &entry : value.entries)
      if (entry.key.text == name)
        key = name, step.kind = kind;
  if (!key)
    return fail(value.at,
                "a step of the host is one of send, launch, expect, wait, at, stop and repeat, as in "
                "'- send: ask'");
  if (step.kind == HostStep::Wait || step.kind == HostStep::At)
    return readFields(value, "a step of the host", {integer(key, 0, uint64_t(1) << 62, step.cycles)});
  const ChannelShape *shape = nullptr;
  std::vector<Field> fields = {{key, [&](const YamlValue &its) {
                                  return readChannelName(its, key, context, step.channel).moveInto(shape);
                                }}};
  line.isLaunch = StringRef(key) == "launch";
  if (step.kind != HostStep::Stop && !line.isLaunch)
    fields.push_back({"words", [&](const YamlValue &its) { return readMessage(its, step.words); }});
  if (Error error = readFields(value, "a step of the host", fields))
    return error;
  if (step.words.size() > shape->words)
    return fail(value.at, "a message of " + Twine(step.words.size()) +
                              " words does not fit: the channel's have " + Twine(shape->words));
  return Error::success();
}

Error ContextFile::Reader::readHostSteps(const YamlValue &value, Context &context) const {
  if (value.kind != YamlValue::Sequence)
    return fail(value.at, "the host's program is a list of steps, as in '- send: ask'");
  for (const YamlValue &item : value.items) {
    if (context.host.size() > MostHostSteps)
      return fail(item.at, "the host's program has more than " + Twine(MostHostSteps) + " steps");
    bool repeats = llvm::any_of(item.entries, [](const YamlEntry &e) { return e.key.text == "repeat"; });
    if (!repeats) {
      HostLine &line = context.host.emplace_back(HostLine{{HostStep::Wait}, item.at});
      if (Error error = readHostStep(item, context, line))
        return error;
      continue;
    }
    uint64_t times = 0;
    const YamlValue *steps = nullptr;
    if (Error error = readFields(item, "a repetition",
                                 {integer("repeat", 0, MostHostSteps, times), {"steps", [&](const YamlValue &its) {
                                    steps = &its;
                                    return Error::success();
                                  }}}))
      return error;
    if (!steps)
      return fail(item.at, "a repetition needs 'steps', a list");
    size_t first = context.host.size();
    if (Error error = readHostSteps(*steps, context))
      return error;
    size_t count = context.host.size() - first;
    if (count * times > MostHostSteps)
      return fail(item.at, "the host's program has more than " + Twine(MostHostSteps) + " steps");
    if (times == 0)
      context.host.resize(first, HostLine{{HostStep::Wait}, {}});
    for (uint64_t i = 1; i < times; ++i)
      for (size_t j = 0; j < count; ++j)
        context.host.push_back(HostLine(context.host[first + j]));
  }
  return Error::success();
}

Error ContextFile::Reader::readHost(const YamlValue &value, Context &context) const {
  return value.kind == YamlValue::Null ? Error::success() : readHostSteps(value, context);
}

/// What the host sends is taken by a launch, and none waits for what is not sent.
Error ContextFile::Reader::checkLaunchMessages(const Context &context) const {
  std::map<uint32_t, std::vector<const Launch *>> launches;
  for (const Command &command : context.stream)
    if (const auto *launch = std::get_if<Launch>(&command); launch && launch->channel)
      launches[*launch->channel].push_back(launch);
  std::map<uint32_t, size_t> sent;
  for (const HostLine &line : context.host)
    if (line.isLaunch && ++sent[line.step.channel] > launches[line.step.channel].size())
      return fail(line.at,
                  "no launch of the stream takes this message: " + Twine(launches[line.step.channel].size()) +
                      " of them name the channel with 'message'");
  for (const auto &[channel, its] : launches)
    if (its.size() > sent[channel])
      return fail(
          its[sent[channel]]->channelAt,
          "the host does not send this launch: its program needs '- launch:' with the channel's name for "
          "each launch that comes in a message");
  return Error::success();
}

} // namespace leno::runtime

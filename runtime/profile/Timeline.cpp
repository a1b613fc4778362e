#include "runtime/profile/Timeline.h"

#include "emu/launch/GridRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using llvm::StringRef;

namespace leno::profile {

// Processes: the machine, and behind it each context. Tracks of a context: its launches, its queue, its
// host's messages, then a few for the CTAs of each SM, which are there side by side, and one for each warp.
static constexpr u32 machineProcess = 1, firstContext = 2;
static constexpr u32 launchTrack = 1, queueTrack = 2, firstMessageTrack = 3, firstCtaTrack = 10'000'000,
                     firstWarpTrack = 20'000'000, tracksOfSm = 256;
static constexpr u64 lanesEvery = 256; ///< units of time between two values of a counter of lanes

Timeline::Timeline(llvm::raw_ostream &os, TimelineOptions options,
                   std::function<std::string(const DeviceEvent &)> describe)
    : os(os), options(options), describe(std::move(describe)) {
  os << "{\"traceEvents\":[";
}

//===--- Writing ----------------------------------------------------------===//

/// Where the next event goes; null when the file is full, and what is open then is closed.
llvm::raw_ostream *Timeline::next(u64 time) {
  if (cut)
    return nullptr;
  if (os.tell() >= options.mostBytes) {
    closeAll(time);
    cut = time;
    return nullptr;
  }
  os << (isFirst ? "\n" : ",\n");
  isFirst = false;
  return &os;
}

static std::string quoted(StringRef text) {
  std::string result;
  llvm::raw_string_ostream(result) << llvm::json::Value(llvm::json::fixUTF8(text));
  return result;
}

void Timeline::name(Track track, StringRef name) {
  if (!named.insert({track.process, track.thread}).second)
    return;
  if (auto *out = next(last))
    *out << "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" << track.process << ",\"tid\":" << track.thread
         << ",\"args\":{\"name\":" << quoted(name) << "}}";
  if (auto *out = next(last))
    *out << "{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":" << track.process
         << ",\"tid\":" << track.thread << ",\"args\":{\"sort_index\":" << track.thread << "}}";
}

void Timeline::slice(Track track, StringRef name, u64 start, u64 end, StringRef arguments) {
  last = std::max(last, end);
  if (!isShown(start, end))
    return;
  start = std::max(start, options.from);
  end = std::min(end, options.to);
  if (auto *out = next(end)) {
    *out << "{\"ph\":\"X\",\"name\":" << quoted(name) << ",\"pid\":" << track.process
         << ",\"tid\":" << track.thread << ",\"ts\":" << start << ",\"dur\":" << end - start;
    if (!arguments.empty())
      *out << ",\"args\":{" << arguments << '}';
    *out << '}';
  }
}

void Timeline::instant(Track track, StringRef name, u64 time) {
  last = std::max(last, time);
  if (isShown(time, time + 1))
    if (auto *out = next(time))
      *out << "{\"ph\":\"i\",\"s\":\"t\",\"name\":" << quoted(name) << ",\"pid\":" << track.process
           << ",\"tid\":" << track.thread << ",\"ts\":" << time << '}';
}

void Timeline::counter(u32 process, const std::string &name, u64 time, StringRef key, double value) {
  if (isShown(time, time + 1))
    if (auto *out = next(time))
      *out << "{\"ph\":\"C\",\"name\":" << quoted(name) << ",\"pid\":" << process << ",\"ts\":" << time
           << ",\"args\":{\"" << key << "\":" << llvm::format("%.4g", value) << "}}";
}

void Timeline::nameProcess(u32 process, StringRef name) {
  if (auto *out = next(0))
    *out << "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" << process
         << ",\"args\":{\"name\":" << quoted(name) << "}}";
}

void Timeline::addContext(u32 context, StringRef name) {
  if (context == 1)
    nameProcess(machineProcess, "machine");
  nameProcess(context + firstContext, name);
  this->name({context + firstContext, launchTrack}, "launches");
}

//===--- Launches ---------------------------------------------------------===//

void Timeline::addLaunch(StringRef kernel) { slice({firstContext, launchTrack}, kernel, 0, last); }

void Timeline::addLaunches(const Context &context, u64 now) {
  const u32 process = context.id() + firstContext;
  name({process, queueTrack}, "queue");
  for (const LaunchRecord &record : context.launches()) {
    slice({process, queueTrack}, record.kernel + " waits", record.decoded, record.started.value_or(now));
    if (record.started)
      slice({process, launchTrack}, record.kernel, *record.started, record.ended.value_or(now),
            "\"warpInstructions\":" + std::to_string(record.instructions));
  }
}

void Timeline::deviceEvent(const DeviceEvent &event) {
  hasCycles = true;
  const Track track{machineProcess, event.sm + 1};
  name(track, "SM " + std::to_string(event.sm) + " events");
  instant(track, describe(event), event.cycle);
  if (event.kind == DeviceEvent::MessageSent) {
    std::set<unsigned> &taken = messageRows[event.context];
    unsigned row = 0;
    while (taken.count(row))
      ++row;
    taken.insert(row);
    messages[{event.context, event.other, event.amount}] = {row, event.cycle};
  } else if (event.kind == DeviceEvent::ReplyTaken) {
    auto found = messages.find({event.context, event.other, event.amount});
    if (found == messages.end())
      return;
    closeMessage(event.context, nameOfMessage(found->first), found->second, event.cycle);
    messageRows[event.context].erase(found->second.row);
    messages.erase(found);
  }
}

//===--- Messages ---------------------------------------------------------===//

std::string Timeline::nameOfMessage(const MessageKey &key) const {
  const auto [context, channel, number] = key;
  const auto named = channels.find({context, channel});
  return (named == channels.end() ? "message" : named->second) + " " + std::to_string(number);
}

/// A core reads the words of a message that has landed, or begins to write its reply.
void Timeline::noteMessages(const Warp &warp, const MemoryAccess &access) {
  if (messages.empty() || access.space != MemorySpace::Global)
    return;
  const Device &device = warp.grid().device();
  const u64 now = smOf(warp.cta()).now();
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    const u64 address = access.addresses[__builtin_ctz(left)];
    for (const auto &[number, channel] : llvm::enumerate(device.messages().channels())) {
      const u64 offset = address - channel.base - ChannelShape::firstSlot;
      if (channel.isGone || address < channel.base + ChannelShape::firstSlot ||
          offset >= channel.shape.bytes() - ChannelShape::firstSlot)
        continue;
      const size_t slot = offset / channel.shape.slotBytes;
      const bool isReply = offset % channel.shape.slotBytes >= channel.shape.slotBytes / 2;
      const MessageTraffic::Channel::Message &sent = channel.sent[slot];
      const u64 message = sent.number ? sent.number : channel.replied[slot].number;
      const auto found = messages.find({device.contextId(), u32(number), message});
      if (found == messages.end())
        continue;
      Message &told = found->second;
      channels[{device.contextId(), u32(number)}] = channel.name;
      if (isReply && access.kind == MemoryAccess::Kind::Store && !told.answered)
        told.answered = now;
      else if (!isReply && !told.read && sent.landed && sent.landed <= now) {
        told.landed = sent.landed;
        told.read = now;
        told.reader = warpOf(warp).track;
      }
    }
  }
}

void Timeline::flow(char phase, Track track, const std::string &name, u64 number, u64 time) {
  if (auto *out = next(time))
    *out << "{\"ph\":\"" << phase << "\",\"cat\":\"message\",\"name\":" << quoted(name)
         << ",\"id\":" << number << ",\"pid\":" << track.process << ",\"tid\":" << track.thread
         << ",\"ts\":" << time << (phase == 'f' ? ",\"bp\":\"e\"}" : "}");
}

/// `taken`: when the host had its reply; nothing: it never did.
void Timeline::closeMessage(u32 context, const std::string &name, const Message &message,
                            std::optional<u64> taken) {
  const Track track{context + firstContext, firstMessageTrack + message.row};
  this->name(track, "messages " + std::to_string(message.row));
  const u64 end = std::max(taken.value_or(std::max(last, message.read)), message.sent + 1);
  slice(track, name, message.sent, end);
  if (!message.read)
    return;
  slice(track, "on its way", message.sent, message.landed);
  slice(track, "waits to be read", message.landed, message.read);
  slice(track, "served", message.read, message.answered ? message.answered : end);
  if (message.answered)
    slice(track, "reply", message.answered, end);
  // An arrow from the host to the warp, and back.
  if (!isShown(message.sent, message.sent + 1) || !isShown(message.read, message.read + 1))
    return;
  const u64 number = ++flows;
  flow('s', track, name, number, message.sent);
  const bool isBack = taken && isShown(end - 1, end);
  flow(isBack ? 't' : 'f', message.reader, name, number, message.read);
  if (isBack)
    flow('f', track, name, number, end - 1);
}

//===--- CTAs -------------------------------------------------------------===//

Timeline::Sm &Timeline::smOf(const Cta &cta) {
  return sms[{cta.grid().device().contextId(), cta.multiprocessor().identity()}];
}

void Timeline::gridStart(const GridRun &run) {
  hasCycles |= run.device().config().timing.model == MachineConfig::Timing::Cycles;
}

/// A CTA of before, at the same place, has ended. This one begins with its first instruction.
void Timeline::ctaStart(const Cta &cta) { ctas.erase(&cta); }

void Timeline::begin(const Cta &cta, Sm &sm) {
  if (ctas.count(&cta))
    return;
  unsigned slot = 0;
  while (sm.ctaTracks.count(slot))
    ++slot;
  sm.ctaTracks.insert(slot);
  const u32 process = cta.grid().device().contextId() + firstContext;
  const unsigned number = cta.multiprocessor().identity();
  const Dim3 index = cta.index();
  const Track track{process, firstCtaTrack + number * tracksOfSm + slot};
  ctas[&cta] = {slot, sm.now(), index.x, index.y, index.z, track};
  name(track, "SM " + std::to_string(number) + " CTAs " + std::to_string(slot));
  sm.residentWarps += unsigned(cta.warps().size());
  counter(process, "SM " + std::to_string(number) + " resident warps", sm.now(), "warps", sm.residentWarps);
}

void Timeline::closeCta(const OpenCta &cta, u64 end) {
  slice(cta.track,
        "CTA (" + std::to_string(cta.x) + "," + std::to_string(cta.y) + "," + std::to_string(cta.z) + ")",
        cta.start, end);
}

void Timeline::ctaEnd(const Cta &cta) {
  Sm &sm = smOf(cta);
  auto found = ctas.find(&cta);
  if (found == ctas.end())
    return;
  const OpenCta open = found->second;
  ctas.erase(found);
  const u64 end = sm.now() + 1;
  for (const Warp *warp : cta.warps())
    if (auto running = warps.find(warp); running != warps.end())
      closeWarp(running->second, end);
  closeCta(open, end);
  sm.ctaTracks.erase(open.slot);
  sm.residentWarps -= unsigned(cta.warps().size());
  counter(open.track.process, "SM " + std::to_string(cta.multiprocessor().identity()) + " resident warps",
          end, "warps", sm.residentWarps);
}

//===--- Warps ------------------------------------------------------------===//

Timeline::OpenWarp &Timeline::warpOf(const Warp &warp) {
  auto [found, isNew] = warps.try_emplace(&warp);
  if (isNew) {
    const unsigned number = warp.multiprocessor().identity();
    const unsigned place = smOf(warp.cta()).warps++;
    found->second.track = {warp.grid().device().contextId() + firstContext,
                           firstWarpTrack + number * tracksOfSm + place};
    name(found->second.track, "SM " + std::to_string(number) + " warp " + std::to_string(place));
  }
  return found->second;
}

void Timeline::warpStart(const Warp &warp) { warpOf(warp).isRunning = false; }

void Timeline::instruction(const Warp &warp, const Op &, LaneMask executing) {
  const Cta &cta = warp.cta();
  Sm &sm = smOf(cta);
  const u64 clock = cta.multiprocessor().clock();
  sm.inTurn = clock == sm.clock ? sm.inTurn + 1 : 0;
  sm.clock = clock;
  const u64 now = sm.now();
  begin(cta, sm);
  OpenWarp &open = warpOf(warp);
  if (!open.isRunning)
    open = {open.track, true, now, now, Why::Other, std::nullopt, warp.index()};
  else if (hasCycles && warp.readyAt > open.issued + 1 && warp.readyAt <= now)
    slice(open.track,
          open.why == Why::Memory  ? "wait for memory"
          : open.why == Why::Stack ? "wait for the stack"
          : warp.fetchWait         ? "wait for an instruction"
          : warp.resultWait        ? "wait for a result"
                                   : "wait",
          open.issued + 1, warp.readyAt);
  open.issued = now;
  open.why = Why::Other;
  ++sm.instructions;
  sm.lanes += unsigned(__builtin_popcount(executing));
  if (now >= sm.countedFrom + lanesEvery) {
    counter(open.track.process, "SM " + std::to_string(cta.multiprocessor().identity()) + " lanes used",
            sm.countedFrom, "lanes", double(sm.lanes) / double(sm.instructions));
    sm.countedFrom = now;
    sm.instructions = sm.lanes = 0;
  }
}

void Timeline::closeWarp(OpenWarp &warp, u64 end) {
  if (warp.isRunning)
    slice(warp.track, "warp " + std::to_string(warp.index), warp.start, end);
  warp.isRunning = false;
}

void Timeline::warpExit(const Warp &warp) { closeWarp(warpOf(warp), smOf(warp.cta()).now() + 1); }

void Timeline::memory(const Warp &warp, const Op &, const MemoryAccess &access) {
  warpOf(warp).why = Why::Memory;
  noteMessages(warp, access);
}

void Timeline::stackTransfer(const Warp &warp, const Op &, const StackTransfer &transfer) {
  instant(warpOf(warp).track,
          (transfer.isRestore ? "restore " : "spill ") + std::to_string(transfer.count) +
              (transfer.count == 1 ? " entry" : " entries"),
          smOf(warp.cta()).now());
}

void Timeline::stackWait(const Warp &warp, const Op &, u64) { warpOf(warp).why = Why::Stack; }

void Timeline::barrierArrive(const Warp &warp, const Op &, unsigned barrier, BarrierOperation operation) {
  if (operation != BarrierOperation::Arrive)
    warpOf(warp).waiting = {barrier, smOf(warp.cta()).now() + 1};
}

void Timeline::barrierRelease(const Cta &cta, unsigned barrier) {
  const u64 now = smOf(cta).now();
  for (const Warp *warp : cta.warps()) {
    OpenWarp &open = warpOf(*warp);
    if (!open.waiting || open.waiting->barrier != barrier)
      continue;
    if (open.waiting->since < now)
      slice(open.track, "wait at barrier " + std::to_string(barrier), open.waiting->since, now);
    open.waiting.reset();
  }
}

//===--- The end ----------------------------------------------------------===//

void Timeline::closeAll(u64 end) {
  // In the order of their tracks, and not of their addresses.
  std::map<std::pair<u32, u32>, OpenWarp *> openWarps;
  std::map<std::pair<u32, u32>, const OpenCta *> openCtas;
  for (auto &[warp, open] : warps)
    openWarps[{open.track.process, open.track.thread}] = &open;
  for (auto &[cta, open] : ctas)
    openCtas[{open.track.process, open.track.thread}] = &open;
  const u64 most = std::exchange(options.mostBytes, ~u64(0)); // these few are written in any case
  for (auto &[track, open] : openWarps)
    closeWarp(*open, std::max(end, open->start + 1));
  for (auto &[track, open] : openCtas)
    closeCta(*open, std::max(end, open->start + 1));
  for (const auto &[key, message] : messages)
    closeMessage(std::get<0>(key), nameOfMessage(key), message, std::nullopt);
  messages.clear();
  options.mostBytes = most;
  ctas.clear();
}

void Timeline::finish() {
  if (!cut)
    closeAll(last);
  os << "\n],\"displayTimeUnit\":\"ns\",\"otherData\":{\"time\":\""
     << (hasCycles ? "a microsecond is a cycle of the machine"
                   : "a microsecond is a warp instruction of the SM")
     << '"';
  if (cut)
    os << ",\"cut\":\"the file had its size: nothing that happened from " << *cut << " on is here\"";
  os << "}}\n";
}

} // namespace leno::profile

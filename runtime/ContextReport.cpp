#include "runtime/ContextReport.h"
#include "runtime/StatisticsReport.h"

#include "llvm/ADT/StringExtras.h"

namespace leno::runtime {

std::string nameOf(const Context &context) {
  return context.name().empty() ? std::to_string(context.id()) : context.name();
}

std::string describeWaits(Machine &device, llvm::function_ref<std::string(u32)> semaphoreName) {
  std::string text;
  for (const auto &context : device.contexts()) {
    if (!context->alive() || context->pushbuffer().empty())
      continue;
    std::string what;
    if (const auto *wait = std::get_if<SemaphoreAcquire>(&context->pushbuffer().front())) {
      if (u64 value = device.semaphores().value(wait->semaphore); value < wait->value)
        what = "semaphore " + semaphoreName(wait->semaphore) + " to reach " + std::to_string(wait->value) +
               ", and it is " + std::to_string(value);
    } else if (const LaunchReading &reading = context->moment().reading; reading.isActive) {
      what = "message " + std::to_string(reading.number()) + " of channel '" +
             context->device().messages().channels()[reading.channel].name + "', which the host has not sent";
    }
    if (!what.empty())
      text += (text.empty() ? "" : "; ") + ("context '" + nameOf(*context) + "' waits for " + what);
  }
  return text;
}

const char *outcomeOf(const Context &context) {
  if (!context.alive())
    return context.trap() && context.trap()->kind != TrapKind::Timeout ? "trapped" : "killed";
  return context.grid() || !context.pushbuffer().empty() ? "unfinished" : "finished";
}

/// Of its launches; the longest tells whether it had to wait.
static uint64_t longestStart(const Context &context) {
  uint64_t longest = 0;
  for (const LaunchRecord &launch : context.launches())
    longest = std::max(longest, launch.startLatency());
  return longest;
}

/// What the report of a context says of its models: sums, by the key of each.
static void addSums(std::vector<ContextCountRow> &rows, const CountTables &tables) {
  for (const CountTable &table : tables)
    for (const auto &row : table.rows)
      for (size_t i = 0; i < row.size(); ++i) {
        const CountName &name = table.names[i];
        if (!name.sumKey)
          continue;
        auto same =
            llvm::find_if(rows, [&](const auto &known) { return known.key == llvm::StringRef(name.sumKey); });
        if (same == rows.end())
          rows.push_back({name.sumKey, name.sumLabel, row[i]});
        else
          same->value += row[i];
      }
}

std::vector<ContextCountRow> contextCountRows(const Context &context) {
  const ContextCounts &c = context.counts();
  std::vector<ContextCountRow> rows = {{"commands", "commands", c.commands},
                                       {"launches", "launches", context.launches().size()},
                                       {"warpInstructions", "warp instructions", c.instructions},
                                       {"runCycles", "run cycles", c.runCycles},
                                       {"blockedCycles", "blocked cycles", c.blockedCycles},
                                       {"smCycles", "SM cycles", c.smCycles},
                                       {"switchCycles", "switch cycles of SMs", c.switchCycles},
                                       {"saves", "SMs saved", c.saves},
                                       {"restores", "SMs restored", c.restores},
                                       {"drains", "SMs drained", c.drains},
                                       {"savedBytes", "saved bytes", c.savedBytes},
                                       {"restoredBytes", "restored bytes", c.restoredBytes},
                                       {"longestStart", "longest start latency", longestStart(context)},
                                       {"pageFaults", "page faults", c.pageFaults},
                                       {"slicesGained", "slices gained", c.slicesGained},
                                       {"slicesLost", "slices lost", c.slicesLost}};
  if (const ConstantUnit *unit = context.constantUnit()) {
    addSums(rows, unit->tables());
    rows.push_back({"constantWaits", "constants: cycles that updates waited", c.constantWaits});
    rows.push_back({"constantBytes", "constants: locked bytes moved", c.constantBytes});
  }
  addSums(rows, context.unitTables());
  if (context.hasMemoryModels())
    addSums(rows, context.memoryCounts().tables());
  if (!context.device().messages().channels().empty())
    addSums(rows, context.device().messages().tables());
  return rows;
}

void printContexts(llvm::raw_ostream &os, FrontEnd::Contexts contexts) {
  std::vector<std::vector<std::string>> rows = {{"context"}, {"outcome"}, {"priority"}};
  for (const auto &context : contexts) {
    rows[0].push_back(nameOf(*context));
    rows[1].push_back(outcomeOf(*context));
    rows[2].push_back(std::to_string(context->priority()));
    std::vector<ContextCountRow> counts = contextCountRows(*context);
    rows.resize(3 + counts.size());
    for (size_t i = 0; i < counts.size(); ++i) {
      if (rows[3 + i].empty())
        rows[3 + i].push_back(counts[i].label);
      rows[3 + i].push_back(std::to_string(counts[i].value));
    }
  }
  printAligned(os, rows);
}

static std::string shown(const std::optional<u64> &cycle) { return cycle ? std::to_string(*cycle) : "-"; }

void printLaunches(llvm::raw_ostream &os, FrontEnd::Contexts contexts) {
  std::vector<std::vector<std::string>> rows = {
      {"launch", "decoded", "first CTA", "latency", "ended", "warp instructions"}};
  for (const auto &context : contexts)
    for (size_t i = 0; i < context->launches().size(); ++i) {
      const LaunchRecord &launch = context->launches()[i];
      rows.push_back({nameOf(*context) + " " + std::to_string(i) + " " + launch.kernel,
                      std::to_string(launch.decoded), shown(launch.started),
                      launch.started ? std::to_string(launch.startLatency()) : "-", shown(launch.ended),
                      std::to_string(launch.instructions)});
    }
  if (rows.size() > 1)
    printAligned(os, rows);
}

void writeContext(llvm::json::OStream &json, const Context &context) {
  json.attribute("name", nameOf(context));
  json.attribute("priority", context.priority());
  json.attribute("status", outcomeOf(context));
  for (const ContextCountRow &row : contextCountRows(context))
    if (row.key != llvm::StringRef("launches")) // they are listed themselves
      json.attribute(row.key, row.value);
}

void writeLaunch(llvm::json::OStream &json, const LaunchRecord &launch) {
  json.attribute("kernel", launch.kernel);
  json.attribute("decoded", launch.decoded);
  if (launch.started) {
    json.attribute("started", *launch.started);
    json.attribute("startLatency", launch.startLatency());
  }
  if (launch.ended)
    json.attribute("ended", *launch.ended);
  json.attribute("warpInstructions", launch.instructions);
  json.attribute("trapped", launch.trapped);
}

static const char *whyText(DeviceEvent::Why why) {
  switch (why) {
  case DeviceEvent::None:
    break;
  case DeviceEvent::ContextArrives:
    return "ContextArrives";
  case DeviceEvent::PriorityArrives:
    return "PriorityArrives";
  case DeviceEvent::ContextIdles:
    return "ContextIdles";
  case DeviceEvent::SliceExpires:
    return "SliceExpires";
  case DeviceEvent::Fault:
    return "Fault";
  case DeviceEvent::FaultServed:
    return "FaultServed";
  case DeviceEvent::ShareChanges:
    return "ShareChanges";
  }
  return "None";
}

const char *eventName(DeviceEvent::Kind kind) {
  switch (kind) {
  case DeviceEvent::ContextChange:
    return "ContextChange";
  case DeviceEvent::SliceMoved:
    return "SliceMoved";
  case DeviceEvent::SmGranted:
    return "SmGranted";
  case DeviceEvent::SmSaves:
    return "SmSaves";
  case DeviceEvent::SmRestores:
    return "SmRestores";
  case DeviceEvent::SmDrains:
    return "SmDrains";
  case DeviceEvent::GridStarts:
    return "GridStarts";
  case DeviceEvent::GridEnds:
    return "GridEnds";
  case DeviceEvent::PageFault:
    return "PageFault";
  case DeviceEvent::ContextEnds:
    return "ContextEnds";
  case DeviceEvent::MessageSent:
    return "MessageSent";
  case DeviceEvent::ReplyTaken:
    return "ReplyTaken";
  }
  return "Unknown";
}

std::string eventText(const DeviceEvent &event, FrontEnd::Contexts contexts) {
  const Context &context = *contexts[event.context];
  std::string sm = " sm=" + std::to_string(event.sm);
  std::string who = "context " + nameOf(context), what;
  switch (event.kind) {
  case DeviceEvent::ContextChange:
    if (event.why == DeviceEvent::SliceExpires) // of the device's time: it is nobody's event
      who = "device";
    what = std::string(" why=") + whyText(event.why);
    break;
  case DeviceEvent::SliceMoved:
    what = " from=" + nameOf(*contexts[event.other]);
    break;
  case DeviceEvent::SmSaves:
  case DeviceEvent::SmRestores:
    what = sm + " bytes=" + std::to_string(event.amount);
    break;
  case DeviceEvent::SmGranted:
  case DeviceEvent::SmDrains:
    what = sm;
    break;
  case DeviceEvent::GridStarts:
  case DeviceEvent::GridEnds:
    what = " kernel=" + context.launches()[event.amount].kernel;
    break;
  case DeviceEvent::PageFault:
    what = " page=0x" + llvm::utohexstr(event.amount, /*LowerCase=*/true);
    break;
  case DeviceEvent::ContextEnds:
    what = " why=" + context.whyEnded();
    break;
  case DeviceEvent::MessageSent:
  case DeviceEvent::ReplyTaken:
    what = " channel=" + context.device().messages().channels()[event.other].name +
           " number=" + std::to_string(event.amount);
    break;
  }
  return "cycle " + std::to_string(event.cycle) + " " + who + ": " + eventName(event.kind) + what;
}

/// What an event of the protocol tells besides its cycle.
namespace {
struct ConstantText {
  const char *name;
  enum Parts : unsigned {
    Sm = 1,
    From = 2,
    Words = 4,
    Version = 8,
    Word = 16,
    Value = 32,
    Wait = 64,
    Tag = 128
  };
  unsigned parts;
};
} // namespace

static ConstantText textOf(ConstantEvent::Kind kind) {
  using T = ConstantText;
  switch (kind) {
  case ConstantEvent::WorkGiven:
    return {"WorkGiven", T::Sm};
  case ConstantEvent::WorkDone:
    return {"WorkDone", T::Sm};
  case ConstantEvent::ConstantToL1:
    return {"ConstantToL1", T::Sm | T::Word | T::Value | T::Version};
  case ConstantEvent::ConstantToL2:
    return {"ConstantToL2", T::Word | T::Value | T::Version};
  case ConstantEvent::ConstantStored:
    return {"ConstantStored", T::Word | T::Value};
  case ConstantEvent::CopiedToL1:
    return {"CopiedToL1", T::Sm | T::From | T::Words | T::Version};
  case ConstantEvent::CopiedToL2:
    return {"CopiedToL2", T::From | T::Words | T::Version};
  case ConstantEvent::Coherent:
    return {"Coherent", T::Sm | T::Version};
  case ConstantEvent::Aged:
    return {"Aged", T::Sm | T::Tag};
  case ConstantEvent::BackedUp:
    return {"BackedUp", T::Word | T::Value | T::Tag};
  case ConstantEvent::Invalidated:
    return {"Invalidated", T::Sm};
  case ConstantEvent::Retired:
    return {"Retired", T::Words};
  case ConstantEvent::Locked:
    return {"Locked", T::Sm | T::Words};
  case ConstantEvent::Unlocked:
    return {"Unlocked", T::Sm | T::Words};
  case ConstantEvent::Incoherent:
    return {"Incoherent", T::Sm};
  case ConstantEvent::ReadStalls:
    return {"ReadStalls", T::Sm | T::Word};
  case ConstantEvent::CommandWaits:
    return {"CommandWaits", T::Word | T::Wait};
  }
  return {"Unknown", 0};
}

std::string eventText(const ConstantEvent &event, FrontEnd::Contexts contexts) {
  static constexpr const char *waits[] = {"None", "NoInactiveSm", "Locked", "BackupFull", "Drain"};
  ConstantText what = textOf(event.kind);
  auto place = [](unsigned sm) { return sm == ConstantEvent::storage ? "storage" : std::to_string(sm); };
  std::string text = "cycle " + std::to_string(event.cycle) +
                     (contexts.empty() ? " constants" : " context " + nameOf(*contexts[event.context])) +
                     ": " + what.name;
  if (what.parts & ConstantText::Sm)
    text += " sm=" + place(event.sm);
  if (what.parts & ConstantText::From)
    text += " from=" + place(event.from);
  if (what.parts & ConstantText::Words)
    text += " words=" + std::to_string(event.words);
  if (what.parts & ConstantText::Word) {
    ConstantPlace at = constantPlace(event.word);
    text += " c[" + std::to_string(at.bank) + "][0x" + llvm::utohexstr(at.offset, true) + "]";
  }
  if (what.parts & ConstantText::Value)
    text += "=0x" + llvm::utohexstr(event.value, true);
  if (what.parts & (ConstantText::Version | ConstantText::Tag))
    text += (what.parts & ConstantText::Tag ? " tag=" : " version=") + std::to_string(event.version);
  if (what.parts & ConstantText::Wait)
    text += std::string(" for=") + waits[size_t(event.wait)];
  return text;
}

} // namespace leno::runtime

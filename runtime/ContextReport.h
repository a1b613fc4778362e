// How contexts fared on a device, as tables for people, as JSON, and as lines of a trace.
#pragma once

#include "emu/Machine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace leno::runtime {

/// What it is called in messages.
std::string nameOf(const Context &context);

/// "context 'b' waits for semaphore 3 to reach 2, and it is 0; ...", each context that waits. Empty when none
/// does.
std::string describeWaits(Machine &device, llvm::function_ref<std::string(u32)> semaphoreName);

/// A count with its name in both reports: one row of the one list.
struct ContextCountRow {
  const char *key;   ///< in JSON
  const char *label; ///< in the table
  uint64_t value;
};
std::vector<ContextCountRow> contextCountRows(const Context &context);

/// "finished", "trapped", "killed", or "unfinished" while it still has something to do.
const char *outcomeOf(const Context &context);

/// A row for each count, a column for each context.
void printContexts(llvm::raw_ostream &os, FrontEnd::Contexts contexts);
/// A line for each launch: its cycles and how many it waited for its first SM.
void printLaunches(llvm::raw_ostream &os, FrontEnd::Contexts contexts);
/// The attributes of one context: "name", "priority", "status", the counts.
void writeContext(llvm::json::OStream &json, const Context &context);
/// Those of a launch.
void writeLaunch(llvm::json::OStream &json, const LaunchRecord &launch);

/// "SmSaves"
const char *eventName(DeviceEvent::Kind kind);
/// "cycle 120 context long: SmSaves sm=3 bytes=4224": the event's kind, then what it tells as key=value.
std::string eventText(const DeviceEvent &event, FrontEnd::Contexts contexts);
/// "cycle 35 context a: ConstantToL1 sm=2 c[1][0x0]=0x5 version=3", the same of the protocol of the constant
/// caches. Without contexts, of a launch alone: "cycle 35 constants: ConstantToL1 ...".
std::string eventText(const ConstantEvent &event, FrontEnd::Contexts contexts = {});

} // namespace leno::runtime

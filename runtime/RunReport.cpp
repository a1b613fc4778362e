#include "runtime/RunReport.h"

#include "runtime/ContextReport.h"
#include "runtime/StatisticsReport.h"
#include "runtime/TrapText.h"

#include "llvm/ADT/STLExtras.h"

namespace leno::runtime {

CountTables RunReport::tables(u32 context) const {
  if (prepared.isAlone())
    return prepared.parallelRun()->countTables();
  const Context &one = *contexts()[context];
  CountTables all = one.unitTables();
  if (one.hasMemoryModels())
    llvm::append_range(all, one.memoryCounts().tables());
  if (const ConstantUnit *unit = one.constantUnit())
    llvm::append_range(all, unit->tables());
  if (prepared.run().host())
    llvm::append_range(all, one.device().messages().tables());
  return all;
}

CountTables RunReport::sharedTables() const {
  CountTables all = prepared.run().sharedModels().memorySide.counts();
  if (const HostProcessor *host = prepared.run().host())
    llvm::append_range(all, host->counts());
  return all;
}

const char *RunReport::status() const {
  switch (stop) {
  case StopReason::Budget:
    return "interrupted";
  case StopReason::Stuck:
    return "stuck";
  case StopReason::Trapped:
    return "trapped";
  default:
    bool isGood =
        prepared.isAlone() || llvm::all_of(contexts(), [](const auto &context) { return context->alive(); });
    return isGood ? "finished" : "failed";
  }
}

void RunReport::writeTrapOf(llvm::json::OStream &json, u32 context) const {
  const Prepared::Launch *launch = prepared.current(context);
  if (const std::optional<Trap> &trap = prepared.trap(context); trap && launch)
    json.attributeObject("trap", [&] { writeTrap(json, *launch->executable, *trap); });
}

void RunReport::writeStatisticsOf(llvm::json::OStream &json, u32 context, size_t launch) const {
  auto found = statistics.find({context, launch});
  if (found != statistics.end())
    json.attributeObject("statistics", [&] {
      writeStatistics(json, found->second, *prepared.launches(context)[launch].executable);
      if (prepared.isAlone())
        writeCounts(json, tables(context));
    });
}

void RunReport::writeContexts(llvm::json::OStream &json) const {
  for (const auto &context : contexts())
    json.object([&] {
      writeContext(json, *context);
      writeCounts(json, tables(context->id()));
      if (!context->alive())
        json.attribute("why", context->whyEnded());
      writeTrapOf(json, context->id());
      json.attributeArray("launches", [&] {
        for (size_t i = 0; i < context->launches().size(); ++i)
          json.object([&] {
            writeLaunch(json, context->launches()[i]);
            writeStatisticsOf(json, context->id(), i);
          });
      });
    });
}

void RunReport::writeJson(llvm::raw_ostream &os, llvm::function_ref<void(llvm::json::OStream &)> more) const {
  bool isAlone = prepared.isAlone();
  llvm::json::OStream json(os, 2);
  json.object([&] {
    if (isAlone)
      json.attribute("kernel", prepared.launches()[0].kernel->name);
    else
      json.attribute("cycles", prepared.run().cycle());
    json.attribute("status", status());
    if (isAlone) {
      writeTrapOf(json, 0);
      writeStatisticsOf(json, 0, 0);
    }
    more(json);
    if (isAlone)
      return;
    if (stop == StopReason::Stuck)
      json.attribute("waits", prepared.describeWaits());
    writeCounts(json, sharedTables());
    json.attributeArray("contexts", [&] { writeContexts(json); });
  });
  os << '\n';
}

} // namespace leno::runtime

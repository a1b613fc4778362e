//===- leno-bench.cpp - Experiments and speed -----------------------------===//
#include "test/bench/Bench.h"
#include "test/bench/Chart.h"

#include "asm/Tool.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <ctime>
#include <functional>

using namespace llvm;

namespace leno::bench {

void Table::print(raw_ostream &os) const {
  std::vector<size_t> widths;
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      widths.resize(std::max(widths.size(), row.size()));
      widths[i] = std::max(widths[i], row[i].size());
    }
  for (const auto &row : rows) {
    for (size_t i = 0; i < row.size(); ++i)
      if (i == 0)
        os << left_justify(row[i], widths[i]);
      else
        os << "  " << right_justify(row[i], widths[i]);
    os << '\n';
  }
}

std::string fixed(double value, int digits) {
  std::string text;
  raw_string_ostream(text) << format("%.*f", digits, value);
  return text;
}

std::string hostName() {
  if (auto file = MemoryBuffer::getFileAsStream("/proc/cpuinfo"))
    for (StringRef line : split((*file)->getBuffer(), '\n'))
      if (line.starts_with("model name"))
        return line.split(':').second.trim().str();
  return "unknown processor";
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double processorTime() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

void addResultFiles(CLI::App &command, std::string &json, std::string *plot) {
  command
      .add_option("--json", json, "Write the figures as JSON too; - is standard output, without the tables")
      ->type_name("FILE");
  if (plot)
    command.add_option("--plot", *plot, "Write charts of them")->type_name("FILE.svg");
}

Error writeJson(StringRef path, json::Value figures) {
  if (path.empty())
    return Error::success();
  std::string text;
  raw_string_ostream(text) << formatv("{0:2}\n", std::move(figures));
  return writeWhole(path, text);
}

Error writeChart(StringRef path, const std::string &title, function_ref<std::vector<Panel>()> panels) {
  if (path.empty())
    return Error::success();
  std::string text;
  raw_string_ostream os(text);
  writeSvg(os, title, panels());
  return writeWhole(path, text);
}

} // namespace leno::bench

int main(int argc, char **argv) {
  using namespace leno;
  CLI::App app("Experiments on the machine, and the emulator's speed.");
  describeTool(app, "leno-bench",
               "  leno-bench speed                     every engine of this host, beside plain C++\n"
               "  leno-bench speed --peers --costs     beside OpenCL too; what models and observers cost\n"
               "  leno-bench speed --engine avx2       one of them\n"
               "  leno-bench speed --json speed.json   for programs\n"
               "  leno-bench stack-cache --plot s.svg  what stacks cost on chip, in memory, and cached\n"
               "  leno-bench constants --plot c.svg    updates of constants, with versions and with drains\n"
               "  leno-bench contexts --plot x.svg     several contexts at once, and one at a time\n"
               "  leno-bench messages --T 25 --K 16    what a message costs, by where it is left\n"
               "  leno-bench threads                   a grid on 1, 2, ... cores of this host\n"
               "  leno-bench assemble                  leno-as beside llvm-mc\n"
               "  leno-bench debugger                  breakpoints, conditions and steps back");
  app.require_subcommand(1);
  bench::SpeedOptions speed;
  bench::addSpeed(app, speed);
  bench::StackCacheOptions stackCache;
  bench::addStackCache(app, stackCache);
  bench::ConstantsOptions constants;
  bench::addConstants(app, constants);
  bench::ContextsOptions contexts;
  bench::addContexts(app, contexts);
  bench::MessagesOptions messages;
  bench::addMessages(app, messages);
  bench::ThreadsOptions threads;
  bench::addThreads(app, threads);
  bench::AssembleBenchOptions assemble;
  bench::addAssemble(app, assemble);
  bench::DebuggerOptions debugger;
  bench::addDebugger(app, debugger);
  if (int status = parseCommandLine(app, argc, argv); status >= 0)
    return status;
  const std::pair<const char *, std::function<Error()>> experiments[] = {
      {"speed", [&] { return bench::runSpeed(speed); }},
      {"opencl", [&] { return bench::runOpenCl(speed); }},
      {"stack-cache", [&] { return bench::runStackCache(stackCache); }},
      {"constants", [&] { return bench::runConstants(constants); }},
      {"contexts", [&] { return bench::runContexts(contexts); }},
      {"assemble", [&] { return bench::runAssemble(assemble); }},
      {"threads", [&] { return bench::runThreads(threads); }},
      {"messages", [&] { return bench::runMessages(messages); }},
      {"debugger", [&] { return bench::runDebugger(debugger); }},
  };
  for (const auto &[name, run] : experiments)
    if (app.got_subcommand(name))
      if (Error error = run())
        return fail("leno-bench", std::move(error));
  if (Error error = finishOutput())
    return fail("leno-bench", std::move(error));
  return ExitSuccess;
}

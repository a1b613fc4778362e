#include "test/bench/Bench.h"
#include "test/bench/Chart.h"

#include "asm/support/Tool.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <ctime>

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
  command.final_callback([&command, &json, plot] {
    RunFiles files;
    if (const CLI::Option *beside = command.get_option_no_throw("--beside"); beside && beside->count())
      files.reads(beside->as<std::string>());
    for (const std::string *path : {&json, plot})
      if (path && !path->empty())
        files.writes(*path);
    if (Error error = files.check())
      throw CLI::ValidationError(toString(std::move(error)));
  });
}

Error writeJson(StringRef path, json::Value figures) {
  if (path.empty())
    return Error::success();
  std::string text;
  raw_string_ostream(text) << formatv("{0:2}\n", std::move(figures));
  return writeWhole({{path, text}});
}

Error writeChart(StringRef path, const std::string &title, function_ref<std::vector<Panel>()> panels) {
  if (path.empty())
    return Error::success();
  std::string text;
  raw_string_ostream os(text);
  writeSvg(os, title, panels());
  return writeWhole({{path, text}});
}

} // namespace leno::bench

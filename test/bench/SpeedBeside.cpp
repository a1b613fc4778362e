// One build beside another: processes by turns, which differ in nothing but what is compared.
#include "test/bench/Bench.h"
#include "test/bench/SpeedRuns.h"

#include "llvm/Support/FileSystem.h"

#include <map>

using namespace llvm;

namespace leno::bench {

std::string unobservedBuild() {
  std::string path = ownPath() + "-unobserved";
  return sys::fs::can_execute(path) ? path : "";
}

Expected<std::vector<std::pair<std::string, double>>> timesBeside(const std::string &other,
                                                                  const SpeedOptions &options) {
  std::vector<std::string> arguments = {"times", "--seconds", fixed(options.seconds / 10, 3)};
  if (options.quick)
    arguments.push_back("--quick");
  for (const std::string &kernel : options.kernels)
    arguments.insert(arguments.end(), {"--kernel", kernel});
  const std::string builds[] = {ownPath(), other};
  std::map<std::string, std::vector<double>> ratios;
  double end = now() + 60 * options.seconds;
  for (unsigned turn = 0; turn < 3 || now() < end; ++turn) {
    json::Object times[2];
    for (unsigned i : {0u, 1u}) {
      unsigned which = turn % 2 ? 1 - i : i;
      std::vector<std::string> command = {builds[which]};
      command.insert(command.end(), arguments.begin(), arguments.end());
      Expected<json::Value> result = runForJson(std::move(command));
      if (!result)
        return createStringError("speed: " + builds[which] + ": " + toString(result.takeError()));
      if (json::Object *object = result->getAsObject())
        times[which] = std::move(*object);
    }
    for (const auto &[kernel, seconds] : times[0])
      if (auto ours = seconds.getAsNumber(), theirs = times[1].getNumber(kernel); ours && theirs)
        ratios[StringRef(kernel).str()].push_back(*ours / *theirs);
  }
  std::vector<std::pair<std::string, double>> medians;
  for (const SpeedKernel &kernel : speedKernels())
    if (auto found = ratios.find(kernel.name); found != ratios.end())
      medians.emplace_back(kernel.name, medianOf(std::move(found->second)));
  return medians;
}

} // namespace leno::bench

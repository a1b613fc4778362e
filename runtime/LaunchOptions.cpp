#include "runtime/LaunchOptions.h"
#include "asm/SourceOptions.h"
#include "asm/support/Numbers.h"
#include "runtime/ContextFile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <CLI/CLI.hpp>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace leno::runtime {

static constexpr uint64_t LanesPerWarp = 32;

Expected<Dimensions> parseDimensions(StringRef text, uint64_t most, uint64_t mostTogether) {
  auto fail = [&](const Twine &message) { return llvm::createStringError("'" + text + "': " + message); };
  llvm::SmallVector<StringRef, 4> parts;
  text.split(parts, ',');
  if (parts.size() > 3)
    return fail("expected X, X,Y or X,Y,Z");
  uint32_t values[3] = {1, 1, 1};
  static constexpr const char *Names[] = {"X", "Y", "Z"};
  for (size_t i = 0; i < parts.size(); ++i) {
    ScannedInteger scanned = scanInteger(parts[i]);
    if (scanned.status == ScannedInteger::Malformed)
      return fail(Twine(Names[i]) + ": " + scanned.message);
    if (scanned.status == ScannedInteger::TooLarge || scanned.negative || scanned.magnitude < 1 ||
        scanned.magnitude > most)
      return fail(Twine(Names[i]) + " is " + parts[i] + ", not in 1.." + Twine(most));
    values[i] = scanned.magnitude;
  }
  Dimensions result{values[0], values[1], values[2]};
  // Two factors of 31 bits fit 64; the third may not.
  uint64_t count = uint64_t(result.x) * result.y;
  if (__builtin_mul_overflow(count, uint64_t(result.z), &count) || count > mostTogether)
    return fail("the product passes " + Twine(mostTogether));
  return result;
}

void addLaunchOptions(CLI::App &app, LaunchOptions &options) {
  static constexpr const char *Group = "Launch";
  auto dimensions = [&](const char *name, Dimensions &target, uint64_t most, const char *help) {
    app.add_option_function<std::string>(
           name,
           [&target, most, name](const std::string &text) {
             Expected<Dimensions> parsed = parseDimensions(text, most, most);
             if (!parsed)
               throw CLI::ValidationError(name, llvm::toString(parsed.takeError()));
             target = *parsed;
           },
           help)
        ->type_name("X[,Y[,Z]]")
        ->group(Group);
  };
  app.add_option("--kernel", options.kernel, "kernel to launch; needed when the file holds more than one")
      ->type_name("NAME")
      ->group(Group);
  dimensions("--grid", options.grid, MostCtas, "CTAs of the grid [1]");
  dimensions("--block", options.block, MostThreads, "threads of a CTA [1]");
  app.add_option(
         "--arg", options.arguments,
         "next parameter, or with NAME= before it the one of that name: 5 of the parameter's type, or "
         "u32:5 i32:-5 u64:0x10 f32:2.5 f64:1e-3 (also u8 i8 u16 i16 i64), in:FILE, "
         "out:f32[1024,4]:FILE, inout:FILE:FILE2, zero:f32[1024,4], shared:f32[64].\nFiles are .npy .pgm "
         ".ppm .csv .txt "
         ".bin; npy: csv: bin: and so on before a name do without the ending; - is standard input (.npy, "
         "image or text, as it begins) or output (an .npy); print: shows an output. in:f32:FILE asks for "
         "a type; text and .bin, which have none, take that of .param ptr.f32 too")
      ->type_name("VALUE")
      ->allow_extra_args(false)
      ->group(Group);
  app.add_option_function<std::string>(
         "--machine",
         [&options](const std::string &file) {
           if (file == "?") {
             printMachineKeys(llvm::outs());
             llvm::outs().flush();
             throw CLI::Success();
           }
           options.machineFile = file;
         },
         "sizes and policies of the machine; '?' lists the keys")
      ->type_name("FILE.yaml")
      ->group(Group);
  app.add_option("--set", options.machineSettings,
                 "one key of the machine, after --machine: --set sm.count=8")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->group(Group);
  app.add_option_function<std::string>(
         "--max-instructions",
         [&options](const std::string &text) {
           ScannedInteger scanned = scanInteger(text);
           if (scanned.status == ScannedInteger::Malformed)
             throw CLI::ValidationError("--max-instructions", "'" + text + "': " + scanned.message);
           if (scanned.status == ScannedInteger::TooLarge || (scanned.negative && scanned.magnitude))
             throw CLI::ValidationError("--max-instructions",
                                        "'" + text + "' is not in 0.." + std::to_string(UINT64_MAX));
           options.maximumInstructions = scanned.magnitude;
         },
         "warp instructions before the watchdog stops the launch; 0: no limit [" +
             std::to_string(LaunchOptions::DefaultMaximumInstructions) + "]")
      ->type_name("N")
      ->group(Group);
  options.source.debugLines = true; // traps and the debugger tell lines
  addSourceOptions(app, options.source, "Source");
  app.add_option_function<unsigned>(
         "-O", [&options](unsigned level) { options.source.optimization = uint8_t(level); },
         "How much to optimize what leno-cc compiles: 0 to 3 [2]; at 0 a debugger sees every variable")
      ->check(CLI::Range(0, 3))
      ->type_name("N")
      ->group("Source");
}

void addContextsOption(CLI::App &app, std::string &file) {
  CLI::Option *contexts =
      app.add_option_function<std::string>(
             "--contexts",
             [&file](const std::string &path) {
               if (path == "?") {
                 llvm::outs() << ContextFile::example();
                 llvm::outs().flush();
                 throw CLI::Success();
               }
               file = path;
             },
             "several contexts on one machine, each with a stream of launches; '?' shows a file with all "
             "keys")
          ->type_name("FILE.yaml")
          ->group("Launch");
  for (const char *other : {"FILE", "--kernel", "--grid", "--block", "--arg", "--max-instructions"})
    contexts->excludes(app.get_option(other));
  app.callback([&app] {
    const CLI::Option *diff =
        app.get_option_no_throw("--profile-diff"); // of leno-run, which then runs nothing
    if (!app.count("FILE") && !app.count("--contexts") && !(diff && diff->count()))
      throw CLI::RequiredError("FILE, or --contexts FILE.yaml,");
  });
}

Expected<MachineConfig> resolveMachine(const LaunchOptions &options,
                                       llvm::function_ref<Error(MachineConfig &)> between) {
  MachineConfig config;
  if (!options.machineFile.empty())
    if (Error error = loadMachineFile(config, options.machineFile))
      return error;
  if (Error error = between(config))
    return error;
  for (const std::string &setting : options.machineSettings)
    if (Error error = setMachineKey(config, setting))
      return error;
  if (Error error = config.check())
    return error;
  uint64_t threads = options.block.count(), room = config.sm.warps * LanesPerWarp;
  if (threads > room)
    return llvm::createStringError("--block: a CTA of " + Twine(threads) + " threads does not fit an SM of " +
                                   Twine(config.sm.warps) + " warps (" + Twine(room) +
                                   " threads): use smaller CTAs, or --set sm.warps=" +
                                   Twine((threads + LanesPerWarp - 1) / LanesPerWarp));
  return config;
}

Expected<std::vector<ArgumentSpec>> parseArguments(const LaunchOptions &options) {
  std::vector<ArgumentSpec> specs;
  for (const std::string &value : options.arguments) {
    Expected<ArgumentSpec> spec = parseArgument(value);
    if (!spec)
      return spec.takeError();
    specs.push_back(std::move(*spec));
  }
  return specs;
}

} // namespace leno::runtime

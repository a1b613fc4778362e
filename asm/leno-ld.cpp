//===- leno-ld.cpp - The linker -------------------------------------------===//
#include "asm/Archives.h"
#include "asm/Linker.h"
#include "asm/support/InputFile.h"
#include "asm/support/Tool.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace leno;

/// libNAME.a in the folders of -L; `:FILE` is the file's whole name.
static Expected<std::string> findLibrary(StringRef name, const std::vector<std::string> &folders) {
  std::string file = name.consume_front(":") ? name.str() : ("lib" + name + ".a").str();
  for (const std::string &folder : folders) {
    SmallString<128> path(folder);
    sys::path::append(path, file);
    if (sys::fs::exists(path))
      return std::string(path);
  }
  return createStringError("there is no " + file +
                           (folders.empty() ? ": -L names the folders to look into"
                                            : " in " + join(folders, ", ") + ", the folders of -L"));
}

int main(int argc, char **argv) {
  CLI::App app("Links Leno objects and archives into an executable. Of an archive only those members are "
               "linked that define a symbol which is needed.");
  describeTool(app, "leno-ld",
               "  leno-ld -o program main.o functions.o\n"
               "  leno-ld -o program main.o -L lib -l math    and what it needs of lib/libmath.a\n"
               "  leno-ld -r -o both.o one.o two.o            one object of two\n"
               "  leno-ld -o program --gc-sections -Map=program.map main.o libmath.a");
  std::vector<std::string> files, libraries, folders;
  std::string output, mapPath, map;
  bool printMap = false, printRemoved = false;
  std::vector<std::string> removed;
  LinkOptions options;
  CLI::Option *file =
      app.add_option("FILE", files, "Objects, made by leno-as -c or leno-ld -r, and archives");
  app.add_option("-o", output, "Output file")->type_name("OUT")->required();
  CLI::Option *library = app.add_option("-l,--library", libraries, "Link libNAME.a from the folders of -L")
                             ->type_name("NAME")
                             ->allow_extra_args(false);
  app.add_option("-L,--library-path", folders, "A folder to look for -l NAME in")
      ->type_name("DIR")
      ->allow_extra_args(false);
  CLI::Option *whole = app.add_flag_function(
      "--whole-archive", [](int64_t) {}, "Link every member of the archives that follow");
  CLI::Option *notWhole = app.add_flag_function("--no-whole-archive", [](int64_t) {}, "No more so");
  for (const char *group : {"--start-group", "--end-group"})
    app.add_flag_function(group, [](int64_t) {}, "Taken and not needed: archives may refer to each other");
  app.add_flag("-r,--relocatable", options.relocatable, "Write one object, for a later link");
  app.add_option("-u,--undefined", options.undefined, "A symbol that is needed, whoever refers to it")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_flag("--gc-sections", options.gcSections,
               "Leave out the sections of code and global data that no kernel and no -u leads to");
  app.add_flag("--print-gc-sections", printRemoved, "List the sections that --gc-sections leaves out");
  app.add_option("--Map", mapPath, "Write a table of what lies where (also -Map=FILE); - is standard output")
      ->type_name("FILE");
  app.add_flag("-M,--print-map", printMap, "Print that table");
  // As linkers spell it, with one dash.
  std::vector<std::string> spelled;
  for (int i = 0; i < argc; ++i) {
    StringRef word = argv[i];
    bool isMap = word == "-Map" || word.starts_with("-Map=");
    spelled.push_back((isMap ? "-" : "") + word.str());
  }
  std::vector<char *> words;
  for (std::string &word : spelled)
    words.push_back(word.data());
  if (int status = parseCommandLine(app, argc, words.data()); status >= 0)
    return status;
  if (files.empty() && libraries.empty()) {
    errs() << "leno-ld: error: FILE is required: objects or archives\n";
    return ExitUsage;
  }

  RunFiles used;
  std::vector<std::unique_ptr<MemoryBuffer>> buffers;
  LinkInputs inputs;
  bool isWhole = false;
  size_t nextFile = 0, nextLibrary = 0;
  for (const CLI::Option *option : app.parse_order()) {
    if (option == whole || option == notWhole)
      isWhole = option == whole;
    if (option != file && option != library)
      continue;
    Expected<std::string> path = option == file ? Expected<std::string>(files[nextFile++])
                                                : findLibrary(libraries[nextLibrary++], folders);
    if (!path)
      return fail("leno-ld", path.takeError());
    auto buffer = readInput(*path, &used);
    if (!buffer)
      return fail("leno-ld", buffer.takeError());
    if (Error error = inputs.add(**buffer, isWhole))
      return fail("leno-ld", std::move(error));
    buffers.push_back(std::move(*buffer));
  }
  Expected<std::vector<MemoryBufferRef>> objects = inputs.select(options.undefined);
  if (!objects)
    return fail("leno-ld", objects.takeError());
  if (printMap || !mapPath.empty())
    options.map = &map;
  if (printRemoved)
    options.removed = &removed;
  Expected<SmallVector<char, 0>> linked = link(*objects, options);
  if (!linked)
    return fail("leno-ld", linked.takeError());

  std::string told = printMap ? map : "";
  for (const std::string &section : removed)
    told += "removing unused section " + section + "\n";
  SmallVector<WholeFile, 3> outputs{{output, StringRef(linked->data(), linked->size())}};
  if (!mapPath.empty())
    outputs.push_back({mapPath, map});
  if (!told.empty())
    outputs.push_back({"-", told});
  if (Error error = writeWhole(outputs, used))
    return fail("leno-ld", std::move(error));
  return ExitSuccess;
}

//===- leno-objdump.cpp - The disassembler --------------------------------===//
#include "asm/Archives.h"
#include "asm/BlockHeat.h"
#include "asm/ObjectDump.h"
#include "asm/support/InputFile.h"
#include "asm/support/ProgramBeside.h"
#include "asm/support/Tool.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace leno;

namespace {

/// What a file on the command line holds: itself, the members of an archive, or an object made of words.
Error dumpFile(const std::string &path, bool isWords, bool isBinary, bool isOneOfMany,
               const DumpOptions &options, RunFiles &used) {
  auto file = readInput(path, &used);
  if (!file)
    return file.takeError();
  if (Error error = used.check())
    return error;
  auto print = [&](MemoryBufferRef object, bool withName) {
    if (withName)
      outs() << (options.graph ? "// " : "# ") << object.getBufferIdentifier() << '\n';
    return dump(object, options, outs());
  };
  if (isWords || isBinary) {
    auto object = objectOfWords(**file, isBinary);
    if (!object)
      return object.takeError();
    return print(MemoryBufferRef(StringRef(object->data(), object->size()), path), isOneOfMany);
  }
  if (!isArchive(**file))
    return print(**file, isOneOfMany);
  Expected<ArchiveFile> archive = ArchiveFile::open(**file);
  if (!archive)
    return archive.takeError();
  Error errors = Error::success();
  for (MemoryBufferRef member : archive->members())
    errors = joinErrors(std::move(errors), print(member, true));
  return errors;
}

/// What the compiled tier makes of a kernel is leno-run's to tell: nothing here knows how programs are executed.
int listCompiled(const std::vector<std::string> &inputs, const std::vector<std::string> &kernels) {
  Expected<std::string> program = programBeside("leno-run", "LENO_RUN", "compiles kernels for this host");
  if (!program)
    return fail("leno-objdump", program.takeError());
  SmallVector<StringRef> words = {*program, "--list-compiled", inputs.front()};
  if (!kernels.empty())
    words.append({"--kernel", kernels.front()});
  std::string failure;
  const int status = sys::ExecuteAndWait(*program, words, std::nullopt, {}, 0, 0, &failure);
  if (status < 0)
    return fail("leno-objdump", createStringError("leno-run could not be run: " + failure));
  return status; // it has told what is wrong
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app(
      "Disassembles Leno objects, executables and archives of objects. The plain text assembles back to the "
      "same bytes.");
  describeTool(
      app, "leno-objdump",
      "  leno-objdump program                 text that leno-as takes\n"
      "  leno-objdump -S program              with source lines (assembled with -g)\n"
      "  leno-objdump --raw program           with addresses and words\n"
      "  leno-objdump --kernels program       the kernels' metadata\n"
      "  leno-objdump --kernel k --live program    one kernel, with the life of its registers\n"
      "  leno-objdump --cfg program | dot -Tsvg -o program.svg\n"
      "  leno-objdump --cfg --profile DIR program    the same, with the counts of leno-run --profile\n"
      "  leno-objdump --compiled --kernel k program    the host's code of the compiled tier\n"
      "  echo 0x4480000000600027 | leno-objdump --words -");
  std::vector<std::string> inputs;
  std::string profile;
  DumpOptions options;
  bool disassemble = false, isWords = false, isBinary = false;
  app.add_option("FILE", inputs, "Objects, executables and archives; - is standard input")->required();
  app.add_flag("-d", disassemble, "Disassemble (the default, unless --kernels is given)");
  app.add_flag("-S", options.source, "Source lines between the instructions");
  app.add_flag("--raw", options.raw, "Addresses and words beside the instructions");
  app.add_flag("--kernels", options.kernels,
               "The kernels' parameters, registers and shared memory, as comments");
  app.add_option("--kernel", options.kernelNames, "Only this kernel")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("--disassemble-symbols", options.symbols,
                 "Only the code at these labels, up to the next kernel or function")
      ->type_name("NAME[,NAME...]")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag(
      "--live", options.live,
      "Beside each instruction which registers and predicates it writes (^), reads (v) or both (x), and "
      "which are needed later (:)");
  CLI::Option *graph =
      app.add_flag("--cfg", options.graph,
                   "The control-flow graph, for Graphviz' dot: where lanes go, and by which entry "
                   "of the stack");
  graph->excludes("-S")->excludes("--raw")->excludes("--kernels")->excludes("--live");
  app.add_option("--profile", profile, "Colours the graph by what leno-run --profile DIR has counted")
      ->type_name("DIR")
      ->needs(graph);
  bool isCompiled = false;
  app.add_flag("--compiled", isCompiled,
               "The machine code that the compiled tier makes of a kernel on this host, below its instructions")
      ->excludes(graph)
      ->excludes("-S")
      ->excludes("--raw")
      ->excludes("--kernels")
      ->excludes("--live");
  CLI::Option *words = app.add_flag("--words", isWords, "FILE is text: words in hexadecimal digits");
  app.add_flag("--binary", isBinary, "FILE is raw words of eight bytes, the lowest first")->excludes(words);
  if (int status = parseCommandLine(app, argc, argv); status >= 0)
    return status;
  if (isCompiled) {
    if (inputs.size() > 1 || options.kernelNames.size() > 1)
      return fail("leno-objdump", createStringError("--compiled shows one kernel of one program"));
    return listCompiled(inputs, options.kernelNames);
  }
  options.disassemble = disassemble || !options.kernels || options.source || options.raw || options.live;

  int status = ExitSuccess;
  RunFiles used;
  used.writes("-");
  std::optional<BlockHeat> heat;
  if (!profile.empty()) {
    Expected<ProfileFile> counts = ProfileFile::read(profile, used);
    if (!counts)
      return fail("leno-objdump", counts.takeError());
    options.heat = &heat.emplace(*counts);
  }
  for (const std::string &input : inputs)
    if (Error error = dumpFile(input, isWords, isBinary, inputs.size() > 1, options, used)) {
      outs().flush();
      status = fail("leno-objdump", std::move(error));
    }
  if (Error error = finishOutput())
    return fail("leno-objdump", std::move(error));
  return status;
}

//===- leno-cc.cpp - The compiler ----------------------------------------------------===//
#include "asm/Assembler.h"
#include "asm/Linker.h"
#include "asm/codegen/Compile.h"
#include "asm/codegen/FrontEnd.h"
#include "asm/support/InputFile.h"
#include "asm/support/Tool.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace llvm;
using namespace leno;

// LLVM ends here where it finds no way on; the program is not to blame, nor is its user.
static void cannotGoOn(void *, const char *reason, bool) {
  errs() << "leno-cc: error: the code generator cannot compile this: " << reason << '\n';
  errs().flush();
  _exit(ExitFailure);
}

#if __has_feature(address_sanitizer)
// LLVM's packaged libraries are not instrumented: what they do with their arenas looks like mistakes.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }
#endif

int main(int argc, char **argv) {
  CLI::App app("Compiles C, OpenCL C or LLVM IR to Leno assembly text, an object or an executable.");
  describeTool(app, "leno-cc",
               "  leno-cc saxpy.cl              compile, assemble and link to saxpy\n"
               "  leno-cc -S saxpy.c -o -       the assembly text\n"
               "  leno-cc -c -O3 saxpy.bc       an object, of LLVM's bitcode");
  std::string input, output;
  bool textOnly = false, objectOnly = false;
  CompileOptions options;
  app.add_option("FILE", input,
                 "C (.c), OpenCL C (.cl), or LLVM IR as text or bitcode; - is standard input, LLVM IR")
      ->required();
  app.add_flag("-c", objectOnly, "Write an object; do not link");
  app.add_flag("-S", textOnly, "Write assembly text")->excludes("-c");
  app.add_flag("-g", options.debugLines, "Say which lines of the source the code comes from (DWARF)");
  app.add_option("-O", options.level, "How much to optimize: 0 to 3 (default: 2)")
      ->check(CLI::Range(0, 3))
      ->type_name("N");
  app.add_option(
         "-o", output,
         "Output file (default: FILE without its ending, with .s for -S, .o for -c); - is standard output")
      ->type_name("OUT");
  FrontEndOptions frontEnd;
  app.add_option("-I", frontEnd.includeDirs, "Where to look for #include files")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("-D", frontEnd.defines, "Define a macro")->type_name("NAME=VALUE")->allow_extra_args(false);
  app.add_option("-W", frontEnd.warnings, "A warning option of clang's: -Wall, -Wno-unused, ...")
      ->type_name("NAME")
      ->allow_extra_args(false);
  std::vector<std::string> llvmOptions;
  app.add_option("--llvm", llvmOptions, "An option of LLVM's own, such as -verify-machineinstrs")
      ->type_name("OPTION")
      ->allow_extra_args(false);
  if (int status = parseCommandLine(app, argc, argv); status >= 0)
    return status;
  install_fatal_error_handler(cannotGoOn);
  if (!llvmOptions.empty()) {
    std::vector<const char *> words = {"leno-cc --llvm"};
    for (const std::string &option : llvmOptions)
      words.push_back(option.c_str());
    if (!cl::ParseCommandLineOptions(int(words.size()), words.data(), "", &errs()))
      return ExitUsage;
  }

  RunFiles files;
  std::unique_ptr<MemoryBuffer> source;
  if (isSourceOfC(input)) {
    files.reads(input);
    frontEnd.level = options.level;
    Expected<std::unique_ptr<MemoryBuffer>> bitcode = compileToIR(input, frontEnd);
    if (!bitcode)
      return fail("leno-cc", bitcode.takeError());
    source = std::move(*bitcode);
  } else {
    auto text = readInput(input, &files);
    if (!text)
      return fail("leno-cc", text.takeError());
    source = std::move(*text);
  }
  LLVMContext context;
  Expected<std::unique_ptr<Module>> module = readModule(*source, context);
  if (!module)
    return fail("leno-cc", module.takeError());
  Expected<std::string> text = compileModule(**module, options, errs());
  if (!text)
    return fail("leno-cc", text.takeError());

  SmallVector<char, 0> bytes;
  if (textOnly) {
    bytes.append(text->begin(), text->end());
  } else {
    AssembleOptions assembling;
    assembling.standalone = !objectOnly;
    assembling.colours = useColours();
    Expected<SmallVector<char, 0>> file =
        assemble(MemoryBuffer::getMemBuffer(*text, input + " (compiled)"), assembling, errs());
    if (file && !objectOnly)
      file = link(MemoryBufferRef(StringRef(file->data(), file->size()), input));
    if (!file)
      return fail("leno-cc", file.takeError());
    bytes = std::move(*file);
  }
  if (output.empty()) {
    if (input == "-")
      return fail("leno-cc",
                  createStringError("standard input has no name to make the output's from: give -o OUT"));
    SmallString<128> name(input);
    sys::path::replace_extension(name, textOnly ? ".s" : objectOnly ? ".o" : "");
    output = name.str().str();
  }
  if (Error error = writeWhole({{output, StringRef(bytes.data(), bytes.size())}}, files))
    return fail("leno-cc", std::move(error));
  return ExitSuccess;
}

//===- leno-cc.cpp - The compiler ----------------------------------------------------===//
#include "asm/Assembler.h"
#include "asm/Linker.h"
#include "asm/codegen/Compile.h"
#include "asm/codegen/FrontEnd.h"
#include "asm/codegen/LenoCode.h"
#include "asm/support/InputFile.h"
#include "asm/support/Tool.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace llvm;
using namespace leno;

// LLVM ends here where it finds no way on; the program is not to blame, nor is its user.
static void cannotGoOn(void *, const char *reason, bool) {
  std::string place = placeOfCompilation();
  // Of a selection only what it fails at: the rest is the code generator's own.
  errs() << (place.empty() ? "leno-cc: error: " : place) << "the code generator cannot compile this: "
         << StringRef(reason).split('\n').first << '\n';
  errs().flush();
  _exit(ExitFailure);
}

#if __has_feature(address_sanitizer)
// LLVM's packaged libraries are not instrumented: what they do with their arenas looks like mistakes.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }
#endif

namespace {

using Bytes = SmallVector<char, 0>;

/// What clang takes and leno-cc hands on as it is: how many words it is, 0: no such option.
unsigned wordsForClang(StringRef word) {
  for (StringRef two :
       {"-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-MF", "-MT", "-MQ", "-Xclang"})
    if (word == two)
      return 2;
  for (StringRef start : {"-f",       "-cl-",      "-std=",  "-U",  "-W", "-w",    "-pedantic",
                          "-isystem", "-MF",       "-MT",    "-MQ", "-M", "-ansi", "-trigraphs",
                          "-Rpass",   "-nostdinc", "-undef", "-P",  "-C", "-dM",   "-dD"})
    if (word.starts_with(start))
      return 1;
  return 0;
}

/// CLI11 has no long names behind one dash.
std::vector<std::string> sortWords(int argc, char **argv, std::vector<std::string> &forClang) {
  std::vector<std::string> rest;
  for (int i = 0; i < argc; ++i) {
    StringRef word = argv[i];
    if (i && (word == "-emit-llvm" || word == "-save-temps" || word == "-fsyntax-only" || word == "-MM"))
      rest.push_back("-" + word.str());
    else if (unsigned count = i ? wordsForClang(word) : 0; count && word != "-M")
      for (; count && i < argc; --count, i += count > 0)
        forClang.push_back(argv[i]);
    else
      rest.push_back(word.str());
  }
  return rest;
}

enum class Kind { C, IR, Assembly, Object };

struct Job {
  std::vector<std::string> inputs;
  std::string output;
  std::optional<Kind> language; ///< of all inputs; none: as their names end
  bool textOnly = false, objectOnly = false, emitLLVM = false, saveTemps = false;
  bool syntaxOnly = false, preprocess = false, depend = false, dependOurs = false;
  std::vector<std::string> includeDirs, defines;
  FrontEndOptions frontEnd;
  CompileOptions options;
  RunFiles files;

  bool links() const { return !textOnly && !objectOnly && !emitLLVM; }
  Kind kindOf(StringRef path) const {
    if (language)
      return *language;
    if (isSourceOfC(path))
      return Kind::C;
    return StringSwitch<Kind>(sys::path::extension(path))
        .Cases({".s", ".S"}, Kind::Assembly)
        .Case(".o", Kind::Object)
        .Default(Kind::IR);
  }
};

std::string withEnding(StringRef path, StringRef ending) {
  SmallString<128> name(path);
  sys::path::replace_extension(name, ending);
  return name.str().str();
}

/// What is made of an input, for people who want to look: beside where the command runs.
Error keep(const Job &job, StringRef input, StringRef ending, StringRef bytes) {
  if (!job.saveTemps)
    return Error::success();
  return writeWhole({{withEnding(sys::path::filename(input), ending), bytes}}, job.files);
}

// With -MD or -MMD the rule's target is the output, and its file stands beside that.
FrontEndOptions withDependencies(const Job &job, StringRef output) {
  FrontEndOptions result = job.frontEnd;
  auto has = [&](StringRef start) {
    return any_of(result.words, [&](const std::string &word) { return StringRef(word).starts_with(start); });
  };
  if (!has("-MD") && !has("-MMD"))
    return result;
  if (!has("-MF"))
    result.words.insert(result.words.end(), {"-MF", withEnding(output == "-" ? "out" : output, ".d")});
  if (!has("-MT") && !has("-MQ"))
    result.words.insert(result.words.end(), {"-MQ", output.str()});
  return result;
}

Expected<std::unique_ptr<Module>> moduleOf(Job &job, const std::string &input, StringRef output,
                                           LLVMContext &context) {
  Expected<std::unique_ptr<MemoryBuffer>> source = nullptr;
  if (job.kindOf(input) == Kind::C) {
    job.files.reads(input);
    source = compileToIR(input, withDependencies(job, output));
    if (source)
      if (Error error = keep(job, input, ".bc", (*source)->getBuffer()))
        return std::move(error);
  } else {
    source = readInput(input, &job.files);
  }
  if (!source)
    return source.takeError();
  Expected<std::unique_ptr<Module>> module = readModule(**source, context);
  // Of C clang has said it; SPIR-V has no word for it.
  if (module && is_contained(job.frontEnd.words, "-cl-uniform-work-group-size"))
    for (Function &function : **module)
      if (isKernel(function))
        function.addFnAttr("uniform-work-group-size", "true");
  return module;
}

Expected<Bytes> assembleText(const Job &job, std::unique_ptr<MemoryBuffer> text, bool standalone,
                             bool compiled = false) {
  AssembleOptions assembling;
  if (compiled) // what C leaves undefined is in no register, and clang has told of it
    for (StringRef name : {"no-unset-read", "no-useless-write", "no-unreachable"})
      assembling.warnings.apply(name);
  assembling.standalone = standalone;
  assembling.colours = useColours();
  assembling.includeDirs = job.includeDirs;
  if (!compiled) // clang has put them in
    assembling.defines = job.defines;
  return assemble(std::move(text), assembling, errs());
}

Expected<Bytes> textOf(Job &job, Module &module) {
  Expected<std::string> text = compileModule(module, job.options, errs());
  if (!text)
    return text.takeError();
  return Bytes(text->begin(), text->end());
}

Expected<Bytes> objectOf(Job &job, Module &module, StringRef input, bool standalone) {
  Expected<Bytes> text = textOf(job, module);
  if (!text)
    return text;
  StringRef all(text->data(), text->size());
  if (Error error = keep(job, input, ".s", all))
    return std::move(error);
  Expected<Bytes> object =
      assembleText(job, MemoryBuffer::getMemBufferCopy(all, input + " (compiled)"), standalone, true);
  if (object)
    if (Error error = keep(job, input, ".o", StringRef(object->data(), object->size())))
      return std::move(error);
  return object;
}

/// One input's text, object or IR.
Expected<Bytes> convert(Job &job, const std::string &input, StringRef output) {
  Kind kind = job.kindOf(input);
  if (kind == Kind::Assembly && !job.textOnly && !job.emitLLVM) {
    auto text = readInput(input, &job.files);
    if (!text)
      return text.takeError();
    return assembleText(job, std::move(*text), false);
  }
  if (kind == Kind::Assembly || kind == Kind::Object)
    return createStringError(
        input + ": there is nothing to compile here; without -S, -c and -emit-llvm it is linked");
  LLVMContext context;
  Expected<std::unique_ptr<Module>> module = moduleOf(job, input, output, context);
  if (!module)
    return module.takeError();
  if (!job.emitLLVM)
    return job.textOnly ? textOf(job, **module) : objectOf(job, **module, input, false);
  if (Error error = optimizeModule(**module, job.options, errs()))
    return std::move(error);
  Bytes bytes;
  raw_svector_ostream os(bytes);
  if (job.textOnly) {
    (*module)->print(os, nullptr);
    return bytes;
  }
  BitcodeWriter writer(bytes); // without a table of symbols: for that LLVM asks the target's assembler
  writer.writeModule(**module);
  writer.writeStrtab();
  return bytes;
}

Expected<Bytes> makeProgram(Job &job) {
  bool allIR = all_of(job.inputs, [&](const std::string &input) { return job.kindOf(input) <= Kind::IR; });
  job.options.wholeProgram = allIR;
  std::vector<Bytes> objects;
  if (allIR) {
    LLVMContext context;
    std::unique_ptr<Module> program;
    for (const std::string &input : job.inputs) {
      Expected<std::unique_ptr<Module>> module = moduleOf(job, input, job.output, context);
      if (!module)
        return module.takeError();
      if (!program)
        program = std::move(*module);
      else if (Linker::linkModules(*program, std::move(*module)))
        return createStringError(input + ": it does not go together with the files before it");
    }
    Expected<Bytes> object = objectOf(job, *program, job.inputs[0], true);
    if (!object)
      return object;
    objects.push_back(std::move(*object));
  } else {
    for (const std::string &input : job.inputs) {
      Expected<Bytes> object = Bytes();
      if (job.kindOf(input) == Kind::Object) {
        auto file = readInput(input, &job.files);
        if (!file)
          return file.takeError();
        object = Bytes((*file)->getBufferStart(), (*file)->getBufferEnd());
      } else {
        object = convert(job, input, job.output);
      }
      if (!object)
        return object;
      objects.push_back(std::move(*object));
    }
  }
  std::vector<MemoryBufferRef> files;
  for (auto [input, object] : zip(job.inputs, objects))
    files.push_back(MemoryBufferRef(StringRef(object.data(), object.size()), input));
  return link(files);
}

Error runJob(Job &job) {
  std::string action = job.syntaxOnly   ? "-fsyntax-only"
                       : job.preprocess ? "-E"
                       : job.depend     ? "-M"
                       : job.dependOurs ? "-MM"
                                        : "";
  if (!action.empty()) {
    for (const std::string &input : job.inputs)
      if (job.kindOf(input) == Kind::C)
        if (Error error = runClang(input, job.frontEnd, action, job.syntaxOnly ? "" : job.output))
          return error;
    return Error::success();
  }
  StringRef ending = job.emitLLVM     ? (job.textOnly ? ".ll" : ".bc")
                     : job.textOnly   ? ".s"
                     : job.objectOnly ? ".o"
                                      : "";
  if (!job.links() && job.inputs.size() > 1 && !job.output.empty())
    return createStringError("-o names one file, and without a link each of the " + Twine(job.inputs.size()) +
                             " inputs has its own: leave -o out");
  job.options.wholeProgram = job.links();
  std::vector<std::pair<std::string, Bytes>> made;
  for (const std::string &input : ArrayRef(job.inputs).take_front(job.links() ? 1 : job.inputs.size())) {
    std::string output = job.output;
    if (output.empty() && input == "-")
      return createStringError("standard input has no name to make the output's from: give -o OUT");
    if (output.empty())
      output = withEnding(input, ending);
    if (output == input)
      return createStringError(input + ": the output would take its place: give -o OUT");
    if (job.links())
      job.output = output;
    Expected<Bytes> bytes = job.links() ? makeProgram(job) : convert(job, input, output);
    if (!bytes)
      return bytes.takeError();
    made.push_back({output, std::move(*bytes)});
  }
  std::vector<WholeFile> outputs;
  for (auto &[path, bytes] : made)
    outputs.push_back({path, StringRef(bytes.data(), bytes.size())});
  return writeWhole(outputs, job.files);
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Compiles C, OpenCL C or LLVM IR to Leno assembly text, objects or an executable.");
  describeTool(
      app, "leno-cc",
      "  leno-cc saxpy.cl              compile, assemble and link to saxpy\n"
      "  leno-cc main.c fast.s -o main C and assembly together\n"
      "  leno-cc -S saxpy.c -o -       the assembly text\n"
      "  leno-cc -c -O3 saxpy.bc       an object, of LLVM's bitcode\n"
      "Clang's options -f..., -cl-..., -std=..., -U, -w, -pedantic, -include, -isystem, -MD, -MMD, -MF and\n"
      "-MT are handed on to it.");
  Job job;
  app.add_option(
         "FILE", job.inputs,
         "C (.c), OpenCL C (.cl), LLVM IR (.ll, .bc), SPIR-V (.spv), assembly (.s), objects (.o); - is "
         "standard input, LLVM IR or what -x says")
      ->required();
  app.add_option_function<std::string>(
         "-x",
         [&](const std::string &language) {
           job.language = language == "ir" ? Kind::IR : language == "assembler" ? Kind::Assembly : Kind::C;
           if (*job.language == Kind::C)
             job.frontEnd.language = language;
         },
         "What all inputs are, whatever their names end with")
      ->type_name("LANGUAGE")
      ->check(CLI::IsMember({"c", "cl", "ir", "assembler"}));
  app.add_flag("-c", job.objectOnly, "Write objects; do not link");
  app.add_flag("-S", job.textOnly, "Write assembly text")->excludes("-c");
  app.add_flag("--emit-llvm,--llvm-ir", job.emitLLVM,
               "Write LLVM's IR, optimized, as bitcode, or with -S as text");
  app.add_flag("-E", job.preprocess, "Preprocess only");
  app.add_flag("--fsyntax-only", job.syntaxOnly, "Look for mistakes only");
  app.add_flag("-M", job.depend, "Write a rule for make of what the source includes");
  app.add_flag("--MM", job.dependOurs, "The same, without system headers");
  app.add_flag("--save-temps", job.saveTemps, "Keep IR, assembly text and object in the current folder");
  app.add_flag("-g", job.options.debugInfo,
               "Say what of the source the code comes from (DWARF): lines, variables, types");
  app.add_option("-O", job.options.level, "How much to optimize: 0 to 3 (default: 2)")
      ->check(CLI::Range(0, 3))
      ->type_name("N");
  app.add_option(
         "-o", job.output,
         "Output file (default: FILE without its ending, with .s for -S, .o for -c); - is standard output")
      ->type_name("OUT");
  app.add_option("-I", job.includeDirs, "Where to look for #include files")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("-D", job.defines, "Define a macro")->type_name("NAME=VALUE")->allow_extra_args(false);
  app.add_option("--stack", job.options.stackBytes,
                 "Bytes of a lane's local memory for calls whose depth is not known (default: 4096)")
      ->check(CLI::Range(16, 1 << 24))
      ->type_name("BYTES");
  app.add_flag("--host-words", job.options.hostWords,
               "The launch gives a global offset and printf's buffer, as OpenCL's drivers do");
  std::vector<std::string> llvmOptions;
  app.add_option("--llvm", llvmOptions, "An option of LLVM's own, such as -verify-machineinstrs")
      ->type_name("OPTION")
      ->allow_extra_args(false);
  std::vector<std::string> words = sortWords(argc, argv, job.frontEnd.words);
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  if (int status = parseCommandLine(app, int(pointers.size()), pointers.data()); status >= 0)
    return status;
  install_fatal_error_handler(cannotGoOn);
  // A variable whose address is taken stays in the frame, and so it is told: LLVM would tell of values that
  // were stored there before, also after a call has changed them. What is read is verified, with places, by
  // us.
  std::vector<const char *> options = {"leno-cc --llvm", "-instcombine-lower-dbg-declare=0",
                                       "-disable-auto-upgrade-debug-info"};
  for (const std::string &option : llvmOptions)
    options.push_back(option.c_str());
  if (!cl::ParseCommandLineOptions(int(options.size()), options.data(), "", &errs()))
    return ExitUsage;
  std::vector<std::string> first; // -U takes back what -D gives
  for (const std::string &dir : job.includeDirs)
    first.push_back("-I" + dir);
  for (const std::string &define : job.defines)
    first.push_back("-D" + define);
  job.frontEnd.words.insert(job.frontEnd.words.begin(), first.begin(), first.end());
  job.frontEnd.level = job.options.level;
  if (job.options.debugInfo) // as leno-as writes: its tables need no relocation between strings
    job.frontEnd.words.push_back("-gdwarf-4");
  if (Error error = runJob(job))
    return fail("leno-cc", std::move(error));
  return ExitSuccess;
}

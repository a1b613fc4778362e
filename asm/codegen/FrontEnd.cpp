//===- FrontEnd.cpp - C and OpenCL C to LLVM IR, by clang --------------------------===//
#include "asm/codegen/FrontEnd.h"

#include "asm/OpenCLFeatures.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace leno {
namespace {
struct File {
  StringLiteral path;
  const char *text;
  size_t size;
};
#include "asm/codegen/DeviceHeaders.inc"
} // namespace

/// What this machine has of OpenCL C 3.0's options, and nothing else.
static std::string chosenFeatures() {
  std::string text = "-all";
  for (ArrayRef<StringLiteral> list : {ArrayRef(openCLFeatures), ArrayRef(openCLExtensions)})
    for (StringRef name : list)
      text += ",+" + name.str();
  return text;
}

bool isSourceOfC(StringRef path) {
  StringRef ending = sys::path::extension(path);
  return ending == ".c" || ending == ".cl";
}

namespace {
/// A folder with our headers, and room for a result; it goes with the object.
class Folder {
public:
  static Expected<Folder> make() {
    Folder folder;
    if (std::error_code error = sys::fs::createUniqueDirectory("leno-cc", folder.path))
      return createStringError("cannot make a temporary folder: " + error.message());
    sys::fs::create_directory(folder.path + "/leno");
    for (const File &file : files) {
      std::error_code error;
      raw_fd_ostream os((folder.path + "/" + file.path).str(), error);
      os << StringRef(file.text, file.size);
      if (error || os.has_error()) {
        os.clear_error();
        return createStringError("cannot write into " + folder.path);
      }
    }
    return std::move(folder);
  }
  Folder(Folder &&from) : path(from.path) { from.path.clear(); }
  ~Folder() {
    if (!path.empty())
      sys::fs::remove_directories(path);
  }
  SmallString<128> path;

private:
  Folder() = default;
};

Error run(const Folder &folder, const std::string &path, const FrontEndOptions &options,
          ArrayRef<std::string> action) {
  ErrorOr<std::string> clang = sys::findProgramByName("clang-22", {LENO_LLVM_TOOLS});
  if (!clang)
    clang = sys::findProgramByName("clang-22");
  if (!clang)
    return createStringError("there is no clang-22, which reads C for leno-cc: install the package clang-22");
  std::vector<std::string> words = {*clang,
                                    "-target",
                                    "amdgcn",
                                    "-nogpulib",
                                    "-U__AMDGCN__", // programs ask for what only that machine has by these
                                    "-U__AMDGPU__",
                                    "-U__AMD__",
                                    "-D__LENO__=1",
                                    "-fno-discard-value-names",
                                    "-g",        // types of parameters stand there alone
                                    "-Rpass=^$", // no remark, but instructions know their places
                                    "-Xclang",
                                    "-disable-llvm-passes",
                                    "-nostdlibinc", // the host's headers are not for kernels
                                    "-fdebug-prefix-map=" + folder.path.str().str() + "=leno-cc",
                                    "-isystem",
                                    folder.path.str().str(),
                                    "-ffp-contract=on",
                                    "-O" + std::to_string(std::max(1u, options.level))};
  if (options.language.empty() ? sys::path::extension(path) == ".cl" : options.language == "cl") {
    for (StringRef name : openCLExtensions) // of which clang's older languages do not know all
      words.push_back("-D" + name.str() + "=1");
    words.insert(words.end(),
                 {"-x", "cl", "-cl-std=CL3.0", "-D__OPENCL_VERSION__=300", "-Xclang",
                  "-cl-ext=" + chosenFeatures(), "-include", (folder.path + "/leno/kernel.h").str()});
  } else {
    words.insert(words.end(),
                 {"-x", "c", "-std=gnu17", "-ffreestanding", "-fconvergent-functions", "-fno-math-errno"});
  }
  append_range(words, options.words);
  append_range(words, action);
  words.push_back(path);
  std::string failure;
  std::vector<StringRef> arguments(words.begin(), words.end());
  if (int status = sys::ExecuteAndWait(*clang, arguments, std::nullopt, {}, 0, 0, &failure))
    return createStringError(status < 0 ? "clang-22 could not be run: " + failure
                                        : path + ": clang found errors");
  return Error::success();
}
} // namespace

Expected<std::unique_ptr<MemoryBuffer>> compileToIR(const std::string &path, const FrontEndOptions &options) {
  Expected<Folder> folder = Folder::make();
  if (!folder)
    return folder.takeError();
  std::string result = (folder->path + "/program.bc").str();
  if (Error error = run(*folder, path, options, {"-emit-llvm", "-c", "-o", result}))
    return std::move(error);
  ErrorOr<std::unique_ptr<MemoryBuffer>> bitcode = MemoryBuffer::getFile(result, false, false);
  if (!bitcode)
    return createStringError(path + ": clang wrote no result");
  // Mapped files vanish with their folder.
  return MemoryBuffer::getMemBufferCopy((*bitcode)->getBuffer(), path);
}

Error runClang(const std::string &path, const FrontEndOptions &options, const std::string &action,
               const std::string &output) {
  Expected<Folder> folder = Folder::make();
  if (!folder)
    return folder.takeError();
  std::vector<std::string> words = {action};
  if (!output.empty())
    words.insert(words.end(), {"-o", output});
  return run(*folder, path, options, words);
}

} // namespace leno

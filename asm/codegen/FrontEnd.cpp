//===- FrontEnd.cpp - C and OpenCL C to LLVM IR, by clang --------------------------===//
#include "asm/codegen/FrontEnd.h"

#include "llvm/ADT/ScopeExit.h"
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

bool isSourceOfC(StringRef path) {
  StringRef ending = sys::path::extension(path);
  return ending == ".c" || ending == ".cl";
}

Expected<std::unique_ptr<MemoryBuffer>> compileToIR(const std::string &path, const FrontEndOptions &options) {
  ErrorOr<std::string> clang = sys::findProgramByName("clang-22", {LENO_LLVM_TOOLS});
  if (!clang)
    clang = sys::findProgramByName("clang-22");
  if (!clang)
    return createStringError("there is no clang-22, which reads C for leno-cc: install the package clang-22");
  SmallString<128> folder;
  if (std::error_code error = sys::fs::createUniqueDirectory("leno-cc", folder))
    return createStringError("cannot make a temporary folder: " + error.message());
  auto remove = make_scope_exit([&] { sys::fs::remove_directories(folder); });
  sys::fs::create_directory(folder + "/leno");
  for (const File &file : files) {
    std::error_code error;
    raw_fd_ostream os((folder + "/" + file.path).str(), error);
    os << StringRef(file.text, file.size);
    if (error || os.has_error())
      return createStringError("cannot write into " + folder);
  }
  std::string result = (folder + "/program.bc").str(), headers = folder.str().str();
  bool openCL = sys::path::extension(path) == ".cl";
  std::vector<std::string> words = {*clang,
                                    "-target",
                                    "amdgcn",
                                    "-nogpulib",
                                    "-fno-discard-value-names",
                                    "-Rpass=^$", // no remark, but instructions know their places

                                    "-emit-llvm",
                                    "-c",
                                    "-Xclang",
                                    "-disable-llvm-passes",
                                    "-isystem",
                                    headers,
                                    "-o",
                                    result,
                                    "-ffp-contract=on",
                                    "-O" + std::to_string(std::max(1u, options.level))};
  if (openCL)
    words.insert(words.end(),
                 {"-x", "cl", "-cl-std=CL3.0", "-Xclang", "-cl-ext=+cl_khr_fp64,+__opencl_c_fp64", "-include",
                  headers + "/leno/opencl.h"});
  else
    words.insert(words.end(), {"-x", "c", "-std=gnu17", "-ffreestanding"});
  for (const std::string &dir : options.includeDirs)
    words.push_back("-I" + dir);
  for (const std::string &define : options.defines)
    words.push_back("-D" + define);
  for (const std::string &warning : options.warnings)
    words.push_back("-W" + warning);
  words.push_back(path);
  std::string failure;
  std::vector<StringRef> arguments(words.begin(), words.end());
  if (int status = sys::ExecuteAndWait(*clang, arguments, std::nullopt, {}, 0, 0, &failure))
    return createStringError(status < 0 ? "clang-22 could not be run: " + failure
                                        : path + ": clang found errors");
  ErrorOr<std::unique_ptr<MemoryBuffer>> bitcode = MemoryBuffer::getFile(result, false, false);
  if (!bitcode)
    return createStringError(path + ": clang wrote no result");
  // Mapped files vanish with their folder.
  return MemoryBuffer::getMemBufferCopy((*bitcode)->getBuffer(), path);
}

} // namespace leno

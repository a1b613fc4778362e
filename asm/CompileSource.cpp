#include "asm/CompileSource.h"

#include "asm/support/InputFile.h"
#include "asm/support/RunFiles.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;

namespace leno {

bool isCompiled(StringRef path) {
  return StringSwitch<bool>(sys::path::extension(path))
      .Cases({".c", ".cl", ".ll", ".bc"}, true)
      .Default(false);
}

static Expected<std::string> findCompiler() {
  if (const char *told = std::getenv("LENO_CC"); told && *told) {
    if (sys::fs::can_execute(told))
      return told;
    return createStringError("LENO_CC in the environment is '" + Twine(told) + "', which is no program");
  }
  std::string program = sys::fs::getMainExecutable(nullptr, nullptr);
  StringRef here = sys::path::parent_path(program);
  for (ArrayRef<StringRef> folders : {ArrayRef<StringRef>(here), ArrayRef<StringRef>()})
    if (ErrorOr<std::string> found = sys::findProgramByName("leno-cc", folders))
      return *found;
  return createStringError("there is no leno-cc beside this program or in PATH, which compiles C; LENO_CC in "
                           "the environment can tell where it is");
}

Expected<std::unique_ptr<MemoryBuffer>> compileSource(StringRef path, const AssembleOptions &options,
                                                      raw_ostream &diagnostics) {
  Expected<std::string> compiler = findCompiler();
  if (!compiler)
    return createStringError(path + ": " + toString(compiler.takeError()));
  if (options.files)
    options.files->reads(path);
  SmallString<128> folder;
  if (std::error_code error = sys::fs::createUniqueDirectory("leno", folder))
    return createStringError("cannot make a temporary folder: " + error.message());
  auto remove = make_scope_exit([&] { sys::fs::remove_directories(folder); });
  std::string result = (folder + "/program").str(), said = (folder + "/said").str();
  std::vector<std::string> words = {*compiler, path.str(), "-g", "-o", result};
  for (const std::string &dir : options.includeDirs)
    words.insert(words.end(), {"-I", dir});
  for (const std::string &define : options.defines)
    words.insert(words.end(), {"-D", define});
  std::vector<StringRef> arguments(words.begin(), words.end());
  std::string failure;
  int status = sys::ExecuteAndWait(*compiler, arguments, std::nullopt, {"", "", said}, 0, 0, &failure);
  if (Expected<std::unique_ptr<MemoryBuffer>> text = readWhole(said))
    diagnostics << (*text)->getBuffer();
  else
    consumeError(text.takeError());
  if (status)
    return createStringError(status < 0 ? "leno-cc could not be run: " + failure
                                        : path.str() + ": leno-cc cannot compile it");
  Expected<std::unique_ptr<MemoryBuffer>> file = readWhole(result);
  if (!file)
    return createStringError(path + ": leno-cc has written nothing: " + toString(file.takeError()));
  return MemoryBuffer::getMemBufferCopy((*file)->getBuffer(), path);
}

} // namespace leno

#include "asm/CompileSource.h"

#include "asm/support/InputFile.h"
#include "asm/support/ProgramBeside.h"
#include "asm/support/RunFiles.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace leno {

bool isCompiled(StringRef path) {
  return StringSwitch<bool>(sys::path::extension(path))
      .Cases({".c", ".cl", ".ll", ".bc", ".spv"}, true)
      .Default(false);
}

Error runCompiler(ArrayRef<std::string> words, raw_ostream &diagnostics) {
  Expected<std::string> compiler = programBeside("leno-cc", "LENO_CC", "compiles C");
  if (!compiler)
    return compiler.takeError();
  SmallString<128> said;
  if (std::error_code error = sys::fs::createTemporaryFile("leno-cc", "txt", said))
    return createStringError("cannot make a temporary file: " + error.message());
  FileRemover remove(said);
  SmallVector<StringRef> arguments = {*compiler};
  arguments.append(words.begin(), words.end());
  std::string failure;
  int status = sys::ExecuteAndWait(*compiler, arguments, std::nullopt, {"", "", said.str()}, 0, 0, &failure);
  if (Expected<std::unique_ptr<MemoryBuffer>> text = readWhole(said))
    diagnostics << (*text)->getBuffer();
  else
    consumeError(text.takeError());
  if (status < 0)
    return createStringError("leno-cc could not be run: " + failure);
  return status ? createStringError("leno-cc cannot compile it") : Error::success();
}

Expected<std::unique_ptr<MemoryBuffer>> compileSource(StringRef path, const AssembleOptions &options,
                                                      raw_ostream &diagnostics) {
  if (options.files)
    options.files->reads(path);
  SmallString<128> result;
  if (std::error_code error = sys::fs::createTemporaryFile("leno", "program", result))
    return createStringError("cannot make a temporary file: " + error.message());
  FileRemover remove(result);
  std::vector<std::string> words = {path.str(), "-g", "-O" + std::to_string(options.optimization), "-o",
                                    result.str().str()};
  for (const std::string &dir : options.includeDirs)
    words.insert(words.end(), {"-I", dir});
  for (const std::string &define : options.defines)
    words.insert(words.end(), {"-D", define});
  if (Error error = runCompiler(words, diagnostics))
    return createStringError(path + ": " + toString(std::move(error)));
  Expected<std::unique_ptr<MemoryBuffer>> file = readWhole(result);
  if (!file)
    return createStringError(path + ": leno-cc has written nothing: " + toString(file.takeError()));
  return MemoryBuffer::getMemBufferCopy((*file)->getBuffer(), path);
}

} // namespace leno

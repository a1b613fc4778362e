#include "asm/support/ProgramBeside.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace llvm;

Expected<std::string> leno::programBeside(StringRef name, const char *variable, StringRef use) {
  if (const char *told = std::getenv(variable); told && *told) {
    if (sys::fs::can_execute(told))
      return told;
    return createStringError(Twine(variable) + " in the environment is '" + told + "', which is no program");
  }
  std::string program = sys::fs::getMainExecutable(nullptr, nullptr);
  SmallVector<std::string, 2> beside = {sys::path::parent_path(program).str()};
  if (Dl_info info; dladdr(reinterpret_cast<void *>(&programBeside), &info) && info.dli_fname) {
    SmallString<128> folder = sys::path::parent_path(info.dli_fname); // of a library that we are in
    sys::path::append(folder, "..", "bin");
    beside.push_back(folder.str().str());
  }
  SmallVector<StringRef, 2> here(beside.begin(), beside.end());
  for (ArrayRef<StringRef> folders : {ArrayRef<StringRef>(here), ArrayRef<StringRef>()})
    if (ErrorOr<std::string> found = sys::findProgramByName(name, folders))
      return *found;
  return createStringError("there is no " + name + " beside this program or in PATH, which " + use + "; " + variable +
                           " in the environment can tell where it is");
}

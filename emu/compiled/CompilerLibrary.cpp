#include "emu/compiled/CompilerLibrary.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace leno;
using namespace llvm;

static constexpr const char *fileName = "libleno-compiler.so";

/// Where the library may be: beside the folder of the program that runs, where it was to be installed, or where the
/// host's loader looks.
static SmallVector<std::string, 4> places() {
  SmallVector<std::string, 4> found;
  if (std::string program = sys::fs::getMainExecutable(nullptr, nullptr); !program.empty())
    for (const char *folder : {"lib", LENO_LIBRARY_FOLDER}) {
      SmallString<256> place(sys::path::parent_path(sys::path::parent_path(program)));
      sys::path::append(place, folder, fileName);
      if (!is_contained(found, place.str()))
        found.push_back(place.str().str());
    }
  found.push_back(std::string(LENO_INSTALLED_LIBRARIES) + "/" + fileName);
  found.push_back(fileName);
  return found;
}

static Expected<const compiled::Compiler *> load() {
  SmallVector<std::string, 4> tried = places();
  for (const std::string &place : tried) {
    if (place != fileName && !sys::fs::exists(place))
      continue;
    void *library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL); // for the rest of the process
    if (!library && place == fileName)
      break;
    if (!library)
      return createStringError(Twine("the compiler cannot be loaded: ") + dlerror());
    auto *compiler = static_cast<const compiled::Compiler *>(dlsym(library, "lenoCompiler"));
    if (!compiler || compiler->version != compiled::Compiler::current)
      return createStringError(place + " is not the compiler of this build");
    return compiler;
  }
  return createStringError("the compiled tier has no compiler: looked for " + join(tried, ", ") +
                           " (Debian package leno-compiler)");
}

std::string compiled::compilerProgram(const Compiler &library) {
  Dl_info info;
  if (!dladdr(&library, &info) || !info.dli_fname)
    return "";
  SmallString<256> program(sys::path::parent_path(info.dli_fname));
  sys::path::append(program, "leno", "leno-compile-region");
  return sys::fs::can_execute(program) ? program.str().str() : "";
}

Expected<const compiled::Compiler *> compiled::compilerLibrary() {
  struct Loaded {
    const Compiler *compiler = nullptr;
    std::string error;
  };
  static const Loaded loaded = [] {
    Loaded result;
    if (Error error = load().moveInto(result.compiler))
      result.error = toString(std::move(error));
    return result;
  }();
  if (!loaded.compiler)
    return createStringError(loaded.error);
  return loaded.compiler;
}

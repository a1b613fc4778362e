#include "emu/compiled/CompilerLibrary.h"
#include "asm/support/FloatEnvironment.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace leno;
using namespace llvm;

static constexpr const char *fileName = "libleno-compiler.so";

/// Where the library may be: beside the program that runs or the library that we are in, as a driver and
/// Python's module are, or in a folder beside theirs; where it was to be installed, or where the host's
/// loader looks.
static SmallVector<std::string, 8> places() {
  SmallVector<std::string, 8> found;
  auto add = [&](StringRef folder, StringRef below) {
    SmallString<256> place(folder);
    sys::path::append(place, below, fileName);
    if (!is_contained(found, place.str()))
      found.push_back(place.str().str());
  };
  std::string program = sys::fs::getMainExecutable(nullptr, nullptr);
  SmallString<256> us;
  if (Dl_info info;
      dladdr(fileName, &info) && info.dli_fname && !sys::fs::real_path(info.dli_fname, us) && us != program) {
    const StringRef here = sys::path::parent_path(us), above = sys::path::parent_path(here);
    add(here, "");
    add(above, "lib");
    add(sys::path::parent_path(above), "lib"); // a module of Python lies two deep
  }
  if (!program.empty())
    for (const char *below : {"lib", LENO_LIBRARY_FOLDER})
      add(sys::path::parent_path(sys::path::parent_path(program)), below);
  found.push_back(std::string(LENO_INSTALLED_LIBRARIES) + "/" + fileName);
  found.push_back(fileName);
  return found;
}

static Expected<const compiled::Compiler *> load() {
  FloatScope floats; // LLVM computes while it is loaded, and the host finds its flags again
  SmallVector<std::string, 8> tried = places();
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

std::string compiled::compilerProgram(const Compiler *loaded) {
  SmallVector<std::string, 8> libraries;
  if (!loaded)
    libraries = places();
  else if (Dl_info info; dladdr(loaded, &info) && info.dli_fname)
    libraries.push_back(info.dli_fname);
  for (const std::string &library : libraries) {
    SmallString<256> program(sys::path::parent_path(library));
    sys::path::append(program, "leno", "leno-compile-region");
    if (library != fileName && sys::fs::can_execute(program))
      return program.str().str();
  }
  return "";
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

#include "emu/compiled/CompilerLibrary.h"
#include "asm/support/FloatEnvironment.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <atomic>
#include <dlfcn.h>

using namespace leno;
using namespace leno::compiled;
using namespace llvm;

static constexpr const char *fileName = "libleno-compiler.so";

/// Where the host's loader looks.
static SmallVector<std::string, 8> foldersOfLoader() {
  SmallVector<std::string, 8> found;
  void *program = dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo size;
  if (!program || dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0)
    return found;
  std::vector<char> bytes(size.dls_size);
  auto *all = reinterpret_cast<Dl_serinfo *>(bytes.data());
  *all = size;
  if (dlinfo(program, RTLD_DI_SERINFO, all) == 0)
    for (unsigned i = 0; i < all->dls_cnt; ++i)
      found.push_back(all->dls_serpath[i].dls_name);
  dlclose(program);
  return found;
}

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
  add(LENO_INSTALLED_LIBRARIES, "");
  for (const std::string &folder : foldersOfLoader())
    add(folder, "");
  return found;
}

/// What comes of something that is done once; threads may ask while the process ends.
template <auto make> static auto once() {
  using Made = decltype(make());
  using T = typename Made::value_type;
  struct Result {
    explicit Result(Made made) {
      if (made)
        value = std::move(*made);
      else
        error = toString(made.takeError());
    }
    T value{};
    std::string error;
  };
  static const Result *only = new Result(make());
  return only->error.empty() ? Made(only->value) : Made(createStringError(only->error));
}

static Expected<std::string> findLibrary() {
  SmallVector<std::string, 8> tried = places();
  for (const std::string &place : tried)
    if (sys::fs::exists(place))
      return place;
  return createStringError("the compiled tier has no compiler: looked for " + join(tried, ", ") +
                           " (Debian package leno-compiler)");
}

Expected<std::string> compiled::compilerFile() { return once<findLibrary>(); }

std::string compiled::fileOfLLVM() {
  SmallVector<std::string, 8> folders = foldersOfLoader();
  folders.insert(folders.begin(), LENO_LLVM_FOLDER);
  for (const std::string &folder : folders)
    if (std::string place = folder + "/" + LENO_LLVM_LIBRARY; sys::fs::exists(place))
      return place;
  return LENO_LLVM_LIBRARY;
}

static std::atomic<bool> isTried = false; ///< to load it

static Expected<const Compiler *> loadLibrary() {
  FloatScope floats; // LLVM computes while it is loaded, and the host finds its flags again
  isTried = true;
  Expected<std::string> place = compilerFile();
  if (!place)
    return place.takeError();
  void *library = dlopen(place->c_str(), RTLD_NOW | RTLD_LOCAL); // for the rest of the process
  if (!library)
    return createStringError(Twine("the compiler cannot be loaded: ") + dlerror());
  auto *compiler = static_cast<const Compiler *>(dlsym(library, "lenoCompiler"));
  if (!compiler || compiler->version != Compiler::current)
    return createStringError(*place + " is not the compiler of this build");
  return compiler;
}

Expected<const Compiler *> compiled::compilerLibrary() { return once<loadLibrary>(); }

Error compiled::checkCompiler() {
  return isTried ? compilerLibrary().takeError() : compilerFile().takeError();
}

std::string compiled::compilerProgram() {
  Expected<std::string> library = compilerFile();
  if (!library) {
    consumeError(library.takeError());
    return "";
  }
  SmallString<256> program(sys::path::parent_path(*library));
  sys::path::append(program, "leno", "leno-compile-region");
  return sys::fs::can_execute(program) ? program.str().str() : "";
}

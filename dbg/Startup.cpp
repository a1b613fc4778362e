#include "dbg/Startup.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace llvm;

namespace leno::dbg {

static constexpr StringLiteral nameHere = ".lenodbginit";

static SmallString<128> folderOf(const char *variable) {
  const char *value = std::getenv(variable);
  return SmallString<128>(value ? value : "");
}

static SmallString<128> startupFile() {
  SmallString<128> home = folderOf("HOME"), path = folderOf("XDG_CONFIG_HOME");
  if (path.empty() && !home.empty()) {
    path = home;
    sys::path::append(path, ".config");
  }
  if (!path.empty())
    sys::path::append(path, "leno", "dbginit");
  if (sys::fs::is_regular_file(path))
    return path;
  if (!home.empty())
    sys::path::append(home, nameHere);
  return sys::fs::is_regular_file(home) ? home : SmallString<128>();
}

Error readStartupFile(Interpreter &interpreter) {
  SmallString<128> path = startupFile();
  return path.empty() ? Error::success() : interpreter.executeFile(path, /*echo=*/false);
}

static SmallString<128> realPath(StringRef path) {
  SmallString<128> real;
  if (sys::fs::real_path(path, real, /*expand_tilde=*/true))
    real = path;
  return real;
}

/// Whether `folder` is `parent` or below it.
static bool isWithin(StringRef folder, StringRef parent) {
  SmallString<128> inner = realPath(folder), outer = realPath(parent);
  StringRef rest = inner;
  return rest.consume_front(outer) && (rest.empty() || rest.starts_with("/") || outer.ends_with("/"));
}

Error readStartupFileHere(Interpreter &interpreter) {
  if (!sys::fs::is_regular_file(nameHere) || sys::fs::equivalent(nameHere, startupFile()))
    return Error::success();
  for (const std::string &folder : interpreter.settings.safePath)
    if (isWithin(".", folder))
      return interpreter.executeFile(nameHere, /*echo=*/false);
  interpreter.out << nameHere << " of this folder is not run: `source " << nameHere
                  << "` runs it, `help set auto-load` tells how to trust it\n";
  return Error::success();
}

} // namespace leno::dbg

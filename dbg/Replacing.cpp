#include "dbg/Replacing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace leno::dbg {

bool consumeForce(StringRef &arguments) {
  StringRef rest = arguments;
  if (!rest.consume_front("-f") || (!rest.empty() && !isSpace(rest.front())))
    return false;
  arguments = rest.ltrim();
  return true;
}

Error mayReplace(Interpreter &in, StringRef command, StringRef path, bool isForced, bool isOwn,
                 StringRef whatElse) {
  RunFiles files = in.session.prepared().files();
  files.writes(path);
  if (Error error = files.check())
    return error;
  if (isForced || isOwn || !sys::fs::is_regular_file(path))
    return Error::success();
  std::string there = "'" + path.str() + "' is there, and is " + whatElse.str();
  if (!in.ask)
    return createStringError(there + ": `" + command + " -f " + path + "` replaces it");
  if (in.ask(there + ". Replace it?"))
    return Error::success();
  return createStringError("'" + path + "' stays as it was");
}

} // namespace leno::dbg

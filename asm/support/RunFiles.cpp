//===- RunFiles.cpp - Which files a run of a tool reads and writes --------===//
#include "asm/support/RunFiles.h"

#include "asm/support/AtomicFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace leno {

std::optional<RunFiles::Identity> RunFiles::ofDescriptor(int descriptor) {
  struct stat status;
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  return Identity{status.st_dev, status.st_ino, ""};
}

RunFiles::File RunFiles::describe(StringRef path, Use use) {
  File file{path.str(), use, false, std::nullopt};
  int descriptor = path == "-" ? (use == Input ? STDIN_FILENO : STDOUT_FILENO) : namedDescriptor(path);
  if (descriptor >= 0) {
    file.isDescriptor = true;
    file.identity = ofDescriptor(descriptor);
    return file;
  }
  std::string target = path.str();
  struct stat status;
  if (followLinks(target))
    return file; // who opens it will say so
  if (::stat(target.c_str(), &status) == 0) {
    if (S_ISREG(status.st_mode))
      file.identity = {status.st_dev, status.st_ino, ""};
    return file;
  }
  StringRef folder = sys::path::parent_path(target);
  if (::stat(folder.empty() ? "." : folder.str().c_str(), &status) == 0)
    file.identity = {status.st_dev, status.st_ino, sys::path::filename(target).str()};
  return file;
}

void RunFiles::rewrites(StringRef input, StringRef output) {
  File read = describe(input, Input), written = describe(output, Output);
  if (read.identity && read.identity == written.identity) {
    written.use = Both;
    files.push_back(std::move(written));
    return;
  }
  files.push_back(std::move(read));
  files.push_back(std::move(written));
}

Error RunFiles::conflict(const File &output, const File &other) {
  auto cannotWrite = [&](const Twine &why) {
    return createStringError("cannot write '" + output.path + "': " + why);
  };
  if (other.use != Input)
    return cannotWrite("another output ('" + other.path + "') is the same file; give each its own");
  std::string as = other.path == output.path ? ""
                   : other.path == "-"       ? ", on standard input"
                                             : ", as '" + other.path + "'";
  return cannotWrite("this run reads it" + as + "; give the output a name of its own");
}

Error RunFiles::check() const {
  if (count_if(files, [](const File &file) { return file.use == Input && file.path == "-"; }) > 1)
    return createStringError(
        "standard input can be read once; name a file for all but one who would read it");
  for (size_t i = 0; i < files.size(); ++i) {
    const File &file = files[i];
    if (!file.identity)
      continue;
    for (const File &earlier : ArrayRef(files).take_front(i)) {
      bool areAppended =
          file.isDescriptor && earlier.isDescriptor && file.use != Input && earlier.use != Input;
      if (earlier.identity != file.identity || areAppended || (file.use == Input && earlier.use == Input))
        continue;
      return file.use == Input ? conflict(earlier, file) : conflict(file, earlier);
    }
    // What takes the place of the file that the shell sends our words to would take them away.
    if (file.use == Input || file.isDescriptor)
      continue;
    for (auto [descriptor, name] :
         {std::pair(STDOUT_FILENO, "standard output"), {STDERR_FILENO, "standard error"}})
      if (ofDescriptor(descriptor) == file.identity)
        return createStringError("cannot write '" + Twine(file.path) + "': " + name +
                                 " goes to the same file; give each its own");
  }
  return Error::success();
}

std::vector<std::string> RunFiles::inputs() const {
  std::vector<std::string> paths;
  for (const File &file : files)
    if (file.use != Output)
      paths.push_back(file.path);
  return paths;
}

} // namespace leno

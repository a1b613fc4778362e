#include "asm/support/AtomicFile.h"
#include "asm/support/Interrupts.h"
#include "asm/support/Tool.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using llvm::Error;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;

namespace leno {

static Error cannotWrite(StringRef path, const Twine &why) {
  return llvm::createStringError("cannot write '" + path + "': " + why);
}

static Error cannotWrite(StringRef path, std::error_code ec) { return cannotWrite(path, ec.message()); }

static std::error_code lastError() { return std::error_code(errno, std::generic_category()); }

namespace {

/// A reader that closes its pipe must give an error here, for SIGPIPE would end the process and leave
/// temporaries.
class BrokenPipesAreErrors {
public:
  BrokenPipesAreErrors() {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before);
  }
  ~BrokenPipesAreErrors() { sigaction(SIGPIPE, &before, nullptr); }

private:
  struct sigaction before{};
};

} // namespace

/// /dev/stdout and its like name a descriptor that we hold. Opened anew, or renamed onto when the shell
/// redirected it to a regular file, its earlier contents would be lost.
int namedDescriptor(StringRef path) {
  if (path == "/dev/stdout")
    return STDOUT_FILENO;
  if (path == "/dev/stderr")
    return STDERR_FILENO;
  int number = -1;
  if ((path.consume_front("/dev/fd/") || path.consume_front("/proc/self/fd/")) &&
      !path.getAsInteger(10, number))
    return number;
  return -1;
}

static std::string parentOf(StringRef target) {
  StringRef parent = llvm::sys::path::parent_path(target);
  return parent.empty() ? "." : parent.str();
}

/// Follows symbolic links by hand, because the last one may point to a file that does not exist yet.
std::error_code followLinks(std::string &target) {
  for (int hops = 0; hops < 40; ++hops) {
    std::error_code ec;
    std::filesystem::path link = std::filesystem::read_symlink(target, ec);
    if (ec)
      return {}; // not a link (any more)
    target = link.is_absolute() ? link.string() : (std::filesystem::path(parentOf(target)) / link).string();
  }
  return std::make_error_code(std::errc::too_many_symbolic_link_levels);
}

Error OutputSet::resolve(Entry &entry) {
  StringRef path = entry.path;
  if (path.empty())
    return llvm::createStringError("an output file needs a name");
  if (path.contains('\0'))
    return cannotWrite(path, "the name holds a zero byte");
  entry.descriptor = namedDescriptor(path);
  if (entry.descriptor >= 0) {
    entry.straightThrough = true;
    entry.target = "descriptor " + std::to_string(entry.descriptor);
    if (fcntl(entry.descriptor, F_GETFD) < 0)
      return cannotWrite(path, lastError());
    return Error::success();
  }

  entry.target = path.str();
  if (std::error_code ec = followLinks(entry.target))
    return cannotWrite(path, ec);
  std::string parent = parentOf(entry.target);
  fs::file_status status;
  if (std::error_code ec = fs::status(entry.target, status); ec && ec != std::errc::no_such_file_or_directory)
    return cannotWrite(path, ec);
  if (fs::is_directory(status) || llvm::sys::path::is_separator(path.back()))
    return cannotWrite(path, "it is a directory; name a file in it");
  if (fs::exists(status) && fs::access(entry.target, fs::AccessMode::Write))
    return cannotWrite(path, "the file is read-only; remove it, or change its permissions");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    entry.straightThrough = true;
    return Error::success();
  }
  if (!fs::is_directory(parent))
    return cannotWrite(path, "there is no directory '" + parent + "'; create it first");
  if (::access(parent.c_str(), W_OK | X_OK) != 0)
    return cannotWrite(path, "the directory '" + parent + "' does not let new files be created (" +
                                 lastError().message() + ")");
  return Error::success();
}

Error checkOutputPath(StringRef path) {
  OutputSet::Entry entry;
  entry.path = path.str();
  return OutputSet::resolve(entry);
}

OutputSet::~OutputSet() { discard(); }

Error OutputSet::add(StringRef path, Writer write) {
  Entry entry;
  entry.path = path.str();
  entry.write = std::move(write);
  if (Error error = resolve(entry))
    return error;
  files.writes(path);
  if (Error error = files.check())
    return error;
  entries.push_back(std::move(entry));
  return Error::success();
}

void OutputSet::addStandardOutput(Writer write) {
  Entry entry;
  entry.path = "standard output";
  entry.straightThrough = true;
  entry.descriptor = STDOUT_FILENO;
  entry.write = std::move(write);
  entries.push_back(std::move(entry));
}

void OutputSet::discard() {
  for (Entry &entry : entries) {
    if (entry.temporary.empty())
      continue;
    ::unlink(entry.temporary.c_str());
    llvm::sys::DontRemoveFileOnSignal(entry.temporary);
  }
  entries.clear();
}

/// Runs the writer, then asks the stream whether everything arrived (a full disk shows here, or at close).
static Error writeTo(llvm::raw_fd_ostream &stream, StringRef path, const OutputSet::Writer &write,
                     bool close) {
  Error error = write(stream);
  if (close)
    stream.close();
  else
    stream.flush();
  std::error_code ec = stream.error();
  stream.clear_error(); // the stream's destructor would abort over an error left standing
  if (error)
    return error;
  return ec ? cannotWrite(path, ec) : Error::success();
}

Error OutputSet::writeTemporary(Entry &entry) {
  std::string prefix = parentOf(entry.target) + "/.leno-";
  int descriptor = -1;
  {
    InterruptsHeld hold; // none may fall between a temporary's creation and its registration for removal
    for (int attempt = 0; attempt < 100 && descriptor < 0; ++attempt) {
      std::string name = prefix + std::to_string(getpid()) + "-" +
                         std::to_string(llvm::sys::Process::GetRandomNumber()) + ".tmp";
      descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor >= 0)
        entry.temporary = std::move(name);
      else if (errno != EEXIST && errno != EINTR)
        break;
    }
    if (descriptor < 0)
      return cannotWrite(entry.path, lastError());
    llvm::sys::RemoveFileOnSignal(entry.temporary);
  }
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  struct stat old;
  if (::stat(entry.target.c_str(), &old) == 0)
    (void)fchmod(descriptor, old.st_mode & 0777);
  return writeTo(stream, entry.path, entry.write, /*close=*/true);
}

Error OutputSet::writeThrough(Entry &entry) {
  if (entry.descriptor == STDOUT_FILENO) {
    Error error = entry.write(llvm::outs());
    return error ? std::move(error) : finishOutput();
  }
  if (entry.descriptor >= 0) {
    llvm::raw_fd_ostream stream(entry.descriptor, /*shouldClose=*/false);
    return writeTo(stream, entry.path, entry.write, /*close=*/false);
  }
  std::error_code ec;
  llvm::raw_fd_ostream stream(entry.target, ec, fs::CD_OpenExisting, fs::FA_Write, fs::OF_None);
  if (ec)
    return cannotWrite(entry.path, ec);
  return writeTo(stream, entry.path, entry.write, /*close=*/true);
}

Error OutputSet::writeAll() {
  for (Entry &entry : entries)
    if (!entry.straightThrough)
      if (Error error = writeTemporary(entry))
        return error;
  for (Entry &entry : entries)
    if (entry.straightThrough)
      if (Error error = writeThrough(entry))
        return error;
  return Error::success();
}

Error OutputSet::renameAll() {
  std::string replaced;
  for (Entry &entry : entries) {
    if (entry.temporary.empty())
      continue;
    if (std::error_code ec = fs::rename(entry.temporary, entry.target))
      return cannotWrite(entry.path,
                         ec.message() + (replaced.empty() ? "" : "; already written:" + replaced));
    llvm::sys::DontRemoveFileOnSignal(entry.temporary);
    entry.temporary.clear();
    replaced += " " + entry.path;
  }
  return Error::success();
}

Error OutputSet::commit() {
  BrokenPipesAreErrors guard;
  Error error = writeAll();
  if (!error)
    error = renameAll();
  discard();
  return error;
}

Error writeFileAtomically(StringRef path, OutputSet::Writer write) {
  OutputSet set;
  if (Error error = set.add(path, std::move(write)))
    return error;
  return set.commit();
}

} // namespace leno

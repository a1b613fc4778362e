#include "dbg/Application.h"
#include "asm/support/Assert.h"
#include "dbg/Interrupt.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace leno::dbg {

using runtime::LaunchAnswer;
using runtime::LaunchImage;

static Error failed(const Twine &what) { return createStringError(what + ": " + std::strerror(errno)); }

bool Application::isProgram(StringRef path) {
  constexpr size_t machineAt = 18, enough = 20;
  auto file = MemoryBuffer::getFileSlice(path, enough, 0);
  StringRef start = file ? (*file)->getBuffer() : "";
  if (start.starts_with("#!"))
    return true;
  if (start.size() < enough || !start.starts_with(ELF::ElfMagic))
    return false;
  u16 machine = u16(u8(start[machineAt]) | u8(start[machineAt + 1]) << 8); // little endian, as all hosts are
#if defined(__x86_64__)
  return machine == ELF::EM_X86_64;
#elif defined(__aarch64__)
  return machine == ELF::EM_AARCH64;
#endif
}

Expected<std::unique_ptr<Application>> Application::create(std::vector<std::string> command,
                                                           bool printsAside) {
  std::unique_ptr<Application> made(new Application(std::move(command), printsAside));
  const std::string &name = made->words.front();
  ErrorOr<std::string> found = sys::findProgramByName(name);
  std::error_code wrong = found ? sys::fs::access(*found, sys::fs::AccessMode::Execute) : found.getError();
  if (wrong)
    return createStringError("cannot find the program '" + name + "': " + wrong.message());
  made->program = *found;
  return made;
}

Application::~Application() {
  kill();
  if (!folder.empty())
    sys::fs::remove_directories(folder);
}

Error Application::listen() {
  if (folder.empty()) {
    const char *base = std::getenv("TMPDIR");
    folder = std::string(base && *base ? base : "/tmp") + "/leno-dbg-XXXXXX";
    if (!mkdtemp(folder.data()))
      return failed("cannot make the folder '" + std::exchange(folder, "") + "'");
  }
  std::string path = folder + "/socket";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path))
    return createStringError("the path '" + path + "' is too long for a socket: set TMPDIR to a shorter one");
  std::strcpy(address.sun_path, path.c_str());
  unlink(path.c_str());
  listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, reinterpret_cast<const sockaddr *>(&address), sizeof(address)) ||
      ::listen(listener, SOMAXCONN))
    return failed("cannot listen at '" + path + "'");
  return Error::success();
}

/// The environment of the program: OpenCL loaders find our driver.
static std::vector<std::string> environmentWith(StringRef socket) {
  std::vector<std::string> all;
  for (char **entry = environ; *entry; ++entry)
    if (!StringRef(*entry).starts_with(std::string(runtime::debuggerVariable) + "="))
      all.push_back(*entry);
  all.push_back(std::string(runtime::debuggerVariable) + "=" + socket.str());
  if (std::getenv("OCL_ICD_VENDORS"))
    return all;
  SmallString<128> prefix =
      sys::path::parent_path(sys::path::parent_path(sys::fs::getMainExecutable(nullptr, nullptr)));
  for (StringRef part : {"lib", "etc"}) {
    SmallString<128> vendors = prefix;
    sys::path::append(vendors, part, "OpenCL", "vendors");
    if (sys::fs::is_directory(vendors)) {
      all.push_back("OCL_ICD_VENDORS=" + vendors.str().str());
      break;
    }
  }
  return all;
}

static std::vector<char *> pointers(std::vector<std::string> &strings) {
  std::vector<char *> all;
  for (std::string &one : strings)
    all.push_back(one.data());
  all.push_back(nullptr);
  return all;
}

Error Application::start() {
  kill();
  before.reset();
  end.clear();
  if (Error error = listen())
    return error;
  std::vector<std::string> environment = environmentWith(folder + "/socket");
  std::vector<char *> argv = pointers(words), envp = pointers(environment);
  // Scripts of commands come on standard input; a terminal is for both.
  int input = isatty(STDIN_FILENO) ? STDIN_FILENO : open("/dev/null", O_RDONLY | O_CLOEXEC);
  int told[2]; // why it cannot be executed
  if (pipe2(told, O_CLOEXEC))
    return failed("cannot make a pipe");
  process = fork();
  if (process == 0) { // nothing that is not safe among threads
    dup2(input, STDIN_FILENO);
    if (printsAside)
      dup2(STDERR_FILENO, STDOUT_FILENO);
    signal(SIGINT, SIG_IGN); // Ctrl-C is the debugger's
    signal(SIGPIPE, SIG_DFL);
    execve(program.c_str(), argv.data(), envp.data());
    int why = errno;
    if (write(told[1], &why, sizeof(why))) // the other side hears of it
      _exit(127);
    _exit(127);
  }
  int why = process < 0 ? errno : 0;
  close(told[1]);
  if (process > 0 && read(told[0], &why, sizeof(why)) > 0)
    waitpid(std::exchange(process, 0), nullptr, 0);
  close(told[0]);
  if (input != STDIN_FILENO)
    close(input);
  if (why == 0)
    return Error::success();
  process = 0;
  closeLaunch();
  errno = why;
  return failed("cannot run '" + program + "'");
}

/// Whoever waits for us, or comes later, runs its launches itself.
void Application::closeLaunch() {
  for (int *one : {&connection, &listener})
    if (*one >= 0)
      close(std::exchange(*one, -1));
  current.reset();
}

bool Application::hasEnded(bool waits) {
  int how = 0;
  if (waitpid(process, &how, waits ? 0 : WNOHANG) != process)
    return false;
  process = 0;
  status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
  const char *name = WIFEXITED(how) ? nullptr : sigabbrev_np(WTERMSIG(how));
  end = WIFEXITED(how) ? "exited with status " + std::to_string(status)
                       : "was killed by SIG" + std::string(name ? name : std::to_string(WTERMSIG(how)));
  closeLaunch();
  return true;
}

void Application::kill() {
  if (!runs())
    return closeLaunch();
  ::kill(process, SIGKILL);
  hasEnded(/*waits=*/true);
}

void Application::leave() {
  if (current)
    answer({});
  closeLaunch();
  process = 0;
  // It may be compiling there: what is in the folder stays with it.
  unlink((folder + "/socket").c_str());
  rmdir(folder.c_str());
  folder.clear();
}

Error Application::readProgram(LaunchImage &image) {
  auto [known, isNew] = programs.try_emplace(*image.program);
  if (isNew) {
    auto executable = Executable::load(MemoryBufferRef(*image.program, image.file));
    if (!executable) {
      programs.erase(known);
      return executable.takeError();
    }
    known->second = {image.program, std::make_shared<const Executable>(std::move(*executable))};
  }
  image.program = known->second.bytes;
  image.executable = known->second.executable;
  return Error::success();
}

std::optional<LaunchImage> Application::receive() {
  connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection < 0)
    return std::nullopt;
  std::optional<std::string> message = runtime::receiveMessage(connection, [] { return false; });
  Expected<LaunchImage> image = LaunchImage::decode(message.value_or(""), before.get(), meter);
  if (image) {
    if (Error error = readProgram(*image))
      image = std::move(error);
    else
      return std::move(*image);
  }
  if (message) // else it has gone
    errs() << "leno-dbg: warning: a launch is left to the program: " << toString(image.takeError()) << '\n';
  else
    consumeError(image.takeError());
  close(std::exchange(connection, -1));
  return std::nullopt;
}

Application::Event Application::wait() {
  LENO_ASSERT(runs() && !current, "a program is waited for that does not run, or waits for us");
  for (;;) {
    pollfd ready{listener, POLLIN, 0};
    if (poll(&ready, 1, 20) > 0)
      if (std::optional<LaunchImage> image = receive()) {
        before = current = std::make_shared<const LaunchImage>(std::move(*image));
        return Event::Launch;
      }
    if (hasEnded(/*waits=*/false))
      return Event::Ended;
    if (interruptRequested())
      return Event::Interrupted;
  }
}

void Application::answer(const LaunchAnswer &answer) {
  consumeError(runtime::sendMessage(connection, answer.encode())); // who has gone needs none
  close(std::exchange(connection, -1));
  current.reset();
}

} // namespace leno::dbg

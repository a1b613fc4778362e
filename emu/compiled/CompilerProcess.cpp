#include "emu/compiled/CompilerProcess.h"
#include "emu/compiled/RegionBytes.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace leno;
using namespace leno::compiled;

extern char **environ;

/// It has the socket as its standard input and output and nothing else of this process: who waits for the end
/// of what this process writes does not wait for that one.
bool CompilerProcess::start(const std::string &program) {
  if (child)
    return true;
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, sockets[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, sockets[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  char *arguments[] = {const_cast<char *>(program.c_str()), nullptr};
  {
    std::lock_guard lock(mutex);
    if (!hasEnded && posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ) == 0)
      socket = sockets[0];
    else
      child = 0;
  }
  posix_spawn_file_actions_destroy(&actions);
  ::close(sockets[1]);
  if (!child)
    ::close(sockets[0]);
  return child;
}

/// It ends when there is no more to read; one that was left is waited for by nobody.
void CompilerProcess::close() {
  std::unique_lock lock(mutex);
  const pid_t started = child;
  if (!started)
    return;
  ::close(std::exchange(socket, -1));
  if (!hasEnded || !CodeCache::get().isThere()) {
    lock.unlock();
    // Nobody else is sent the signal: the child is not waited for while it may be.
    siginfo_t info;
    while (waitid(P_PID, id_t(started), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
      ;
    lock.lock();
    while (waitpid(started, nullptr, 0) < 0 && errno == EINTR) // an application may have taken it already
      ;
  }
  child = 0;
}

void CompilerProcess::end() {
  std::lock_guard lock(mutex);
  hasEnded = true;
  if (!child)
    return;
  if (CodeCache::get().isThere())
    shutdown(socket, SHUT_RDWR); // what it is at it still keeps
  else
    kill(child, SIGKILL);
}

std::string CompilerProcess::imageOf(const Region &region, const CodeCache::Key &key,
                                     const std::string &program) {
  const std::string bytes = bytesOf(region);
  RequestHeader request{bytes.size(), {}};
  std::copy(key.begin(), key.end(), request.key);
  ImageHeader header;
  std::string image;
  auto isAnswered = [&] {
    if (!start(program) || !sendAll(socket, &request, sizeof(request)) ||
        !sendAll(socket, bytes.data(), bytes.size()) || !receiveAll(socket, &header, sizeof(header)))
      return false;
    image.resize(header.size);
    return receiveAll(socket, image.data(), image.size());
  };
  if (isAnswered())
    return image;
  close(); // it has ended in the midst: the next one is another's
  return "";
}

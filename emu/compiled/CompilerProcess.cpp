#include "emu/compiled/CompilerProcess.h"
#include "emu/compiled/RegionBytes.h"
#include <cerrno>
#include <csignal>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace leno;
using namespace leno::compiled;

extern char **environ;

void CompilerProcess::end() {
  std::lock_guard lock(mutex);
  hasEnded = true;
  if (child)
    kill(child, SIGKILL);
}

static bool sendAll(int socket, const std::string &bytes) {
  for (size_t done = 0; done < bytes.size();) {
    ssize_t count = send(socket, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    done += size_t(count);
  }
  return shutdown(socket, SHUT_WR) == 0;
}

/// Up to its end; the size that stands before it tells whether it is whole.
static std::string receiveImage(int socket) {
  std::string all;
  char piece[65536];
  while (true) {
    ssize_t count = recv(socket, piece, sizeof(piece), 0);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    all.append(piece, size_t(count));
  }
  ImageHeader header;
  if (all.size() < sizeof(header))
    return {};
  std::memcpy(&header, all.data(), sizeof(header));
  all.erase(0, sizeof(header));
  return all.size() == header.size ? all : "";
}

std::string CompilerProcess::imageOf(const Region &region, const std::string &program) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, sockets[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, sockets[1], STDOUT_FILENO);
  char *arguments[] = {const_cast<char *>(program.c_str()), nullptr};
  pid_t started = 0;
  {
    std::lock_guard lock(mutex);
    if (!hasEnded && posix_spawn(&started, program.c_str(), &actions, nullptr, arguments, environ) == 0)
      child = started;
    else
      started = 0;
  }
  posix_spawn_file_actions_destroy(&actions);
  close(sockets[1]);
  std::string image;
  if (started && sendAll(sockets[0], bytesOf(region)))
    image = receiveImage(sockets[0]);
  close(sockets[0]);
  if (started) {
    // Nobody else is sent the signal: the child is not waited for while it may be.
    siginfo_t info;
    while (waitid(P_PID, id_t(started), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
      ;
    std::lock_guard lock(mutex);
    while (waitpid(started, nullptr, 0) < 0 && errno == EINTR) // an application may have taken it already
      ;
    child = 0;
  }
  return image;
}

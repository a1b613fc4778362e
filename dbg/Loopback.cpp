#include "dbg/Loopback.h"
#include "llvm/ADT/Twine.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace llvm;

namespace leno::dbg {

Expected<int> listenOnLoopback(uint16_t &port, int waiting, int flags) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  if (listener < 0)
    return createStringError("cannot make a socket: " + errnoAsErrorCode().message());
  int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener, reinterpret_cast<sockaddr *>(&address), size) || listen(listener, waiting) ||
      getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size)) {
    std::error_code why = errnoAsErrorCode();
    close(listener);
    return createStringError("cannot listen on 127.0.0.1:" + Twine(port) + ": " + why.message());
  }
  port = ntohs(address.sin_port);
  return listener;
}

} // namespace leno::dbg

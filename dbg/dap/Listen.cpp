#include "dbg/dap/Listen.h"
#include "dbg/Loopback.h"
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace llvm;

namespace leno::dbg::dap {

Expected<int> acceptClient(uint16_t port, raw_ostream &told) {
  Expected<int> listener = listenOnLoopback(port, 1);
  if (!listener)
    return listener;
  told << "listening on 127.0.0.1:" << port << '\n';
  told.flush();
  int client;
  do
    client = accept(*listener, nullptr, nullptr);
  while (client < 0 && errno == EINTR);
  std::error_code why = errnoAsErrorCode();
  close(*listener);
  if (client < 0)
    return createStringError("no client can be accepted: " + why.message());
  int on = 1;
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // answers are short
  return client;
}

} // namespace leno::dbg::dap

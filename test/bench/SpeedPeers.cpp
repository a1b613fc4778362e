// Other implementations run in a process of their own, leno-bench again: what they bring, an LLVM of another
// version often, does not meet ours, and what they break is theirs.
#include "test/bench/Bench.h"
#include "test/bench/SpeedRuns.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;

namespace leno::bench {

std::optional<double> SpeedPeer::secondsOf(const std::string &kernel) const {
  for (const auto &[name, seconds] : this->seconds)
    if (name == kernel)
      return seconds;
  return std::nullopt;
}

std::string ownPath() {
  static int here;
  return sys::fs::getMainExecutable("leno-bench", &here);
}

Expected<json::Value> runForJson(std::vector<std::string> command) {
  SmallString<64> output, errors;
  if (auto code = sys::fs::createTemporaryFile("leno-bench", "json", output))
    return errorCodeToError(code);
  if (auto code = sys::fs::createTemporaryFile("leno-bench", "txt", errors))
    return errorCodeToError(code);
  std::vector<StringRef> arguments(command.begin(), command.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(output), StringRef(errors)};
  std::string message;
  int status = sys::ExecuteAndWait(command[0], arguments, std::nullopt, redirects, 3600, 0, &message);
  auto text = MemoryBuffer::getFile(output), complaint = MemoryBuffer::getFile(errors);
  sys::fs::remove(output);
  sys::fs::remove(errors);
  if (status || !text)
    return createStringError(!message.empty() ? message
                             : complaint      ? (*complaint)->getBuffer().trim().str()
                                              : "it fails");
  // Simulators may write lines of their own.
  StringRef json = (*text)->getBuffer();
  return json::parse(json.substr(json.find('{')));
}

static SpeedPeer peerOf(StringRef shownName, StringRef package, std::vector<std::string> command) {
  SpeedPeer peer;
  Expected<json::Value> result = runForJson(std::move(command));
  const json::Object *figures = result ? result->getAsObject() : nullptr;
  if (!figures) {
    peer.name = (shownName + " (Debian's " + package + "): " + toString(result.takeError())).str();
    return peer;
  }
  peer.found = true;
  peer.name = (shownName + ": " + figures->getString("name").value_or("?")).str();
  if (const json::Object *seconds = figures->getObject("seconds"))
    for (const auto &[kernel, value] : *seconds)
      peer.seconds.emplace_back(StringRef(kernel).str(), value.getAsNumber().value_or(0));
  if (const json::Object *failures = figures->getObject("failures"))
    for (const auto &[kernel, value] : *failures)
      errs() << "leno-bench: " << shownName << " cannot run " << StringRef(kernel) << ": "
             << value.getAsString().value_or("?") << '\n';
  return peer;
}

namespace {

/// Sets a variable while it lives.
class Environment {
public:
  Environment(const char *name, const std::string &value) : name(name) {
    if (const char *now = getenv(name))
      before = now;
    setenv(name, value.c_str(), 1);
  }
  Environment(const Environment &) = delete;
  ~Environment() { before ? setenv(name, before->c_str(), 1) : unsetenv(name); }

private:
  const char *name;
  std::optional<std::string> before;
};

} // namespace

std::vector<SpeedPeer> measurePeers(double seconds, bool quick) {
  std::vector<std::string> again = {ownPath(), "opencl"};
  if (quick)
    again.push_back("--quick");
  std::vector<SpeedPeer> peers;
  std::vector<std::string> command = again;
  command.insert(command.end(), {"--seconds", fixed(seconds, 3)});
  // One core each, as we.
  Environment oneThread("LENO_THREADS", "1"), oneCore("POCL_MAX_PTHREAD_COUNT", "1");
  SmallString<128> vendors(sys::path::parent_path(sys::path::parent_path(ownPath())));
  sys::path::append(vendors, "lib", "OpenCL", "vendors");
  if (sys::fs::is_directory(vendors)) {
    Environment ours("OCL_ICD_VENDORS", vendors.str().str());
    peers.push_back(peerOf("OpenCL C on Leno", "ocl-icd-libopencl1", command));
  }
  peers.push_back(peerOf("PoCL", "pocl-opencl-icd", command));
  if (auto oclgrind = sys::findProgramByName("oclgrind")) {
    command = {*oclgrind, "--num-threads", "1"};
    command.insert(command.end(), again.begin(), again.end());
    command.insert(command.end(), {"--seconds", "0"}); // once: it is slow
    peers.push_back(peerOf("Oclgrind", "oclgrind", command));
  } else {
    peers.push_back({"Oclgrind (Debian's oclgrind) is not installed", false, {}});
  }
  return peers;
}

} // namespace leno::bench

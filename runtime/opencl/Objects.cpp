#include "runtime/opencl/Objects.h"

#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <unordered_map>

namespace leno::opencl {

namespace {
struct Handles {
  std::shared_mutex mutex;
  std::unordered_map<const void *, Kind> known;
};
/// Never destroyed: programs release handles while they end.
Handles &handles() {
  static auto *all = new Handles;
  return *all;
}
} // namespace

void enterHandle(const void *handle, Kind kind) {
  std::unique_lock lock(handles().mutex);
  handles().known[handle] = kind;
}

void leaveHandle(const void *handle) {
  std::unique_lock lock(handles().mutex);
  handles().known.erase(handle);
}

bool isHandle(const void *handle, Kind kind) {
  std::shared_lock lock(handles().mutex);
  auto it = handles().known.find(handle);
  return it != handles().known.end() && it->second == kind;
}

bool &runsCommands() {
  static thread_local bool does = false;
  return does;
}

cl_ulong now() {
  return cl_ulong(std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::steady_clock::now().time_since_epoch())
                      .count());
}

void onAnotherThread(std::function<void()> work) { std::thread(std::move(work)).detach(); }

} // namespace leno::opencl

// A launch of a host program with all that it depends on, and what has come of it: how the host API hands it
// to a debugger (`leno-dbg -- ./program`), which runs it in a process of its own.
//
// LENO_DEBUGGER in the environment names a socket. The host API connects to it for each launch, sends the
// launch, and waits for what came of it. Where the debugger says nothing, is gone, or leaves the launch to
// the program, it runs there as ever: a program is never lost with its debugger.
#pragma once

#include "asm/Executable.h"
#include "emu/launch/GridRun.h"
#include "emu/memory/MemoryImage.h"
#include <atomic>

namespace leno::runtime {

struct LaunchImage {
  std::string file;                             ///< the program's name in messages
  std::shared_ptr<const std::string> program;   ///< the executable's bytes
  std::shared_ptr<const Executable> executable; ///< of them, where it is read already; else null
  std::string kernel;
  LaunchSpec spec;                  ///< but for what the kernel says of itself
  uint64_t globalBase = 0;          ///< where the program's own global data are; 0: it has none
  std::vector<std::string> machine; ///< every key=value
  /// The launch is counted, checked, profiled or traced: the program runs it in any case.
  bool isObserved = false;
  struct Region {
    uint64_t base;
    std::string name;
    MemoryImage bytes;
  };
  std::vector<Region> memory; ///< of the context, by address
  std::array<std::vector<uint8_t>, ConstantBanks::count> constants;

  /// Memory and constants of `device` as they stand. `meter` counts the pages.
  void take(leno::Device &device, const MemoryImage::Meter &meter);
  /// Into a device that has nothing yet.
  llvm::Error place(leno::Device &device) const;

  std::string encode() const;
  /// Fails on what is no image. Regions share what has not changed since `before`, which may be null.
  static llvm::Expected<LaunchImage> decode(llvm::StringRef bytes, const LaunchImage *before,
                                            const MemoryImage::Meter &meter);
};

/// What the debugger says of a launch that has come to its end.
struct LaunchAnswer {
  bool hasRun = false; ///< else it is for the program to run, and nothing follows
  uint64_t instructions = 0;
  struct Change {
    uint64_t address;
    std::string bytes;
  };
  std::vector<Change> changes; ///< of the context's memory

  /// What `device` has other than `before`.
  void addChanges(const LaunchImage &before, const leno::Device &device);

  std::string encode() const;
  static llvm::Expected<LaunchAnswer> decode(llvm::StringRef bytes);
};

// Messages on the socket: their length in eight bytes, then themselves.
llvm::Error sendMessage(int socket, llvm::StringRef message);
/// Nullopt: the other side has gone, or `stop` came true.
std::optional<std::string> receiveMessage(int socket, llvm::function_ref<bool()> stop);

inline constexpr char debuggerVariable[] = "LENO_DEBUGGER";
/// Hands a launch to the debugger that the environment names. Nullopt: there is none, or it leaves the launch
/// to us.
std::optional<LaunchAnswer> askDebugger(const LaunchImage &image, const std::atomic<bool> &isInterrupted);

} // namespace leno::runtime

// Running kernels.
#pragma once

#include "leno/DeviceMemory.h"
#include "leno/Module.h"
#include <array>
#include <bit>
#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

namespace leno::host {

class MessageChannel;

/// CTAs of a grid or threads of a CTA, along three axes (Architecture.md 9). Each at least 1.
struct Extent {
  std::uint32_t x = 1, y = 1, z = 1;
};

struct LaunchConfig {
  Extent grid = {};  ///< CTAs; all together below 2^31
  Extent block = {}; ///< threads of a CTA; all together at most sm.warps * 32
  /// The watchdog: warp instructions of the whole grid before it traps TIMEOUT; 0: no limit. The default is
  /// half a minute or so of one host core.
  std::uint64_t maximumInstructions = 4'000'000'000;
  /// Count what the machine does; costs about half of the speed.
  bool statistics = false;
  /// Checks that look at the launch, as leno-run --check has them: "memory,race", "all"; it then runs on one
  /// host thread, and takes 1.1 to 10 times as long. Launches that overlap are looked at together. Empty:
  /// those of LENO_CHECK in the environment, whose findings are written to standard error, too.
  std::string checks = {};
  /// A folder: the launch is counted by instruction and line, and is in the report that is written there, as
  /// leno-run --profile writes it, when the Device goes or Device::writeProfiles is called. All launches of
  /// the device with that folder are in one report. It takes up to twice as long. Empty: LENO_PROFILE in the
  /// environment, or none.
  std::string profile = {};
  /// Host threads that run a launch alone (Device), at most one for each SM; memory and counts of a program
  /// without races do not depend on it. 0: all cores of the host where nothing else depends on it either,
  /// that is, without statistics, channels, atomics whose order shows, locks, clocks; else 1.
  unsigned threads = 0;
  /// What runs warps: "interpreter"; "compiled", which makes machine code of the kernel first; or "auto",
  /// which makes it beside launches that are long, and uses it where it is faster. A matter of the host:
  /// results are the same. Empty: LENO_TIER in the environment, or the interpreter.
  std::string tier = {};
  /// Bytes of shared memory of each CTA beyond the kernel's own variables: they begin at Kernel::sharedBytes(),
  /// rounded up to a multiple of 16. The kernel gets the place as a parameter.
  std::uint32_t sharedBytes = 0;
  /// c[0][0x20] to c[0][0x3c]: eight words that a kernel can agree on with who launches it, beside its
  /// parameters. leno-cc --host-words reads there, for OpenCL: the global offset along each axis, the number of
  /// dimensions, the address of printf's buffer in two words, and in two that of what work-groups of one size
  /// do not know of the whole, where a launch is a part of one with several sizes (0: it is not).
  std::array<std::uint32_t, 8> hostWords = {};
  /// Of the context's memory; served while the kernel runs, which is on one thread; a channel by one launch
  /// at a time.
  std::vector<MessageChannel *> channels = {};
  /// With host.model=clock [S3]: the CPU sends the launch as the channel's next message, its code and its
  /// parameters included; the context waits for the message and starts what it holds. A channel of the
  /// context's memory, for launches alone, with room for LaunchMessage's words (emu/device/LaunchMessage.h).
  /// Where it plays a script, the script's launch() sends it.
  MessageChannel *message = nullptr;
  /// As a command of a context: it need not wait for the launch before it to end [S2]. Its CTAs go out when
  /// all of that one's are, with constants as they stand at its place among the commands. For launches that
  /// read nothing that the one before writes (emu/device/Contexts.md).
  bool overlap = false;
  /// The nesting limit: entries that the divergence stack of a warp may have before it traps STACK_OVERFLOW
  /// [S0], at most warp.stackDepth; 0: that of the context.
  std::uint64_t stackDepth = 0;
};

/// Counts of one launch; the same launch always gives the same counts.
struct LaunchStatistics {
  std::uint64_t ctas = 0, warps = 0;
  std::uint64_t warpInstructions = 0;
  std::uint64_t laneOperations = 0; ///< lanes that executed, over all warp instructions
  std::uint64_t branches = 0, divergentBranches = 0;
  std::uint64_t stackPushes = 0, stackPops = 0, maxStackDepth = 0; ///< of the divergence stacks, in entries
  std::uint64_t stackEntriesSpilled = 0, stackEntriesRestored = 0; ///< with stack.model=cache or memory
  std::uint64_t stackStallCycles = 0;                              ///< with timing.model=cycles
  std::uint64_t globalBytesLoaded = 0, globalBytesStored = 0;
  std::uint64_t barrierArrivals = 0; ///< warps that arrived at a barrier
  std::uint64_t cycles = 0;          ///< with timing.model=cycles
  /// With l2.model=slices: lines that the kernel asked the L2's slices for, and those that were there; and
  /// the same of the host, whose messages go through the slices while the kernel runs.
  std::uint64_t l2Requests = 0, l2Hits = 0, hostRequests = 0, hostHits = 0;

  /// Lanes that executed, of all there were: 0 to 1.
  double simtEfficiency() const {
    return warpInstructions ? double(laneOperations) / (32.0 * double(warpInstructions)) : 0;
  }
};

/// A guest fault (Architecture.md 10). It ends its CTA and those of higher numbers; CTAs before it run on
/// to their end, and when several trap the lowest is told. A STACK_OVERFLOW ends its CTA only, and the rest
/// of the grid goes on. Buffers hold what had been stored by then, and stay usable; so does the device of a
/// launch alone. Where contexts share the machine it ends its context [S4].
struct TrapInfo {
  std::string kind;  ///< "ADDRESS_OUT_OF_RANGE"
  std::string text;  ///< one line with everything below
  std::uint64_t pc;  ///< byte address of the instruction
  std::string label; ///< "saxpy+0x48"
  std::string file;  ///< source file; empty when the module has no line table
  unsigned line = 0; ///< from 1; 0 when unknown
  std::array<std::uint32_t, 3> cta{};
  unsigned warp = 0;                    ///< in its CTA
  std::uint32_t lanes = 0;              ///< those at fault; bit 0 is lane 0
  std::optional<std::uint64_t> address; ///< of the lowest lane at fault, where an address is at fault
  /// STACK_OVERFLOW: the calls that the warp was in, the innermost first, as "called at f+0x18 (f.s:7), 62
  /// times".
  std::vector<std::string> calls;
};

/// A mistake that a check has found (runtime/checks/Checks.md).
struct Finding {
  std::string check;       ///< "race"
  std::string kind;        ///< "store-after-load"
  std::string text;        ///< all that leno-run would tell of it: both places, source lines, notes
  std::string file;        ///< of the later place; empty when the module has no line table
  unsigned line = 0;       ///< from 1; 0 when unknown
  std::uint64_t count = 1; ///< equal ones
};

struct LaunchResult {
  std::optional<TrapInfo> trap;
  std::vector<Finding> findings; ///< of LaunchConfig::checks
  std::uint64_t warpInstructions = 0;
  std::optional<LaunchStatistics> statistics; ///< when LaunchConfig asked for them

  /// The grid has run to its end.
  bool finished() const { return !trap; }
};

/// One value of an argument pack. Integers by their width and sign (int is i32, std::uint32_t is u32), float
/// is f32, double is f64, a Buffer is ptr.
class Argument {
public:
  template <typename T>
    requires(std::integral<T> || std::floating_point<T>) && (!std::same_as<T, bool>) && (sizeof(T) <= 8)
  Argument(T value) : type(typeName<T>()) {
    if constexpr (std::same_as<T, float>)
      bits = std::bit_cast<std::uint32_t>(value);
    else if constexpr (std::same_as<T, double>)
      bits = std::bit_cast<std::uint64_t>(value);
    else
      bits = static_cast<std::uint64_t>(value);
  }
  /// The buffer must live until the launch returns.
  Argument(const Buffer &buffer) : type("ptr"), buffer(&buffer) {}

private:
  friend class Launcher;
  template <typename T> static constexpr std::string_view typeName() {
    if constexpr (std::floating_point<T>)
      return sizeof(T) == 4 ? "f32" : "f64";
    else if constexpr (std::signed_integral<T>)
      return sizeof(T) == 1 ? "i8" : sizeof(T) == 2 ? "i16" : sizeof(T) == 4 ? "i32" : "i64";
    else
      return sizeof(T) == 1 ? "u8" : sizeof(T) == 2 ? "u16" : sizeof(T) == 4 ? "u32" : "u64";
  }
  /// Null when its device is gone or it was freed.
  std::shared_ptr<ContextState> bufferOwner() const;

  std::string_view type;
  std::uint64_t bits = 0;
  const Buffer *buffer = nullptr;
};

/// Runs a grid of a Device or a Context to its end or to a trap, and returns then. `arguments` follow the
/// kernel's `.param` lines: as many, each of exactly that type (nothing is converted; a ptr takes a Buffer,
/// or a u64 that is an address).
///
/// Fails, and runs nothing: on a wrong count or type (naming the kernel, the argument, the parameter and both
/// types); on a buffer that was freed, or belongs to another device or context; on a CTA of more threads or
/// shared memory than an SM has, or an empty or overlong grid (naming the limit); on a Kernel or Device that
/// is none. Where contexts share the machine (Device), also on a context that has ended, or waits for a
/// semaphore that nobody will release.
Result<LaunchResult> launchWith(DeviceMemory &where, const Kernel &kernel, const LaunchConfig &config,
                                std::span<const Argument> arguments);

/// The same with the arguments one by one: launch(device, kernel, {.grid = {4}, .block = {256}}, 1000u, 2.5f,
/// x, y).
template <std::convertible_to<Argument>... Arguments>
Result<LaunchResult> launch(DeviceMemory &where, const Kernel &kernel, const LaunchConfig &config,
                            const Arguments &...arguments) {
  std::array<Argument, sizeof...(Arguments)> pack{Argument(arguments)...};
  return launchWith(where, kernel, config, pack);
}

} // namespace leno::host

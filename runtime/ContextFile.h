// What a file of --contexts says: several contexts, each with its buffers and its stream of commands [S4].
// The command line says the same of a launch alone: one context without a name, with one launch.
//
//     machine:
//       sm.count: 4
//     contexts:
//       - name: long
//         buffers:
//           y: out:f32[1024]:y.npy        # shared by the launches of the context
//           z: { data: zero:u8[65536], on-demand: true }   # its pages are mapped when they are touched
//         stream:
//           - launch: long.s
//             grid: 64
//             block: 256
//             args: [u32:1024, f32:2.5, in:x.npy, y]
//       - name: urgent
//         priority: 1
//         stream:
//           - not-before: 20000           # cycles
//           - launch: short.s
//             args: ['out:u32[8]:print:']
//
// Names of files are relative to the file they stand in.
#pragma once

#include "emu/device/HostProcessor.h"
#include "emu/launch/TileMapping.h"
#include "runtime/ArgumentSpec.h"
#include "runtime/LaunchOptions.h"
#include "runtime/YamlText.h"
#include <variant>

namespace leno::runtime {

class ContextFile {
public:
  // Everything that can be at fault later knows its place.
  struct Launch {
    std::string file;
    std::string kernel; ///< empty: the only one
    Dimensions grid, block;
    struct Argument {
      std::string buffer; ///< of the context, by name; empty: `spec` tells
      ArgumentSpec spec;
      llvm::SMLoc at;
    };
    std::vector<Argument> arguments;
    uint64_t maximumInstructions = LaunchOptions::DefaultMaximumInstructions;
    uint64_t stackDepth = 0; ///< as LaunchSpec has it
    bool overlap = false;                                       ///< as leno::Launch has it
    std::optional<uint32_t> channel; ///< of the context's, whose next message holds it
    llvm::SMLoc channelAt;
    llvm::SMLoc fileAt, kernelAt, gridAt, blockAt, argumentsAt; ///< `fileAt` for those that are not given
  };
  struct Constants {
    unsigned bank = 0;
    uint64_t offset = 0;
    std::vector<uint8_t> bytes;
    llvm::SMLoc at;
  };
  /// Its value is at least `value`: released, or waited for.
  struct Semaphore {
    enum Kind : uint8_t { Release, Acquire } kind;
    std::string name;
    uint64_t value = 1;
  };
  struct SyncToken {
    TileMapping mapping;
    bool drains = true;
  };
  /// As leno::Share has it.
  struct Share {
    std::optional<int> priority;
    std::optional<uint64_t> sms;
    llvm::SMLoc at;
  };
  struct NotBefore {
    uint64_t cycle;
  };
  using Command = std::variant<Launch, Constants, Semaphore, SyncToken, Share, NotBefore>;

  struct Buffer {
    std::string name;
    ArgumentSpec spec; ///< no scalar
    bool isOnDemand = false;
    std::optional<MemoryPlace> place; ///< of its pages
    /// It is a channel of messages.
    struct Channel {
      ChannelShape shape;
      MemoryPlace requests = MemoryPlace::CoreCache, replies = MemoryPlace::CpuCache;
    };
    std::optional<Channel> channel;
    llvm::SMLoc at;
  };
  /// A step of the host's program; HostStep::channel is which of the context's channels.
  struct HostLine {
    HostStep step;
    llvm::SMLoc at;
    bool isLaunch = false; ///< sends what the next launch of the stream takes from the channel
  };
  struct Context {
    std::string name;
    int priority = 0;
    uint64_t sms = 0, watchdog = 0, stackDepth = 0; ///< as ContextSpec has them
    std::vector<Buffer> buffers;
    std::vector<Command> stream;
    std::vector<HostLine> host;
    llvm::SMLoc at;
  };

  /// Reads the file and checks all that can be checked without another. Its `machine` keys go to `machine`.
  /// Errors are located: file:line:column, the line and a caret.
  static llvm::Expected<ContextFile> load(llvm::StringRef path, MachineConfig &machine);
  /// The same from text; `name` is for messages, and other files are beside it.
  static llvm::Expected<ContextFile> parse(llvm::StringRef text, llvm::StringRef name,
                                           MachineConfig &machine);

  /// What the command line says. Mistakes are ArgumentErrors.
  static llvm::Expected<ContextFile> ofLaunch(const LaunchOptions &options);

  /// A file with every key, for people.
  static llvm::StringRef example();

  std::vector<Context> contexts;

  /// Empty: the command line's.
  llvm::StringRef text() const { return yaml ? yaml->text() : ""; }
  llvm::Error error(llvm::SMLoc at, const llvm::Twine &message) const { return yaml->error(at, message); }
  /// A mistake that is found later; on the command line it has no place, and stays as it is.
  llvm::Error located(llvm::SMLoc at, llvm::Error mistake, const llvm::Twine &before = "") const {
    return yaml ? error(at, before + llvm::toString(std::move(mistake))) : std::move(mistake);
  }

private:
  class Reader;
  static llvm::Expected<ContextFile> read(std::unique_ptr<YamlText> yaml, MachineConfig &machine);
  std::unique_ptr<YamlText> yaml;
};

} // namespace leno::runtime

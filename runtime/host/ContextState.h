// What stands behind a context: its memory, its modules, its commands and its streams.
#pragma once

#include "emu/observe/Statistics.h"
#include "runtime/host/MachineState.h"

#include <map>
#include <set>

namespace leno::checks {
struct CheckRow;
class LaunchChecks;
} // namespace leno::checks

namespace leno::host {

class BoundLaunch;
class ChannelState;
class StreamState;

class ContextState : public std::enable_shared_from_this<ContextState> {
public:
  /// `context`: the machine's; null: the device's own, which has launches alone before it joins the machine.
  ContextState(std::shared_ptr<MachineState> machine, std::string name, leno::Context *context);
  ~ContextState();
  ContextState(const ContextState &) = delete;
  ContextState &operator=(const ContextState &) = delete;

  const std::shared_ptr<MachineState> machine;
  const std::string name;
  leno::Device &device; ///< its memory and constants

  //===--- Memory and modules (ContextMemory.cpp) -------------------------------===//

  /// The program of a module in this context: places its data the first time. What modules that are gone have
  /// left is released first. The caller has the gate alone.
  llvm::Expected<const Program *> load(const std::shared_ptr<const ModuleState> &module);
  /// Where the data of a module are that is loaded; 0: it has none.
  uint64_t globalBaseOf(const ModuleState &module) const {
    auto found = loaded.find(&module);
    return found == loaded.end() ? 0 : found->second.globalBase;
  }

  /// While it lives, buffers that are freed keep their memory: a command may still use it.
  class Use {
  public:
    Use() = default;
    explicit Use(std::shared_ptr<ContextState> context);
    Use(Use &&) = default;
    Use &operator=(Use &&other) noexcept;
    ~Use() { end(); }

  private:
    void end();
    std::shared_ptr<ContextState> context;
    uint64_t number = 0;
  };
  /// The last buffers that have been released, the latest last. The caller has the gate alone, or the turn.
  llvm::ArrayRef<AddressSpace::Allocation> releasedLately() const { return gone; }
  /// Gives an allocation back, once those who use it now have ended.
  void release(uint64_t address);

  /// "another device" or "context 'a'", for those who belong to `here`.
  std::string seenFrom(const ContextState &here) const {
    return machine == here.machine ? "context '" + name + "'" : "another device";
  }
  /// Copies of the host's, between two turns of the warps that run. The caller does not have the gate.
  Status writeNow(std::uint64_t address, std::span<const std::byte> data);
  Status readNow(std::uint64_t address, std::span<std::byte> data);
  /// For the launches that come: at once, or where contexts share the machine as a command.
  Status writeConstantsNow(const std::shared_ptr<const ModuleState> &module, unsigned bank,
                           std::uint32_t offset, std::span<const std::byte> data);
  /// Why nobody can use its memory now, or ever; a success when they can.
  Status checkMemory() const;
  /// It tells `checker` of what the host does, for as long as that lives. The caller has the gate alone, or
  /// the turn.
  void tellOfHost(const std::shared_ptr<checks::LaunchChecks> &checker);
  /// Tells of buffers that nobody has released, where LENO_CHECK holds `memory`.
  void tellLeaks();
  /// Its memory has gone as a whole.
  bool isGone() const { return isClosed; }

  //===--- Commands on the machine's clock (Context.cpp) ------------------------===//

  /// The arguments have been checked.
  Result<std::shared_ptr<ContextLaunchState>> launch(const BoundLaunch &launch);
  Status write(const Buffer &buffer, std::uint64_t offset, std::span<const std::byte> data);
  Status read(const Buffer &buffer, std::uint64_t offset, std::span<std::byte> data);
  Status copy(const Buffer &from, std::uint64_t fromOffset, const Buffer &to, std::uint64_t toOffset,
              std::uint64_t bytes);
  Status writeConstants(const std::shared_ptr<const ModuleState> &module, unsigned bank, std::uint32_t offset,
                        std::span<const std::byte> data);
  /// Adds a command that names no buffer.
  Status add(Command command);
  Status share(const leno::Share &wanted);

  /// Fails for a buffer of another context, or too small.
  Result<std::uint64_t> addressOf(const Buffer &buffer, const char *what, std::uint64_t offset,
                                  std::uint64_t count) const;

  /// Why it takes no more commands, or none can be put to it.
  Status checkOpen() const;
  /// Why it has ended.
  Status status() const;
  /// Runs the machine until `enough`; fails when this context waits for ever.
  Status runUntil(llvm::function_ref<bool()> enough);
  /// Its streams end, then it does; `why` is for the streams.
  void close(const std::string &why);

  /// The device's own.
  bool isOwn() const { return &device == &machine->own; }

  // The caller has the turn.
  /// The machine's; null: it has not joined.
  leno::Context *context() const { return joined; }
  bool isDone() const { return !joined || leno::Machine::isDone(*joined); }
  /// What its commands may use: buffers freed since, and modules.
  struct InUse {
    Use use;
    std::vector<std::shared_ptr<const ModuleState>> modules;
  };
  /// Nothing is left that could use them.
  std::optional<InUse> takeUnused();
  void noteTrap(std::string text) { trapText = std::move(text); }

  //===--- Streams --------------------------------------------------------------===//

  /// Fails when it is closed.
  Status addStream(const std::shared_ptr<StreamState> &stream);


private:
  void endUse(uint64_t number);
  void give(llvm::ArrayRef<uint64_t> addresses);
  void unloadGone();
  llvm::Error join();
  using CheckRows = std::vector<const checks::CheckRow *>;
  /// That of the launches in flight which ask for the same.
  std::shared_ptr<checks::LaunchChecks> checkerFor(const CheckRows &rows);
  Status submit(Command command, std::shared_ptr<const ModuleState> module);

  std::atomic<bool> isClosed = false;
  std::map<CheckRows, std::weak_ptr<checks::LaunchChecks>> checkers;
  class HostWatch;
  std::unique_ptr<HostWatch> hostWatch; ///< null: nobody has asked

  std::mutex usesMutex;
  uint64_t lastUse = 0;
  std::set<uint64_t> uses;
  std::vector<AddressSpace::Allocation> gone; ///< 100 at most
  std::multimap<uint64_t, uint64_t> freed;    ///< addresses, by the last use that there was then

  struct Loaded {
    std::weak_ptr<const ModuleState> module;
    uint64_t globalBase = 0;
    std::optional<Program> program; ///< none: the module's own, which depends on no address
  };
  std::map<const ModuleState *, Loaded> loaded;
  std::array<const ModuleState *, ConstantBanks::count> bankOwners{};

  leno::Context *joined;
  std::optional<InUse> inUse;
  std::string trapText;
  size_t launches = 0;

  std::mutex streamsMutex;
  std::vector<std::weak_ptr<StreamState>> streams;
};

} // namespace leno::host

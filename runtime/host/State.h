// What stands behind the host API's handles. Included before the API's headers, whose leno::Device and the
// machine's own would else be one ambiguous name: here the machine's is leno::Device, the API's host::Device.
#pragma once

#include "asm/Executable.h"
#include "emu/Device.h"
#include "emu/program/Program.h"
#include "runtime/host/Gate.h"

#include "leno/Result.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace leno::host {

class ModuleState {
public:
  ModuleState(Executable executable, Program program)
      : executable(std::move(executable)), program(std::move(program)) {}
  Executable executable;
  Program program;
};

class StreamState;

class SharedState;

class DeviceState {
public:
  /// A device that has its SMs for itself.
  DeviceState(const MachineConfig &config, const Engine &engine)
      : own(std::make_unique<Own>(config, engine)), machine(own->machine), gate(own->gate) {}
  /// A context's view of a device that others share.
  DeviceState(leno::Device &view, std::string name, std::shared_ptr<SharedState> shared);
  /// The program of a module on this device: places its data the first time. What modules that are gone have
  /// left is released first. The caller has the gate alone.
  llvm::Expected<const Program *> load(const std::shared_ptr<const ModuleState> &module);

  /// While it lives, buffers that are freed keep their memory: a command may still use it.
  class Use {
  public:
    Use() = default;
    explicit Use(std::shared_ptr<DeviceState> device);
    Use(Use &&) = default;
    Use &operator=(Use &&other) noexcept;
    ~Use() { end(); }

  private:
    void end();
    std::shared_ptr<DeviceState> device;
    uint64_t number = 0;
  };
  /// Gives an allocation back, once those who use it now have ended.
  void release(uint64_t address);

  /// "another device" or "context 'a'", for those who belong elsewhere.
  std::string otherName() const { return shared ? "context '" + name + "'" : "another device"; }
  /// Why nobody can use its memory now, or ever; a success when they can.
  Status checkOpen() const;
  /// Its memory goes as a whole.
  std::atomic<bool> isClosed = false;

private:
  struct Own {
    Own(const MachineConfig &config, const Engine &engine) : machine(config, engine) {}
    leno::Device machine;
    Gate gate;
  };
  std::unique_ptr<Own> own;
  std::string name;
  std::shared_ptr<SharedState> shared; ///< null for one with SMs for itself

public:
  leno::Device &machine;
  Gate &gate; ///< of its memory and constants; of all contexts of a shared device
  /// Held for a launch when warps have stack regions in memory, of which there is one for each place.
  std::mutex stackRegions;

  std::mutex streamsMutex;
  std::vector<std::weak_ptr<StreamState>> streams;

private:
  void endUse(uint64_t number);

  std::mutex usesMutex;
  uint64_t lastUse = 0;
  std::set<uint64_t> uses;
  std::multimap<uint64_t, uint64_t> freed; ///< addresses, by the last use that there was then
  struct Loaded {
    std::weak_ptr<const ModuleState> module;
    uint64_t globalBase = 0;
    std::optional<Program> program; ///< none: the module's own, which depends on no address
  };
  void unloadGone();
  std::map<const ModuleState *, Loaded> loaded;
  std::array<const ModuleState *, ConstantBanks::count> bankOwners{};
};

} // namespace leno::host

namespace leno::host {

/// Why the bytes are not constants of the module; a success when they are.
Status checkConstants(const ModuleState &module, unsigned bank, std::uint32_t offset, std::uint64_t count);

inline Error translate(llvm::Error error) { return Error(llvm::toString(std::move(error))); }

} // namespace leno::host

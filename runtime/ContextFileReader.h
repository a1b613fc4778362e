// How a file of --contexts is read, in parts.
#pragma once

#include "runtime/ContextFile.h"

#include "llvm/Support/Path.h"

namespace leno::runtime {

class ContextFile::Reader {
public:
  explicit Reader(ContextFile &file) : file(file), folder(llvm::sys::path::parent_path(file.yaml->name())) {}
  llvm::Error readRoot(const YamlValue &root, MachineConfig &machine);

private:
  /// A key of a mapping, and what its value is read by.
  struct Field {
    const char *name;
    std::function<llvm::Error(const YamlValue &)> read;
  };
  llvm::Error readFields(const YamlValue &mapping, llvm::StringRef what, llvm::ArrayRef<Field> fields) const;
  llvm::Error fail(llvm::SMLoc at, const llvm::Twine &message) const { return file.error(at, message); }

  // Values.
  llvm::Error readText(const YamlValue &value, llvm::StringRef what, std::string &to) const;
  llvm::Error readInteger(const YamlValue &value, llvm::StringRef what, uint64_t least, uint64_t most,
                    uint64_t &to) const;
  llvm::Error readPriority(const YamlValue &value, int &to) const;
  llvm::Error readFlag(const YamlValue &value, llvm::StringRef what, bool &to) const;
  llvm::Error readDimensions(const YamlValue &value, llvm::StringRef what, uint64_t most, Dimensions &to) const;
  llvm::Error readTiles(const YamlValue &value, TileMapping &to) const;
  llvm::Error readSpec(const YamlValue &value, ArgumentSpec &to) const;
  Field text(const char *name, std::string &to) const {
    return {name, [this, name, &to](const YamlValue &value) { return readText(value, name, to); }};
  }
  Field integer(const char *name, uint64_t least, uint64_t most, uint64_t &to) const {
    return {name,
            [=, this, &to](const YamlValue &value) { return readInteger(value, name, least, most, to); }};
  }
  Field flag(const char *name, bool &to) const {
    return {name, [this, name, &to](const YamlValue &value) { return readFlag(value, name, to); }};
  }
  void resolve(std::string &path) const;

  // The parts of the file.
  llvm::Error readContexts(const YamlValue &value);
  llvm::Error readContext(const YamlValue &value, Context &context) const;
  llvm::Error readBuffer(const YamlValue &value, Buffer &buffer) const;
  llvm::Error readBuffers(const YamlValue &value, Context &context) const;
  llvm::Error readStream(const YamlValue &value, Context &context) const;
  llvm::Expected<Command> readCommand(const YamlValue &value, const Context &context) const;
  llvm::Expected<Command> readLaunch(const YamlValue &value, const Context &context) const;
  llvm::Error readArguments(const YamlValue &value, const Context &context, Launch &launch) const;
  llvm::Expected<Command> readConstants(const YamlValue &value) const;
  llvm::Error readConstantValues(const YamlValue &value, Constants &constants) const;
  llvm::Expected<Command> readSemaphore(const YamlValue &value, Semaphore::Kind kind) const;
  llvm::Expected<Command> readSyncToken(const YamlValue &value) const;
  llvm::Expected<Command> readShare(const YamlValue &value) const;
  llvm::Expected<Command> readNotBefore(const YamlValue &value) const;
  // The host's part (ContextHost.cpp).
  llvm::Error readChannels(const YamlValue &value, Context &context) const;
  llvm::Error readChannel(const YamlValue &value, Buffer &buffer) const;
  llvm::Error readPlace(const YamlValue &value, llvm::StringRef what, MemoryPlace &to) const;
  llvm::Expected<bool> readPartOfChannel(const YamlValue &item, const Context &context,
                                   Launch::Argument &argument) const;
  llvm::Error readHost(const YamlValue &value, Context &context) const;
  llvm::Error readHostSteps(const YamlValue &value, Context &context) const;
  llvm::Error readHostStep(const YamlValue &value, const Context &context, HostLine &line) const;
  llvm::Expected<const ChannelShape *> readChannelName(const YamlValue &value, llvm::StringRef what,
                                                       const Context &context, uint32_t &channel) const;
  llvm::Error checkLaunchMessages(const Context &context) const;
  llvm::Error readMessage(const YamlValue &value, std::vector<uint32_t> &words) const;

  ContextFile &file;
  std::string folder;
};

} // namespace leno::runtime

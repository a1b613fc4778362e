//===- Application.h - A host program under the debugger ------------------===//
// The program is a process of its own, and nothing is done to it but that its environment names a socket
// (runtime/LaunchImage.h): it hands its launches over and waits for what comes of them. So it lives on when
// the debugger leaves it or ends.
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/LaunchImage.h"
#include <map>
#include <sys/types.h>

namespace leno::dbg {

class Application {
public:
  /// Of a program and its arguments. `printsAside`: what it prints goes to standard error. Fails when there
  /// is no such program.
  static llvm::Expected<std::unique_ptr<Application>> create(std::vector<std::string> command,
                                                             bool printsAside);
  /// Kills it, unless it was left.
  ~Application();
  Application(const Application &) = delete;

  const std::vector<std::string> &command() const { return words; }
  /// Whether a file is for the host's own processor, or a script with its interpreter.
  static bool isProgram(llvm::StringRef path);

  /// From its beginning, whatever ran before.
  llvm::Error start();
  /// It has been started, and has neither ended nor been left.
  bool runs() const { return process > 0; }

  enum class Event : u8 { Launch, Ended, Interrupted };
  /// Until it launches a kernel, ends, or Ctrl-C.
  Event wait();
  /// That it waits for; null: none.
  const std::shared_ptr<const runtime::LaunchImage> &launch() const { return current; }
  /// Of the memory of launches that are still there.
  u64 bytesKept() const { return *meter; }
  /// Reads the program of a launch, once for all launches. It stays.
  llvm::Error readProgram(runtime::LaunchImage &image);
  /// It goes on.
  void answer(const runtime::LaunchAnswer &answer);

  /// It goes on alone, with the launch that it waits for.
  void leave();
  void kill();
  /// "exited with status 3", "was killed by SIGSEGV": once it has ended.
  const std::string &howEnded() const { return end; }
  int exitStatus() const { return status; }

private:
  Application(std::vector<std::string> command, bool printsAside)
      : words(std::move(command)), printsAside(printsAside) {}
  llvm::Error listen();
  void closeLaunch();
  bool hasEnded(bool waits);
  std::optional<runtime::LaunchImage> receive();

  std::vector<std::string> words;
  std::string program; ///< its path
  bool printsAside;
  std::string folder; ///< of the socket, and of what the program leaves for us there
  int listener = -1, connection = -1;
  pid_t process = 0;
  std::string end;
  int status = 0;
  std::shared_ptr<const runtime::LaunchImage> current, before;
  /// Executables that launches have come from, by their bytes; each is read once.
  struct Program {
    std::shared_ptr<const std::string> bytes;
    std::shared_ptr<const Executable> executable;
  };
  std::map<llvm::StringRef, Program> programs;
  MemoryImage::Meter meter = std::make_shared<u64>(0);
};

} // namespace leno::dbg

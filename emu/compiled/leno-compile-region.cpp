// leno-compile-region: makes machine code of a region beside a process that runs (CompilerProcess.h): the
// region comes on standard input, and the image, behind a header, goes to standard output. Not for people.
#include "emu/compiled/RegionBytes.h"
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

using namespace leno;
using namespace leno::compiled;

/// Of the library that it stands beside; null: it is not there, or of another build.
static const Compiler *compilerBeside(const std::filesystem::path &program) {
  const std::string place = program.parent_path().parent_path() / "libleno-compiler.so";
  void *library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto *compiler = library ? static_cast<const Compiler *>(dlsym(library, "lenoCompiler")) : nullptr;
  return compiler && compiler->version == Compiler::current ? compiler : nullptr;
}

static bool writeAll(const void *from, size_t size) {
  for (const char *at = static_cast<const char *>(from); size > 0;) {
    ssize_t done = write(STDOUT_FILENO, at, size);
    if (done <= 0)
      return false;
    at += done, size -= size_t(done);
  }
  return true;
}

int main() {
  (void)setpriority(PRIO_PROCESS, 0, 13); // a twentieth of the launch that waits for nothing
  std::string bytes;
  char piece[65536];
  for (ssize_t count; (count = read(STDIN_FILENO, piece, sizeof(piece))) > 0;)
    bytes.append(piece, size_t(count));
  ReceivedRegion received;
  std::error_code error;
  const Compiler *compiler = compilerBeside(std::filesystem::read_symlink("/proc/self/exe", error));
  if (!compiler || !received.receive(bytes)) {
    std::fputs("leno-compile-region: error: standard input is no region of this build; Leno's machine starts this "
               "program itself\n",
               stderr);
    return 1;
  }
  bool isWritten = false;
  auto take = [](void *to, const char *image, size_t size) {
    const ImageHeader header{size};
    *static_cast<bool *>(to) = writeAll(&header, sizeof(header)) && writeAll(image, size);
  };
  char message[1024];
  compiler->image(received.region(), take, &isWritten, message, sizeof(message));
  return isWritten ? 0 : 1;
}

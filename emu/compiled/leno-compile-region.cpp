// leno-compile-region: makes machine code of regions beside a process that runs (CompilerProcess.h), which
// come on a socket at standard input. Their images are kept on disk, and go back by standard output. Not for
// people.
#include "emu/compiled/CodeCache.h"
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

/// False: who asked is gone, and does not want another one.
static bool answer(const Compiler &compiler, const RequestHeader &request) {
  std::string bytes(request.size, 0), image;
  ReceivedRegion received;
  if (!receiveAll(STDIN_FILENO, bytes.data(), bytes.size()) || !received.receive(bytes))
    return false;
  auto take = [](void *to, const char *from, size_t size) {
    static_cast<std::string *>(to)->assign(from, size);
  };
  char message[1024];
  if (!compiler.image(received.region(), take, &image, message, sizeof(message)))
    image.clear();
  else {
    CodeCache::Key key;
    std::copy(std::begin(request.key), std::end(request.key), key.begin());
    CodeCache::get().keep(key, image);
  }
  const ImageHeader header{image.size()};
  return sendAll(STDOUT_FILENO, &header, sizeof(header)) &&
         sendAll(STDOUT_FILENO, image.data(), image.size());
}

int main() {
  (void)setpriority(PRIO_PROCESS, 0, 17); // on one core a fiftieth of the launch that waits for nothing
  std::error_code error;
  const Compiler *compiler = compilerBeside(std::filesystem::read_symlink("/proc/self/exe", error));
  RequestHeader request;
  if (!compiler || !receiveAll(STDIN_FILENO, &request, sizeof(request))) {
    std::fputs(
        "leno-compile-region: error: standard input has no region of this build; Leno's machine starts this "
        "program itself\n",
        stderr);
    return 1;
  }
  while (answer(*compiler, request) && receiveAll(STDIN_FILENO, &request, sizeof(request)))
    ;
}

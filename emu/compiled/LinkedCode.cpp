#include "emu/compiled/LinkedCode.h"
#include "emu/compiled/CodeImage.h"
#include "emu/compiled/CompilerLibrary.h"
#include "emu/compiled/TakenBytes.h"
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace leno;
using namespace leno::compiled;
using namespace llvm;

namespace {

/// An image's parts, where all of them are there.
struct Parts {
  CodeImage head;
  std::vector<CodeImage::Function> functions;
  std::vector<CodeImage::Segment> segments;
  std::vector<CodeImage::Address> addresses;
  StringRef names, pages;

  bool read(StringRef image) {
    TakenBytes bytes{image};
    if (!bytes.take(&head, sizeof(head)) || !bytes.takeAll(functions, head.functions) ||
        !bytes.takeAll(segments, head.segments) || !bytes.takeAll(addresses, head.addresses) ||
        bytes.rest.size() != size_t(head.nameBytes) + head.bytes)
      return false;
    names = StringRef(bytes.rest).take_front(head.nameBytes);
    pages = StringRef(bytes.rest).substr(head.nameBytes);
    auto isIn = [&](u64 offset, u64 bytes) { return offset + bytes <= head.bytes; };
    return names.ends_with(StringRef("", 1)) && functions.size() > head.hasTurns &&
           all_of(functions,
                  [&](const auto &its) { return its.name < names.size() && isIn(its.offset, its.bytes); }) &&
           all_of(segments, [&](const auto &its) { return isIn(its.offset, its.bytes); }) &&
           all_of(addresses, [&](const auto &its) {
             return isIn(its.offset, sizeof(u64)) &&
                    (its.name == CodeImage::Address::ofPages || its.name < names.size());
           });
  }
  const char *name(u32 at) const { return names.data() + at; }
};

/// Whether the host's perf is told of all code.
bool tellsPerf() {
  const char *asked = std::getenv("LENO_PERF");
  return asked && *asked;
}

} // namespace

Expected<std::unique_ptr<LinkedCode>> LinkedCode::load(StringRef image) {
  Parts its;
  if (!its.read(image))
    return createStringError("these are not the bytes of compiled code");
  auto code = std::make_unique<LinkedCode>();
  std::error_code error;
  code->memory = sys::OwningMemoryBlock(sys::Memory::allocateMappedMemory(
      its.head.bytes, nullptr, sys::Memory::MF_READ | sys::Memory::MF_WRITE, error));
  if (error)
    return errorCodeToError(error);
  char *const pages = static_cast<char *>(code->memory.base());
  std::memcpy(pages, its.pages.data(), its.pages.size());
  for (const CodeImage::Address &address : its.addresses) {
    const void *base = pages;
    if (address.name != CodeImage::Address::ofPages && !(base = dlsym(RTLD_DEFAULT, its.name(address.name))))
      return createStringError(Twine("compiled code calls ") + its.name(address.name) +
                               ", which the process has not");
    const u64 value = reinterpret_cast<uintptr_t>(base) + u64(address.addend);
    std::memcpy(pages + address.offset, &value, sizeof(value));
  }
  for (const CodeImage::Segment &segment : its.segments)
    if ((error = sys::Memory::protectMappedMemory({pages + segment.offset, segment.bytes},
                                                  segment.isCode ? sys::Memory::MF_READ | sys::Memory::MF_EXEC
                                                                 : unsigned(sys::Memory::MF_READ))))
      return errorCodeToError(error);
  code->entryAt = pages + its.functions[0].offset;
  if (its.head.hasTurns)
    code->turnsAt = pages + its.functions[1].offset;
  if (tellsPerf()) {
    Expected<const Compiler *> compiler = compilerLibrary();
    if (!compiler)
      return compiler.takeError();
    for (const CodeImage::Function &each : its.functions)
      (*compiler)->tellPerf(its.name(each.name), pages + each.offset, each.bytes);
  }
  return code;
}

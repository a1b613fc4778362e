#include "emu/compiled/CodeCache.h"
#include "emu/compiled/CompilerLibrary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace leno;
using namespace leno::compiled;
using namespace llvm;

namespace {

/// Before the image: what it is, its size, and what its bytes add up to.
constexpr StringRef magic("lenocode", 8);
constexpr size_t headerBytes = 16 + LLVM_BLAKE3_OUT_LEN;

std::string sumOf(StringRef image) { return toStringRef(BLAKE3::hash<>(arrayRefFromStringRef(image))).str(); }

std::string wantedFolder() {
  SmallString<128> folder;
  if (const char *told = std::getenv("LENO_CACHE"); told && *told)
    return StringRef(told) == "off" ? "" : told;
  if (const char *caches = std::getenv("XDG_CACHE_HOME"); caches && sys::path::is_absolute(caches))
    folder = caches;
  else if (!sys::path::home_directory(folder))
    return "";
  else
    sys::path::append(folder, ".cache");
  sys::path::append(folder, "leno");
  return folder.str().str();
}

/// A folder, no link to one, that nobody else can write or read.
bool isOurs(const std::string &folder) {
  struct stat status;
  return lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & 077) == 0;
}

/// The number of its build; empty: it has none.
std::string buildOf(StringRef bytes) {
  auto elf = object::ELF64LEFile::create(bytes);
  auto headers = elf ? elf->program_headers() : elf.takeError();
  if (!headers) {
    consumeError(headers.takeError());
    return "";
  }
  std::string found;
  for (const auto &header : *headers) {
    if (header.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    for (const auto &note : elf->notes(header, error))
      if (note.getName() == "GNU" && note.getType() == ELF::NT_GNU_BUILD_ID)
        found = toHex(note.getDesc(header.p_align));
    consumeError(std::move(error));
  }
  return found;
}

/// The same wherever it lies.
std::string identityOf(StringRef library) {
  auto file = MemoryBuffer::getFile(library, false, /*RequiresNullTerminator=*/false);
  if (!file)
    return library.str();
  const StringRef bytes = (*file)->getBuffer();
  std::string build = buildOf(bytes);
  return build.empty() ? sumOf(bytes) : build;
}

/// What of the key is the same for all regions.
struct Maker {
  std::string compiler, llvm, host;
  explicit Maker(StringRef compiler)
      : compiler(identityOf(compiler)), llvm(identityOf(fileOfLLVM())), host(hostWords()) {}
  static std::string hostWords() {
    std::string words = sys::getHostCPUName().str();
    std::vector<std::string> features;
    for (const auto &[name, isThere] : sys::getHostCPUFeatures())
      features.push_back((isThere ? "+" : "-") + name.str());
    llvm::sort(features);
    for (const std::string &feature : features)
      words += feature;
    return words;
  }
};

} // namespace

Expected<CodeCache::Key> CodeCache::keyOf(const Region &region) {
  Expected<std::string> compiler = compilerFile();
  if (!compiler)
    return compiler.takeError();
  static const Maker *maker = new Maker(*compiler); // threads may ask while the process ends
  BLAKE3 hash;
  auto number = [&](u64 value) {
    hash.update(ArrayRef(reinterpret_cast<const uint8_t *>(&value), sizeof(value)));
  };
  auto text = [&](StringRef words) {
    number(words.size());
    hash.update(words);
  };
  number(Compiler::current);
  text(maker->compiler);
  text(maker->llvm);
  text(maker->host);
  text(region.width);
  number(u64(region.warps));
  number(region.count);
  for (const Operation &each : ArrayRef(region.operations, region.count)) {
    text(StringRef(reinterpret_cast<const char *>(&each.op), sizeof(Op)));
    for (u64 part : {u64(each.index), u64(each.form), u64(each.stack), u64(each.kind), u64(each.isLeader),
                     u64(each.tokenType), u64(each.reason), u64(each.window), u64(each.lanes),
                     u64(each.parts), u64(each.goesOut), u64(each.countsGuard), u64(each.counters),
                     each.shared[0], each.shared[1], each.shared[2], each.shared[3]})
      number(part);
  }
  number(region.poolSize);
  for (const PoolWord &word : ArrayRef(region.pool, region.poolSize)) {
    number(word.isConstant);
    number(word.value);
  }
  number(region.entry);
  number(region.counts);
  number(region.sharesWords);
  number(region.stackCount);
  for (const StackShape &shape : ArrayRef(region.stacks, region.stackCount)) {
    number(shape.depth);
    for (const StackEntry &entry : ArrayRef(shape.entries, shape.depth)) {
      number(entry.type);
      number(entry.pc);
    }
  }
  return hash.final<>();
}

CodeCache::CodeCache() {
  std::string wanted = wantedFolder();
  if (wanted.empty())
    return;
  if (StringRef above = sys::path::parent_path(wanted); !above.empty())
    (void)sys::fs::create_directories(above);
  (void)mkdir(wanted.c_str(), 0700);
  if (isOurs(wanted))
    folder = wanted;
}

const CodeCache &CodeCache::get() {
  static const CodeCache *cache = new CodeCache; // threads may ask while the process ends
  return *cache;
}

std::string CodeCache::place(const Key &key) const { return folder + "/" + toHex(key, /*LowerCase=*/true) + ".code"; }

std::unique_ptr<MemoryBuffer> CodeCache::find(const Key &key) const {
  if (folder.empty())
    return nullptr;
  const std::string file = place(key);
  auto whole = MemoryBuffer::getFile(file, false, false, /*IsVolatile=*/true);
  if (!whole)
    return nullptr;
  StringRef bytes = (*whole)->getBuffer();
  StringRef image = bytes.substr(std::min(headerBytes, bytes.size()));
  if (!bytes.starts_with(magic) || bytes.size() < headerBytes ||
      support::endian::read64le(bytes.data() + magic.size()) != image.size() ||
      bytes.substr(16, LLVM_BLAKE3_OUT_LEN) != sumOf(image)) {
    (void)sys::fs::remove(file);
    return nullptr;
  }
  (void)::utimensat(AT_FDCWD, file.c_str(), nullptr, 0); // it was used now
  return MemoryBuffer::getMemBufferCopy(image, "kept code");
}

void CodeCache::makeRoom(uint64_t bytes) const {
  struct File {
    sys::TimePoint<> used;
    uint64_t size;
    std::string path;
  };
  std::vector<File> files;
  uint64_t sum = bytes;
  std::error_code error;
  for (sys::fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    sys::fs::file_status status;
    if (sys::fs::status(at->path(), status, false) || status.type() != sys::fs::file_type::regular_file)
      continue;
    files.push_back({status.getLastModificationTime(), status.getSize(), at->path()});
    sum += status.getSize();
  }
  llvm::sort(files, [](const File &a, const File &b) { return std::tie(a.used, a.path) < std::tie(b.used, b.path); });
  for (const File &file : files) {
    if (sum <= mostBytes)
      return;
    (void)sys::fs::remove(file.path);
    sum -= file.size;
  }
}

void CodeCache::keep(const Key &key, StringRef image) const {
  if (folder.empty() || image.size() + headerBytes > mostBytes)
    return;
  makeRoom(image.size() + headerBytes);
  int descriptor = -1;
  SmallString<128> temporary;
  if (sys::fs::createUniqueFile(folder + "/%%%%%%%%.part", descriptor, temporary, sys::fs::OF_None, 0600))
    return;
  FileRemover remover(temporary);
  char size[8];
  support::endian::write64le(size, image.size());
  raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << magic << StringRef(size, 8) << sumOf(image) << image;
  os.close();
  if (os.has_error())
    os.clear_error(); // the disk is full, as it may be
  else if (!sys::fs::rename(temporary, place(key)))
    remover.releaseFile();
}

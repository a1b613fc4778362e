#include "emu/compiled/CodeCache.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
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

} // namespace

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

std::string CodeCache::place(const Key &key) const {
  return folder + "/" + toHex(key, /*LowerCase=*/true) + ".code";
}

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
  llvm::sort(files, [](const File &a, const File &b) {
    return std::tie(a.used, a.path) < std::tie(b.used, b.path);
  });
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

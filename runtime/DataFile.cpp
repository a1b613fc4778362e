#include "runtime/DataFile.h"
#include "asm/AtomicFile.h"
#include "isa/Assert.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace leno::runtime {

Expected<FileFormat> fileFormat(StringRef path) {
  if (path == "print:")
    return FileFormat::Print;
  StringRef ending = llvm::sys::path::extension(path);
  if (ending.equals_insensitive(".npy"))
    return FileFormat::Npy;
  if (ending.equals_insensitive(".pgm"))
    return FileFormat::Pgm;
  if (ending.equals_insensitive(".ppm"))
    return FileFormat::Ppm;
  if (ending.equals_insensitive(".bin"))
    return FileFormat::Raw;
  // A device or pipe has no ending: bytes as they are.
  if (ending.empty() && (path.starts_with("/dev/") || path.starts_with("/proc/self/fd/")))
    return FileFormat::Raw;
  return llvm::createStringError(
      "'" + path + "' " +
      (ending.empty() ? Twine("has no ending") : "has the unknown ending '" + ending + "'") +
      ": use .npy, .pgm, .ppm, .bin, or print: for an output");
}

static Error cannotRead(StringRef path, const Twine &why) {
  return llvm::createStringError("cannot read '" + path + "': " + why);
}

static Error tooLarge(StringRef path, uint64_t limit) {
  return cannotRead(path, "it holds more than " + Twine(limit) +
                              " bytes, the most that can be read here; use a part");
}

/// The whole file. Read rather than mapped: a file that shrinks meanwhile must not end the process with
/// SIGBUS, and a device without an end (/dev/zero) must stop at the limit.
static Expected<std::vector<uint8_t>> readBytes(StringRef path, uint64_t limit) {
  if (path.contains('\0'))
    return cannotRead(path, "the name holds a zero byte");
  int descriptor;
  do
    descriptor = ::open(path.str().c_str(), O_RDONLY | O_CLOEXEC);
  while (descriptor < 0 && errno == EINTR);
  struct Closer {
    int descriptor;
    ~Closer() {
      if (descriptor >= 0)
        ::close(descriptor);
    }
  } closer{descriptor};
  struct stat status;
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0)
    return cannotRead(path, std::error_code(errno, std::generic_category()).message());
  if (S_ISDIR(status.st_mode))
    return cannotRead(path, "it is a directory; name a file in it");
  if (S_ISREG(status.st_mode) && uint64_t(status.st_size) > limit)
    return tooLarge(path, limit);

  std::vector<uint8_t> bytes(S_ISREG(status.st_mode) ? size_t(status.st_size) : 0);
  size_t used = 0;
  for (;;) {
    if (used == bytes.size()) {
      // One more byte tells the end of a file of known size; the others grow.
      uint8_t extra;
      ssize_t got = ::read(descriptor, &extra, 1);
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return cannotRead(path, std::error_code(errno, std::generic_category()).message());
      if (got == 0)
        break;
      if (used >= limit)
        return tooLarge(path, limit);
      bytes.resize(std::min<uint64_t>(limit, std::max<uint64_t>(used * 2, 65536)));
      bytes[used++] = extra;
      continue;
    }
    ssize_t got = ::read(descriptor, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return cannotRead(path, std::error_code(errno, std::generic_category()).message());
    if (got == 0)
      break;
    used += got;
  }
  bytes.resize(used);
  return bytes;
}

Expected<FileFormat> inputFormat(StringRef path) {
  StringRef ending = llvm::sys::path::extension(path);
  if (path != "print:" && (ending.empty() || ending.equals_insensitive(".txt")))
    return FileFormat::Raw;
  return fileFormat(path);
}

Expected<Array> readArray(StringRef path, uint64_t limit) {
  Expected<FileFormat> format = inputFormat(path);
  if (!format)
    return format.takeError();
  if (*format == FileFormat::Print)
    return llvm::createStringError("print: is an output; an input needs a file");
  Expected<std::vector<uint8_t>> bytes = readBytes(path, limit);
  if (!bytes)
    return bytes.takeError();
  switch (*format) {
  case FileFormat::Npy:
    return parseNpy(path, *bytes);
  case FileFormat::Pgm:
  case FileFormat::Ppm:
    return parsePnm(path, *bytes);
  case FileFormat::Raw:
  case FileFormat::Print:
    break;
  }
  uint64_t size = bytes->size();
  return Array{ElementType::U8, {size}, std::move(*bytes)};
}

Error checkOutputFormat(StringRef path, ElementType type, ArrayRef<uint64_t> shape) {
  Expected<FileFormat> format = fileFormat(path);
  if (!format)
    return format.takeError();
  if (*format != FileFormat::Pgm && *format != FileFormat::Ppm)
    return Error::success();
  bool colour = *format == FileFormat::Ppm;
  bool greyShape = shape.size() == 2, colourShape = shape.size() == 3 && shape[2] == 3;
  if (type == ElementType::U8 && (colour ? colourShape : greyShape) && shape[0] && shape[1])
    return Error::success();
  std::string wayOut = "use .npy, which holds any array";
  if (type == ElementType::U8 && colour && greyShape)
    wayOut = "name it .pgm";
  if (type == ElementType::U8 && !colour && colourShape)
    wayOut = "name it .ppm";
  return llvm::createStringError("a " + Twine(colour ? ".ppm" : ".pgm") + " image holds u8[height,width" +
                                 (colour ? ",3" : "") + "], not " + describe(type, shape) + ": " + wayOut);
}

static void writeNpy(llvm::raw_ostream &os, const Array &array) {
  const ElementInfo &element = info(array.type);
  std::string header = std::string("{'descr': '") + (element.size == 1 ? "|" : "<") + element.npyCode +
                       "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < array.shape.size(); ++i)
    header +=
        (i ? " " : "") + std::to_string(array.shape[i]) + (i + 1 < array.shape.size() || i == 0 ? "," : "");
  header += "), }";
  // Format 1.0: magic, version and a 16-bit length; the data start on a multiple of 64.
  size_t before = 10;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  os << "\x93NUMPY";
  os.write('\x01');
  os.write('\x00');
  os.write(static_cast<unsigned char>(header.size() & 0xff));
  os.write(static_cast<unsigned char>(header.size() >> 8));
  os << header;
  os.write(reinterpret_cast<const char *>(array.bytes.data()), array.bytes.size());
}

Error writeArray(llvm::raw_ostream &os, FileFormat format, const Array &array) {
  LENO_ASSERT(byteCount(array.type, array.shape) == array.bytes.size(),
              "an array's bytes do not follow its shape");
  switch (format) {
  case FileFormat::Npy:
    writeNpy(os, array);
    break;
  case FileFormat::Pgm:
  case FileFormat::Ppm:
    if (Error error = checkOutputFormat(format == FileFormat::Pgm ? ".pgm" : ".ppm", array.type, array.shape))
      return error;
    os << (format == FileFormat::Pgm ? "P5\n" : "P6\n") << array.shape[1] << ' ' << array.shape[0]
       << "\n255\n";
    [[fallthrough]];
  case FileFormat::Raw:
    os.write(reinterpret_cast<const char *>(array.bytes.data()), array.bytes.size());
    break;
  case FileFormat::Print:
    printArray(os, array);
    break;
  }
  return Error::success();
}

/// Fills `set`, whose writers refer to `outputs`.
static Error addOutputs(OutputSet &set, ArrayRef<Output> outputs) {
  for (const Output &output : outputs) {
    Expected<FileFormat> format = fileFormat(output.path);
    if (!format)
      return format.takeError();
    if (Error error = checkOutputFormat(output.path, output.array->type, output.array->shape))
      return llvm::createStringError("cannot write '" + output.path +
                                     "': " + llvm::toString(std::move(error)));
    if (*format == FileFormat::Print) {
      set.addStandardOutput([&output](llvm::raw_ostream &os) {
        printArray(os, *output.array, output.label);
        return Error::success();
      });
      continue;
    }
    FileFormat asked = *format;
    if (Error error = set.add(output.path, [&output, asked](llvm::raw_ostream &os) {
          return writeArray(os, asked, *output.array);
        }))
      return error;
  }
  return Error::success();
}

Error checkOutputs(ArrayRef<Output> outputs) {
  OutputSet set;
  return addOutputs(set, outputs);
}

Error writeOutputs(ArrayRef<Output> outputs) {
  OutputSet set;
  if (Error error = addOutputs(set, outputs))
    return error;
  return set.commit();
}

} // namespace leno::runtime

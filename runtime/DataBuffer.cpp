#include "runtime/DataBuffer.h"
#include "asm/support/Assert.h"

#include "llvm/Support/FileSystem.h"

using llvm::Error;
using llvm::Expected;

namespace leno::runtime {

/// How numpy makes the file's elements those that are wanted.
static std::string cast(ElementType from, ElementType to) {
  const ElementInfo &source = info(from), &target = info(to);
  std::string code = std::string(target.size == 1 ? "'" : "'<") + target.npyCode + "'";
  if (source.kind == ElementInfo::Complex && target.kind != ElementInfo::Complex) {
    std::string parts = std::string("a.view('<f") + std::to_string(source.partSize()) + "')";
    if (target.kind == ElementInfo::Float && target.size == source.partSize())
      return parts +
             " keeps both parts of each number, one behind the other; a.real leaves the imaginary part out";
    return parts + ".astype(" + code +
           ") keeps both parts of each number, one behind the other; a.real.astype(" + code +
           ") leaves the imaginary part out";
  }
  return "a.astype(" + code + ")";
}

Error DataBuffer::checkElements() const {
  std::optional<ElementType> wanted = spec.type ? spec.type : element;
  if (!wanted || initial.type == *wanted)
    return Error::success();
  std::string why = spec.type ? "'" + spec.text + "' asks for " + info(*wanted).name
                              : whose + " is a ptr." + info(*wanted).name;
  return llvm::createStringError("'" + spec.input.path + "' holds " + describe(initial.type, initial.shape) +
                                 ", but " + why + ": convert it, numpy.save(file, " +
                                 cast(initial.type, *wanted) + ")");
}

/// The most bytes that a file may have.
static uint64_t mostBytes(FileFormat format, uint64_t memoryBytes) {
  constexpr uint64_t header = 1 << 16, ofText = 4; // about so many characters for each byte of a number
  bool isText = format == FileFormat::Csv || format == FileFormat::Txt || format == FileFormat::Ppm ||
                format == FileFormat::Pgm;
  return (isText ? ofText : 1) * memoryBytes + header;
}

Error DataBuffer::readInput(uint64_t memoryBytes) {
  if (isScalar())
    return Error::success();
  if (!isInput()) {
    makeZero();
    return Error::success();
  }
  uint64_t limit = mostBytes(spec.input.format, memoryBytes), bytes;
  if (!llvm::sys::fs::file_size(spec.input.path, bytes) && bytes > limit)
    return llvm::createStringError("'" + spec.input.path + "' has " + llvm::Twine(bytes) + " bytes: the " +
                                   llvm::Twine(memoryBytes) +
                                   " of global memory cannot hold them; raise memory.bytes");
  if (Error error = readArray(spec.input, spec.type ? spec.type : element, limit).moveInto(initial))
    return error;
  if (Error error = checkElements())
    return error;
  if (initial.bytes.empty())
    return llvm::createStringError("'" + spec.input.path + "' holds no data for " + whose +
                                   "; a buffer needs at least 1 byte");
  if (isOutput())
    if (Error error = checkOutputFormat(spec.output.format, initial.type, initial.shape))
      return llvm::createStringError("cannot write '" + spec.output.path +
                                     "': " + llvm::toString(std::move(error)));
  return Error::success();
}

Error DataBuffer::place(Device &device) {
  if (isScalar())
    return Error::success();
  std::optional<uint64_t> bytes = byteCount(initial.type, initial.shape);
  LENO_ASSERT(bytes, "the shape of a buffer was checked where it was read");
  AddressSpace &memory = device.memory();
  if (Error error = (isOnDemand ? memory.allocateOnDemand(*bytes, name) : memory.allocate(*bytes, name))
                        .moveInto(address))
    return error;
  return memory.write(address, initial.bytes); // nothing for an Out: zeroes
}

Expected<Array> DataBuffer::contents(const Device &device) const {
  Array array{initial.type, initial.shape, {}};
  array.bytes.resize(*byteCount(array.type, array.shape));
  if (Error error = device.memory().read(address, array.bytes))
    return std::move(error);
  return array;
}

} // namespace leno::runtime

#include "runtime/DataBuffer.h"
#include "isa/Assert.h"

using llvm::Error;
using llvm::Expected;

namespace leno::runtime {

void DataBuffer::noteFiles(RunFiles &files) const {
  bool isWritten = isOutput() && spec.outputFile != "print:";
  if (isInput() && isWritten)
    files.rewrites(spec.inputFile, spec.outputFile);
  else if (isInput())
    files.reads(spec.inputFile);
  else if (isWritten)
    files.writes(spec.outputFile);
}

Error DataBuffer::readInput() {
  if (isScalar())
    return Error::success();
  if (!isInput()) {
    makeZero();
    return Error::success();
  }
  if (Error error = readArray(spec.inputFile).moveInto(initial))
    return error;
  if (initial.bytes.empty())
    return llvm::createStringError("'" + spec.inputFile + "' holds no data for " + whose +
                                   "; a buffer needs at least 1 byte");
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

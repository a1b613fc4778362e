// A buffer that a user asks for with --arg or in a context file: from files, zeroed, to files.
#pragma once

#include "emu/Device.h"
#include "runtime/ArgumentSpec.h"

namespace leno::runtime {

/// It keeps the bytes it starts with. Of a scalar it is empty, and nothing here does anything.
struct DataBuffer {
  ArgumentSpec spec;
  std::string name;  ///< of the parameter or of the buffer, for traps and `print:`
  std::string whose; ///< "parameter 'x'", for messages
  Array initial;     ///< In, InOut: the file's; Out, Zero: zeroes without bytes
  uint64_t address = 0;
  bool isOnDemand = false; ///< its pages are mapped when kernels touch them

  std::optional<ElementType> element = std::nullopt; ///< what its parameter points to, where that is told

  bool isScalar() const { return spec.isScalar(); }
  bool isInput() const { return spec.isInput(); }
  bool isOutput() const { return spec.isOutput(); }
  llvm::Error checkElements() const;
  /// Of the parameter that it is given for: the scalar, or where the buffer has been placed.
  uint64_t value() const { return isScalar() ? spec.bits : address; }
  /// Its bytes on a device: an input's file, zeroes else. A file of other elements than the spec or the
  /// parameter tells is an error that names the cast; so is one that no memory of so many bytes can hold,
  /// which is not read to its end.
  llvm::Error readInput(uint64_t memoryBytes);
  void makeZero() { initial = {*spec.type, spec.shape, {}}; }
  /// Allocates it there and writes its first bytes.
  llvm::Error place(Device &device);
  /// What it holds now.
  llvm::Expected<Array> contents(const Device &device) const;
};

} // namespace leno::runtime

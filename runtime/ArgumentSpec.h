// The values of --arg: scalars and buffers, as runtime/Running.md tells them.
#pragma once

#include "asm/support/RunFiles.h"
#include "runtime/DataFile.h"
#include "runtime/Parameters.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace leno::runtime {

struct ArgumentSpec {
  enum class Kind : uint8_t {
    Scalar,  ///< u32:5 i32:-5 u64:0x10 f32:2.5 f64:1e-3, also u8 i8 u16 i16 i64
    Untyped, ///< 5 -5 2.5          a scalar of its parameter's type; takeType makes it a Scalar
    In,      ///< in:FILE           a buffer read from FILE
    Out,     ///< out:f32[4,4]:FILE a zeroed buffer, written to FILE after the launch
    InOut,   ///< inout:FILE:FILE2  read from FILE (which holds no ':'), written to FILE2
    Zero,    ///< zero:f32[4,4]     a zeroed buffer, for the kernels alone
    Shared,  ///< shared:f32[64]    where room of that size begins in each CTA's shared memory: a u32
  };
  Kind kind = Kind::Scalar;
  std::string parameter;           ///< NAME=: of which parameter; empty: the next one
  std::optional<ElementType> type; ///< of Scalar, Out and Zero; in:f32:FILE, inout:f32:FILE:FILE2
  uint64_t bits = 0;               ///< Scalar: the value, in the low bytes; i32:-1 is 0xffffffff
  std::vector<uint64_t> shape;     ///< Out, Zero, Shared: every dimension at least 1
  DataName input, output;          ///< the output may be "print:"
  std::string text;                ///< as the user wrote it

  bool isScalar() const { return kind == Kind::Scalar || kind == Kind::Untyped || kind == Kind::Shared; }
  /// The bytes of shared memory that it asks for.
  uint64_t sharedBytes() const { return kind == Kind::Shared ? *byteCount(*type, shape) : 0; }
  bool isInput() const { return kind == Kind::In || kind == Kind::InOut; }
  bool isOutput() const { return kind == Kind::Out || kind == Kind::InOut; }
  /// The files that it is read from and written to.
  void noteFiles(RunFiles &files) const;
  GivenArgument given() const;
  /// Makes an Untyped value a Scalar of its parameter's type, and leaves all others. Errors are
  /// ArgumentErrors.
  llvm::Error takeType(const KernelParam &param);
};

/// A mistake in a value, with its place, so that a tool can print the value with a caret under it.
class ArgumentError : public llvm::ErrorInfo<ArgumentError> {
public:
  static char ID;
  ArgumentError(std::string value, size_t column, std::string message)
      : value(std::move(value)), column(column), message(std::move(message)) {}

  std::string value;   ///< the whole value
  size_t column;       ///< the byte at fault, from 0; value.size() when something is missing at its end
  std::string message; ///< what is wrong and the way out

  /// The message, then the value and a caret on two more lines.
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};

/// Whether it can be a value without a type: "5", "-2.5", "inf".
bool looksLikeNumber(llvm::StringRef text);

/// One element of a type as users write it, its bits in the low bytes. Errors are ArgumentErrors whose value
/// is the text.
llvm::Expected<uint64_t> parseElement(ElementType type, llvm::StringRef text);

/// Which of the arguments each parameter gets: those with a name theirs, the others the rest in their order.
/// The error names the kernel and the name at fault.
llvm::Expected<std::vector<size_t>> orderArguments(const KernelInfo &kernel,
                                                   llvm::ArrayRef<llvm::StringRef> names);

/// Reads one value. Errors are ArgumentErrors. Files are not touched; that the output's format can hold the
/// type and shape is checked.
llvm::Expected<ArgumentSpec> parseArgument(llvm::StringRef value);

} // namespace leno::runtime

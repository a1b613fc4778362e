// Arrays in files, by ending: .npy (numpy), .pgm and .ppm (8-bit images), .bin (raw bytes); `print:` for
// people.
#pragma once

#include "runtime/ElementType.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace leno::runtime {

/// A dense array: little endian, last dimension contiguous (C order). `bytes` holds byteCount(type, shape)
/// bytes.
struct Array {
  ElementType type = ElementType::U8;
  std::vector<uint64_t> shape;
  std::vector<uint8_t> bytes;
};

enum class FileFormat : uint8_t { Npy, Pgm, Ppm, Raw, Print };

/// The format that a file name asks for; an error that lists the endings otherwise.
llvm::Expected<FileFormat> fileFormat(llvm::StringRef path);
/// The same for a file to read: also text (.txt) and files without an ending, whose bytes are taken as they
/// are.
llvm::Expected<FileFormat> inputFormat(llvm::StringRef path);

/// A file that says it is larger than this is refused unread.
inline constexpr uint64_t DefaultReadLimit = uint64_t(4) << 30;

/// Reads an array from a file:
///  .npy        versions 1.0, 2.0 and 3.0, C order, little or big endian, i1..i8 u1..u8 f2 f4 f8 b1, any
///  shape; .pgm .ppm   P2, P3, P5, P6 with comments and a largest value up to 255: u8[height,width] or
///  u8[height,width,3].
///              The magic number decides, not the ending. A largest value below 255 is scaled to 0..255
///              (CHOICE);
///  .bin, .txt, no ending   u8[bytes].
/// Errors name the file, the offset (.npy) or line and column (images), what was expected and the way out.
llvm::Expected<Array> readArray(llvm::StringRef path, uint64_t limit = DefaultReadLimit);

/// The same from memory; `name` is for messages.
llvm::Expected<Array> parseNpy(llvm::StringRef name, llvm::ArrayRef<uint8_t> data);
llvm::Expected<Array> parsePnm(llvm::StringRef name, llvm::ArrayRef<uint8_t> data);

/// Whether such an array can be written to a file of that name: .pgm holds u8[height,width], .ppm
/// u8[height,width,3], the others everything.
llvm::Error checkOutputFormat(llvm::StringRef path, ElementType type, llvm::ArrayRef<uint64_t> shape);

/// Writes the array as `format` has it: .npy version 1.0, P5, P6, raw bytes, or printArray's table.
llvm::Error writeArray(llvm::raw_ostream &os, FileFormat format, const Array &array);

/// The shortest decimal text that reads back as this element ("0.1", "-7", "nan").
std::string elementText(ElementType type, const uint8_t *bytes);

/// An aligned table; each line starts with the index of its first element. Above 1000 elements the first and
/// last three of every dimension are shown, as numpy does. `label` goes before the type and shape of the
/// first line.
void printArray(llvm::raw_ostream &os, const Array &array, llvm::StringRef label = "");

struct Output {
  std::string path; ///< or "print:"
  const Array *array = nullptr;
  std::string label; ///< for print:
};

/// Finds before long work what would stop writeOutputs: a format that cannot hold the array, a missing
/// directory, two outputs with one name. Only the arrays' types and shapes are looked at; nothing is written.
llvm::Error checkOutputs(llvm::ArrayRef<Output> outputs);

/// Writes a set of outputs, all or none (see OutputSet).
llvm::Error writeOutputs(llvm::ArrayRef<Output> outputs);

} // namespace leno::runtime

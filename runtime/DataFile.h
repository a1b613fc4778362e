// Arrays in files, by ending: .npy (numpy), .pgm and .ppm (8-bit images), .csv and .txt (numbers as text),
// .bin (raw bytes); `print:` for people.
#pragma once

#include "asm/ElementType.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <vector>

namespace leno::runtime {

/// A dense array: little endian, last dimension contiguous (C order). `bytes` holds byteCount(type, shape)
/// bytes.
struct Array {
  ElementType type = ElementType::U8;
  std::vector<uint64_t> shape;
  std::vector<uint8_t> bytes;
};

/// Sniffed: an input of no ending, such as standard input, is what its first bytes say.
enum class FileFormat : uint8_t { Npy, Pgm, Ppm, Csv, Txt, Raw, Print, Sniffed };

/// A file and how it is read or written.
struct DataName {
  std::string path; ///< "-": standard input or output; "print:"
  FileFormat format;
};
/// A name as users write it: its ending tells the format, or a word before it (`bin:a.dat`). "-" is standard
/// input, which tells its format itself, and standard output, which gets an .npy. The error lists what there
/// is.
llvm::Expected<DataName> inputName(llvm::StringRef text);
/// Whether it can stand before a name and a colon: "bin".
bool isFormatWord(llvm::StringRef word);
llvm::Expected<DataName> outputName(llvm::StringRef text);

/// A file that says it is larger than this is refused unread.
inline constexpr uint64_t DefaultReadLimit = uint64_t(4) << 30;

/// Reads an array from a file:
///  .npy        versions 1.0, 2.0 and 3.0, C or Fortran order, little or big endian, i1..i8 u1..u8 f2 f4 f8
///  b1
///              c8 c16, any shape;
///  .pgm .ppm   P2, P3, P5, P6 with comments and a largest value up to 255: u8[height,width] or
///              u8[height,width,3].
///              The magic number decides, not the ending. A largest value below 255 is scaled to 0..255
///              (CHOICE);
///  .csv .txt   numbers of the type that is asked for, in columns: type[rows,columns], type[n] of one row or
///              column;
///  .bin        u8[bytes], or as many elements of the type that is asked for.
/// Errors name the file, the offset (.npy) or line and column (text), what was expected and the way out.
llvm::Expected<Array> readArray(const DataName &file, std::optional<ElementType> type = std::nullopt,
                                uint64_t limit = DefaultReadLimit);
/// The same of a name as users write it.
llvm::Expected<Array> readArray(llvm::StringRef name, uint64_t limit = DefaultReadLimit);

/// The same from memory; `name` is for messages.
llvm::Expected<Array> parseNpy(llvm::StringRef name, llvm::ArrayRef<uint8_t> data);
llvm::Expected<Array> parsePnm(llvm::StringRef name, llvm::ArrayRef<uint8_t> data);
llvm::Expected<Array> parseCsv(llvm::StringRef name, llvm::ArrayRef<uint8_t> data, ElementType type);

/// Whether such an array can be written so: .pgm holds u8[height,width], .ppm u8[height,width,3], .csv and
/// .txt one or two dimensions, the others everything.
llvm::Error checkOutputFormat(FileFormat format, ElementType type, llvm::ArrayRef<uint64_t> shape);

/// Writes the array as `format` has it: .npy version 1.0, P5, P6, raw bytes, or printArray's table.
llvm::Error writeArray(llvm::raw_ostream &os, FileFormat format, const Array &array);

/// Rows of numbers with a separator between.
void writeCsv(llvm::raw_ostream &os, const Array &array, char separator);

/// The shortest decimal text that reads back as this element ("0.1", "-7", "nan", "1-2j").
std::string elementText(ElementType type, const uint8_t *bytes);

/// An aligned table; each line starts with the index of its first element. Above 1000 elements the first and
/// last three of every dimension are shown, as numpy does. `label` goes before the type and shape of the
/// first line.
void printArray(llvm::raw_ostream &os, const Array &array, llvm::StringRef label = "");

struct Output {
  DataName file;
  const Array *array = nullptr;
  std::string label; ///< for print:
};

/// Finds before long work what would stop writeOutputs: a format that cannot hold the array, a missing
/// directory, two outputs with one name. Only the arrays' types and shapes are looked at; nothing is written.
llvm::Error checkOutputs(llvm::ArrayRef<Output> outputs);

/// Writes a set of outputs, all or none (see OutputSet). `report` goes to standard output behind what is
/// printed there; when it cannot be written no file is.
llvm::Error writeOutputs(llvm::ArrayRef<Output> outputs,
                         std::function<llvm::Error(llvm::raw_ostream &)> report = nullptr);

} // namespace leno::runtime

#include "runtime/DataFile.h"
#include "asm/support/Assert.h"
#include "asm/support/AtomicFile.h"
#include "asm/support/InputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace leno::runtime {

namespace {
struct FormatRow {
  StringRef word; ///< an ending without its dot, or before a name
  FileFormat format;
};
constexpr FormatRow Formats[] = {{"npy", FileFormat::Npy}, {"pgm", FileFormat::Pgm},
                                 {"ppm", FileFormat::Ppm}, {"csv", FileFormat::Csv},
                                 {"txt", FileFormat::Txt}, {"bin", FileFormat::Raw}};

std::optional<FileFormat> formatNamed(StringRef word) {
  for (const FormatRow &row : Formats)
    if (word.equals_insensitive(row.word))
      return row.format;
  return std::nullopt;
}

/// A name whose format nothing has told so far: a device or pipe, which has no ending.
bool isStream(StringRef path) {
  return path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/self/fd/");
}

Expected<DataName> dataName(StringRef text, FileFormat ofStandardStream, FileFormat ofDevice,
                            StringRef other) {
  auto [word, path] = text.split(':');
  if (std::optional<FileFormat> format = formatNamed(word); format && text.contains(':')) {
    if (path.empty())
      return llvm::createStringError("expected the name of a file after '" + word + ":'");
    return DataName{path.str(), *format};
  }
  StringRef ending = llvm::sys::path::extension(text);
  if (text != "-" && !ending.empty())
    if (std::optional<FileFormat> format = formatNamed(ending.drop_front()))
      return DataName{text.str(), *format};
  if (text == "-")
    return DataName{"-", ofStandardStream};
  if (ending.empty() && isStream(text))
    return DataName{text.str(), ofDevice};
  return llvm::createStringError(
      "'" + text + "' " +
      (ending.empty() ? Twine("has no ending") : "has the unknown ending '" + ending + "'") +
      ": use .npy, .pgm, .ppm, .csv, .txt, .bin, or " + other);
}
} // namespace

bool isFormatWord(StringRef word) { return formatNamed(word).has_value(); }

Expected<DataName> inputName(StringRef text) {
  if (text == "print:")
    return llvm::createStringError("print: is an output; an input needs a file");
  return dataName(text, FileFormat::Sniffed, FileFormat::Sniffed,
                  "bin:" + text.str() + " for its bytes as they are");
}

Expected<DataName> outputName(StringRef text) {
  if (text == "print:")
    return DataName{"print:", FileFormat::Print};
  return dataName(text, FileFormat::Npy, FileFormat::Raw, "print: for an output");
}

static Error cannotRead(StringRef path, const Twine &why) {
  return llvm::createStringError("cannot read '" + path + "': " + why);
}

/// What bytes of no ending are, by how they begin; raw when nothing tells.
static FileFormat sniff(ArrayRef<uint8_t> bytes) {
  StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (text.starts_with("\x93NUMPY"))
    return FileFormat::Npy;
  if (text.size() > 2 && text[0] == 'P' && StringRef("2356").contains(text[1]) && llvm::isSpace(text[2]))
    return FileFormat::Pgm; // or Ppm: the reader sees
  bool isText = llvm::all_of(text, [](char c) { return llvm::isPrint(c) || llvm::isSpace(c); });
  return isText && !text.empty() ? FileFormat::Txt : FileFormat::Raw;
}

static Expected<Array> parseRaw(StringRef path, std::vector<uint8_t> bytes, std::optional<ElementType> type) {
  ElementType element = type.value_or(ElementType::U8);
  unsigned size = info(element).size;
  if (bytes.size() % size)
    return cannotRead(path, Twine(bytes.size()) + " bytes are no whole number of " + info(element).name +
                                ", of " + Twine(size) + " bytes each");
  return Array{element, {bytes.size() / size}, std::move(bytes)};
}

Expected<Array> readArray(const DataName &file, std::optional<ElementType> type, uint64_t limit) {
  StringRef path = file.path, name = path == "-" ? "<stdin>" : path;
  Expected<std::vector<uint8_t>> bytes = readBytes(path, limit);
  if (!bytes)
    return cannotRead(path, llvm::toString(bytes.takeError()));
  FileFormat format = file.format == FileFormat::Sniffed ? sniff(*bytes) : file.format;
  switch (format) {
  case FileFormat::Npy:
    return parseNpy(name, *bytes);
  case FileFormat::Pgm:
  case FileFormat::Ppm:
    return parsePnm(name, *bytes);
  case FileFormat::Csv:
  case FileFormat::Txt:
    if (!type)
      return cannotRead(path, "numbers as text have no type of their own: give it, as in in:f32:" + path +
                                  " or .param ptr.f32 (bin:" + path + " takes the text's bytes as they are)");
    return parseCsv(name, *bytes, *type);
  case FileFormat::Raw:
    if (file.format == FileFormat::Sniffed && !bytes->empty())
      return cannotRead(path, "it is no .npy, .pgm, .ppm or text of numbers: bin:" + path +
                                  " takes its bytes as they are");
    return parseRaw(path, std::move(*bytes), type);
  case FileFormat::Print:
  case FileFormat::Sniffed:
    break;
  }
  LENO_ASSERT(false, "an input has a format that can be read");
}

Expected<Array> readArray(StringRef name, uint64_t limit) {
  Expected<DataName> file = inputName(name);
  if (!file)
    return file.takeError();
  return readArray(*file, std::nullopt, limit);
}

Error checkOutputFormat(FileFormat format, ElementType type, ArrayRef<uint64_t> shape) {
  bool isText = format == FileFormat::Csv || format == FileFormat::Txt;
  if (isText && shape.size() > 2)
    return llvm::createStringError("text has rows and columns, and no place for " + describe(type, shape) +
                                   ": use .npy, which holds any array");
  if (format != FileFormat::Pgm && format != FileFormat::Ppm)
    return Error::success();
  bool colour = format == FileFormat::Ppm;
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
    if (Error error = checkOutputFormat(format, array.type, array.shape))
      return error;
    os << (format == FileFormat::Pgm ? "P5\n" : "P6\n") << array.shape[1] << ' ' << array.shape[0]
       << "\n255\n";
    [[fallthrough]];
  case FileFormat::Raw:
    os.write(reinterpret_cast<const char *>(array.bytes.data()), array.bytes.size());
    break;
  case FileFormat::Csv:
  case FileFormat::Txt:
    writeCsv(os, array, format == FileFormat::Csv ? ',' : ' ');
    break;
  case FileFormat::Print:
    printArray(os, array);
    break;
  case FileFormat::Sniffed:
    LENO_ASSERT(false, "an output has a format");
  }
  return Error::success();
}

/// Fills `set`, whose writers refer to `outputs`.
static Error addOutputs(OutputSet &set, ArrayRef<Output> outputs) {
  for (const Output &output : outputs) {
    if (Error error = checkOutputFormat(output.file.format, output.array->type, output.array->shape))
      return llvm::createStringError("cannot write '" + output.file.path +
                                     "': " + llvm::toString(std::move(error)));
    if (output.file.format == FileFormat::Print) {
      set.addStandardOutput([&output](llvm::raw_ostream &os) {
        printArray(os, *output.array, output.label);
        return Error::success();
      });
      continue;
    }
    auto write = [&output](llvm::raw_ostream &os) {
      return writeArray(os, output.file.format, *output.array);
    };
    if (output.file.path == "-")
      set.addStandardOutput(write);
    else if (Error error = set.add(output.file.path, write))
      return error;
  }
  return Error::success();
}

Error checkOutputs(ArrayRef<Output> outputs) {
  OutputSet set;
  return addOutputs(set, outputs);
}

Error writeOutputs(ArrayRef<Output> outputs, std::function<Error(llvm::raw_ostream &)> report) {
  OutputSet set;
  if (Error error = addOutputs(set, outputs))
    return error;
  if (report)
    set.addStandardOutput(std::move(report));
  return set.commit();
}

} // namespace leno::runtime

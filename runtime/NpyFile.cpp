// The reader of numpy's .npy files. The format is numpy's NEP 1 and numpy.lib.format: "\x93NUMPY", a version,
// the length of a header (16 bits in 1.0, 32 bits in 2.0 and 3.0), the header (a Python dictionary with the
// keys descr, fortran_order and shape), the data. Nothing the header says is believed before it is held
// against the file's size.
#include "runtime/DataFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cstring>

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace leno::runtime {

namespace {

constexpr size_t MaximumRank = 64; // numpy 2's own limit

class NpyReader {
public:
  NpyReader(StringRef name, ArrayRef<uint8_t> data)
      : name(name), text(reinterpret_cast<const char *>(data.data()), data.size()) {}
  Expected<Array> read();

private:
  Error fail(size_t offset, const Twine &message) const {
    return llvm::createStringError(name + ": offset " + Twine(offset) + ": " + message);
  }
  Error failHere(const Twine &message) const { return fail(position, message); }

  Error readPreamble();
  Error readHeader();
  Error readEntry();
  Error readDescr(size_t start);
  Error readFortranOrder();
  Error readShape();
  Expected<StringRef> readString(StringRef what);
  Expected<Array> readData();

  void skipSpace() {
    while (position < headerEnd && llvm::isSpace(text[position]))
      ++position;
  }
  bool take(char c) {
    skipSpace();
    if (position >= headerEnd || text[position] != c)
      return false;
    ++position;
    return true;
  }
  std::string found() const {
    if (position >= headerEnd)
      return "the end of the header";
    std::string shown;
    llvm::raw_string_ostream os(shown);
    os << '\'';
    llvm::printEscapedString(text.slice(position, std::min(position + 12, headerEnd)), os);
    os << '\'';
    return shown;
  }

  StringRef name;
  StringRef text; ///< the file
  size_t position = 0;
  size_t headerEnd = 0;
  bool haveDescr = false, haveOrder = false, haveShape = false, bigEndian = false, isFortran = false;
  ElementType type = ElementType::U8;
  std::vector<uint64_t> shape;
};

Error NpyReader::readPreamble() {
  static constexpr StringRef Magic("\x93NUMPY", 6);
  if (!text.starts_with(Magic))
    return fail(0, "not a .npy file: it does not start with \\x93NUMPY; write it with numpy.save");
  if (text.size() < 10)
    return fail(text.size(), "the file ends inside its first 10 bytes; it is truncated: write it again");
  unsigned major = uint8_t(text[6]), minor = uint8_t(text[7]);
  if (major < 1 || major > 3 || minor != 0)
    return fail(6, "format version " + Twine(major) + "." + Twine(minor) +
                       " is not known: 1.0, 2.0 and 3.0 are; write it with numpy.save");
  uint64_t length;
  if (major == 1) {
    length = llvm::support::endian::read16le(text.data() + 8);
    position = 10;
  } else {
    if (text.size() < 12)
      return fail(text.size(),
                  "the file ends inside the length of its header; it is truncated: write it again");
    length = llvm::support::endian::read32le(text.data() + 8);
    position = 12;
  }
  if (length > text.size() - position)
    return fail(8, "the header is said to be " + Twine(length) + " bytes long, but the file ends after " +
                       Twine(text.size() - position) + "; it is truncated or damaged: write it again");
  headerEnd = position + length;
  return Error::success();
}

Expected<StringRef> NpyReader::readString(StringRef what) {
  skipSpace();
  if (position >= headerEnd || (text[position] != '\'' && text[position] != '"'))
    return failHere("expected " + what + " in quotes, found " + found());
  char quote = text[position];
  size_t end = text.find(quote, position + 1);
  if (end == StringRef::npos || end >= headerEnd)
    return failHere("a string without its closing quote");
  StringRef value = text.slice(position + 1, end);
  position = end + 1;
  return value;
}

/// How an array of another dtype is saved so that nothing of it is lost but precision.
static StringRef wayOut(StringRef code) {
  switch (code.empty() ? '\0' : code[0]) {
  case 'f':
    return "convert it, numpy.save(file, a.astype('<f8'))";
  case 'c': // both parts
    return "convert it, numpy.save(file, a.astype('<c16'))";
  case 'M':
  case 'm': // times are counts of their unit
    return "save the counts, numpy.save(file, a.view('<i8'))";
  case 'U':
  case 'S':
    return "text is no number: save its bytes, numpy.save(file, a.view('u1')), or what it stands for";
  case 'O':
    return "Python's objects are no numbers: give the array a dtype, numpy.save(file, a.astype('<f4'))";
  default:
    return "save it as one of them";
  }
}

Error NpyReader::readDescr(size_t start) {
  if (haveDescr)
    return fail(start, "the key 'descr' stands twice in the header");
  haveDescr = true;
  skipSpace();
  size_t at = position;
  if (position < headerEnd && text[position] == '[')
    return failHere("a structured dtype (records with fields) is not supported: save one field, "
                    "numpy.save(file, a['field'])");
  Expected<StringRef> descr = readString("a dtype such as '<f4'");
  if (!descr)
    return descr.takeError();
  StringRef code = *descr;
  char order = '|';
  if (!code.empty() && StringRef("<>|=").contains(code[0])) {
    order = code[0];
    code = code.drop_front();
  }
  for (const ElementInfo &row : elementTypes())
    if (code == row.npyCode && (order != '|' || row.size == 1)) {
      type = row.type;
      bigEndian =
          order == '>'; // '=' is the writer's own order, taken for little endian as on every host of ours
      return Error::success();
    }
  std::string shown;
  llvm::raw_string_ostream os(shown);
  llvm::printEscapedString(descr->take_front(32), os);
  return fail(at,
              "dtype '" + Twine(shown) +
                  "' is not supported: f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8, c8 c16 and b1 are, with < or > "
                  "before them; " +
                  wayOut(code));
}

Error NpyReader::readFortranOrder() {
  skipSpace();
  StringRef rest = text.slice(position, headerEnd);
  if (rest.starts_with("False")) {
    position += 5;
    return Error::success();
  }
  if (rest.starts_with("True")) {
    position += 4;
    isFortran = true;
    return Error::success();
  }
  return failHere("expected True or False after 'fortran_order', found " + found());
}

Error NpyReader::readShape() {
  if (!take('('))
    return failHere("expected the shape in parentheses, such as (480, 640), found " + found());
  bool separated = true;
  for (;;) {
    if (take(')'))
      break;
    skipSpace();
    if (!separated || position >= headerEnd || !llvm::isDigit(text[position]))
      return failHere("expected " + Twine(separated ? "a dimension or ')'" : "',' or ')'") +
                      " in the shape, found " + found());
    if (shape.size() == MaximumRank)
      return failHere("the shape has more than " + Twine(MaximumRank) + " dimensions; reshape the array");
    size_t start = position;
    uint64_t dimension = 0;
    bool overflow = false;
    for (; position < headerEnd && llvm::isDigit(text[position]); ++position) {
      overflow |= __builtin_mul_overflow(dimension, uint64_t(10), &dimension);
      overflow |= __builtin_add_overflow(dimension, uint64_t(text[position] - '0'), &dimension);
    }
    if (overflow)
      return fail(start, "a dimension does not fit 64 bits; the header is damaged: write the file again");
    if (position < headerEnd && text[position] == 'L') // long integers of Python 2 writers
      ++position;
    shape.push_back(dimension);
    separated = take(',');
    // (3) is an integer in Python, (3,) is a tuple; numpy writes the second.
    if (!separated && shape.size() == 1)
      return failHere("expected ',' after the only dimension, as in (" + Twine(dimension) + ",), found " +
                      found());
  }
  return Error::success();
}

Error NpyReader::readEntry() {
  skipSpace();
  size_t start = position;
  Expected<StringRef> key = readString("a key");
  if (!key)
    return key.takeError();
  if (!take(':'))
    return failHere("expected ':' after the key, found " + found());
  if (*key == "descr")
    return readDescr(start);
  if (*key == "fortran_order") {
    if (haveOrder)
      return fail(start, "the key 'fortran_order' stands twice in the header");
    haveOrder = true;
    return readFortranOrder();
  }
  if (*key == "shape") {
    if (haveShape)
      return fail(start, "the key 'shape' stands twice in the header");
    haveShape = true;
    return readShape();
  }
  return fail(
      start, "unknown key in the header: 'descr', 'fortran_order' and 'shape' are known; write the file with "
             "numpy.save");
}

Error NpyReader::readHeader() {
  if (!take('{'))
    return failHere("expected '{' at the start of the header, found " + found());
  for (bool separated = true; !take('}'); separated = take(',')) {
    if (!separated)
      return failHere("expected ',' or '}' in the header, found " + found());
    if (Error error = readEntry())
      return error;
  }
  skipSpace();
  if (position != headerEnd)
    return failHere("expected spaces up to the end of the header, found " + found());
  if (!haveDescr || !haveOrder || !haveShape)
    return failHere("the header lacks the key '" +
                    Twine(!haveDescr   ? "descr"
                          : !haveOrder ? "fortran_order"
                                       : "shape") +
                    "'; write the file with numpy.save");
  return Error::success();
}

/// The elements of a Fortran array, whose first index runs fastest, with the last one fastest.
static std::vector<uint8_t> inCOrder(const Array &array) {
  size_t size = info(array.type).size, rank = array.shape.size();
  std::vector<size_t> strides(rank); // in bytes, as the file has them
  for (size_t i = 0, stride = size; i < rank; stride *= array.shape[i++])
    strides[i] = stride;
  std::vector<uint8_t> ordered(array.bytes.size());
  std::vector<uint64_t> index(rank);
  size_t from = 0;
  for (size_t to = 0; to < ordered.size(); to += size) {
    std::memcpy(&ordered[to], &array.bytes[from], size);
    for (size_t i = rank; i-- > 0;) {
      from += strides[i];
      if (++index[i] < array.shape[i])
        break;
      from -= strides[i] * array.shape[i];
      index[i] = 0;
    }
  }
  return ordered;
}

Expected<Array> NpyReader::readData() {
  size_t present = text.size() - headerEnd;
  std::optional<uint64_t> expected = byteCount(type, shape);
  if (!expected)
    return fail(headerEnd, "the size of " + describe(type, shape) +
                               " passes 64 bits; the header is damaged: write the file again");
  if (*expected > present)
    return fail(text.size(), describe(type, shape) + " takes " + Twine(*expected) + " bytes, but only " +
                                 Twine(present) +
                                 " follow the header; the file is truncated: write it again");
  if (*expected < present)
    return fail(headerEnd + *expected, Twine(present - *expected) + " bytes follow the " + Twine(*expected) +
                                           " bytes of " + describe(type, shape) +
                                           "; keep one array in a file");
  Array array{type, std::move(shape), {}};
  array.bytes.assign(text.bytes_begin() + headerEnd, text.bytes_end());
  unsigned size = info(type).partSize();
  if (bigEndian && size > 1)
    for (size_t i = 0; i < array.bytes.size(); i += size)
      std::reverse(array.bytes.begin() + i, array.bytes.begin() + i + size);
  if (isFortran && array.shape.size() > 1)
    array.bytes = inCOrder(array);
  return array;
}

Expected<Array> NpyReader::read() {
  if (Error error = readPreamble())
    return error;
  if (Error error = readHeader())
    return error;
  return readData();
}

} // namespace

Expected<Array> parseNpy(StringRef name, ArrayRef<uint8_t> data) { return NpyReader(name, data).read(); }

} // namespace leno::runtime

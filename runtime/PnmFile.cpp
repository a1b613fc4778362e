// The reader of .pgm and .ppm images (netpbm's pgm(5) and ppm(5)): a magic number, width, height and the
// largest value as decimal text with comments between, then the samples as text (P2, P3) or bytes (P5, P6).
#include "runtime/DataFile.h"

#include "llvm/ADT/StringExtras.h"

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace leno::runtime {

namespace {

class PnmReader {
public:
  PnmReader(StringRef name, ArrayRef<uint8_t> data)
      : name(name), text(reinterpret_cast<const char *>(data.data()), data.size()) {}
  Expected<Array> read();

private:
  Error fail(size_t offset, const Twine &message) const {
    StringRef before = text.take_front(offset);
    size_t line = before.count('\n') + 1;
    size_t column = offset - (before.rfind('\n') + 1) + 1; // npos + 1 is 0
    return llvm::createStringError(name + ":" + Twine(line) + ":" + Twine(column) + ": " + message);
  }

  Error readHeader();
  Expected<uint64_t> readNumber(const Twine &what);
  Error readTextSamples(std::vector<uint8_t> &samples);
  Error readByteSamples(std::vector<uint8_t> &samples);
  uint8_t scaled(uint64_t sample) const { return (sample * 255 + largest / 2) / largest; }

  void skipSpaceAndComments() {
    while (position < text.size()) {
      if (text[position] == '#')
        position = std::min(text.find('\n', position), text.size());
      else if (llvm::isSpace(text[position]))
        ++position;
      else
        break;
    }
  }

  StringRef name;
  StringRef text; ///< the file
  size_t position = 0;
  bool plain = false, colour = false;
  uint64_t width = 0, height = 0, largest = 0, count = 0;
};

Expected<uint64_t> PnmReader::readNumber(const Twine &what) {
  skipSpaceAndComments();
  if (position >= text.size())
    return fail(position,
                "expected " + what + ", found the end of the file; it is truncated: write it again");
  size_t start = position;
  uint64_t value = 0;
  for (; position < text.size() && llvm::isDigit(text[position]); ++position)
    if (__builtin_mul_overflow(value, uint64_t(10), &value) ||
        __builtin_add_overflow(value, uint64_t(text[position] - '0'), &value))
      return fail(start, what + " does not fit 64 bits; the file is damaged: write it again");
  if (position == start ||
      (position < text.size() && !llvm::isSpace(text[position]) && text[position] != '#')) {
    std::string shown;
    llvm::raw_string_ostream os(shown);
    llvm::printEscapedString(text.substr(position, 1), os);
    return fail(position, "expected " + what + " as a decimal number, found '" + shown + "'");
  }
  return value;
}

Error PnmReader::readHeader() {
  static constexpr StringRef Known = "P2 and P5 (grey), P3 and P6 (colour) are";
  if (text.size() < 2 || text[0] != 'P' || text[1] < '1' || text[1] > '7')
    return fail(0, "not a .pgm or .ppm image: the magic number is missing; " + Known);
  char magic = text[1];
  if (magic == '1' || magic == '4' || magic == '7')
    return fail(0, "P" + Twine(magic) + " (" + (magic == '7' ? "pam" : "bitmap") +
                       ") is not supported: " + Known);
  plain = magic == '2' || magic == '3';
  colour = magic == '3' || magic == '6';
  position = 2;
  if (position < text.size() && !llvm::isSpace(text[position]) && text[position] != '#')
    return fail(position, "expected a space or a new line after the magic number");
  uint64_t *const fields[] = {&width, &height, &largest};
  static constexpr const char *Names[] = {"the width", "the height", "the largest value"};
  size_t largestAt = 0;
  for (unsigned i = 0; i < 3; ++i) {
    skipSpaceAndComments();
    largestAt = position;
    Expected<uint64_t> number = readNumber(Names[i]);
    if (!number)
      return number.takeError();
    *fields[i] = *number;
    if (*number == 0)
      return fail(largestAt, Twine(Names[i]) + " is 0; an image has at least one pixel and two values");
  }
  if (largest > 255)
    return fail(largestAt,
                "the largest value is " + Twine(largest) +
                    ", and images of more than 8 bits are not supported: convert it (netpbm: pamdepth 255), "
                    "or use .npy with u16");
  if (__builtin_mul_overflow(width, height, &count) || __builtin_mul_overflow(count, colour ? 3 : 1, &count))
    return fail(2, Twine(width) + " x " + Twine(height) + " pixels pass 64 bits; the header is damaged");
  return Error::success();
}

Error PnmReader::readByteSamples(std::vector<uint8_t> &samples) {
  // One character of white space ends the header, or the comment's new line does (netpbm's own reading).
  if (position < text.size() && text[position] == '#')
    position = std::min(text.find('\n', position), text.size());
  if (position < text.size())
    ++position;
  size_t present = text.size() - position;
  if (count > present)
    return fail(text.size(), Twine(width) + " x " + Twine(height) + " pixels take " + Twine(count) +
                                 " bytes, but only " + Twine(present) +
                                 " follow the header; the file is truncated: write it again");
  if (count < present)
    return fail(position + count, Twine(present - count) + " bytes follow the " + Twine(width) + " x " +
                                      Twine(height) + " pixels; keep one image in a file");
  samples.assign(text.bytes_begin() + position, text.bytes_end());
  if (largest == 255)
    return Error::success();
  for (size_t i = 0; i < samples.size(); ++i) {
    if (samples[i] > largest)
      return fail(position + i, "the sample " + Twine(unsigned(samples[i])) + " is above the largest value " +
                                    Twine(largest) + " that the header promises");
    samples[i] = scaled(samples[i]);
  }
  return Error::success();
}

Error PnmReader::readTextSamples(std::vector<uint8_t> &samples) {
  // A sample takes a digit and a separator at least: held against the file before anything is allocated.
  uint64_t possible = (text.size() - position + 1) / 2;
  if (count > possible)
    return fail(text.size(), Twine(width) + " x " + Twine(height) + " pixels need " + Twine(count) +
                                 " samples, but the file has room for " + Twine(possible) +
                                 " at most; it is truncated: write it again");
  samples.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    skipSpaceAndComments();
    size_t start = position;
    Expected<uint64_t> sample = readNumber("sample " + Twine(i + 1) + " of " + Twine(count));
    if (!sample)
      return sample.takeError();
    if (*sample > largest)
      return fail(start, "the sample " + Twine(*sample) + " is above the largest value " + Twine(largest) +
                             " that the header promises");
    samples.push_back(scaled(*sample));
  }
  skipSpaceAndComments();
  if (position < text.size())
    return fail(position, "more text follows the " + Twine(count) + " samples; keep one image in a file");
  return Error::success();
}

Expected<Array> PnmReader::read() {
  if (Error error = readHeader())
    return error;
  Array image{ElementType::U8, {height, width}, {}};
  if (colour)
    image.shape.push_back(3);
  if (Error error = plain ? readTextSamples(image.bytes) : readByteSamples(image.bytes))
    return error;
  return image;
}

} // namespace

Expected<Array> parsePnm(StringRef name, ArrayRef<uint8_t> data) { return PnmReader(name, data).read(); }

} // namespace leno::runtime

// `print:`: an array as a table for people.
#include "asm/support/Assert.h"
#include "runtime/DataFile.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace leno::runtime {

namespace {

constexpr uint64_t CompleteUpTo = 1000; // numpy's print threshold
constexpr uint64_t EdgeItems = 3;       // and its edge items
constexpr size_t LineWidth = 100;

template <typename Float> std::string shortest(Float value) {
  if (std::isnan(value))
    return "nan";
  char buffer[64];
  return std::string(buffer, std::to_chars(buffer, std::end(buffer), value).ptr);
}

/// The least digits that round back to the same 16 bits: five suffice for binary16.
std::string shortestHalf(uint16_t bits) {
  llvm::APFloat half(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits));
  bool lost;
  llvm::APFloat wide = half;
  (void)wide.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &lost);
  float value = wide.convertToFloat();
  if (!half.isFiniteNonZero())
    return shortest(value);
  for (int digits = 1; digits < 5; ++digits) {
    char buffer[64];
    char *end = std::to_chars(buffer, std::end(buffer), value, std::chars_format::general, digits).ptr;
    llvm::APFloat back(llvm::APFloat::IEEEhalf());
    auto status =
        back.convertFromString(llvm::StringRef(buffer, end - buffer), llvm::APFloat::rmNearestTiesToEven);
    if (!status)
      llvm::consumeError(status.takeError());
    else if (back.bitwiseIsEqual(half))
      return std::min(shortest(value), std::string(buffer, end),
                      [](const std::string &a, const std::string &b) {
                        return a.size() < b.size(); // 65504, not 6.55e+04
                      });
  }
  return shortest(value);
}

class Table {
public:
  Table(llvm::raw_ostream &os, const Array &array)
      : os(os), array(array), size(info(array.type).size), elided(array.bytes.size() / size > CompleteUpTo) {
    // Elements between the same indices of two neighbours in each dimension.
    strides.resize(array.shape.size());
    uint64_t stride = 1;
    for (size_t i = array.shape.size(); i-- > 0; stride *= array.shape[i])
      strides[i] = stride;
  }

  void print() {
    index.assign(array.shape.size(), 0);
    visit(0, [&](uint64_t element) { width = std::max(width, text(element).size()); });
    labelWidth = 2 + (array.shape.empty() ? 0 : array.shape.size() - 1);
    for (uint64_t dimension : array.shape)
      labelWidth += std::to_string(dimension - 1).size();
    rows(0, 0);
  }

private:
  std::string text(uint64_t element) const {
    return elementText(array.type, array.bytes.data() + element * size);
  }

  bool gapped(size_t dimension) const { return elided && array.shape[dimension] > 2 * EdgeItems; }
  /// The next index shown of a dimension.
  uint64_t next(size_t dimension, uint64_t i) const {
    return gapped(dimension) && i + 1 == EdgeItems ? array.shape[dimension] - EdgeItems : i + 1;
  }
  bool gapAfter(size_t dimension, uint64_t i) const { return gapped(dimension) && i + 1 == EdgeItems; }

  template <typename Function> void visit(size_t dimension, const Function &function, uint64_t element = 0) {
    if (dimension == array.shape.size())
      return function(element);
    for (uint64_t i = 0; i < array.shape[dimension]; i = next(dimension, i))
      visit(dimension + 1, function, element + i * strides[dimension]);
  }

  void label() {
    std::string shown = "[";
    for (size_t i = 0; i < index.size(); ++i) {
      std::string number = std::to_string(index[i]);
      shown += (i ? "," : "") + std::string(std::to_string(array.shape[i] - 1).size() - number.size(), ' ') +
               number;
    }
    os << "  " << shown << ']';
  }

  void row(uint64_t element) {
    size_t last = array.shape.size() - 1;
    size_t column = 0;
    for (uint64_t i = 0; i < array.shape[last]; i = next(last, i)) {
      if (column == 0) {
        index[last] = i;
        label();
        column = labelWidth;
      }
      std::string shown = text(element + i);
      os << "  ";
      os.indent(width - shown.size()) << shown;
      column += width + 2;
      if (gapAfter(last, i)) {
        os << "  ...";
        column += 5;
      }
      if (column + width + 2 > LineWidth || next(last, i) >= array.shape[last]) {
        os << '\n';
        column = 0;
      }
    }
    index[last] = 0;
  }

  void rows(size_t dimension, uint64_t element) {
    if (array.shape.empty()) {
      os << "  " << text(0) << '\n';
      return;
    }
    if (dimension + 1 == array.shape.size())
      return row(element);
    for (uint64_t i = 0; i < array.shape[dimension]; i = next(dimension, i)) {
      index[dimension] = i;
      rows(dimension + 1, element + i * strides[dimension]);
      if (gapAfter(dimension, i))
        os << "  ...\n";
    }
    index[dimension] = 0;
  }

  llvm::raw_ostream &os;
  const Array &array;
  unsigned size;
  bool elided;
  std::vector<uint64_t> strides, index;
  size_t width = 0, labelWidth = 0;
};

} // namespace

std::string elementText(ElementType type, const uint8_t *bytes) {
  using namespace llvm::support;
  if (info(type).kind == ElementInfo::Complex) {
    ElementType part = type == ElementType::C64 ? ElementType::F32 : ElementType::F64;
    std::string imaginary = elementText(part, bytes + info(type).partSize());
    return elementText(part, bytes) + (imaginary[0] == '-' ? "" : "+") + imaginary + "j";
  }
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, info(type).size);
  bits = endian::byte_swap(bits, llvm::endianness::little);
  switch (type) {
  case ElementType::F16:
    return shortestHalf(bits);
  case ElementType::F32:
    return shortest(llvm::bit_cast<float>(uint32_t(bits)));
  case ElementType::F64:
    return shortest(llvm::bit_cast<double>(bits));
  default:
    break;
  }
  if (info(type).kind != ElementInfo::Signed)
    return std::to_string(bits);
  unsigned unused = 64 - 8 * info(type).size;
  return std::to_string(int64_t(bits << unused) >> unused);
}

void printArray(llvm::raw_ostream &os, const Array &array, llvm::StringRef label) {
  LENO_ASSERT(byteCount(array.type, array.shape) == array.bytes.size(),
              "an array's bytes do not follow its shape");
  if (!label.empty())
    os << label << ": ";
  os << describe(array.type, array.shape) << '\n';
  if (!array.bytes.empty())
    Table(os, array).print();
}

} // namespace leno::runtime

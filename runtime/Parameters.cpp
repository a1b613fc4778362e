#include "runtime/Parameters.h"
#include "asm/support/Assert.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cstring>

using llvm::ArrayRef;
using llvm::Error;
using llvm::Twine;

namespace leno::runtime {

std::string signature(const KernelInfo &kernel) {
  std::string text = kernel.name + "(";
  for (const KernelParam &param : kernel.params)
    text += (&param == &kernel.params.front() ? "" : ", ") + param.typeText() + " " + param.name;
  return text + ")";
}

static std::string countOf(size_t count) {
  return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

std::string withArticle(llvm::StringRef type) {
  return (type.starts_with("i") || type.starts_with("f") ? "an " : "a ") + type.str();
}

/// The way out of a mismatch, in the terms of both a command line and a program.
static std::string wayOut(const KernelParam &param, const GivenArgument &given) {
  if (param.type == ParamType::Ptr)
    return "give a buffer" + (param.element ? std::string(" of ") + info(*param.element).name : "");
  if (given.kind == GivenArgument::Buffer)
    return "give " + withArticle(paramTypeName(param.type)) + ", or make it a '.param ptr " + param.name +
           "'";
  return "give " + withArticle(paramTypeName(param.type));
}

Error checkArguments(const KernelInfo &kernel, ArrayRef<GivenArgument> given) {
  if (given.size() != kernel.params.size()) {
    std::string missing;
    if (given.size() < kernel.params.size()) {
      const KernelParam &first = kernel.params[given.size()];
      missing = "; the first one missing is '" + first.name + "', " + withArticle(first.typeText());
    }
    return llvm::createStringError("kernel " + signature(kernel) + " takes " + countOf(kernel.params.size()) +
                                   ", not " + Twine(given.size()) + missing);
  }
  for (size_t i = 0; i < given.size(); ++i) {
    const KernelParam &param = kernel.params[i];
    bool isBuffer = given[i].kind == GivenArgument::Buffer;
    bool takesBuffer = param.type == ParamType::Ptr;
    bool isAddress =
        takesBuffer && given[i].kind == GivenArgument::Scalar && given[i].type == ElementType::U64;
    bool fits = given[i].kind == GivenArgument::Untyped ? !takesBuffer
                : isBuffer
                    ? takesBuffer && (!param.element || !given[i].type || param.element == given[i].type)
                    : paramTypeName(param.type) == info(*given[i].type).name;
    if (fits || isAddress)
      continue;
    std::string text = given[i].text.empty() ? "" : " ('" + given[i].text + "')";
    std::string gives = given[i].kind == GivenArgument::Untyped ? "a number"
                        : !isBuffer                             ? withArticle(info(*given[i].type).name)
                        : given[i].type && takesBuffer
                            ? std::string("a buffer of ") + info(*given[i].type).name
                            : "a buffer";
    return llvm::createStringError("argument " + Twine(i + 1) + text + " of kernel " + signature(kernel) +
                                   " is " + gives + ", but parameter '" + param.name + "' is " +
                                   withArticle(param.typeText()) + ": " + wayOut(param, given[i]));
  }
  return Error::success();
}

LaunchSpec launchSpec(const KernelInfo &kernel, Dim3 grid, Dim3 block, ArrayRef<uint64_t> values,
                      uint64_t maximumInstructions) {
  LaunchSpec spec;
  spec.kernel = kernel.name;
  spec.entry = kernel.entry;
  spec.grid = grid;
  spec.block = block;
  spec.sharedBytes = kernel.sharedBytes;
  spec.localBytes = kernel.localBytes;
  spec.registers = kernel.registers;
  spec.parameters = packParameters(kernel, values);
  if (maximumInstructions)
    spec.maxInstructions = maximumInstructions;
  return spec;
}

std::vector<uint8_t> packParameters(const KernelInfo &kernel, ArrayRef<uint64_t> values) {
  LENO_ASSERT(values.size() == kernel.params.size(), "one value for each parameter");
  size_t bytes = 0;
  for (const KernelParam &param : kernel.params)
    bytes = std::max<size_t>(bytes, param.offset + paramTypeSize(param.type) - parameterBase);
  std::vector<uint8_t> block(llvm::alignTo(bytes, 4)); // constants are read by words, narrow ones too
  for (size_t i = 0; i < values.size(); ++i) {
    const KernelParam &param = kernel.params[i];
    uint8_t little[8];
    llvm::support::endian::write64le(little, values[i]);
    std::memcpy(&block[param.offset - parameterBase], little, paramTypeSize(param.type));
  }
  return block;
}

} // namespace leno::runtime

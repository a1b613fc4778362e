#include "runtime/Parameters.h"
#include "runtime/TrapText.h"
#include "test/unit/Support.h"

using namespace leno;
using namespace leno::runtime;
using leno::test::textOf;

namespace {

KernelInfo kernelOf(std::vector<KernelParam> params) {
  KernelInfo kernel;
  kernel.name = "k";
  kernel.params = std::move(params);
  return kernel;
}

} // namespace

TEST(Parameters, ValuesStandAtTheirOffsetsLittleEndian) {
  KernelInfo kernel = kernelOf({{"a", ParamType::U8, parameterBase},
                                {"b", ParamType::F32, parameterBase + 4},
                                {"c", ParamType::Ptr, parameterBase + 8},
                                {"d", ParamType::I16, parameterBase + 16}});
  std::vector<uint8_t> expected = {0xab, 0,    0,    0,    0x00, 0x00, 0x20, 0x40, 0x88,
                                   0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0xfe, 0xff, 0, 0};
  EXPECT_EQ(packParameters(kernel, {0xab, 0x40200000, 0x1122334455667788, 0xfffe}), expected);
}

TEST(Parameters, AKernelWithoutParametersHasNoBlock) {
  EXPECT_TRUE(packParameters(kernelOf({}), {}).empty());
}

TEST(Parameters, EveryTypeTakesItselfAndNoOther) {
  // A ptr takes a u64 too; a buffer goes to a ptr alone.
  for (const ElementInfo &takes : elementTypes()) {
    std::optional<ParamType> type = parseParamType(takes.name);
    if (!type)
      continue;
    KernelInfo kernel = kernelOf({{"p", *type, parameterBase}});
    for (const ElementInfo &gives : elementTypes())
      EXPECT_EQ(textOf(checkArguments(kernel, {{GivenArgument::Scalar, gives.type, ""}})) == "success",
                gives.type == takes.type)
          << takes.name << " given " << gives.name;
    EXPECT_HOLDS(textOf(checkArguments(kernel, {{GivenArgument::Buffer, std::nullopt, ""}})), "is a buffer");
  }
  KernelInfo kernel = kernelOf({{"p", ParamType::Ptr, parameterBase}});
  EXPECT_EQ(textOf(checkArguments(kernel, {{GivenArgument::Buffer, std::nullopt, ""}})), "success");
  EXPECT_EQ(textOf(checkArguments(kernel, {{GivenArgument::Scalar, ElementType::U64, ""}})), "success");
  EXPECT_HOLDS(textOf(checkArguments(kernel, {{GivenArgument::Scalar, ElementType::I64, "i64:1"}})),
               "argument 1 ('i64:1')");
}

TEST(TrapText, LanesAreTold) {
  EXPECT_EQ(laneRanges(0), "none");
  EXPECT_EQ(laneRanges(1), "0");
  EXPECT_EQ(laneRanges(0xffffffff), "0-31");
  EXPECT_EQ(laneRanges(0x800100ff), "0-7,16,31");
}

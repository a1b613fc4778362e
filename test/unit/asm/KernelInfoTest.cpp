//===- KernelInfoTest.cpp - Metadata from files that are not to be trusted ===//
#include "asm/KernelInfo.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace leno;

namespace {

std::string whyNot(StringRef bytes) {
  Expected<ModuleInfo> module = decodeModuleInfo(bytes);
  return module ? "nothing" : toString(module.takeError());
}

TEST(KernelInfo, KeysThatAreNoNamesAreDamage) {
  // Maps of two entries whose keys are nil, maps, arrays, numbers: MessagePack's own rules allow them.
  for (StringRef bytes : {StringRef("\x82\xc0\x01\xc0\x02", 5), StringRef("\x82\x80\x01\x80\x02", 5),
                          StringRef("\x82\x90\x01\x90\x02", 5), StringRef("\x82\x01\x01\x02\x02", 5)})
    EXPECT_NE(whyNot(bytes).find("it is not one MessagePack map"), std::string::npos) << whyNot(bytes);
  // Deeper inside too.
  EXPECT_NE(whyNot(StringRef("\x81\xa1k\x91\x82\xc0\x01\xc0\x02", 9)).find("MessagePack"), std::string::npos);
}

TEST(KernelInfo, CutShortIsDamage) {
  std::string whole = encodeModuleInfo(ModuleInfo());
  EXPECT_EQ(whyNot(whole), "nothing");
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(whyNot(StringRef(whole).take_front(size)), "nothing") << size;
}

} // namespace

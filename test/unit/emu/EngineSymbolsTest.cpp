#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

// An inline function built for AVX-512 must never be the one that the linker keeps for the baseline engine:
// an engine's object file gives the linker nothing but the engine itself.
using namespace llvm;

#if __has_feature(address_sanitizer)
TEST(EngineSymbols, DISABLED_SanitizersAddTheirOwn) {}
#else
TEST(EngineSymbols, AnEngineDefinesItselfAndNothingThatCouldBeMerged) {
  auto buffer = MemoryBuffer::getFile(LENO_EMU_ARCHIVE);
  ASSERT_TRUE(bool(buffer));
  auto archive = cantFail(object::Archive::create(**buffer));
  Error error = Error::success();
  unsigned engines = 0;
  for (const object::Archive::Child &child : archive->children(error)) {
    StringRef name = cantFail(child.getName());
    if (!name.starts_with("Engine") || name.starts_with("Engine.cpp"))
      continue;
    ++engines;
    auto binary = cantFail(child.getAsBinary());
    for (const object::SymbolRef &symbol : cast<object::ObjectFile>(*binary).symbols()) {
      uint32_t flags = cantFail(symbol.getFlags());
      if (flags & object::SymbolRef::SF_Undefined || !(flags & object::SymbolRef::SF_Global))
        continue;
      StringRef text = cantFail(symbol.getName());
      EXPECT_TRUE(text.ends_with("EngineE")) << name.str() << " defines " << text.str();
      EXPECT_FALSE(flags & object::SymbolRef::SF_Weak) << name.str() << " defines " << text.str();
    }
  }
  ASSERT_FALSE(bool(error));
  EXPECT_GE(engines, 1u);
}
#endif

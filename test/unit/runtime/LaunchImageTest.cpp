// A launch as it goes to a debugger and back: memory at its places, and the words that have changed. What is damaged is refused.
#include "runtime/LaunchImage.h"

#include "runtime/MachineConfig.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace leno;
using runtime::LaunchAnswer;
using runtime::LaunchImage;

namespace {

const Engine &anEngine() { return *llvm::cantFail(chooseEngine()); }

/// Of a device with a hole between two buffers, of which one has a last page that is no whole one.
LaunchImage anImage(leno::Device &device) {
  u64 first = llvm::cantFail(device.memory().allocate(10'000, "first"));
  u64 gone = llvm::cantFail(device.memory().allocate(4096, "gone"));
  u64 last = llvm::cantFail(device.memory().allocate(3, "last"));
  llvm::cantFail(device.memory().release(gone));
  llvm::cantFail(device.memory().write(first + 9'998, {1, 2}));
  llvm::cantFail(device.memory().write(last, {7, 8, 9}));
  llvm::cantFail(device.constants().write(3, 4, {5, 6}));
  LaunchImage image;
  image.file = "a.s";
  image.kernel = "k";
  image.program = std::make_shared<const std::string>("bytes\0with a zero", 17);
  image.machine = {"sm.count=3"};
  image.spec.grid = {2, 3, 4};
  image.spec.parameters = {1, 2, 3, 4};
  image.spec.hostWords[7] = 99;
  image.take(device, std::make_shared<u64>(0));
  return image;
}

} // namespace

TEST(LaunchImage, MemoryComesToItsPlaces) {
  leno::Device from(MachineConfig(), anEngine()), to(MachineConfig(), anEngine());
  std::string bytes = anImage(from).encode();
  auto meter = std::make_shared<u64>(0);
  llvm::Expected<LaunchImage> image = LaunchImage::decode(bytes, nullptr, meter);
  ASSERT_TRUE(bool(image));
  EXPECT_EQ(image->program->size(), 17u);
  EXPECT_EQ(image->machine, std::vector<std::string>{"sm.count=3"});
  EXPECT_EQ(image->spec.grid, (Dim3{2, 3, 4}));
  EXPECT_EQ(image->spec.hostWords[7], 99u);
  EXPECT_EQ(*meter, 10'000u - 8'192 + 3) << "pages of zeroes are kept, too";
  ASSERT_FALSE(image->place(to));
  ASSERT_EQ(to.memory().allocations().size(), 2u);
  for (const auto &[base, allocation] : from.memory().allocations()) {
    const AddressSpace::Allocation *same = to.memory().find(base, allocation.window.size);
    ASSERT_TRUE(same);
    EXPECT_EQ(same->name, allocation.name);
    EXPECT_EQ(std::memcmp(same->window.host, allocation.window.host, allocation.window.size), 0);
  }
  EXPECT_EQ(to.constants().bank(3), (llvm::ArrayRef<uint8_t>{0, 0, 0, 0, 5, 6}));
  // What has not changed is there once.
  auto again = LaunchImage::decode(bytes, &*image, meter);
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(*meter, 10'000u - 8'192 + 3);
}

TEST(LaunchImage, OnlyWordsThatHaveChangedGoBack) {
  leno::Device device(MachineConfig(), anEngine());
  LaunchImage image = anImage(device);
  u64 first = image.memory[0].base, last = image.memory[1].base;
  llvm::cantFail(device.memory().write(first + 4'094, {1, 1, 1, 1})); // across two pages, and two words
  llvm::cantFail(device.memory().write(last + 2, {0}));
  LaunchAnswer answer;
  answer.hasRun = true;
  answer.instructions = 12;
  answer.addChanges(image, device);
  llvm::Expected<LaunchAnswer> read = LaunchAnswer::decode(answer.encode());
  ASSERT_TRUE(bool(read));
  EXPECT_EQ(read->instructions, 12u);
  ASSERT_EQ(read->changes.size(), 3u);
  EXPECT_EQ(read->changes[0].address, first + 4'092);
  EXPECT_EQ(read->changes[0].bytes, std::string("\0\0\1\1", 4));
  EXPECT_EQ(read->changes[1].address, first + 4'096);
  EXPECT_EQ(read->changes[1].bytes, std::string("\1\1\0\0", 4));
  EXPECT_EQ(read->changes[2].address, last);
  EXPECT_EQ(read->changes[2].bytes, std::string("\7\10\0", 3));
}

TEST(LaunchImage, WhatIsCutOffOrLongerIsRefused) {
  leno::Device device(MachineConfig(), anEngine());
  std::string bytes = anImage(device).encode();
  for (size_t size = 0; size <= bytes.size(); ++size) {
    std::string wrong = size < bytes.size() ? bytes.substr(0, size) : bytes + "x";
    llvm::Expected<LaunchImage> image = LaunchImage::decode(wrong, nullptr, std::make_shared<u64>(0));
    EXPECT_FALSE(bool(image)) << size;
    llvm::consumeError(image.takeError());
  }
  llvm::Expected<LaunchAnswer> answer = LaunchAnswer::decode("");
  EXPECT_FALSE(bool(answer));
  llvm::consumeError(answer.takeError());
}

// The rules of an address space hold where it is told the places.
TEST(LaunchImage, MemoryHasGuardPagesAtPlacesThatAreTold) {
  leno::Device device(MachineConfig(), anEngine());
  AddressSpace &memory = device.memory();
  auto isTaken = [&](u64 base, u64 bytes) { return !llvm::errorToBool(memory.allocateAt(base, bytes, "x")); };
  EXPECT_FALSE(isTaken(0, 16)) << "null traps";
  EXPECT_FALSE(isTaken(0x10004, 16)) << "a page begins there";
  EXPECT_TRUE(isTaken(0x20000, 4096));
  EXPECT_FALSE(isTaken(0x20000, 16));
  EXPECT_FALSE(isTaken(0x21000, 16)) << "a guard page";
  EXPECT_FALSE(isTaken(0x1f000, 16)) << "a guard page";
  EXPECT_TRUE(isTaken(0x22000, 16));
  EXPECT_TRUE(isTaken(0x1e000, 4096));
}

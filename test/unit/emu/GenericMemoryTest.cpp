// Loads and stores of every width at random generic addresses, whose lanes go to global, shared and local
// memory, against arrays of bytes; and the same bytes through LDG, LDS and LDL.
#include "../Effort.h"
#include "Harness.h"
#include "llvm/Support/FormatVariadic.h"
#include <array>

using namespace leno;
using namespace leno::test;
using isa::MemSize;

namespace {

constexpr unsigned spaceBytes = 64; // of global, shared and each lane's local memory

unsigned bytesOf(MemSize size) {
  switch (size) {
  case MemSize::U8:
  case MemSize::S8:
    return 1;
  case MemSize::U16:
  case MemSize::S16:
    return 2;
  case MemSize::B32:
    return 4;
  case MemSize::B64:
    return 8;
  case MemSize::B128:
    return 16;
  }
  return 0;
}

/// The three memories as bytes.
struct Model {
  std::array<uint8_t, spaceBytes> global{}, shared{};
  std::array<std::array<uint8_t, spaceBytes>, laneCount> local{};

  uint8_t *at(unsigned space, unsigned lane, unsigned offset) {
    return (space == 0 ? global : space == 1 ? shared : local[lane]).data() + offset;
  }
};

struct Place {
  unsigned space, offset;
};

/// ".u8" and the like.
const char *suffixOf(MemSize size) {
  static constexpr const char *suffixes[] = {"", ".u8", ".s8", ".u16", ".s16", ".64", ".128"};
  return suffixes[unsigned(size)];
}

constexpr unsigned rounds = 6;

/// Each round: ST of a random width from R16.., LD of another into R20.., both from tables that lane and
/// round index; at the end the loads' results and all three memories are written out.
Program program(const Engine &engine, const std::vector<std::pair<MemSize, MemSize>> &sizes) {
  std::string text = R"(
    .param u32 addresses
    .param u32 data
    .param u32 left
    S2R R0, SR_TID.X
    SHL R1, R0, 3
    MOV R2, c[0][addresses]
    IADD R1, R1, R2
    SHL R3, R0, 4
    MOV R2, c[0][data]
    IADD R3, R3, R2
  )";
  for (unsigned round = 0; round < rounds; ++round)
    text += llvm::formatv(R"(
    LDG.64 R4, [R1+{0}]
    LDG.64 R6, [R1+{1}]
    LDG.128 R16, [R3+{2}]
    ST{3} [R4.64], R16
    MOV32I R20, 0
    MOV32I R21, 0
    MOV32I R22, 0
    MOV32I R23, 0
    LD{4} R20, [R6.64]
    STG.128 [R3+{5}], R20
  )",
                          round * 512, round * 512 + 256, round * 1024, suffixOf(sizes[round].first),
                          suffixOf(sizes[round].second), round * 1024 + 512)
                .str();
  // What is left, in the spaces' own words: R24.. of shared and local.
  text += "MOV R2, c[0][left]\nSHL R5, R0, 6\nIADD R5, R5, R2\n";
  for (unsigned at = 0; at < spaceBytes; at += 16)
    text += llvm::formatv(R"(
    MOV32I R8, {0}
    LDL.128 R24, [R8]
    STG.128 [R5+{0}], R24
    LDS.128 R24, [R8]
    STG.128 [R2+{1}], R24
  )",
                          at, laneCount * spaceBytes + at)
                .str();
  return assembled(text + "EXIT", engine);
}

void runOne(const Engine &engine, std::mt19937_64 &random) {
  static constexpr MemSize all[] = {MemSize::B32, MemSize::U8,  MemSize::S8,  MemSize::U16,
                                    MemSize::S16, MemSize::B64, MemSize::B128};
  std::vector<std::pair<MemSize, MemSize>> sizes;
  for (unsigned round = 0; round < rounds; ++round)
    sizes.push_back({all[random() % 7], all[random() % 7]});
  Program code = program(engine, sizes);
  TestMachine machine({}, engine);
  u64 addresses = machine.buffer(rounds * 512), data = machine.buffer(rounds * 1024),
      left = machine.buffer(laneCount * spaceBytes + spaceBytes), global = machine.buffer(spaceBytes);

  Model model;
  std::vector<u32> addressWords(rounds * 128), dataWords(rounds * 256), expected;
  for (unsigned round = 0; round < rounds; ++round) {
    auto choose = [&](MemSize size, unsigned half, unsigned lane) {
      Place place{unsigned(random() % 3), unsigned(random() % (spaceBytes / bytesOf(size))) * bytesOf(size)};
      u64 base[] = {global, AddressSpace::sharedWindow, AddressSpace::localWindow};
      u64 address = base[place.space] + place.offset;
      addressWords[round * 128 + half * 64 + lane * 2] = u32(address);
      addressWords[round * 128 + half * 64 + lane * 2 + 1] = u32(address >> 32);
      return place;
    };
    auto [storeSize, loadSize] = sizes[round];
    for (unsigned lane = 0; lane < laneCount; ++lane) {
      u32 *words = &dataWords[round * 256 + lane * 4];
      for (unsigned k = 0; k < 4; ++k)
        words[k] = u32(random());
      Place place = choose(storeSize, 0, lane);
      std::memcpy(model.at(place.space, lane, place.offset), words, bytesOf(storeSize));
    }
    for (unsigned lane = 0; lane < laneCount; ++lane) {
      Place place = choose(loadSize, 1, lane);
      u32 words[4] = {};
      std::memcpy(words, model.at(place.space, lane, place.offset), bytesOf(loadSize));
      if (loadSize == MemSize::S8 && words[0] >= 0x80)
        words[0] += 0xffffff00;
      if (loadSize == MemSize::S16 && words[0] >= 0x8000)
        words[0] += 0xffff0000;
      expected.insert(expected.end(), words, words + 4);
    }
  }
  machine.setWords(addresses, addressWords);
  machine.setWords(data, dataWords);
  Machine &run = machine.launch(code, {}, {32}, {u32(addresses), u32(data), u32(left)}, spaceBytes,
                                10'000'000, spaceBytes);
  ASSERT_EQ(run.run().reason, StopReason::Finished) << run.grid()->trap()->str();
  for (unsigned round = 0; round < rounds; ++round)
    EXPECT_EQ(machine.words(data + round * 1024 + 512, 128),
              std::vector<u32>(expected.begin() + round * 128, expected.begin() + (round + 1) * 128))
        << engine.name << " round " << round;
  auto bytesAt = [&](u64 address) {
    std::array<uint8_t, spaceBytes> bytes;
    cantFail(machine.device.memory().read(address, bytes));
    return bytes;
  };
  for (unsigned lane = 0; lane < laneCount; ++lane)
    EXPECT_EQ(bytesAt(left + lane * spaceBytes), model.local[lane]) << engine.name << " lane " << lane;
  EXPECT_EQ(bytesAt(left + laneCount * spaceBytes), model.shared) << engine.name;
  EXPECT_EQ(bytesAt(global), model.global) << engine.name;
}

/// One store of four lanes: 0 and 1 to global memory, 2 to shared, 3 to local; then an atomic of shared
/// memory.
Program toAllSpaces() {
  return assembled(R"(
    .param u32 out
    S2R R0, SR_TID.X
    MOV R4, c[0][out]
    MOV32I R5, 0
    ISETP.eq P0, R0, 2
    @P0 MOV32I R4, 8
    @P0 MOV32I R5, 0xff
    ISETP.eq P0, R0, 3
    @P0 MOV32I R4, 12
    @P0 MOV32I R5, 0xfe
    ST [R4.64], R0
    MOV32I R6, 4
    ATOMS.add R7, [R6], R0
    EXIT
  )");
}

} // namespace

TEST(GenericMemory, RandomAccessesOfAllSpacesMatchTheModel) {
  for (const Engine *engine : availableEngines()) {
    std::mt19937_64 random(3);
    for (unsigned i = 0; i < effort(60); ++i)
      runOne(*engine, random);
  }
}

// The models of memory have a door of their own: they hear the same whoever watches, and nobody need.
TEST(GenericMemory, ModelsAreAskedWhoeverWatches) {
  struct Watching : Observer {
    explicit Watching(bool each) : each(each) {}
    Interests interests() const override { return each ? everything : Life; }
    bool each;
  };
  const Program code = toAllSpaces();
  for (int watchers : {0, 1, 2}) {
    MachineConfig config;
    config.l2.model = MachineConfig::L2::Slices;
    TestMachine machine(config);
    u64 out = machine.buffer(4);
    Watching watching(watchers == 2);
    Machine &run = machine.launch(code, {}, {4}, {u32(out)}, 16, 10'000'000, 16);
    if (watchers)
      run.addObserver(watching);
    EXPECT_EQ(run.grid()->memoryWatched(), watchers == 2);
    ASSERT_EQ(run.run().reason, StopReason::Finished);
    MemoryChain::Totals sent = run.grid()->memoryChain()->counts().ports;
    EXPECT_EQ(sent.of(MemoryRequest::Global), (MemoryChain::Counts{1, 1, 0, 0})) << watchers;
    EXPECT_EQ(sent.of(MemoryRequest::Local), (MemoryChain::Counts{1, 1, 0, 0}));
  }
}

TEST(GenericMemory, ObserversHearTheRealSpaces) {
  struct Listener : Observer {
    std::string heard;
    void memory(const Warp &, const Op &, const MemoryAccess &a) override {
      static constexpr const char *spaces[] = {"global", "shared", "constant", "local"};
      static constexpr const char *kinds[] = {"load", "store", "atomic"};
      heard += std::string(kinds[unsigned(a.kind)]) + " " + spaces[unsigned(a.space)] + " " +
               std::to_string(a.lanes) + " " + std::to_string(a.addresses[__builtin_ctz(a.lanes)]) + "\n";
    }
  };
  TestMachine machine;
  u64 out = machine.buffer(4);
  Listener listener;
  const Program code = toAllSpaces();
  Machine &run = machine.launch(code, {}, {4}, {u32(out)}, 16, 10'000'000, 16);
  run.addObserver(listener);
  ASSERT_EQ(run.run().reason, StopReason::Finished);
  EXPECT_EQ(listener.heard, "store global 3 65536\nstore shared 4 8\nstore local 8 12\natomic shared 15 4\n");
}

TEST(LocalMemory, WhatDoesNotFitIsRefusedWithTheWayOut) {
  MachineConfig config;
  config.warp.localBytes = 1024;
  Device device(config, widest());
  Program code = assembled("EXIT");
  LaunchSpec spec;
  spec.kernel = "k";
  spec.grid = {1};
  spec.block = {32};
  spec.localBytes = 1040;
  EXPECT_EQ(toString(Machine::create(device, code, spec).takeError()),
            "kernel 'k' needs 1040 bytes of local memory a lane; a lane has 1024: raise warp.localBytes");
  config.warp.localBytes = 524288;
  config.memory.bytes = 1 << 24;
  Device small(config, widest());
  spec.localBytes = 524288;
  EXPECT_TRUE(bool(Machine::create(small, code, spec))) << "one warp fits exactly";
  spec.grid = {2};
  EXPECT_NE(toString(Machine::create(small, code, spec).takeError()).find("raise memory.bytes"),
            std::string::npos);
}

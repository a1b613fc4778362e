//===- Harness.h - Programs by hand, machines on the spot -----------------===//
#pragma once
#include "emu/Machine.h"
#include "emu/observe/Statistics.h"
#include "emu/semantics/Memory.h"
#include "gtest/gtest.h"
#include <functional>
#include <random>

namespace leno::test {

inline constexpr unsigned RZ = 255, PT = 7;

/// The widest engine of the host, or the one LENO_VECTOR names.
inline const Engine &widest() { return *llvm::cantFail(chooseEngine()); }

/// A program under construction: one call for each instruction, labels by name.
class Code {
public:
  explicit Code(const Engine &engine = widest()) : program(engine) {}

  using Operands = std::function<void(OpBuilder &)>;
  template <class S, class Mods> Code &op(Mods mods, Operands operands = {}) {
    OpBuilder builder(program);
    if (guardSet)
      builder.guard(guardPredicate, guardNegated);
    builder.popSync(popSync);
    if (operands)
      operands(builder);
    builder.bind<S>(mods);
    builder.finish(0);
    guardSet = popSync = false;
    return *this;
  }
  /// The next instruction's guard, and its .S bit.
  Code &when(unsigned predicate, bool negated = false) {
    guardSet = true;
    guardPredicate = predicate;
    guardNegated = negated;
    return *this;
  }
  Code &joining() {
    popSync = true;
    return *this;
  }
  size_t here() const { return program.size(); }

  Code &mov(unsigned d, u32 value) {
    return op<sem::MOV32I>(isa::MOV32IMods{},
                           [=](OpBuilder &b) { b.dst(Slot::D, d), b.imm(Slot::B, value); });
  }
  Code &param(unsigned d, u32 offset) {
    return op<sem::MOV>(isa::MOVMods{}, [=](OpBuilder &b) {
      b.dst(Slot::D, d), b.constant(Slot::B, 0, bank0::parameters + offset);
    });
  }
  Code &s2r(unsigned d, isa::SpecialRegister sr) {
    return op<sem::S2R>(isa::S2RMods{}, [=](OpBuilder &b) { b.dst(Slot::D, d), b.special(sr); });
  }
  Code &iadd(unsigned d, unsigned a, unsigned b, isa::IADDMods mods = {}) {
    return op<sem::IADD>(mods,
                         [=](OpBuilder &o) { o.dst(Slot::D, d), o.src(Slot::A, a), o.src(Slot::B, b); });
  }
  Code &iaddImm(unsigned d, unsigned a, u32 b, isa::IADDMods mods = {}) {
    return op<sem::IADD>(mods,
                         [=](OpBuilder &o) { o.dst(Slot::D, d), o.src(Slot::A, a), o.imm(Slot::B, b); });
  }
  Code &shlImm(unsigned d, unsigned a, u32 b) {
    return op<sem::SHL>(isa::SHLMods{},
                        [=](OpBuilder &o) { o.dst(Slot::D, d), o.src(Slot::A, a), o.imm(Slot::B, b); });
  }
  Code &lopImm(unsigned d, isa::LogicOp op_, unsigned a, u32 b) {
    isa::LOPMods mods;
    mods.op = op_;
    return op<sem::LOP>(mods, [=](OpBuilder &o) { o.dst(Slot::D, d), o.src(Slot::A, a), o.imm(Slot::B, b); });
  }
  Code &isetpImm(unsigned p, isa::Cmp cmp, unsigned a, u32 b) {
    isa::ISETPMods mods;
    mods.cmp = cmp;
    return op<sem::ISETP>(mods, [=](OpBuilder &o) {
      o.dstPred(PSlot::U, p), o.dstPred(PSlot::V, PT), o.src(Slot::A, a), o.imm(Slot::B, b);
    });
  }
  Code &ldg(unsigned d, unsigned base, s32 offset, isa::MemSize size = isa::MemSize::B32, bool wide = false) {
    isa::LDGMods mods;
    mods.size = size;
    return op<sem::LDG>(mods, [=](OpBuilder &o) {
      o.dst(Slot::D, d, sem::registersOf(size)), o.address(base, wide, offset);
    });
  }
  Code &stg(unsigned base, s32 offset, unsigned d, isa::MemSize size = isa::MemSize::B32, bool wide = false) {
    isa::STGMods mods;
    mods.size = size;
    return op<sem::STG>(mods, [=](OpBuilder &o) {
      o.address(base, wide, offset), o.src(Slot::D, d, sem::registersOf(size));
    });
  }
  Code &lds(unsigned d, unsigned base, s32 offset) {
    return op<sem::LDS>(isa::LDSMods{},
                        [=](OpBuilder &o) { o.dst(Slot::D, d), o.address(base, false, offset); });
  }
  Code &sts(unsigned base, s32 offset, unsigned d) {
    return op<sem::STS>(isa::STSMods{},
                        [=](OpBuilder &o) { o.address(base, false, offset), o.src(Slot::D, d); });
  }
  Code &bar(unsigned number, unsigned threads = 0) {
    return op<sem::BAR_SYNC>(isa::BAR_SYNCMods{}, [=](OpBuilder &o) {
      o.number(number), o.count(threads);
      o.src(Slot::A, OpBuilder::zeroRegister), o.src(Slot::C, OpBuilder::zeroRegister);
    });
  }
  /// Jumping instructions take the target's word index.
  template <class S, class Mods> Code &jump(Mods mods, size_t target) {
    s64 offset = (s64(target) - s64(here()) - 1) * 8;
    return op<S>(mods, [=](OpBuilder &o) { o.target(offset); });
  }
  Code &bra(size_t target, bool uniform = false) {
    isa::BRAMods mods;
    mods.U = uniform;
    return jump<sem::BRA>(mods, target);
  }
  Code &braSsy(size_t target, size_t join) {
    s64 next = s64(here()) + 1;
    return op<sem::BRA>(isa::BRAMods{}, [=](OpBuilder &o) {
      o.target((s64(target) - next) * 8), o.join((s64(join) - next) * 8);
    });
  }
  Code &ssy(size_t target) { return jump<sem::SSY>(isa::SSYMods{}, target); }
  Code &pbk(size_t target) { return jump<sem::PBK>(isa::PBKMods{}, target); }
  Code &pcnt(size_t target) { return jump<sem::PCNT>(isa::PCNTMods{}, target); }
  Code &cont() { return op<sem::CONT>(isa::CONTMods{}); }
  Code &cal(size_t target) { return jump<sem::CAL>(isa::CALMods{}, target); }
  Code &sync() { return joining().op<sem::NOP>(isa::NOPMods{}); }
  Code &nop() { return op<sem::NOP>(isa::NOPMods{}); }
  Code &brk() { return op<sem::BRK>(isa::BRKMods{}); }
  Code &ret() { return op<sem::RET>(isa::RETMods{}); }
  Code &exit() { return op<sem::EXIT>(isa::EXITMods{}); }
  Code &bpt() { return op<sem::BPT>(isa::BPTMods{}); }

  Program &done() {
    program.seal();
    return program;
  }
  Program program;

private:
  bool guardSet = false, guardNegated = false, popSync = false;
  unsigned guardPredicate = PT;
};

/// A device with one launch on it.
struct TestMachine {
  explicit TestMachine(MachineConfig config = {}, const Engine &engine = widest()) : device(config, engine) {}

  u64 buffer(u64 bytes, const char *name = "buffer") {
    return cantFail(device.memory().allocate(bytes, name));
  }
  std::vector<u32> words(u64 address, size_t count) {
    std::vector<u32> result(count);
    cantFail(device.memory().read(address, {reinterpret_cast<uint8_t *>(result.data()), count * 4}));
    return result;
  }
  void setWords(u64 address, const std::vector<u32> &values) {
    cantFail(device.memory().write(address,
                                   {reinterpret_cast<const uint8_t *>(values.data()), values.size() * 4}));
  }
  Machine &launch(const Program &program, Dim3 grid, Dim3 block, std::vector<u32> parameters = {},
                  u32 sharedBytes = 0, u64 limit = 10'000'000, u32 localBytes = 0) {
    LaunchSpec spec;
    spec.kernel = "test";
    spec.grid = grid;
    spec.block = block;
    spec.sharedBytes = sharedBytes;
    spec.localBytes = localBytes;
    spec.maxInstructions = limit;
    spec.parameters.resize(parameters.size() * 4);
    if (!parameters.empty())
      std::memcpy(spec.parameters.data(), parameters.data(), spec.parameters.size());
    run = cantFail(Machine::create(device, program, spec));
    return *run;
  }

  Device device;
  std::unique_ptr<Machine> run;
};

} // namespace leno::test

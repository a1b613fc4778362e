#include "emu/sm/Units.h"
#include "emu/MachineKey.h"

using namespace leno;
using llvm::ArrayRef;

using Unit = MachineConfig::Units::Unit;
template <isa::Unit kind, u64 Unit::*field> static u64 &of(MachineConfig &config) {
  return config.units.kinds[size_t(kind)].*field;
}
template <isa::Unit kind> static constexpr MachineKey count(const char *name, const char *what) {
  return {name, MachineKey::Integer, 1, 64, "", what, of<kind, &Unit::count>};
}
template <isa::Unit kind> static constexpr MachineKey interval(const char *name) {
  return {name,
          MachineKey::Integer,
          1,
          1 << 20,
          "cycles",
          "from an instruction of such a unit to the next one",
          of<kind, &Unit::interval>};
}
template <isa::Unit kind> static constexpr MachineKey latency(const char *name) {
  return {name,
          MachineKey::Integer,
          1,
          1 << 20,
          "cycles",
          "until results of such a unit are there; the first is the instruction's own",
          of<kind, &Unit::latency>};
}

ArrayRef<MachineKey> MachineConfig::Units::keys() {
  static constexpr MachineKey rows[] = {
      {"units.model", MachineKey::Choice, 0, 1, "",
       "scoreboard: instructions take a unit of their kind, and warps wait for registers, of loads too",
       [](MachineConfig &c) -> uint64_t & { return c.units.model; }, "none|scoreboard"},
      count<isa::Unit::Int>("units.int.count", "units of an SM for integers, bits, moves and predicates"),
      interval<isa::Unit::Int>("units.int.interval"),
      latency<isa::Unit::Int>("units.int.latency"),
      count<isa::Unit::Float>("units.float.count",
                              "units of an SM for single and half precision, and conversions"),
      interval<isa::Unit::Float>("units.float.interval"),
      latency<isa::Unit::Float>("units.float.latency"),
      count<isa::Unit::Double>("units.double.count", "units of an SM for double precision"),
      interval<isa::Unit::Double>("units.double.interval"),
      latency<isa::Unit::Double>("units.double.latency"),
      count<isa::Unit::Special>("units.special.count", "units of an SM for MUFU"),
      interval<isa::Unit::Special>("units.special.interval"),
      latency<isa::Unit::Special>("units.special.latency"),
      count<isa::Unit::Memory>("units.memory.count", "units of an SM for loads, stores and atomics"),
      interval<isa::Unit::Memory>("units.memory.interval"),
      latency<isa::Unit::Memory>("units.memory.latency"),
  };
  return rows;
}

llvm::Error MachineConfig::Units::check(const MachineConfig &whole) const {
  if (model != None && whole.timing.model != Timing::Cycles)
    return llvm::createStringError("units.model=scoreboard needs a clock: set timing.model=cycles, too");
  return llvm::Error::success();
}

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
template <isa::Unit kind, u64 Unit::*field>
static constexpr MachineKey cycles(const char *name, const char *what) {
  return {name, MachineKey::Integer, 1, 1 << 20, "cycles", what, of<kind, field>};
}
static constexpr const char *toTheNext = "from an instruction of such a unit to the next one",
                            *untilThere =
                                "until results of such a unit are there; the first is the instruction's own";

ArrayRef<MachineKey> MachineConfig::Units::keys() {
  static constexpr MachineKey rows[] = {
      {"units.model", MachineKey::Choice, 0, 1, "",
       "scoreboard: instructions take a unit of their kind, and warps wait for registers, of loads too",
       [](MachineConfig &c) -> uint64_t & { return c.units.model; }, "none|scoreboard"},
      count<isa::Unit::Int>("units.int.count", "units of an SM for integers, bits, moves and predicates"),
      cycles<isa::Unit::Int, &Unit::interval>("units.int.interval", toTheNext),
      cycles<isa::Unit::Int, &Unit::latency>("units.int.latency", untilThere),
      count<isa::Unit::Float>("units.float.count",
                              "units of an SM for single and half precision, and conversions"),
      cycles<isa::Unit::Float, &Unit::interval>("units.float.interval", toTheNext),
      cycles<isa::Unit::Float, &Unit::latency>("units.float.latency", untilThere),
      count<isa::Unit::Double>("units.double.count", "units of an SM for double precision"),
      cycles<isa::Unit::Double, &Unit::interval>("units.double.interval", toTheNext),
      cycles<isa::Unit::Double, &Unit::latency>("units.double.latency", untilThere),
      count<isa::Unit::Special>("units.special.count", "units of an SM for MUFU"),
      cycles<isa::Unit::Special, &Unit::interval>("units.special.interval", toTheNext),
      cycles<isa::Unit::Special, &Unit::latency>("units.special.latency", untilThere),
      count<isa::Unit::Memory>("units.memory.count", "units of an SM for loads, stores and atomics"),
      cycles<isa::Unit::Memory, &Unit::interval>("units.memory.interval", toTheNext),
      cycles<isa::Unit::Memory, &Unit::latency>("units.memory.latency", untilThere),
  };
  return rows;
}

llvm::Error MachineConfig::Units::check(const MachineConfig &whole) const {
  if (model != None && whole.timing.model != Timing::Cycles)
    return llvm::createStringError("units.model=scoreboard needs a clock: set timing.model=cycles, too");
  return llvm::Error::success();
}

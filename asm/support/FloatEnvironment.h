//===- FloatEnvironment.h - The host's floating point, as Leno needs it ---===//
// Guest code is computed by the host's own arithmetic, so the bits depend on
// what the host's units are set to: how they round, whether they flush
// subnormals to zero (a program linked with -Ofast starts so), which
// exceptions end the process. A thread that comes into the library may have set
// any of it, and one that we start inherits it from whoever starts it.
//
// So a FloatScope stands where guest code begins to run (Machine, ParallelRun),
// where text is assembled, and around each operation with a rounding mode of its
// own. Leaving it puts back all that the caller had,
// exception flags included. What calls the host back gives it its own (SharedState).
//
// Engines.h: nothing here may be seen by the linker, hence always_inline.
//===----------------------------------------------------------------------===//
#pragma once

#include "isa/Modifiers.h"

#ifndef __x86_64__
#include <fenv.h>
#endif

namespace leno {

/// What the units of this thread are set to, the flags of exceptions that have occurred included.
class FloatControl {
public:
  [[clang::always_inline]] static FloatControl now() {
    FloatControl control;
#ifdef __x86_64__
    asm volatile("stmxcsr %0" : "=m"(control.vectors));
    asm volatile("fnstcw %0" : "=m"(control.x87));
#else
    fegetenv(&control.environment);
#endif
    return control;
  }
  /// Operands come from memory and results go there: the arithmetic between two of these stays there.
  [[clang::always_inline]] void set() const {
#ifdef __x86_64__
    asm volatile("ldmxcsr %0" : : "m"(vectors) : "memory");
    asm volatile("fldcw %0" : : "m"(x87) : "memory");
#else
    asm volatile("" ::: "memory");
    fesetenv(&environment);
    asm volatile("" ::: "memory");
#endif
  }
  /// IEEE 754's defaults but for the rounding: subnormals are numbers, no exception ends anything.
  [[clang::always_inline]] static void setDefault(isa::Round mode) {
#ifdef __x86_64__
    FloatControl control;
    control.vectors |= unsigned(mode) << 13; // isa::Round counts as the hardware does
    control.x87 = static_cast<unsigned short>(control.x87 | unsigned(mode) << 10);
    control.set();
#else
    asm volatile("" ::: "memory");
    fesetenv(FE_DFL_ENV);
    if (mode != isa::Round::RN) {
      static constexpr int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
      fesetround(modes[unsigned(mode)]);
    }
    asm volatile("" ::: "memory");
#endif
  }

private:
#ifdef __x86_64__
  unsigned vectors = 0x1f80;   ///< MXCSR
  unsigned short x87 = 0x037f; ///< its control word; the C library looks there how to round
#else
  fenv_t environment;
#endif
};

/// While one lives, this thread has the default environment, or another; then again what it had.
class FloatScope {
public:
  [[clang::always_inline]] explicit FloatScope(isa::Round mode = isa::Round::RN)
      : before(FloatControl::now()) {
    FloatControl::setDefault(mode);
  }
  [[clang::always_inline]] explicit FloatScope(const FloatControl &control) : before(FloatControl::now()) {
    control.set();
  }
  [[clang::always_inline]] ~FloatScope() { before.set(); }
  FloatScope(const FloatScope &) = delete;
  FloatScope &operator=(const FloatScope &) = delete;

private:
  FloatControl before;
};

} // namespace leno

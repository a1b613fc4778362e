//===- Assert.h - Asserts of our own bugs, on in release builds too -------===//
#pragma once

#include <cstdio>
#include <cstdlib>

namespace leno {

/// Ends the process with a message that names our own bug. Never reached by anything a user types or feeds
/// in.
[[noreturn, gnu::cold, gnu::noinline]] inline void assertionFailed(const char *condition, const char *context,
                                                                   const char *file, int line) {
  std::fprintf(stderr, "leno: internal error: %s\n  %s:%d: %s\n", context, file, line, condition);
  std::abort();
}

} // namespace leno

#define LENO_ASSERT(condition, context)                                                                      \
  do {                                                                                                       \
    if (!(condition)) [[unlikely]]                                                                           \
      ::leno::assertionFailed(#condition, context, __FILE__, __LINE__);                                      \
  } while (false)

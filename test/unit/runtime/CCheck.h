/* What the tests in C check with: a function gives "", or what was not as it should be. */
#pragma once
#include "leno-c/leno.h"

#include <stdio.h>
#include <string.h>

static char problem[512];

#define CHECK(condition)                                                                                     \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      snprintf(problem, sizeof problem, "line %d: %s; last error: %s", __LINE__, #condition,                 \
               leno_last_error());                                                                           \
      return problem;                                                                                        \
    }                                                                                                        \
  } while (0)
/* The call fails, and leno_last_error() has the part. */
#define CHECK_SAYS(call, part)                                                                               \
  do {                                                                                                       \
    CHECK((call) == LENO_ERROR);                                                                             \
    CHECK(strstr(leno_last_error(), part));                                                                  \
  } while (0)

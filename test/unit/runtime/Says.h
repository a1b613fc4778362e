// What the host API says of a mistake.
#pragma once
#include "leno/Result.h"
#include "gtest/gtest.h"
#include <string>

/// The message of a failure, "" of a success.
template <typename T> std::string messageOf(const leno::Result<T> &result) {
  return result ? "" : result.error().message();
}
inline std::string messageOf(const leno::Status &status) { return status ? "" : status.error().message(); }

#define EXPECT_SAYS(result, part)                                                                            \
  do {                                                                                                       \
    std::string said = messageOf(result);                                                                    \
    EXPECT_NE(said.find(part), std::string::npos) << "'" << said << "' lacks '" << (part) << "'";            \
  } while (false)

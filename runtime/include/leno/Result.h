// Errors of the host API.
//
// DECISION: no function of this API throws, and none shows an LLVM type. What can fail returns a Result<T> (a
// value or an Error) or a Status (success or an Error). Both are [[nodiscard]]. A guest fault is no error of
// the caller: it is a Trap inside a LaunchResult (leno/Launch.h).
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace leno::host {

/// A caller's mistake, or a file's: what is wrong and the way out, lower-case, without a final dot. Several
/// lines when an assembler has several things to say.
class Error {
public:
  explicit Error(std::string message) : text(std::move(message)) {}
  const std::string &message() const { return text; }

private:
  std::string text;
};

/// Success, or an Error.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : failure(std::move(error)) {}

  /// True on success.
  explicit operator bool() const { return !failure; }
  /// Only of a failure.
  const Error &error() const { return *failure; }
  /// For small programs: on a failure prints "error: MESSAGE" and ends the process with status 1.
  void orExit() const {
    if (failure) {
      std::fprintf(stderr, "error: %s\n", failure->message().c_str());
      std::exit(1);
    }
  }

private:
  std::optional<Error> failure;
};

/// A T, or an Error.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : content(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content(std::in_place_index<1>, std::move(error)) {}

  /// True when there is a value.
  explicit operator bool() const { return content.index() == 0; }
  /// The value. Only of a success: test first.
  T &operator*() & { return *std::get_if<0>(&content); }
  const T &operator*() const & { return *std::get_if<0>(&content); }
  T &&operator*() && { return std::move(*std::get_if<0>(&content)); }
  T *operator->() { return std::get_if<0>(&content); }
  const T *operator->() const { return std::get_if<0>(&content); }
  /// Only of a failure.
  const Error &error() const { return *std::get_if<1>(&content); }
  /// For small programs: the value; on a failure prints "error: MESSAGE" and ends the process with status 1.
  T orExit() && {
    if (*this)
      return std::move(**this);
    std::fprintf(stderr, "error: %s\n", error().message().c_str());
    std::exit(1);
  }

private:
  std::variant<T, Error> content;
};

} // namespace leno::host

// The API's names are leno's: leno::Device, leno::Buffer and so on.
namespace leno {
using namespace host;
}

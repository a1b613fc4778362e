//===- Habits.h - Lines as users of other debuggers type them -------------===//
// gdb, cuda-gdb, ROCgdb, lldb and rr. What has another name here is run under it; what cannot be is answered
// with what there is instead. The rows are data (HabitTable.cpp).
//===----------------------------------------------------------------------===//
#pragma once

#include "emu/warp/Lanes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace leno::dbg {

struct Habit {
  enum Kind : u8 {
    Run,    ///< `text` is the line to run instead
    Tell,   ///< it is so already, or needs nothing: `text` says why
    Refuse, ///< there is no such thing here: `text` says what there is
  };
  Kind kind;
  /// Words apart by blanks. `thr:eads` is the word or a start of it that has what stands before the colon;
  /// `a|b` are several; `<x>` is any word (or one in quotes), `lit<x>` the rest of one, `<x...>` all that
  /// follows, `<x?>` the same or nothing. Neighbours `{-c|--count <c>}` are options, in any order, that may
  /// be left out: `-c 4`, `-c4`, `--count=4`.
  llvm::StringLiteral pattern;
  /// `<x>` is what the pattern found; `<x:1=b,2=h>` a word for it.
  llvm::StringLiteral text;
};

llvm::ArrayRef<Habit> allHabits();

struct FoundHabit {
  Habit::Kind kind;
  std::string text;
};
/// The first row that has the whole line. None has the assignment `set WORD = VALUE`.
std::optional<FoundHabit> findHabit(llvm::StringRef line);
/// What CUDA's, OpenCL's and HIP's names are here: "SR_TID.X" for "threadIdx.x"; empty when it is none.
llvm::StringRef nameByHabit(llvm::StringRef name);

} // namespace leno::dbg

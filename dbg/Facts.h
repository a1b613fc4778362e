//===- Facts.h - What answers say, for programs ---------------------------===//
// Pieces of JSON that stops and answers are made of (dbg/Json.md). Numbers that can be wide, masks and
// addresses are strings of hexadecimal digits.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/Interpreter.h"
#include "llvm/Support/JSON.h"

namespace leno::dbg::facts {

/// A string that JSON can hold, whatever the bytes are.
std::string text(llvm::StringRef bytes);
/// "0x0000000f"
std::string hex(u64 value, unsigned digits = 0);
inline std::string mask(LaneMask lanes) { return hex(lanes, 8); }
/// Of a CTA or a thread: [x, y, z].
llvm::json::Array index(Dim3 index);
/// An address of code: pc, label, instruction, and where the program has lines file, line, source.
llvm::json::Object place(Interpreter &in, u64 address);
/// type, bits, and the text as print shows it.
llvm::json::Object value(Interpreter &in, const Value &value, char format = 0);
/// A thing of the source: type, text, bits of a scalar, parts of a structure or an array, absent.
llvm::json::Object object(Interpreter &in, const source::Object &object, const LaneContext &context,
                          char format = 0);
llvm::json::Array values(Interpreter &in, llvm::ArrayRef<Value> values, char format = 0);
/// kind, message, cta, warp, lanes, pc, and for memory the address.
llvm::json::Object trap(Interpreter &in, const Trap &trap);
/// number, expression, and text or error, of each display.
llvm::json::Array displays(Interpreter &in);

template <class List, class Make> llvm::json::Array list(const List &all, Make make) {
  llvm::json::Array result;
  for (const auto &one : all)
    result.push_back(make(one));
  return result;
}

} // namespace leno::dbg::facts

//===- Program.h - What debug information tells of a program --------------===//
// Functions, scopes, variables and types, read from DWARF once. What is damaged is left out.
//===----------------------------------------------------------------------===//
#pragma once

#include "asm/Executable.h"
#include "dbg/source/Type.h"
#include <map>
#include <set>

namespace leno::dbg::source {

/// Where a variable is, from one address of code to another; always, when both are 0.
struct Location {
  u64 from = 0, to = 0;
  std::vector<uint8_t> expression; ///< of DWARF
};

struct Variable {
  std::string name;
  const Type *type;
  bool isParameter = false;
  unsigned line = 0; ///< where it is declared
  std::vector<Location> locations;
  std::optional<u64> constant; ///< it is nothing else
  const struct Scope *scope = nullptr; ///< null: of the file
};

/// A function, one that was taken into another, or a block.
struct Scope {
  enum Kind : u8 { Function, Inlined, Block } kind = Block;
  std::string name;                         ///< of the function
  std::vector<std::pair<u64, u64>> ranges;  ///< of code
  std::vector<Variable> variables;          ///< in the order in which they are declared
  std::vector<std::unique_ptr<Scope>> inner;
  const Scope *outer = nullptr;
  std::optional<SourceLine> calledAt;       ///< Inlined
  std::vector<uint8_t> frameBase;           ///< Function: an expression
  const Type *result = nullptr;             ///< null: void
  u64 bodyBegins = 0;                       ///< Function: behind its prologue
  bool isKernel = false;

  bool holds(u64 pc) const {
    for (auto [from, to] : ranges)
      if (pc >= from && pc < to)
        return true;
    return false;
  }
  /// The function, or inlined function, that it belongs to.
  const Scope &function() const {
    const Scope *scope = this;
    while (scope->kind == Block && scope->outer)
      scope = scope->outer;
    return *scope;
  }
  /// The function whose code it is.
  const Scope &code() const {
    const Scope *scope = this;
    while (scope->kind != Function && scope->outer)
      scope = scope->outer;
    return *scope;
  }
};

class Program {
public:
  explicit Program(const Executable &executable);
  Program(const Program &) = delete;

  bool isEmpty() const { return functions.empty() && globals.empty(); }
  /// The innermost scope around an instruction; null: debug information says nothing of it.
  const Scope *scopeAt(u64 pc) const;
  /// The functions around an instruction: one that was taken in, ..., the one whose code it is. May be empty.
  std::vector<const Scope *> functionsAt(u64 pc) const;
  const Scope *functionNamed(llvm::StringRef name) const;
  /// What the name means in a scope (null: in the file).
  const Variable *variable(llvm::StringRef name, const Scope *scope) const;
  /// Of files.
  llvm::ArrayRef<Variable> fileVariables() const { return globals; }
  /// "struct point", "byte", "unsigned int"; null: there is no such type.
  const Type *type(llvm::StringRef name) const;
  const std::map<std::string, const Type *, std::less<>> &types() const { return named; }
  /// Whether anything is called so, wherever.
  bool knows(llvm::StringRef name) const { return names.count(name.str()); }
  /// An enumerator's value.
  std::optional<Value> enumerator(llvm::StringRef name) const;

private:
  class Reader;
  std::vector<std::unique_ptr<Scope>> functions;
  std::vector<Variable> globals;
  std::vector<std::unique_ptr<Type>> owned;
  std::map<std::string, const Type *, std::less<>> named;
  std::map<std::string, Value, std::less<>> enumerators;
  std::set<std::string> names;
};

} // namespace leno::dbg::source

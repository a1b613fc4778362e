//===- CodePlaces.h - Labels, lines, addresses and instructions -----------===//
#pragma once

#include "asm/Decoder.h"
#include "dbg/Focus.h"
#include "dbg/Location.h"

namespace leno::dbg {

/// A program's names, seen from an instruction of it: nullopt: from the kernel, and from nowhere without one.
class NamesOf : public ProgramNames {
public:
  explicit NamesOf(const Executable &program, std::optional<u64> pc = std::nullopt,
                   const KernelInfo *kernel = nullptr)
      : program(program), pc(pc), kernel(kernel) {}
  std::optional<u64> symbol(llvm::StringRef name) const override;
  std::vector<std::string> symbols() const override;
  std::vector<u64> addressesOf(llvm::StringRef file, unsigned line) const override {
    return program.addressesOf(file, line);
  }
  std::vector<std::string> files() const override { return program.files(); }
  u64 codeBytes() const override { return program.code().size() * 8; }
  std::optional<SourceLine> hereLine() const override;
  std::optional<u64> here() const override { return pc; }

private:
  const Executable &program;
  std::optional<u64> pc;
  const KernelInfo *kernel;
};

/// Places in the programs that are launched, by default in the one in focus.
class CodePlaces {
public:
  explicit CodePlaces(Focus &focus) : focus(focus) {}

  NamesOf names() const { return NamesOf(focus.executable(), focus.pc(), &focus.kernel()); }
  /// The source line of the focused warp's pc, or of the kernel's entry.
  std::optional<SourceLine> hereLine() const { return names().hereLine(); }
  /// All that are launched, each once.
  std::vector<const Executable *> programs() const;

  bool isInstruction(u64 address) const { return address % 8 == 0 && address < names().codeBytes(); }
  /// The text of an instruction, its target by name.
  std::string text(u64 address) const { return text(focus.executable(), address); }
  std::string text(const Executable &program, u64 address) const;
  std::string describe(u64 address) const { return focus.executable().describe(address); }
  /// The byte address after a kernel's last instruction; code that it calls may stand there.
  u64 endOf(const KernelInfo &kernel) const;
  /// Whether the instruction at `pc` reads, or writes, a register, predicate or flag.
  bool uses(const Place &place, u64 pc, bool writes) const;

  /// A place in a program that the focused context runs: of the launch in focus, or else of another one of
  /// its.
  struct Found {
    Location location;
    const Executable *program;
  };
  llvm::Expected<Found> find(llvm::StringRef text) const;
  /// In that program.
  llvm::Expected<Found> find(llvm::StringRef text, const Executable &program) const;

private:
  Focus &focus;
  Decoder decoder;
};

} // namespace leno::dbg

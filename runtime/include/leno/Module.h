// Programs and their kernels.
#pragma once

#include "leno/Result.h"
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace leno::host {

class ModuleState;

/// A `.param` of a kernel.
struct Parameter {
  std::string name;
  std::string type;     ///< u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 ptr
  std::uint32_t offset; ///< byte offset in c[0] (Architecture.md 7)
  std::uint32_t size;   ///< bytes: 1, 2, 4 or 8
};

/// An argument as the kernel's source in OpenCL C has it; its numbers are parameters.
struct SourceArgument {
  enum class Memory { Private, Global, Constant, Local };
  std::string name;
  std::string type;       ///< "float4", "int*"
  std::string qualifiers; ///< "const restrict volatile", or some of it
  Memory memory;          ///< of what it points to; Private: it is a value
  std::uint32_t size;     ///< bytes of the value
  std::size_t first;      ///< its first parameter; it has as many as `offsets`
  std::vector<std::uint32_t> offsets; ///< where each lies in the value
};

/// An entry point of a module. Cheap to copy; keeps its module alive.
class Kernel {
public:
  /// No kernel: a launch of it fails.
  Kernel() = default;

  bool valid() const { return module != nullptr; }
  // Of no kernel, empty or 0:
  const std::string &name() const;
  std::vector<Parameter> parameters() const;
  /// Of kernels that leno-cc has made of OpenCL C; else empty.
  std::vector<SourceArgument> arguments() const;
  /// The threads of a CTA that it is made for (OpenCL C's reqd_work_group_size); 0: any.
  std::array<std::uint32_t, 3> block() const;
  /// What its source in OpenCL C advises: "work_group_size_hint(64,1,1) vec_type_hint(float4)". The last word
  /// "non_uniform_work_groups": a launch's work-groups may be of several sizes (LaunchConfig::hostWords).
  const std::string &hints() const;
  /// Local memory of a lane, in bytes.
  std::uint32_t localBytes() const;
  /// "saxpy(u32 n, f32 a, ptr x, ptr y)"
  std::string signature() const;
  /// Registers of a lane, those of the functions it calls included.
  unsigned registers() const;
  /// Shared memory of a CTA, in bytes.
  std::uint32_t sharedBytes() const;

private:
  friend class Module;
  friend class Launcher;
  Kernel(std::shared_ptr<const ModuleState> module, std::size_t index)
      : module(std::move(module)), index(index) {}

  std::shared_ptr<const ModuleState> module;
  std::size_t index = 0;
};

/// A loaded program. It belongs to no device: any device can run it.
class Module {
public:
  /// From a file: assembly source, an object or an executable, told apart by their content. Fails with the
  /// assembler's diagnostics (file:line:column, the line, a caret) or with what is wrong with the file.
  static Result<Module> load(const std::string &path);
  /// From assembly source, or the bytes of an object or executable, in memory; `name` stands for the file in messages and source lines.
  static Result<Module> assemble(std::string_view source, const std::string &name = "<source>");

  std::vector<Kernel> kernels() const;
  /// The kernel of that name, or (empty name) the only one. The error lists the names there are.
  Result<Kernel> kernel(std::string_view name = "") const;

private:
  friend class Context;
  friend class Stream;
  explicit Module(std::shared_ptr<const ModuleState> state) : state(std::move(state)) {}

  std::shared_ptr<const ModuleState> state;
};

} // namespace leno::host

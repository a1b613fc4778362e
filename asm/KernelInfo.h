//===- KernelInfo.h - What an object says of its kernels ------------------===//
// The metadata of `.kernel` blocks, carried in an ELF note (.note.leno) as
// MessagePack, so that fields can be added without breaking old files.
//===----------------------------------------------------------------------===//
#pragma once

#include "asm/ElementType.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace leno {

/// Byte offset in c[0] of a kernel's first parameter; what is below holds the launch geometry.
constexpr uint32_t parameterBase = 0x40;
/// Bytes of a constant bank [Architecture.md 7].
constexpr uint32_t constantBankBytes = 64 * 1024;
/// Bytes of code: a stack entry holds 28 bits of a word's number [Architecture.md 5].
constexpr uint32_t maxCodeBytes = uint32_t(1) << 31;
/// Barriers of a CTA [Architecture.md 4].
constexpr uint32_t maxBarriers = 16;
/// Shared memory a CTA can have, in bytes.
constexpr uint32_t maxSharedBytes = 1024 * 1024;
/// Local memory a lane can have, in bytes; always a multiple of its alignment, which is that of the widest
/// access.
constexpr uint32_t maxLocalBytes = 512 * 1024;
constexpr uint32_t localAlignment = 16;

enum class ParamType : uint8_t { U8, I8, U16, I16, U32, I32, U64, I64, F32, F64, Ptr };

/// The text of a type ("u32", "ptr") and back.
llvm::StringRef paramTypeName(ParamType type);
std::optional<ParamType> parseParamType(llvm::StringRef text);
/// Size in bytes, which is also the alignment in c[0].
uint32_t paramTypeSize(ParamType type);

struct KernelParam {
  std::string name;
  ParamType type = ParamType::U32;
  uint32_t offset = 0; ///< byte offset in c[0]
  std::optional<ElementType> element =
      std::nullopt; ///< what a Ptr points to, where it is told: `.param ptr.f32 x`
  /// As `.param` has it: "u32", "ptr", "ptr.f32".
  std::string typeText() const;
};

/// "u32", "ptr", "ptr.f32": what `.param` names; the name and offset stay empty.
std::optional<KernelParam> parseKernelParam(llvm::StringRef typeText);

/// An argument as the kernel's source has it, whose numbers are parameters.
struct KernelArgument {
  enum Space : uint8_t { Private, Global, Constant, Local };
  std::string name, type; ///< "float4", "int*"
  std::string qualifiers; ///< "const restrict volatile" or some of it
  Space space = Private;  ///< of what it points to; Private: it is a value
  uint32_t bytes = 0;     ///< of the value; of a pointer 8
  /// Of the parameters that it is made of, from `first` on: where each lies in the value.
  std::vector<uint32_t> offsets;
  uint32_t first = 0; ///< KernelInfo::params
};

/// "private", "global", "constant", "local", and back.
llvm::StringRef argumentSpaceName(KernelArgument::Space space);
std::optional<KernelArgument::Space> parseArgumentSpace(llvm::StringRef text);
/// As `.argument` has it, with its name as text has it.
std::string argumentText(const KernelArgument &argument, llvm::StringRef quotedName);
/// ".block 16, 16, 1"
std::string blockText(const std::array<uint32_t, 3> &block);
/// `.hints "vec_type_hint(float4)"`
std::string hintsText(llvm::StringRef hints);

struct SharedVariable {
  std::string name;
  uint32_t offset = 0; ///< byte offset in the CTA's shared memory
  uint32_t bytes = 0;
};

/// An instruction whose operands name a shared variable.
struct SharedUse {
  uint32_t instruction = 0; ///< in its kernel, from 0
  uint32_t variable = 0;    ///< its number in KernelInfo::shared; `several`: more than one name stands there
  static constexpr uint32_t several = UINT32_MAX;
};

/// How many entries the divergence stack of a warp holds at most, as far as the code tells (asm/checker).
struct StackDepth {
  enum Kind : uint8_t {
    Unknown,   ///< a call or branch goes where the code does not tell
    Known,     ///< at most `entries`
    Recursive, ///< without bound: a function calls itself
  };
  Kind kind = Unknown;
  uint32_t entries = 0;
};

/// "at most 3 entries", "recursive: unbounded", "not known".
std::string stackDepthText(const StackDepth &depth);

/// A `.reg` or `.pred`: a name for a register, or for several (`.reg m[0:3], R8`).
struct RegisterName {
  std::string name;
  bool isPredicate = false, isRange = false;
  uint32_t firstIndex = 0; ///< m[0:3]: 0
  uint32_t first = 0;      ///< number of the first register
  uint32_t count = 1;
};

struct KernelInfo {
  std::string name;
  uint64_t entry = 0;          ///< byte address of the first instruction (linked files)
  uint64_t bytes = 0;          ///< bytes of code
  uint32_t registers = 0;      ///< registers a lane needs, callees included (linked files)
  uint32_t givenRegisters = 0; ///< what `.registers` asked for, 0: nothing
  uint32_t barriers = 0;       ///< barriers of a CTA that are used: one more than the highest number
  uint32_t sharedBytes = 0;
  uint32_t localBytes = 0; ///< of each lane, callees included
  StackDepth stackDepth;   ///< calls included
  std::vector<KernelParam> params;
  std::vector<KernelArgument> arguments; ///< of all parameters, or none
  std::array<uint32_t, 3> block{};       ///< threads of a CTA that every launch must have; 0: any
  std::string hints;                     ///< what OpenCL C advises of launches, as `.hints` has it
  std::vector<SharedVariable> shared;
  /// Of files assembled with -g, as leno-dbg assembles text: the kernel's `.reg` and `.pred`, and those of
  /// the file before it that they do not hide. leno-objdump prints them as directives.
  std::vector<RegisterName> names;
  /// Of programs that are assembled to be run (AssembleOptions::sharedUses); in ascending order.
  std::vector<SharedUse> sharedUses;

  /// First byte of c[0] after the parameters.
  uint32_t paramEnd() const {
    return params.empty() ? parameterBase : params.back().offset + paramTypeSize(params.back().type);
  }
};

struct ModuleInfo {
  bool isPresent = false; ///< the file has metadata
  bool isLinked = false;  ///< the kernels' entries and bytes are known
  std::vector<KernelInfo> kernels;
  /// Registers needed by code outside kernels: what a kernel may call.
  uint32_t functionRegisters = 0;
  uint32_t functionBarriers = 0; ///< the same for barriers
};

/// The module's metadata as MessagePack, and back. Damaged bytes give an error that says what is wrong.
std::string encodeModuleInfo(const ModuleInfo &module);
llvm::Expected<ModuleInfo> decodeModuleInfo(llvm::StringRef bytes);

} // namespace leno

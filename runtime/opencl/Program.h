// Programs and their kernels.
#pragma once

#include "asm/Spirv.h"
#include "runtime/opencl/Memory.h"

struct _cl_program : leno::opencl::Object {
  static constexpr auto kind = leno::opencl::Kind::Program;

  leno::opencl::Ref<_cl_context> context;
  std::string source;
  bool isSource = false; ///< else it was given as SPIR-V or as a binary
  std::string il;        ///< SPIR-V, as it was given

  mutable std::mutex mutex;               ///< of what follows
  std::optional<leno::SpirvModule> spirv; ///< with the constants that were chosen
  cl_build_status status = CL_BUILD_NONE;
  std::string options, log;
  /// What it is: nothing, compiled parts (LLVM's bitcode), a library of such, or a program that runs.
  cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
  std::vector<std::string> parts;
  std::string executable; ///< the file's bytes
  std::optional<leno::Module> module;
  std::atomic<unsigned> kernels{0}; ///< that are made of it
  std::vector<std::function<void()>> atEnd;

  ~_cl_program();
  /// As clGetProgramInfo gives it: an executable as it is, parts behind a head of ours.
  std::string binary() const;
};

struct _cl_kernel : leno::opencl::Object {
  static constexpr auto kind = leno::opencl::Kind::Kernel;
  ~_cl_kernel() {
    if (program)
      --program->kernels;
  }

  leno::opencl::Ref<_cl_program> program;
  leno::Kernel kernel;
  std::vector<leno::Parameter> parameters;
  std::vector<leno::SourceArgument> arguments;
  std::string attributes;         ///< of the source, but for the size that it requires
  bool takesSeveralSizes = false; ///< of work-groups in one launch

  struct Value {
    std::vector<std::byte> bytes; ///< as the source's type has it
    leno::opencl::Ref<_cl_mem> memory;
    size_t localBytes = 0;
    bool isSet = false;
  };
  std::mutex mutex; ///< of what follows
  std::vector<Value> values;
  std::vector<std::shared_ptr<leno::opencl::Storage>> reached; ///< by CL_KERNEL_EXEC_INFO_SVM_PTRS
};

namespace leno::opencl {
/// Threads of a CTA that an SM has room and registers for.
size_t mostThreads(const _cl_kernel &kernel);
} // namespace leno::opencl

#include "asm/LoadProgram.h"
#include "emu/program/Predecoder.h"
#include "runtime/Parameters.h"
#include "runtime/host/ModuleState.h"

#include "leno/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace leno::host {

/// Assembler diagnostics go into the error: a library prints nothing.
template <typename Link>
static Result<std::shared_ptr<const ModuleState>> loadWith(const std::string &name, const Link &link) {
  AssembleOptions options;
  options.debugLines = true;
  std::string diagnostics;
  llvm::raw_string_ostream os(diagnostics);
  llvm::Expected<llvm::SmallVector<char, 0>> linked = link(options, os);
  if (!linked)
    return Error(diagnostics + llvm::toString(linked.takeError()));
  std::string bytes(linked->data(), linked->size());
  llvm::Expected<Executable> executable = Executable::load(llvm::MemoryBufferRef(bytes, name));
  if (!executable)
    return translate(executable.takeError());
  llvm::Expected<const Engine *> engine = chooseEngine();
  if (!engine)
    return translate(engine.takeError());
  Program program = predecode(executable->code(), **engine);
  return std::shared_ptr<const ModuleState>(
      std::make_shared<ModuleState>(name, std::move(bytes), std::move(*executable), std::move(program)));
}

Status checkConstants(const ModuleState &module, unsigned bank, std::uint32_t offset, std::uint64_t count) {
  std::string what =
      std::to_string(count) + " bytes at c[" + std::to_string(bank) + "][" + std::to_string(offset) + "]: ";
  if (bank < 1 || bank >= ConstantBanks::count)
    return Error("cannot write " + what +
                 (bank ? "banks are 1 to 15" : "bank 0 holds each launch's own geometry and parameters"));
  std::uint64_t size = module.executable.constantBank(bank).size();
  if (size == 0)
    return Error("cannot write " + what + "the module has no constants there (.const " +
                 std::to_string(bank) + ")");
  if (offset > size || count > size - offset)
    return Error("cannot write " + what + "they pass the " + std::to_string(size) +
                 " bytes that the module has there");
  return {};
}

Result<Module> Module::load(const std::string &path) {
  auto state = loadWith(path, [&](const AssembleOptions &options, llvm::raw_ostream &os) {
    return linkProgram(path, options, os);
  });
  return state ? Result<Module>(Module(*state)) : state.error();
}

Result<Module> Module::assemble(std::string_view source, const std::string &name) {
  auto state = loadWith(name, [&](const AssembleOptions &options, llvm::raw_ostream &os) {
    return linkProgramText(source, name, options, os);
  });
  return state ? Result<Module>(Module(*state)) : state.error();
}

std::vector<Kernel> Module::kernels() const {
  std::vector<Kernel> all;
  for (size_t i = 0; state && i < state->executable.kernels().size(); ++i)
    all.push_back(Kernel(state, i));
  return all;
}

Result<Kernel> Module::kernel(std::string_view name) const {
  if (!state)
    return Error("cannot take the kernel '" + std::string(name) + "' of a module that was moved from");
  llvm::Expected<const KernelInfo *> found = state->executable.kernel(name);
  if (!found)
    return translate(found.takeError());
  return Kernel(state, size_t(*found - state->executable.kernels().begin()));
}

/// What a Kernel that is none tells of itself.
static const KernelInfo &infoOf(const std::shared_ptr<const ModuleState> &module, std::size_t index) {
  static const KernelInfo none;
  return module ? module->executable.kernels()[index] : none;
}

const std::string &Kernel::name() const { return infoOf(module, index).name; }

std::vector<Parameter> Kernel::parameters() const {
  std::vector<Parameter> all;
  for (const KernelParam &param : infoOf(module, index).params)
    all.push_back({param.name, param.typeText(), param.offset, paramTypeSize(param.type)});
  return all;
}

std::vector<SourceArgument> Kernel::arguments() const {
  std::vector<SourceArgument> all;
  for (const KernelArgument &argument : infoOf(module, index).arguments)
    all.push_back({argument.name, argument.type, argument.qualifiers,
                   SourceArgument::Memory(argument.space), argument.bytes, argument.first, argument.offsets});
  return all;
}

std::array<std::uint32_t, 3> Kernel::block() const { return infoOf(module, index).block; }
const std::string &Kernel::hints() const { return infoOf(module, index).hints; }
std::uint32_t Kernel::localBytes() const { return infoOf(module, index).localBytes; }

std::string Kernel::signature() const { return valid() ? runtime::signature(infoOf(module, index)) : ""; }
unsigned Kernel::registers() const { return infoOf(module, index).registers; }
std::uint32_t Kernel::sharedBytes() const { return infoOf(module, index).sharedBytes; }

} // namespace leno::host

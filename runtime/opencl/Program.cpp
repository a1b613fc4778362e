#include "runtime/opencl/Program.h"

#include "asm/CompileSource.h"
#include "runtime/opencl/Info.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace leno::opencl;

_cl_program::~_cl_program() {
  for (auto it = atEnd.rbegin(); it != atEnd.rend(); ++it)
    (*it)();
}

namespace {

/// Parts of a program as a binary: this, their number, and each with its length before it.
constexpr std::string_view partsHead = "leno-opencl-parts-1\n";

void putNumber(std::string &to, std::uint64_t number) {
  for (unsigned i = 0; i < 8; ++i)
    to.push_back(char(number >> 8 * i));
}
bool takeNumber(std::string_view &from, std::uint64_t &number) {
  if (from.size() < 8)
    return false;
  number = 0;
  for (unsigned i = 0; i < 8; ++i)
    number |= std::uint64_t(std::uint8_t(from[i])) << 8 * i;
  from.remove_prefix(8);
  return true;
}

bool readParts(std::string_view bytes, _cl_program &program) {
  bytes.remove_prefix(partsHead.size());
  std::uint64_t type, count;
  if (!takeNumber(bytes, type) || !takeNumber(bytes, count) ||
      (type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT && type != CL_PROGRAM_BINARY_TYPE_LIBRARY))
    return false;
  for (; count; --count) {
    std::uint64_t size;
    if (!takeNumber(bytes, size) || size > bytes.size())
      return false;
    program.parts.emplace_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  program.type = cl_program_binary_type(type);
  return bytes.empty();
}

/// A folder for the compiler's files; it goes with the object. A debugger, which shows the sources, has one
/// in its own, and they stay there.
class Folder {
public:
  Folder() {
    const char *debugger = std::getenv("LENO_DEBUGGER");
    if (debugger && llvm::sys::fs::exists(debugger)) {
      llvm::SmallString<128> model = llvm::sys::path::parent_path(debugger);
      llvm::sys::path::append(model, "opencl-%%%%%%");
      llvm::sys::fs::createUniquePath(model, path, /*MakeAbsolute=*/false);
      stays = isGood = !llvm::sys::fs::create_directory(path, /*IgnoreExisting=*/false);
    }
    if (!isGood)
      isGood = !llvm::sys::fs::createUniqueDirectory("leno-opencl", path);
  }
  ~Folder() {
    if (isGood && !stays)
      llvm::sys::fs::remove_directories(path);
  }
  std::string in(llvm::StringRef name) const { return (path + "/" + name).str(); }
  /// With the folders that its name has.
  bool write(llvm::StringRef name, std::string_view bytes) const {
    std::string file = in(name);
    if (llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file)))
      return false;
    std::error_code error;
    llvm::raw_fd_ostream os(file, error);
    if (error)
      return false;
    os << llvm::StringRef(bytes.data(), bytes.size());
    os.close();
    bool failed = os.has_error();
    os.clear_error();
    return !failed;
  }
  std::optional<std::string> read(llvm::StringRef name) const {
    auto file = llvm::MemoryBuffer::getFile(in(name), false, false);
    if (!file)
      return std::nullopt;
    return (*file)->getBuffer().str();
  }
  llvm::SmallString<128> path;
  bool isGood = false, stays = false;
};

struct Options {
  std::vector<std::string> words; ///< for leno-cc
  bool library = false;           ///< -create-library
  std::string unknown;            ///< the first word that is no option
};

/// Words as a shell has them: quotes hold spaces, a backslash holds a quote.
std::vector<std::string> wordsOf(llvm::StringRef text) {
  std::vector<std::string> words;
  for (size_t i = 0; i < text.size();) {
    if (llvm::isSpace(text[i])) {
      ++i;
      continue;
    }
    std::string &word = words.emplace_back();
    for (char quote = 0; i < text.size() && (quote || !llvm::isSpace(text[i])); ++i) {
      if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\'))
        word.push_back(text[++i]);
      else if (quote ? text[i] == quote : text[i] == '"' || text[i] == '\'')
        quote = quote ? 0 : text[i];
      else
        word.push_back(text[i]);
    }
  }
  return words;
}

/// Options of OpenCL's compiler and linker [3.0, 5.8.6 and 5.8.7], and those of clang's that programs give.
Options parseOptions(const char *text, bool links) {
  Options options;
  std::string level;
  std::vector<std::string> words = wordsOf(text ? text : "");
  for (size_t i = 0; i < words.size(); ++i) {
    llvm::StringRef word = words[i];
    auto take = [&] { options.words.push_back(word.str()); };
    if (word == "-D" || word == "-I") {
      if (i + 1 == words.size()) {
        options.unknown = word.str();
        return options;
      }
      options.words.push_back(word.str() + words[++i]);
    } else if (word == "-create-library" || word == "-enable-link-options") {
      options.library |= word == "-create-library";
      if (!links)
        options.unknown = word.str();
    } else if (word == "-cl-opt-disable" || (word.starts_with("-O") && word.size() == 3)) {
      level = word == "-cl-opt-disable" ? "0" : word.substr(2).str();
      if (level < "0" || level > "3")
        options.unknown = word.str();
    } else if (word == "-cl-kernel-arg-info" || word == "-g" || word == "-cl-no-subgroup-ifp") {
      // always so
    } else if (word.starts_with("-D") || word.starts_with("-I") || word.starts_with("-cl-") || word == "-w" ||
               word.starts_with("-W") || word.starts_with("-f")) {
      take();
    } else if (options.unknown.empty()) {
      options.unknown = word.str();
    }
  }
  if (!level.empty())
    options.words.insert(options.words.end(), {"-O", level});
  return options;
}

/// What every run of the compiler is given.
void addOurs(std::vector<std::string> &words, const Folder &folder) {
  words.insert(words.end(), {"-g", "--host-words", "-cl-kernel-arg-info", "-I", "."});
  if (!folder.stays)
    words.push_back("-ffile-prefix-map=" + folder.path.str().str() + "/=");
  auto has = [&](llvm::StringRef start) {
    return std::any_of(words.begin(), words.end(),
                       [=](const std::string &word) { return llvm::StringRef(word).starts_with(start); });
  };
  // OpenCL C 1.2 is what a program gets that asks for none [3.0, 5.8.6.5].
  if (!has("-cl-std="))
    words.push_back("-cl-std=CL1.2");
  // Of older compilers, which programs were written with, these are warnings; C asks for no more.
  if (!has("-Werror"))
    words.insert(words.end(), {"-Wno-error=incompatible-pointer-types", "-Wno-error=int-conversion"});
}

/// Of a program that is being built.
class Building {
public:
  explicit Building(_cl_program &program) : program(program) {
    std::lock_guard lock(program.mutex);
    program.status = CL_BUILD_IN_PROGRESS;
    program.log.clear();
  }
  /// Runs leno-cc on files of the folder; what it says goes into the log, without the folder's name.
  bool compile(const std::vector<std::string> &words, const Folder &folder) {
    std::string said, here = folder.in("");
    llvm::raw_string_ostream os(said);
    llvm::Error error = leno::runCompiler(words, os);
    bool failed = bool(error);
    if (failed)
      os << "error: " << llvm::toString(std::move(error)) << '\n';
    for (size_t at; (at = said.find(here)) != std::string::npos;)
      said.erase(at, here.size());
    log += said;
    return !failed;
  }
  void say(const std::string &text) { log += text + "\n"; }

  /// With an executable it has kernels; else parts.
  cl_int end(cl_int status, cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE,
             std::vector<std::string> parts = {}, std::string executable = {}) {
    std::optional<leno::Module> module;
    if (status == CL_SUCCESS && type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
      leno::Result<leno::Module> loaded = leno::Module::assemble(executable, "program");
      if (loaded)
        module.emplace(std::move(*loaded));
      else
        say(loaded.error().message()), status = CL_BUILD_PROGRAM_FAILURE;
    }
    std::lock_guard lock(program.mutex);
    program.log = std::move(log);
    program.status = status == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    program.module.reset();
    program.type = CL_PROGRAM_BINARY_TYPE_NONE;
    program.parts.clear();
    program.executable.clear();
    if (status == CL_SUCCESS) {
      program.type = type;
      program.parts = std::move(parts);
      program.executable = std::move(executable);
      program.module = std::move(module);
    }
    return status;
  }

private:
  _cl_program &program;
  std::string log;
};

cl_int checkBuild(cl_program program, cl_uint count, const cl_device_id *devices,
                  void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
  if (!isGood(program))
    return CL_INVALID_PROGRAM;
  if ((count == 0) != (devices == nullptr) || (!notify && data))
    return CL_INVALID_VALUE;
  if (!isDeviceList(count, devices))
    return CL_INVALID_DEVICE;
  std::lock_guard lock(program->mutex);
  return program->kernels || program->status == CL_BUILD_IN_PROGRESS ? CL_INVALID_OPERATION : CL_SUCCESS;
}

bool canBeCompiled(const _cl_program &program) { return program.isSource || program.spirv; }

/// clang's caret lines name the file as programs know it.
const char *sourceFile(const _cl_program &program) { return program.spirv ? "program.spv" : "program.cl"; }

struct Header {
  std::string name;
  const _cl_program *program;
};

/// The source or SPIR-V to what `words` make of it.
std::optional<std::string> translate(Building &building, const _cl_program &program, const Options &options,
                                     std::vector<std::string> words, const std::vector<Header> &headers) {
  Folder folder;
  std::string text;
  {
    std::lock_guard lock(program.mutex);
    text = program.spirv ? program.spirv->bytes() : program.source;
  }
  bool written = folder.isGood && folder.write(sourceFile(program), text);
  for (const Header &header : headers)
    written = written && folder.write("include/" + header.name, header.program->source);
  if (!written) {
    building.say("error: cannot write into a temporary folder");
    return std::nullopt;
  }
  words.insert(words.begin(), folder.in(sourceFile(program)));
  words.insert(words.end(), options.words.begin(), options.words.end());
  if (!headers.empty())
    words.insert(words.end(), {"-I", folder.in("include")});
  addOurs(words, folder);
  words.insert(words.end(), {"-o", folder.in("result.bc")});
  if (!building.compile(words, folder))
    return std::nullopt;
  return folder.read("result.bc");
}

std::optional<std::string> linkParts(Building &building, const std::vector<std::string> &parts,
                                     const Options &options) {
  Folder folder;
  std::vector<std::string> words;
  for (size_t i = 0; i < parts.size() && folder.isGood; ++i) {
    std::string name = "part" + std::to_string(i) + ".bc";
    if (!folder.write(name, parts[i])) {
      building.say("error: cannot write into a temporary folder");
      return std::nullopt;
    }
    words.push_back(folder.in(name));
  }
  for (const std::string &word : options.words)
    if (!llvm::StringRef(word).starts_with("-cl-"))
      words.push_back(word);
  words.insert(words.end(), {"-g", "--host-words", "-o", folder.in("program")});
  if (!building.compile(words, folder))
    return std::nullopt;
  return folder.read("program");
}

/// Of variables in program scope that kernels may write.
size_t variableBytes(const std::string &executable) {
  auto file = llvm::object::ELF64LEFile::create(executable);
  if (!file) {
    llvm::consumeError(file.takeError());
    return 0;
  }
  auto sections = file->sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return 0;
  }
  size_t bytes = 0;
  for (const auto &section : *sections)
    if ((section.sh_flags & (llvm::ELF::SHF_ALLOC | llvm::ELF::SHF_WRITE)) ==
        (llvm::ELF::SHF_ALLOC | llvm::ELF::SHF_WRITE))
      bytes += section.sh_size;
  return bytes;
}

} // namespace

std::string _cl_program::binary() const {
  if (type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
    return executable;
  if (type == CL_PROGRAM_BINARY_TYPE_NONE)
    return "";
  std::string bytes(partsHead);
  putNumber(bytes, type);
  putNumber(bytes, parts.size());
  for (const std::string &part : parts) {
    putNumber(bytes, part.size());
    bytes += part;
  }
  return bytes;
}

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                                 const size_t *lengths, cl_int *error) {
  if (!isGood(context))
    return fail<_cl_program>(CL_INVALID_CONTEXT, error);
  if (count == 0 || !strings)
    return fail<_cl_program>(CL_INVALID_VALUE, error);
  std::string source;
  for (cl_uint i = 0; i < count; ++i) {
    if (!strings[i])
      return fail<_cl_program>(CL_INVALID_VALUE, error);
    source.append(strings[i], lengths && lengths[i] ? lengths[i] : std::strlen(strings[i]));
  }
  auto *program = new _cl_program;
  program->context = Ref<_cl_context>(context);
  program->source = std::move(source);
  program->isSource = true;
  succeed(error);
  return give(program);
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices,
                                                 const size_t *lengths, const unsigned char **binaries,
                                                 cl_int *status, cl_int *error) {
  if (!isGood(context))
    return fail<_cl_program>(CL_INVALID_CONTEXT, error);
  if (count != 1 || !devices || !lengths || !binaries || !binaries[0] || lengths[0] == 0) {
    if (status && count == 1)
      *status = CL_INVALID_VALUE;
    return fail<_cl_program>(CL_INVALID_VALUE, error);
  }
  if (!isDevice(devices[0]))
    return fail<_cl_program>(CL_INVALID_DEVICE, error);
  std::string_view bytes(reinterpret_cast<const char *>(binaries[0]), lengths[0]);
  Ref<_cl_program> program(new _cl_program);
  drop(program.get());
  program->context = Ref<_cl_context>(context);
  bool good = false;
  if (bytes.substr(0, partsHead.size()) == partsHead) {
    good = readParts(bytes, *program);
  } else if (bytes.substr(0, 4) == "\x7f" "ELF") {
    if (leno::Result<leno::Module> module = leno::Module::assemble(bytes, "program")) {
      program->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
      program->executable = bytes;
      program->module.emplace(std::move(*module));
      good = true;
    }
  }
  if (status)
    *status = good ? CL_SUCCESS : CL_INVALID_BINARY;
  if (!good)
    return fail<_cl_program>(CL_INVALID_BINARY, error);
  succeed(error);
  ++program->holders;
  return give(program.get());
}

cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint, const cl_device_id *,
                                                         const char *, cl_int *error) {
  return fail<_cl_program>(isGood(context) ? CL_INVALID_VALUE : CL_INVALID_CONTEXT, error);
}
cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                             cl_int *error) {
  if (!isGood(context))
    return fail<_cl_program>(CL_INVALID_CONTEXT, error);
  if (llvm::Error missing = leno::spirvTranslator().takeError()) {
    context->tell("clCreateProgramWithIL: " + llvm::toString(std::move(missing)));
    return fail<_cl_program>(CL_INVALID_OPERATION, error);
  }
  if (!il || length == 0)
    return fail<_cl_program>(CL_INVALID_VALUE, error);
  std::string bytes(static_cast<const char *>(il), length);
  llvm::Expected<leno::SpirvModule> module = leno::SpirvModule::read(bytes);
  if (!module) {
    context->tell("clCreateProgramWithIL: " + llvm::toString(module.takeError()));
    return fail<_cl_program>(CL_INVALID_VALUE, error);
  }
  auto *program = new _cl_program;
  program->context = Ref<_cl_context>(context);
  program->il = std::move(bytes);
  program->spirv = std::move(*module);
  succeed(error);
  return give(program);
}
cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint id, size_t bytes,
                                                      const void *value) {
  if (!isGood(program))
    return CL_INVALID_PROGRAM;
  if (device().ilVersions.empty())
    return CL_INVALID_OPERATION;
  std::lock_guard lock(program->mutex);
  if (!program->spirv)
    return CL_INVALID_PROGRAM;
  size_t own = program->spirv->specializationBytes(id);
  if (own == 0)
    return CL_INVALID_SPEC_ID;
  if (bytes != own || !value)
    return CL_INVALID_VALUE;
  program->spirv->specialize(id, {static_cast<const char *>(value), bytes});
  return CL_SUCCESS;
}
cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program program, void(CL_CALLBACK *)(cl_program, void *),
                                               void *) {
  return isGood(program) ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM; // for SPIR-V's constructors alone
}

cl_int CL_API_CALL clRetainProgram(cl_program program) { return retain(program, CL_INVALID_PROGRAM); }
cl_int CL_API_CALL clReleaseProgram(cl_program program) { return release(program, CL_INVALID_PROGRAM); }

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                  const char *text, void(CL_CALLBACK *notify)(cl_program, void *),
                                  void *data) {
  if (cl_int wrong = checkBuild(program, count, devices, notify, data))
    return wrong;
  Options options = parseOptions(text, false);
  std::string binary;
  cl_program_binary_type type;
  std::vector<std::string> parts;
  {
    std::lock_guard lock(program->mutex);
    program->options = text ? text : "";
    type = program->type;
    binary = program->executable;
    parts = program->parts;
  }
  Building building(*program);
  cl_int status = CL_BUILD_PROGRAM_FAILURE;
  if (!options.unknown.empty()) {
    building.say("error: '" + options.unknown + "' is no option of OpenCL's compiler");
    status = building.end(CL_INVALID_BUILD_OPTIONS);
  } else if (canBeCompiled(*program)) {
    auto executable = translate(building, *program, options, {}, {});
    status = executable ? building.end(CL_SUCCESS, CL_PROGRAM_BINARY_TYPE_EXECUTABLE, {}, *executable)
                        : building.end(CL_BUILD_PROGRAM_FAILURE);
  } else if (type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
    status = building.end(CL_SUCCESS, type, {}, binary);
  } else {
    auto executable = linkParts(building, parts, options);
    status = executable ? building.end(CL_SUCCESS, CL_PROGRAM_BINARY_TYPE_EXECUTABLE, {}, *executable)
                        : building.end(CL_BUILD_PROGRAM_FAILURE);
  }
  if (notify)
    notify(program, data);
  return status;
}

cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                    const char *text, cl_uint headerCount, const cl_program *headers,
                                    const char **names, void(CL_CALLBACK *notify)(cl_program, void *),
                                    void *data) {
  if (cl_int wrong = checkBuild(program, count, devices, notify, data))
    return wrong;
  if ((headerCount == 0) != (headers == nullptr) || (headerCount == 0) != (names == nullptr))
    return CL_INVALID_VALUE;
  if (!canBeCompiled(*program))
    return CL_INVALID_OPERATION;
  std::vector<Header> list;
  for (cl_uint i = 0; i < headerCount; ++i) {
    if (!isGood(headers[i]))
      return CL_INVALID_PROGRAM;
    if (headers[i]->context.get() != program->context.get())
      return CL_INVALID_CONTEXT;
    if (!names[i] || llvm::StringRef(names[i]).contains(".."))
      return CL_INVALID_VALUE;
    list.push_back({names[i], headers[i]});
  }
  {
    std::lock_guard lock(program->mutex);
    program->options = text ? text : "";
  }
  Options options = parseOptions(text, false);
  Building building(*program);
  cl_int status;
  if (!options.unknown.empty()) {
    building.say("error: '" + options.unknown + "' is no option of OpenCL's compiler");
    status = building.end(CL_INVALID_COMPILER_OPTIONS);
  } else {
    auto part = translate(building, *program, options, {"-c", "-emit-llvm"}, list);
    status = part ? building.end(CL_SUCCESS, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, {*part})
                  : building.end(CL_COMPILE_PROGRAM_FAILURE);
  }
  if (notify)
    notify(program, data);
  return status;
}

cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint count, const cl_device_id *devices,
                                     const char *text, cl_uint number, const cl_program *programs,
                                     void(CL_CALLBACK *notify)(cl_program, void *), void *data,
                                     cl_int *error) {
  if (!isGood(context))
    return fail<_cl_program>(CL_INVALID_CONTEXT, error);
  if ((count == 0) != (devices == nullptr) || number == 0 || !programs || (!notify && data))
    return fail<_cl_program>(CL_INVALID_VALUE, error);
  if (!isDeviceList(count, devices))
    return fail<_cl_program>(CL_INVALID_DEVICE, error);
  std::vector<std::string> parts;
  for (cl_uint i = 0; i < number; ++i) {
    if (!isGood(programs[i]))
      return fail<_cl_program>(CL_INVALID_PROGRAM, error);
    if (programs[i]->context.get() != context)
      return fail<_cl_program>(CL_INVALID_CONTEXT, error);
    std::lock_guard lock(programs[i]->mutex);
    if (programs[i]->type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT &&
        programs[i]->type != CL_PROGRAM_BINARY_TYPE_LIBRARY)
      return fail<_cl_program>(CL_INVALID_OPERATION, error);
    parts.insert(parts.end(), programs[i]->parts.begin(), programs[i]->parts.end());
  }
  auto *program = new _cl_program;
  program->context = Ref<_cl_context>(context);
  program->options = text ? text : "";
  give(program);
  Options options = parseOptions(text, true);
  cl_int status;
  {
    Building building(*program);
    if (!options.unknown.empty()) {
      building.say("error: '" + options.unknown + "' is no option of OpenCL's linker");
      status = building.end(CL_INVALID_LINKER_OPTIONS);
    } else if (options.library) {
      status = building.end(CL_SUCCESS, CL_PROGRAM_BINARY_TYPE_LIBRARY, parts);
    } else {
      auto executable = linkParts(building, parts, options);
      status = executable ? building.end(CL_SUCCESS, CL_PROGRAM_BINARY_TYPE_EXECUTABLE, {}, *executable)
                          : building.end(CL_LINK_PROGRAM_FAILURE);
    }
  }
  if (notify)
    notify(program, data);
  if (error)
    *error = status;
  if (status == CL_INVALID_LINKER_OPTIONS) {
    release(program, CL_INVALID_PROGRAM);
    return nullptr;
  }
  return program; // with its log
}

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id id) {
  return id == &platform() ? CL_SUCCESS : CL_INVALID_PLATFORM;
}
cl_int CL_API_CALL clUnloadCompiler() { return CL_SUCCESS; }

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info what, size_t room, void *value,
                                    size_t *size) {
  if (!isGood(program))
    return CL_INVALID_PROGRAM;
  Answer answer(room, value, size);
  std::lock_guard lock(program->mutex);
  switch (what) {
  case CL_PROGRAM_REFERENCE_COUNT:
    return answer.of<cl_uint>(program->users);
  case CL_PROGRAM_CONTEXT:
    return answer.of(program->context.get());
  case CL_PROGRAM_NUM_DEVICES:
    return answer.of<cl_uint>(1);
  case CL_PROGRAM_DEVICES:
    return answer.of<cl_device_id>(&device());
  case CL_PROGRAM_SOURCE:
    return answer.text(program->source);
  case CL_PROGRAM_IL:
    return answer.bytes(program->il.data(), program->il.size());
  case CL_PROGRAM_BINARY_SIZES:
    return answer.of<size_t>(program->binary().size());
  case CL_PROGRAM_BINARIES: {
    std::string binary = program->binary();
    if (size)
      *size = sizeof(void *);
    if (!value)
      return CL_SUCCESS;
    if (room < sizeof(void *))
      return CL_INVALID_VALUE;
    if (auto *to = *static_cast<unsigned char **>(value))
      std::memcpy(to, binary.data(), binary.size());
    return CL_SUCCESS;
  }
  case CL_PROGRAM_NUM_KERNELS:
    if (!program->module)
      return CL_INVALID_PROGRAM_EXECUTABLE;
    return answer.of<size_t>(program->module->kernels().size());
  case CL_PROGRAM_KERNEL_NAMES: {
    if (!program->module)
      return CL_INVALID_PROGRAM_EXECUTABLE;
    std::string names;
    for (const leno::Kernel &kernel : program->module->kernels())
      names += (names.empty() ? "" : ";") + kernel.name();
    return answer.text(names);
  }
  case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
  case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
    return answer.flag(false);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id id, cl_program_build_info what,
                                         size_t room, void *value, size_t *size) {
  if (!isGood(program))
    return CL_INVALID_PROGRAM;
  if (!isDevice(id))
    return CL_INVALID_DEVICE;
  Answer answer(room, value, size);
  std::lock_guard lock(program->mutex);
  switch (what) {
  case CL_PROGRAM_BUILD_STATUS:
    return answer.of(program->status);
  case CL_PROGRAM_BUILD_OPTIONS:
    return answer.text(program->options);
  case CL_PROGRAM_BUILD_LOG:
    return answer.text(program->log);
  case CL_PROGRAM_BINARY_TYPE:
    return answer.of(program->type);
  case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
    return answer.of(variableBytes(program->executable));
  default:
    return CL_INVALID_VALUE;
  }
}

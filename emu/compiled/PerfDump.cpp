#include "emu/compiled/PerfDump.h"
#include "llvm/ExecutionEngine/Orc/Shared/PerfSharedStructs.h"
#include "llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderPerf.h"
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unistd.h>

using namespace llvm;
using namespace llvm::orc;

/// LLVM's functions for the process that is profiled want and give all as bytes. False: it says that it
/// failed.
template <class... Tags, class... Values>
static bool ask(shared::CWrapperFunctionBuffer (*function)(const char *, size_t), const Values &...values) {
  auto caller = [function](const char *data, size_t size) {
    return shared::WrapperFunctionBuffer(function(data, size));
  };
  Error told = Error::success();
  Error asked = shared::WrapperFunction<shared::SPSError(Tags...)>::call(caller, told, values...);
  return !errorToBool(joinErrors(std::move(asked), std::move(told)));
}

void leno::compiled::addToPerfDump(const char *name, const void *code, size_t size) {
  static std::mutex *mutex = new std::mutex; // threads may ask while the process ends
  std::lock_guard lock(*mutex);
  static const bool isOpen = ask<>(llvm_orc_registerJITLoaderPerfStart) &&
                             std::atexit([] { ask<>(llvm_orc_registerJITLoaderPerfEnd); }) == 0;
  if (!isOpen)
    return;
  static uint64_t codes = 0;
  // Of a record: id, size, process and thread; the time, three addresses or sizes and a number; the name's
  // end.
  constexpr size_t fixed = 4 * sizeof(uint32_t) + 5 * sizeof(uint64_t) + 1;
  const uint64_t address = reinterpret_cast<uintptr_t>(code);
  PerfJITRecordBatch batch{};
  batch.CodeLoadRecords.push_back(
      {{PerfJITRecordType::JIT_CODE_LOAD, uint32_t(fixed + std::strlen(name) + size)},
       uint32_t(getpid()),
       uint32_t(gettid()),
       address,
       address,
       size,
       codes++,
       name});
  ask<shared::SPSPerfJITRecordBatch>(llvm_orc_registerJITLoaderPerfImpl, batch);
}

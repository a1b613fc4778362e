// A debugging session of a small kernel, in a folder of its own.
#pragma once

#include "dbg/Interpreter.h"
#include "runtime/Prepared.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

namespace leno::dbg {

inline constexpr const char *kernelText = R"(
        .kernel work
        .param  u32 n
        .param  ptr x
        S2R   R0, SR_TID.X;
        MOV   R1, 0;
        PBK   done;
loop:
        IADD  R1, R1, 1;
        CAL   twice;
        ISETP.ge.u32 P0, R1, R0;
  @P0   BRK;
        BRA   loop;
done:
        BAR.SYNC 0;
        SHL   R2, R0, 2;
        IADD  R2, R2, c[0][x];
        STG   [R2], R3;
        EXIT;
        .endkernel
twice:
        IADD  R3, R1, R1;
        RET;
)";

/// A kernel with a loop, a call and a barrier, launched over three CTAs of 70 threads.
class KernelSession : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("leno-dbg", folder));
    path = folder.str().str() + "/work.s";
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << kernelText;
    runtime::LaunchOptions options;
    options.grid = {3, 1, 1};
    options.block = {70, 1, 1};
    options.arguments = {"u32:5", "out:u32[128]:" + folder.str().str() + "/out.bin"};
    options.maximumInstructions = 20000;
    options.file = path;
    auto launch = runtime::Prepared::create(options, llvm::errs());
    ASSERT_TRUE(bool(launch)) << toString(launch.takeError());
    session = std::make_unique<Session>(std::move(*launch));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  llvm::SmallString<64> folder;
  std::string path;
  std::unique_ptr<Session> session;
};

} // namespace leno::dbg

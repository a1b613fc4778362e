// Any text gives an answer or a message, never a crash or a hang.
#include "Support.h"
#include "dbg/Interpreter.h"
#include "llvm/Support/FileSystem.h"
#include "runtime/PreparedLaunch.h"
#include <random>

namespace leno::dbg {
namespace {

constexpr const char *kernelText = R"(
        .kernel work
        .param  u32 n
        .param  ptr out
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
        IADD  R2, R2, c[0][out];
        STG   [R2], R3;
        EXIT;
        .endkernel
twice:
        IADD  R3, R1, R1;
        RET;
)";

class Fuzz : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("leno-fuzz", "s", path));
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << kernelText;
    runtime::LaunchOptions options;
    options.grid = {3, 1, 1};
    options.block = {70, 1, 1};
    options.arguments = {"u32:5", ("out:u32[128]:" + path + ".bin").str()};
    options.maximumInstructions = 20000;
    auto launch = runtime::PreparedLaunch::create(path, options, llvm::errs());
    ASSERT_TRUE(bool(launch)) << toString(launch.takeError());
    session = std::make_unique<Session>(std::move(*launch));
  }
  void TearDown() override {
    llvm::sys::fs::remove(path);
    llvm::sys::fs::remove(path + ".bin");
  }

  llvm::SmallString<64> path;
  std::unique_ptr<Session> session;
};

TEST_F(Fuzz, RandomBytes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Interpreter interpreter(*session, out, out, false);
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string line(random() % 40, ' ');
    for (char &c : line)
      c = char(random() % 256);
    interpreter.execute(line);
    text.clear();
  }
}

TEST_F(Fuzz, RandomWordsOfTheLanguage) {
  static const char *const words[] = {
      "run",  "start", "c",     "s",      "n",     "si",    "ni",    "finish", "until",  "break", "tbreak", "delete",
      "disable", "enable", "info", "warps", "lanes", "registers", "predicates", "cc", "stack", "kernels", "ctas",
      "launch", "breakpoints", "source_", "line", "print", "p/x", "x/4xw", "x/3i", "x/2s", "x/5c", "display", "undisplay",
      "set", "list", "disassemble", "where", "help", "apropos", "echo", "cta", "warp", "lane", "thread", "kernel",
      "R0", "R1", "R3[7]", "R2.f64", "P0", "P0.mask", "ZF", "$pc", "$mask", "$cta", "$1", "$", "SR_TID.X", "SR_CLOCKLO",
      "loop", "done", "twice", "work", "out", "n", "[out]", "[0]", "shared[0]", "c[0][0x40]", "any(", "all(", "count(",
      "f32(", "u64(", ")", "(", "[", "]", "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "~", "!", "==", "!=", "<",
      "=", "&&", "||", "if", ",", "..", ":", "0", "1", "7", "31", "32", "0x10", "1.5", "1e300", "99999999999999999999",
      "18446744073709551615", "\t", "\x01", "\xff"};
  std::string text;
  llvm::raw_string_ostream out(text);
  Interpreter interpreter(*session, out, out, false);
  std::mt19937 random(2);
  for (int i = 0; i < 60000; ++i) {
    std::string line;
    for (unsigned k = random() % 7; k-- > 0;)
      line += words[random() % std::size(words)] + std::string(random() % 2, ' ');
    ASSERT_LT(line.size(), 300u);
    interpreter.execute(line);
    for (const std::string &completion : interpreter.completions(line))
      ASSERT_FALSE(completion.empty());
    if (interpreter.displays.size() > 20)
      interpreter.displays.clear();
    if (session->breakpoints().all().size() > 20)
      session->breakpoints().clear();
    text.clear();
  }
}

} // namespace
} // namespace leno::dbg

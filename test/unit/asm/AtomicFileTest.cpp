#include "asm/support/AtomicFile.h"
#include "test/unit/Support.h"

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace leno;
using leno::test::textOf;

namespace {

class AtomicFile : public leno::test::InDirectory {};

OutputSet::Writer text(std::string content) {
  return [content](llvm::raw_ostream &os) {
    os << content;
    return llvm::Error::success();
  };
}

llvm::Error failing(llvm::raw_ostream &os) {
  os << "half";
  return llvm::createStringError("the writer failed");
}

} // namespace

TEST_F(AtomicFile, WritesAndReplaces) {
  ASSERT_EQ(textOf(writeFileAtomically(path("a"), text("one"))), "success");
  EXPECT_EQ(read("a"), "one");
  ASSERT_EQ(textOf(writeFileAtomically(path("a"), text("two"))), "success");
  EXPECT_EQ(read("a"), "two");
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(AtomicFile, FailedWriterLeavesTheOldFileAndNoTemporary) {
  write("a", "old");
  EXPECT_EQ(textOf(writeFileAtomically(path("a"), failing)), "the writer failed");
  EXPECT_EQ(read("a"), "old");
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(AtomicFile, OneFailureCommitsNothingOfTheSet) {
  write("a", "old");
  OutputSet set;
  ASSERT_EQ(textOf(set.add(path("a"), text("new"))), "success");
  ASSERT_EQ(textOf(set.add(path("b"), text("new"))), "success");
  ASSERT_EQ(textOf(set.add(path("c"), failing)), "success");
  EXPECT_EQ(textOf(set.commit()), "the writer failed");
  EXPECT_EQ(read("a"), "old");
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(AtomicFile, FullDiskLeavesTheOldFile) {
  write("a", "old");
  // The limit on a file's size stands for the full disk: write(2) fails the same way half way through.
  pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::string error = textOf(writeFileAtomically(path("a"), text(std::string(100000, 'x'))));
    _exit(llvm::StringRef(error).contains("File too large") ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read("a"), "old");
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(AtomicFile, UnwritablePlacesAreNamedBeforeAnyWork) {
  mkdir(path("d").c_str(), 0777);
  EXPECT_HOLDS(textOf(checkOutputPath("")), "needs a name");
  EXPECT_HOLDS(textOf(checkOutputPath(path("d"))), "it is a directory");
  EXPECT_HOLDS(textOf(checkOutputPath(path("none/a"))), "there is no directory");
  EXPECT_HOLDS(textOf(checkOutputPath(path("none/"))), "directory");
  EXPECT_HOLDS(textOf(checkOutputPath("/dev/fd/987")), "Bad file descriptor");
  EXPECT_EQ(textOf(checkOutputPath(path("a"))), "success");
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(AtomicFile, ReadOnlyFileAndDirectoryAreRefused) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may write everywhere";
  write("a", "old");
  chmod(path("a").c_str(), 0444);
  EXPECT_HOLDS(textOf(checkOutputPath(path("a"))), "the file is read-only");
  mkdir(path("d").c_str(), 0555);
  EXPECT_HOLDS(textOf(checkOutputPath(path("d/a"))), "does not let new files be created");
}

TEST_F(AtomicFile, TwoOutputsOfOneNameAreRefused) {
  OutputSet set;
  ASSERT_EQ(textOf(set.add(path("a"), text("1"))), "success");
  EXPECT_HOLDS(textOf(set.add(directory + "/./a", text("2"))), "is the same file");
}

TEST_F(AtomicFile, UncommittedSetWritesNothing) {
  {
    OutputSet set;
    ASSERT_EQ(textOf(set.add(path("a"), text("1"))), "success");
  }
  EXPECT_EQ(fileCount(), 0u);
}

TEST_F(AtomicFile, PermissionsOfTheOldFileStay) {
  write("a", "old");
  chmod(path("a").c_str(), 0640);
  ASSERT_EQ(textOf(writeFileAtomically(path("a"), text("new"))), "success");
  struct stat status;
  ASSERT_EQ(stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(AtomicFile, SymbolicLinksAreFollowedNotReplaced) {
  mkdir(path("d").c_str(), 0777);
  ASSERT_EQ(symlink("d/target", path("link").c_str()), 0); // the target is not there yet
  ASSERT_EQ(textOf(writeFileAtomically(path("link"), text("new"))), "success");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(read("d/target"), "new");
  ASSERT_EQ(symlink("loop", path("loop").c_str()), 0);
  EXPECT_HOLDS(textOf(checkOutputPath(path("loop"))), "symbolic link");
}

TEST_F(AtomicFile, PercentInADirectoryNameIsOnlyAName) {
  mkdir(path("100%%").c_str(), 0777);
  ASSERT_EQ(textOf(writeFileAtomically(path("100%%/a"), text("new"))), "success");
  EXPECT_EQ(read("100%%/a"), "new");
}

TEST_F(AtomicFile, PipesAreWrittenStraightThrough) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0666), 0);
  std::string got;
  std::thread reader([&] { got = read("pipe"); });
  EXPECT_EQ(textOf(writeFileAtomically(path("pipe"), text("through"))), "success");
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
}

TEST_F(AtomicFile, RedirectedStandardOutputKeepsWhatWasWritten) {
  testing::internal::CaptureStdout(); // standard output is a regular file now
  llvm::outs() << "before\n";
  std::string error = textOf(writeFileAtomically("/dev/stdout", text("array\n")));
  llvm::outs() << "after\n";
  llvm::outs().flush();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "before\narray\nafter\n");
  EXPECT_EQ(error, "success");
}

TEST_F(AtomicFile, ClosedPipeOrFullDeviceCommitsNothing) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  for (const std::string &device : {"/dev/fd/" + std::to_string(ends[1]), std::string("/dev/full")}) {
    OutputSet set;
    ASSERT_EQ(textOf(set.add(path("a"), text("1"))), "success");
    ASSERT_EQ(textOf(set.add(device, text("2"))), "success");
    EXPECT_HOLDS(textOf(set.commit()), "cannot write '" + device + "'");
    EXPECT_EQ(fileCount(), 0u);
  }
  close(ends[1]);
}

// A test runner may have us started with interrupts ignored, and LLVM puts back what it found: begin with the
// defaults.
[[maybe_unused]] const bool signalsAreDefault = (signal(SIGINT, SIG_DFL), signal(SIGTERM, SIG_DFL), true);

TEST_F(AtomicFile, InterruptRemovesTheTemporary) {
  write("a", "old");
  for (int number : {SIGINT, SIGTERM}) {
    pid_t child = fork();
    if (child == 0) {
      (void)!textOf(writeFileAtomically(path("a"), [&](llvm::raw_ostream &os) {
        os << "half";
        os.flush();
        if (fileCount() != 2) // the temporary is there
          _exit(1);
        raise(number);
        return llvm::Error::success();
      })).empty();
      _exit(2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << status;
    EXPECT_EQ(read("a"), "old");
    EXPECT_EQ(fileCount(), 1u);
  }
}

#include "runtime/profile/Report.h"

#include "asm/Decoder.h"
#include "asm/SourceSearch.h"
#include "asm/support/AtomicFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>

using llvm::Error;
using llvm::StringRef;

namespace leno::profile {

std::string ProfiledLaunch::name() const {
  return context.empty() ? kernel
                         : "context " + context + ", launch " + std::to_string(number) + ", " + kernel;
}

//===--- What they show ---------------------------------------------------===//

/// The kernel or function whose code holds the address, or the label before it.
static std::string functionAt(const Executable &executable, uint64_t address) {
  const Symbol *found = nullptr;
  for (const Symbol &symbol : executable.symbols())
    if (symbol.address <= address && (!found || symbol.isFunction || !found->isFunction))
      found = &symbol;
  return found ? found->name : "(program)";
}

std::vector<InstructionRow> instructionRows(const ProfiledLaunch &launch) {
  const Executable &executable = *launch.executable;
  const Decoder decoder;
  std::vector<InstructionRow> rows;
  for (size_t word = 0; word < launch.profile->byWord.size(); ++word) {
    const CountRow &counts = launch.profile->byWord[word];
    if (!counts.any())
      continue;
    InstructionRow row{word * 8,
                       "",
                       executable.describe(word * 8),
                       functionAt(executable, word * 8),
                       executable.line(word * 8),
                       counts};
    if (word < executable.code().size())
      row.text = decoder.print(executable.code()[word], word * 8, [&](uint64_t place) {
        return executable.describe(place);
      }) + ";";
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<LineRow> lineRows(llvm::ArrayRef<InstructionRow> instructions) {
  std::map<std::pair<std::string, unsigned>, CountRow> byLine;
  for (const InstructionRow &row : instructions)
    if (row.line)
      byLine[{row.line->file, row.line->line}] += row.counts;
  std::vector<LineRow> rows;
  for (auto &[place, counts] : byLine)
    rows.push_back({{place.first, place.second}, counts});
  return rows;
}

CountRow totalOf(const ProfiledLaunch &launch) {
  CountRow total;
  for (const CountRow &counts : launch.profile->byWord)
    total += counts;
  return total;
}

std::vector<std::string> sourceOf(const ProfiledLaunch &launch, StringRef file) {
  if (!isFileName(file))
    return {};
  std::optional<std::string> path =
      SourceSearch().find(file, launch.executable->lineTable().directoryOf(file));
  return path ? readLines(*path) : std::vector<std::string>();
}

//===--- The folder -------------------------------------------------------===//

namespace {
struct File {
  const char *name;
  void (*write)(llvm::raw_ostream &os, Launches launches);
};
constexpr File files[] = {{"report.html", writeHtml},
                          {"profile.json", writeJson},
                          {"profile.csv", writeCsv},
                          {"callgrind.out", writeCallgrind},
                          {"speedscope.json", writeSpeedscope}};
} // namespace

static std::string pathOf(StringRef folder, const File &file) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, file.name);
  return path.str().str();
}

Error noteReport(StringRef folder, RunFiles &run, StringRef asked) {
  auto fail = [&](const llvm::Twine &why) {
    return llvm::createStringError(asked + " '" + folder + "': " + why);
  };
  if (folder.empty())
    return fail("it is the name of a folder");
  if (llvm::sys::fs::exists(folder)) {
    if (!llvm::sys::fs::is_directory(folder))
      return fail("there is a file of that name; name a folder, which is made when it is not there");
  } else {
    StringRef parent = llvm::sys::path::parent_path(folder.rtrim('/'));
    if (!parent.empty() && !llvm::sys::fs::is_directory(parent))
      return fail("there is no folder '" + parent + "' to make it in");
  }
  for (const File &file : files)
    run.writes(pathOf(folder, file));
  return Error::success();
}

Error writeReport(StringRef folder, Launches launches) {
  if (std::error_code error =
          llvm::sys::fs::create_directory(folder.rtrim('/'), true, llvm::sys::fs::all_all))
    return llvm::createStringError("cannot make the folder '" + folder + "': " + error.message());
  OutputSet outputs;
  for (const File &file : files)
    if (Error error = outputs.add(pathOf(folder, file), [&, write = file.write](llvm::raw_ostream &os) {
          write(os, launches);
          return Error::success();
        }))
      return error;
  return outputs.commit();
}

} // namespace leno::profile

// profile.json, which the page, --profile-diff and leno-objdump --cfg read too, and profile.csv.
#include "runtime/profile/Report.h"

#include "llvm/ADT/StringExtras.h"
#include <set>

namespace leno::profile {

static void writeCounts(llvm::json::OStream &json, const CountRow &counts) {
  json.attributeObject("counts", [&] {
    for (size_t i = 0; i < countOfCounts; ++i)
      if (u64 value = counts[Count(i)])
        json.attribute(countKinds()[i].key, value);
  });
}

static void writeDimensions(llvm::json::OStream &json, llvm::StringRef key, Dim3 size) {
  json.attributeArray(key, [&] {
    for (u32 one : {size.x, size.y, size.z})
      json.value(one);
  });
}

static void writeLine(llvm::json::OStream &json, const SourceLine &line) {
  json.attribute("file", line.file);
  json.attribute("line", line.line);
}

static void writeLaunch(llvm::json::OStream &json, const ProfiledLaunch &launch) {
  const std::vector<InstructionRow> instructions = instructionRows(launch);
  json.attribute("name", launch.name());
  json.attribute("context", launch.context);
  json.attribute("launch", launch.number);
  json.attribute("kernel", launch.kernel);
  json.attribute("program", launch.program);
  writeDimensions(json, "grid", launch.grid);
  writeDimensions(json, "block", launch.block);
  writeCounts(json, totalOf(launch));
  json.attributeArray("instructions", [&] {
    for (const InstructionRow &row : instructions)
      json.object([&] {
        json.attribute("address", row.address);
        json.attribute("label", row.label);
        json.attribute("function", row.function);
        json.attribute("text", row.text);
        if (row.address / 8 < launch.executable->code().size())
          json.attribute("word",
                         "0x" + llvm::utohexstr(launch.executable->code()[row.address / 8], true, 16));
        if (row.line)
          writeLine(json, *row.line);
        writeCounts(json, row.counts);
      });
  });
  json.attributeArray("lines", [&] {
    for (const LineRow &row : lineRows(instructions))
      json.object([&] {
        writeLine(json, row.line);
        writeCounts(json, row.counts);
      });
  });
  auto writePieces = [&](const std::vector<Profile::Piece> &pieces) {
    for (const Profile::Piece &piece : pieces)
      json.object([&] {
        json.attribute("ctas", piece.ctas);
        json.attribute("warps", piece.instructions);
      });
  };
  json.attributeObject("ctas", [&] {
    json.attribute("ofEach", launch.profile->ctasOfPiece);
    json.attributeArray("pieces", [&] { writePieces(launch.profile->pieces); });
  });
  if (launch.profile->settings.bySm)
    json.attributeArray("sms", [&] { writePieces(launch.profile->bySm); });
}

/// The text of each source file that a launch names, once.
static void writeSources(llvm::json::OStream &json, Launches launches) {
  std::set<std::string> written;
  for (const ProfiledLaunch &launch : launches)
    for (const std::string &file : launch.executable->files())
      if (written.insert(file).second)
        json.attributeArray(file, [&] {
          for (const std::string &line : sourceOf(launch, file))
            json.value(llvm::json::fixUTF8(line));
        });
}

void writeJson(llvm::raw_ostream &os, Launches launches) {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("format", "leno-profile");
    json.attribute("version", 1);
    const ProfileSettings settings = launches.empty() ? ProfileSettings() : launches[0].profile->settings;
    json.attribute("memory", settings.memory);
    json.attribute("cycles", settings.cycles);
    json.attributeArray("kinds", [&] {
      for (const CountKind &kind : countKinds())
        json.object([&] {
          json.attribute("key", kind.key);
          json.attribute("label", kind.label);
          json.attribute("group", kind.group);
          json.attribute("help", kind.help);
        });
    });
    json.attributeArray("launches", [&] {
      for (const ProfiledLaunch &launch : launches)
        json.object([&] { writeLaunch(json, launch); });
    });
    json.attributeObject("sources", [&] { writeSources(json, launches); });
  });
  os << '\n';
}

//===--- CSV --------------------------------------------------------------===//

/// As RFC 4180 has it.
static std::string field(llvm::StringRef text) {
  if (text.find_first_of(",\"\n\r") == llvm::StringRef::npos)
    return text.str();
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

void writeCsv(llvm::raw_ostream &os, Launches launches) {
  os << "context,launch,kernel,address,label,function,file,line,text";
  for (const CountKind &kind : countKinds())
    os << ',' << kind.key;
  os << '\n';
  for (const ProfiledLaunch &launch : launches)
    for (const InstructionRow &row : instructionRows(launch)) {
      os << field(launch.context) << ',' << launch.number << ',' << field(launch.kernel) << ",0x"
         << llvm::utohexstr(row.address, true) << ',' << field(row.label) << ',' << field(row.function) << ','
         << (row.line ? field(row.line->file) : "") << ',' << (row.line ? std::to_string(row.line->line) : "")
         << ',' << field(row.text);
      for (size_t i = 0; i < countOfCounts; ++i)
        os << ',' << row.counts[Count(i)];
      os << '\n';
    }
}

} // namespace leno::profile

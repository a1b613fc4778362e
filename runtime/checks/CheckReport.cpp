#include "runtime/checks/CheckReport.h"
#include "runtime/TrapText.h"
#include "runtime/checks/Checks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace leno;
using namespace leno::checks;
using llvm::formatv;
using llvm::StringRef;

std::string NamedFinding::lineOf(const Action &action) const {
  if (action.isHost)
    return "host";
  const Executable *program = programOf(action);
  if (!program)
    return "0x" + llvm::utohexstr(action.pc, true);
  if (std::optional<SourceLine> line = program->line(action.pc))
    return line->file + ":" + std::to_string(line->line);
  return program->describe(action.pc);
}

Suppressible NamedFinding::suppressible() const {
  return {finding.check,
          finding.kind,
          kernel,
          finding.first.what.empty() ? "" : lineOf(finding.first),
          finding.second ? lineOf(*finding.second) : "",
          finding.text};
}

/// "16 bytes into 'y' (4096 bytes at 0x10000)"
static std::string whereIs(const Finding &finding, const RunningProgram &program,
                           const AddressSpace &memory) {
  auto inside = [&](u64 offset, const std::string &name, u64 bytes, u64 base) {
    std::string from = offset == 0   ? "at the beginning of"
                       : offset == 1 ? "1 byte into"
                                     : std::to_string(offset) + " bytes into";
    return formatv("{0} '{1}' ({2} bytes at {3:x})", from, name, bytes, base).str();
  };
  if (finding.space == MemorySpace::Shared && program.kernel)
    for (const SharedVariable &variable : program.kernel->shared)
      if (finding.address - variable.offset < variable.bytes)
        return inside(finding.address - variable.offset, variable.name, variable.bytes, variable.offset);
  if (finding.space != MemorySpace::Global)
    return "";
  if (const AddressSpace::Allocation *buffer = memory.find(finding.address))
    return inside(finding.address - buffer->window.base, buffer->name, buffer->window.size,
                  buffer->window.base);
  return memory.describe(finding.address);
}

NamedFinding checks::named(Finding finding, llvm::function_ref<RunningProgram(u64)> programOf,
                           const AddressSpace &memory) {
  NamedFinding found;
  RunningProgram program = finding.launch ? programOf(finding.launch) : RunningProgram();
  if (finding.second && finding.second->launch)
    found.other = programOf(finding.second->launch).executable;
  found.executable = program.executable;
  if (program.kernel)
    found.kernel = program.kernel->name;
  found.where = whereIs(finding, program, memory);
  found.finding = std::move(finding);
  return found;
}

//===--- For people -------------------------------------------------------===//

/// Underlines a source line's statement, without label and comment.
static std::string underlined(StringRef line) {
  auto [number, text] = line.split(" | ");
  if (text.empty())
    return "";
  StringRef code = text.split('#').first.split("//").first.rtrim();
  size_t start = code.find_first_not_of(" \t");
  if (size_t colon = code.find(':'); colon != StringRef::npos && !code.take_front(colon).contains('['))
    if (size_t next = code.find_first_not_of(" \t", colon + 1); next != StringRef::npos)
      start = next;
  if (start == StringRef::npos)
    return "";
  std::string mark = std::string(number.size(), ' ') + " | ";
  for (char c : code.take_front(start))
    mark += c == '\t' ? '\t' : ' ';
  return mark + "^" + std::string(code.size() - start - 1, '~');
}

static void printAction(llvm::raw_ostream &os, const NamedFinding &named, const Action &action,
                        StringRef before) {
  if (action.isHost) {
    os << "  " << before << action.what << '\n';
    return;
  }
  const Executable *program = named.programOf(action);
  os << "  " << before << action.what << " at ";
  if (program)
    os << runtime::describePlace(*program, action.pc);
  else
    os << "0x" << llvm::utohexstr(action.pc, true);
  if (action.launch)
    os << ", launch " << action.launch - 1;
  if (action.lanes) {
    os << ", CTA (" << action.cta.x << ',' << action.cta.y << ',' << action.cta.z << "), warp " << action.warp
       << (action.lanes & (action.lanes - 1) ? ", lanes " : ", lane ") << runtime::laneRanges(action.lanes);
  }
  if (action.value)
    os << ", value 0x" << llvm::utohexstr(*action.value, true);
  os << '\n';
  if (!program)
    return;
  SourceReader sources(program->lineTable());
  if (std::string source = runtime::sourceText(*program, action.pc, sources); !source.empty()) {
    os << "    " << source << '\n';
    if (std::string mark = underlined(source); !mark.empty())
      os << "    " << mark << '\n';
  }
  for (const std::string &call : runtime::describeCalls(*program, action.calls))
    os << "    " << call << '\n';
}

void checks::printFinding(llvm::raw_ostream &os, const NamedFinding &named, bool colours) {
  const Finding &finding = named.finding;
  if (colours)
    os.changeColor(llvm::raw_ostream::MAGENTA, true);
  os << finding.check << ": ";
  if (colours)
    os.resetColor();
  os << finding.text << " [" << finding.kind << ']';
  if (finding.count > 1)
    os << ", " << finding.count << " times";
  os << '\n';
  if (!named.context.empty())
    os << "  in context '" << named.context << "', launch " << finding.launch - 1 << ", " << named.kernel
       << '\n';
  if (!finding.first.what.empty())
    printAction(os, named, finding.first, "");
  if (finding.second)
    printAction(os, named, *finding.second, finding.first.what.empty() ? "" : "before it: ");
  if (!named.where.empty())
    os << "  " << named.where << '\n';
  for (const std::string &note : finding.notes)
    os << "  " << note << '\n';
}

//===--- For programs -----------------------------------------------------===//

static void writeAction(llvm::json::OStream &json, const NamedFinding &named, const Action &action) {
  const Executable *program = named.programOf(action);
  json.attribute("what", action.what);
  if (action.isHost)
    return;
  if (action.launch)
    json.attribute("launch", action.launch - 1);
  if (program) {
    runtime::writePlace(json, *program, action.pc);
    SourceReader sources(program->lineTable());
    std::optional<SourceLine> line = program->line(action.pc);
    if (std::optional<StringRef> text = line ? sources.text(*line) : std::nullopt)
      json.attribute("source", llvm::json::fixUTF8(text->trim()));
    runtime::writeWho(json, *program, action.cta, action.warp, action.lanes, action.calls);
  } else
    json.attribute("pc", action.pc);
  if (action.value)
    json.attribute("value", *action.value);
}

void checks::writeFinding(llvm::json::OStream &json, const NamedFinding &named) {
  const Finding &finding = named.finding;
  json.attribute("check", finding.check);
  json.attribute("kind", finding.kind);
  json.attribute("text", finding.text);
  json.attribute("count", finding.count);
  if (!named.context.empty())
    json.attribute("context", named.context);
  if (finding.launch)
    json.attribute("launch", finding.launch - 1);
  if (!named.kernel.empty())
    json.attribute("kernel", named.kernel);
  if (finding.space) {
    json.attribute("space", nameOf(*finding.space));
    json.attribute("address", finding.address);
    json.attribute("bytes", finding.bytes);
  }
  if (!finding.first.what.empty())
    json.attributeObject("first", [&] { writeAction(json, named, finding.first); });
  if (finding.second)
    json.attributeObject("second", [&] { writeAction(json, named, *finding.second); });
  if (!named.where.empty())
    json.attribute("where", named.where);
  json.attributeArray("notes", [&] {
    for (const std::string &note : finding.notes)
      json.value(note);
  });
}

/// A relative path as a URI (RFC 3986).
static std::string uriOf(StringRef path) {
  std::string uri = path.starts_with("/") ? "file://" : "";
  for (unsigned char c : path)
    if (llvm::isAlnum(char(c)) || StringRef("-._~/").contains(char(c)))
      uri += char(c);
    else
      uri += "%" + llvm::utohexstr(c, false, 2);
  return uri;
}

static void writeLocation(llvm::json::OStream &json, const NamedFinding &named, const Action &action) {
  if (action.isHost)
    return json.object(
        [&] { json.attributeObject("message", [&] { json.attribute("text", action.what); }); });
  const Executable *program = named.programOf(action);
  json.object([&] {
    std::optional<SourceLine> line = program ? program->line(action.pc) : std::nullopt;
    if (line)
      json.attributeObject("physicalLocation", [&] {
        json.attributeObject("artifactLocation", [&] { json.attribute("uri", uriOf(line->file)); });
        json.attributeObject("region", [&] { json.attribute("startLine", line->line); });
      });
    json.attributeArray("logicalLocations", [&] {
      json.object([&] {
        json.attribute("name", named.kernel);
        json.attribute("fullyQualifiedName", program ? program->describe(action.pc) : named.lineOf(action));
        json.attribute("kind", "function");
      });
    });
    json.attributeObject("message", [&] {
      std::string text = action.what;
      if (action.lanes)
        text += formatv(": CTA ({0},{1},{2}), warp {3}, lanes {4}", action.cta.x, action.cta.y, action.cta.z,
                        action.warp, runtime::laneRanges(action.lanes));
      json.attribute("text", text);
    });
  });
}

void checks::writeSarif(llvm::raw_ostream &os, llvm::ArrayRef<NamedFinding> findings) {
  std::set<std::string> rules;
  for (const NamedFinding &named : findings)
    rules.insert(named.finding.check + "/" + named.finding.kind);
  llvm::json::OStream json(os, 2);
  auto writeResult = [&](const NamedFinding &named) {
    const Finding &finding = named.finding;
    std::string rule = finding.check + "/" + finding.kind;
    json.attribute("ruleId", rule);
    json.attribute("ruleIndex", std::distance(rules.begin(), rules.find(rule)));
    json.attribute("level", "error");
    std::string text = finding.text;
    if (!named.where.empty())
      text += "; " + named.where;
    for (const std::string &note : finding.notes)
      text += "; " + note;
    json.attributeObject("message", [&] { json.attribute("text", text); });
    json.attribute("occurrenceCount", finding.count);
    if (!finding.first.what.empty())
      json.attributeArray("locations", [&] { writeLocation(json, named, finding.first); });
    if (finding.second)
      json.attributeArray("relatedLocations", [&] { writeLocation(json, named, *finding.second); });
    if (named.isSuppressed)
      json.attributeArray("suppressions", [&] { json.object([&] { json.attribute("kind", "external"); }); });
  };
  json.object([&] {
    json.attribute("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json.attribute("version", "2.1.0");
    json.attributeArray("runs", [&] {
      json.object([&] {
        json.attributeObject("tool", [&] {
          json.attributeObject("driver", [&] {
            json.attribute("name", "leno-run");
            json.attributeArray("rules", [&] {
              for (const std::string &rule : rules)
                json.object([&] { json.attribute("id", rule); });
            });
          });
        });
        json.attributeArray("results", [&] {
          for (const NamedFinding &named : findings)
            json.object([&] { writeResult(named); });
        });
      });
    });
  });
  os << '\n';
}

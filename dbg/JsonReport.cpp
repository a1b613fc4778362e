#include "dbg/JsonReport.h"
#include "dbg/Facts.h"
#include "dbg/StopWords.h"
#include "emu/sm/Cta.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace leno::dbg {

using facts::hex, facts::mask, facts::text;

static json::Array linesOf(StringRef words) {
  json::Array lines;
  while (!words.empty()) {
    auto [line, rest] = words.split('\n');
    lines.push_back(text(line));
    words = rest;
  }
  return lines;
}

JsonReport::JsonReport(Interpreter &interpreter, AnswerStream &said, raw_ostream &out)
    : interpreter(interpreter), said(said), out(out) {
  interpreter.onStop = [this](const StopEvent &event) { stop(event); };
  interpreter.onError = [this](const ErrorInfoBase &info) { error(info); };
  interpreter.onAnswer = [this](StringRef command, bool succeeded) { answer(command, succeeded); };
}

void JsonReport::write(json::Object line) {
  out << json::Value(std::move(line)) << '\n';
  out.flush();
  // Whoever closed the pipe wants no more.
  if (&out == &outs() && outs().has_error())
    interpreter.requestQuit();
}

void JsonReport::hello() {
  const Session &session = interpreter.session;
  if (!session.isAlone())
    return helloContexts();
  if (const Application *program = session.program())
    return write(json::Object{
        {"type", "hello"},
        {"schema", 1},
        {"program", facts::list(program->command(), [](const std::string &word) { return text(word); })}});
  const LaunchSpec &spec = session.focus().grid().launch();
  auto size = [](Dim3 d) { return json::Array{d.x, d.y, d.z}; };
  json::Array files;
  for (const std::string &file : session.code().names().files())
    files.push_back(text(file));
  write(json::Object{{"type", "hello"},
                     {"schema", 1},
                     {"kernel", text(session.focus().kernel().name)},
                     {"grid", size(spec.grid)},
                     {"block", size(spec.block)},
                     {"sources", std::move(files)}});
}

void JsonReport::helloContexts() {
  const Session &session = interpreter.session;
  json::Array all;
  for (const auto &context : session.prepared().run().contexts()) {
    json::Array kernels;
    for (const auto &launch : session.prepared().launches(context->id()))
      kernels.push_back(text(launch.kernel->name));
    all.push_back(json::Object{{"name", text(session.focus().contextName(context->id()))},
                               {"priority", context->priority()},
                               {"launches", std::move(kernels)}});
  }
  write(json::Object{{"type", "hello"}, {"schema", 1}, {"contexts", std::move(all)}});
}

void JsonReport::bye(int exitStatus) { write(json::Object{{"type", "bye"}, {"status", exitStatus}}); }

void JsonReport::failure(raw_ostream &out, StringRef message) {
  out << json::Value(json::Object{{"type", "failure"}, {"message", text(message)}}) << '\n';
}

//===--- Answers ----------------------------------------------------------===//

void JsonReport::error(const ErrorInfoBase &info) {
  json::Object one;
  if (info.isA<TextError>()) {
    const auto &mistake = static_cast<const TextError &>(info);
    one = json::Object{
        {"message", text(mistake.message)}, {"in", text(mistake.text)}, {"column", int64_t(mistake.column)}};
  } else
    one = json::Object{{"message", text(info.message())}};
  errors.push_back(std::move(one));
}

void JsonReport::answer(StringRef command, bool succeeded) {
  json::Object line{{"type", "answer"}, {"command", text(command)}, {"ok", succeeded}};
  line["text"] = linesOf(said.str());
  if (!errors.empty())
    line["errors"] = std::exchange(errors, {});
  json::Array tables;
  for (const std::vector<std::vector<std::string>> &rows : said.tables) {
    json::Array table;
    for (const std::vector<std::string> &cells : rows) {
      json::Array row;
      for (const std::string &cell : cells)
        row.push_back(text(cell));
      table.push_back(std::move(row));
    }
    tables.push_back(std::move(table));
  }
  if (!tables.empty())
    line["tables"] = std::move(tables);
  ArrayRef<Value> values = interpreter.session.focus().userValues().history;
  json::Array told;
  for (; valuesTold < values.size(); ++valuesTold) {
    json::Object one = facts::value(interpreter, values[valuesTold]);
    one["number"] = int64_t(valuesTold + 1);
    told.push_back(std::move(one));
  }
  if (!told.empty())
    line["values"] = std::move(told);
  if (json::Array data = interpreter.takeData(); !data.empty())
    line["data"] = std::move(data);
  said.forget();
  write(std::move(line));
}

//===--- Stops ------------------------------------------------------------===//

void JsonReport::stop(const StopEvent &event) {
  Session &session = interpreter.session;
  json::Object line{
      {"type", "stop"},
      {"reason", wordsOf(event, session.stops().breakpoints()).json},
      {"tick", int64_t(session.state() == SessionState::NotStarted ? 0 : session.timeline().now())},
      {"instructions", int64_t(session.focus().gridIfAny() ? session.focus().grid().instructions() : 0)}};
  if (!session.isAlone()) {
    line["context"] = text(session.focus().contextName(session.focus().position().context));
    line["cycle"] = int64_t(session.prepared().run().cycle());
  }
  if (!event.breakpoints.empty())
    line["breakpoints"] = json::Array(event.breakpoints);
  if (event.lanesMet)
    line["lanesMet"] = mask(*event.lanesMet);
  auto texts = [&](StringRef key, ArrayRef<std::string> all) {
    if (!all.empty())
      line[key] = facts::list(all, [](const std::string &one) { return text(one); });
  };
  texts("details", event.details);
  texts("problems", event.problems);
  if (event.kind == StopEvent::BreakInstruction)
    line["code"] = int64_t(event.code);
  if (event.kind == StopEvent::WarpExited)
    line["exited"] = json::Object{{"cta", facts::index(event.exited.cta)},
                                  {"warp", int64_t(event.exited.warp)},
                                  {"killed", event.killed}};
  if (event.kind == StopEvent::Trapped && session.focus().trap())
    line["trap"] = facts::trap(interpreter, *session.focus().trap());
  if (session.launchInFocus())
    line["launch"] = int64_t(session.launchInFocus());
  if (event.kind == StopEvent::ProgramEnded)
    line["status"] = int64_t(session.program()->exitStatus());
  if (Warp *warp = session.focus().warp()) {
    line["cta"] = facts::index(warp->cta().index());
    line["warp"] = int64_t(warp->index());
    line["lane"] = int64_t(session.focus().position().lane);
    line["active"] = mask(warp->active);
    line["depth"] = int64_t(warp->divergence().depth());
    line["at"] = facts::place(interpreter, warp->pcBytes());
    if (!interpreter.displays.empty())
      line["displays"] = facts::displays(interpreter);
  }
  if (event.kind == StopEvent::Finished) {
    json::Array outputs;
    for (const auto &file : session.prepared().outputs())
      outputs.push_back(json::Object{{"file", text(file.file.path)}, {"holds", text(file.what)}});
    line["outputs"] = std::move(outputs);
  }
  write(std::move(line));
}

} // namespace leno::dbg

// Warps as threads, calls as frames, and what a frame shows.
#include "dbg/Text.h"
#include "dbg/WarpText.h"
#include "dbg/dap/Server.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace leno::dbg::dap {

std::string Server::nameOfThread(u32 context, Dim3 cta, unsigned warp, StringRef state) const {
  std::string whose = session->focus().contextIfSeveral(context, "", ", ");
  return (whose + "CTA " + describeIndex(cta) + " warp " + Twine(warp) + (state.empty() ? "" : ", ") + state)
      .str();
}

Server::Reply Server::threads(const Arguments &) {
  json::Array all;
  const LanePosition &focus = session->focus().position();
  bool started = session->state() != SessionState::NotStarted;
  auto add = [&](u32 context, int64_t id, Dim3 cta, unsigned warp, StringRef state) {
    all.push_back(json::Object{{"id", id}, {"name", jsonText(nameOfThread(context, cta, warp, state))}});
  };
  for (u32 context = 0; started && context < session->prepared().contextCount(); ++context)
    for (const GridInFlight &grid : session->prepared().run().contexts()[context]->grids())
      for (Cta *cta : grid.run->residentCtas())
        for (const Warp *warp : cta->warps()) {
          std::string state = session->focus().isOnChip(*cta) ? describeState(*warp) : "in context storage";
          if (!warp->exited())
            add(context, threadOf(*warp), cta->index(), warp->index(), state == "running" ? "" : state);
        }
  // A stop is always one of a thread, also when its warp is no more.
  int64_t inFocus = threadInFocus();
  if (none_of(all, [&](const json::Value &one) { return one.getAsObject()->getInteger("id") == inFocus; }))
    add(focus.context, inFocus, focus.cta, focus.warp, started ? "ended" : "not started");
  // In the order of CTAs, wherever they are on the machine.
  llvm::sort(all, [](const json::Value &a, const json::Value &b) {
    return *a.getAsObject()->getInteger("id") < *b.getAsObject()->getInteger("id");
  });
  return json::Object{{"threads", std::move(all)}};
}

Server::Reply Server::stackTrace(const Arguments &arguments) {
  Expected<int64_t> thread = arguments.integer("threadId");
  Expected<int64_t> first = arguments.integerOr("startFrame", 0), most = arguments.integerOr("levels", 0);
  if (!thread || !first || !most)
    return joinErrors(joinErrors(thread.takeError(), first.takeError()), most.takeError());
  if (!session->focus().warp() && *thread == threadInFocus())
    return json::Object{{"stackFrames", json::Array()}, {"totalFrames", 0}}; // it has ended
  Expected<Warp *> found = warpOf(*thread);
  if (!found)
    return found.takeError();
  const Warp &warp = **found;
  u32 context = warp.grid().device().contextId(), launch = warp.grid().gridId();
  const Executable &program = session->focus().launchOf(warp.grid()).executable;
  std::vector<CallFrame> places = callFrames(warp, &session->focus().sourceOf(program));
  json::Array all;
  size_t begin = size_t(std::max<int64_t>(*first, 0));
  size_t end = *most > 0 ? std::min(places.size(), begin + size_t(*most)) : places.size();
  for (size_t i = begin; i < end; ++i) {
    frames.push_back({warp.cta().index(), warp.index(), places[i].level, context, launch, i});
    Spot spot = spotOf({&program, places[i].at});
    const source::Scope *function = places[i].function;
    if (std::optional<SourceLine> line = lineOf(places, i, program);
        line && interpreter->sources.lineCount(line->file) >= line->line)
      spot = {sourceOf(line->file), line->line};
    std::string name = function ? function->name : program.describe(places[i].at);
    bool isInlined = function && function->kind == source::Scope::Inlined;
    all.push_back(json::Object{
        {"id", int64_t(frames.size())},
        {"name", jsonText(name + ", " + describeLanes(places[i].lanes) + (isInlined ? ", inlined" : ""))},
        {"source", std::move(spot.source)},
        {"line", int64_t(clientLine(spot.line))},
        {"column", columnsStartAt1 ? 1 : 0},
        {"instructionPointerReference", addressText(wholeAddress({&program, places[i].returnsTo}))}});
  }
  return json::Object{{"stackFrames", std::move(all)}, {"totalFrames", int64_t(places.size())}};
}

Server::Reply Server::scopes(const Arguments &arguments) {
  Expected<int64_t> id = arguments.integer("frameId");
  if (!id)
    return id.takeError();
  Expected<Warp *> warp = warpOfFrame(arguments);
  if (!warp)
    return warp.takeError();
  if (!*warp)
    return createStringError("no warp runs");
  json::Array all;
  bool first = true;
  bool hasLocals = false;
  for (const auto &[title, container] : tree->scopes(**warp, numberOfFrame(arguments))) {
    json::Object scope{{"name", title},
                       {"variablesReference", tree->reference(container)},
                       {"namedVariables", int64_t(tree->namedCount(container))},
                       {"indexedVariables", int64_t(tree->indexedCount(container))},
                       {"expensive", !first && container.kind != Container::Parameters &&
                                         container.kind != Container::Arguments}};
    if (container.kind == Container::Locals || (container.kind == Container::Lane && !hasLocals))
      scope["presentationHint"] = "locals";
    hasLocals |= container.kind == Container::Locals;
    if (container.kind == Container::Arguments || (container.kind == Container::Parameters && !hasLocals))
      scope["presentationHint"] = "arguments";
    if (container.kind == Container::Registers)
      scope["presentationHint"] = "registers";
    first = false;
    all.push_back(std::move(scope));
  }
  return json::Object{{"scopes", std::move(all)}};
}

} // namespace leno::dbg::dap

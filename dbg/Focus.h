//===- Focus.h - Which lane of which warp the user looks at ---------------===//
#pragma once

#include "dbg/Place.h"
#include "dbg/WarpPast.h"
#include "dbg/WarpText.h"
#include "dbg/source/Program.h"
#include "runtime/Prepared.h"

namespace leno::dbg {

/// The context, the launch that it runs, ran last or runs first, and one lane of a warp of it. A context that
/// launches nothing is never in focus. Expressions see the machine from here.
class Focus {
public:
  /// On the first context that launches something.
  explicit Focus(runtime::Prepared &work) : work(&work) { where.context = contextToBeginWith(); }
  /// A newer program in place of the old one; `staysThere`: which may come again.
  void setProgram(runtime::Prepared &newer, bool staysThere = false);
  runtime::Prepared &prepared() const { return *work; }
  Machine &machine() const { return work->run(); }

  const LanePosition &position() const { return where; }
  /// The call that is looked at: 0 is the innermost. A move leads back to it.
  size_t frame = 0;
  /// Unchecked: nothing may run there. The lane stays.
  void moveTo(const WarpPosition &at) {
    frame = 0;
    static_cast<WarpPosition &>(where) = at;
  }
  void moveTo(const LanePosition &at) {
    frame = 0;
    where = at;
  }
  /// To a warp, and to a lane of it that runs: it says more than one that waits.
  void moveTo(const Warp &warp);
  /// To a context's first warp that is on an SM, if there is one and none of it is in focus.
  void moveToContext(u32 context);
  /// Of these lanes, unless it is on one of them already.
  void chooseLane(LaneMask lanes);
  void setLane(unsigned lane) { where.lane = lane; }
  /// As the user asks for it. Fails, and changes nothing, where nothing can be looked at.
  llvm::Error setContext(u32 context);
  llvm::Error set(Dim3 cta, unsigned warp, unsigned lane);
  /// One in flight, of any context; which of its warps is for set to say.
  void setLaunch(const GridRun &grid);

  // What is there.
  GridRun *gridIfAny() const { return gridOf(where.context); }
  /// Where there is one.
  GridRun &grid() const;
  /// Null when nothing runs or the warp's CTA is gone or in context storage.
  Warp *warp() const;
  /// Its pc.
  std::optional<u64> pc() const;
  const runtime::Prepared::Launch &launch() const { return *launchIn(where.context); }
  const Executable &executable() const { return *launch().executable; }
  const KernelInfo &kernel() const { return *launch().kernel; }
  Device &device() const { return work->device(where.context); }
  /// Of the grid; none: it has not trapped, or there is none.
  const std::optional<Trap> &trap() const;
  std::string describe(const Trap &trap) const;
  LaunchInFocus launchOf(u32 context) const;
  LaunchInFocus launchOf(GridRun &grid) const;

  // The machine around it.
  /// "a", or its number.
  std::string contextName(u32 context) const;
  /// What people read where there are several contexts: "context a" between these two; a launch alone: "".
  std::string contextIfSeveral(u32 context, llvm::StringRef before, llvm::StringRef after) const;
  bool isOnChip(const Cta &cta) const;
  /// Null when it does not run now, or its state is in context storage.
  Cta *findCta(u32 context, Dim3 index, u32 launch = 0) const;
  /// The context that was number `old`, by its name; else by its number; else any that launches something.
  u32 contextLike(u32 old, llvm::ArrayRef<std::string> oldNames) const;

  /// A place of its warp or CTA.
  Place own(Place place) const;

  // As expressions see it.
  WarpContext context() { return contextOf(warp(), where.lane, frame); }
  WarpContext contextOf(Warp *warp, unsigned lane, size_t frame = 0) {
    LaunchInFocus launch = launchAround(warp);
    launch.frame = frame;
    return {launch, warp, lane, user, timeline};
  }
  /// What debug information tells of a program. Read when it is first asked for.
  const source::Program &sourceOf(const Executable &program) const;
  const source::Program &source() const { return sourceOf(executable()); }
  /// Calls of the focused warp, with functions that were taken in. It has one.
  std::vector<CallFrame> callFrames() const;
  /// `warp` is of that context, or null.
  WarpContext contextOf(u32 number, Warp *warp, unsigned lane) {
    return {launchOf(number), warp, lane, user, timeline};
  }
  /// From now on its warp is compared with what it is now.
  void keepPast();
  void forgetPast() { before.reset(); }
  /// What its warp was then; null when that was another one.
  const WarpPast *past() const;
  PastContext contextOfPast(Warp *warp, unsigned lane) {
    return {launchAround(warp), warp, lane, user, timeline, *before};
  }
  /// Makes the changes of `set`; null: the launch has not started, and nothing can be changed.
  void setTimeline(Timeline *makes) { timeline = makes; }
  UserValues &userValues() { return user; }
  const UserValues &userValues() const { return user; }

private:
  u32 contextToBeginWith() const;
  GridRun *gridOf(u32 context) const;
  /// That a context runs, ran last or runs first; null: it launches nothing.
  const runtime::Prepared::Launch *launchIn(u32 context) const;
  LaunchInFocus launchAround(Warp *warp) const {
    return warp ? launchOf(warp->grid()) : launchOf(where.context);
  }

  runtime::Prepared *work;
  LanePosition where;
  UserValues user;
  std::optional<WarpPast> before;
  Timeline *timeline = nullptr;
  /// Types outlive their programs: values have them.
  mutable std::map<const Executable *, std::unique_ptr<source::Program>> sources;
  std::vector<std::unique_ptr<source::Program>> oldSources;
};

/// "3", "1,2", "(1,2,0)": missing coordinates are 0. Errors are TextErrors.
llvm::Expected<Dim3> parseIndex(llvm::StringRef text);
/// "7": a number from 0 to `most`. `what` names it in errors, which are TextErrors.
llvm::Expected<unsigned> parseNumber(llvm::StringRef text, unsigned most, llvm::StringRef what);

} // namespace leno::dbg

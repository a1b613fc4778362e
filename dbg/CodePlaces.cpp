#include "dbg/CodePlaces.h"
#include "asm/support/Assert.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace leno::dbg {

//===--- Names ------------------------------------------------------------===//

std::optional<u64> NamesOf::symbol(StringRef name) const {
  const Symbol *found = program.symbol(name);
  return found ? std::optional(found->address) : std::nullopt;
}

std::vector<std::string> NamesOf::symbols() const {
  std::vector<std::string> names;
  for (const Symbol &symbol : program.symbols())
    names.push_back(symbol.name);
  return names;
}

std::optional<SourceLine> NamesOf::hereLine() const {
  return pc ? program.line(*pc) : kernel ? program.line(kernel->entry) : std::nullopt;
}

std::vector<const Executable *> CodePlaces::programs() const {
  std::vector<const Executable *> all;
  for (u32 context = 0; context < focus.prepared().contextCount(); ++context)
    for (const auto &launch : focus.prepared().launches(context))
      if (!is_contained(all, launch.executable))
        all.push_back(launch.executable);
  return all;
}

//===--- Instructions -----------------------------------------------------===//

std::string CodePlaces::text(const Executable &program, u64 address) const {
  LENO_ASSERT(address % 8 == 0 && address / 8 < program.code().size(), "the text of what is no instruction");
  return decoder.print(program.code()[address / 8], address,
                       [&](u64 place) { return program.describe(place); });
}

u64 CodePlaces::endOf(const KernelInfo &kernel) const {
  if (kernel.bytes)
    return kernel.entry + kernel.bytes;
  // A file that does not say: up to the next function.
  for (const Symbol &symbol : focus.executable().symbols())
    if (symbol.isFunction && symbol.address > kernel.entry)
      return symbol.address;
  return names().codeBytes();
}

bool CodePlaces::uses(const Place &place, u64 pc, bool writes) const {
  llvm::MCInst inst;
  GridRun *run = focus.machine().grid(place.context, place.launch);
  ArrayRef<u64> code = (run ? focus.launchOf(*run) : focus.launchOf(place.context)).executable.code();
  if (pc % 8 != 0 || pc / 8 >= code.size() || !decoder.decode(code[pc / 8], inst))
    return false;
  Effects effects = decoder.effectsOf(inst);
  if (place.kind == Place::Predicate)
    return effects.touches(firstPredicate + place.number, writes);
  if (place.kind == Place::FlagBit) // dbg::Flag counts from the other end
    return effects.touches(flagsCell, writes, uint8_t(overflowFlag >> place.number));
  if (place.kind != Place::Register)
    return false;
  for (unsigned number = place.number; number < place.number + place.words; ++number)
    if (effects.touches(number, writes))
      return true;
  return false;
}

//===--- Finding ----------------------------------------------------------===//

Expected<CodePlaces::Found> CodePlaces::find(StringRef text) const {
  WarpContext values = focus.context();
  Expected<Location> location = parseLocation(text, names(), values);
  if (location)
    return Found{std::move(*location), &focus.executable()};
  // A line alone is of the program in focus, and an address of any.
  if (text.empty() || isDigit(text[0]) || text[0] == '*')
    return location.takeError();
  for (const auto &launch : focus.prepared().launches(focus.position().context)) {
    if (launch.executable == &focus.executable())
      continue;
    Expected<Location> found = parseLocation(text, NamesOf(*launch.executable), values);
    if (found) {
      consumeError(location.takeError());
      return Found{std::move(*found), launch.executable};
    }
    consumeError(found.takeError());
  }
  return location.takeError();
}

Expected<CodePlaces::Found> CodePlaces::find(StringRef text, const Executable &program) const {
  if (&program == &focus.executable())
    return find(text);
  Expected<Location> found = parseLocation(text, NamesOf(program), focus.context());
  if (!found)
    return found.takeError();
  return Found{std::move(*found), &program};
}

} // namespace leno::dbg

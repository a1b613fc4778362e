#include "emu/compiled/ImageWriter.h"
#include "emu/compiled/CodeImage.h"
#include "emu/compiled/TurnLoops.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/JITLink/ELF_x86_64.h"
#include "llvm/ExecutionEngine/JITLink/x86_64.h"
#include <tuple>

using namespace leno;
using namespace leno::compiled;
using namespace llvm;
using namespace llvm::jitlink;
using orc::ExecutorAddr;

namespace {

// Nobody else's addresses while it is linked: what is called lies farther than code reaches by a distance.
constexpr ExecutorAddr firstPage(u64(1) << 32), elsewhere(u64(1) << 46);

/// What comes of it, all at once.
struct Image final : JITLinkMemoryManager {
  CodeImage head{};
  std::vector<CodeImage::Function> functions;
  std::vector<CodeImage::Segment> segments;
  std::vector<CodeImage::Address> addresses;
  std::string names;
  std::vector<char> pages;
  Error error = Error::success();

  void fail(Error its) { error = joinErrors(std::move(error), std::move(its)); }
  u32 nameOf(StringRef name) {
    const size_t at = names.size();
    names += name;
    names += '\0';
    return u32(at);
  }
  u32 offsetOf(ExecutorAddr address) const { return u32(address - firstPage); }

  void allocate(const JITLinkDylib *, LinkGraph &graph, OnAllocatedFunction then) override {
    BasicLayout layout(graph);
    u64 size = 0;
    for (auto &[group, segment] : layout.segments()) {
      segment.Addr = firstPage + size;
      const u64 bytes = alignTo(segment.ContentSize + segment.ZeroFillSize, CodeImage::pageBytes);
      segments.push_back(
          {u32(size), u32(bytes), (group.getMemProt() & orc::MemProt::Exec) != orc::MemProt::None});
      size += bytes;
      if ((group.getMemProt() & orc::MemProt::Write) != orc::MemProt::None ||
          segment.Alignment > CodeImage::pageBytes || size > u64(1) << 30)
        return then(createStringError("code of a region has data that it writes, or is too large"));
    }
    pages.resize(size);
    for (auto &[group, segment] : layout.segments())
      segment.WorkingMem = pages.data() + offsetOf(segment.Addr);
    if (Error error = layout.apply())
      return then(std::move(error));
    then(std::make_unique<Written>());
  }
  /// Nothing is of the process.
  struct Written final : InFlightAlloc {
    void abandon(OnAbandonedFunction then) override { then(Error::success()); }
    void finalize(OnFinalizedFunction then) override { then(FinalizedAlloc(firstPage)); }
  };
  void deallocate(std::vector<FinalizedAlloc> those, OnDeallocatedFunction then) override {
    for (FinalizedAlloc &each : those)
      each.release();
    then(Error::success());
  }

  /// Behind the choice of where all lies.
  Error noteAddresses(LinkGraph &graph) {
    StringMap<u32> known;
    for (Block *block : graph.blocks())
      for (const Edge &edge : block->edges()) {
        const Symbol &target = edge.getTarget();
        if (edge.getKind() == x86_64::Pointer64) {
          CodeImage::Address its{offsetOf(block->getAddress() + edge.getOffset()),
                                 CodeImage::Address::ofPages, edge.getAddend()};
          if (target.isDefined()) {
            its.addend += s64(target.getAddress() - firstPage);
          } else {
            auto [found, isNew] = known.try_emplace(*target.getName(), 0);
            if (isNew)
              found->second = nameOf(*target.getName());
            its.name = found->second;
          }
          addresses.push_back(its);
        } else if (edge.isRelocation() && !target.isDefined())
          return createStringError(Twine("code of a region needs ") + *target.getName() + " beside it");
      }
    return Error::success();
  }
  Error noteFunctions(LinkGraph &graph) {
    auto isEntered = [](const Symbol *symbol) { return symbol->getScope() == Scope::Default; };
    auto hasTurns = [&](const Symbol *symbol) {
      return isEntered(symbol) && StringRef(*symbol->getName()).starts_with(turnsPrefix);
    };
    std::vector<Symbol *> all;
    for (Symbol *symbol : graph.defined_symbols())
      if (symbol->isCallable() && symbol->hasName())
        all.push_back(symbol);
    llvm::stable_sort(all, [&](const Symbol *a, const Symbol *b) {
      return std::tuple(!isEntered(a), hasTurns(a), a->getAddress()) <
             std::tuple(!isEntered(b), hasTurns(b), b->getAddress());
    });
    if (all.empty() || !isEntered(all.front()))
      return createStringError("an object has no function");
    head.hasTurns = all.size() > 1 && hasTurns(all[1]);
    for (const Symbol *each : all)
      functions.push_back({offsetOf(each->getAddress()), u32(each->getSize()), nameOf(*each->getName())});
    return Error::success();
  }
  std::string str() {
    head.bytes = u32(pages.size());
    head.functions = u32(functions.size());
    head.segments = u32(segments.size());
    head.addresses = u32(addresses.size());
    head.nameBytes = u32(names.size());
    std::string bytes;
    auto add = [&](const auto *from, size_t count) {
      bytes.append(reinterpret_cast<const char *>(from), count * sizeof(*from));
    };
    add(&head, 1);
    add(functions.data(), functions.size());
    add(segments.data(), segments.size());
    add(addresses.data(), addresses.size());
    add(names.data(), names.size());
    add(pages.data(), pages.size());
    return bytes;
  }
};

class Context final : public JITLinkContext {
public:
  explicit Context(Image &image) : JITLinkContext(nullptr), image(image) {}
  JITLinkMemoryManager &getMemoryManager() override { return image; }
  void notifyFailed(Error error) override { image.fail(std::move(error)); }
  void lookup(const LookupMap &symbols, std::unique_ptr<JITLinkAsyncLookupContinuation> then) override {
    AsyncLookupResult found;
    for (const auto &[name, flags] : symbols)
      found[name] = {elsewhere, JITSymbolFlags::Exported};
    then->run(std::move(found));
  }
  Error notifyResolved(LinkGraph &graph) override { return image.noteFunctions(graph); }
  void notifyFinalized(JITLinkMemoryManager::FinalizedAlloc memory) override { memory.release(); }
  Error modifyPassConfig(LinkGraph &, PassConfiguration &passes) override {
    passes.PreFixupPasses.push_back([this](LinkGraph &graph) { return image.noteAddresses(graph); });
    return Error::success();
  }

private:
  Image &image;
};

} // namespace

Expected<std::string> compiled::imageOf(StringRef object) {
  auto names = std::make_shared<orc::SymbolStringPool>(); // some are used behind the end of the graph
  auto graph = createLinkGraphFromELFObject_x86_64({object, "region"}, names);
  if (!graph)
    return graph.takeError();
  Image image;
  link_ELF_x86_64(std::move(*graph), std::make_unique<Context>(image));
  if (image.error)
    return std::move(image.error);
  return image.str();
}

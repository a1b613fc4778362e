//===- MemoryModel.h - A link of the chain to memory ----------------------===//
// Models of memory stand one behind the other (MemoryChain.h). Each is asked
// for bytes of a line in some cycle, asks the next one for what it does not
// have, and says in which cycle the answer is there. They have tags and times;
// values come from memory, so that results cannot depend on them.
//
// A model is a value: a copy goes on as the original would, which is all that a
// snapshot needs. It brings its keys (MachineKey.h) and its counts
// (CountTable.h). Who adds one writes it, and a row in MemoryChain.cpp.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/CountTable.h"
#include "emu/StateHash.h"
#include "emu/memory/ByteMask.h"
#include "emu/memory/CacheView.h"
#include "emu/memory/Divisor.h"
#include "emu/memory/MemoryAccess.h"
#include <algorithm>
#include <memory>

namespace leno {

struct MemoryRequest {
  /// On whose behalf. Constant: of the constants' L2. Walk: a model's own.
  enum Sender : u8 { Global, Local, Stack, Host, Instruction, Constant, Walk };
  u64 address;  ///< of the line's first byte: the context's virtual one of Global and Host, else physical
  u64 physical; ///< where that is
  u64 lineBytes;
  ByteMask bytes; ///< of the line
  MemoryAccess::Kind kind;
  Sender sender;
  unsigned port;                             ///< the SM, or behind the last one the host
  u64 context;                               ///< where the memory begins that its context's driver has
  isa::LoadCache cache = isa::LoadCache::CA; ///< of a load

  /// A context's part of the driver's memory begins at a multiple of that.
  static constexpr u64 contextBytes = u64(1) << 42;
  /// Where the line is for caches that several contexts share and find by virtual addresses.
  u64 addressInContext() const { return sender == Global ? context + address : address; }
};

/// The same in lines of other models: calls each(request).
template <class Each> void inLines(const MemoryRequest &request, const Divisor &lineBytes, const Each &each) {
  if (request.lineBytes == lineBytes) {
    each(request);
    return;
  }
  MemoryRequest part = request;
  part.lineBytes = lineBytes;
  if (request.lineBytes < lineBytes) {
    u64 before = lineBytes.remainder(request.physical);
    part.address -= before;
    part.physical -= before;
    part.bytes = request.bytes.movedUp(before);
    each(part);
    return;
  }
  for (u64 first = 0; first < request.lineBytes; first += lineBytes) {
    part.address = request.address + first;
    part.physical = request.physical + first;
    part.bytes = request.bytes.part(first, lineBytes);
    if (part.bytes.any())
      each(part);
  }
}

struct MemoryAnswer {
  u64 cycle; ///< in which it is there; of a store, complete
  bool hit;  ///< the one who was asked had it
  u64 atSlice = 0, atLink = 0; ///< of that time, cycles behind others in a slice's queue, and in the link's
};

class MemoryModel;

/// What lies behind a model.
class MemoryPath {
public:
  virtual MemoryAnswer ask(size_t model, const MemoryRequest &request, u64 cycle) = 0;
  /// What who asks counts of a model of SMs.
  virtual u64 *row(size_t model, unsigned sm) { return nullptr; }

protected:
  ~MemoryPath() = default;
};

/// From a model on.
class MemoryBehind {
public:
  MemoryBehind(MemoryPath &path, size_t next) : path(path), next(next) {}
  MemoryAnswer access(const MemoryRequest &request, u64 cycle) const {
    return path.ask(next, request, cycle);
  }
  /// The counts of who asks, in the model's table and of the SM.
  u64 *row(unsigned sm) const { return path.row(next - 1, sm); }

private:
  MemoryPath &path;
  size_t next;
};

class MemoryModel {
public:
  virtual ~MemoryModel() = default;
  virtual std::unique_ptr<MemoryModel> clone() const = 0;
  virtual MemoryAnswer access(const MemoryRequest &request, u64 cycle, const MemoryBehind &behind) = 0;
  /// The lines that it wants to be asked for; 0: any.
  virtual u64 lineBytes() const { return 0; }
  /// Other work of a context comes to the SM: it finds nothing of its own there.
  virtual void arrive(unsigned sm, u64 context) {}
  /// Those of a model of SMs have no rows: what a grid meets there is counted by its chain
  /// (MemoryBehind::row).
  virtual CountTables counts() const { return {}; }
  /// The caches that it has, to be looked at while it stands still.
  virtual std::vector<CacheView> cacheViews() const { return {}; }
  /// All of it but the counts.
  virtual void addTo(StateHash &hash) const = 0;
};

/// Models in a row; copies are copies of all.
class MemoryModels final : public MemoryPath {
public:
  MemoryModels() = default;
  MemoryModels(const MemoryModels &other) { *this = other; }
  MemoryModels &operator=(const MemoryModels &other) {
    std::vector<std::unique_ptr<MemoryModel>> copies;
    for (const auto &model : other.models)
      copies.push_back(model->clone());
    models = std::move(copies);
    latestCycle = other.latestCycle;
    return *this;
  }
  MemoryModels(MemoryModels &&) = default;
  MemoryModels &operator=(MemoryModels &&) = default;

  void add(std::unique_ptr<MemoryModel> model) { models.push_back(std::move(model)); }
  bool empty() const { return models.empty(); }
  auto begin() const { return models.begin(); }
  auto end() const { return models.end(); }
  size_t size() const { return models.size(); }
  MemoryAnswer ask(size_t model, const MemoryRequest &request, u64 cycle) override {
    return askIn(*this, model, request, cycle);
  }
  /// Where `path` continues behind the last model.
  MemoryAnswer askIn(MemoryPath &path, size_t model, const MemoryRequest &request, u64 cycle) {
    if (model == 0)
      latestCycle = std::max(latestCycle, cycle);
    return models[model]->access(request, cycle, MemoryBehind(path, model + 1));
  }
  /// The last cycle in which somebody asked.
  u64 latest() const { return latestCycle; }
  /// That the first one with a wish wants; 0: none.
  u64 lineBytes() const {
    u64 wanted = 0;
    for (size_t i = 0; i < models.size() && !wanted; ++i)
      wanted = models[i]->lineBytes();
    return wanted;
  }
  void arrive(unsigned sm, u64 context) {
    for (const auto &model : models)
      model->arrive(sm, context);
  }
  void addTo(StateHash &hash) const {
    hash.number(latestCycle);
    for (const auto &model : models)
      model->addTo(hash);
  }
  CountTables counts() const {
    CountTables all;
    for (const auto &model : models)
      llvm::append_range(all, model->counts());
    return all;
  }
  std::vector<CacheView> cacheViews() const {
    std::vector<CacheView> all;
    for (const auto &model : models)
      llvm::append_range(all, model->cacheViews());
    return all;
  }
  /// The model of that type; null: it is not there.
  template <class Model> const Model *find() const {
    for (const auto &model : models)
      if (const auto *found = dynamic_cast<const Model *>(model.get()))
        return found;
    return nullptr;
  }

private:
  std::vector<std::unique_ptr<MemoryModel>> models;
  u64 latestCycle = 0;
};

/// That the contexts of a machine share.
struct SharedModels {
  MemoryModels memorySide{};
  MemoryModels ofSms{}; ///< where an SM has several of them; else each grid has its own
};

} // namespace leno

//===- Observers.h - Lists of observers, and tools that are values --------===//
#pragma once
#include "emu/observe/Observer.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

namespace leno {

/// A tool whose members are all it knows: copies of them go into snapshots, and those of parts of a grid are
/// added by operator+=.
template <class T> class ValueObserver : public Observer {
public:
  std::unique_ptr<Observer> clone() const override { return std::make_unique<T>(); }
  void merge(Observer &part) override { self() += std::exchange(static_cast<T &>(part), T()); }
  std::unique_ptr<Observer> save() const override {
    return std::make_unique<T>(static_cast<const T &>(*this));
  }
  void restore(const Observer &saved) override { self() = static_cast<const T &>(saved); }

private:
  T &self() { return static_cast<T &>(*this); }
};

/// Those who watch something, and what each knew when it came: that is what it goes back to where a snapshot
/// is older than it.
class ObserverList {
public:
  void add(Observer &observer) { all.push_back({&observer, observer.save()}); }
  void remove(Observer &observer) {
    llvm::erase_if(all, [&](const Entry &entry) { return entry.observer == &observer; });
  }
  bool empty() const { return all.empty(); }
  template <class F> void forEach(F &&use) const {
    for (const Entry &entry : all)
      use(*entry.observer);
  }

  // For Snapshot.
  using Saved = std::vector<std::pair<const Observer *, std::unique_ptr<Observer>>>;
  Saved save() const {
    Saved saved;
    for (const Entry &entry : all)
      saved.emplace_back(entry.observer, entry.observer->save());
    return saved;
  }
  void restore(const Saved &saved) {
    for (const Entry &entry : all) {
      auto found = llvm::find_if(saved, [&](const auto &one) { return one.first == entry.observer; });
      if (const auto &state = found != saved.end() ? found->second : entry.asAdded)
        entry.observer->restore(*state);
    }
  }

private:
  struct Entry {
    Observer *observer;
    std::unique_ptr<Observer> asAdded;
  };
  std::vector<Entry> all;
};

} // namespace leno

//===- ContextStorage.h - Where the state of an SM waits [S4] -------------===//
// S4: cores "store the old context state in a context storage" and restore it
// later; how many cycles that takes "depends on the amount of active state and
// the interface bandwidth". What is stored is what an SM holds of its resident
// CTAs: registers, predicates, codes, PC, masks, the stack's entries on chip
// and shared memory. Memory, spilled entries and local memory stay where they
// are.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/sm/StreamingMultiprocessor.h"
#include <deque>

namespace leno {

class ContextStorage {
public:
  /// Takes the state off the chip: what is left there is worthless until restored. Returns its bytes.
  u64 store(StreamingMultiprocessor &part);
  /// Puts the state that has been stored longest back, and returns its bytes.
  u64 restore(StreamingMultiprocessor *&part);

  /// The part that is restored next; there is one.
  const StreamingMultiprocessor *next() const { return images.front().part; }
  bool empty() const { return images.empty(); }
  size_t size() const { return images.size(); }
  u64 bytes() const; ///< held now
  bool holds(const StreamingMultiprocessor &part) const;
  /// The state of this number (StreamingMultiprocessor::identity), of any grid.
  bool holdsState(unsigned identity) const;
  /// What is of this grid is gone.
  void forget(const GridRun &grid);
  void addTo(StateHash &hash) const {
    for (const Image &image : images) {
      hash.number(image.part->identity());
      hash.bytes(image.bytes.data(), image.bytes.size());
    }
  }

private:
  struct Image {
    StreamingMultiprocessor *part;
    std::vector<u8> bytes;
  };
  std::deque<Image> images;
};

} // namespace leno

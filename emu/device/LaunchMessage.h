//===- LaunchMessage.h - Instructions and launch parameters in a message [S3]
// S3: a message holds "instructions" and "data", and the parallel unit "reads
// the instructions and data from the message and executes" them. Here: all of
// a launch that the machine itself needs, in words of 32 bits:
//
//     0       words of code, of 64 bits
//     1       the entry, in bytes
//     2..7    grid and block, x y z
//     8..11   bytes of shared memory, of a lane's local memory, registers of
//             a lane, bytes of parameters
//     12..19  c[0]'s words of the host
//     20..    parameters, then code, its low words first
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/launch/GridRun.h"

namespace leno {

struct LaunchMessage {
  static constexpr size_t headWords = 20;
  static std::vector<u32> of(const Program &program, const LaunchSpec &spec);
  /// Fails where the words hold no launch, with what is wrong.
  static llvm::Expected<LaunchMessage> read(llvm::ArrayRef<u32> words);
  /// The program, where it is the one that they have.
  bool isCodeOf(const Program &program) const;

  std::vector<u64> code;
  LaunchSpec spec; ///< what the words tell of it
};

/// How far the front end is with a context's message that holds a launch. It polls the ready value, and reads
/// word by word as a core would.
struct LaunchReading {
  bool isActive = false;
  bool isFound = false; ///< it reads words
  bool isAgain = false; ///< the ready value is being read again
  u32 channel = 0;      ///< of MessageTraffic
  u64 freeAt = 0;
  u32 value = 0; ///< that the read under way has seen
  MemoryChain::Placed times{};
  std::vector<u32> words{};
  std::map<u32, u64> taken{}; ///< messages, by channel: the next one's number is one more
  u64 number() const {
    auto found = taken.find(channel);
    return found == taken.end() ? 1 : found->second + 1;
  }
};

} // namespace leno

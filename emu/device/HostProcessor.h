//===- HostProcessor.h - The CPU on the machine's clock [S3] --------------===//
// With host.model=clock. Programs of the host send messages to kernels that
// run and take their replies, and each of their accesses takes time: S3's. A
// write leaves in each cycle, the ready value last, and lands when it is
// complete. Reads follow one another, and see what has landed in the cycle in
// which they are issued. What goes to the device is over the link first, and
// only then in the crossbar.
//
// A program that has nothing to do polls for the replies that it has not
// taken. Of replies in the cores' caches it reads the ready value again after
// each word, as cores do of messages in the CPU's (Messages.md).
//
// It is a value: a copy goes on as the original would.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/device/Context.h"
#include "emu/device/DeviceEvent.h"
#include "emu/memory/HostSide.h"
#include "emu/memory/MessageTraffic.h"
#include <deque>

namespace leno {

struct HostStep {
  enum Kind : u8 {
    Send,   ///< `words`, the next message of the channel
    Expect, ///< waits for its oldest reply that nothing has been expected of: `words`, or any
    Wait,   ///< computes for so many `cycles`
    At,     ///< does nothing until that one of the `cycles` has come
    Stop,   ///< takes all replies of the channel, and tells the kernel to end
  } kind;
  u32 channel = 0; ///< of the program's
  u64 cycles = 0;
  std::vector<u32> words{};
};

class HostProcessor {
public:
  explicit HostProcessor(const MachineConfig &config);

  /// A program of a context, with channels of its MessageTraffic. `isOpen`: more steps may come; otherwise it
  /// stops its channels after the last one.
  u32 addProgram(u32 context, const std::vector<u32> &channels, bool isOpen);
  /// Before the cycle that comes.
  void addStep(u32 program, HostStep step);
  /// It has failed as its context had nothing left to reply: it goes on.
  void resume(u32 program);

  struct Channel {
    u32 traffic;
    u64 sent = 0, taken = 0, expected = 0;
    bool isStopped = false;
    std::map<u64, std::vector<u32>> replies{}; ///< that nobody has asked for, by the message's number
  };
  /// One that is not what it was expected to be.
  struct Mismatch {
    size_t step; ///< of all that the program has had
    u64 number;
    std::vector<u32> reply;
  };
  struct Program {
    u32 context;
    bool isOpen;
    std::vector<Channel> channels;
    std::deque<std::shared_ptr<const HostStep>> steps{}; ///< to come
    size_t taken = 0;                                    ///< steps that it has done, or does
    std::string failure{};                               ///< not empty: it waits for what cannot come
    std::vector<Mismatch> mismatches{};

    // What it does now.
    enum Doing : u8 { Nothing, Writing, Polling, Reading } doing = Nothing;
    u64 freeAt = 0;    ///< goes on then; never: when an answer is there
    u32 channel = 0;   ///< of it
    u64 number = 0;    ///< the message
    size_t place = 0;  ///< of its writes or reads
    std::vector<std::pair<u64, u32>> writes{}; ///< addresses and words
    std::vector<u32> words{};                  ///< read so far
    bool isAgain = false;                      ///< the ready value is being read again
    u32 value = 0;                             ///< that a read has seen
    MemoryChain::Placed times{};     ///< of a read
    u64 landing = 0;                 ///< of all its writes
    u64 unqueued = 0;                ///< the same, had there been no queues
  };
  const std::vector<Program> &programs() const { return all; }
  /// Takes a reply that has come: its message and words.
  std::optional<std::pair<u64, std::vector<u32>>> takeReply(u32 program, u32 channel);

  /// What it needs of the machine.
  struct Surroundings {
    MemoryModels &memory;
    llvm::ArrayRef<std::unique_ptr<Context>> contexts;
    llvm::function_ref<void(const DeviceEvent &)> tell;
  };
  /// What happens in cycle `now`. True: something has changed in memory.
  bool step(u64 now, const Surroundings &machine);
  /// When something happens next. `polls`: though it be only a poll for what may never come.
  u64 nextCycle(llvm::ArrayRef<std::unique_ptr<Context>> contexts, bool polls) const;
  /// Nothing is on its way, and no program has anything to do.
  bool isIdle(llvm::ArrayRef<std::unique_ptr<Context>> contexts) const;
  CountTables counts() const { return {link.counts("linkToDevice", "link to the device")}; }
  void addTo(StateHash &hash) const;

private:
  struct Access {
    u32 program;
    bool isRead;
    u64 address;
    u32 word;
    u32 channel;
    u64 message; ///< not 0: it is its ready value
    u64 atLink = 0;
  };
  bool onlyPolls(const Program &program, llvm::ArrayRef<std::unique_ptr<Context>> contexts) const;
  void act(Program &program, u64 now, const Surroundings &machine);
  void choose(Program &program, u64 now, const Surroundings &machine);
  bool poll(Program &program, u32 channel, u64 now, const Surroundings &machine);
  bool pollAny(Program &program, u64 now, const Surroundings &machine);
  void compare(Program &program, const HostStep &step, u64 number);
  void stop(Program &program, u32 channel, u64 now, const Surroundings &machine);
  void read(Program &program, u64 address, u64 now, const Surroundings &machine);
  void issue(Access access, u64 now, const Surroundings &machine);
  void arrive(const Access &access, u64 now, const Surroundings &machine);

  u64 bytesOfLine, pollInterval;
  unsigned port;
  HostLink link;
  std::deque<std::pair<u64, Access>> crossing; ///< by when they are over the link
  std::vector<Program> all;
};

} // namespace leno

//===- LenoTargetStreamer.h - Kernels, as the assembler sees them ---------===//
#pragma once

#include "asm/CodePlaces.h"
#include "asm/CodeRecorder.h"
#include "asm/KernelInfo.h"
#include "asm/Listing.h"

#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/FormattedStream.h"

namespace leno {

/// Collects `.kernel` blocks while the parser runs, and writes them where the streamer writes: as directives
/// into text, as symbols and the note into an object.
class LenoTargetStreamer : public llvm::MCTargetStreamer {
public:
  explicit LenoTargetStreamer(llvm::MCStreamer &streamer) : MCTargetStreamer(streamer) {}

  bool inKernel() const { return open; }
  const KernelInfo *kernel() const { return open ? &module.kernels.back() : nullptr; }
  const ModuleInfo &info() const { return module; }

  void beginKernel(llvm::StringRef name);
  /// At the next place that its type can have.
  void addParam(KernelParam param);
  /// Of the parameters that are added next.
  void addArgument(KernelArgument argument);
  void setBlock(const std::array<uint32_t, 3> &block);
  void setHints(std::string text);
  void addShared(llvm::StringRef name, uint32_t bytes, uint32_t alignment);
  void setLocal(uint32_t bytes);
  void setRegisters(uint32_t count);
  void endKernel(std::vector<RegisterName> names, std::vector<SharedUse> sharedUses = {});
  /// Called for every instruction: the registers and barriers it touches reach up to these, exclusive.
  void noteInstruction(const llvm::MCInst &inst, uint32_t registers, uint32_t barriers);
  /// Called for every directive that puts data where the streamer is.
  void noteData(llvm::SMLoc loc);
  void emitLabel(llvm::MCSymbol *symbol) override;
  /// Where to note what each statement gives, for `-l`; null: nowhere.
  Listing *listing = nullptr;
  bool notesSharedUses = false; ///< AssembleOptions::sharedUses
  /// What the static checker found; empty until the end, and in text output.
  const CodeRecorder &recorder() const { return code; }
  const CodePlaces &codePlaces() const { return places; }
  bool writesObject() const { return records; }

protected:
  virtual void kernelBegun(const KernelInfo &) {}
  virtual void paramAdded(const KernelParam &) {}
  virtual void argumentAdded(const KernelArgument &) {}
  virtual void blockSet(const std::array<uint32_t, 3> &) {}
  virtual void hintsSet(llvm::StringRef) {}
  virtual void sharedAdded(const SharedVariable &) {}
  virtual void localSet(uint32_t) {}
  virtual void registersSet(uint32_t) {}
  virtual void kernelEnded(const KernelInfo &) {}

  ModuleInfo module;
  CodeRecorder code;
  CodePlaces places;
  bool records = false; ///< whether this writes an object: then the static checker is fed, and places noted

private:
  bool inCode() const;
  bool open = false;
  llvm::MCSection *kernelSection = nullptr; ///< of the open kernel's code
};

/// For `--show-encoding`: prints the directives back.
class LenoAsmTargetStreamer : public LenoTargetStreamer {
public:
  LenoAsmTargetStreamer(llvm::MCStreamer &streamer, llvm::raw_ostream &os)
      : LenoTargetStreamer(streamer), os(os) {}

protected:
  void kernelBegun(const KernelInfo &kernel) override;
  void paramAdded(const KernelParam &param) override;
  void argumentAdded(const KernelArgument &argument) override;
  void blockSet(const std::array<uint32_t, 3> &block) override;
  void hintsSet(llvm::StringRef text) override;
  void sharedAdded(const SharedVariable &variable) override;
  void localSet(uint32_t bytes) override;
  void registersSet(uint32_t count) override;
  void kernelEnded(const KernelInfo &kernel) override;

private:
  llvm::raw_ostream &os;
};

/// For objects: kernels become global function symbols, the metadata a note.
class LenoELFTargetStreamer : public LenoTargetStreamer {
public:
  explicit LenoELFTargetStreamer(llvm::MCStreamer &streamer) : LenoTargetStreamer(streamer) {
    records = true;
  }
  void finish() override;

protected:
  void kernelBegun(const KernelInfo &kernel) override;
  void kernelEnded(const KernelInfo &kernel) override;
};

} // namespace leno

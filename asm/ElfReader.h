//===- ElfReader.h - Checked access to our ELF files ----------------------===//
#pragma once

#include "asm/KernelInfo.h"
#include "asm/LenoMCTargetDesc.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace leno {

using Elf = llvm::object::ELFFile<llvm::object::ELF64LE>;
using ElfSection = Elf::Elf_Shdr;
using ElfSymbol = Elf::Elf_Sym;

/// The error of a file, with its name in front.
llvm::Error fileError(llvm::MemoryBufferRef file, const llvm::Twine &what);
llvm::Error fileError(llvm::MemoryBufferRef file, llvm::Error error);

/// Opens an ELF file of ours: magic, class, byte order, machine and version are checked and named when they
/// differ.
llvm::Expected<Elf> openElf(llvm::MemoryBufferRef file);

/// Each symbol of a table with its name, in order; the first error ends it, with the file's name in front.
llvm::Error
forEachSymbol(llvm::MemoryBufferRef file, const Elf &elf, const ElfSection &table,
              llvm::function_ref<llvm::Error(const ElfSymbol &symbol, llvm::StringRef name)> each);

/// A section's bytes. Where the file has them compressed (SHF_COMPRESSED) they are decompressed into
/// `storage`; damaged ones are an error with the file's and the section's name.
llvm::Expected<llvm::ArrayRef<uint8_t>> sectionBytes(llvm::MemoryBufferRef file, const Elf &elf,
                                                     const ElfSection &section,
                                                     llvm::SmallVectorImpl<uint8_t> &storage);
/// The alignment of those bytes.
uint64_t sectionAlignment(const Elf &elf, const ElfSection &section);

/// The bytes of the note that carries the metadata, and back.
std::string encodeNote(const ModuleInfo &module);
/// The kernels' metadata of a file; empty when it has no note.
llvm::Expected<ModuleInfo> readModuleInfo(const Elf &elf);

} // namespace leno

//===- ElfReader.cpp - Checked access to our ELF files --------------------===//
#include "asm/ElfReader.h"

#include "asm/Linker.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/Decompressor.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace leno {

Error fileError(MemoryBufferRef file, const Twine &what) {
  return createStringError(file.getBufferIdentifier() + ": " + what);
}
Error fileError(MemoryBufferRef file, Error error) { return fileError(file, toString(std::move(error))); }

/// The compressed sections of a file together have no more bytes: no line table is longer.
constexpr uint64_t maxUncompressed = uint64_t(1) << 28;

static const Elf::Elf_Chdr &compressionHeader(ArrayRef<uint8_t> contents) {
  return *reinterpret_cast<const Elf::Elf_Chdr *>(contents.data());
}

/// What a section says of its compression, before anybody believes it.
static Error checkCompressed(const Elf &elf, const ElfSection &section, ArrayRef<uint8_t> contents,
                             uint64_t &total) {
  Expected<StringRef> name = elf.getSectionName(section);
  if (!name)
    return name.takeError();
  if (section.sh_flags & ELF::SHF_ALLOC || section.sh_type != ELF::SHT_PROGBITS)
    return createStringError("section " + *name +
                             " is compressed; only sections of debug information can be");
  if (contents.size() < sizeof(Elf::Elf_Chdr))
    return createStringError("section " + *name + " is too short for its compression header");
  uint64_t size = compressionHeader(contents).ch_size;
  if (size > maxUncompressed || (total += size) > maxUncompressed)
    return createStringError("its compressed sections claim more than " + Twine(maxUncompressed) +
                             " bytes, " + *name + " alone " + Twine(size));
  return Error::success();
}

Expected<ArrayRef<uint8_t>> sectionBytes(MemoryBufferRef file, const Elf &elf, const ElfSection &section,
                                         SmallVectorImpl<uint8_t> &storage) {
  Expected<ArrayRef<uint8_t>> contents = elf.getSectionContents(section);
  if (!contents)
    return fileError(file, contents.takeError());
  if (!(section.sh_flags & ELF::SHF_COMPRESSED))
    return contents;
  Expected<StringRef> name = elf.getSectionName(section);
  if (!name)
    return fileError(file, name.takeError());
  // openElf() has checked the header.
  auto damaged = [&](Error error) {
    return fileError(file, "section " + *name + " cannot be decompressed: " + toString(std::move(error)));
  };
  Expected<object::Decompressor> decompressor =
      object::Decompressor::create(*name, toStringRef(*contents), /*IsLE=*/true, /*Is64Bit=*/true);
  if (!decompressor)
    return damaged(decompressor.takeError());
  if (Error error = decompressor->resizeAndDecompress(storage))
    return damaged(std::move(error));
  return ArrayRef<uint8_t>(storage);
}

uint64_t sectionAlignment(const Elf &elf, const ElfSection &section) {
  if (!(section.sh_flags & ELF::SHF_COMPRESSED))
    return section.sh_addralign;
  return compressionHeader(cantFail(elf.getSectionContents(section))).ch_addralign;
}

Expected<Elf> openElf(MemoryBufferRef file) {
  StringRef bytes = file.getBuffer();
  if (!bytes.starts_with("\x7f"
                         "ELF"))
    return fileError(file, "this is not an ELF file");
  if (bytes.size() < sizeof(Elf::Elf_Ehdr))
    return fileError(file,
                     "the file is cut short: " + Twine(bytes.size()) + " bytes, less than an ELF header");
  if (bytes[ELF::EI_CLASS] != ELF::ELFCLASS64 || bytes[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return fileError(file, "this ELF file is for another machine: Leno's files are 64-bit little-endian");
  uint16_t machine = support::endian::read16le(bytes.data() + offsetof(Elf::Elf_Ehdr, e_machine));
  if (machine != elfMachine)
    return fileError(file,
                     formatv("this ELF file is for another machine: its machine number is {0}, Leno's is {1}",
                             machine, elfMachine));
  uint32_t version = support::endian::read32le(bytes.data() + offsetof(Elf::Elf_Ehdr, e_flags));
  if (version != elfVersion)
    return fileError(
        file, formatv("its encoding has version {0}; this toolchain knows version {1}: assemble it again",
                      version, elfVersion));
  Expected<Elf> elf = Elf::create(bytes);
  if (!elf)
    return fileError(file, elf.takeError());
  // Everything that follows reads sections: look at all of them once, so that a cut file is told as such.
  Expected<Elf::Elf_Shdr_Range> sections = elf->sections();
  if (!sections)
    return fileError(file, "the file is damaged or cut short: " + toString(sections.takeError()));
  uint64_t uncompressed = 0;
  for (const ElfSection &section : *sections)
    if (section.sh_type != ELF::SHT_NOBITS) {
      Expected<ArrayRef<uint8_t>> contents = elf->getSectionContents(section);
      if (!contents)
        return fileError(file, "the file is damaged or cut short: " + toString(contents.takeError()));
      if (section.sh_flags & ELF::SHF_COMPRESSED)
        if (Error error = checkCompressed(*elf, section, *contents, uncompressed))
          return fileError(file, "the file is damaged: " + toString(std::move(error)));
    } else if (section.sh_flags & ELF::SHF_COMPRESSED) {
      return fileError(file, "the file is damaged: a section of zeroes is compressed");
    } else if (constexpr uint64_t most = uint64_t(1) << 32; section.sh_size > most) {
      return fileError(file, "a section of zeroes has " + Twine(section.sh_size) + " bytes; the most is " +
                                 Twine(most));
    }
  return elf;
}

Error forEachSymbol(MemoryBufferRef file, const Elf &elf, const ElfSection &table,
                    function_ref<Error(const ElfSymbol &, StringRef)> each) {
  auto symbols = elf.symbols(&table);
  auto strings = elf.getStringTableForSymtab(table);
  if (!symbols || !strings)
    return fileError(file, joinErrors(symbols ? Error::success() : symbols.takeError(),
                                      strings ? Error::success() : strings.takeError()));
  for (const ElfSymbol &symbol : *symbols) {
    Expected<StringRef> name = symbol.getName(*strings);
    if (!name)
      return fileError(file, name.takeError());
    if (Error error = each(symbol, *name))
      return error;
  }
  return Error::success();
}

// An ELF note: sizes, type, padded name, padded description (ELF specification, note section).
std::string encodeNote(const ModuleInfo &module) {
  std::string description = encodeModuleInfo(module), bytes;
  raw_string_ostream os(bytes);
  support::endian::Writer out(os, endianness::little);
  StringRef name(noteName);
  out.write<uint32_t>(name.size() + 1);
  out.write<uint32_t>(description.size());
  out.write<uint32_t>(noteType);
  os << name;
  os.write_zeros(1 + offsetToAlignment(name.size() + 1, Align(4)));
  os << description;
  os.write_zeros(offsetToAlignment(description.size(), Align(4)));
  return bytes;
}

Expected<ModuleInfo> readModuleInfo(const Elf &elf) {
  auto sections = elf.sections();
  if (!sections)
    return sections.takeError();
  for (const ElfSection &section : *sections) {
    if (section.sh_type != ELF::SHT_NOTE)
      continue;
    Expected<StringRef> name = elf.getSectionName(section);
    if (!name)
      return name.takeError();
    if (*name != noteSection)
      continue;
    Expected<ArrayRef<uint8_t>> bytes = elf.getSectionContents(section);
    if (!bytes)
      return bytes.takeError();
    // namesz, descsz, type, name padded to 4, description.
    size_t header = 12 + alignTo(StringRef(noteName).size() + 1, 4);
    if (bytes->size() < header)
      return createStringError("the kernel metadata is cut short");
    uint32_t nameSize = support::endian::read32le(bytes->data());
    uint32_t size = support::endian::read32le(bytes->data() + 4),
             type = support::endian::read32le(bytes->data() + 8);
    if (nameSize != StringRef(noteName).size() + 1 || type != noteType || size > bytes->size() - header)
      return createStringError("the kernel metadata is not a Leno note");
    return decodeModuleInfo(toStringRef(bytes->slice(header, size)));
  }
  return ModuleInfo();
}

Expected<FileKind> identifyFile(MemoryBufferRef file) {
  StringRef bytes = file.getBuffer();
  if (!bytes.starts_with("\x7f"
                         "ELF")) {
    if (bytes.starts_with("!<arch>\n") || bytes.starts_with("!<thin>\n"))
      return fileError(file, "this is an archive of objects: link it with leno-ld");
    // Text has no zero byte.
    if (size_t zero = bytes.take_front(4096).find('\0'); zero != StringRef::npos)
      return fileError(file,
                       "this is neither an ELF file nor assembly text: byte " + Twine(zero) + " is zero");
    return FileKind::Source;
  }
  Expected<Elf> elf = openElf(file);
  if (!elf)
    return elf.takeError();
  switch (elf->getHeader().e_type) {
  case ELF::ET_REL:
    return FileKind::Object;
  case ELF::ET_EXEC:
    return FileKind::Executable;
  default:
    return fileError(file, "this ELF file is neither an object nor an executable (type " +
                               Twine(elf->getHeader().e_type) + ")");
  }
}

} // namespace leno

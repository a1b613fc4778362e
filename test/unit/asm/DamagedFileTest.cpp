// What a file says that is not as our tools write it is told, whatever part of it is damaged.
#include "asm/Assembler.h"
#include "asm/ElfReader.h"
#include "asm/Executable.h"
#include "asm/LenoFixupKinds.h"
#include "asm/Linker.h"
#include "asm/ObjectDump.h"
#include "gtest/gtest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace leno;

namespace {

using Bytes = SmallVector<char, 0>;

MemoryBufferRef bufferOf(const Bytes &bytes) {
  return MemoryBufferRef(StringRef(bytes.data(), bytes.size()), "file");
}

constexpr const char *program = R"(
  .const 2
table: .word 1, 2
  .global
  .balign 8
datum: .quad datum
  .bss
more: .zero 8
  .kernel k
  .param u32 n
  .shared tile, 16
  MOV R1, c[2][table];
  CAL elsewhere;
  EXIT;
  .endkernel
elsewhere:
  RET;
  .globl elsewhere, table
)";

Bytes makeObject(const char *text = program) {
  std::string messages;
  raw_string_ostream os(messages);
  auto made = assemble(MemoryBuffer::getMemBufferCopy(text, "text"), AssembleOptions(), os);
  EXPECT_TRUE(bool(made)) << messages;
  return std::move(*made);
}
Bytes makeExecutable(const char *text = program) {
  Bytes from = makeObject(text);
  auto made = link(bufferOf(from));
  EXPECT_TRUE(bool(made)) << toString(made.takeError());
  return std::move(*made);
}

/// A file that can be changed.
struct Changed {
  Bytes bytes;
  Elf::Elf_Ehdr &header() { return *reinterpret_cast<Elf::Elf_Ehdr *>(bytes.data()); }
  ElfSection &section(StringRef name) {
    Elf elf = cantFail(Elf::create(StringRef(bytes.data(), bytes.size())));
    for (const ElfSection &section : cantFail(elf.sections()))
      if (cantFail(elf.getSectionName(section)) == name)
        return const_cast<ElfSection &>(section);
    ADD_FAILURE() << "no section " << name.str();
    return *reinterpret_cast<ElfSection *>(bytes.data());
  }
  uint16_t number(StringRef name) {
    return uint16_t(&section(name) - reinterpret_cast<ElfSection *>(bytes.data() + header().e_shoff));
  }
  char *contents(StringRef name) { return bytes.data() + section(name).sh_offset; }
  ElfSymbol &symbol(StringRef name) {
    Elf elf = cantFail(Elf::create(StringRef(bytes.data(), bytes.size())));
    const ElfSection &table = section(".symtab");
    StringRef strings = cantFail(elf.getStringTableForSymtab(table));
    for (const ElfSymbol &symbol : cantFail(elf.symbols(&table)))
      if (cantFail(symbol.getName(strings)) == name)
        return const_cast<ElfSymbol &>(symbol);
    ADD_FAILURE() << "no symbol " << name.str();
    return *reinterpret_cast<ElfSymbol *>(bytes.data());
  }
  Elf::Elf_Rela &relocation(StringRef section) {
    return *reinterpret_cast<Elf::Elf_Rela *>(contents(section));
  }
  /// The first place of `text` becomes another of the same length.
  void replace(StringRef text, StringRef with) {
    auto at = std::search(bytes.begin(), bytes.end(), text.begin(), text.end());
    ASSERT_NE(at, bytes.end());
    llvm::copy(with, at);
  }
};

using Damage = function_ref<void(Changed &)>;

std::string loadError(Bytes file, Damage damage) {
  Changed image{std::move(file)};
  damage(image);
  auto loaded = Executable::load(bufferOf(image.bytes));
  return loaded ? "loaded" : toString(loaded.takeError());
}
std::string linkError(Bytes file, Damage damage) {
  Changed image{std::move(file)};
  damage(image);
  auto linked = link(bufferOf(image.bytes));
  return linked ? "linked" : toString(linked.takeError());
}
std::string metadataError(StringRef yaml) {
  msgpack::Document document;
  EXPECT_TRUE(document.fromYAML(yaml)) << yaml.str();
  std::string bytes;
  document.writeToBlob(bytes);
  auto info = decodeModuleInfo(bytes);
  return info ? "read" : toString(info.takeError());
}
std::string kernelError(const std::string &kernel) {
  return metadataError("{function_registers: 0, kernels: [" + kernel + "]}");
}

} // namespace

TEST(DamagedFile, NothingIsWrongWithTheFilesOfTheseTests) {
  EXPECT_EQ(loadError(makeExecutable(), [](Changed &) {}), "loaded");
  EXPECT_EQ(linkError(makeObject(), [](Changed &) {}), "linked");
}

TEST(DamagedFile, MachineAndVersionAreChecked) {
  EXPECT_EQ(loadError(makeExecutable(), [](Changed &i) { i.header().e_machine = 62; }),
            "file: this ELF file is for another machine: its machine number is 62, Leno's is 19525");
  EXPECT_EQ(loadError(makeExecutable(), [](Changed &i) { i.header().e_flags = 7; }),
            "file: its encoding has version 7; this toolchain knows version 1: assemble it again");
  EXPECT_EQ(
      loadError(makeExecutable(), [](Changed &i) { i.header().e_ident[ELF::EI_CLASS] = ELF::ELFCLASS32; }),
      "file: this ELF file is for another machine: Leno's files are 64-bit little-endian");
  EXPECT_EQ(loadError(makeObject(), [](Changed &) {}),
            "file: this is an object, not an executable: link it with leno-ld");
  Changed dynamic{makeExecutable()};
  dynamic.header().e_type = ELF::ET_DYN;
  EXPECT_EQ(toString(identifyFile(bufferOf(dynamic.bytes)).takeError()),
            "file: this ELF file is neither an object nor an executable (type 3)");
}

TEST(DamagedFile, SectionsLieInTheFile) {
  EXPECT_EQ(loadError(makeExecutable(), [](Changed &i) { i.bytes.resize(50); }),
            "file: the file is cut short: 50 bytes, less than an ELF header");
  EXPECT_TRUE(StringRef(loadError(makeExecutable(), [](Changed &i) {
                i.section(".text").sh_offset = 1 << 20;
              })).starts_with("file: the file is damaged or cut short: "));
  EXPECT_TRUE(StringRef(loadError(makeExecutable(), [](Changed &i) {
                i.header().e_shoff = 1 << 20;
              })).starts_with("file: "));
  EXPECT_EQ(loadError(makeExecutable(), [](Changed &i) { i.section(".bss").sh_size = uint64_t(1) << 33; }),
            "file: a section of zeroes has 8589934592 bytes; the most is 4294967296");
}

TEST(DamagedFile, SectionsOfAProgramAreWhereTheyBelong) {
  EXPECT_EQ(loadError(makeExecutable(), [](Changed &i) { i.section(".text").sh_addr = 8; }),
            "file: its code does not begin at address 0 or does not hold whole instructions");
  EXPECT_EQ(loadError(makeExecutable(), [](Changed &i) { i.section(".text").sh_size = 12; }),
            "file: its code does not begin at address 0 or does not hold whole instructions");
  EXPECT_EQ(loadError(makeExecutable(), [](Changed &i) { i.replace(".const2", ".constx"); }),
            "file: its section .constx is no constant bank");
  EXPECT_EQ(loadError(makeExecutable(), [](Changed &i) { i.section(".data").sh_addr = 68; }),
            "file: its section .data of data lies where none can");
  EXPECT_EQ(loadError(makeExecutable(), [](Changed &i) { i.symbol("k").st_value = 16; }), "loaded");
  EXPECT_EQ(loadError(makeExecutable(), [](Changed &i) { i.symbol("k").st_value = 12; }),
            "file: kernel 'k' has no code");
  EXPECT_EQ(
      loadError(makeExecutable(), [](Changed &i) { i.relocation(".rela.dyn").setType(R_LENO_32, false); }),
      "file: a relocation of it is damaged: R_LENO_32 at 0x3000");
}

TEST(DamagedFile, TheNoteIsOurs) {
  EXPECT_EQ(loadError(makeExecutable(), [](Changed &i) { i.section(".note.leno").sh_size = 8; }),
            "file: the kernel metadata is cut short");
  EXPECT_EQ(loadError(makeExecutable(), [](Changed &i) { i.contents(".note.leno")[8] = 99; }),
            "file: the kernel metadata is not a Leno note");
  EXPECT_EQ(loadError(makeExecutable(), [](Changed &i) { i.contents(".note.leno")[20] = char(0xc1); }),
            "file: the kernel metadata is damaged: it is not one MessagePack map");
}

TEST(DamagedFile, MetadataHoldWhatAKernelNeeds) {
  const std::string head = "{name: k, registers: 1, shared_bytes: 0, ",
                    damaged = "the kernel metadata is damaged: ";
  EXPECT_EQ(kernelError(head + "params: [], shared: []}"), "read");
  EXPECT_EQ(metadataError("[]"), damaged + "it is not one MessagePack map");
  EXPECT_EQ(kernelError("7"), damaged + "a kernel is not a map");
  EXPECT_EQ(kernelError("{registers: 1}"), damaged + "something has no name");
  EXPECT_EQ(kernelError("{name: k}"), damaged + "no number 'registers'");
  EXPECT_EQ(kernelError("{name: k, registers: 256}"), damaged + "'registers' is 256, more than 255");
  EXPECT_EQ(kernelError(head + "local_bytes: 8, params: [], shared: []}"),
            damaged + "'local_bytes' is not a multiple of 16");
  EXPECT_EQ(kernelError(head + "shared: []}"), damaged + "no list 'params'");
  EXPECT_EQ(kernelError(head + "params: [1], shared: []}"), damaged + "a parameter is not a map");
  EXPECT_EQ(kernelError(head + "params: [{name: n, type: u33, offset: 64}], shared: []}"),
            damaged + "parameter 'n' has no known type");
  EXPECT_EQ(kernelError(head + "params: [{name: n, type: u32, offset: 66}], shared: []}"),
            damaged + "parameter 'n' is not aligned");
  EXPECT_EQ(kernelError(head + "params: [], shared: [1]}"), damaged + "a shared variable is not a map");
  EXPECT_EQ(kernelError(head + "params: [], shared: [], names: [1]}"),
            damaged + "the name of a register is not a map");
}

TEST(DamagedFile, ObjectsThatAreLinked) {
  EXPECT_EQ(linkError(makeObject(), [](Changed &i) { i.section(".text").sh_size = 12; }),
            "file: section .text does not hold whole instructions: 12 bytes");
  EXPECT_EQ(linkError(makeObject(), [](Changed &i) { i.symbol("k").st_shndx = 500; }),
            "file: symbol 'k' lies in a section that is not there");
  EXPECT_EQ(linkError(makeObject(), [](Changed &i) { i.section(".rela.text").sh_info = 500; }),
            "file: relocations for a section that is not there");
  EXPECT_EQ(linkError(makeObject(), [](Changed &i) { i.relocation(".rela.text").r_offset = 1 << 20; }),
            "file: a relocation lies outside its section");
  EXPECT_EQ(linkError(makeObject(), [](Changed &i) { i.relocation(".rela.text").setType(99, false); }),
            "file: unknown relocation type 99");
  EXPECT_EQ(linkError(makeObject(), [](Changed &i) { i.symbol("table").st_shndx = i.number(".note.leno"); }),
            "file: a relocation refers to a section that is not linked");
  EXPECT_EQ(linkError(makeObject(), [](Changed &i) { i.symbol("k").setBinding(ELF::STB_LOCAL); }),
            "file: the metadata names kernel 'k', which is not defined; were its symbols stripped?");
}

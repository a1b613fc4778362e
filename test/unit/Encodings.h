// The records of the instruction set as their bits, read from the TableGen list itself and not from the
// decoder made of it; and random words of every kind.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace leno::test {

/// A modifier operand with a field of its own in the word.
struct ModField {
  unsigned at = 0, bits = 0;
  std::vector<std::string> spellings;
  std::vector<unsigned> registers; ///< how many a datum of each value fills, when the modifier says that

  uint64_t mask() const { return ((uint64_t(1) << bits) - 1) << at; }
  unsigned valueIn(uint64_t word) const { return unsigned((word & mask()) >> at); }
  uint64_t put(uint64_t word, unsigned value) const { return (word & ~mask()) | uint64_t(value) << at; }
};

/// An operand of several registers: where its number stands, and how many it fills.
struct WideField {
  unsigned at = 0;
  unsigned words = 0;
  std::string sizedBy; ///< the modifier that says how many; empty: always `words`
};

/// The bits of a word that a record fixes, and the fields that tests change.
struct Record {
  std::string name;
  uint64_t mask = 0, value = 0;
  std::map<std::string, ModField> mods;
  std::vector<WideField> wide;
  std::vector<std::string> only; ///< Formats.td: Only
  bool guarded = false;

  bool claims(uint64_t word) const { return (word & mask) == value; }
  unsigned opcode() const { return unsigned(value >> 57); }
  unsigned form() const { return value >> 55 & 3; }

  /// Whether a modifier field of the word has a value without a meaning, or two have values that do not go
  /// together.
  bool hasUndefinedModifier(uint64_t word) const {
    for (const auto &[modName, field] : mods)
      if (field.valueIn(word) >= field.spellings.size())
        return true;
    return llvm::any_of(only, [&](llvm::StringRef rule) { return breaks(word, rule); });
  }
  /// The registers that a wide operand of the word fills.
  unsigned wordsOf(uint64_t word, const WideField &field) const {
    if (field.sizedBy.empty())
      return field.words;
    const ModField &mod = mods.at(field.sizedBy);
    return mod.registers[mod.valueIn(word)];
  }

private:
  bool meets(uint64_t word, llvm::StringRef term) const {
    auto [modName, values] = term.trim().split('=');
    llvm::SmallVector<llvm::StringRef, 8> list;
    values.split(list, ',');
    auto found = mods.find(modName.str());
    if (found == mods.end()) // the word has no field for it, and so the value that it may have
      return true;
    return llvm::is_contained(list, found->second.spellings[found->second.valueIn(word)]);
  }
  bool breaks(uint64_t word, llvm::StringRef rule) const {
    auto [condition, result] = rule.split(':');
    return result.empty() ? !meets(word, condition) : meets(word, condition) && !meets(word, result);
  }
};

inline Record readRecord(const llvm::json::Object &all, llvm::StringRef name) {
  const llvm::json::Object &fields = *all.getObject(name);
  Record record;
  record.name = name.str();
  record.guarded = llvm::StringRef(*fields.getString("AsmString")).contains("$guard");
  std::map<std::string, std::pair<unsigned, unsigned>> places; // of bit 0, and how many there are
  const llvm::json::Array &bits = *fields.getArray("Inst");
  for (unsigned i = 0; i < 64; ++i)
    if (auto bit = bits[i].getAsInteger()) {
      record.mask |= uint64_t(1) << i;
      record.value |= uint64_t(*bit) << i;
    } else {
      const llvm::json::Object &part = *bits[i].getAsObject();
      auto &[at, count] = places[part.getString("var")->str()];
      at = part.getInteger("index").value_or(0) == 0 ? i : at;
      ++count;
    }
  for (const char *list : {"OutOperandList", "InOperandList"})
    for (const llvm::json::Value &argument : *fields.getObject(list)->getArray("args")) {
      llvm::StringRef kind = *(*argument.getAsArray())[0].getAsObject()->getString("def");
      std::string operand = (*argument.getAsArray())[1].getAsString()->str();
      if (!kind.starts_with("Mod") || !places.count(operand))
        continue;
      ModField field{places[operand].first, places[operand].second, {}, {}};
      for (const llvm::json::Value &spelling : *all.getObject(kind)->getArray("Spellings"))
        field.spellings.push_back(spelling.getAsString()->str());
      for (const llvm::json::Value &count : *all.getObject(kind)->getArray("Registers"))
        field.registers.push_back(unsigned(*count.getAsInteger()));
      record.mods[operand] = field;
    }
  for (const llvm::json::Value &rule : *fields.getArray("Only"))
    record.only.push_back(rule.getAsString()->str());
  for (const llvm::json::Value &entry : *fields.getArray("Wide")) {
    auto [operand, count] = entry.getAsString()->split('=');
    auto place = places.find(operand.str());
    if (place == places.end() || place->second.second < 8)
      continue;
    // In its form with a constant or an immediate the operand is no register.
    bool isRegister = false;
    for (const char *list : {"OutOperandList", "InOperandList"})
      for (const llvm::json::Value &argument : *fields.getObject(list)->getArray("args"))
        if (*(*argument.getAsArray())[1].getAsString() == operand) {
          llvm::StringRef kind = *(*argument.getAsArray())[0].getAsObject()->getString("def");
          isRegister = kind == "GPR" || kind.starts_with("Reg") || kind.starts_with("OptReg");
        }
    if (!isRegister)
      continue;
    WideField field{place->second.first, 0, ""};
    if (count.getAsInteger(10, field.words))
      field.sizedBy = count.str();
    record.wide.push_back(field);
  }
  return record;
}

/// Every record that has an encoding of its own: not those that are only another spelling.
inline const std::vector<Record> &records() {
  static const std::vector<Record> list = [] {
    auto file = llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(LENO_ISA_JSON)));
    llvm::json::Value root = llvm::cantFail(llvm::json::parse(file->getBuffer()));
    const llvm::json::Object &all = *root.getAsObject();
    std::vector<Record> records;
    for (const llvm::json::Value &name : *all.getObject("!instanceof")->getArray("LenoInst"))
      if (!all.getObject(*name.getAsString())->getInteger("isAsmParserOnly").value_or(0))
        records.push_back(readRecord(all, *name.getAsString()));
    return records;
  }();
  return list;
}

/// The records with that opcode and form.
inline std::vector<const Record *> recordsAt(unsigned opcode, unsigned form) {
  std::vector<const Record *> here;
  for (const Record &record : records())
    // 32 bits of immediate leave no room for a form: then the record is at home in several.
    if (record.opcode() == opcode && (form & record.mask >> 55 & 3) == record.form())
      here.push_back(&record);
  return here;
}

inline const Record *claiming(uint64_t word) {
  for (const Record &record : records())
    if (record.claims(word))
      return &record;
  return nullptr;
}

/// Words of every density of bits; in most of them the fixed bits of a record, so that many are instructions.
class Words {
public:
  explicit Words(uint64_t seed) : random(seed) {}

  uint64_t next(unsigned opcode, unsigned form, llvm::ArrayRef<const Record *> here) {
    uint64_t word = random();
    for (unsigned thin = random() % 5; thin; --thin)
      word &= random();
    word = (word & ((uint64_t(1) << 55) - 1)) | uint64_t(opcode) << 57 | uint64_t(form) << 55;
    if (!here.empty() && random() % 8) {
      const Record &record = *here[random() % here.size()];
      word = (word & ~record.mask) | record.value; // its form may be open: then of this form
      if (random() % 4 == 0)                       // beside it: a bit that the record fixes the other way
        word ^= uint64_t(1) << random() % 55;
    }
    return word;
  }
  uint64_t of(const Record &record) { return next(record.opcode(), record.form(), {&record}); }

  std::mt19937_64 random;
};

inline std::string hex(uint64_t word) { return "0x" + llvm::utohexstr(word, true, 16); }

} // namespace leno::test

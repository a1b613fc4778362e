// The machine's sizes, latencies and policies as users set them: `--machine FILE.yaml` and `--set key=value`.
#pragma once

#include "emu/MachineKey.h"
#include "runtime/YamlText.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace leno::runtime {

/// A value as users write it: "48KiB", "set-boundary".
std::string shownValue(const MachineKey &key, uint64_t value);

/// "key=value" of every key.
std::vector<std::string> settingsOf(MachineConfig config);

/// What `--machine ?` prints: an aligned table of keys, defaults, ranges, units and meanings.
void printMachineKeys(llvm::raw_ostream &os);

/// Applies one "key=value". Errors name the key (with the nearest known one), the range and the way out.
llvm::Error setMachineKey(MachineConfig &config, llvm::StringRef assignment);

/// Applies a YAML file of `sm.count: 8` or nested `sm: { count: 8 }` lines. Keys it does not name keep their
/// values. Errors are located: file:line:column, the line and a caret. On an error `config` is unchanged.
llvm::Error loadMachineFile(MachineConfig &config, llvm::StringRef path);

/// The same from a part of a file.
llvm::Error readMachineKeys(MachineConfig &config, const YamlText &file, const YamlValue &keys);
/// The same from text; `name` is for messages.
llvm::Error parseMachineText(MachineConfig &config, llvm::StringRef text, llvm::StringRef name);

} // namespace leno::runtime

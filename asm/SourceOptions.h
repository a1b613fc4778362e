//===- SourceOptions.h - The options of source that a tool assembles ------===//
#pragma once

#include "asm/Assembler.h"

namespace CLI {
class App;
}

namespace leno {

/// Adds -g, -I, -D, -w and -W, the same in every tool that assembles. `group` is their heading in the help.
void addSourceOptions(CLI::App &app, AssembleOptions &options, const std::string &group);

} // namespace leno

//===- Chart.h - Lines over a logarithmic axis, as SVG --------------------===//
#pragma once

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace leno::bench {

/// One picture: x spaced by its logarithm and labelled where there are points, y from 0.
struct Panel {
  struct Line {
    std::string name;
    unsigned colour = 0; ///< a number: lines of one number have one colour
    bool dashed = false;
    std::vector<std::pair<double, double>> points;
  };
  std::string title, xName, yName;
  std::vector<Line> lines;
};

/// The panels side by side, two to a row.
void writeSvg(llvm::raw_ostream &os, const std::string &title, const std::vector<Panel> &panels);

} // namespace leno::bench

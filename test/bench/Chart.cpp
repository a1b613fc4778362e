#include "test/bench/Chart.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <set>

using llvm::formatv;

namespace leno::bench {
namespace {

constexpr double width = 620, height = 360, left = 60, top = 40, plotWidth = 330, plotHeight = 260;
const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

class Drawing {
public:
  Drawing(llvm::raw_ostream &os, const Panel &panel, double x, double y)
      : os(os), panel(panel), x0(x), y0(y) {
    for (const Panel::Line &line : panel.lines)
      for (auto [x, y] : line.points) {
        ticks.insert(x);
        most = std::max(most, y);
      }
    most = 4 * roundStep(most > 0 ? most / 4 : 0.25);
  }
  void draw() {
    text(left, top - 14, panel.title, "start", 14);
    axes();
    for (size_t i = 0; i < panel.lines.size(); ++i)
      line(i);
  }

private:
  /// The least of 1, 2, 2.5 or 5 times a power of ten that is not below `step`.
  static double roundStep(double step) {
    double power = std::pow(10, std::floor(std::log10(step)));
    for (double factor : {1.0, 2.0, 2.5, 5.0})
      if (factor * power >= step * 0.999)
        return factor * power;
    return 10 * power;
  }
  double xOf(double x) const {
    double low = std::log(*ticks.begin()), high = std::log(*ticks.rbegin());
    return left + (high > low ? (std::log(x) - low) / (high - low) : 0.5) * plotWidth;
  }
  double yOf(double y) const { return top + plotHeight * (1 - y / most); }
  void text(double x, double y, const std::string &what, const char *anchor, int size = 11) {
    os << formatv("<text x='{0:f1}' y='{1:f1}' text-anchor='{2}' font-size='{3}'>{4}</text>\n", x0 + x,
                  y0 + y, anchor, size, what);
  }
  void axes() {
    for (double tick : ticks)
      text(xOf(tick), top + plotHeight + 16, formatv("{0}", std::llround(tick)), "middle");
    for (int i = 0; i <= 4; ++i) {
      double y = most * i / 4;
      os << formatv("<path d='M{0:f1} {1:f1}h{2:f1}' stroke='#ddd'/>\n", x0 + left, y0 + yOf(y), plotWidth);
      text(left - 6, yOf(y) + 4,
           most < 0.2 ? formatv("{0:f3}", y)
           : most < 5 ? formatv("{0:f2}", y)
                      : formatv("{0:f0}", y),
           "end");
    }
    text(left + plotWidth / 2, top + plotHeight + 34, panel.xName, "middle");
    text(left, top + plotHeight + 52, "y: " + panel.yName, "start");
  }
  void line(size_t i) {
    const Panel::Line &line = panel.lines[i];
    const char *colour = colours[line.colour % std::size(colours)];
    std::string path;
    for (auto [x, y] : line.points)
      path += formatv("{0}{1:f1} {2:f1}", path.empty() ? "M" : "L", x0 + xOf(x), y0 + yOf(y));
    os << formatv("<path d='{0}' fill='none' stroke='{1}' stroke-width='2'{2}/>\n", path, colour,
                  line.dashed ? " stroke-dasharray='5 3'" : "");
    double y = top + 8 + 16 * double(i);
    os << formatv("<path d='M{0:f1} {1:f1}h18' stroke='{2}' stroke-width='2'{3}/>\n",
                  x0 + left + plotWidth + 10, y0 + y, colour, line.dashed ? " stroke-dasharray='5 3'" : "");
    text(left + plotWidth + 32, y + 4, line.name, "start");
  }

  llvm::raw_ostream &os;
  const Panel &panel;
  double x0, y0;
  std::set<double> ticks;
  double most = 0;
};

} // namespace

void writeSvg(llvm::raw_ostream &os, const std::string &title, const std::vector<Panel> &panels) {
  double rows = double((panels.size() + 1) / 2);
  os << formatv(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0:f0} {1:f0}' font-family='sans-serif'>\n",
            2 * width, rows * height + 40)
     << "<rect width='100%' height='100%' fill='white'/>\n"
     << formatv("<text x='20' y='26' font-size='16'>{0}</text>\n", title);
  for (size_t i = 0; i < panels.size(); ++i)
    Drawing(os, panels[i], width * double(i % 2), 30 + height * double(i / 2)).draw();
  os << "</svg>\n";
}

} // namespace leno::bench

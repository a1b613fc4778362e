// What a Debian package needs, and what that needs: breadth-first search in the graph of the packages in a
// dpkg status file, such as /var/lib/dpkg/status. A package has an edge to each package that its Depends and
// Pre-Depends name, all alternatives and virtual packages included, where the file has such a package or one
// that provides it.
#include "../Examples.h"

#include <map>
#include <set>

namespace {

struct Graph {
  std::vector<std::string> names;
  std::vector<std::uint32_t> first,
      edges; ///< node n's neighbours: edges[first[n]] to edges[first[n + 1] - 1]
};

/// The names in "libc6 (>= 2.36), a | b:any".
std::vector<std::string> namesIn(const std::string &list) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < list.size();) {
    std::size_t end = std::min(list.find_first_of(",|", at), list.size());
    std::size_t begin = list.find_first_not_of(" \t\n", at);
    if (begin < end)
      names.push_back(list.substr(begin, std::min(list.find_first_of(" \t\n(:,|", begin), end) - begin));
    at = end + 1;
  }
  return names;
}

Graph readGraph(const std::string &path) {
  std::ifstream in(path);
  if (!in)
    examples::fail(path + ": cannot be opened");
  struct Package {
    std::set<std::string> needs;
    std::set<std::string> provides;
  };
  std::map<std::string, Package> packages;
  std::string line, name, field;
  while (std::getline(in, line)) {
    std::size_t colon = line.find(':');
    if (line.empty()) {
      name.clear();
    } else if (line[0] != ' ' && colon != std::string::npos) {
      field = line.substr(0, colon);
      if (field == "Package")
        packages[name = namesIn(line.substr(colon + 1)).at(0)];
    }
    if (name.empty() || (field != "Depends" && field != "Pre-Depends" && field != "Provides"))
      continue;
    for (const std::string &other : namesIn(line[0] == ' ' ? line : line.substr(colon + 1)))
      (field == "Provides" ? packages[name].provides : packages[name].needs).insert(other);
  }
  std::map<std::string, std::set<std::uint32_t>> providers;
  Graph graph;
  for (const auto &[package, what] : packages) {
    providers[package].insert(std::uint32_t(graph.names.size()));
    for (const std::string &provided : what.provides)
      providers[provided].insert(std::uint32_t(graph.names.size()));
    graph.names.push_back(package);
  }
  for (const auto &[package, what] : packages) {
    graph.first.push_back(std::uint32_t(graph.edges.size()));
    std::set<std::uint32_t> neighbours;
    for (const std::string &needed : what.needs)
      if (auto found = providers.find(needed); found != providers.end())
        neighbours.insert(found->second.begin(), found->second.end());
    graph.edges.insert(graph.edges.end(), neighbours.begin(), neighbours.end());
  }
  graph.first.push_back(std::uint32_t(graph.edges.size()));
  return graph;
}

} // namespace

int examples::bfs(const Arguments &arguments) {
  Graph graph = readGraph(arguments[0]);
  auto nodes = std::uint32_t(graph.names.size());
  auto root = std::find(graph.names.begin(), graph.names.end(), arguments[1]);
  if (root == graph.names.end())
    fail(arguments[0] + ": there is no package '" + arguments[1] + "'");
  std::vector<std::uint32_t> distances(nodes, UINT32_MAX);
  distances[std::size_t(root - graph.names.begin())] = 0;
  graph.edges.push_back(0); // a buffer has at least one element

  leno::Device device = leno::Device::create().orExit();
  leno::Buffer first = device.upload(graph.first, "first").orExit(),
               edges = device.upload(graph.edges, "edges").orExit();
  leno::Buffer distance = device.upload(distances, "distance").orExit();
  leno::Buffer found = device.allocate<std::uint32_t>(1, "found").orExit();
  leno::Kernel level = kernelOf("bfs/bfs.s", "level");
  std::uint32_t depth = 0, reached = 0, foundNow = 1;
  for (; foundNow; reached += foundNow, ++depth) {
    found.upload(std::vector<std::uint32_t>{0}).orExit();
    run(device, level, {.grid = {ctasFor(nodes, 128)}, .block = {128}}, nodes, depth, first, edges, distance,
        found);
    foundNow = found.download<std::uint32_t>().orExit()[0];
  }
  distances = distance.download<std::uint32_t>().orExit();
  std::string text;
  for (std::uint32_t node = 0; node < nodes; ++node)
    if (distances[node] != UINT32_MAX)
      text += graph.names[node] + " " + std::to_string(distances[node]) + "\n";
  writeFile(arguments[2], std::vector<char>(text.begin(), text.end()));
  std::printf("bfs: %u packages, %zu edges; %s reaches %u others, the furthest in %u steps\n", nodes,
              graph.edges.size() - 1, arguments[1].c_str(), reached, depth - 1);
  return 0;
}

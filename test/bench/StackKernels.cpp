#include "test/bench/StackKernels.h"
#include "test/bench/KernelSources.h"

#include <algorithm>
#include <functional>
#include <random>

namespace leno::bench {
namespace {

using Words = std::vector<uint32_t>;

Words noData(uint32_t, uint32_t) { return Words(1); }

/// A result for each thread.
template <class F> Words forEach(uint32_t threads, F result) {
  Words words(threads);
  for (uint32_t thread = 0; thread < threads; ++thread)
    words[thread] = result(thread);
  return words;
}

Words recursion(uint32_t size, uint32_t threads, const Words &) {
  return Words(threads, 20 * (size * (size + 1) / 2));
}

Words ackermann(uint32_t size, uint32_t threads, const Words &) { return Words(threads, 2 * size + 3); }

/// One thread in eight has its words in order already, the deepest recursion there is; the others at random.
Words unsorted(uint32_t size, uint32_t threads) {
  std::mt19937 random(7);
  Words words(size_t(size) * threads);
  for (uint32_t thread = 0; thread < threads; ++thread)
    for (uint32_t i = 0; i < size; ++i)
      words[size_t(thread) * size + i] = thread % 8 == 0 ? i * 3 + thread : uint32_t(random());
  return words;
}
Words quicksort(uint32_t size, uint32_t threads, const Words &data) {
  return forEach(threads, [&](uint32_t thread) {
    Words own(data.begin() + long(thread) * size, data.begin() + long(thread + 1) * size);
    std::sort(own.begin(), own.end());
    uint32_t sum = 0;
    for (uint32_t word : own)
      sum = sum * 31 + word;
    return sum;
  });
}

Words deepIfs(uint32_t size, uint32_t threads, const Words &) {
  return forEach(threads, [&](uint32_t thread) {
    uint32_t lane = thread & 31, sum = 0;
    for (uint32_t round = 0; round < size; ++round) {
      uint32_t k = 1;
      for (; k <= 31 && lane >= k; ++k)
        sum = sum * 3 + lane;
      if (k <= 31)
        sum += k;
    }
    return sum;
  });
}

Words bareLoop(uint32_t size, uint32_t threads, const Words &) {
  return forEach(threads, [&](uint32_t thread) {
    uint32_t sum = 0;
    for (uint32_t round = 0; round < size; ++round)
      for (uint32_t turn = ((thread * 7 + round) & 31) + 1; turn > 0; --turn)
        sum = sum * 5 + turn;
    return sum;
  });
}

/// Boards by columns tried row after row, with no bits in it.
Words queens(uint32_t size, uint32_t threads, const Words &) {
  return forEach(threads, [&](uint32_t thread) {
    uint32_t columns[8];
    std::function<uint32_t(unsigned)> boards = [&](unsigned row) -> uint32_t {
      if (row == 8)
        return 1;
      uint32_t found = 0;
      for (uint32_t column = 0; column < 8; ++column) {
        if ((row == 0 && column != thread % 8) || (row == 1 && column % 4 != thread / 8 % 4))
          continue;
        bool free = true;
        for (unsigned above = 0; above < row; ++above)
          free &= columns[above] != column && columns[above] + row - above != column &&
                  column + row - above != columns[above];
        if (!free)
          continue;
        columns[row] = column;
        found += boards(row + 1);
      }
      return found;
    };
    return size * boards(0);
  });
}

/// Nodes from 1 on: key, left, right; inserted in random order, so the tree is a little deep.
Words tree(uint32_t size, uint32_t) {
  std::mt19937 random(11);
  Words nodes(3 * size_t(size + 1));
  for (uint32_t node = 1; node <= size; ++node) {
    uint32_t key = random() % 60000;
    nodes[3 * size_t(node)] = key;
    for (uint32_t at = 1; node > 1;) {
      uint32_t &child = nodes[3 * size_t(at) + (key < nodes[3 * size_t(at)] ? 1 : 2)];
      if (!child) {
        child = node;
        break;
      }
      at = child;
    }
  }
  return nodes;
}
Words treeWalk(uint32_t size, uint32_t threads, const Words &nodes) {
  return forEach(threads, [&](uint32_t thread) {
    uint32_t sum = 0;
    for (uint32_t node = 1; node <= size; ++node)
      if (uint32_t key = nodes[3 * size_t(node)]; key >= thread * 1000 && key <= thread * 1000 + 20000)
        sum += key;
    return sum;
  });
}

} // namespace

const std::vector<StackKernel> &stackKernels() {
  static const std::vector<StackKernel> kernels = {
      {"recursion", "a sum by recursion, 1,000 calls down and up again, twenty times", 1000, 100, 4, noData,
       recursion, true},
      {"ackermann", "A(2, 499) by its definition: over 1,000 calls deep, up and down a little", 499, 40, 8192,
       noData, ackermann, true},
      {"quicksort", "1,000 words a thread; those in order already are 1,000 calls deep", 1000, 60, 8192,
       unsorted, quicksort, false},
      {"deep-ifs", "31 ifs in one another, each lane to a depth of its own", 200, 4, 4, noData, deepIfs,
       false},
      {"bare-loop", "a loop without a pre-break that leaves an entry whenever lanes leave", 400, 8, 4, noData,
       bareLoop, false},
      {"queens", "eight queens, boards counted by recursion in each lane", 4, 1, 1024, noData, queens, false},
      {"tree-walk", "the keys of a range of a binary search tree added up", 4095, 255, 4096, tree, treeWalk,
       false},
  };
  return kernels;
}

std::string stackKernelSource(const std::string &name) {
  return kernelSource("stack/begin.inc") + kernelSource("stack/" + name + ".s");
}

} // namespace leno::bench

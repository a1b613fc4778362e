// What a kernel can use of C's general functions: there is no heap, and nothing around a kernel to ask.
#ifndef LENO_STDLIB_H
#define LENO_STDLIB_H
#include <stddef.h>

static inline int abs(int x) { return x < 0 ? -x : x; }
static inline long labs(long x) { return x < 0 ? -x : x; }
static inline long long llabs(long long x) { return x < 0 ? -x : x; }
__attribute__((noreturn)) static inline void abort(void) { __builtin_trap(); }

static inline void *bsearch(const void *key, const void *base, size_t count, size_t size,
                            int (*compare)(const void *, const void *)) {
  const char *from = (const char *)base;
  while (count) {
    const char *middle = from + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0)
      return (void *)middle;
    if (order > 0) {
      from = middle + size;
      --count;
    }
    count /= 2;
  }
  return NULL;
}
// Shell's sort: no recursion, no memory of its own.
static inline void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *bytes = (char *)base;
  size_t gap = 1;
  while (gap < count / 3)
    gap = 3 * gap + 1;
  for (; gap; gap /= 3)
    for (size_t i = gap; i < count; ++i)
      for (size_t j = i; j >= gap; j -= gap) {
        char *high = bytes + j * size, *low = high - gap * size;
        if (compare(low, high) <= 0)
          break;
        for (size_t k = 0; k < size; ++k) {
          char byte = low[k];
          low[k] = high[k];
          high[k] = byte;
        }
      }
}

#endif

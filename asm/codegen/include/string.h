// C's functions of memory and text for kernels. Pointers are generic: they may lead to any memory.
#ifndef LENO_STRING_H
#define LENO_STRING_H
#include <stddef.h>

static inline void *memcpy(void *to, const void *from, size_t size) {
  return __builtin_memcpy(to, from, size);
}
static inline void *memmove(void *to, const void *from, size_t size) {
  return __builtin_memmove(to, from, size);
}
static inline void *memset(void *to, int value, size_t size) { return __builtin_memset(to, value, size); }
static inline int memcmp(const void *a, const void *b, size_t size) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  for (size_t i = 0; i < size; ++i)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}
static inline void *memchr(const void *in, int value, size_t size) {
  const unsigned char *bytes = (const unsigned char *)in;
  for (size_t i = 0; i < size; ++i)
    if (bytes[i] == (unsigned char)value)
      return (void *)(bytes + i);
  return NULL;
}
static inline size_t strlen(const char *text) {
  size_t size = 0;
  while (text[size])
    ++size;
  return size;
}
static inline int strncmp(const char *a, const char *b, size_t size) {
  for (size_t i = 0; i < size; ++i)
    if (a[i] != b[i] || !a[i])
      return (unsigned char)a[i] - (unsigned char)b[i];
  return 0;
}
static inline int strcmp(const char *a, const char *b) { return strncmp(a, b, (size_t)-1); }
static inline char *strncpy(char *to, const char *from, size_t size) {
  size_t i = 0;
  for (; i < size && from[i]; ++i)
    to[i] = from[i];
  for (; i < size; ++i)
    to[i] = 0;
  return to;
}
static inline char *strcpy(char *to, const char *from) {
  memcpy(to, from, strlen(from) + 1);
  return to;
}
static inline char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}
static inline char *strchr(const char *text, int value) {
  for (;; ++text) {
    if (*text == (char)value)
      return (char *)text;
    if (!*text)
      return NULL;
  }
}
static inline char *strrchr(const char *text, int value) {
  const char *found = NULL;
  for (;; ++text) {
    if (*text == (char)value)
      found = text;
    if (!*text)
      return (char *)found;
  }
}
static inline char *strstr(const char *text, const char *part) {
  size_t size = strlen(part);
  for (;; ++text) {
    if (!strncmp(text, part, size))
      return (char *)text;
    if (!*text)
      return NULL;
  }
}

#endif

// What the device library's sources share. They are C with OpenCL C's names: `overloadable` gives functions
// the symbols that clang's OpenCL C calls, and that libclc has, which ours take the place of.
#ifndef LENO_DEVICE_H
#define LENO_DEVICE_H
#include <leno/kernel.h>

#define API __attribute__((overloadable, always_inline))
#define INNER static inline __attribute__((always_inline))

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long size_t;
typedef __fp16 half; // OpenCL C's by its symbols

#define VECTORS(type)                                                                                        \
  typedef type type##2 __attribute__((ext_vector_type(2)));                                                  \
  typedef type type##3 __attribute__((ext_vector_type(3)));                                                  \
  typedef type type##4 __attribute__((ext_vector_type(4)));                                                  \
  typedef type type##8 __attribute__((ext_vector_type(8)));                                                  \
  typedef type type##16 __attribute__((ext_vector_type(16)));
VECTORS(int)
VECTORS(long)
VECTORS(float)
VECTORS(double)
VECTORS(half)
#undef VECTORS

// A function of one number for vectors, element by element.
#define WIDTH1(name, type, width)                                                                            \
  API type##width name(type##width x) {                                                                      \
    type##width r;                                                                                           \
    for (int i = 0; i < width; ++i)                                                                          \
      r[i] = name((type)x[i]);                                                                               \
    return r;                                                                                                \
  }
#define VECTORS1(name, type)                                                                                 \
  WIDTH1(name, type, 2)                                                                                      \
  WIDTH1(name, type, 3) WIDTH1(name, type, 4) WIDTH1(name, type, 8) WIDTH1(name, type, 16)
#define WIDTH2(name, type, second, width)                                                                    \
  API type##width name(type##width x, second##width y) {                                                     \
    type##width r;                                                                                           \
    for (int i = 0; i < width; ++i)                                                                          \
      r[i] = name((type)x[i], (second)y[i]);                                                                 \
    return r;                                                                                                \
  }
#define VECTORS2(name, type, second)                                                                         \
  WIDTH2(name, type, second, 2)                                                                              \
  WIDTH2(name, type, second, 3)                                                                              \
  WIDTH2(name, type, second, 4) WIDTH2(name, type, second, 8) WIDTH2(name, type, second, 16)

// A function whose second result goes behind a pointer, which may be to each memory or to any: `inner` has
// the values.
#define SECOND(name, inner, type, second, space)                                                             \
  API type name(type x, space second *result) {                                                              \
    second s;                                                                                                \
    type r = inner(x, &s);                                                                                   \
    *result = s;                                                                                             \
    return r;                                                                                                \
  }
#define SECOND_WIDTH(name, inner, type, second, space, width)                                                \
  API type##width name(type##width x, space second##width *result) {                                         \
    type##width r;                                                                                           \
    second##width all;                                                                                       \
    for (int i = 0; i < width; ++i) {                                                                        \
      second s;                                                                                              \
      r[i] = inner(x[i], &s);                                                                                \
      all[i] = s;                                                                                            \
    }                                                                                                        \
    *result = all;                                                                                           \
    return r;                                                                                                \
  }
#define SECONDS_IN(name, inner, type, second, space)                                                         \
  SECOND(name, inner, type, second, space)                                                                   \
  SECOND_WIDTH(name, inner, type, second, space, 2)                                                          \
  SECOND_WIDTH(name, inner, type, second, space, 3)                                                          \
  SECOND_WIDTH(name, inner, type, second, space, 4)                                                          \
  SECOND_WIDTH(name, inner, type, second, space, 8)                                                          \
  SECOND_WIDTH(name, inner, type, second, space, 16)
#define SECONDS(name, inner, type, second)                                                                   \
  SECONDS_IN(name, inner, type, second, )                                                                    \
  SECONDS_IN(name, inner, type, second, __global)                                                            \
  SECONDS_IN(name, inner, type, second, __local)                                                             \
  SECONDS_IN(name, inner, type, second, PRIVATE)
#define PRIVATE __attribute__((address_space(5)))

// What a launch says beside its parameters (LaunchConfig::hostWords): the global offset along each axis, the
// number of dimensions, printf's buffer, where work-groups of several sizes are told of.
#define HOST_WORD(n) __attribute__((const)) uint leno_host_word_##n(void);
HOST_WORD(0) HOST_WORD(1) HOST_WORD(2) HOST_WORD(3) HOST_WORD(4) HOST_WORD(5) HOST_WORD(6) HOST_WORD(7)
#undef HOST_WORD

INNER uint bitsOf(float x) { return __builtin_bit_cast(uint, x); }
INNER float floatOf(uint x) { return __builtin_bit_cast(float, x); }
INNER ulong bitsOfDouble(double x) { return __builtin_bit_cast(ulong, x); }
INNER double doubleOf(ulong x) { return __builtin_bit_cast(double, x); }
// MUFU: correctly rounded.
INNER float reciprocal(float x) { return leno_reciprocal(x); }
#endif

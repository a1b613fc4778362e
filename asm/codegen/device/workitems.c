// OpenCL C's work-items, barriers, fences, sub-groups and collectives: a work-group is a CTA, a sub-group a
// warp.
#include "device.h"

#define offset_x leno_host_word_0
#define offset_y leno_host_word_1
#define offset_z leno_host_word_2
#define INDEX(kind, name, read, otherwise)                                                                   \
  kind size_t name(uint d) {                                                                                 \
    return d == 0 ? read##_x() : d == 1 ? read##_y() : d == 2 ? read##_z() : otherwise;                      \
  }
// Work-groups of one size are a launch of their own; what it does not know of the whole is in memory, where
// words 6 and 7 point, three words a row: runtime/opencl/Launch.cpp. 0: all groups are of one size.
enum { Before, Groups, Enqueued, Size, Offset };
INNER const __global uint *whole(void) {
  return (const __global uint *)((ulong)leno_host_word_7() << 32 | leno_host_word_6());
}
#define INDEX_OF_WHOLE(kind, name, row, here)                                                                \
  kind size_t name(uint d) { return d < 3 && whole() ? whole()[3 * row + d] : here(d); }
INDEX(API, get_local_id, leno_tid, 0)
INDEX(API, get_local_size, leno_ntid, 1)
INDEX(INNER, groupHere, leno_ctaid, 0)
INDEX(INNER, groupsHere, leno_nctaid, 1)
INDEX(INNER, offsetHere, offset, 0)
INNER uint none(uint d) { return 0; }
INNER uint sizeHere(uint d) { return (uint)groupsHere(d) * (uint)get_local_size(d); }
INDEX_OF_WHOLE(INNER, groupsBefore, Before, none)
INDEX_OF_WHOLE(API, get_num_groups, Groups, groupsHere)
INDEX_OF_WHOLE(API, get_enqueued_local_size, Enqueued, get_local_size)
INDEX_OF_WHOLE(API, get_global_size, Size, sizeHere)
INDEX_OF_WHOLE(API, get_global_offset, Offset, offsetHere)
API size_t get_group_id(uint d) { return (uint)groupHere(d) + (uint)groupsBefore(d); }
API size_t get_global_id(uint d) {
  return (uint)groupHere(d) * (uint)get_local_size(d) + (uint)get_local_id(d) + (uint)offsetHere(d);
}
API uint get_work_dim(void) {
  uint told = leno_host_word_3();
  return told ? told : leno_ntid_z() * leno_nctaid_z() > 1 ? 3 : leno_ntid_y() * leno_nctaid_y() > 1 ? 2 : 1;
}
INNER uint linear(void) {
  return (leno_tid_z() * leno_ntid_y() + leno_tid_y()) * leno_ntid_x() + leno_tid_x();
}
INNER uint threads(void) { return leno_ntid_x() * leno_ntid_y() * leno_ntid_z(); }
API size_t get_local_linear_id(void) { return linear(); }
API size_t get_global_linear_id(void) {
#define FROM_0(d) (get_global_id(d) - get_global_offset(d))
  return (FROM_0(2) * get_global_size(1) + FROM_0(1)) * get_global_size(0) + FROM_0(0);
#undef FROM_0
}

API uint get_sub_group_local_id(void) { return leno_laneid(); }
API uint get_sub_group_id(void) { return leno_warpid(); }
API uint get_num_sub_groups(void) { return leno_nwarpid(); }
API uint get_enqueued_num_sub_groups(void) {
  uint all = 1;
  for (uint d = 0; d < 3; ++d)
    all *= (uint)get_enqueued_local_size(d);
  return (all + 31) / 32;
}
API uint get_max_sub_group_size(void) { return 32; }
API uint get_sub_group_size(void) {
  uint left = threads() - 32 * leno_warpid();
  return left < 32 ? left : 32;
}

//===--- Barriers and fences ------------------------------------------------------===//

typedef enum memory_scope {
  memory_scope_work_item,
  memory_scope_work_group,
  memory_scope_device,
  memory_scope_all_svm_devices,
  memory_scope_sub_group
} memory_scope;
typedef enum memory_order { memory_order_relaxed } memory_order;

#define TOGETHER API __attribute__((convergent))
INNER void fence(memory_scope scope) {
  if (scope == memory_scope_device)
    leno_membar_gl();
  else if (scope == memory_scope_all_svm_devices)
    leno_membar_sys();
  else if (scope != memory_scope_work_item)
    leno_membar_cta();
}
TOGETHER void barrier(uint flags) {
  if (flags & 2)
    leno_membar_cta();
  leno_barrier(0);
}
TOGETHER void work_group_barrier(uint flags) { barrier(flags); }
TOGETHER void work_group_barrier(uint flags, memory_scope scope) {
  fence(scope);
  leno_barrier(0);
}
// Lanes of a warp are together already.
TOGETHER void sub_group_barrier(uint flags) {
  leno_ballot(1);
  leno_membar_cta();
}
TOGETHER void sub_group_barrier(uint flags, memory_scope scope) {
  leno_ballot(1);
  fence(scope);
}
API void mem_fence(uint flags) { leno_membar_cta(); }
API void read_mem_fence(uint flags) { leno_membar_cta(); }
API void write_mem_fence(uint flags) { leno_membar_cta(); }
API void atomic_work_item_fence(uint flags, memory_order order, memory_scope scope) { fence(scope); }

//===--- What memory a generic pointer is to ---------------------------------------===//

INNER int isIn(const void *pointer, uint base) { return (uint)((ulong)pointer >> 32) == base >> 16; }
__local void *__to_local(void *pointer) {
  return isIn(pointer, leno_shared_base()) ? (__local void *)pointer : 0;
}
PRIVATE void *__to_private(void *pointer) {
  return isIn(pointer, leno_local_base()) ? (PRIVATE void *)pointer : 0;
}
__global void *__to_global(void *pointer) {
  return isIn(pointer, leno_shared_base()) || isIn(pointer, leno_local_base()) ? 0 : (__global void *)pointer;
}
API uint get_fence(const void *pointer) { return isIn(pointer, leno_shared_base()) ? 1 : 2; }
API uint get_fence(void *pointer) { return get_fence((const void *)pointer); }

//===--- Sub-groups -----------------------------------------------------------------===//

TOGETHER int sub_group_all(int x) { return leno_vote_all(x != 0); }
TOGETHER int sub_group_any(int x) { return leno_vote_any(x != 0); }
INNER __attribute__((convergent)) uint moved(uint value, uint lane) {
  return leno_shuffle_idx(value, lane, 0x1f);
}
INNER __attribute__((convergent)) ulong movedWide(ulong value, uint lane) {
  return (ulong)moved((uint)(value >> 32), lane) << 32 | moved((uint)value, lane);
}

#define SHUFFLE(type, bits, move)                                                                            \
  INNER __attribute__((convergent)) type from_##type(type x, uint lane) {                                    \
    return __builtin_bit_cast(type, (bits)move(__builtin_bit_cast(bits, x), lane));                          \
  }                                                                                                          \
  TOGETHER type sub_group_broadcast(type x, uint lane) { return from_##type(x, lane); }                      \
  TOGETHER type sub_group_shuffle(type x, uint lane) { return from_##type(x, lane); }                        \
  TOGETHER type sub_group_shuffle_xor(type x, uint mask) { return from_##type(x, leno_laneid() ^ mask); }    \
  TOGETHER type sub_group_shuffle_up(type x, uint by) { return from_##type(x, leno_laneid() - by); }         \
  TOGETHER type sub_group_shuffle_down(type x, uint by) { return from_##type(x, leno_laneid() + by); }
SHUFFLE(char, uchar, moved)
SHUFFLE(uchar, uchar, moved)
SHUFFLE(short, ushort, moved)
SHUFFLE(ushort, ushort, moved)
SHUFFLE(half, ushort, moved)
SHUFFLE(int, uint, moved)
SHUFFLE(uint, uint, moved)
SHUFFLE(float, uint, moved)
SHUFFLE(long, ulong, movedWide)
SHUFFLE(ulong, ulong, movedWide)
SHUFFLE(double, ulong, movedWide)

// Sums before a lane, its own value with it or without; lanes that are not there give nothing. The same for
// the warps of a CTA: each leaves its sum in shared memory.
#define SCAN(type, name, identity, combine)                                                                  \
  INNER __attribute__((convergent)) type inclusive_##name##_##type(type x) {                                 \
    uint lane = leno_laneid();                                                                               \
    for (uint step = 1; step < 32; step *= 2) {                                                              \
      type a = from_##type(x, lane - step), b = x;                                                           \
      x = lane >= step ? (combine) : x;                                                                      \
    }                                                                                                        \
    return x;                                                                                                \
  }                                                                                                          \
  TOGETHER type sub_group_scan_inclusive_##name(type x) { return inclusive_##name##_##type(x); }             \
  TOGETHER type sub_group_scan_exclusive_##name(type x) {                                                    \
    type before = from_##type(inclusive_##name##_##type(x), leno_laneid() - 1);                              \
    return leno_laneid() ? before : (type)(identity);                                                        \
  }                                                                                                          \
  TOGETHER type sub_group_reduce_##name(type x) {                                                            \
    return from_##type(inclusive_##name##_##type(x), get_sub_group_size() - 1);                              \
  }                                                                                                          \
  static __local type sums_##name##_##type[32];                                                              \
  INNER __attribute__((convergent)) type warps_##name##_##type(type x, uint from, uint to) {                 \
    leno_barrier(0);                                                                                         \
    if (leno_laneid() == get_sub_group_size() - 1)                                                           \
      sums_##name##_##type[leno_warpid()] = x;                                                               \
    leno_barrier(0);                                                                                         \
    type b = (type)(identity);                                                                               \
    for (uint i = from; i < to; ++i) {                                                                       \
      type a = b;                                                                                            \
      b = sums_##name##_##type[i];                                                                           \
      b = (combine);                                                                                         \
    }                                                                                                        \
    return b;                                                                                                \
  }                                                                                                          \
  TOGETHER type work_group_scan_inclusive_##name(type x) {                                                   \
    type b = inclusive_##name##_##type(x), a = warps_##name##_##type(b, 0, leno_warpid());                   \
    return (combine);                                                                                        \
  }                                                                                                          \
  TOGETHER type work_group_scan_exclusive_##name(type x) {                                                   \
    type all = inclusive_##name##_##type(x), a = warps_##name##_##type(all, 0, leno_warpid());               \
    type b = from_##type(all, leno_laneid() - 1);                                                            \
    return leno_laneid() ? (combine) : a;                                                                    \
  }                                                                                                          \
  TOGETHER type work_group_reduce_##name(type x) {                                                           \
    return warps_##name##_##type(inclusive_##name##_##type(x), 0, leno_nwarpid());                           \
  }
#define SCANS(type, least, most)                                                                             \
  SCAN(type, add, 0, a + b) SCAN(type, min, most, b < a ? b : a) SCAN(type, max, least, a < b ? b : a)
SCANS(int, -0x7fffffff - 1, 0x7fffffff)
SCANS(uint, 0, 0xffffffffu)
SCANS(long, -0x7fffffffffffffffl - 1, 0x7fffffffffffffffl)
SCANS(ulong, 0, ~0ul)
SCANS(half, -__builtin_inff(), __builtin_inff())
SCANS(float, -__builtin_inff(), __builtin_inff())
SCANS(double, -__builtin_inf(), __builtin_inf())

static __local uint votes[1];
INNER __attribute__((convergent)) uint counted(int x) {
  leno_barrier(0);
  if (linear() == 0)
    votes[0] = 0;
  leno_barrier(0);
  if (x)
    __atomic_fetch_or(&votes[0], 1, __ATOMIC_RELAXED);
  leno_barrier(0);
  return votes[0];
}
TOGETHER int work_group_any(int x) { return counted(x != 0) != 0; }
TOGETHER int work_group_all(int x) { return counted(x == 0) == 0; }

#define SAY(type)                                                                                            \
  static __local type said_##type;                                                                           \
  INNER __attribute__((convergent)) type say_##type(type x, int mine) {                                      \
    leno_barrier(0);                                                                                         \
    if (mine)                                                                                                \
      said_##type = x;                                                                                       \
    leno_barrier(0);                                                                                         \
    return said_##type;                                                                                      \
  }                                                                                                          \
  TOGETHER type work_group_broadcast(type a, size_t x) { return say_##type(a, leno_tid_x() == x); }          \
  TOGETHER type work_group_broadcast(type a, size_t x, size_t y) {                                           \
    return say_##type(a, leno_tid_x() == x && leno_tid_y() == y);                                            \
  }                                                                                                          \
  TOGETHER type work_group_broadcast(type a, size_t x, size_t y, size_t z) {                                 \
    return say_##type(a, leno_tid_x() == x && leno_tid_y() == y && leno_tid_z() == z);                       \
  }
SAY(half)
SAY(int)
SAY(uint)
SAY(float)
SAY(long)
SAY(ulong)
SAY(double)

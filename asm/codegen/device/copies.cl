// OpenCL C's copies by a whole work-group: each work-item has its share, and an event is nothing to wait for but
// the others.
#define API __attribute__((overloadable, always_inline))
#define SHARE (get_local_linear_id())
#define STEP (get_local_size(0) * get_local_size(1) * get_local_size(2))
#define COPIES(type)                                                                                         \
  API event_t async_work_group_copy(local type *to, const global type *from,                                 \
                                                              size_t count, event_t event) {                 \
    for (size_t i = SHARE; i < count; i += STEP)                                                             \
      to[i] = from[i];                                                                                       \
    return event;                                                                                            \
  }                                                                                                          \
  API event_t async_work_group_copy(global type *to, const local type *from,                                 \
                                                              size_t count, event_t event) {                 \
    for (size_t i = SHARE; i < count; i += STEP)                                                             \
      to[i] = from[i];                                                                                       \
    return event;                                                                                            \
  }                                                                                                          \
  API event_t async_work_group_strided_copy(                                                                 \
      local type *to, const global type *from, size_t count, size_t stride, event_t event) {                 \
    for (size_t i = SHARE; i < count; i += STEP)                                                             \
      to[i] = from[i * stride];                                                                              \
    return event;                                                                                            \
  }                                                                                                          \
  API event_t async_work_group_strided_copy(                                                                 \
      global type *to, const local type *from, size_t count, size_t stride, event_t event) {                 \
    for (size_t i = SHARE; i < count; i += STEP)                                                             \
      to[i * stride] = from[i];                                                                              \
    return event;                                                                                            \
  }
#define ALL_WIDTHS(type)                                                                                     \
  COPIES(type) COPIES(type##2) COPIES(type##3) COPIES(type##4) COPIES(type##8) COPIES(type##16)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
ALL_WIDTHS(char) ALL_WIDTHS(uchar) ALL_WIDTHS(short) ALL_WIDTHS(ushort)
ALL_WIDTHS(int) ALL_WIDTHS(uint) ALL_WIDTHS(long) ALL_WIDTHS(ulong)
ALL_WIDTHS(half) ALL_WIDTHS(float) ALL_WIDTHS(double)

// Before 2.0 pointers are to private memory, and then to any.
#define WAIT(space)                                                                                          \
  API void wait_group_events(int count, space event_t *events) {                                             \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                                     \
  }
WAIT(private) WAIT()

// Rounded up or down, which libclc's loses of what is far below the least half. vstorea_half3 leaves a place.
#define STORE(space, type, mode)                                                                             \
  API void vstore_half_##mode(type x, size_t i, space half *to) { to[i] = convert_half_##mode(x); }
#define STORE_WIDTH(space, type, mode, width, aligned)                                                       \
  API void vstore_half##width##_##mode(type##width x, size_t i, space half *to) {                            \
    for (int j = 0; j < width; ++j)                                                                          \
      to[i * width + j] = convert_half_##mode(x[j]);                                                         \
  }                                                                                                          \
  API void vstorea_half##width##_##mode(type##width x, size_t i, space half *to) {                           \
    for (int j = 0; j < width; ++j)                                                                          \
      to[i * aligned + j] = convert_half_##mode(x[j]);                                                       \
  }
#define STORES(space, type, mode)                                                                            \
  STORE(space, type, mode)                                                                                   \
  STORE_WIDTH(space, type, mode, 2, 2) STORE_WIDTH(space, type, mode, 3, 4)                                  \
  STORE_WIDTH(space, type, mode, 4, 4) STORE_WIDTH(space, type, mode, 8, 8)                                  \
  STORE_WIDTH(space, type, mode, 16, 16)
#define STORES_OF(type, mode)                                                                                \
  STORES(global, type, mode) STORES(local, type, mode) STORES(private, type, mode) STORES(, type, mode)
STORES_OF(float, rtp) STORES_OF(float, rtn) STORES_OF(double, rtp) STORES_OF(double, rtn)

// What kernels in C and OpenCL C call Leno's machine by.
#ifndef LENO_KERNEL_H
#define LENO_KERNEL_H

#ifndef __OPENCL_C_VERSION__
// OpenCL C's words, in C. A kernel: __kernel void f(...), or __attribute__((kernel)) void f(...).
#define kernel amdgpu_kernel
#define __kernel __attribute__((amdgpu_kernel))
#define __global __attribute__((address_space(1)))
#define __local __attribute__((address_space(3)))
#define __constant __attribute__((address_space(4))) const
#endif

#define LENO_READ __attribute__((const)) unsigned
LENO_READ leno_laneid(void);
LENO_READ leno_warpid(void);
LENO_READ leno_nwarpid(void);
LENO_READ leno_smid(void);
LENO_READ leno_gridid(void);
LENO_READ leno_tid_x(void);
LENO_READ leno_tid_y(void);
LENO_READ leno_tid_z(void);
LENO_READ leno_ntid_x(void);
LENO_READ leno_ntid_y(void);
LENO_READ leno_ntid_z(void);
LENO_READ leno_ctaid_x(void);
LENO_READ leno_ctaid_y(void);
LENO_READ leno_ctaid_z(void);
LENO_READ leno_nctaid_x(void);
LENO_READ leno_nctaid_y(void);
LENO_READ leno_nctaid_z(void);
LENO_READ leno_lanemask_eq(void);
LENO_READ leno_lanemask_lt(void);
LENO_READ leno_lanemask_le(void);
LENO_READ leno_lanemask_gt(void);
LENO_READ leno_lanemask_ge(void);
LENO_READ leno_shared_base(void);
LENO_READ leno_local_base(void);
#undef LENO_READ
unsigned leno_clocklo(void);
unsigned leno_clockhi(void);

// All active lanes of the warp together. A condition is true where it is not 0.
#define LENO_TOGETHER __attribute__((convergent)) unsigned
LENO_TOGETHER leno_vote_all(unsigned condition);
LENO_TOGETHER leno_vote_any(unsigned condition);
LENO_TOGETHER leno_vote_eq(unsigned condition);
LENO_TOGETHER leno_ballot(unsigned condition);
// SHFL: b tells the lane, c the segment; 0x1f is the whole warp (0 for up).
LENO_TOGETHER leno_shuffle_idx(unsigned value, unsigned b, unsigned c);
LENO_TOGETHER leno_shuffle_up(unsigned value, unsigned b, unsigned c);
LENO_TOGETHER leno_shuffle_down(unsigned value, unsigned b, unsigned c);
LENO_TOGETHER leno_shuffle_bfly(unsigned value, unsigned b, unsigned c);
#undef LENO_TOGETHER

// MUFU.RCP and MUFU.RSQ: 1 / x and 1 / sqrt(x), correctly rounded.
__attribute__((const)) float leno_reciprocal(float x);
__attribute__((const)) float leno_reciprocal_root(float x);

// BAR.SYNC; the number is a constant from 0 to 15.
__attribute__((convergent)) void leno_barrier(unsigned number);
void leno_membar_cta(void);
void leno_membar_gl(void);
void leno_membar_sys(void);

#endif

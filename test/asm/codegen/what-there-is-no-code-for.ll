; What the code generator cannot do is told with its place, and no file is written.
; RUN: not %leno-cc %s -o %t 2>&1 | FileCheck %s
; RUN: test ! -e %t
; CHECK: what-there-is-no-code-for.ll: error: in 'calls': there is no function 'elsewhere' to call
; CHECK: what-there-is-no-code-for.ll: 1 error
; RUN: not %leno-cc -S %S/Inputs/not-yet.c -o %t.s 2>&1 | FileCheck --check-prefix=C %s
; RUN: test ! -e %t.s
; C: not-yet.c:6:{{[0-9]+}}: error: there is no code for floats of the format bfloat yet
; C: not-yet.c:7:1: error: parameter 1 'b' of a kernel is a number of 8 to 64 bits, a vector or a structure of such, or a pointer to memory that the lanes share
; C: not-yet.c:11:16: error: a function that names a variable in shared memory is part of the kernel
declare i32 @elsewhere(i32)
define amdgpu_kernel void @calls(ptr addrspace(1) %out) {
  %r = call i32 @elsewhere(i32 5)
  store i32 %r, ptr addrspace(1) %out
  ret void
}

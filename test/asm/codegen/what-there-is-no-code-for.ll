; What the code generator cannot do is told with its place, and no file is written.
; RUN: not %leno-cc -S %s -o %t.s 2>&1 | FileCheck %s
; RUN: test ! -e %t.s
; CHECK: what-there-is-no-code-for.ll: error: in 'calls': there is no function 'elsewhere' to call
; CHECK: what-there-is-no-code-for.ll: 1 error
declare i32 @elsewhere(i32)
define amdgpu_kernel void @calls(ptr addrspace(1) %out) {
  %r = call i32 @elsewhere(i32 5)
  store i32 %r, ptr addrspace(1) %out
  ret void
}

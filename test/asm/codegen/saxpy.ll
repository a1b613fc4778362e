; saxpy from LLVM's IR; the text is what leno-as makes the same bytes of.
; RUN: %leno-cc -S --llvm -verify-machineinstrs %s -o %t.s
; RUN: FileCheck %s < %t.s
; RUN: %leno-as -c %t.s -o %t.as.o
; RUN: %leno-cc -c %s -o %t.cc.o
; RUN: cmp %t.as.o %t.cc.o
; y = 1, 2, ... and x = 0.5, 1.5, ...; 2.5 * x + y = 2.25, 5.75, ... exactly
; RUN: %python -c "import struct; w = lambda f, v: open(f, 'wb').write(struct.pack('<37f', *v)); w('%t.x.bin', [i + 0.5 for i in range(37)]); w('%t.y.bin', [i + 1 for i in range(37)]); w('%t.want.bin', [2.5 * (i + 0.5) + i + 1 for i in range(36)] + [37])"
; RUN: %leno-cc %s -o %t && %leno-run %t --grid 2 --block 32 --arg u32:36 --arg f32:2.5 --arg in:%t.x.bin --arg inout:%t.y.bin:%t.out.bin
; RUN: cmp %t.out.bin %t.want.bin
; RUN: %leno-cc -O0 %s -o %t0 && %leno-run %t0 --grid 2 --block 32 --arg u32:36 --arg f32:2.5 --arg in:%t.x.bin --arg inout:%t.y.bin:%t.out0.bin
; RUN: cmp %t.out0.bin %t.want.bin
; CHECK: .kernel saxpy
; CHECK-NEXT: .param u32 n
; CHECK-NEXT: .param f32 a
; CHECK-NEXT: .param ptr x
; CHECK-NEXT: .param ptr y
; CHECK: IMAD.WIDE.u32
; CHECK: FFMA
declare i32 @leno_tid_x()
declare i32 @leno_ctaid_x()
declare i32 @leno_ntid_x()
declare float @llvm.fmuladd.f32(float, float, float)
define amdgpu_kernel void @saxpy(i32 %n, float %a, ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %t = call i32 @leno_tid_x()
  %c = call i32 @leno_ctaid_x()
  %d = call i32 @leno_ntid_x()
  %m = mul i32 %c, %d
  %i = add i32 %m, %t
  %in = icmp ult i32 %i, %n
  br i1 %in, label %do, label %out
do:
  %i64 = zext i32 %i to i64
  %px = getelementptr float, ptr addrspace(1) %x, i64 %i64
  %py = getelementptr float, ptr addrspace(1) %y, i64 %i64
  %vx = load float, ptr addrspace(1) %px
  %vy = load float, ptr addrspace(1) %py
  %p = call float @llvm.fmuladd.f32(float %a, float %vx, float %vy)
  store float %p, ptr addrspace(1) %py
  br label %out
out:
  ret void
}

; A loop of three turns that lanes may leave earlier: which way out a lane has taken differs from lane to lane, though nothing that
; it is told by does. Lanes from 4 on take all turns: 4 >> 2 is not 0.
; RUN: %leno-cc %s -o %t && %leno-run %t --block 32 --arg out:u32[32]:print: --arg u32:3 | FileCheck %s
; RUN: %leno-cc -O0 %s -o %t0 && %leno-run %t0 --block 32 --arg out:u32[32]:print: --arg u32:3 | FileCheck %s
; CHECK: [ 0] 1 1 1 1 109 109 109 109 109 109 109 109 109 109 109 109 109 109 109
; CHECK: [19] 109 109 109 109 109 109 109 109 109 109 109 109 109
declare i32 @leno_tid_x()
define amdgpu_kernel void @ways(ptr addrspace(1) %out, i32 %turns) {
entry:
  %t = call i32 @leno_tid_x()
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  br label %loop
loop:
  %left = phi i32 [ %turns, %entry ], [ %less, %latch ]
  %v = phi i32 [ %t, %entry ], [ %half, %latch ]
  %half = lshr i32 %v, 1
  %less = add i32 %left, -1
  %all = icmp eq i32 %less, 0
  br i1 %all, label %out.of.loop, label %latch
latch:
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %out.of.loop
out.of.loop:
  %took.all = phi i1 [ true, %loop ], [ false, %latch ]
  br i1 %took.all, label %long, label %exit
long:
  store volatile i32 101, ptr addrspace(1) %p
  store volatile i32 102, ptr addrspace(1) %p
  store volatile i32 103, ptr addrspace(1) %p
  store volatile i32 104, ptr addrspace(1) %p
  store volatile i32 105, ptr addrspace(1) %p
  store volatile i32 106, ptr addrspace(1) %p
  store volatile i32 107, ptr addrspace(1) %p
  store volatile i32 108, ptr addrspace(1) %p
  br label %exit
exit:
  %told = load volatile i32, ptr addrspace(1) %p
  %one.more = add i32 %told, 1
  store volatile i32 %one.more, ptr addrspace(1) %p
  ret void
}

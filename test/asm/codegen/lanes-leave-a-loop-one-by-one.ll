; Lanes leave the loop one by one and meet behind it, and in it behind each if: the steps of Collatz's sequences of 1 to 20
; (OEIS A006577).
; RUN: %leno-cc --llvm -verify-machineinstrs -S %s -o - | FileCheck --check-prefix=TEXT %s
; RUN: %leno-cc %s -o %t && %leno-run %t --block 32 --arg out:u32[20]:print: --arg u32:20 | FileCheck %s
; RUN: %leno-cc -O0 --llvm -verify-machineinstrs %s -o %t0 && %leno-run %t0 --block 32 --arg out:u32[20]:print: --arg u32:20 | FileCheck %s
; TEXT: PBK
; TEXT: BRK
; CHECK: [ 0] 0 1 7 2 5 8 16 3 19 6 14 9 9 17 17 4 12 20 20 7
declare i32 @leno_tid_x()
define amdgpu_kernel void @collatz(ptr addrspace(1) %out, i32 %n) {
entry:
  %t = call i32 @leno_tid_x()
  %in = icmp ult i32 %t, %n
  br i1 %in, label %pre, label %exit
pre:
  %start = add i32 %t, 1
  br label %loop
loop:
  %v = phi i32 [ %start, %pre ], [ %next, %latch ]
  %k = phi i32 [ 0, %pre ], [ %k1, %latch ]
  %one = icmp eq i32 %v, 1
  br i1 %one, label %done, label %body
body:
  %bit = and i32 %v, 1
  %odd = icmp ne i32 %bit, 0
  br i1 %odd, label %o, label %e
o:
  %t3 = mul i32 %v, 3
  %vo = add i32 %t3, 1
  br label %latch
e:
  %ve = lshr i32 %v, 1
  br label %latch
latch:
  %next = phi i32 [ %vo, %o ], [ %ve, %e ]
  %k1 = add i32 %k, 1
  br label %loop
done:
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %k, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}

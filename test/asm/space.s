# .zero, .space, .skip and .fill, of sizes that are known at once or from labels; what stands in .bss takes no
# room in the file.
# RUN: %leno-as -c %s -o %t
# RUN: llvm-readobj-22 --hex-dump=.const1 %t | FileCheck %s
# RUN: llvm-readobj-22 -S %t | FileCheck --check-prefix=BSS %s
# CHECK: 0x00000000 01000002 02030303 05000000 05000000
# CHECK-NEXT: 0x00000010 ffffffff ff000000 000006{{ }}
# BSS: Name: .bss
# BSS: Type: SHT_NOBITS
# BSS: Size: 1073741824
  .const 1
begin:
  .byte 1
  .ZERO 2
  .space 2, 2
  .skip begin2 - begin, 3   # 3 bytes
  .fill 2, 4, 5
  .fill 5, 1, 0xff
  .fill 1, 5
  .fill 1, 0, 7
  .fill begin2 - begin, 0
  .byte 6
  .data
  .byte 0
begin2 = begin + 3
  .bss
  .zero 0x40000000

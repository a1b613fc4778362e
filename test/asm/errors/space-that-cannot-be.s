# Sizes and repetitions that no file has.
# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .const 1
# CHECK: space-that-cannot-be.s:[[#@LINE+1]]:9: error: '2.5' is no whole number of bytes
  .zero 2.5
# CHECK: :[[#@LINE+1]]:10: error: -8 bytes cannot be
  .space -8
# CHECK: :[[#@LINE+1]]:9: error: 4611686018427387904 bytes make the file larger than the 256 MiB that it may fill: .bss takes no room
  .skip 1 << 62
  .zero 0xff00000
# CHECK: :[[#@LINE+1]]:9: error: 1048577 bytes and 267386880 before it make the file larger than
  .zero 0x100001
# CHECK: :[[#@LINE+1]]:8: error: the number of bytes is missing here
  .zero
# CHECK: :[[#@LINE+1]]:9: error: '3.' is no whole number of values
  .fill 3., 1, 0
# CHECK: :[[#@LINE+1]]:9: error: 18446744073709551615 bytes and
  .fill 0x7fffffffffffffff, 8, 0
# CHECK: :[[#@LINE+1]]:12: error: a value of .fill has 0 to 8 bytes
  .fill 3, 9, 0
# CHECK: :[[#@LINE+1]]:9: error: '2.' is no whole number of repetitions
  .rept 2.
  .endr
# CHECK: :[[#@LINE+1]]:9: error: '16777217' is too often: 16777216 repetitions at most
  .rept 16777217
  .endr
# CHECK: :[[#@LINE+1]]:10: error: '0x1000001' is too often
  .dcb.b 0x1000001, 1
  .bss
# CHECK: :[[#@LINE+1]]:9: error: 1099511627777 bytes are more than a context can address: 1 TiB
  .zero 0x10000000001

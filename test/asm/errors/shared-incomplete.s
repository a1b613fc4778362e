# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
# CHECK: shared-incomplete.s:[[#@LINE+1]]:10: error: expected a name and a size, such as `.shared tile, 4096`
  .shared
# CHECK: shared-incomplete.s:[[#@LINE+1]]:15: error: expected ',' and the size in bytes
  .shared tile
# CHECK: shared-incomplete.s:[[#@LINE+1]]:16: error: the size is missing here
  .shared tile,
# CHECK: shared-incomplete.s:[[#@LINE+1]]:17: error: the size must be known here: a number, a parameter, a shared variable or a symbol set before
  .shared tile, later
# CHECK: shared-incomplete.s:[[#@LINE+1]]:21: error: the alignment must be a power of two up to 4096
  .shared tile, 16, 24
# CHECK: shared-incomplete.s:[[#@LINE+1]]:20: error: the alignment is missing here
  .shared tile, 16,
  EXIT
  .endkernel
later:

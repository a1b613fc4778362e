# Structures that do not match, told where they stand and in the macro.
# RUN: not %leno-as %s -o %t 2>&1 | FileCheck %s
# RUN: not %leno-as %s -o %t 2>&1 | FileCheck %s --check-prefix=QUIET --implicit-check-not=" leno_"
# QUIET: 7 errors
  .include "leno/structured.inc"
  .kernel k
# CHECK: error: ELSE without an IF: the innermost open structure is another
# CHECK: structured-mismatch.s:[[#@LINE+1]]:3: note: while in macro instantiation
  ELSE
# CHECK: error: BREAK without a LOOP around it
# CHECK: structured-mismatch.s:[[#@LINE+1]]:3: note: while in macro instantiation
  BREAK
# CHECK: error: IF needs a predicate: IF P0, or IF !P0
# CHECK: structured-mismatch.s:[[#@LINE+1]]:3: note: while in macro instantiation
  IF
  IF P0
  ELSE
# CHECK: error: this IF has its ELSE already
# CHECK: structured-mismatch.s:[[#@LINE+1]]:3: note: while in macro instantiation
  ELSE
# CHECK: error: ENDLOOP or UNTIL without a LOOP: the innermost open structure is another
# CHECK: structured-mismatch.s:[[#@LINE+1]]:3: note: while in macro instantiation
  ENDLOOP
  ENDIF
  LOOP
# CHECK: error: ENDIF without an IF: the innermost open structure is another
# CHECK: structured-mismatch.s:[[#@LINE+1]]:3: note: while in macro instantiation
  ENDIF
# CHECK: structured-mismatch.s:[[#@LINE+1]]:3: error: an IF or LOOP of this kernel has no ENDIF or ENDLOOP
  .endkernel

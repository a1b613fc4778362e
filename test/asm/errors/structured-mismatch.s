# Structures that do not match, told where they stand: what our macros call is nobody's business.
# RUN: not %leno-as %s -o %t 2>&1 | FileCheck %s
# RUN: not %leno-as %s -o %t 2>&1 | FileCheck %s --check-prefix=QUIET --implicit-check-not=leno_ --implicit-check-not=structured.inc:
# QUIET: 7 errors
  .include "leno/structured.inc"
  .kernel k
# CHECK: structured-mismatch.s:[[#@LINE+1]]:3: error: ELSE without an IF: the innermost open structure is another
  ELSE
# CHECK: structured-mismatch.s:[[#@LINE+1]]:3: error: BREAK without a LOOP around it
  BREAK
# CHECK: structured-mismatch.s:[[#@LINE+1]]:3: error: IF needs a predicate: IF P0, or IF !P0
  IF
  IF P0
  ELSE
# CHECK: structured-mismatch.s:[[#@LINE+1]]:3: error: this IF has its ELSE already
  ELSE
# CHECK: structured-mismatch.s:[[#@LINE+1]]:3: error: ENDLOOP or UNTIL without a LOOP: the innermost open structure is another
  ENDLOOP
  ENDIF
  LOOP
# CHECK: structured-mismatch.s:[[#@LINE+1]]:3: error: ENDIF without an IF: the innermost open structure is another
  ENDIF
# CHECK: structured-mismatch.s:[[#@LINE+1]]:3: error: an IF or LOOP of this kernel has no ENDIF or ENDLOOP
  .endkernel

# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: atomic-without-operation.s:[[#@LINE+1]]:5: error: ATOM needs a modifier (atomic operation): one of .add .min .max .inc .dec .and .or .xor .exch
ATOM R1, [R2], R3

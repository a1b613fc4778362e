# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: atomic-offset-out-of-range.s:[[#@LINE+1]]:14: error: offset 32768 does not fit: an atomic's is -32768 to 32767 bytes
ATOM.add R1, [R2+32768], R3

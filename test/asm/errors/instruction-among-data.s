# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .global
# CHECK: instruction-among-data.s:[[#@LINE+1]]:3: error: an instruction among data: write .text or .kernel before it
  EXIT

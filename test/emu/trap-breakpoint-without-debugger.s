# BPT traps when no debugger is attached.
# RUN: not %leno-run %s --block 32 --arg out:u32[32]:%t.npy 2>&1 | FileCheck %s
# CHECK: error: BREAKPOINT at test+0x8
  .include "Inputs/lane.inc"
  begin
  BPT 7
  store R0

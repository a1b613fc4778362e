# RUN: not %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
# CHECK: truth-table-out-of-range.s:[[#@LINE+1]]:23: error: expected a truth table from 0 to 255; found an integer
	LOP3 R1, R2, R3, R4, 256;
# CHECK: truth-table-out-of-range.s:[[#@LINE+1]]:15: error: 131072 does not fit: an immediate here is -131072 to 131071; put it in a register with MOV32I
	LOP3 R1, R2, 131072, R4, 0xe8;

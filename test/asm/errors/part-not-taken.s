# RUN: not %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
# CHECK: part-not-taken.s:[[#@LINE+1]]:11: error: expected a register, negated or not; found a part of a register
	IADD R1, R2.B1, R3;
# CHECK: part-not-taken.s:[[#@LINE+1]]:7: error: expected a register; found a part of a register
	VADD R1.B1, R2, R3;
# CHECK: part-not-taken.s:[[#@LINE+1]]:15: error: expected a register, negated or not, or an integer from -524288 to 524287, or a constant, negated or not; found a part of a constant
	IADD R1, R2, c[0][8].B1;
# CHECK: part-not-taken.s:[[#@LINE+1]]:18: error: 32768 does not fit: an immediate here is -32768 to 32767; put it in a register with MOV32I
	VADD R1, R2.B1, 32768;

# RUN: not %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
# CHECK: part-unknown.s:[[#@LINE+1]]:14: error: there is no part '.B4'; a source has .W .H0 .H1 .B0 .B1 .B2 .B3 .U .UH0 .UH1 .UB0 .UB1 .UB2 .UB3
	VADD R1, R2.B4, R3;
# CHECK: part-unknown.s:[[#@LINE+1]]:26: error: there is no part '.Q'; a source has .W .H0
	VADD R1, R2.B1, c[0][8].Q;
# CHECK: part-unknown.s:[[#@LINE+1]]:21: error: a predicate has no parts
	SEL R1, R2, R3, P0.B1;

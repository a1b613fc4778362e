# The words of one or two forms of each instruction, put together by hand from the field positions that
# isa/Formats.td draws, and not by the assembler.
# RUN: %leno-as -c %s -o %t.o
# RUN: %leno-objdump --raw %t.o | FileCheck %s

	MOV R1, R2;
# CHECK: {{[0-9a-f]+}}: 0200000000400027
	MOV R1, -5;
# CHECK: {{[0-9a-f]+}}: 028001ffff600027
	MOV R1, c[3][0x10];
# CHECK: {{[0-9a-f]+}}: 0300001800800027
	MOV32I R5, 1.0;
# CHECK: {{[0-9a-f]+}}: 0407f000000000a7
	S2R R0, SR_TID.X;
# CHECK: {{[0-9a-f]+}}: 0600000002000007
	SEL R1, R2, R3, !P0;
# CHECK: {{[0-9a-f]+}}: 0800100000604027
	VOTE.all R3, P1, !P2;
# CHECK: {{[0-9a-f]+}}: 0e00140000002067
	VOTE.eq P6, P2;
# CHECK: {{[0-9a-f]+}}: 0e0404000000dfe7
	ISETP.lt P2, R0, R1;
# CHECK: {{[0-9a-f]+}}: 20020e0000200747
	ISETP.gt.and P2, P3, R2, R3, !P1;
# CHECK: {{[0-9a-f]+}}: 2008120000604347
	ISETP.ge.u32.X.xor P0, R0, 7, P1;
# CHECK: {{[0-9a-f]+}}: 20bc420000e00707
	ISET.lt R1, R0, R2;
# CHECK: {{[0-9a-f]+}}: 30020e0000400027
	@P3 ISET.ge.u32.X.xor.BF R1, R2, -1, !P5;
# CHECK: {{[0-9a-f]+}}: 30fc5bffffe04023
	FSETP.ltu.FTZ.or P1, P2, -|R1|, -c[1][4], P3;
# CHECK: {{[0-9a-f]+}}: 2372a60800202a27
	PSETP.and.or P0, P1, !P2, P3, !P4;
# CHECK: {{[0-9a-f]+}}: 2600380000614107
	PSET.and.or.BF R1, !P2, P3, !P4;
# CHECK: {{[0-9a-f]+}}: 3640380000614027
	CSETP.nsf.or P1, P2, !P3;
# CHECK: {{[0-9a-f]+}}: 282e360000000227
	CSETP.lt P0, PT;
# CHECK: {{[0-9a-f]+}}: 281c0e0000000707
	CSET.hi.xor.BF R5, P0;
# CHECK: {{[0-9a-f]+}}: 38644000000000a7
	P2R.hi R1, R2, 0xf00;
# CHECK: {{[0-9a-f]+}}: 0a820001e0004027
	R2P R3, R4;
# CHECK: {{[0-9a-f]+}}: 0c00000000806007
	SHFL.idx R1, R2, R3, R4;
# CHECK: {{[0-9a-f]+}}: 1038080000604027
	SHFL.up P6, R1, R2, 31, R4;
# CHECK: {{[0-9a-f]+}}: 10b2080003e04027
	SHFL.down R1, R2, R3, 0x181f;
# CHECK: {{[0-9a-f]+}}: 113c0303e0604027
	SHFL.bfly P0, R1, R2, 1, 0x1f;
# CHECK: {{[0-9a-f]+}}: 11860003e0204027
	IADD R1, R2, R3;
# CHECK: {{[0-9a-f]+}}: 4000000000604027
	@!P1 IADD.X.CC R1, -R2, -c[0][0x48];
# CHECK: {{[0-9a-f]+}}: 4166000002404029
	IADD.SAT.S R1, R2, 100;
# CHECK: {{[0-9a-f]+}}: 408800000c804037
	IMUL.HI.us32 R2, R4, R6;
# CHECK: {{[0-9a-f]+}}: 4406000000c08047
	IMAD.CC.X.u32 R1, R2, 3, R4;
# CHECK: {{[0-9a-f]+}}: 46bc080000604027
	IMAD R1, R2, R3, c[0][8];
# CHECK: {{[0-9a-f]+}}: 4780060000404027
	LOP.xor R1, ~R2, ~R3;
# CHECK: {{[0-9a-f]+}}: 6664000000604027
	LOP3 R1, R2, R3, R4, 0xe8;
# CHECK: {{[0-9a-f]+}}: 6a74080000604027
	LOP3 R1, R2, -1, R4, 0x96;
# CHECK: {{[0-9a-f]+}}: 6aca097fffe04027
	LOP3 R1, R2, R4, c[1][8], 1;
# CHECK: {{[0-9a-f]+}}: 6b80088800404027
	MOV R5, 0x12345678;
# CHECK: {{[0-9a-f]+}}: 0402468acf0000a7
	ISUB.CC R1, R2, R3;
# CHECK: {{[0-9a-f]+}}: 4044000000604027
	ISUB R1, R2, -R3;
# CHECK: {{[0-9a-f]+}}: 4000000000604027
	ISUB.X R1, -R2, 5;
# CHECK: {{[0-9a-f]+}}: 40e2000000a04027
	ISUB R1, R2, c[0][8];
# CHECK: {{[0-9a-f]+}}: 4140000000404027
	INEG.SAT R1, R2;
# CHECK: {{[0-9a-f]+}}: 40480000005fe027
	IADD32I.X.CC.SAT R1, -R2, 0x89abcdef;
# CHECK: {{[0-9a-f]+}}: 43f13579bde04027
	IADD32I R1, R2, 1;
# CHECK: {{[0-9a-f]+}}: 4200000000204027
	ISCADD.CC R1, -R2, -R3, 31;
# CHECK: {{[0-9a-f]+}}: 4a643e0000604027
	ISCADD R1, R2, -1, 2;
# CHECK: {{[0-9a-f]+}}: 4a8005ffffe04027
	LEA.X.CC R1, R2, c[0][0x40], 3;
# CHECK: {{[0-9a-f]+}}: 4f06060002004027
	LEA.HI.X.CC R1, R2, R3, R4, 17;
# CHECK: {{[0-9a-f]+}}: 5022098000604027
	LEA.HI R1, R2, -1, RZ, 2;
# CHECK: {{[0-9a-f]+}}: 5085fe7fffe04027
	IMNMX.u32 R1, R2, R3, !P4;
# CHECK: {{[0-9a-f]+}}: 4c02180000604027
	IMIN R1, R2, 7;
# CHECK: {{[0-9a-f]+}}: 4c801e0000e04027
	IMAX R1, R2, R3;
# CHECK: {{[0-9a-f]+}}: 4c000e0000604027
	AND R1, R2, ~R3;
# CHECK: {{[0-9a-f]+}}: 6640000000604027
	XOR R1, ~R2, 1;
# CHECK: {{[0-9a-f]+}}: 66a4000000204027
	NOT R1, R2;
# CHECK: {{[0-9a-f]+}}: 66460000005fe027
	LOP32I.or R1, ~R2, 0x80000001;
# CHECK: {{[0-9a-f]+}}: 68b0000000204027
	SHF.R.W R1, R2, 5, R3;
# CHECK: {{[0-9a-f]+}}: 6486060000a04027
	SHF.L R1, R2, R4, c[1][4];
# CHECK: {{[0-9a-f]+}}: 6580080800204027
	BFE.u32 R1, R2, 0x0804;
# CHECK: {{[0-9a-f]+}}: 6c82000100804027
	BFI R1, R2, R3, R4;
# CHECK: {{[0-9a-f]+}}: 6e00080000604027
	BREV R1, R2;
# CHECK: {{[0-9a-f]+}}: 7000000000400027
	POPC R1, ~R2;
# CHECK: {{[0-9a-f]+}}: 7240000000400027
	FLO.u32.SH R1, ~R2;
# CHECK: {{[0-9a-f]+}}: 7446000000400027
	PRMT R1, R2, 0x4321, R3;
# CHECK: {{[0-9a-f]+}}: 1280060864204027
	PRMT.RC16 R1, R2, R4, R3;
# CHECK: {{[0-9a-f]+}}: 120c060000804027
	I2I.u8.s16.b1.SAT R1, -|R2|;
# CHECK: {{[0-9a-f]+}}: be7a880000400027
	IABS R1, R2;
# CHECK: {{[0-9a-f]+}}: be20000000400027
	SHL.W R1, R2, 3;
# CHECK: {{[0-9a-f]+}}: 6082000000604027
	SHR.u32 R1, R2, R3;
# CHECK: {{[0-9a-f]+}}: 6204000000604027
	IMAD.WIDE.u32.CC.X R2, R4, R5, R6;
# CHECK: {{[0-9a-f]+}}: 483c0c0000a08047
	IMAD.WIDE R2, R4, R5, c[0][8];
# CHECK: {{[0-9a-f]+}}: 49800a0000408047
	VADD R1, R2, R3;
# CHECK: {{[0-9a-f]+}}: 8001fe0000604027
	VADD.u32.SAT.b2 R1, R2.UB3, R3.H1, R4;
# CHECK: {{[0-9a-f]+}}: 806e090040604027
	VSUB.add R1, R2.B0, -2, R4;
# CHECK: {{[0-9a-f]+}}: 8298083fffc04027
	VABSDIFF.h1 R1, R2.U, c[2][0x10].UH1;
# CHECK: {{[0-9a-f]+}}: 85392a1000804027
	VMIN.min R1, R2.H0, R3.UB0, R4;
# CHECK: {{[0-9a-f]+}}: 8608084140604027
	VMAX.max R1, R2.H0, R3.B1, R4;
# CHECK: {{[0-9a-f]+}}: 8808086080604027
	VSHL.W.h0 R1, R2.B2, R3.UB1, R4;
# CHECK: {{[0-9a-f]+}}: 8a28089160604027
	VSHR.W R1, R2.B3, 63;
# CHECK: {{[0-9a-f]+}}: 8cb1fe1007e04027
	VSHR.W.add R1, R2.B3, c[1][4].UB1;
# CHECK: {{[0-9a-f]+}}: 8d31628800204027
	VMAD.SAT.PO.shr15 R1, -R2.UB0, R3.UB2, -R4;
# CHECK: {{[0-9a-f]+}}: 8e5609c180604027
	VMAD.shr7 R1, R2.UH0, 255, R4;
# CHECK: {{[0-9a-f]+}}: 8ec008201fe04027
	VSETP.lt.or P1, P2, R2.UB1, R3.B2, !P3;
# CHECK: {{[0-9a-f]+}}: 2a23b600a0604227
	VSETP.ge P1, R2.H1, -1;
# CHECK: {{[0-9a-f]+}}: 2a8d0e1fffe04727
	VSETP.ge P1, R2.H1, c[1][8].UB2;
# CHECK: {{[0-9a-f]+}}: 2b0d0e0800405f27
	VSET.gt.BF R1, R2.B3, 5, P0;
# CHECK: {{[0-9a-f]+}}: 3ad9000000a04027
	FADD.RP.FTZ.SAT R1, -R2, |R3|;
# CHECK: {{[0-9a-f]+}}: a03c040000604027
	FMUL R1, |R2|, -1.5;
# CHECK: {{[0-9a-f]+}}: a280037f80004027
	FFMA.RM R1, -R2, R3, -R4;
# CHECK: {{[0-9a-f]+}}: a462080000604027
	FFMA R1, R2, R3, -c[0][8];
# CHECK: {{[0-9a-f]+}}: a5c0060000404027
	F2I.u8.RN R1, -|R2|;
# CHECK: {{[0-9a-f]+}}: ba4a040000400027
	F2I R1, R2;
# CHECK: {{[0-9a-f]+}}: ba00600000400027
	I2F.u16.RZ R1, R2;
# CHECK: {{[0-9a-f]+}}: bc06600000400027
	LDG.64 R2, [R4.64+0x10];
# CHECK: {{[0-9a-f]+}}: c41a000002008047
	STG.u8 [R4-4], R2;
# CHECK: {{[0-9a-f]+}}: c6021fffff808047
	LDS.128 R8, [R3];
# CHECK: {{[0-9a-f]+}}: c80c000000006107
	STS.s16 [0x20], R9;
# CHECK: {{[0-9a-f]+}}: ca080000041fe127
	LDC.s8 R1, c[5][R2+7];
# CHECK: {{[0-9a-f]+}}: d00400a000e04027
	LD.s16 R1, [R4.64-2];
# CHECK: {{[0-9a-f]+}}: c0181fffffc08027
	ST.128 [R4.64], R8;
# CHECK: {{[0-9a-f]+}}: c21c000000008107
	LDL.64 R2, [R1+8];
# CHECK: {{[0-9a-f]+}}: cc0a000001002047
	@P2 STL [0x30], RZ;
# CHECK: {{[0-9a-f]+}}: ce000000061fffe2
	ATOM.max.s32 R1, [R4.64-4], R2;
# CHECK: {{[0-9a-f]+}}: d2125fff80408027
	ATOM.CAS.u64 R2, [R4.64+2047], R6, R8;
# CHECK: {{[0-9a-f]+}}: d39410ffe0c08047
	ATOMS.exch R1, [R2+0x7fff], R3;
# CHECK: {{[0-9a-f]+}}: d4010fffe0604027
	ATOMS.CAS RZ, [R2-16], R3, R4;
# CHECK: {{[0-9a-f]+}}: d58009fe00605fe7
	RED.add.f32 [R4], R5;
# CHECK: {{[0-9a-f]+}}: d606000000a08007
	LDLK P3, R1, [R2.64+4];
# CHECK: {{[0-9a-f]+}}: d810600000804027
	LDSLK.64 P0, R4, [R2];
# CHECK: {{[0-9a-f]+}}: d88a000000004087
	STUL [R2.64+4], R1;
# CHECK: {{[0-9a-f]+}}: da10000000804027
	STSUL.64 [0x8], R4;
# CHECK: {{[0-9a-f]+}}: da8a0000011fe087
	MEMBAR.SYS;
# CHECK: {{[0-9a-f]+}}: dc04000000000007
	CCTL.PF [R4.64+128];
# CHECK: {{[0-9a-f]+}}: dc96000010008007
	BAR.SYNC 3, 64;
# CHECK: {{[0-9a-f]+}}: de80000080600007
	BAR.SYNC R1, R2;
# CHECK: {{[0-9a-f]+}}: de00040000002007
	BAR.ARV 15, 4064;
# CHECK: {{[0-9a-f]+}}: de82001fc1e00007
	BAR.ARV R3, 64;
# CHECK: {{[0-9a-f]+}}: df02000080006007
	BAR.RED.POPC R5, 4, R6, !P3;
# CHECK: {{[0-9a-f]+}}: df840d60008000a7
	@P0 BAR.RED.AND P2, 0, P1;
# CHECK: {{[0-9a-f]+}}: de86002000000040
	BAR.RED.OR.S PT, RZ, R9, PT;
# CHECK: {{[0-9a-f]+}}: de0812e0001fe0f7
	@P0 BRA.U .+24;
# CHECK: {{[0-9a-f]+}}: e240000000400000
	BRA .-8;
# CHECK: {{[0-9a-f]+}}: e2001fffffc00007
	BRA CC.lt, .+8;
# CHECK: {{[0-9a-f]+}}: e21c000000000007
	@!P2 BRX.U CC.nsf, R3, .-8;
# CHECK: {{[0-9a-f]+}}: e46e1fffffc0600a
	JMP 0x7fffff8;
# CHECK: {{[0-9a-f]+}}: e6001fffffe00007
	JMX.S R4;
# CHECK: {{[0-9a-f]+}}: e800000000008017
	JMX CC.f, R4, 0x40;
# CHECK: {{[0-9a-f]+}}: e81e000001008007
	JCAL 0x40;
# CHECK: {{[0-9a-f]+}}: ec00000001000007
	BRA.SSY CC.of, .+16, .-8;
# CHECK: {{[0-9a-f]+}}: e2a9e000003fffc7
	@P1 KIL;
# CHECK: {{[0-9a-f]+}}: fc80000000000001
	BRA CC.lt, .+16;
# CHECK: {{[0-9a-f]+}}: e21c000000200007
	@!P2 BRX.U CC.nsf, R3, .-8;
# CHECK: {{[0-9a-f]+}}: e46e1fffffc0600a
	JMP 0x7fffff8;
# CHECK: {{[0-9a-f]+}}: e6001fffffe00007
	JMX.S R4;
# CHECK: {{[0-9a-f]+}}: e800000000008017
	JMX CC.f, R4, 0x40;
# CHECK: {{[0-9a-f]+}}: e81e000001008007
	JCAL 0x40;
# CHECK: {{[0-9a-f]+}}: ec00000001000007
	BRA.SSY CC.of, .+16, .-8;
# CHECK: {{[0-9a-f]+}}: e2a9e000003fffc7
	@P1 KIL;
# CHECK: {{[0-9a-f]+}}: fc80000000000001
	SSY .+16;
# CHECK: {{[0-9a-f]+}}: f800000000200007
	PBK .+16;
# CHECK: {{[0-9a-f]+}}: f000000000200007
	CAL .+16;
# CHECK: {{[0-9a-f]+}}: ea00000000200007
	PCNT .+16;
# CHECK: {{[0-9a-f]+}}: f400000000200007
	PRET .+16;
# CHECK: {{[0-9a-f]+}}: fe00000000200007
	@P1 BRA.SSY .+16, .-8;
# CHECK: {{[0-9a-f]+}}: e281e000003fffc1
	BRA.SSY.U .+8, .+524296;
# CHECK: {{[0-9a-f]+}}: e2c0200000000007
	PBK.SSY .+16, .+24;
# CHECK: {{[0-9a-f]+}}: f080000000200047
	CAL.SSY .+16, .+24;
# CHECK: {{[0-9a-f]+}}: ea80000000200047
	@!P0 BRK;
# CHECK: {{[0-9a-f]+}}: f200000000000008
	@P5 CONT;
# CHECK: {{[0-9a-f]+}}: f600000000000005
	RET;
# CHECK: {{[0-9a-f]+}}: ee00000000000007
	EXIT;
# CHECK: {{[0-9a-f]+}}: fa00000000000007
	NOP;
# CHECK: {{[0-9a-f]+}}: e000000000000007
	SYNC;
# CHECK: {{[0-9a-f]+}}: e000000000000017
	@P2 SYNC;
# CHECK: {{[0-9a-f]+}}: e000000000000012
	BPT 7;
# CHECK: {{[0-9a-f]+}}: fc00000000e00007
	FSET.gt.BF.FTZ.or R1, -R2, |R3|, !P0;
# CHECK: {{[0-9a-f]+}}: 3269310000604027
	DSETP.neu P1, R2, -R4;
# CHECK: {{[0-9a-f]+}}: 241a8e0000804727
	DSET.lt R1, |R2|, R4;
# CHECK: {{[0-9a-f]+}}: 34028e0000804027
	FMNMX.FTZ R1, -R2, |R3|, !P0;
# CHECK: {{[0-9a-f]+}}: a632100000604027
	FMAX R1, R2, 1.5;
# CHECK: {{[0-9a-f]+}}: a6800e7f80004027
	DMNMX R4, |R0|, -R2, P3;
# CHECK: {{[0-9a-f]+}}: ae48060000400087
	DMIN R4, R2, c[1][8];
# CHECK: {{[0-9a-f]+}}: af001e0800404087
	MUFU.RSQ.FTZ R1, |R2|;
# CHECK: {{[0-9a-f]+}}: b60b000000400027
	MUFU.RSQ64H.SAT R1, -R2;
# CHECK: {{[0-9a-f]+}}: b644800000400027
	MUFU.SIN R1, 0.5;
# CHECK: {{[0-9a-f]+}}: b6a0007e00000027
	F2F.f16.f32.RZ.FLOOR.FTZ.SAT R1, -R2;
# CHECK: {{[0-9a-f]+}}: b862e00000404027
	F2F.f32.f64 R1, |R2|;
# CHECK: {{[0-9a-f]+}}: b810040000400027
	F2I.s64.f16.RP.FTZ R2, R1;
# CHECK: {{[0-9a-f]+}}: ba2cc00000200047
	I2F.f64.u64.RM R2, R4;
# CHECK: {{[0-9a-f]+}}: bc0f200000800047
	HADD2.RP R1, -|R2|, R3;
# CHECK: {{[0-9a-f]+}}: b024020000604027
	HMUL2.SAT R1, R2, |c[3][0x10]|;
# CHECK: {{[0-9a-f]+}}: b310041800804027
	HFMA2.RZ.FTZ R1, R2, R3, -R4;
# CHECK: {{[0-9a-f]+}}: b44e080000604027
	HFMA2 R1, R2, R3, c[0][0x8];
# CHECK: {{[0-9a-f]+}}: b580060000404027
	DADD.RP R4, -R0, |R2|;
# CHECK: {{[0-9a-f]+}}: a824040000400087
	DMUL R4, R2, -1.5;
# CHECK: {{[0-9a-f]+}}: aa80017ff0004087
	IADD3 R1, -R2, R3, -R4;
# CHECK: {{[0-9a-f]+}}: 5260080000604027
	IADD3 R1, R2, -1, R4;
# CHECK: {{[0-9a-f]+}}: 528009ffffe04027
	IADD3 R1, R2, -c[1][8], R4;
# CHECK: {{[0-9a-f]+}}: 5310080800404027
	IADD3 R1, R2, -R3, c[1][8];
# CHECK: {{[0-9a-f]+}}: 5390060800404027
	IMAD.WIDE.u32 R2, R4, 12, c[0][0x40];
# CHECK: {{[0-9a-f]+}}: 498c188002008047
	FADD32I.FTZ.SAT R1, -|R2|, 0.1;
# CHECK: {{[0-9a-f]+}}: 91e7b99999a04027
	FMUL32I R1, |R2|, 3.0;
# CHECK: {{[0-9a-f]+}}: 9308080000004027
	FFMA32I R1, -R2, 0.1, R1;
# CHECK: {{[0-9a-f]+}}: 9487b99999a04027
	FFMA32I R1, R2, 0.1, -R1;
# CHECK: {{[0-9a-f]+}}: 9507b99999a04027
	FMNMX.NaN R1, R2, R3, P0;
# CHECK: {{[0-9a-f]+}}: a604000000604027
	DMAX.NaN R4, R2, R6;
# CHECK: {{[0-9a-f]+}}: ae040e0000c04087
	PSETP.and P2, P0, P1;
# CHECK: {{[0-9a-f]+}}: 26000e0000200747
	CSETP.lt P0;
# CHECK: {{[0-9a-f]+}}: 281c0e0000000707
	IDP.4A.us32.SAT R1, R2, R3, R4;
# CHECK: {{[0-9a-f]+}}: 5414080000604027
	IDP.2A.HI.u32 R1, R2, R3, R4;
# CHECK: {{[0-9a-f]+}}: 542e080000604027
	IDP.2A R1, R2, R5, c[0][0x40];
# CHECK: {{[0-9a-f]+}}: 55a00a0002004027
	LDG.64.cg R2, [R4.64+0x10];
# CHECK: {{[0-9a-f]+}}: c43a000002008047
	LD.cv R2, [R4];
# CHECK: {{[0-9a-f]+}}: c040000000008047

"""Launches on the compiled tier, which has to find its compiler from where the module is."""
import leno

program = leno.assemble("""
        .kernel twice
        .param  ptr out
        S2R     R0, SR_TID.X
        SHL     R1, R0, 2
        IADD.CC R2, R1, c[0][out]
        IADD.X  R3, RZ, c[0][out+4]
        STG     [R2.64], R1
        EXIT
        .endkernel
""", "twice.s")
device = leno.Device()
values = device.zeros(32, "u4")
program.kernel()[1, 32](values)
assert list(values) == list(range(0, 128, 4)), values

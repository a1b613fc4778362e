//===- Special.td - Special functions -------------------------------------===//

class MUFUInst<bits<2> form, Operand kind>
    : ComputeD<OP_MUFU, form, "MUFU", (ins ModMufuFunction:$function, ModFTZ:$FTZ, ModSAT:$SAT, kind:$rb),
               "$function$FTZ$SAT", "$rd, $rb"> {
  bits<4> function;
  bits<1> FTZ;
  bits<1> SAT;
  let Inst{54-51} = function;
  let Inst{49} = FTZ;
  let Inst{50} = SAT;
  let Inst{47} = rb{20};
  let Inst{48} = rb{21};
  let Cold = ["FTZ", "SAT"];
  let Class = "special";
  let Summary = "special function, correctly rounded: reciprocal, square root, power and logarithm of two, sine, cosine";
  let Meaning = [{
`rd = round(f(b))`: the exact value of the function of the single-precision b, after its signs (`|x|` first, then
`-x`), rounded once to nearest even, as if worked out with infinite precision: overflow gives infinity, and a result
too small is a subnormal, or a zero of its sign. The same bits on every host. SIN and COS take radians, of any size,
and reduce them exactly.

| function | value | special cases |
|---|---|---|
| `RCP` | 1 / b | 0 gives infinity and infinity 0, of the same sign |
| `RSQ` | 1 / sqrt(b) | +0 gives +infinity, -0 -infinity, +infinity +0; below zero NaN |
| `EX2` | 2 to the power of b | a zero gives 1; 128 and more, +infinity too, +infinity; -150 and less, -infinity too, +0 |
| `LG2` | logarithm to base 2 of b | a zero of either sign gives -infinity, +infinity +infinity; below zero, -infinity too, NaN; 1 gives +0 |
| `SIN` | sine of b | a zero stays as it is, with its sign; an infinity gives NaN |
| `COS` | cosine of b | a zero gives 1; an infinity gives NaN |
| `SQRT` | square root | -0 stays -0, +infinity +infinity; below zero NaN |
| `RCP64H` | upper word of 1 / d | as RCP |
| `RSQ64H` | upper word of 1 / sqrt(d) | as RSQ |

A NaN gives the canonical NaN `0x7fffffff`. `.FTZ`: a subnormal source counts as a zero of its sign, and a subnormal
result (after rounding) becomes a zero of its sign. `.SAT`, after that: results of 0 and less and NaN become +0,
results of 1 and more become 1.

RCP64H and RSQ64H are the first step of a division or square root in double precision, which DDIV and DSQRT of
leno/math.inc do to the end: d is the double whose upper word is b (after its signs) and whose lower word is 0. The value is rounded to nearest even to a double, with `.SAT` clamped
likewise, and rd is that double's upper word, the lower one cut off. NaN gives `0x7fffffff`. Doubles are never flushed:
`.FTZ` has no effect on these two.

An immediate is the upper 20 bits of b in every function.
}];
  let Example = [{
MUFU.RCP R1, R2;           # R1 = 1 / R2
MUFU.RSQ.FTZ R1, |R2|;
MUFU.RCP64H R5, R3;        # the first guess of 1 / R3:R2
}];
}
def MUFU_R : MUFUInst<0, RegNA>;
def MUFU_I : MUFUInst<1, FImm20>;
def MUFU_C : MUFUInst<2, ConstNA>;

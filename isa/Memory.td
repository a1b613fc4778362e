//===- Memory.td - Loads, stores, barrier ---------------------------------===//

class Access<Opcode opcode, string mnemonic, dag outs, dag inputs, string args>
    : Guarded<opcode, 0, mnemonic, mnemonic, outs, !con((ins ModMemSize:$size), inputs), "$size", args> {
  bits<8> rd;
  bits<33> addr; // {wide, offset (24), base (8)}
  bits<3> size;
  let Inst{12-5} = rd;
  let Inst{20-13} = addr{7-0};
  let Inst{44-21} = addr{31-8};
  let Inst{51-49} = size;
  let Inst{52} = addr{32};
  let Wide = ["rd=size"];
  let Class = "memory";
}
class Load<Opcode opcode, string mnemonic, Operand address>
    : Access<opcode, mnemonic, (outs GPR:$rd), (ins address:$addr), "$rd, $addr"> {
  let mayLoad = 1;
}
class Store<Opcode opcode, string mnemonic, Operand address>
    : Access<opcode, mnemonic, (outs), (ins address:$addr, GPR:$rd), "$addr, $rd"> {
  let mayStore = 1;
}
def LDG : Load<OP_LDG, "LDG", GlobalAddress>  { let Summary = "load from global memory"; }
def STG : Store<OP_STG, "STG", GlobalAddress> { let Summary = "store to global memory"; }
def LDS : Load<OP_LDS, "LDS", SharedAddress>  { let Summary = "load from the CTA's shared memory"; }
def STS : Store<OP_STS, "STS", SharedAddress> { let Summary = "store to the CTA's shared memory"; }

def LDC : Guarded<OP_LDC, 0, "LDC", "LDC", (outs GPR:$rd), (ins ModMemSize:$size, ConstAddress:$caddr), "$size",
                  "$rd, $caddr"> {
  bits<8> rd;
  bits<28> caddr; // {bank (4), offset (16), base (8)}
  bits<3> size;
  let Inst{12-5} = rd;
  let Inst{20-13} = caddr{7-0};
  let Inst{36-21} = caddr{23-8};
  let Inst{40-37} = caddr{27-24};
  let Inst{51-49} = size;
  let Wide = ["rd=size"];
  let mayLoad = 1;
  let Summary = "load from a constant bank, each lane at its own offset [S2]";
  let Class = "memory";
}

def BAR_SYNC : Guarded<OP_BAR, 1, "BAR", "BAR.SYNC", (outs), (ins BarrierId:$id, BarrierCount:$count), "",
                       "$id$count"> {
  bits<4> id;
  bits<12> count;
  let Inst{24-21} = id;
  let Inst{36-25} = count;
  let Summary = "wait until the CTA's warps (or the counted threads) have arrived at the barrier";
  let Class = "barrier";
}

#!/usr/bin/env python3
"""random_kernels.py LENO_CC LENO_RUN FOLDER SEED COUNT: random functions in C, each as a kernel and on the host.

Every function is compiled by clang for the host and by leno-cc at -O0, -O2 and -O3, and run for 64 lanes: the results are
the same words. What differs is kept in FOLDER and told with its seed. LENO_TEST_EFFORT multiplies COUNT.
"""
import os
import random
import subprocess
import sys

LANES = 64
UNSIGNED = ["unsigned", "unsigned char", "unsigned short", "unsigned long long"]
SIGNED = ["int", "signed char", "short", "long long"]


class Function:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.depth = 0
        self.variables = [("unsigned", "a"), ("unsigned", "b"), ("int", "c"), ("unsigned long long", "d"), ("float", "x")]
        self.loops = self.labels = 0
        body = self.block(4)
        # Every other one is called: its frame is then at the stack pointer.
        how = "static __attribute__((noinline))" if seed % 2 else "static inline"
        self.text = f"""{how} void f{seed}(unsigned t, const unsigned IN *in, unsigned OUT *out) {{
  unsigned a = in[t], b = t * 2654435761u, m[8] = {{t, 1, 2, 3, 4, 5, 6, 7}};
  int c = (int)(a ^ b) >> 3;
  unsigned long long d = (unsigned long long)a << 20 ^ b;
  float x = (float)(int)(a & 0xffff) - 30000.0f;
{body}
  union {{ float f; unsigned u; }} bits;
  bits.f = x;
  out[4 * t] = a + m[b & 7];
  out[4 * t + 1] = b ^ (unsigned)c;
  out[4 * t + 2] = (unsigned)d ^ (unsigned)(d >> 32);
  out[4 * t + 3] = x != x ? 0x7fffffffu : bits.u;
}}
"""

    def number(self, depth=3):
        """An expression of an unsigned type, wrapped by a cast so that nothing is undefined."""
        d = self.dice
        if depth == 0 or d.random() < 0.2:
            return d.choice(["a", "b", "(unsigned)c", "(unsigned)d", "t", "m[a & 7]", "m[t & 7]", str(d.choice([0, 1, 2, 7, 255, 65536])) + "u",
                             str(d.getrandbits(32)) + "u"])
        left, right = self.number(depth - 1), self.number(depth - 1)
        kind = d.randrange(9)
        if kind < 3:
            return f"({left} {d.choice(['+', '-', '*', '&', '|', '^'])} {right})"
        if kind == 3:
            return f"({left} {d.choice(['<<', '>>'])} ({right} & 31))"
        if kind == 4:
            return f"({left} {d.choice(['/', '%'])} ({right} | 1u))"
        if kind == 5:
            to = d.choice(UNSIGNED + SIGNED)
            return f"(unsigned)(({to})({left}) {d.choice(['|', '^', '&'])} ({d.choice(UNSIGNED + SIGNED)})({right}))"
        if kind == 6:
            return f"(unsigned)((int)({left}) >> ({right} & 31))"
        if kind == 7:
            return f"({self.condition(depth - 1)} ? {left} : {right})"
        return f"(unsigned)({self.wide(depth - 1)} >> ({right} & 63))"

    def wide(self, depth):
        d = self.dice
        if depth <= 0:
            return d.choice(["d", "(unsigned long long)a", "(unsigned long long)(long long)c"])
        left, right = self.wide(depth - 1), self.wide(depth - 1)
        kind = d.randrange(4)
        if kind == 0:
            return f"({left} << ({self.number(0)} & 63))"
        if kind == 1:
            return f"(unsigned long long)((long long){left} >> ({self.number(0)} & 63))"
        return f"({left} {d.choice(['+', '-', '*', '&', '|', '^'])} {right})"

    def condition(self, depth=2):
        d = self.dice
        if depth > 0 and d.random() < 0.3:
            return f"({self.condition(depth - 1)} {d.choice(['&&', '||'])} {self.condition(depth - 1)})"
        test = d.choice(["<", "<=", ">", ">=", "==", "!="])
        kind = d.randrange(4)
        if kind == 0:
            return f"((int)({self.number(1)}) {test} (int)({self.number(1)}))"
        if kind == 1:
            return f"({self.wide(1)} {test} {self.wide(1)})"
        if kind == 2:
            return f"(x {test} {d.choice(['0.0f', '1.5f', '-100.0f', '(float)c'])})"
        return f"(({self.number(1)} & 7) {test} ({self.number(1)} & 7))"

    def block(self, size):
        self.depth += 1
        text = "".join(self.statement() for _ in range(self.dice.randint(1, size)))
        self.depth -= 1
        return text

    def statement(self):
        d, pad = self.dice, "  " * self.depth
        kind = d.randrange(14 if self.depth < 5 else 7)
        if kind == 0:
            return f"{pad}m[{self.number(1)} & 7] {d.choice(['=', '+=', '^='])} {self.number()};\n"
        if kind == 1:
            return f"{pad}c = (int)({self.number()});\n"
        if kind == 2:
            return f"{pad}d {d.choice(['=', '+=', '^='])} {self.wide(3)};\n"
        if kind == 3:
            return f"{pad}x = {d.choice(['x + (float)c', 'x * 0.75f', 'x - 3.0f', '(float)(int)a * 0.001f', 'x / ((float)(b & 63) - 7.0f)', '-x', '(float)d'])};\n"
        if kind < 7:
            return f"{pad}{d.choice('ab')} {d.choice(['=', '+=', '^='])} {self.number()};\n"
        if kind < 10:
            other = f" else {{\n{self.block(2)}{pad}}}" if d.random() < 0.5 else ""
            return f"{pad}if ({self.condition()}) {{\n{self.block(3)}{pad}}}{other}\n"
        if kind < 12:
            counter = f"i{self.loops}"
            self.loops += 1
            leave = d.choice(["", f"{pad}  if ({self.condition()}) break;\n", f"{pad}  if ({self.condition()}) continue;\n",
                              f"{pad}  if ({self.condition()}) {{\n{self.block(2)}{pad}    break;\n{pad}  }}\n",
                              f"{pad}  if ({self.condition()}) return;\n" if d.random() < 0.3 else ""])
            return (f"{pad}for (unsigned {counter} = 0; {counter} < ({self.number(1)} & 7); {counter}++) {{\n"
                    f"{self.block(2)}{leave}{self.block(2)}{pad}  a += {counter};\n{pad}}}\n")
        if kind == 12:
            cases = "".join(f"{pad}case {i}:\n{self.block(2)}{pad}  {d.choice(['break;', ''])}\n" for i in range(d.randint(2, 5)))
            return f"{pad}switch ({self.number(1)} & 7) {{\n{cases}{pad}default:\n{pad}  b++;\n{pad}}}\n"
        label = f"l{self.labels}"
        self.labels += 1
        return f"{pad}if ({self.condition()}) goto {label};\n{self.block(2)}{pad}{label}:;\n"


def run(words, **options):
    return subprocess.run(words, check=True, timeout=120, capture_output=True, text=True, **options)


def main():
    compiler, runner, folder, seed, count = sys.argv[1:4] + [int(word) for word in sys.argv[4:6]]
    count *= int(os.environ.get("LENO_TEST_EFFORT") or 1)
    inputs = random.Random(seed)
    words = [inputs.choice([inputs.getrandbits(32), inputs.randrange(16), 0xFFFFFFFF]) for _ in range(LANES)]
    with open(f"{folder}/in.bin", "wb") as file:
        file.write(b"".join(word.to_bytes(4, "little") for word in words))
    functions = [Function(seed + i) for i in range(count)]
    kernels = "".join(f"__kernel void k{seed + i}(__global const unsigned *in, __global unsigned *out) {{\n"
                      f"  f{seed + i}(leno_tid_x(), in, out);\n}}\n" for i in range(count))
    calls = "".join(f"  for (unsigned t = 0; t < {LANES}; t++) f{seed + i}(t, in, out + {4 * LANES * i});\n" for i in range(count))
    host = (f'#include <stdio.h>\nint main(void) {{\n  static unsigned in[{LANES}], out[{4 * LANES * count}];\n'
            f'  if (fread(in, 4, {LANES}, stdin) != {LANES}) return 1;\n{calls}  fwrite(out, 4, {4 * LANES * count}, stdout);\n  return 0;\n}}\n')
    text = "".join(function.text for function in functions)
    source = f"{folder}/random{seed}.c"
    with open(source, "w") as file:
        file.write("#ifdef __AMDGCN__\n#include <leno/kernel.h>\n#define IN __global\n#define OUT __global\n#else\n#define IN\n#define OUT\n#endif\n" +
                   text + "#ifdef __AMDGCN__\n" + kernels + "#else\n" + host + "#endif\n")
    run(["clang-22", "-w", "-O1", "-ffp-contract=off", "-fwrapv", source, "-o", f"{folder}/host{seed}"])
    with open(f"{folder}/in.bin", "rb") as file:
        expected = subprocess.run([f"{folder}/host{seed}"], stdin=file, check=True, timeout=60, capture_output=True).stdout
    wrong = 0
    for level in "023":
        program = f"{folder}/random{seed}-O{level}"
        try:
            run([compiler, "-Wno-everything", f"-O{level}", "--llvm", "-verify-machineinstrs", source, "-o", program])
        except subprocess.CalledProcessError as error:
            print(f"seed {seed} -O{level}: {error.stderr[-2000:]}")
            wrong += 1
            continue
        for i in range(count):
            result = f"{folder}/out.bin"
            try:
                run([runner, program, "--kernel", f"k{seed + i}", "--block", str(LANES), "--arg", f"in:{folder}/in.bin", "--arg",
                     f"out:u32[{4 * LANES}]:{result}", "--max-instructions", "20000000"])
                with open(result, "rb") as file:
                    got = file.read()
            except subprocess.CalledProcessError as error:
                got = error.stderr[-1000:].encode()
            want = expected[16 * LANES * i:16 * LANES * (i + 1)]
            if got != want:
                wrong += 1
                lanes = [j // 16 for j in range(0, len(want), 16) if got[j:j + 16] != want[j:j + 16]] if len(got) == len(want) else got.decode(errors="replace")
                print(f"seed {seed} -O{level}, k{seed + i} of {source}: wrong in lanes {lanes}")
    print(f"{count} functions at 3 levels, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()

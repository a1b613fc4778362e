"""Random functions in C as trees of statements, from which statements can be taken out again.

Seeds below 1000 keep the functions that they have always been: what they once found stays a test. The later ones also use what loops
have counted behind them, and hold no votes in front of a break: where both hang on one condition, that is a vote of lanes that have
left, and whether those that leave later are with them is the compiler's to say (asm/codegen/CodeGenerator.md). Seeds from 100,000 on
are of all sizes, most of them small: a campaign comes to more of them.
"""
import random

UNSIGNED = ["unsigned", "unsigned char", "unsigned short", "unsigned long long"]
SIGNED = ["int", "signed char", "short", "long long"]
OUTPUTS = 8
LANES = 64
CELLS = 16  # behind the lanes' words: those of atomics

HEAD = """#ifdef __LENO__
#include "random_device.h"
#define IN __global
#define OUT __global
#define SHARED __local
#else
#include "random_host.h"
#define IN
#define OUT
#define SHARED
#endif
struct pack { unsigned a; signed char b; unsigned short c; unsigned long long d; float x; unsigned v[3]; };
static unsigned whole(double x) { return x > -2147483000.0 && x < 2147483000.0 ? (unsigned)(int)x : 77u; }
"""


class Statement:
    """Text with blocks of statements between; `KEY` in text becomes the place."""

    def __init__(self, *parts, counter=None):
        self.parts = list(parts)  # text, or a list of statements
        self.counter = counter

    def blocks(self):
        return [part for part in self.parts if isinstance(part, list)]

    def render(self, depth, path):
        text, block = "", 0
        if self.counter:
            path = path + [self.counter]
        for part in self.parts:
            if isinstance(part, list):
                text += render(part, depth + 1, path + [str(block)])
                block += 1
            else:
                text += "".join("  " * depth + line.strip() + "\n" for line in part.replace("KEY", ", ".join(path)).splitlines())
        return text


def render(block, depth, path):
    return "".join(statement.render(depth, path + [str(i)]) for i, statement in enumerate(block))


class Function:
    def __init__(self, seed, dice=None, name=None, helper=False):
        self.dice = dice or random.Random(seed)
        self.seed, self.name, self.helper = seed, name or f"f{seed}", helper
        self.depth, self.counters, self.labels = 0, 0, 0
        self.later, self.counted = seed >= 1000, []
        self.left = self.dice.choice([1, 2, 3] if helper else [1, 2, 3, 4, 16]) if seed >= 100000 else 1 << 30  # statements, not counting those of one line
        self.helpers = []
        if not helper:
            self.helpers = [Function(seed, self.dice, f"h{seed}_{i}", True) for i in range(self.dice.choice([0, 0, 1, 1, 2]))]
        self.body = self.uniform(6) if not helper else self.block(3, True)

    def text(self):
        how = "static __attribute__((noinline))" if self.seed % 2 else "static"
        counters = "".join(f", i{n} = 0" for n in range(self.counters))
        result = "".join(helper.text() for helper in self.helpers)
        if not self.helper:
            result += f"static SHARED unsigned s{self.seed}[{LANES}], n{self.seed}[8];\n"
        head = "unsigned {}(unsigned t, unsigned b, struct pack s, const unsigned IN *in, unsigned OUT *out)" if self.helper else \
            "void {}(unsigned t, const unsigned IN *in, unsigned OUT *out)"
        result += f"{how} {head.format(self.name)} {{\n"
        result += f"  unsigned a = in[t], m[8] = {{t, 1, 2, 3, 4, 5, 6, 7}}{counters};\n"
        if not self.helper:
            result += "  unsigned b = t * 2654435761u;\n  struct pack s = {a, (signed char)b, (unsigned short)a, b, 1.5f, {1, t, a}};\n"
        result += """  int c = (int)(a ^ b) >> 3;
  unsigned long long d = (unsigned long long)a << 20 ^ b;
  long long z = (long long)d - 12345;
  signed char e = (signed char)(a * 3);
  unsigned short g = (unsigned short)(b >> 5);
  short h = (short)(a - b), w[4][3] = {{1, 2, 3}, {(short)t, 5, 6}, {7, (short)a, 9}, {10, 11, 12}};
  unsigned char k = (unsigned char)(t * 5);
  _Bool q = a & 1;
  float x = (float)(int)(a & 0xffff) - 30000.0f;
  double y = (double)(int)(b & 0xfffff) * 0.25 - 1000.0;
"""
        if not self.helper:
            result += f"  if (t < 8)\n    n{self.seed}[t] = t & 1 ? 0 : 0x1000;\n  BARRIER(-1);\n"
        result += render(self.body, 1, [])
        sums = "a + m[b & 7] + s.v[a % 3] + (unsigned)w[b & 3][a % 3]"
        if self.helper:
            result += f"  return {sums} + b + (unsigned)c + s.a + (unsigned)s.b + s.c + (unsigned)s.d + whole(y) + whole(x) + (unsigned)z + (unsigned)e + g + (unsigned)h + k + q;\n}}\n"
            return result
        result += f"""  BARRIER(1000000);
  union {{ float f; unsigned u; }} bits;
  union {{ double f; unsigned long long u; }} wide;
  bits.f = x;
  wide.f = y;
  if (y != y)
    wide.u = 1;
  out[{OUTPUTS} * t] = {sums};
  out[{OUTPUTS} * t + 1] = b ^ (unsigned)c;
  out[{OUTPUTS} * t + 2] = (unsigned)d ^ (unsigned)(d >> 32) ^ (unsigned)z ^ (unsigned)(z >> 32);
  out[{OUTPUTS} * t + 3] = x != x ? 0x7fffffffu : bits.u;
  out[{OUTPUTS} * t + 4] = (unsigned)wide.u ^ (unsigned)(wide.u >> 32);
  out[{OUTPUTS} * t + 5] = (unsigned)e + g * 3u + (unsigned)h * 5u + k * 7u + q;
  out[{OUTPUTS} * t + 6] = s.a ^ (unsigned)s.b ^ s.c ^ (unsigned)s.d ^ (unsigned)(s.d >> 32);
  out[{OUTPUTS} * t + 7] = n{self.seed}[t & 7] ^ whole(s.x);
}}
"""
        return result

    # Expressions, of which none is undefined.

    def number(self, depth=3):
        d = self.dice
        if depth == 0 or d.random() < 0.2:
            return d.choice(["a", "b", "(unsigned)c", "(unsigned)d", "t", "m[a & 7]", "m[t & 7]", "(unsigned)e", "g", "(unsigned)h", "k", "q",
                             "s.a", "(unsigned)s.b", "s.c", "s.v[t % 3]", "s.v[a % 3]", "(unsigned)w[a & 3][b % 3]", "(unsigned)z",
                             f"{d.choice([0, 1, 2, 7, 255, 65536])}u", f"{d.getrandbits(32)}u"])
        left, right = self.number(depth - 1), self.number(depth - 1)
        kind = d.randrange(11)
        if kind < 3:
            return f"({left} {d.choice(['+', '-', '*', '&', '|', '^'])} {right})"
        if kind == 3:
            return f"({left} {d.choice(['<<', '>>'])} ({right} & 31))"
        if kind == 4:
            return f"({left} {d.choice(['/', '%'])} ({right} | 1u))"
        if kind == 5:
            return f"(unsigned)(({d.choice(UNSIGNED + SIGNED)})({left}) {d.choice(['|', '^', '&'])} ({d.choice(UNSIGNED + SIGNED)})({right}))"
        if kind == 6:
            return f"(unsigned)((int)({left}) >> ({right} & 31))"
        if kind == 7:
            return f"({self.condition(depth - 1)} ? {left} : {right})"
        if kind == 8:
            return f"whole({self.double(depth - 1)})"
        if kind == 9:
            signed = d.choice(["signed char", "short", "int"])
            return f"(unsigned)(({signed})({left}) {d.choice(['/', '%'])} ((int)(({right}) & 0x7ffff) + 1))"
        return f"(unsigned)({self.wide(depth - 1)} >> ({right} & 63))"

    def wide(self, depth):
        d = self.dice
        if depth <= 0:
            return d.choice(["d", "(unsigned long long)a", "(unsigned long long)(long long)c", "(unsigned long long)z", "s.d",
                             "(unsigned long long)(long long)h"])
        left, right = self.wide(depth - 1), self.wide(depth - 1)
        kind = d.randrange(6)
        if kind == 0:
            return f"({left} << ({self.number(0)} & 63))"
        if kind == 1:
            return f"(unsigned long long)((long long){left} >> ({self.number(0)} & 63))"
        if kind == 2:
            return d.choice([f"({left} {d.choice(['/', '%'])} ({right} | 1))", f"(unsigned long long)((long long){left} / ((long long)({right} >> 2) + 1))"])
        return f"({left} {d.choice(['+', '-', '*', '&', '|', '^'])} {right})"

    def double(self, depth=2):
        d = self.dice
        if depth <= 0:
            return d.choice(["y", "(double)x", "(double)c", "(double)a", "(double)z", "0.125", "-3.5", "(double)d"])
        left, right = self.double(depth - 1), self.double(depth - 1)
        return d.choice([f"({left} {d.choice('+-*/')} {right})", f"(- {left})", f"({self.condition(0)} ? {left} : {right})"])

    def single(self):
        return self.dice.choice(["x + (float)c", "x * 0.75f", "x - 3.0f", "(float)(int)a * 0.001f", "x / ((float)(b & 63) - 7.0f)", "-x", "(float)d",
                                 "x * s.x + 1.0f", "(float)y", "(float)z - s.x", "(float)g * x", "x - x * 0.25f"])

    def condition(self, depth=2):
        d = self.dice
        if depth > 0 and d.random() < 0.3:
            return f"({self.condition(depth - 1)} {d.choice(['&&', '||'])} {self.condition(depth - 1)})"
        test = d.choice(["<", "<=", ">", ">=", "==", "!="])
        kind = d.randrange(6)
        if kind == 0:
            return f"((int)({self.number(1)}) {test} (int)({self.number(1)}))"
        if kind == 1:
            return f"({self.wide(1)} {test} {self.wide(1)})"
        if kind == 2:
            return f"(x {test} {d.choice(['0.0f', '1.5f', '-100.0f', '(float)c'])})"
        if kind == 3:
            return f"(y {test} {d.choice(['0.0', '(double)x', '1e5'])})"
        if kind == 4:
            return d.choice(["q", "!q", "(t & 1)", "(t & 4)", "(a & 1)"])
        return f"(({self.number(1)} & 7) {test} ({self.number(1)} & 7))"

    # Statements.

    def counter(self):
        self.counters += 1
        return f"i{self.counters - 1}"

    def label(self):
        self.labels += 1
        return f"l{self.labels - 1}"

    def uniform(self, size):
        """Where all lanes are: barriers, shared memory, shuffles; loops and branches that all take alike."""
        self.depth += 1
        result = [self.uniform_statement() for _ in range(self.dice.randint(2, size))]
        self.depth -= 1
        return result

    def uniform_statement(self):
        d, s = self.dice, f"s{self.seed}"
        kind = d.randrange(10)
        if kind == 0:
            return Statement(f"{s}[t] = {self.number()};\nBARRIER(KEY, 0);\n{d.choice('ab')} ^= {s}[{self.number(2)} & {LANES - 1}];\nBARRIER(KEY, 1);")
        if kind == 1:
            return Statement(f"{d.choice('ab')} += EXCHANGE({self.number(2)}, {d.choice([1, 2, 4, 8, 16])}, KEY);")
        if kind == 2 and self.depth < 3:
            i = self.counter()
            turns = d.choice(["3", "2", "(in[0] & 3)"])
            return Statement(f"for ({i} = 0; {i} < {turns}; {i}++) {{", self.uniform(3), "}", counter=i)
        if kind == 3 and self.depth < 3:
            return Statement(f"if (in[{d.randrange(LANES)}] & {d.choice([1, 2, 4])}) {{", self.uniform(3), "} else {", self.uniform(2), "}")
        return self.statement(True)

    def block(self, size, votes):
        self.depth += 1
        result = [self.statement(votes) for _ in range(self.dice.randint(1, size))]
        self.depth -= 1
        return result

    def assignment(self):
        d = self.dice
        to, op = d.choice(["a", "b", "a", "b", "m[b & 7]", "m[t & 7]", "c", "e", "g", "h", "k", "s.a", "s.c", "s.v[b % 3]", "w[t & 3][a % 3]", "s.b"]), d.choice(["=", "+=", "^="])
        kind = d.randrange(8)
        if kind == 0:
            return f"{d.choice(['d', 's.d'])} {op} {self.wide(3)};"
        if kind == 1:
            return f"{d.choice(['x', 's.x'])} = {self.single()};"
        if kind == 2:
            return f"y = {self.double()};"
        if kind == 3:
            return d.choice([f"z {op} (long long){self.wide(2)};", f"q = {self.condition()};"])
        if to in ("c", "e", "h", "s.b", "w[t & 3][a % 3]"):
            return f"{to} = ({ {'c': 'int', 'e': 'signed char', 's.b': 'signed char'}.get(to, 'short')})({self.number()});"
        return f"{to} {op} {self.number()};"

    def together(self):
        d = self.dice
        kind = d.choice(["ALL", "ANY", "SAME", "MASK", "MASK", "MASK"])
        return Statement(f"{d.choice(['a', 'b', 'd', 'g'])} {d.choice(['+=', '^='])} VOTE({kind}, {d.choice(['1', self.condition(), self.number(1)])}, KEY);")

    def atomic(self):
        cell = self.dice.randrange(CELLS)
        name = ["add", "xor", "or", "max"][cell % 4]
        if self.helper or cell & 4:
            return Statement(f"__atomic_fetch_{name}(&out[{OUTPUTS * LANES} + {cell}], {self.number(2)}, __ATOMIC_RELAXED);")
        return Statement(f"__atomic_fetch_{['add', 'xor', 'add', 'or'][cell % 4]}(&n{self.seed}[{cell % 4}], {self.number(2)}, __ATOMIC_RELAXED);")

    def statement(self, votes):
        d = self.dice
        self.left -= 1
        kind = d.randrange(24 if self.depth < 5 and self.left > 0 else 10)
        if kind < 7 or (kind < 9 and not votes):
            return Statement("\n".join(self.assignment() for _ in range(d.randint(1, 2))))
        if kind < 9:
            return self.together()
        if kind == 9:
            return self.atomic()
        if kind < 14:
            other = ["} else {", self.block(2, votes)] if d.random() < 0.5 else []
            return Statement(f"if ({self.condition()}) {{", self.block(3, votes), *other, "}")
        if kind < 17:
            return self.loop(votes)
        if kind == 17:
            cases = []
            for i in range(d.randint(2, 5)):
                cases += [f"case {i}:", self.block(2, votes), d.choice(["break;", ""])]
            return Statement(f"switch ({self.number(1)} & 7) {{", *cases, "default:\nb++;\n}")
        if kind == 18:
            label = self.label()
            return Statement(f"if ({self.condition()}) goto {label};", self.block(3, votes), f"{label}:;")
        if kind == 19:  # two gotos into one shared side, and one past it
            side, rest = self.label(), self.label()
            return Statement(f"if ({self.condition()}) {{\nif ({self.condition(0)}) goto {side};", self.block(2, votes),
                             f"}} else {{\nif ({self.condition(0)}) goto {side};", self.block(2, votes), f"}}\ngoto {rest};\n{side}:;", self.block(2, votes), f"{rest}:;")
        if kind == 20:  # back by goto
            i, label = self.counter(), self.label()
            return Statement(f"{i} = 0;\n{label}:;", self.block(2, votes), f"if ({i}++ < {d.randint(1, 4)} && {self.condition()}) goto {label};", counter=i)
        if kind == 21:  # into a loop: two ways in
            i, label = self.counter(), self.label()
            return Statement(f"{i} = 0;\nif ({self.condition()}) goto {label};\nfor (; {i} < {d.randint(1, 5)}; {i}++) {{", self.block(2, False),
                             f"{label}:;", self.block(2, False), "}")
        if kind == 22 and self.helpers:
            callee = d.choice(self.helpers)
            if votes:
                return Statement(f"{d.choice('ab')} ^= CALL({callee.name}(t, {self.number(2)}, s, in, out), KEY);")
        if kind == 23 and self.helper and self.depth > 1:
            return Statement(f"if ({self.condition()}) {{", self.block(2, False), "return a;\n}")
        return Statement(self.assignment())

    def loop(self, votes):
        d, i = self.dice, self.counter()
        leave = d.choice([[], [f"if ({self.condition()}) break;"], [f"if ({self.condition()}) continue;"],
                          [f"if ({self.condition()}) {{", self.block(2, False), "break;\n}"],
                          [f"if ({self.condition()}) {{", self.block(2, votes), "continue;\n}"]])
        turns = d.choice([f"({self.number(1)} & 7)", f"{d.randint(1, 6)}", "(t & 3)"])
        if self.later and self.counted and d.random() < 0.3:
            turns = f"({d.choice(self.counted)} & 7)"
        breaks = any("break" in part for part in leave if isinstance(part, str))
        first, second = self.block(2, votes and not (self.later and breaks)), self.block(2, votes)
        self.counted.append(i)
        if d.random() < 0.25:
            return Statement(f"{i} = 0;\ndo {{", first, *leave, second, f"a += {i};\n}} while (++{i} < {turns});", counter=i)
        return Statement(f"for ({i} = 0; {i} < {turns}; {i}++) {{", first, *leave, second, f"a += {i};\n}}", counter=i)


def source(functions):
    size = OUTPUTS * LANES + CELLS
    kernels = "".join(f"__kernel void k{f.seed}(__global const unsigned *in, __global unsigned *out) {{\n  f{f.seed}(leno_tid_x(), in, out);\n}}\n"
                      for f in functions)
    calls = "".join(f"  block(f{f.seed}, in, out + {size * i});\n" for i, f in enumerate(functions))
    host = (f"int main(void) {{\n  static unsigned in[{LANES}], out[{size * len(functions)}];\n"
            f"  if (fread(in, 4, {LANES}, stdin) != {LANES}) return 1;\n{calls}  fwrite(out, sizeof out, 1, stdout);\n  return 0;\n}}\n")
    return HEAD + "".join(f.text() for f in functions) + "#ifdef __LENO__\n" + kernels + "#else\n" + host + "#endif\n"

#!/usr/bin/env python3
"""math_bounds.py LENO_CC LENO_RUN FOLDER [COUNT]: functions of floats and doubles within OpenCL C's bounds.

Each function is run for COUNT numbers: of all magnitudes, near 1, and the special ones. The reference is the host's libm in
long doubles; errors are in units of the last place of the result's type (OpenCL C specification, 7.4, full profile).
LENO_TEST_EFFORT multiplies COUNT.
"""
import os
import subprocess
import sys

import numpy as np

# name: bounds of float and of double; None where only one type is asked for. The reference is the name with an l.
ONE = {"sqrt": (3, 0.5), "rsqrt": (2, 2), "cbrt": (2, 2), "sin": (4, 4), "cos": (4, 4), "tan": (5, 5), "asin": (4, 4), "acos": (4, 4),
       "atan": (5, 5), "sinh": (4, 4), "cosh": (4, 4), "tanh": (5, 5), "asinh": (4, 4), "acosh": (4, 4), "atanh": (5, 5), "exp": (3, 3),
       "exp2": (3, 3), "exp10": (3, 3), "expm1": (3, 3), "log": (3, 3), "log2": (3, 3), "log10": (3, 3), "log1p": (2, 2), "erf": (16, 16),
       "erfc": (16, 16), "tgamma": (16, 16), "floor": (0, 0), "ceil": (0, 0), "trunc": (0, 0), "rint": (0, 0), "round": (0, 0),
       "fabs": (0, 0), "logb": (0, 0), "sinpi": (4, 4), "cospi": (4, 4), "tanpi": (6, 6), "asinpi": (5, 5), "acospi": (5, 5), "atanpi": (5, 5)}
TWO = {"pow": (16, 16), "powr": (16, 16), "atan2": (6, 6), "hypot": (4, 4), "fmod": (0, 0), "remainder": (0, 0), "fmin": (0, 0), "fmax": (0, 0),
       "fdim": (0, 0), "copysign": (0, 0), "nextafter": (0, 0), "atan2pi": (6, 6), "divide": (2.5, 0.5)}

HOST = r"""
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef long double L;
static L pi = 3.14159265358979323846264338327950288L;
static L rsqrtl(L x) { return 1 / sqrtl(x); }
static int isOdd(L x) { return fmodl(x, 2) != 0; }
static L sinpil(L x) {
  L n = rintl(x), r = x - n; /* exact */
  return isinf(x) ? NAN : r == 0 ? copysignl(0, x) : isOdd(n) ? -sinl(r * pi) : sinl(r * pi);
}
static L cospil(L x) {
  L n = rintl(x), r = fabsl(x - n), c = r > 0.25L ? sinl((0.5L - r) * pi) : cosl(r * pi);
  return isinf(x) ? NAN : isOdd(n) ? -c : c;
}
static L tanpil(L x) { return sinpil(x) / cospil(x); }
static L asinpil(L x) { return asinl(x) / pi; }
static L acospil(L x) { return acosl(x) / pi; }
static L atanpil(L x) { return atanl(x) / pi; }
static L atan2pil(L x, L y) { return atan2l(x, y) / pi; }
static L powrl(L x, L y) { return x < 0 ? NAN : powl(x, y); }
static L dividel(L x, L y) { return x / y; }
static L nextl(T x, T y) { return sizeof(T) == 4 ? nextafterf(x, y) : nextafter(x, y); }
#define nextafterl nextl
static L exponent(L x) { return x == 0 ? -INFINITY : logbl(x); }
#define logbl exponent
static L place(L x) {
  int e, digits = sizeof(T) == 4 ? 24 : 53, least = sizeof(T) == 4 ? -149 : -1074;
  frexpl(x, &e);
  e -= digits;
  return ldexpl(1, e < least ? least : e);
}
#define FUNCTION(name, call) static L f_##name(T x, T y) { return call; }
FUNCTIONS
#undef FUNCTION
#define FUNCTION(name, call) {#name, f_##name},
static struct { const char *name; L (*f)(T, T); } functions[] = {FUNCTIONS};
int main(int argc, char **argv) {
  long n = atol(argv[1]), k = 0;
  double bound = atof(argv[6]);
  while (strcmp(functions[k].name, argv[5])) ++k;
  T *x = malloc(n * sizeof(T)), *y = malloc(n * sizeof(T)), *r = malloc(n * sizeof(T));
  FILE *f = fopen(argv[2], "rb"); if (fread(x, sizeof(T), n, f) != n) return 2; fclose(f);
  f = fopen(argv[3], "rb"); if (fread(y, sizeof(T), n, f) != n) return 2; fclose(f);
  f = fopen(argv[4], "rb"); if (fread(r, sizeof(T), n, f) != n) return 2; fclose(f);
  L worst = 0, most = sizeof(T) == 4 ? 0x1.fffffep127L : 0x1.fffffffffffffp1023L;
  long at = 0;
  for (long i = 0; i < n; ++i) {
    L want = functions[k].f(x[i], y[i]), got = r[i], error;
    if (isnan(want) || isnan(got)) error = isnan(want) && isnan(got) ? 0 : INFINITY;
    else if (isinf(got) && fabsl(want) > most) error = (got > 0) == (want > 0) ? 0 : INFINITY;
    else if (isinf(want) || isinf(got)) error = want == got ? 0 : INFINITY;
    else if (fabsl(want) > most) error = fabsl(got - want) / place(most);
    else error = fabsl(got - want) / place(want);
    if (bound == 0 && error != 0 && (T)want == r[i]) error = 0; /* correctly rounded */
    if (error > worst) { worst = error; at = i; }
  }
  if (worst > bound) printf("%s: %Lg of %g units at %a, %a: %a instead of %La\n", argv[5], worst, bound, (double)x[at], (double)y[at], (double)r[at], functions[k].f(x[at], y[at]));
  return worst > bound;
}
"""


def numbers(dice, count, kind):
    bits = {"f4": "u4", "f8": "u8"}[kind]
    special = np.array([0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 2, 3, np.inf, -np.inf, np.nan, 1e-40, 5e-324, 1e30, 3.5, 10, 100, -100])
    with np.errstate(all="ignore"):
        anything = dice.integers(0, np.iinfo(bits).max, count // 4, dtype=bits, endpoint=True).view(kind)
        parts = [special, anything, dice.normal(0, 1, count // 4), dice.normal(0, 30, count // 4), np.exp(dice.normal(0, 3, count))]
        return np.concatenate([part.astype(kind) for part in parts])[:count]


def main(cc, run, folder, count="2048"):
    count = int(count) * int(os.environ.get("LENO_TEST_EFFORT", "1"))
    dice = np.random.default_rng(7)
    failed = tried = 0
    for kind, name, which in (("f4", "float", 0), ("f8", "double", 1)):
        x, y = numbers(dice, count, kind), numbers(dice, count, kind)
        dice.shuffle(y)
        x.tofile(f"{folder}/x.bin")
        y.tofile(f"{folder}/y.bin")
        functions = [(f, b[which], 1) for f, b in ONE.items()] + [(f, b[which], 2) for f, b in TWO.items()]
        source = f"{folder}/{name}.cl"
        with open(source, "w") as out:
            for f, bound, operands in functions:
                call = "x[i] / y[i]" if f == "divide" else f"{f}(x[i])" if operands == 1 else f"{f}(x[i], y[i])"
                out.write(f"kernel void k_{f}(global {name} *x, global {name} *y, global {name} *r) {{\n"
                          f"  uint i = get_global_id(0);\n  r[i] = {call};\n}}\n")
        subprocess.run([cc, source, "-o", f"{folder}/{name}"], check=True)
        table = " ".join(f"FUNCTION({f}, {f}l(x{', y' if operands == 2 else ''}))" for f, bound, operands in functions)
        subprocess.run(["clang-22", "-O1", "-w", f"-DT={name}", f"-DFUNCTIONS={table}", "-x", "c", "-", "-o", f"{folder}/host", "-lm"],
                       input=HOST.encode(), check=True)
        text = {"f4": "f32", "f8": "f64"}[kind]
        for f, bound, operands in functions:
            subprocess.run([run, f"{folder}/{name}", "--kernel", f"k_{f}", "--grid", str(count // 64), "--block", "64", "--arg", f"in:{text}:{folder}/x.bin",
                            "--arg", f"in:{text}:{folder}/y.bin", "--arg", f"out:{text}[{count}]:{folder}/r.bin"], check=True)
            failed += subprocess.run([f"{folder}/host", str(count), f"{folder}/x.bin", f"{folder}/y.bin", f"{folder}/r.bin", f, str(bound)]).returncode != 0
            tried += 1
    print(f"{tried} functions, {count} numbers each, {failed} outside of their bounds")


main(*sys.argv[1:])

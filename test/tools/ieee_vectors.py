#!/usr/bin/env python3
"""Runs test vectors of public IEEE 754 suites through the emulator's instructions, and reports those that differ.

usage: ieee_vectors.py [--bin DIR] [--function NAME] [--rounding MODE] [--engines] FILE...      (- reads standard input)

Two formats, told apart line by line:
  Berkeley TestFloat   what `testfloat_gen FUNCTION` prints: operands, result and flags in hexadecimal. The function is
                       --function, or a line `# testfloat FUNCTION [ROUNDING]` in front. ROUNDING: near_even (default),
                       minMag, min, max, as the option -r of testfloat_gen has it.
  IBM FPgen (.fptest)  lines such as `b32+ =0 +1.000000P0 +1.7FFFFFP-1 -> +1.3FFFFFP1 x`.

  testfloat_gen -rmin f64_mulAdd | test/tools/ieee_vectors.py --function f64_mulAdd --rounding min -
  test/tools/ieee_vectors.py *.fptest

Halves run through HADD2, HMUL2 and HFMA2 in both halves of their registers, which must agree, and are compared as the singles
that they are; quotients, and roots of doubles, come from leno/math.inc. With --engines every vector runs on each vector unit
of the host, else on the one that LENO_VECTOR names or on the widest.

The machine has no exception flags, so those of the vectors are not compared. Where it chose among what IEEE 754 allows,
its choice is expected: every NaN result is the one NaN (0x7fffffff, 0x7fffffffffffffff, 0x7fff); conversions to integers
clamp, and give 0 for a NaN. Vectors of operations that it has no instruction for, or that expect a trap handler's result,
are counted and left out. Exit status: 0 all agree, 1 some differ, 2 none could be run.
"""
import argparse
import array
import collections
import functools
import os
import re
import subprocess
import sys
import tempfile
from types import SimpleNamespace

CHUNK = 1 << 17  # vectors of one launch
THREADS = 256
FRACTION = {16: 10, 32: 23, 64: 52}
NAN = {16: 0x7FFF, 32: 0x7FFFFFFF, 64: 0x7FFFFFFFFFFFFFFF}
ROUNDINGS = {"near_even": "RN", "minMag": "RZ", "min": "RM", "max": "RP"}
WHOLE = {"RN": "ROUND", "RZ": "TRUNC", "RM": "FLOOR", "RP": "CEIL"}
LETTER = {32: "F", 64: "D"}
ENGINES = ("sse2", "avx2", "avx512", "neon")

KERNEL = """\
        .include "leno/math.inc"
        .kernel vectors
        .reg    mathScratch[0:11], R20
        .param  ptr in
        .param  ptr out
        S2R     R0, SR_TID.X
        S2R     R1, SR_CTAID.X
        IMAD    R0, R1, {threads}, R0
        ADDRESS R2, c[0][in], R0, 24
        ADDRESS R4, c[0][out], R0, 8
        LDG.64  R8, [R2.64]
        LDG.64  R10, [R2.64+8]
        LDG.64  R12, [R2.64+16]
        MOV     R16, 0
        MOV     R17, 0
        {statement}
        STG.64  [R4.64], R16
        EXIT
        .endkernel
"""


class Skip(Exception):
    """Why a vector is not run."""


class Unreadable(Exception):
    """What is wrong with a line."""


def is_nan(bits, width):
    sign = 1 << (width - 1)
    return bits & (sign - 1) > ((1 << (width - 1 - FRACTION[width])) - 1) << FRACTION[width]


# --- What runs an operation: a statement on R8, R10, R12 that leaves its result in R16, and the result's kind.

class Statement(str):
    """The lines that do an operation; `shown` is the instruction among them."""
    shown = ""


def lines(statement, *behind, before=()):
    text = Statement("\n        ".join([*before, statement, *behind]))
    text.shown = statement
    return text


def halves(name, rnd):
    """An operation on the same numbers in both halves; all ones when the halves of the result differ."""
    text = {"add": "HADD2.{} R16, R8, R10", "sub": "HADD2.{} R16, R8, -R10", "mul": "HMUL2.{} R16, R8, R10",
            "mulAdd": "HFMA2.{} R16, R8, R10, R12"}.get(name)
    if not text:
        raise Skip(f"no instruction for {name} of 16 bits")
    return lines(text.format(rnd), "SHR.u32 R17, R16, 16", "LOP.and R16, R16, 0xffff", "ISETP.ne P0, R16, R17", "MOV R17, 0",
                 "@P0 MOV R16, -1", before=["IMUL {0}, {0}, 0x10001".format(r) for r in ("R8", "R10", "R12")]), 16


def arithmetic(name, width, rnd):
    if width == 16:
        return halves(name, rnd)
    letter = LETTER[width]
    text = {"add": "{0}ADD.{1} R16, R8, R10", "sub": "{0}ADD.{1} R16, R8, -R10", "mul": "{0}MUL.{1} R16, R8, R10",
            "mulAdd": ("FFMA.{1} R16, R8, R10, R12" if width == 32 else "DFMA.{1} R16, R8, R10, R12")}.get(name)
    if name in ("sqrt", "div"):
        if rnd != "RN":
            raise Skip(f"{name} rounds to nearest even only")
        text = "{0}DIV R16, R8, R10" if name == "div" else "MUFU.SQRT R16, R8" if width == 32 else "DSQRT R16, R8"
    if not text:
        raise Skip(f"no instruction for {name} of {width} bits")
    return lines(text.format(letter, rnd)), width


def round_to_integral(width, rnd):
    return lines(f"F2F.f{width}.f{width}.{WHOLE[rnd]} R16, R8"), width


def convert(source, result, rnd):
    """Between kinds such as f32, i64, ui32."""
    kind = {"f": "f", "i": "s", "ui": "u"}
    (a, from_bits), (b, to_bits) = (re.fullmatch(r"(f|i|ui)(\d+)", k).groups() for k in (source, result))
    if "128" in (from_bits, to_bits) or "80" in (from_bits, to_bits):
        raise Skip(f"no instruction for {source} to {result}")
    name = "F2F" if a == b == "f" else "I2F" if b == "f" else "F2I"
    exact = name == "F2F" and int(to_bits) > int(from_bits)
    rounding = "" if exact else f".{rnd}"
    return (lines(f"{name}.{kind[b]}{to_bits}.{kind[a]}{from_bits}{rounding} R16, R8"),
            int(to_bits) if b == "f" else result)


def widened(width):
    """Halves become singles, which hold each of them; the instructions for singles go on."""
    return ["F2F.f32.f16 R8, R8", "F2F.f32.f16 R10, R10"] if width == 16 else []


def comparison(name, width):
    return lines(f"{LETTER.get(width, 'F')}SETP.{name} P0, R8, R10", "@P0 MOV R16, 1", before=widened(width)), "truth"


def extremum(name, width):
    chosen = f"{LETTER.get(width, 'F')}MNMX R16, R8, R10, {'PT' if name == 'max' else '!PT'}"
    return lines(chosen, *(["F2F.f16.f32 R16, R16"] if width == 16 else []), before=widened(width)), width


# --- Berkeley TestFloat

@functools.lru_cache(maxsize=None)
def testfloat_operation(function, rounding):
    """(statement, result, number of operands) of a function such as f32_add or i64_to_f32."""
    match = re.fullmatch(r"(.+?)(?:_r_(near_even|minMag|min|max|\w+))?(?:_x)?", function)
    name, rounding = match[1], match[2] or rounding
    if rounding not in ROUNDINGS:
        raise Skip(f"no rounding mode {rounding}")
    rnd = ROUNDINGS[rounding]
    conversion = re.fullmatch(r"((?:f|i|ui)\d+)_to_((?:f|i|ui)\d+)", name)
    if conversion:
        return *convert(conversion[1], conversion[2], rnd), 1
    match = re.fullmatch(r"f(\d+)_(\w+)", name)
    if not match or int(match[1]) not in FRACTION:
        raise Skip(f"no instruction for {function}")
    width, name = int(match[1]), match[2]
    if name == "roundToInt":
        return *round_to_integral(width, rnd), 1
    test = re.fullmatch(r"(eq|le|lt)(_signaling|_quiet)?", name)
    if test:
        return *comparison(test[1], width), 2
    return *arithmetic(name, width, rnd), {"sqrt": 1, "mulAdd": 3}.get(name, 2)


def clamped(operand, width, result):
    """What F2I gives where TestFloat tells of an invalid operation."""
    bits = int(result.lstrip("ui"))
    if is_nan(operand, width):
        return 0
    negative = operand >> (width - 1)
    if result[0] == "u":
        return 0 if negative else (1 << bits) - 1
    return 1 << (bits - 1) if negative else (1 << (bits - 1)) - 1


def read_testfloat(line, function, rounding):
    if not function:
        raise Unreadable("which function is it of? Say --function, or `# testfloat FUNCTION` in a line before")
    try:
        fields = [int(field, 16) for field in line.split()]
    except ValueError as error:
        raise Unreadable("expected numbers in hexadecimal") from error
    statement, result, count = testfloat_operation(function, rounding)
    if len(fields) not in (count + 1, count + 2):
        raise Unreadable(f"{function} has {count} operands, a result and flags")
    operands, expected = fields[:count], fields[count]
    flags = fields[count + 1] if len(fields) > count + 1 else 0
    if str(result)[0] in "iu" and flags & 0x10:
        expected = clamped(operands[0], int(re.match(r"f(\d+)", function)[1]), result)
    return SimpleNamespace(statement=statement, result=result, operands=operands, expected=expected)


# --- IBM FPgen

FPGEN_ROUNDINGS = {"=0": "RN", "0": "RZ", "<": "RM", ">": "RP"}
FPGEN_ARITHMETIC = {"+": ("add", 2), "-": ("sub", 2), "*": ("mul", 2), "*+": ("mulAdd", 3), "V": ("sqrt", 1),
                    "/": ("div", 2), "%": ("rem", 2)}


def fpgen_number(text, width):
    fraction = FRACTION[width]
    exponent_bits = width - 1 - fraction
    top = (1 << exponent_bits) - 1
    special = re.fullmatch(r"([+-]?)(zero|inf|q|s)\w*", text.lower())
    if special:
        bits = {"zero": 0, "inf": top << fraction, "q": top << fraction | 1 << (fraction - 1),
                "s": top << fraction | 1 << (fraction - 2)}[special[2]]
        return bits | (special[1] == "-") << (width - 1)
    number = re.fullmatch(r"([+-]?)([01])\.([0-9A-Fa-f]+)P([+-]?\d+)", text)
    if not number or int(number[3], 16) >> fraction:
        raise Unreadable(f"{text} is no number of {width} bits")
    exponent = int(number[4]) + (top >> 1) if number[2] == "1" else 0
    if not 0 <= exponent < top or (number[2] == "1" and not exponent):
        raise Unreadable(f"{text}: the exponent is outside of the format of {width} bits")
    return (number[1] == "-") << (width - 1) | exponent << fraction | int(number[3], 16)


@functools.lru_cache(maxsize=None)
def fpgen_operation(name, width, to_width, rnd):
    """(statement, result, number of operands)"""
    if name in FPGEN_ARITHMETIC:
        operation, count = FPGEN_ARITHMETIC[name]
        return *arithmetic(operation, width, rnd), count
    if name == "rfi":
        return *round_to_integral(width, rnd), 1
    if name == "cff":
        return *convert(f"f{width}", f"f{to_width}", rnd), 1
    if name in ("<C", ">C"):
        return *extremum("min" if name == "<C" else "max", width), 2
    raise Skip(f"no instruction for b{width}{name}")


def read_fpgen(line):
    left, _, right = line.partition("->")
    left, right = left.split(), right.split()
    if len(left) < 3 or not right:
        raise Unreadable("expected: operation, rounding, operands, ->, result")
    head = re.fullmatch(r"([bd])(\d+)(?:b(\d+))?(.+)", left[0])
    if head[1] == "d" or int(head[2]) not in FRACTION or int(head[3] or 32) not in FRACTION:
        raise Skip(f"no format {left[0]}")
    width, to_width = int(head[2]), int(head[3] or head[2])
    if left[1] not in FPGEN_ROUNDINGS:
        raise Skip(f"no rounding mode {left[1]}")
    statement, result, count = fpgen_operation(head[4], width, to_width, FPGEN_ROUNDINGS[left[1]])
    operands, raised = left[2:], set("".join(right[1:]))
    # Exceptions that are to trap stand in front of the operands. Underflow is u, v or w.
    traps = set(operands.pop(0)) if len(operands) == count + 1 else set()
    if len(operands) != count:
        raise Unreadable(f"{left[0]} has {count} operands")
    if right[0] == "#" or traps & raised or ("u" in traps and raised & set("uvw")):
        raise Skip("the result is a trap handler's")
    if head[4] in ("<C", ">C") and "S" in "".join(operands).upper():
        raise Skip("the minimum and maximum of a signaling NaN differ between IEEE 754-2008 and 2019")
    bits = [fpgen_number(text, width) for text in operands]
    expected = fpgen_number(right[0], to_width)
    if head[4] in ("<C", ">C") and not any(b << 1 & (1 << width) - 1 for b in bits):
        expected = min(bits) if head[4] == ">C" else max(bits)  # -0 < +0: IEEE 754-2008 allows either
    return SimpleNamespace(statement=statement, result=result, operands=bits, expected=expected)


# --- Running

def read_vectors(paths, function, rounding, skipped, problems):
    for path in paths:
        try:
            file = sys.stdin if path == "-" else open(path, encoding="utf-8", errors="replace")
        except OSError as error:
            sys.exit(f"ieee_vectors.py: {path}: {error.strerror}")
        now_function, now_rounding, started = function, rounding, False
        with file:
            for number, line in enumerate(file, 1):
                text = line.strip()
                order = re.fullmatch(r"#\s*testfloat\s+(\w+)(?:\s+(\w+))?", text)
                if order:
                    now_function, now_rounding = order[1], order[2] or rounding
                is_fpgen = re.match(r"[bd]\d+\S+\s+\S+\s.*->", text)
                is_hex = re.match(r"[0-9A-Fa-f]+(\s+[0-9A-Fa-f]+)+$", text)
                # FPgen's files begin with some lines of text.
                if not text or text[0] in "#/" or not (is_fpgen or is_hex or started or function):
                    continue
                started = True
                try:
                    vector = read_fpgen(text) if is_fpgen else read_testfloat(text, now_function, now_rounding)
                    vector.text, vector.place = text, f"{path}:{number}"
                    yield vector
                except Skip as why:
                    skipped[str(why)] += 1
                except Unreadable as why:
                    problems.append(f"{path}:{number}: {why}: {text}")


def run(statement, vectors, tools, directory, engine):
    base = os.path.join(directory, "vectors")
    blocks = -(-len(vectors) // THREADS)
    data = array.array("Q")
    for vector in vectors:
        data.extend(vector.operands + [0] * (3 - len(vector.operands)))
    data.extend([0] * (3 * (blocks * THREADS - len(vectors))))
    with open(base + ".in.bin", "wb") as file:
        data.tofile(file)
    with open(base + ".s", "w", encoding="ascii") as file:
        file.write(KERNEL.format(threads=THREADS, statement=statement))
    environment = dict(os.environ, LENO_VECTOR=engine) if engine else None
    subprocess.run([tools, base + ".s", "--block", str(THREADS), "--grid", str(blocks), f"--arg=in:{base}.in.bin",
                    f"--arg=out:u64[{blocks * THREADS}]:{base}.out.bin"], check=True, stdout=subprocess.DEVNULL,
                   env=environment)
    results = array.array("Q")
    with open(base + ".out.bin", "rb") as file:
        results.fromfile(file, len(vectors))
    return results


def has_engine(runner, engine):
    """Whether the host has that vector unit: leno-run refuses others before it reads its program."""
    with tempfile.NamedTemporaryFile("w", suffix=".s") as file:
        file.write(".kernel k\nEXIT\n.endkernel\n")
        file.flush()
        return subprocess.run([runner, file.name], env=dict(os.environ, LENO_VECTOR=engine), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0


def expected_bits(vector):
    if isinstance(vector.result, int) and is_nan(vector.expected, vector.result):
        return NAN[vector.result]
    if vector.result in ("i32", "ui32"):
        return vector.expected & 0xFFFFFFFF
    return vector.expected


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--bin", default=".build/release/bin")
    parser.add_argument("--function")
    parser.add_argument("--rounding", default="near_even")
    parser.add_argument("--engines", action="store_true")
    options = parser.parse_args()
    skipped, problems = collections.Counter(), []
    pending, counts, differing = collections.defaultdict(list), collections.Counter(), collections.Counter()
    runner = os.path.join(options.bin, "leno-run")
    engines = [e for e in ENGINES if has_engine(runner, e)] if options.engines else [None]

    def flush(statement, directory):
        vectors = pending.pop(statement)
        for engine in engines:
            on = f" on {engine}" if engine else ""
            for vector, got in zip(vectors, run(statement, vectors, runner, directory, engine)):
                counts[statement] += 1
                want = expected_bits(vector)
                if got != want:
                    differing[statement] += 1
                    if differing[statement] <= 10:
                        print(f"{vector.place}: {vector.text}\n    expected {want:#x}, {statement.shown} gives {got:#x}{on}")

    with tempfile.TemporaryDirectory() as directory:
        for vector in read_vectors(options.files, options.function, options.rounding, skipped, problems):
            pending[vector.statement].append(vector)
            if len(pending[vector.statement]) == CHUNK:
                flush(vector.statement, directory)
        for statement in list(pending):
            flush(statement, directory)
    for problem in problems[:20]:
        print(problem)
    for statement, count in sorted(counts.items()):
        print(f"{count:10} {differing[statement]:6} differ   {statement.shown}")
    for why, count in sorted(skipped.items()):
        print(f"{count:10} left out: {why}")
    if options.engines:
        print(f"each vector on {', '.join(engines)}")
    print(f"{sum(counts.values())} vectors, {sum(differing.values())} differ, {sum(skipped.values())} left out, "
          f"{len(problems)} unreadable")
    sys.exit(1 if differing or problems else 0 if counts else 2)


if __name__ == "__main__":
    main()

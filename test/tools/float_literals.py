#!/usr/bin/env python3
"""Assembles thousands of float literals near ties, and fails unless each is the nearest float, ties to even, computed
with fractions: in MOV32I, .half, .float and .double, and in an immediate of 20 bits exactly those that it holds.

usage: float_literals.py LENO_AS LENO_RUN FILE      (FILE: where the text is written)
"""
import random
import re
import struct
import subprocess
import sys
from fractions import Fraction

FORMATS = {"f16": (11, -14, 15), "f32": (24, -126, 127), "f64": (53, -1022, 1023)}


def rounded(value, format):
    """The bits of the nearest float of a format to a fraction; infinity where it rounds so."""
    precision, least, most = FORMATS[format]
    sign, value = value < 0, abs(value)
    width = {"f16": 16, "f32": 32, "f64": 64}[format]
    if value == 0:
        bits = 0
    else:
        exponent = value.numerator.bit_length() - value.denominator.bit_length()
        if value < Fraction(2) ** exponent:
            exponent -= 1
        exponent = max(exponent, least)
        scaled = value / Fraction(2) ** (exponent - precision + 1)
        integer = scaled.numerator // scaled.denominator
        rest = scaled - integer
        integer += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and integer % 2)
        if integer == 2 ** precision:
            integer, exponent = integer // 2, exponent + 1
        if integer < 2 ** (precision - 1):
            bits = integer
        elif exponent > most:
            bits = (2 * most + 1) << (precision - 1)
        else:
            bits = ((exponent - least + 1) << (precision - 1)) + integer - 2 ** (precision - 1)
    return bits | sign << (width - 1)


def value_of(text):
    """The number that a decimal or hexadecimal literal says."""
    sign, text = (-1, text[1:]) if text.startswith("-") else (1, text)
    if text.lower().startswith("0x"):
        digits, exponent = re.split("[pP]", text[2:])
        whole, _, part = digits.partition(".")
        return sign * Fraction(int(whole + part, 16), 16 ** len(part)) * Fraction(2) ** int(exponent)
    return sign * Fraction(text)


def decimal_text(value, digits):
    """A fraction in so many digits after the point, cut off."""
    scaled = value.numerator * 10 ** digits // value.denominator
    text = str(scaled).rjust(digits + 1, "0")
    return text[:-digits] + "." + text[-digits:] if digits else text + ".0"


def literals(format, count, random):
    """Numbers on and beside the middle between two floats of a format."""
    precision, least, most = FORMATS[format]
    spread = min(most, 60)
    for index in range(count):
        exponent = random.randint(-spread, spread) if index % 4 else random.randint(least - precision, least)
        exponent = max(exponent, least - precision)
        integer = random.randrange(2 ** (precision - 1), 2 ** precision)
        middle = Fraction(2 * integer + 1) * Fraction(2) ** (exponent - precision)
        places = max(0, -(exponent - precision)) + 1
        exact = decimal_text(middle, places).rstrip("0")
        kind = index % 5
        if kind == 0:
            text = exact + ("0" if exact.endswith(".") else "")
        elif kind == 1:
            text = exact + "0" * random.randint(0, 30) + "1"
        elif kind == 2:  # a little below
            text = decimal_text(middle - Fraction(1, 10 ** (places + random.randint(1, 30))), places + 30)
        elif kind == 3:
            text = decimal_text(middle, min(places, random.randint(6, 40)))
        else:
            text = f"0x{2 * integer + 1:x}.{random.choice(['', '0', '00000000000000000001'])}p{exponent - precision}"
        yield random.choice(["", "-"]) + text


def section(object_bytes, name):
    """The bytes of an ELF section."""
    start, = struct.unpack_from("<Q", object_bytes, 40)
    count, names = struct.unpack_from("<HH", object_bytes, 60)
    headers = [struct.unpack_from("<IIQQQQ", object_bytes, start + 64 * i) for i in range(count)]
    for header in headers:
        at = headers[names][4] + header[0]
        if object_bytes[at:object_bytes.index(b"\0", at)].decode() == name:
            return object_bytes[header[4]:header[4] + header[5]]
    raise KeyError(name)


def main():
    assembler, runner, path = sys.argv[1:]
    generator = random.Random(754)
    failed = checked = 0
    for format, directive, size in (("f16", ".half", 2), ("f32", ".float", 4), ("f64", ".double", 8)):
        precision, least, most = FORMATS[format]
        infinity = (2 * most + 1) << (precision - 1)
        texts = [text for text in literals(format, 3000, generator)
                 if rounded(abs(value_of(text)), format) not in (0, infinity)]
        with open(path, "w", encoding="utf-8") as file:
            file.write(".data\n" + "".join(f"{directive} {text}\n" for text in texts) + ".text\n")
            if format == "f32":
                file.writelines(f"MOV32I R1, {text}\n" for text in texts)
        subprocess.run([assembler, "-c", "-w", path, "-o", path + ".o"], check=True)
        with open(path + ".o", "rb") as file:
            whole = file.read()
        data = section(whole, ".data")
        code = section(whole, ".text")
        for index, text in enumerate(texts):
            expected = rounded(value_of(text), format)
            found = [int.from_bytes(data[size * index:size * index + size], "little")]
            if format == "f32":
                found.append(int.from_bytes(code[8 * index:8 * index + 8], "little") >> 21 & 0xffffffff)
            checked += len(found)
            for bits in found:
                if bits != expected:
                    failed += 1
                    print(f"{directive} {text}: 0x{bits:x}, expected 0x{expected:x}")
    # An immediate of 20 bits: what it holds exactly, and the neighbours that the message names.
    texts = []
    for index in range(2000):
        value = Fraction(generator.randrange(2 ** 11, 2 ** 12)) * Fraction(2) ** generator.randint(-30, 20)
        text = decimal_text(value, 60).rstrip("0") + "0"
        texts.append(text if index % 3 else text + generator.choice(["0000000000000000000000000001", "1"]))
    texts += ["16777217", "16777216", "1e39", "1e-46", "0.1", "-0.1", "3.4028235e38", "1e-40", "1e29", "-7e-31"]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"FADD R1, R2, {text}\n" for text in texts)
    result = subprocess.run([assembler, "-c", "-w", path, "-o", path + ".o"], capture_output=True, text=True)
    errors = {int(line): (below, above) for line, below, above in re.findall(
        r":(\d+):14: error: .* fraction\), as (\S+) and (\S+) have", result.stderr)}
    neighbours = []
    for number, text in enumerate(texts, 1):
        value = value_of(text)
        bits = rounded(value, "f32")
        held = bits & 0xfff == 0 and bits & 0x7f800000 != 0x7f800000
        checked += 1
        # Held: the float that it rounds to is the very number.
        magnitude = bits & 0x7fffffff
        number_of = (Fraction((magnitude & 0x7fffff) + (0x800000 if magnitude >> 23 else 0)) *
                     Fraction(2) ** (max(magnitude >> 23, 1) - 150)) if magnitude < 0x7f800000 else None
        held = held and number_of == abs(value)
        if held != (number not in errors):
            failed += 1
            print(f"FADD {text}: {'refused' if held else 'accepted'}")
        elif not held:
            below, above = errors[number]
            neighbours += [below, above]
            low, high = (abs(value_of(t)) if "inf" not in t else Fraction(2) ** 128 for t in (below, above))
            step = max(Fraction(2) ** (-137), low and Fraction(2) ** (rounded(low, "f32") >> 23) / Fraction(2) ** 138)
            if not low < abs(value) or not (abs(value) < high or "inf" in above) or high - low != step:
                failed += 1
                print(f"FADD {text}: neighbours {below} and {above}")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"FADD R1, R2, {text}\n" for text in neighbours)
    again = subprocess.run([assembler, "-c", "-w", path, "-o", path + ".o"], capture_output=True, text=True)
    failed += again.returncode
    print(again.stderr, end="")
    # What the command line reads.
    with open(path, "w", encoding="utf-8") as file:
        file.write(".kernel k\n.param f32 x\n.param f64 y\n.param ptr p\nMOV R0, c[0][p]\nMOV R1, c[0][p+4]\n"
                   "MOV R2, c[0][x]\nMOV R4, c[0][y]\nMOV R5, c[0][y+4]\nSTG [R0.64], R2\nSTG.64 [R0.64+8], R4\nEXIT\n"
                   ".endkernel\n")
    for text in ("1.0000000596046447753906251", "1.00000005960464477539062500000", "16777217", "0x1.000001000001p0"):
        subprocess.run([runner, path, "--block", "1", "--arg", "f32:" + text, "--arg", "f64:" + text,
                        "--arg", "out:u64[2]:" + path + ".bin"], check=True)
        with open(path + ".bin", "rb") as file:
            words = struct.unpack("<QQ", file.read())
        expected = rounded(value_of(text), "f32"), rounded(value_of(text), "f64")
        checked += 2
        if words != expected:
            failed += 1
            print(f"--arg {text}: {words}, expected {expected}")
    print(f"{checked} literals, {failed} wrong")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

"""Looks 32 keys up on both tiers, with each vector width, and here."""
import array
import os
import subprocess
import sys

runner, kernel, prefix = sys.argv[1:]
table, keys, expected = [0] * 128, [0] * 512, []
for i in range(32):
    key = (i * 7919 + 13) % 100000 + 1
    place = (key * 0x9E3779B1 % 2**32 >> 12) % 64
    while table[2 * place]:
        place = (place + 1) % 64
    table[2 * place], table[2 * place + 1] = key, i + 1000
    keys[16 * i + 2] = key if i % 3 else 999999
    expected += [1, i + 1000] if i % 3 else [0, 0]
for name, words in (("keys", keys), ("table", table)):
    with open(f"{prefix}.{name}.bin", "wb") as file:
        array.array("I", words).tofile(file)
for tier in ("interpreter", "compiled", "auto"):
    for width in ("sse2", "avx2", "avx512"):
        done = subprocess.run([runner, kernel, "--block", "32", "--tier", tier, "--arg", f"in:{prefix}.keys.bin", "--arg",
                               f"in:{prefix}.table.bin", "--arg", "out:u32[64]:csv:-", "--arg", "u32:63"],
                              env=dict(os.environ, LENO_VECTOR=width), capture_output=True, text=True)
        if "no vector engine" in done.stderr or "LENO_VECTOR" in done.stderr:
            continue  # the host has it not
        assert done.returncode == 0, done.stderr
        got = [int(word) for word in done.stdout.replace(",", " ").split()]
        assert got == expected, (tier, width, got)

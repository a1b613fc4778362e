#!/usr/bin/env python3
"""Lists the code in a dump for perf, by the sizes of its records as `perf inject` goes through them.

Source: Linux, tools/perf/Documentation/jitdump-specification.txt (version 1). A line a record of code: its name.
Exits with 1 where the records are not what the sizes say.
"""
import struct
import sys


def names(dump):
    magic, version, size = struct.unpack_from("=III", dump)
    assert (magic, version) == (0x4A695444, 1), "this is no dump of version 1"
    at = size
    while at < len(dump):
        kind, size = struct.unpack_from("=II", dump, at)
        assert size >= 16 and at + size <= len(dump), f"the record at {at} is of {size} bytes, of {len(dump) - at} that are there"
        if kind == 0:  # JIT_CODE_LOAD: process and thread, three words and a number, the name, the code
            code_size = struct.unpack_from("=Q", dump, at + 40)[0]
            end = dump.index(b"\0", at + 56)
            assert end + 1 + code_size == at + size, f"the record at {at} is not of {size} bytes"
            yield dump[at + 56:end].decode()
        at += size


if __name__ == "__main__":
    try:
        with open(sys.argv[1], "rb") as file:
            print(*names(file.read()), sep="\n")
    except (AssertionError, ValueError, struct.error) as error:
        sys.exit(f"jitdump.py: {sys.argv[1]}: {error}")

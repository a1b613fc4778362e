"""A .npy writer and reader of the format's own text, apart from the runtime's: `write FILE CODE SHAPE VALUE...` and
`read FILE`, which prints the header and the values. CODE is a dtype such as <f4; SHAPE such as 2,3."""
import ast
import math
import struct
import sys

CODES = {"f4": "f", "f8": "d", "u1": "B", "i1": "b", "u2": "H", "i2": "h", "u4": "I", "i4": "i", "u8": "Q", "i8": "q"}

if sys.argv[1] == "write":
    path, code, shape, values = sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:]
    shape = tuple(int(part) for part in shape.split(",") if part)
    text = "{'descr': '%s', 'fortran_order': False, 'shape': %r, }" % (code, shape)
    text += " " * (63 - (10 + len(text)) % 64) + "\n"
    number = float if code[1] == "f" else int
    data = struct.pack(code[0].replace("|", "<") + str(len(values)) + CODES[code[1:]], *map(number, values))
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode("latin1") + data)
else:
    with open(sys.argv[2], "rb") as file:
        content = file.read()
    assert content[:8] == b"\x93NUMPY\x01\x00"
    (length,) = struct.unpack("<H", content[8:10])
    assert (10 + length) % 64 == 0
    header = ast.literal_eval(content[10 : 10 + length].decode("latin1"))
    code = header["descr"]
    count = math.prod(header["shape"])
    values = struct.unpack(code[0].replace("|", "<") + str(count) + CODES[code[1:]], content[10 + length :])
    print(code, header["fortran_order"], header["shape"])
    print(*values)

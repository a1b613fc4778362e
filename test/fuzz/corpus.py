"""Makes seeds for the fuzzers from the tests and examples: their text, their words, and small files of each kind; and
a dictionary of the names in their text.

corpus.py LENO-AS SOURCE-DIR OUTPUT-DIR
"""
import hashlib
import pathlib
import re
import struct
import subprocess
import sys

CODE = b".text"


def section(elf, wanted):
    """The contents of a section of a 64-bit ELF file."""
    table, = struct.unpack_from("<Q", elf, 40)
    count, names = struct.unpack_from("<HH", elf, 60)
    headers = [struct.unpack_from("<IIQQQQ", elf, table + 64 * i) for i in range(count)]
    for name, kind, _, _, offset, size in headers:
        start = headers[names][4] + name
        if elf[start:elf.index(b"\0", start)] == wanted and kind == 1:
            return elf[offset:offset + size]
    return b""


def write(folder, data):
    (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def statements(text):
    """One line of each shape, numbers and names aside: short inputs run often."""
    shapes = {}
    for line in text.splitlines(keepends=True):
        line = re.sub(rb"\s*(#|//).*", b"", line).strip()
        if line and len(line) < 160:
            shapes.setdefault(re.sub(rb"\d+", b"0", line), line + b"\n")
    return shapes


def dictionary(texts):
    """Mnemonics with their modifiers, modifiers alone, directives: libFuzzer puts them where it likes."""
    words = set()
    for text in texts:
        for word in re.findall(rb"[A-Z][A-Z0-9]{2,}(?:\.\w+)*|(?<!\w)\.[a-z]+", re.sub(rb"(#|//).*", b"", text)):
            first, *rest = word.split(b".")
            words |= {word, first} | {b"." + part for part in rest}
    return b"".join(b'"' + word + b'"\n' for word in sorted(words) if 2 < len(word) <= 24)


def main():
    assembler, source, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    folders = {name: out / name for name in ("text", "words", "files")}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    scratch = out / "scratch"
    texts, lines = [], {}
    shapes = {}  # one word for each opcode, form and length of what follows
    for path in sorted([*source.glob("test/asm/**/*.s"), *source.glob("test/emu/*.s"), *source.glob("examples/**/*.s")]):
        text = b"".join(line for line in path.read_bytes().splitlines(keepends=True) if not line.startswith(b"#"))
        if len(text) <= 2048:
            write(folders["text"], text)
        texts.append(text)
        lines |= statements(text)
        for options in (["-c"], []):
            done = subprocess.run([assembler, *options, "-w", "-I", source / "test" / "emu", path, "-o", scratch],
                                  stderr=subprocess.DEVNULL, check=False)
            if done.returncode:
                continue
            elf = scratch.read_bytes()
            if len(elf) <= 4096:
                write(folders["files"], elf)
            code = section(elf, CODE)
            for (word,) in struct.iter_unpack("<Q", code[:len(code) // 8 * 8]):
                shapes.setdefault((word >> 55, (word >> 49) & 63), word)
    for line in lines.values():
        write(folders["text"], line)
    (out / "text.dict").write_bytes(dictionary(texts))
    for path in sorted((source / "test" / "fuzz" / "found").glob("*/*")):  # what the fuzzers found once
        write(folders[path.parent.name], path.read_bytes())
    for word in shapes.values():
        write(folders["words"], struct.pack("<Q", word))
    scratch.unlink(missing_ok=True)
    for name, folder in folders.items():
        if not any(folder.iterdir()):
            sys.exit(f"corpus.py: no seeds for {name}: does {assembler} work?")


main()

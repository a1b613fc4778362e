"""Programs and their kernels."""
from __future__ import annotations

import os
import subprocess
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from leno import _leno
from leno._launches import Configured, size_of, takes_apart
from leno._tools import tell_where_the_compiler_is, tool
from leno._wants import described, element, instance, integer, path as path_of, texts

COMPILED = (".c", ".cl", ".ll", ".bc", ".spv")


@dataclass(frozen=True)
class Parameter:
    """A `.param` of a kernel: its type is u8 i8 ... u64 i64 f32 f64 or ptr, its offset in c[0]."""

    name: str
    type: str
    offset: int
    size: int


@dataclass(frozen=True)
class Shared:
    """An argument: so many elements of shared memory for each CTA, behind the kernel's own. For the local pointers
    of OpenCL C.

    >>> leno.Shared(64, "f4").bytes
    256
    """

    count: int
    dtype: Any = np.uint8

    @property
    def bytes(self) -> int:
        """Of each CTA.

        >>> leno.Shared(10).bytes
        10
        """
        return integer(self.count, "Shared", "a count", 0, (1 << 32) - 1) * element(self.dtype, "Shared").itemsize


takes_apart.add(Shared)


class Kernel:
    """An entry of a program. `kernel[grid, block](arguments...)` runs it.

    >>> saxpy
    <leno.Kernel saxpy(u32 n, f32 a, ptr x, ptr y)>
    """

    def __init__(self, native: _leno.Kernel, program: Program) -> None:
        self._native = native
        self.program = program
        self.parameters = tuple(Parameter(*one) for one in native.parameters)

    def __repr__(self) -> str:
        return f"<leno.Kernel {self.signature}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Program.kernel, (self.program, self.name)

    @property
    def name(self) -> str:
        """
        >>> saxpy.name
        'saxpy'
        """
        return self._native.name

    @property
    def signature(self) -> str:
        """Its parameters in words.

        >>> saxpy.signature
        'saxpy(u32 n, f32 a, ptr x, ptr y)'
        """
        return self._native.signature

    @property
    def registers(self) -> int:
        """Of a lane, those of the functions it calls included.

        >>> saxpy.registers
        8
        """
        return self._native.registers

    @property
    def shared_bytes(self) -> int:
        """Shared memory of a CTA.

        >>> saxpy.shared_bytes
        0
        """
        return self._native.shared_bytes

    @property
    def local_bytes(self) -> int:
        """Local memory of a lane.

        >>> saxpy.local_bytes
        0
        """
        return self._native.local_bytes

    @property
    def block(self) -> tuple[int, int, int]:
        """The threads of a CTA that it is made for (reqd_work_group_size of OpenCL C); zeros: any.

        >>> tuple(saxpy.block)
        (0, 0, 0)
        """
        return tuple(self._native.block)  # type: ignore[return-value]

    def __getitem__(self, key: tuple[Any, ...]) -> Configured:
        """`kernel[grid, block]`, or `kernel[grid, block, where]` with a device, context or stream. A size is a number
        or up to three.

        >>> saxpy[1, 4](4, 2.0, x, y).instructions
        16
        >>> y
        array([3., 3., 3., 3.], dtype=float32)
        >>> saxpy[1, 4](4, 2.0, x)
        Traceback (most recent call last):
            ...
        leno.Error: kernel 'saxpy' takes 4 arguments, not 3: saxpy(u32 n, f32 a, ptr x, ptr y)
        """
        if not isinstance(key, tuple) or len(key) not in (2, 3):
            raise _leno.Error(f"kernel '{self.name}': say kernel[grid, block] or kernel[grid, block, where], then (arguments)")
        return Configured(self, size_of(key[0]), size_of(key[1]), key[2] if len(key) == 3 else None)

    def disassemble(self, **options: bool) -> str:
        """Its code as text; options as Program.disassemble.

        >>> print(saxpy.disassemble().splitlines()[-3].strip())
        STG [R4.64], R6;
        """
        return self.program.disassemble(kernels=[self.name], **options)


class Program(Mapping[str, Kernel]):
    """A linked program, which any device can run: its kernels by their names. Made by assemble, load and compile.

    >>> program = saxpy.program
    >>> list(program)
    ['saxpy']
    >>> program["saxpy"].name
    'saxpy'
    """

    def __init__(self, code: bytes, name: str = "<program>") -> None:
        instance(code, bytes, "Program", "the bytes of an executable")
        self._native = _leno.Program(code, name)
        self.name = name
        self._kernels = {one.name: Kernel(one, self) for one in self._native.kernels()}

    def __repr__(self) -> str:
        return f"<leno.Program {self.name}: {', '.join(self._kernels) or 'no kernels'}>"

    def __getitem__(self, name: str) -> Kernel:
        return self._kernels.get(name) or self.kernel(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __reduce__(self) -> tuple[Any, ...]:
        return Program, (self.code, self.name)

    @property
    def code(self) -> bytes:
        """The bytes of the executable (ELF), as leno-ld writes them.

        >>> saxpy.program.code[:4]
        b'\\x7fELF'
        """
        return self._native.bytes

    def kernel(self, name: str = "") -> Kernel:
        """The kernel of that name, or the only one. The error lists those that there are.

        >>> saxpy.program.kernel()
        <leno.Kernel saxpy(u32 n, f32 a, ptr x, ptr y)>
        >>> saxpy.program.kernel("saxpi")
        Traceback (most recent call last):
            ...
        leno.Error: there is no kernel 'saxpi'; the program has saxpy
        """
        instance(name, str, "kernel", "a name")
        return self._kernels[self._native.kernel(name).name]

    def save(self, path: Union[str, Path]) -> None:
        """Writes the executable.

        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     saxpy.program.save(folder + "/saxpy")
        ...     leno.load(folder + "/saxpy").kernel().name
        'saxpy'
        """
        try:
            Path(path_of(path, "save")).write_bytes(self.code)
        except OSError as error:
            raise _leno.Error(f"{path}: {error.strerror}") from None

    def disassemble(self, *, raw: bool = False, source: bool = False, live: bool = False, graph: bool = False,
                    metadata: bool = False, kernels: Iterable[str] = ()) -> str:
        """Text that assembles back to the same bytes; with words and addresses (`raw`), source lines (`source`) or the
        life of registers (`live`); or the graph for Graphviz (`graph`), or the kernels' metadata alone.

        >>> "FFMA" in saxpy.program.disassemble()
        True
        >>> leno.assemble(saxpy.program.disassemble()).kernel().name
        'saxpy'
        >>> saxpy.program.disassemble(graph=True).split()[0]
        'digraph'
        """
        return self._native.dump(raw, source, metadata, live, graph, texts(kernels, "disassemble", "kernels"))


def _made(linked: tuple[bytes, str], name: str) -> Program:
    code, said = linked
    if said:
        warnings.warn(said, stacklevel=3)
    return Program(code, name)


def _defines(defines: Optional[Mapping[str, Any]]) -> list[str]:
    instance(defines or {}, Mapping, "defines", "a mapping of names to values")
    return [f"{name}={value}" for name, value in (defines or {}).items()]


def assemble(source: str, name: str = "<source>", *, defines: Optional[Mapping[str, int]] = None,
             include: Iterable[str] = ()) -> Program:
    '''A program from assembly text. `name` stands for the file in messages; `defines` are symbols, `include` folders.
    Mistakes are a leno.Error with their places, warnings are Python's.

    >>> program = leno.assemble("""
    ...         .kernel answer
    ...         .param  ptr out
    ...         MOV     R0, N
    ...         MOV     R2, c[0][out]
    ...         STG     [R2], R0
    ...         EXIT
    ...         .endkernel
    ... """, defines={"N": 42})
    >>> out = device.zeros(1, "u4")
    >>> program.kernel()[1, 1](out).instructions
    4
    >>> out
    array([42], dtype=uint32)
    >>> leno.assemble("        FADDD R0, R1, R2")
    Traceback (most recent call last):
        ...
    leno.Error: <source>:1:9: error: ...
    '''
    instance(source, str, "assemble", "the text of a program")
    return _made(_leno.link_text(source, name, _defines(defines), texts(include, "assemble", "folders")), name)


def load(path: Union[str, Path], *, defines: Optional[Mapping[str, Any]] = None, include: Iterable[str] = ()) -> Program:
    """A program from a file: assembly (.s), an object, an executable, or what leno-cc compiles (.c, .cl, .ll, .bc).

    >>> leno.load("missing.s")
    Traceback (most recent call last):
        ...
    leno.Error: missing.s: No such file or directory
    """
    path = path_of(path, "load")
    if path.endswith(COMPILED):
        tell_where_the_compiler_is()
    return _made(_leno.link_file(path, _defines(defines), texts(include, "load", "folders")), path)


def compile(source: str, language: str = "cl", *, name: Optional[str] = None, options: Iterable[str] = ()) -> Program:
    '''A program from text in C ("c"), OpenCL C ("cl") or LLVM's IR ("ll"), by leno-cc with these options.

    >>> program = leno.compile("""
    ... kernel void add(global float *x, float a) { x[get_global_id(0)] += a; }
    ... """)
    >>> program.kernel()[1, 4](x, 1.5).instructions > 0
    True
    >>> x
    array([2.5, 2.5, 2.5, 2.5], dtype=float32)
    '''
    instance(source, str, "compile", "the text of a program")
    if language not in ("c", "cl", "ll"):
        raise _leno.Error(f"leno-cc compiles c, cl and ll, not {described(language)}; leno.assemble takes assembly")
    options = texts(options, "compile", "options")
    with tempfile.TemporaryDirectory(prefix="leno-") as folder:
        file = os.path.join(folder, os.path.basename(name) if name else "program." + language)
        program = os.path.join(folder, "executable")
        Path(file).write_text(source)
        compiler = os.environ.get("LENO_CC") or tool("leno-cc")
        done = subprocess.run([compiler, *options, "-g", "-o", program, file], capture_output=True, text=True)
        said = done.stderr.replace(folder + os.sep, "")
        if done.returncode:
            raise _leno.Error(said.rstrip() or f"leno-cc has ended with status {done.returncode}")
        return _made((Path(program).read_bytes(), said), name or "program." + language)

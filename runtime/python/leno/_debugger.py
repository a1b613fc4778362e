"""The debugger: a launch that can be stepped, forwards and back in time."""
from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from leno import _html, _leno
from leno._devices import Value, settings_of
from leno._launches import Size, size_of
from leno._programs import COMPILED, Kernel, Program
from leno._tools import tell_where_the_compiler_is
from leno._wants import described, element, instance, integer, path

Json = dict[str, Any]


@dataclass
class Answer:
    """What a command gave: its words, its tables (rows of cells, the header first), what it has found (`data`,
    `values`), and the stops on its way. dbg/Json.md tells what is in them."""

    text: str
    tables: list[list[list[str]]] = field(default_factory=list)
    data: list[Json] = field(default_factory=list)
    values: list[Json] = field(default_factory=list)
    stops: list[Json] = field(default_factory=list)

    def __str__(self) -> str:
        return self.text


class Walk:
    """Instructions that a warp has executed, in their order: `instructions` as text, a row for each and a column for each
    lane in `active` (the warp's lanes then) and `executed` (without those that its guard keeps out); `launched` the lanes
    that have a thread. Notebooks show them lane by lane."""

    SHOWN = 100  # rows in a notebook

    def __init__(self, instructions: list[str], active: list[NDArray[np.bool_]], executed: list[NDArray[np.bool_]],
                 launched: NDArray[np.bool_]) -> None:
        self.instructions = instructions
        self.active: NDArray[np.bool_] = np.array(active, bool).reshape(-1, 32)
        self.executed: NDArray[np.bool_] = np.array(executed, bool).reshape(-1, 32)
        self.launched = launched

    def __repr__(self) -> str:
        return f"<leno.Walk of {len(self)} instructions, {self.efficiency:.0%} of the lanes>"

    def __len__(self) -> int:
        return len(self.instructions)

    @property
    def efficiency(self) -> float:
        """Lanes that executed, of all there are: 0 to 1.

        >>> leno.Debugger(saxpy, 1, 16, 16, 2.0, np.ones(16, "f4"), np.ones(16, "f4")).walk().efficiency
        0.46875
        """
        return float(self.executed.mean()) if len(self) else 0.0

    def _repr_html_(self) -> str:
        rows = [(instruction, ["active" if does else "guarded" if on else "waiting" if there else "off"
                               for does, on, there in zip(does, on, self.launched)])
                for instruction, does, on in zip(self.instructions[:self.SHOWN], self.executed, self.active)]
        more = f", the first {self.SHOWN}" if len(self) > self.SHOWN else ""
        return _html.text(f"{len(self)} instructions{more}") + _html.lanes(rows)


class Debugger:
    """A launch under leno-dbg's session. `program` is a kernel, a program or a file; arguments are numbers, numpy
    arrays (which get what the kernel has written when it finishes, unless they are read-only) and the words of `leno-run --arg`.

    >>> ones = np.ones(4, "f4")
    >>> debugger = leno.Debugger(saxpy, 1, 4, 4, 2.0, ones, ones.copy())
    >>> debugger.step(4)["at"]["instruction"]
    'ISETP.ge.u32 P0, R0, c[0][0x40]'
    >>> debugger.registers[0, :4]
    array([0, 1, 2, 3], dtype=uint32)
    >>> debugger.back()["at"]["instruction"]
    'IMAD R0, R0, R1, R2'
    """

    def __init__(self, program: Union[Kernel, Program, str, os.PathLike[str]], grid: Size = 1, block: Size = 32,
                 *arguments: Any, machine: Union[str, os.PathLike[str], None] = None,
                 settings: Optional[dict[str, Value]] = None, max_instructions: Optional[int] = None,
                 **keywords: Value) -> None:
        self._folder = tempfile.mkdtemp(prefix="leno-")
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._arrays: list[tuple[NDArray[Any], str]] = []
        kernel = program.name if isinstance(program, Kernel) else ""
        if isinstance(program, Kernel):
            program = program.program
        if isinstance(program, Program):
            file = os.path.join(self._folder, "program")
            program.save(file)
        else:
            file = path(program, "Debugger")
            if file.endswith(COMPILED):
                tell_where_the_compiler_is()
        words = [self._word(i, one) for i, one in enumerate(arguments)]
        self._native = _leno.Debugger(file, kernel, size_of(grid), size_of(block), words, "",
                                      settings_of(machine, settings, keywords), max_instructions, "")
        self.stop: Json = {}
        self.hello: Json = {}
        self.execute("start")

    def _word(self, i: int, value: Any) -> str:
        who = f"Debugger, argument {i + 1}"
        if not isinstance(value, np.ndarray):
            if not isinstance(value, (str, int, float, np.integer, np.floating)):
                raise _leno.Error(f"{who}: a number, an array or a word of leno-run --arg is wanted, not {described(value)}")
            return value if isinstance(value, str) else repr(value.item() if isinstance(value, np.generic) else value)
        name = os.path.join(self._folder, f"argument{i}")
        element(value.dtype, who)
        np.save(name + ".npy", value)
        if not value.flags.writeable:
            return f"in:{name}.npy"
        self._arrays.append((value, name + "-out.npy"))
        return f"inout:{name}.npy:{name}-out.npy"

    def execute(self, command: str) -> Answer:
        """A command of leno-dbg, and its answer. One that fails raises leno.Error; Ctrl-C stops it where it is, and
        raises KeyboardInterrupt.

        >>> print(debugger.execute("info stack"))
        The stack is empty; it was 0 deep at most.
        >>> debugger.execute("info stakc")
        Traceback (most recent call last):
            ...
        leno.Error: ...did you mean...
        """
        instance(command, str, "execute", "a command")
        stops, answer = [], {}
        lines, interrupted = self._native.execute(command)
        for line in lines.splitlines():
            told = json.loads(line)
            if told["type"] == "stop":
                stops.append(told)
            elif told["type"] == "answer":
                answer = told
            elif told["type"] == "hello":
                self.hello = told
        if stops:
            self.stop = stops[-1]
            if self.stop["reason"] == "finished":
                self._take_results()
        if interrupted:
            raise KeyboardInterrupt
        if not answer.get("ok", True):
            raise _leno.Error("\n".join(one["message"] for one in answer["errors"]))
        return Answer("\n".join(answer.get("text", [])), answer.get("tables", []), answer.get("data", []),
                      answer.get("values", []), stops)

    def _take_results(self) -> None:
        for array, file in self._arrays:
            if os.path.exists(file):
                array[...] = np.load(file)

    def _moved(self, command: str) -> Json:
        self.execute(command)
        return self.stop

    def run(self) -> Json:
        """From the start to the first stop; as all that move it gives the stop (dbg/Json.md).

        >>> debugger.run()["reason"]
        'finished'
        """
        return self._moved("run")

    def start(self) -> Json:
        """To before the first instruction.

        >>> debugger.start()["reason"]
        'start'
        """
        return self._moved("start")

    def go_on(self) -> Json:
        """Until a breakpoint, a trap or the end.

        >>> debugger.start()["tick"], debugger.go_on()["reason"]
        (0, 'finished')
        """
        return self._moved("continue")

    def step(self, count: int = 1, *, over_calls: bool = False) -> Json:
        """So many instructions of the focused warp.

        >>> debugger.start()["tick"], debugger.step(2)["tick"]
        (0, 2)
        """
        return self._moved(f"{'nexti' if over_calls else 'stepi'} {integer(count, 'step', 'a number of times', 1)}")

    def step_line(self, count: int = 1, *, over_calls: bool = False) -> Json:
        """So many source lines.

        >>> debugger.start()["at"]["line"], debugger.step_line()["at"]["line"]
        (11, 12)
        """
        return self._moved(f"{'next' if over_calls else 'step'} {integer(count, 'step', 'a number of times', 1)}")

    def finish(self, region: str = "") -> Json:
        """Out of the innermost "call", "loop" or "side" of a branch that the focused warp is in.

        >>> debugger.finish("loop")
        Traceback (most recent call last):
            ...
        leno.Error: ...
        """
        return self._moved(f"finish {region}".strip())

    def walk(self, count: int = 1000) -> Walk:
        """Steps the focused warp until it ends, or so many instructions, and keeps which lanes executed each.

        >>> debugger.start()["tick"], debugger.walk(3), debugger.walk()
        (0, <leno.Walk of 3 instructions, 12% of the lanes>, <leno.Walk of 13 instructions, 12% of the lanes>)
        """
        count = integer(count, "walk", "a number of instructions")
        warp = self.stop.get("cta"), self.stop.get("warp")
        launched, instructions, active, executed = self._native.launched()[0], [], [], []
        while len(instructions) < count and self.pc is not None and (self.stop["cta"], self.stop["warp"]) == warp:
            instructions.append(self.stop["at"]["instruction"])
            active.append(self._native.active()[0].copy())
            guard = re.match(r"@(!?)P(\d)", instructions[-1])
            executed.append(active[-1] & (self.predicates[int(guard[2])] != bool(guard[1])) if guard else active[-1])
            if self.step()["reason"] != "step":
                break
        return Walk(instructions, active, executed, launched)

    def back(self, count: int = 1, *, over_calls: bool = False) -> Json:
        """Takes the last instructions of the focused warp back.

        >>> debugger.start()["tick"], debugger.step(3)["tick"], debugger.back(2)["tick"]
        (0, 3, 1)
        """
        return self._moved(f"{'reverse-nexti' if over_calls else 'reverse-stepi'} {integer(count, 'step', 'a number of times', 1)}")

    def back_line(self, count: int = 1, *, over_calls: bool = False) -> Json:
        """To where the line before began.

        >>> debugger.start()["tick"], debugger.step_line(2)["tick"], debugger.back_line()["tick"]
        (0, 2, 1)
        """
        return self._moved(f"{'reverse-next' if over_calls else 'reverse-step'} {integer(count, 'step', 'a number of times', 1)}")

    def go_back(self) -> Json:
        """To the last breakpoint before this moment, or to the start.

        >>> debugger.run()["reason"], debugger.go_back()["reason"]
        ('finished', 'history-start')
        """
        return self._moved("reverse-continue")

    def go_to(self, tick: int) -> Json:
        """To a moment, by the debugger's clock.

        >>> debugger.start()["tick"], debugger.go_to(5)["tick"], debugger.go_to(2)["tick"]
        (0, 5, 2)
        """
        return self._moved(f"goto tick {integer(tick, 'go_to', 'a tick')}")

    def break_at(self, place: str, condition: str = "") -> int:
        """A breakpoint at a label or a line, when `condition` holds for a lane; its number.

        >>> number = debugger.break_at("saxpy.s:26", "R0 == 2")
        >>> debugger.start()["tick"], debugger.go_on()["at"]["line"]
        (0, 26)
        >>> debugger.delete(number)
        """
        return self._numbered(f"break {place}" + (f" if {condition}" if condition else ""))

    def watch(self, place: str) -> int:
        """Stops after an instruction that changes a place; its number.

        >>> debugger.start()["tick"]
        0
        >>> number = debugger.watch("R6[1]")
        >>> debugger.go_on()["reason"]
        'watchpoint'
        >>> debugger.delete(number)
        """
        return self._numbered(f"watch {place}")

    def _numbered(self, command: str) -> int:
        for found in self.execute(command).data:
            if found["kind"] == "breakpoints":
                return found["breakpoints"][-1]["number"]
        raise _leno.Error(f"'{command}' has made no breakpoint")

    def delete(self, number: int) -> None:
        """Deletes a breakpoint or a watchpoint.

        >>> debugger.delete(debugger.break_at("saxpy"))
        """
        self.execute(f"delete {number}")

    def focus(self, *, cta: Optional[int] = None, warp: Optional[int] = None, lane: Optional[int] = None) -> None:
        """Looks at another CTA, warp or lane.

        >>> debugger.start()["lane"]
        0
        >>> debugger.focus(lane=2)
        >>> debugger.value("R0")
        '0  0x00000000'
        """
        for name, number in (("cta", cta), ("warp", warp), ("lane", lane)):
            if number is not None:
                self.execute(f"{name} {number}")

    def value(self, expression: str) -> str:
        """An expression of the debugger in the focused lane, as it prints.

        >>> debugger.value("1 + 2")
        '3'
        """
        return self.execute(f"print {expression}").text.split(" = ", 1)[1]

    @property
    def registers(self) -> NDArray[np.uint32]:
        """Of the focused warp: a row for each register, a column for each lane.

        >>> debugger.start()["tick"], debugger.registers.shape[1]
        (0, 32)
        """
        return self._native.registers()

    @property
    def predicates(self) -> NDArray[np.bool_]:
        """P0 to P6 of the focused warp, a column for each lane.

        >>> debugger.start()["tick"], debugger.predicates.shape
        (0, (7, 32))
        """
        return self._native.predicates()

    @property
    def flags(self) -> NDArray[np.bool_]:
        """Overflow, carry, sign and zero, a column for each lane.

        >>> debugger.start()["tick"], debugger.flags.any()
        (0, False)
        """
        return self._native.flags()

    @property
    def lanes(self) -> NDArray[np.intp]:
        """The active lanes of the focused warp.

        >>> debugger.start()["tick"], debugger.lanes.tolist()
        (0, [0, 1, 2, 3])
        """
        return np.flatnonzero(self._native.active()[0])

    @property
    def launched(self) -> NDArray[np.intp]:
        """The lanes that have a thread.

        >>> debugger.start()["tick"], len(debugger.launched)
        (0, 4)
        """
        return np.flatnonzero(self._native.launched()[0])

    @property
    def pc(self) -> Optional[int]:
        """Byte address of the next instruction of the focused warp; None: no warp is in focus.

        >>> debugger.start()["tick"], debugger.step()["tick"], debugger.pc
        (0, 1, 8)
        """
        return self._native.pc()

    @property
    def stack(self) -> list[dict[str, str]]:
        """The divergence stack of the focused warp, its top first: type, PC, line, mask, lanes that wait.

        >>> debugger.start()["tick"], debugger.stack
        (0, [])
        """
        return _rows(self.execute("info stack"))

    @property
    def warps(self) -> list[dict[str, str]]:
        """The warps that run now, as `info warps` has them.

        >>> debugger.start()["tick"], [warp["State"] for warp in debugger.warps]
        (0, ['running'])
        """
        return _rows(self.execute("info warps"))

    @property
    def trap(self) -> Optional[Json]:
        """The trap that has ended the launch; None: there was none.

        >>> debugger.trap is None
        True
        """
        return self.stop.get("trap")

    def _repr_html_(self) -> str:
        at = self.stop.get("at")
        parts = [_html.text(f"{self.stop.get('reason', '')}: {at['label']}  {at['instruction']}" if at
                            else self.stop.get("reason", ""))]
        if self.pc is None:
            return parts[0]
        active, launched = set(self.lanes.tolist()), set(self.launched.tolist())
        rows = [("lanes", ["active" if lane in active else "waiting" if lane in launched else "off" for lane in range(32)])]
        for entry in self.stack:
            mask = int(entry["Mask"], 16)
            waiting = _numbers(entry["Waiting"])
            rows.append((f"{entry['Type']} {entry['PC']}",
                         ["waiting" if lane in waiting else "active" if mask >> lane & 1 else "off" for lane in range(32)]))
        parts.append(_html.lanes(rows))
        warps = self.warps
        if warps:
            parts.append(_html.table(list(warps[0]), [list(one.values()) for one in warps],
                                     next((i for i, one in enumerate(warps) if one.get("") == "*"), -1)))
        return "".join(parts)


def _numbers(ranges: str) -> set[int]:
    """Of "0-7,16"."""
    found: set[int] = set()
    for part in ranges.split(",") if ranges not in ("", "-") else ():
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return found


def _rows(answer: Answer) -> list[dict[str, str]]:
    if not answer.tables:
        return []
    header, *rows = answer.tables[0]
    return [dict(zip((name.strip() for name in header), (cell.strip() for cell in row))) for row in rows]

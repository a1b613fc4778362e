"""Launches, what they have counted, and traps."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from leno import _html, _leno
from leno._wants import described

if TYPE_CHECKING:
    from leno._devices import Context, Device
    from leno._programs import Kernel
    from leno._streams import Stream

Size = Union[int, Sequence[int]]
OPTIONS = ("statistics", "checks", "profile", "threads", "shared_bytes", "max_instructions", "stack_depth", "overlap",
           "host_words", "message")


def size_of(size: Size) -> tuple[int, int, int]:
    """One to three numbers as three."""
    if type(size) is int and 0 <= size < 1 << 32:
        return size, 1, 1
    numbers = tuple(size) if isinstance(size, (tuple, list, np.ndarray)) else (size,)
    if not 1 <= len(numbers) <= 3 or any(not isinstance(one, (int, np.integer)) or not 0 <= int(one) < 1 << 32 for one in numbers):
        raise _leno.Error(f"a size is one to three numbers from 1 on, not {described(size)}")
    return tuple(int(one) for one in (*numbers, 1, 1)[:3])  # type: ignore[return-value]


class Statistics(dict):
    """The counts of a launch by their names, as attributes too. The same launch always has the same.

    >>> counts = saxpy[1, 4](4, 2.0, x, y, statistics=True).statistics
    >>> counts.warp_instructions, counts["branches"]
    (16, 0)
    """

    def __getattr__(self, name: str) -> int:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no count '{name}'; there are {', '.join(self)}") from None

    @property
    def simt_efficiency(self) -> float:
        """Lanes that executed, of all there were: 0 to 1.

        >>> saxpy[1, 16](16, 2.0, device.zeros(16, "f4"), device.zeros(16, "f4"), statistics=True).statistics.simt_efficiency
        0.46875
        """
        return self["lane_operations"] / (32 * self["warp_instructions"]) if self["warp_instructions"] else 0.0

    def _repr_html_(self) -> str:
        return _html.table(["count", ""], [(name.replace("_", " "), value) for name, value in self.items()])


@dataclass(frozen=True)
class Finding:
    """A mistake that a check has found: by which check, its kind, all that leno-run would tell of it, the source line
    of the later place, and how often."""

    check: str
    kind: str
    text: str
    file: str
    line: int
    count: int


class Launch:
    """A launch that has ended: its warp instructions, counts (when asked for) and what checks have found.

    >>> saxpy[1, 4](4, 2.0, x, y)
    <leno.Launch saxpy: 16 warp instructions>
    """

    def __init__(self, native: _leno.Result, kernel: Kernel) -> None:
        self.kernel = kernel
        self.instructions: int = native.instructions
        counts = native.statistics
        self.statistics: Optional[Statistics] = None if counts is None else Statistics(counts)
        self.findings = [Finding(*one) for one in native.findings]
        fault = native.trap
        self.trap: Optional[Trap] = None if fault is None else Trap(fault, self)

    def __repr__(self) -> str:
        found = f", {len(self.findings)} findings" if self.findings else ""
        return f"<leno.Launch {self.kernel.name}: {self.instructions} warp instructions{found}>"

    def _repr_html_(self) -> str:
        parts = [_html.text(f"{self.kernel.name}: {self.instructions} warp instructions")]
        if self.findings:
            parts.append(_html.table(["check", "kind", "line", "times"],
                                     [(one.check, one.kind, f"{one.file}:{one.line}", one.count) for one in self.findings]))
        if self.statistics:
            parts.append(self.statistics._repr_html_())
        return "".join(parts)


class Trap(Exception):
    '''A guest fault: what the kernel did. `kind` is its name in the machine, `lane` the lowest lane at fault and `lanes`
    all of them, `address` that of this lane (where an address is at fault), `place` where in the source or the code,
    `pc`, `label`, `file`, `line`, `cta`, `warp` and `calls` (of a STACK_OVERFLOW) the rest; `launch` what there was until then.

    >>> try:
    ...     saxpy[1, 8](8, 2.0, x, y)
    ... except leno.Trap as trap:
    ...     print(trap.kind, trap.lane, trap.lanes, trap.address - leno.address_of(x), trap.place)
    ADDRESS_OUT_OF_RANGE 4 (4, 5, 6, 7) 16 saxpy.s:23
    '''

    def __init__(self, fault: dict[str, Any], launch: Optional[Launch] = None) -> None:
        super().__init__(fault["text"])
        self._fault = fault
        self.launch = launch
        self.kind: str = fault["kind"]
        self.pc: int = fault["pc"]
        self.label: str = fault["label"]
        self.file: str = fault["file"]
        self.line: int = fault["line"]
        self.cta: tuple[int, int, int] = fault["cta"]
        self.warp: int = fault["warp"]
        self.address: Optional[int] = fault["address"]
        self.calls: list[str] = fault["calls"]
        mask = fault["lane_mask"]
        self.lanes = tuple(lane for lane in range(32) if mask >> lane & 1)
        self.lane: Optional[int] = self.lanes[0] if self.lanes else None
        self.place: str = f"{self.file.rsplit('/', 1)[-1]}:{self.line}" if self.file else self.label

    def __reduce__(self) -> tuple[Any, ...]:
        return Trap, (self._fault,)  # a launch stays with its device


class Pending:
    """A launch that a context or a stream has taken.

    >>> stream = device.stream()
    >>> pending = saxpy[1, 4, stream](4, 2.0, x, y)
    >>> pending.wait()
    <leno.Launch saxpy: 16 warp instructions>
    """

    def __init__(self, native: _leno.Pending, kernel: Kernel, arguments: tuple[Any, ...]) -> None:
        self._native = native
        self._kernel = kernel
        self._arguments = arguments  # the memory of these stays

    @property
    def done(self) -> bool:
        """It has ended, or will not run.

        >>> pending = saxpy[1, 4, device.stream()](4, 2.0, x, y)
        >>> pending.wait().instructions, pending.done
        (16, True)
        """
        return self._native.is_done()

    def wait(self) -> Launch:
        """Waits for its end, where a context took it by running the machine. A trap is raised.

        >>> saxpy[1, 4, device.stream()](4, 2.0, x, y).wait().instructions
        16
        """
        return _ended(Launch(self._native.wait(), self._kernel))

    @property
    def cycles(self) -> tuple[Optional[int], Optional[int], Optional[int]]:
        """When it was decoded, its first CTA started, and it ended, in cycles of the machine; None: not yet, or it
        ran outside of the machine's clock.

        >>> context = leno.Device().context()
        >>> pending = saxpy[1, 4, context](0, 2.0, context.zeros(4, "f4", "x"), context.zeros(4, "f4", "y"))
        >>> pending.wait().instructions, [cycle is not None for cycle in pending.cycles]
        (6, [True, True, True])
        """
        return tuple(self._native.cycles())  # type: ignore[return-value]


def _ended(launch: Launch) -> Launch:
    if launch.trap is not None:
        raise launch.trap
    return launch


class Configured:
    """A kernel with its grid and block: call it with the arguments.

    Integers and floats become what the parameter is; an array of the device is a pointer to its first element, a
    channel one to its buffer. A tuple or list is a vector of OpenCL C: its elements are parameters. Options:
    `statistics=True`, `checks="all"`, `profile="folder"`, `threads=N`, `shared_bytes=N`, `max_instructions=N` (0: no
    limit), `stack_depth=N`, `overlap=True` (in a context), `host_words=[8 words]`, `message=channel` (the launch is the
    channel's next message, on the machine's clock).
    """

    __slots__ = ("_config", "_kernel", "_where")

    def __init__(self, kernel: Kernel, grid: tuple[int, int, int], block: tuple[int, int, int],
                 where: Union[Device, Context, Stream, None]) -> None:
        self._kernel = kernel
        self._where = where
        self._config = _leno.Config(grid, block)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        for name, value in options.items():
            if name not in OPTIONS:
                raise _leno.Error(f"a launch has no option '{name}'; there are {', '.join(OPTIONS)}")
            try:
                setattr(self._config, name, getattr(value, "_native", value) if name == "message" else value)
            except TypeError:
                raise _leno.Error(f"kernel '{self._kernel.name}': option '{name}' cannot be {described(value)}") from None
        for one in arguments:
            if type(one) in takes_apart:
                arguments = self._apart(arguments)
                break
        where, kernel = self._where, self._kernel
        if where is None:
            owner = _leno.owner_of(arguments)
            if owner is None:
                raise _leno.Error(f"kernel '{kernel.name}': no argument is in a device's memory; say where it runs: "
                                  "kernel[grid, block, device](...)")
            return _ended(Launch(_leno.launch(kernel._native, owner, self._config, arguments), kernel))
        if not hasattr(where, "_launch"):
            raise _leno.Error(f"kernel '{kernel.name}': a device, a context or a stream runs it, not {described(where)}")
        return where._launch(kernel, self._config, arguments)

    def _apart(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        from leno._programs import Shared
        from leno._streams import Channel
        kernel, flat = self._kernel, []
        end = -(-kernel.shared_bytes // 16) * 16
        first = end
        for one in arguments:
            if isinstance(one, Shared):
                flat.append(end)
                end += -(-one.bytes // 16) * 16
            elif isinstance(one, Channel):
                flat.append(one._native)
            elif isinstance(one, (tuple, list)):
                flat.extend(one)
            else:
                flat.append(one)
        if end > first:
            self._config.shared_bytes += end - first
        return tuple(flat)


# Arguments that are several parameters, or are placed by the launch.
takes_apart: set[type] = {tuple, list}

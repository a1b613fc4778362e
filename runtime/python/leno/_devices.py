"""Devices, contexts, and arrays that are their memory."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from leno import _html, _leno
from leno._launches import Launch, Pending, _ended
from leno._streams import Channel, Stream
from leno._wants import array as wants_array, constants, element, instance, integer, like, path, semaphore as numbers_of

if TYPE_CHECKING:
    from leno._programs import Kernel, Program

Value = Union[int, str, bool]


def _plain(key: str) -> str:
    return key.replace(".", "").replace("_", "").lower()


_keys = {_plain(row[0]): row[0] for row in _leno.machine_keys()}


def _text(key: str, value: Value) -> str:
    instance(value, (str, int, np.integer, np.bool_), f"setting '{key}'", "a word or an integer")
    return ("yes" if value else "no") if isinstance(value, (bool, np.bool_)) else str(value)


def settings_of(machine: Union[str, os.PathLike[str], None], settings: Optional[Mapping[str, Value]],
                keywords: Mapping[str, Value]) -> list[str]:
    """All settings in their order: those of a file, by key, by keyword."""
    all = _leno.machine_file(path(machine, "machine")) if machine is not None else []
    instance(settings or {}, Mapping, "settings", "a mapping of keys to values")
    all += [f"{key}={_text(key, value)}" for key, value in (settings or {}).items()]
    return all + [f"{_keys.get(_plain(key), key.replace('_', '.', 1))}={_text(key, value)}" for key, value in keywords.items()]


def machine_keys() -> list[dict[str, Any]]:
    """Every key of a machine: its type, default, limits, unit, choices and meaning.

    >>> leno.machine_keys()[0]["key"], leno.machine_keys()[0]["default"]
    ('sm.count', '4')
    """
    names = ("key", "type", "least", "most", "unit", "choices", "meaning", "default")
    return [dict(zip(names, row)) for row in _leno.machine_keys()]


def stack_bits_on_chip(machine: Union[str, os.PathLike[str], None] = None, settings: Optional[Mapping[str, Value]] = None,
                       **keywords: Value) -> int:
    """Bits on the chip that each warp's divergence stack takes on such a machine: entries, flags, pointers.

    >>> leno.stack_bits_on_chip(stack_model="chip", warp_stackDepth=64) > leno.stack_bits_on_chip(stack_model="cache")
    True
    """
    return _leno.stack_bits_on_chip(settings_of(machine, settings, keywords))


def address_of(array: NDArray[Any]) -> int:
    """Where an array of a device begins in the device's memory.

    >>> leno.address_of(x[1:]) - leno.address_of(x)
    4
    >>> leno.address_of(np.zeros(4))
    Traceback (most recent call last):
        ...
    leno.Error: address_of: this array is in the host's memory; device.array(x) makes one in the device's
    """
    return _leno.place_of(wants_array(array, "address_of"))[1]  # type: ignore[index]


class Memory:
    """What arrays are made in: a device, or a context of one. An array is the device's memory itself: what is written
    to it a kernel reads, and the other way round, without a copy. The memory goes with the last array over it. While a
    kernel runs (in a stream, on another thread) arrays change under one's eyes."""

    _native: _leno.Memory

    def zeros(self, shape: Union[int, Sequence[int]], dtype: DTypeLike = np.float32, name: str = "buffer", *,
              on_demand: bool = False) -> NDArray[Any]:
        """An array of zeroes. `name` stands in messages and traps; `on_demand`: its pages are mapped when kernels
        first touch them.

        >>> device.zeros((2, 3), "u4")
        array([[0, 0, 0],
               [0, 0, 0]], dtype=uint32)
        """
        instance(name, str, "array", "a name")
        who = f"array '{name}'"
        type = element(dtype, who)
        sizes = [integer(one, who, "a length") for one in (shape if isinstance(shape, (tuple, list, np.ndarray)) else [shape])]
        count = type.itemsize
        for size in sizes:
            count *= size
        if not 0 < count < 1 << 64:
            raise _leno.Error(f"{who}: {count} bytes; a device's memory has arrays of at least one")
        return self._native.allocate(count, name, on_demand).array(type, sizes)

    def array(self, data: ArrayLike, dtype: DTypeLike = None, name: str = "buffer") -> NDArray[Any]:
        """A copy of `data` in the device's memory.

        >>> device.array([1, 2, 3], "i4") + 1
        array([2, 3, 4], dtype=int32)
        """
        try:
            host = np.asarray(data, dtype if dtype is None else element(dtype, f"array '{name}'"))
        except (TypeError, ValueError, OverflowError) as error:
            raise _leno.Error(f"array '{name}': {error}") from None
        mine = self.zeros(host.shape, host.dtype, name)
        mine[...] = host
        return mine

    @property
    def bytes_allocated(self) -> int:
        """Bytes that its arrays take now.

        >>> fresh = leno.Device()
        >>> big = fresh.zeros(1000, "u1")
        >>> fresh.bytes_allocated
        1000
        >>> del big
        >>> fresh.bytes_allocated
        0
        """
        return self._native.bytes_allocated()

    def read(self, address: int, count: int) -> bytes:
        """Bytes from an address of an array, or of what a program has in global memory.

        >>> device.read(leno.address_of(x), 4)
        b'\\x00\\x00\\x80?'
        """
        return self._native.read_at(integer(address, "read", "an address"), integer(count, "read", "a count"))

    def stream(self) -> Stream:
        """Commands in order on a host thread of their own.

        >>> device.stream().idle
        True
        """
        return Stream(self)

    def channel(self, slots: int, words: int, *, requests: Optional[str] = None, replies: Optional[str] = None) -> Channel:
        """Messages to a kernel that runs and back: room for `slots` requests of `words` words each. On the machine's
        clock (host_model="clock") they are left in "core-cache", "ppu-memory", "cpu-cache" or "system-memory".

        >>> device.channel(32, 8)
        <leno.Channel of 32 slots of 8 words>
        >>> machine = leno.Device(timing_model="cycles", host_model="clock", l2_model="slices")
        >>> machine.channel(1, 4, requests="system-memory", replies="cpu-cache")
        <leno.Channel of 1 slots of 4 words>
        """
        return Channel(self, slots, words, requests, replies)


class Context(Memory):
    """One user of a device: its own memory, constants and commands, on the machine's clock. Made by Device.context.

    Its calls put commands into its pushbuffer and return; nothing runs before the machine does, by synchronize(), by
    Pending.wait() or a function of the device. A trap ends the context.

    >>> machine = leno.Device(sm_count=2)
    >>> busy = machine.context("busy")
    >>> z = busy.zeros(4, "f4", "z")
    >>> saxpy[1, 4, busy](4, 2.0, z, z)
    <leno._launches.Pending object at ...>
    >>> busy.idle
    False
    >>> busy.synchronize()
    >>> busy.idle, busy.counts["warp_instructions"], machine.cycle > 0
    (True, 16, True)
    """

    def __init__(self, device: Device, native: _leno.Context) -> None:
        self._native: _leno.Context = native
        self.device = device

    def __repr__(self) -> str:
        return f"<leno.Context {self.name}>"

    @property
    def name(self) -> str:
        """Its name, or its number.

        >>> leno.Device().context("urgent", priority=1).name
        'urgent'
        """
        return self._native.name

    def _launch(self, kernel: Kernel, config: _leno.Config, arguments: tuple[Any, ...]) -> Pending:
        return Pending(_leno.launch_on_context(kernel._native, self._native, config, arguments), kernel, arguments)

    def copy(self, source: NDArray[Any], target: NDArray[Any]) -> None:
        """A copy on the device, by its copy engine, in its turn.

        >>> context = leno.Device().context()
        >>> a, b = context.array([1, 2, 3]), context.array([0, 0, 0])
        >>> context.copy(a, b); context.synchronize(); b
        array([1, 2, 3])
        """
        places = [_leno.place_of(wants_array(one, "copy")) for one in (source, target)]
        if source.nbytes != target.nbytes or not (source.flags.c_contiguous and target.flags.c_contiguous):
            raise _leno.Error("a copy is between two arrays of the context, of as many bytes and without gaps")
        (one, first), (other, second) = places  # type: ignore[misc]
        self._native.copy(one, first - one.address, other, second - other.address, source.nbytes)

    def write(self, target: NDArray[Any], data: ArrayLike) -> None:
        """Copies from the host to the device in its turn; `data` is copied now.

        >>> context = leno.Device().context()
        >>> a = context.zeros(2, "i4")
        >>> context.write(a, [3, 4]); a.tolist(), context.synchronize(), a.tolist()
        ([0, 0], None, [3, 4])
        """
        place = _leno.place_of(wants_array(target, "write"))
        if place is None or not target.flags.c_contiguous:
            raise _leno.Error("a copy is to an array of the context, without gaps")
        data = like(data, target, "write")
        self._native.write(place[0], place[1] - place[0].address, data.reshape(-1).view(np.uint8))

    def write_constants(self, program: Program, bank: int, offset: int, data: ArrayLike) -> None:
        '''Writes constants of a program, from byte `offset` of c[bank] on: launches that come after it see them.

        >>> context = leno.Device().context()
        >>> program = leno.assemble("""
        ...         .const  3
        ... limit:  .word   5
        ...         .text
        ...         .kernel get
        ...         .param  ptr out
        ...         MOV     R0, c[3][limit]
        ...         MOV     R2, c[0][out]
        ...         STG     [R2], R0
        ...         EXIT
        ...         .endkernel
        ... """)
        >>> out = context.zeros(1, "u4")
        >>> context.write_constants(program, 3, 0, np.uint32([7]))
        >>> program.kernel()[1, 1, context](out).wait(); out[0]
        <leno.Launch get: 4 warp instructions>
        7
        '''
        self._native.write_constants(*constants(program, bank, offset, data))

    def release(self, semaphore: int, value: int) -> None:
        """Gives a semaphore of the machine a value once all before it is done.

        >>> machine = leno.Device(); context = machine.context()
        >>> context.release(1, 5); context.synchronize(); machine.semaphore(1)
        5
        """
        self._native.release(*numbers_of(semaphore, value))

    def acquire(self, semaphore: int, value: int) -> None:
        """What follows waits until the semaphore has at least this value.

        >>> machine = leno.Device(); context = machine.context("a")
        >>> context.acquire(1, 5)
        >>> machine.run(1000), machine.waits
        ('stuck', "context 'a' waits for semaphore 1 to reach 5, and it is 0")
        """
        self._native.acquire(*numbers_of(semaphore, value))

    def sync_token(self, x: int, y: int) -> None:
        """The CTAs of grids that follow go to SMs by tiles of x * y CTAs; 0, 0: where there is room.

        >>> context = leno.Device().context()
        >>> context.sync_token(2, 2); context.synchronize()
        """
        self._native.sync_token(integer(x, "sync_token", "x", 0, (1 << 32) - 1), integer(y, "sync_token", "y", 0, (1 << 32) - 1))

    def remap(self, x: int, y: int) -> None:
        """The same without waiting for a launch.

        >>> context = leno.Device().context()
        >>> context.remap(2, 2); context.synchronize()
        """
        self._native.remap(integer(x, "remap", "x", 0, (1 << 32) - 1), integer(y, "remap", "y", 0, (1 << 32) - 1))

    def set_priority(self, priority: int) -> None:
        """Those of higher priority get SMs first; from the next cycle on.

        >>> leno.Device().context().set_priority(2)
        """
        self._native.set_priority(integer(priority, "set_priority", "a priority", -(1 << 31), (1 << 31) - 1))

    def set_sms(self, sms: int) -> None:
        """Its part of a static split; 0: an equal part of what the others leave.

        >>> leno.Device(contexts_allocation="static").context().set_sms(1)
        """
        self._native.set_sms(integer(sms, "set_sms", "a number of SMs"))

    @property
    def idle(self) -> bool:
        """Nothing is left to do, or it has ended.

        >>> leno.Device().context().idle
        True
        """
        return self._native.is_idle()

    def synchronize(self) -> None:
        """Runs the machine until none of its commands is left.

        >>> leno.Device().context().synchronize()
        """
        self._native.synchronize()

    @property
    def ended(self) -> str:
        """Why it has ended; empty while it can go on.

        >>> leno.Device().context().ended
        ''
        """
        return self._native.status()

    @property
    def counts(self) -> dict[str, int]:
        """What it has done and what became of it, in cycles of the machine.

        >>> leno.Device().context().counts["saves"]
        0
        """
        return self._native.counts()

    @property
    def sms(self) -> int:
        """SMs that have its state now.

        >>> leno.Device().context().sms
        0
        """
        return self._native.sms()


class Device(Memory):
    """A machine. Its settings are keywords ("sm.count" is sm_count or smCount), a mapping by key, or a file for
    `leno-run --machine`; later ones win in this order: the file, `settings`, keywords.

    >>> leno.Device(sm_count=8, stack_model="cache").settings["sm.count"]
    8
    >>> leno.Device(settings={"memory.bytes": "2GiB"}).settings["memory.bytes"]
    2147483648
    >>> leno.Device(sm_counts=8)
    Traceback (most recent call last):
        ...
    leno.Error: ...did you mean 'sm.count'?...
    """

    def __init__(self, machine: Union[str, os.PathLike[str], None] = None, settings: Optional[Mapping[str, Value]] = None,
                 **keywords: Value) -> None:
        self._native: _leno.Device = _leno.Device(settings_of(machine, settings, keywords))

    def __repr__(self) -> str:
        return f"<leno.Device of {self.settings['sm.count']} SMs>"

    def _repr_html_(self) -> str:
        usual = {row["key"]: row for row in machine_keys()}
        return _html.table(["key", "value", "meaning"],
                           [(key, value, usual[key]["meaning"]) for key, value in self.settings.items()])

    @property
    def settings(self) -> dict[str, int]:
        """Every key with the value that this machine has; of choices, their place among them.

        >>> leno.Device().settings["sm.warps"]
        32
        """
        return dict(self._native.settings())

    def _launch(self, kernel: Kernel, config: _leno.Config, arguments: tuple[Any, ...]) -> Launch:
        return _ended(Launch(_leno.launch(kernel._native, self._native, config, arguments), kernel))

    def context(self, name: str = "", *, priority: int = 0, sms: int = 0, watchdog: int = 0, stack_depth: int = 0) -> Context:
        """One more user of the machine. From then on all launches are on its clock.

        >>> leno.Device().context("a", watchdog=100000)
        <leno.Context a>
        """
        who = "context"
        instance(name, str, who, "a name")
        return Context(self, self._native.create_context(
            name, integer(priority, who, "priority", -(1 << 31), (1 << 31) - 1), integer(sms, who, "sms"),
            integer(watchdog, who, "watchdog"), integer(stack_depth, who, "stack_depth")))

    @property
    def cycle(self) -> int:
        """Cycles since it was made; launches alone take none.

        >>> leno.Device().cycle
        0
        """
        return self._native.cycle()

    def run(self, cycles: int) -> str:
        """Runs the machine for so many cycles: "cycle", or "idle" or "stuck" when nothing could go on before.

        >>> leno.Device().run(100)
        'idle'
        """
        return self._native.run(integer(cycles, "run", "a number of cycles"))

    def run_until_idle(self) -> None:
        """Runs until no context has anything left to do.

        >>> leno.Device().run_until_idle()
        """
        self._native.run_until_idle()

    def kill(self, context: Context, why: str = "the host has killed it") -> None:
        """Ends a context now: its kernel traps TIMEOUT.

        >>> machine = leno.Device(); context = machine.context("a")
        >>> machine.kill(context, "enough"); "enough" in context.ended
        True
        """
        instance(context, Context, "kill", "a context")
        instance(why, str, "kill", "a text")
        self._native.kill(context._native, why)

    def release(self, semaphore: int, value: int) -> None:
        """The host releases a semaphore.

        >>> machine = leno.Device(); machine.release(3, 1); machine.semaphore(3)
        1
        """
        self._native.release(*numbers_of(semaphore, value))

    def semaphore(self, number: int) -> int:
        """The value of a semaphore.

        >>> leno.Device().semaphore(0)
        0
        """
        return self._native.semaphore(numbers_of(number)[0])

    @property
    def waits(self) -> str:
        """Which contexts wait for what; empty: none.

        >>> leno.Device().waits
        ''
        """
        return self._native.waits()

    def write_profiles(self) -> None:
        """Writes the reports of launches with `profile` now, and not when the device goes.

        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> launch = saxpy[1, 4](4, 2.0, x, y, profile=folder)
        >>> device.write_profiles()
        >>> leno.Profile(folder).launches
        ['saxpy']
        """
        self._native.write_profiles()

    def on_event(self, function: Optional[Callable[[int, str, str, str], None]]) -> None:
        """Calls a function for each event of contexts: cycle, context, kind, all in words. It must not use the machine.

        >>> machine = leno.Device(); events = []
        >>> machine.on_event(lambda cycle, context, kind, text: events.append(kind))
        >>> context = machine.context("a")
        >>> context.release(1, 1); context.synchronize(); len(events) > 0
        True
        """
        if function is not None:
            instance(function, Callable, "on_event", "a function")
        self._native.on_event(function)

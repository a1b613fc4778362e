"""Streams, events and messages."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from leno import _leno
from leno._launches import Pending, takes_apart

if TYPE_CHECKING:
    from leno._devices import Memory
    from leno._programs import Kernel, Program


class Event:
    """A place in a stream, which others can wait for.

    >>> event = leno.Event()
    >>> device.stream().record(event)
    >>> event.synchronize(); event.done
    True
    """

    def __init__(self) -> None:
        self._native = _leno.Event()

    @property
    def done(self) -> bool:
        """All that came before its last record is done; also when it was never recorded.

        >>> leno.Event().done
        True
        """
        return self._native.is_done()

    def synchronize(self) -> None:
        """Waits until then.

        >>> leno.Event().synchronize()
        """
        self._native.synchronize()


class Stream:
    """Commands in order, which run while Python goes on. `kernel[grid, block, stream](...)` is one. The first that
    fails ends the stream, a trap too: synchronize() and every call tell that error until reset().

    >>> stream = device.stream()
    >>> for i in range(3):
    ...     pending = saxpy[1, 4, stream](4, 1.0, x, y)
    >>> stream.synchronize()
    >>> y
    array([4., 4., 4., 4.], dtype=float32)
    """

    def __init__(self, where: Memory) -> None:
        self._native = _leno.Stream(where._native)
        self.where = where

    def _launch(self, kernel: Kernel, config: _leno.Config, arguments: tuple[Any, ...]) -> Pending:
        return Pending(_leno.launch_on_stream(kernel._native, self._native, config, arguments), kernel, arguments)

    def write(self, target: NDArray[Any], data: NDArray[Any]) -> None:
        """Copies from the host to an array of the device in its turn; `data` is copied now.

        >>> stream = device.stream()
        >>> stream.write(x, np.float32([5, 6, 7, 8])); stream.synchronize(); x
        array([5., 6., 7., 8.], dtype=float32)
        """
        self._native.write(target, np.ascontiguousarray(data, target.dtype))

    def read(self, source: NDArray[Any], target: NDArray[Any]) -> None:
        """Copies from an array of the device to one of the host, in its turn.

        >>> stream = device.stream(); host = np.zeros(4, "f4")
        >>> stream.read(x, host); stream.synchronize(); host
        array([1., 1., 1., 1.], dtype=float32)
        """
        self._native.read(source, target)

    def write_constants(self, program: Program, bank: int, offset: int, data: Any) -> None:
        """Writes constants of a program, as Context.write_constants.

        >>> device.stream().write_constants(saxpy.program, 3, 0, np.uint32([7]))
        Traceback (most recent call last):
            ...
        leno.Error: cannot write 4 bytes at c[3][0]: the module has no constants there (.const 3)
        """
        self._native.write_constants(program._native, bank, offset, np.ascontiguousarray(data).reshape(-1).view(np.uint8))

    def record(self, event: Event) -> None:
        """Marks this place with the event.

        >>> event = leno.Event(); device.stream().record(event)
        """
        self._native.record(event._native)

    def wait(self, event: Event) -> None:
        """What comes after it waits for the place that the event marks now.

        >>> one, other, event = device.stream(), device.stream(), leno.Event()
        >>> one.record(event); other.wait(event); other.synchronize()
        """
        self._native.wait(event._native)

    def call(self, function: Callable[[], object]) -> None:
        """Calls a function in its turn, on the stream's thread.

        >>> stream = device.stream(); said = []
        >>> stream.call(lambda: said.append("here")); stream.synchronize(); said
        ['here']
        """
        self._native.call(function)

    @property
    def idle(self) -> bool:
        """Nothing is left to do.

        >>> device.stream().idle
        True
        """
        return self._native.is_idle()

    def synchronize(self) -> None:
        """Waits until nothing is left to do.

        >>> device.stream().synchronize()
        """
        self._native.synchronize()

    def reset(self) -> None:
        """The same; then the stream is as new, also after a failure.

        >>> stream = device.stream()
        >>> pending = saxpy[1, 8, stream](8, 1.0, x, y)
        >>> stream.reset()
        Traceback (most recent call last):
            ...
        leno.Error: ...ADDRESS_OUT_OF_RANGE...
        >>> stream.synchronize()
        """
        self._native.reset()


class Channel:
    """Messages to a kernel that runs, and its replies. As an argument it is its buffer, and the launch serves it; any
    threads may send meanwhile. The layout for the kernel is in runtime/include/leno/Messages.h.

    >>> service = leno.load(examples + "/service/service.s").kernel()
    >>> channel, table = device.channel(4, 2), device.zeros(2, "u4")
    >>> stream = device.stream()
    >>> pending = service[1, 32, stream](channel, channel.slot_bytes, channel.slots, channel.words, table, 0,
    ...                                  max_instructions=0)
    >>> channel.call(1, [20])            # routine 1: the words of the message, each times its place, added up
    [41, 0]
    >>> channel.stop()
    >>> pending.wait().trap is None
    True
    """

    def __init__(self, where: Memory, slots: int, words: int) -> None:
        self._native = _leno.Channel(where._native, slots, words)

    def __repr__(self) -> str:
        return f"<leno.Channel of {self.slots} slots of {self.words} words>"

    @property
    def slots(self) -> int:
        """Requests that can be under way.

        >>> device.channel(4, 2).slots
        4
        """
        return self._native.slots

    @property
    def words(self) -> int:
        """Of a request, and of a reply.

        >>> device.channel(4, 2).words
        2
        """
        return self._native.words

    @property
    def slot_bytes(self) -> int:
        """From a slot to the next in its buffer.

        >>> device.channel(4, 2).slot_bytes % 4
        0
        """
        return self._native.slot_bytes

    def send(self, message: Sequence[int]) -> int:
        """Sends a message of at most `words` words; its number.

        >>> device.channel(4, 2).send([1, 2])
        1
        """
        return self._native.send(list(message))

    def receive(self, number: int) -> list[int]:
        """Waits for the reply to that message and takes it.

        >>> device.channel(4, 2).receive(1)
        Traceback (most recent call last):
            ...
        leno.Error: ...
        """
        return self._native.receive(number)

    def call(self, handle: int, data: Sequence[int] = ()) -> list[int]:
        """A remote procedure call: sends the handle of a routine and its data, and waits for the reply.

        >>> channel = device.channel(4, 2); channel.stop(); channel.call(1, [1])
        Traceback (most recent call last):
            ...
        leno.Error: ...
        """
        return self._native.call(handle, list(data))

    def stop(self) -> None:
        """No more messages: when all have been replied to, the kernel is told to end.

        >>> device.channel(4, 2).stop()
        """
        self._native.stop()


takes_apart.add(Channel)

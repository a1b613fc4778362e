"""Streams, events and messages."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
from numpy.typing import NDArray

from leno import _leno
from leno._launches import Pending, takes_apart
from leno._wants import array as wants_array, constants, instance, integer, like, words as words_of

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
        self._native.write(wants_array(target, "write"), like(data, target, "write"))

    def read(self, source: NDArray[Any], target: NDArray[Any]) -> None:
        """Copies from an array of the device to one of the host, in its turn.

        >>> stream = device.stream(); host = np.zeros(4, "f4")
        >>> stream.read(x, host); stream.synchronize(); host
        array([1., 1., 1., 1.], dtype=float32)
        """
        instance(target, np.ndarray, "read", "an array of the host")
        if not target.flags.writeable:
            raise _leno.Error("read: the host's array is read-only")
        if target.dtype != wants_array(source, "read").dtype:
            raise _leno.Error(f"read: the array of the device is of {source.dtype}, and the host's of {target.dtype}")
        self._native.read(source, target)

    def write_constants(self, program: Program, bank: int, offset: int, data: Any) -> None:
        """Writes constants of a program, as Context.write_constants.

        >>> device.stream().write_constants(saxpy.program, 3, 0, np.uint32([7]))
        Traceback (most recent call last):
            ...
        leno.Error: cannot write 4 bytes at c[3][0]: the module has no constants there (.const 3)
        """
        self._native.write_constants(*constants(program, bank, offset, data))

    def record(self, event: Event) -> None:
        """Marks this place with the event.

        >>> event = leno.Event(); device.stream().record(event)
        """
        instance(event, Event, "record", "an event")
        self._native.record(event._native)

    def wait(self, event: Event) -> None:
        """What comes after it waits for the place that the event marks now.

        >>> one, other, event = device.stream(), device.stream(), leno.Event()
        >>> one.record(event); other.wait(event); other.synchronize()
        """
        instance(event, Event, "wait", "an event")
        self._native.wait(event._native)

    def call(self, function: Callable[[], object]) -> None:
        """Calls a function in its turn, on the stream's thread.

        >>> stream = device.stream(); said = []
        >>> stream.call(lambda: said.append("here")); stream.synchronize(); said
        ['here']
        """
        instance(function, Callable, "call", "a function")
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


class Script:
    """What a host does step by step on the machine's clock (host_model="clock"), in place of host threads: the same
    cycles in each run. Channel.play plays it, Channel.recorded gives what threads have done as one. `steps` are pairs:
    "send" or "expect" with words, "wait" or "at" with cycles, "stop" or "launch" with None.

    >>> script = leno.Script().wait(3000).send([1, 2]).expect([2, 3]).stop()
    >>> script.steps[1]
    ('send', [1, 2])
    >>> leno.Script(script.steps) == script, len(script)
    (True, 4)
    """

    def __init__(self, steps: Iterable[tuple[str, Any]] = ()) -> None:
        self.steps: list[tuple[str, Any]] = []
        for number, step in enumerate(steps, 1):
            who = f"step {number} of the script"
            if not isinstance(step, (tuple, list)) or len(step) != 2 or step[0] not in ("send", "expect", "wait", "at", "stop", "launch"):
                raise _leno.Error(f"{who}: a pair of send, expect, wait, at, stop or launch with its words or cycles is wanted, not {step!r}")
            if step[0] in ("stop", "launch"):
                getattr(self, step[0])()
            else:
                getattr(self, step[0])(step[1])

    def __repr__(self) -> str:
        return f"<leno.Script of {len(self)} steps>"

    def __len__(self) -> int:
        return len(self.steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Script) and self.steps == other.steps

    __hash__ = None  # type: ignore[assignment]  # it grows

    def _add(self, step: str, what: Any) -> Script:
        self.steps.append((step, what))
        return self

    def send(self, message: Sequence[int]) -> Script:
        """The next message.

        >>> leno.Script().send([1, 2]).steps
        [('send', [1, 2])]
        """
        return self._add("send", words_of(message, "send"))

    def expect(self, reply: Sequence[int] = ()) -> Script:
        """Waits for the oldest reply that nothing has been expected of; what it has to begin with.

        >>> leno.Script().expect().expect([3]).steps
        [('expect', []), ('expect', [3])]
        """
        return self._add("expect", words_of(reply, "expect"))

    def wait(self, cycles: int) -> Script:
        """Computes for so many cycles, and takes no reply meanwhile.

        >>> leno.Script().wait(10).steps
        [('wait', 10)]
        """
        return self._add("wait", integer(cycles, "wait", "a number of cycles", 0, 1 << 62))

    def at(self, cycle: int) -> Script:
        """Does nothing but take replies until that cycle.

        >>> leno.Script().at(5000).steps
        [('at', 5000)]
        """
        return self._add("at", integer(cycle, "at", "a cycle", 0, 1 << 62))

    def stop(self) -> Script:
        """Takes all replies that are to come, and tells the kernel to end; so does the end of the script.

        >>> leno.Script().stop().steps
        [('stop', None)]
        """
        return self._add("stop", None)

    def launch(self) -> Script:
        """Sends the next launch with `message=` the channel.

        >>> leno.Script().wait(10).launch().steps
        [('wait', 10), ('launch', None)]
        """
        return self._add("launch", None)


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

    With host_model="clock" the CPU is on the machine's clock, and a script can send instead of threads:

    >>> machine = leno.Device(timing_model="cycles", host_model="clock", l2_model="slices").context()
    >>> channel, table = machine.channel(4, 2, replies="system-memory"), machine.zeros(2, "u4")
    >>> channel.play(leno.Script().wait(500).send([1, 20]).expect([41]))
    >>> service[1, 32, machine](channel, channel.slot_bytes, channel.slots, channel.words, table, 0).wait().trap is None
    True
    >>> channel.played(); channel.to_core["messages"], channel.to_host["messages"]
    (1, 1)

    There a message can be a launch, with its code: the machine reads it, starts what it holds and replies at its end.

    >>> work, a, b = machine.channel(1, 100), machine.zeros(4, "f4"), machine.array(np.float32([1, 2, 3, 4]))
    >>> saxpy[1, 4, machine](4, 2.0, b, a, message=work).wait().trap is None, a
    (True, array([2., 4., 6., 8.], dtype=float32))
    """

    def __init__(self, where: Memory, slots: int, words: int, requests: Optional[str] = None,
                 replies: Optional[str] = None) -> None:
        who = "channel"
        for place in (requests, replies):
            instance(place, (str, type(None)), who, "the name of a place")
        self._native = _leno.Channel(where._native, integer(slots, who, "slots", 0, (1 << 32) - 1),
                                     integer(words, who, "words", 0, (1 << 32) - 1), requests, replies)

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
        return self._native.send(words_of(message, "send"))

    def receive(self, number: int) -> list[int]:
        """Waits for the reply to that message and takes it.

        >>> device.channel(4, 2).receive(1)
        Traceback (most recent call last):
            ...
        leno.Error: ...
        """
        return self._native.receive(integer(number, "receive", "the number of a message"))

    def call(self, handle: int, data: Sequence[int] = ()) -> list[int]:
        """A remote procedure call: sends the handle of a routine and its data, and waits for the reply.

        >>> channel = device.channel(4, 2); channel.stop(); channel.call(1, [1])
        Traceback (most recent call last):
            ...
        leno.Error: ...
        """
        return self._native.call(integer(handle, "call", "a handle", 0, (1 << 32) - 1), words_of(data, "call"))

    def play(self, script: Script) -> None:
        """Gives the next launch with the channel what the script says, on the machine's clock.

        >>> device.channel(1, 2).play(leno.Script().send([1]))
        Traceback (most recent call last):
            ...
        leno.Error: a script is played on the machine's clock: ...
        """
        instance(script, Script, "play", "a script")
        self._native.play(script.steps)

    def recorded(self) -> Script:
        """What threads have sent so far on the machine's clock, and when; played again it gives the same cycles.

        >>> device.channel(1, 2).recorded().steps
        []
        """
        return Script(self._native.recorded())

    def played(self) -> None:
        """Fails when a reply was not as the script expects, or did not come.

        >>> device.channel(1, 2).played()
        """
        self._native.played()

    @property
    def to_core(self) -> dict[str, int]:
        """Of the requests, in cycles of the machine's clock: "write", "read_ready" and "read_message" are S3's, the
        memories' part; none is in two of these.

        >>> device.channel(1, 2).to_core["write"]
        0
        """
        return self._native.to_core()

    @property
    def to_host(self) -> dict[str, int]:
        """The same of the replies.

        >>> device.channel(1, 2).to_host["messages"]
        0
        """
        return self._native.to_host()

    def stop(self) -> None:
        """No more messages: when all have been replied to, the kernel is told to end.

        >>> device.channel(4, 2).stop()
        """
        self._native.stop()


takes_apart.add(Channel)

"""Programs for a SIMT machine that run in an emulator, from Python.

    import leno

    device = leno.Device(sm_count=2)
    saxpy = leno.load("saxpy.s").kernel()
    x = device.array([1.0] * 1000, "f4", name="x")      # numpy arrays that are the device's memory
    y = device.zeros(1000, "f4", name="y")
    saxpy[4, 256](1000, 2.0, x, y)                      # CTAs, threads of each; then the arguments
    print(y[:4])                                        # [2. 2. 2. 2.]

A kernel that traps raises `leno.Trap`, every other mistake `leno.Error`. Python's other threads go on while a
kernel runs, and Ctrl-C stops it.

The examples of the functions below begin with `device = leno.Device()`, with `saxpy`, the kernel of
examples/saxpy, and with `x` and `y`, two arrays of the device of four ones of 32 bits each.
"""
from leno import _leno
from leno._campaign import campaign
from leno._contexts import Contexts, ContextsRun
from leno._debugger import Answer, Debugger, Walk
from leno._devices import Context, Device, address_of, machine_keys, stack_bits_on_chip
from leno._launches import Finding, Launch, Pending, Statistics, Trap
from leno._profile import Profile
from leno._programs import Kernel, Program, Shared, assemble, compile, load
from leno._streams import Channel, Event, Script, Stream
from leno._store import Store
from leno._sweep import Sweep, Work, sweep
from leno._timeline import Timeline
from leno._tools import tool

Error = _leno.Error
Error.__module__ = "leno"
Error.__doc__ = "A mistake of the caller's, or of a file: what is wrong, and the way out."
__version__: str = _leno.version

__all__ = [
    "Answer", "Channel", "Context", "Contexts", "ContextsRun", "Debugger", "Device", "Error", "Event", "Finding", "Kernel", "Launch", "Pending",
    "Profile", "Program", "Script", "Shared", "Statistics", "Store", "Stream", "Sweep", "Timeline", "Trap", "Walk", "Work", "address_of",
    "assemble", "campaign", "compile", "load", "machine_keys", "stack_bits_on_chip", "sweep", "tool",
]

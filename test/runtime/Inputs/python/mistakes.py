"""Bad arguments of every kind, and arrays of every kind.  mistakes.py EXAMPLES"""
import os
import sys
import tempfile
import unittest

import numpy as np

import leno

EXAMPLES = sys.argv.pop(1)
SAXPY = leno.load(EXAMPLES + "/saxpy/saxpy.s").kernel()
FOLDER = tempfile.TemporaryDirectory()


class Calls(unittest.TestCase):
    def test_say_what_they_want(self):
        device = leno.Device()
        machine = leno.Device()
        context = machine.context("a")
        stream, channel, x, host = device.stream(), device.channel(2, 2), device.zeros(4, "f4", "x"), np.zeros(4, "f4")
        debugger = leno.Debugger(SAXPY, 1, 4, 4, 1.0, host, host.copy())
        read_only = np.zeros(4, "f4")
        read_only.flags.writeable = False
        for call, says in (
                (lambda: leno.campaign(5), "campaign: a command's words are a list of words, not 5"),
                (lambda: leno.campaign("lit -q", 2), "a command's words are a list"),
                (lambda: leno.campaign([], 2), "campaign: the command has no words"),
                (lambda: leno.campaign(["true"], "two"), "campaign: a number of shards is an integer, not 'two'"),
                (lambda: leno.campaign(["true"], 0), "a number of shards is within 1"),
                (lambda: leno.campaign(["true"], 2, executor=5), "campaign: an executor of concurrent.futures is wanted"),
                (lambda: leno.campaign(["true"], 2, workers=-1), "a number of workers is within 0"),
                (lambda: leno.sweep(5), "a sweep repeats a leno.Work"),
                (lambda: leno.sweep(len, 5), "sweep: machine is a mapping"),
                (lambda: leno.sweep(len, ["sm.count"]), "sweep: machine is a mapping"),
                (lambda: leno.sweep(len, {}, repeat=0), "sweep: repeat is within 1"),
                (lambda: leno.sweep(len, {}, store=5), "Store: the name of a file is wanted, not 5"),
                (lambda: leno.Work(5, 1, 1), "Work: a kernel is wanted, not 5"),
                (lambda: leno.Store(5), "Store: the name of a file"),
                (lambda: leno.load(5), "load: the name of a file is wanted, not 5"),
                (lambda: leno.load(EXAMPLES + "/saxpy/saxpy.s", include="folder"), "load: folders are a list"),
                (lambda: leno.load(EXAMPLES), ""),
                (lambda: leno.assemble(5), "assemble: the text of a program is wanted, not 5"),
                (lambda: leno.assemble("", defines=["A=1"]), "defines: a mapping of names to values is wanted"),
                (lambda: leno.compile(5), "compile: the text of a program"),
                (lambda: leno.compile("", 5), "leno-cc compiles c, cl and ll, not 5"),
                (lambda: leno.compile("", options="-O1"), "compile: options are a list"),
                (lambda: leno.Program("text"), "Program: the bytes of an executable"),
                (lambda: leno.Program(b"text"), ""),
                (lambda: SAXPY.program.kernel(5), "kernel: a name is wanted, not 5"),
                (lambda: SAXPY.program.save(FOLDER.name), "Is a directory"),
                (lambda: SAXPY.program.disassemble(kernels="saxpy"), "disassemble: kernels are a list"),
                (lambda: leno.Shared("a").bytes, "Shared: a count is an integer, not 'a'"),
                (lambda: SAXPY[1], r"say kernel\[grid, block\]"),
                (lambda: SAXPY["a", 1], "a size is one to three numbers from 1 on, not 'a'"),
                (lambda: SAXPY[1.5, 1], "a size is one to three numbers"),
                (lambda: SAXPY[None, 1], "a size is one to three numbers"),
                (lambda: SAXPY[(1, 1, 1, 1), 1], "a size is one to three numbers"),
                (lambda: SAXPY[-1, 1], "a size is one to three numbers"),
                (lambda: SAXPY[0, 1, device](4, 1.0, x, x), ""),
                (lambda: SAXPY[1, 4, "device"](4, 1.0, x, x), "a device, a context or a stream runs it, not 'device'"),
                (lambda: SAXPY[1, 4](4, 1.0, x, x, thread=1), "a launch has no option 'thread'"),
                (lambda: SAXPY[1, 4](4, 1.0, x, x, threads="all"), "option 'threads' cannot be 'all'"),
                (lambda: SAXPY[1, 4](4, 1.0, x, x, checks="rice"), "rice"),
                (lambda: SAXPY[1, 4](4, 1.0, x, 1.5), "argument 4 for parameter 'y'"),
                (lambda: SAXPY[1, 4](4, 1.0, x, None), "argument 4 for parameter 'y'"),
                (lambda: leno.Device("missing.yaml"), "missing.yaml"),
                (lambda: leno.Device(5), "machine: the name of a file"),
                (lambda: leno.Device(settings=5), "settings: a mapping"),
                (lambda: leno.Device(sm_count=None), "setting 'sm_count': a word or an integer is wanted, not None"),
                (lambda: leno.Device(sm_count=2.0), "a word or an integer is wanted, not 2.0"),
                (lambda: device.zeros("a"), "array 'buffer': a length is an integer, not 'a'"),
                (lambda: device.zeros(2.5), "a length is an integer, not 2.5"),
                (lambda: device.zeros(-1), "a length is within 0"),
                (lambda: device.zeros(1, "q9"), "array 'buffer': data type 'q9' not understood"),
                (lambda: device.zeros(1, "f4", 5), "array: a name is wanted"),
                (lambda: device.array("text", "f4"), "array 'buffer': could not convert"),
                (lambda: device.array([1, [2, 3]]), "array 'buffer'"),
                (lambda: device.read("a", 4), "read: an address is an integer"),
                (lambda: device.read(0, 4), ""),
                (lambda: device.run(1.5), "run: a number of cycles is an integer"),
                (lambda: device.semaphore("a"), "semaphore: its number is an integer"),
                (lambda: device.release(0, -1), "semaphore: its value is within 0"),
                (lambda: device.on_event(5), "on_event: a function is wanted"),
                (lambda: machine.kill(5), "kill: a context is wanted, not 5"),
                (lambda: machine.context(5), "context: a name is wanted, not 5"),
                (lambda: machine.context(priority="high"), "context: priority is an integer, not 'high'"),
                (lambda: context.copy(x, 5), "copy: an array of a device is wanted, not 5"),
                (lambda: context.copy(x, host), "copy: this array is in the host's memory"),
                (lambda: context.write(host, 1), "write: this array is in the host's memory"),
                (lambda: context.write(context.zeros(2), [1, 2, 3]), "write: "),
                (lambda: context.write_constants(5, 3, 0, 1), "write_constants: a program is wanted, not 5"),
                (lambda: context.set_priority("a"), "set_priority: a priority is an integer"),
                (lambda: context.sync_token(-1, 1), "sync_token: x is within 0"),
                (lambda: stream.wait(5), "wait: an event is wanted, not 5"),
                (lambda: stream.record(None), "record: an event is wanted, not None"),
                (lambda: stream.call(5), "call: a function is wanted, not 5"),
                (lambda: stream.write(5, host), "write: an array of a device is wanted, not 5"),
                (lambda: stream.write(x, "text"), "write: could not convert"),
                (lambda: stream.write(x, np.zeros(5)), "write: "),
                (lambda: stream.read(x, 5), "read: an array of the host is wanted, not 5"),
                (lambda: stream.read(x, read_only), "read: the host's array is read-only"),
                (lambda: stream.read(x, np.zeros(4, "i4")), "read: the array of the device is of float32, and the host's of int32"),
                (lambda: stream.read(x, np.zeros(5, "f4")), "as many bytes"),
                (lambda: stream.read(x, np.zeros((4, 2), "f4")[:, 0]), "without gaps"),
                (lambda: device.channel("a", 1), "channel: slots is an integer"),
                (lambda: device.channel(1, 1, requests=5), "channel: the name of a place is wanted, not 5"),
                (lambda: channel.send("ab"), "send: a message is a list of words of 32 bits, not 'ab'"),
                (lambda: channel.send([1 << 32]), "send: a word is within 0..4294967295, not 4294967296"),
                (lambda: channel.send([1.5]), "send: a word is an integer, not 1.5"),
                (lambda: channel.call("f"), "call: a handle is an integer"),
                (lambda: channel.receive(None), "receive: the number of a message is an integer, not None"),
                (lambda: channel.play([]), "play: a script is wanted"),
                (lambda: leno.address_of([1]), "address_of: an array of a device is wanted"),
                (lambda: leno.Contexts(5), "Contexts: the name of a file is wanted, not 5"),
                (lambda: leno.Debugger(5), "Debugger: the name of a file is wanted, not 5"),
                (lambda: leno.Debugger(SAXPY, 1, 4, 4, 1.0, None, host), "Debugger, argument 3: a number, an array"),
                (lambda: leno.Debugger(SAXPY, 1, 4, 4, 1.0, np.array([None]), host), "Debugger, argument 3: Python's objects"),
                (lambda: debugger.execute(5), "execute: a command is wanted, not 5"),
                (lambda: debugger.step("x"), "step: a number of times is an integer, not 'x'"),
                (lambda: debugger.back(0), "step: a number of times is within 1"),
                (lambda: debugger.go_to("x"), "go_to: a tick is an integer, not 'x'"),
                (lambda: debugger.walk("a"), "walk: a number of instructions is an integer"),
                (lambda: debugger.focus(lane=99), "a lane is a number from 0 to 31"),
                (lambda: leno.Profile(FOLDER.name), "holds no profile"),
                (lambda: leno.Profile(5), "Profile: the name of a file is wanted, not 5"),
                (lambda: leno.Timeline(5), "Timeline: the name of a file is wanted, not 5"),
                (lambda: leno.Timeline({"a": 5}), "Timeline: a list of slices"),
                (lambda: leno.tool(5), "tool: a name is wanted, not 5"),
                (lambda: leno.Timeline(FOLDER.name + "/missing"), "missing"),
                (lambda: leno.tool("leno-rum"), "there is no leno-rum")):
            with self.subTest(says=says):
                with self.assertRaisesRegex(leno.Error, says):
                    call()
        SAXPY[1, 4](4, 1.0, x, x)  # all goes on


class Arrays(unittest.TestCase):
    def setUp(self):
        self.device = leno.Device()

    def test_of_any_layout_are_copied(self):
        base = np.arange(24, dtype="f4").reshape(4, 6)
        for host in (base, base.T, base[::2], base[:, ::-1], np.asfortranarray(base), np.broadcast_to(np.float32(3), (2, 5)),
                     base.astype(">f4"), base.view("u1"), np.zeros((), "i8"), base.astype("c8"), base > 3, base.astype("f2")):
            np.testing.assert_array_equal(self.device.array(host), host)
        read_only = np.arange(4, dtype="f4")
        read_only.flags.writeable = False
        mine = self.device.array(read_only)
        mine[0] = 7  # a copy of its own
        self.assertEqual(mine.tolist(), [7, 1, 2, 3])

    def test_of_objects_are_refused(self):
        for make in (lambda: self.device.array([None, {}]), lambda: self.device.zeros(4, object),
                     lambda: self.device.zeros(4, [("a", "f4"), ("b", "O")])):
            with self.assertRaisesRegex(leno.Error, "Python's objects cannot be in a device's memory"):
                make()
        self.assertEqual(self.device.zeros(4, [("a", "f4"), ("b", "u4")])["b"].tolist(), [0] * 4)

    def test_that_are_empty_or_too_large_are_refused(self):
        for make in (lambda: self.device.zeros(0), lambda: self.device.array([]), lambda: self.device.zeros((4, 0))):
            with self.assertRaisesRegex(leno.Error, "0 bytes; a device's memory has arrays of at least one"):
                make()
        with self.assertRaisesRegex(leno.Error, "memory.bytes"):
            self.device.zeros(1 << 40, "u1")
        with self.assertRaisesRegex(leno.Error, "bytes; a device's memory"):
            self.device.zeros((1 << 62, 1 << 62), "f8")

    def test_that_go_away_stay_while_a_stream_needs_them(self):
        stream = self.device.stream()
        for _ in range(100):
            x, y = self.device.array(np.ones(64, "f4")), self.device.array(np.ones(64, "f4"))
            SAXPY[2, 32, stream](64, 2.0, x, y)
            host = np.zeros(64, "f4")
            stream.read(y, host)
            seen = host
            del x, y, host
        stream.synchronize()
        np.testing.assert_array_equal(seen, np.full(64, 3, "f4"))

    def test_that_a_debugger_gets_may_be_read_only_or_have_gaps(self):
        x, y = np.arange(8, dtype="f4")[::2], np.zeros((4, 2), "f4")
        x.flags.writeable = False
        debugger = leno.Debugger(SAXPY, 1, 4, 4, 2.0, x, y[:, 0])
        self.assertEqual(debugger.go_on()["reason"], "finished")
        self.assertEqual(y.tolist(), [[0, 0], [4, 0], [8, 0], [12, 0]])
        self.assertEqual(x.tolist(), [0, 2, 4, 6])


unittest.main()

"""What the module does beyond its examples.  module.py EXAMPLES"""
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from xml.dom import minidom

import numpy as np

import leno

EXAMPLES = sys.argv.pop(1)
FOREVER = """
        .kernel forever
        .param  ptr out
        MOV     R0, 0
again:  IADD    R0, R0, 1
        BRA     again
        .endkernel
"""


def saxpy():
    return leno.load(EXAMPLES + "/saxpy/saxpy.s").kernel()


def pointer(array):
    return array.__array_interface__["data"][0]


class Arrays(unittest.TestCase):
    def test_are_the_devices_memory(self):
        device = leno.Device()
        x, y = device.zeros(64, "f4", "x"), device.zeros((2, 32), "f4", "y")
        places = pointer(x), pointer(y)
        x[:] = np.arange(64)
        saxpy()[1, 64](64, 2.0, x, y)
        self.assertEqual((pointer(x), pointer(y)), places)
        np.testing.assert_array_equal(y.reshape(64), 2 * np.arange(64, dtype="f4"))
        self.assertEqual(device.read(leno.address_of(y), 256), y.tobytes())  # which the machine reads for us
        y[1, 3] = 77
        self.assertEqual(np.frombuffer(device.read(leno.address_of(y[1, 3:]), 4), "f4")[0], 77)
        self.assertFalse(x.flags.owndata)
        self.assertTrue(np.shares_memory(x, x[3:]))

    def test_parts_of_them_are_pointers(self):
        device = leno.Device()
        x, y = device.zeros(64, "f4"), device.zeros(64, "f4")
        x[:] = 1
        saxpy()[1, 32](8, 3.0, x[8:], y[16:])
        np.testing.assert_array_equal(np.flatnonzero(y), np.arange(16, 24))

    def test_with_gaps_are_refused(self):
        device = leno.Device()
        x = device.zeros((8, 8), "f4")
        for view in (x[::2], x.T, x[:, 1:]):
            with self.assertRaisesRegex(leno.Error, "no strides"):
                saxpy()[1, 8](8, 1.0, view, x)

    def test_outlive_their_device(self):
        x = leno.Device().array(np.arange(1000))
        self.assertEqual(x.sum(), 499500)

    def test_go_with_the_last_that_sees_them(self):
        device = leno.Device()
        x = device.zeros(1000, "u1")
        part = x[10:20]
        del x
        self.assertEqual(device.bytes_allocated, 1000)
        del part
        self.assertEqual(device.bytes_allocated, 0)

    def test_of_another_device_and_of_the_host_are_refused(self):
        here, there = leno.Device(), leno.Device()
        x, y = here.zeros(4, "f4"), there.zeros(4, "f4")
        with self.assertRaisesRegex(leno.Error, "argument 4 for parameter 'y'.*another device"):
            saxpy()[1, 4](4, 1.0, x, y)
        with self.assertRaisesRegex(leno.Error, "argument 3 for parameter 'x'.*host's memory"):
            saxpy()[1, 4](4, 1.0, np.zeros(4, "f4"), y)
        with self.assertRaisesRegex(leno.Error, "say where it runs"):
            leno.assemble(FOREVER).kernel()[1, 1](0)


class Numbers(unittest.TestCase):
    def test_that_do_not_fit_are_refused(self):
        device = leno.Device()
        x = device.zeros(4, "f4")
        for n in (-1, 1 << 32):
            with self.assertRaisesRegex(leno.Error, rf"argument 1 for parameter 'n' \(u32\): {n} is not within 0..4294967295"):
                saxpy()[1, 4](n, 1.0, x, x)
        with self.assertRaisesRegex(leno.Error, "a number is wanted, not a float"):
            saxpy()[1, 4](1.5, 1.0, x, x)
        with self.assertRaisesRegex(leno.Error, "a number is wanted, not a str"):
            saxpy()[1, 4](1, "1.0", x, x)
        saxpy()[1, 4](np.uint8(4), np.float16(1), x, x)

    def test_of_every_type_arrive(self):
        for type, value in (("u8", 255), ("i8", -128), ("u16", 65535), ("i16", -32768), ("u32", (1 << 32) - 1),
                            ("i32", -(1 << 31)), ("u64", (1 << 64) - 1), ("i64", -(1 << 63)), ("f32", 0.1), ("f64", 0.1)):
            size = int(type[1:]) // 8
            load = f".u{size * 8}" if size < 4 else ".64" if size == 8 else ""
            program = leno.assemble(f"""
        .kernel k
        .param  {type} value
        .param  ptr out
        MOV     R4, c[0][out]
        LDC{load} R0, c[0][value]
        STG{".64" if size == 8 else ""} [R4], R0
        EXIT
        .endkernel
""")
            device = leno.Device()
            out = device.zeros(8, "u1")
            program.kernel()[1, 1](value, out)
            numpy_type = np.dtype({"u": "u", "i": "i", "f": "f"}[type[0]] + str(size))
            self.assertEqual(out.view(numpy_type)[0], np.array(value, numpy_type), type)


class Traps(unittest.TestCase):
    def test_have_their_fields_and_can_be_pickled(self):
        device = leno.Device()
        x, y = device.zeros(40, "f4", "x"), device.zeros(64, "f4", "y")
        with self.assertRaises(leno.Trap) as caught:
            saxpy()[1, 64](64, 1.0, x, y)
        trap = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((trap.kind, trap.cta, trap.warp, trap.lane, trap.lanes[-1]), ("ADDRESS_OUT_OF_RANGE", (0, 0, 0), 1, 8, 31))
        self.assertEqual(trap.address, leno.address_of(x) + 160)
        self.assertEqual((trap.place, trap.label, trap.line), ("saxpy.s:23", f"saxpy+{trap.pc:#x}", 23))
        saxpy()[1, 32](32, 1.0, x, y)  # the device goes on

    def test_of_streams_and_contexts_are_raised(self):
        device = leno.Device()
        x = device.zeros(4, "f4")
        with self.assertRaises(leno.Trap):
            saxpy()[1, 8, device.stream()](8, 1.0, x, x).wait()
        context = leno.Device().context("a")
        x = context.zeros(4, "f4")
        with self.assertRaises(leno.Trap):
            saxpy()[1, 8, context](8, 1.0, x, x).wait()
        self.assertIn("ADDRESS_OUT_OF_RANGE", context.ended)


class Sources(unittest.TestCase):
    def test_of_all_languages(self):
        device = leno.Device()
        for program in (
                leno.compile("kernel void f(global int *x, int4 v) { x[get_global_id(0)] = v.y; }"),
                leno.compile("""#include <leno/kernel.h>
__kernel void f(__global int *x, int a, int b, int c, int d) { x[leno_tid_x()] = b; }""", "c"),
                leno.compile("""
declare i32 @leno_tid_x()
define amdgpu_kernel void @f(ptr addrspace(1) %x, i32 %a, i32 %b, i32 %c, i32 %d) {
  %i = call i32 @leno_tid_x()
  %at = getelementptr i32, ptr addrspace(1) %x, i32 %i
  store i32 %b, ptr addrspace(1) %at
  ret void
}""", "ll")):
            x = device.zeros(4, "i4")
            program.kernel()[1, 4](x, (1, 2, 3, 4))
            self.assertEqual(x.tolist(), [2] * 4)
        with self.assertRaisesRegex(leno.Error, r"program.cl:1:\d+: error:"):
            leno.compile("kernel void f(global int *x) { x[0] = y; }")
        with self.assertRaisesRegex(leno.Error, r"<source>:2:\d+: error:"):
            leno.assemble("        .kernel k\n        MOVE R0, 1\n        EXIT\n        .endkernel\n")

    def test_local_pointers_get_shared_memory(self):
        program = leno.compile("""
kernel void turn(global int *x, local int *room) {
  room[get_local_id(0)] = x[get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_local_id(0)] = room[get_local_size(0) - 1 - get_local_id(0)];
}""")
        x = leno.Device().array(np.arange(64, dtype="i4"))
        program.kernel()[1, 64](x, leno.Shared(64, "i4"))
        np.testing.assert_array_equal(x, np.arange(64)[::-1])


class Checks(unittest.TestCase):
    def test_tell_of_races(self):
        program = leno.assemble("""
        .kernel race
        .param  ptr out
        S2R     R0, SR_TID.X
        MOV     R2, c[0][out]
        STG     [R2], R0
        EXIT
        .endkernel
""")
        device = leno.Device()
        launch = program.kernel()[1, 64](device.zeros(1, "u4"), checks="race")
        self.assertTrue(launch.findings)
        self.assertEqual((launch.findings[0].check, launch.findings[0].line), ("race", 6))


class Waiting(unittest.TestCase):
    def interrupted(self, run):
        """Ctrl-C in half a second; what runs would never end by itself."""
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        with self.assertRaises(KeyboardInterrupt):
            timer.start()
            run()
        timer.join()

    def test_ctrl_c_stops_launches(self):
        forever = leno.assemble(FOREVER).kernel()
        for settings in ({}, {"constants_model": "caches"}, {"timing_model": "cycles", "l2_model": "slices"}):
            device = leno.Device(**settings)
            out, x = device.zeros(1, "u4"), device.array(np.ones(64, "f4"))
            self.interrupted(lambda: forever[1, 64](out, max_instructions=0))
            saxpy()[1, 64](64, 2.0, x, x)  # afterwards all is well
            self.assertEqual(x.tolist(), [3] * 64)
        stream = device.stream()
        forever[1, 64, stream](out, max_instructions=0)
        self.interrupted(stream.synchronize)
        with self.assertRaisesRegex(leno.Error, "interrupted"):
            stream.reset()

    def test_ctrl_c_pauses_the_machine(self):
        machine = leno.Device()
        context = machine.context("a")
        pending = leno.assemble(FOREVER).kernel()[1, 64, context](context.zeros(1, "u4"), max_instructions=0)
        self.interrupted(pending.wait)
        before = machine.cycle
        self.interrupted(context.synchronize)
        self.interrupted(machine.run_until_idle)
        self.assertGreater(machine.cycle, before)
        self.assertEqual(context.ended, "")
        machine.kill(context)

    def test_ctrl_c_stops_contexts_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            leno.assemble(FOREVER).save(folder + "/forever")
            with open(folder + "/one.yaml", "w", encoding="ascii") as file:
                file.write("contexts: [{ name: a, stream: [{ launch: forever, args: ['zero:u32[1]'], max-instructions: 0 }] }]")
            contexts = leno.Contexts(folder + "/one.yaml")
            self.interrupted(contexts.run)
            self.interrupted(contexts.run)  # and again

    def test_ctrl_c_stops_the_debugger(self):
        debugger = leno.Debugger(leno.assemble(FOREVER).kernel(), 1, 32, "zero:u32[1]", max_instructions=0)
        self.interrupted(debugger.go_on)
        self.assertEqual(debugger.stop["reason"], "interrupted")
        tick = debugger.stop["tick"]
        self.assertEqual(debugger.back(10)["tick"], tick - 10)

    def test_other_threads_go_on(self):
        device = leno.Device()
        turns = []
        done = threading.Event()

        def count():
            while not done.is_set():
                turns.append(1)
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        with self.assertRaises(leno.Trap) as caught:
            leno.assemble(FOREVER).kernel()[1, 64](device.zeros(1, "u4"), max_instructions=300_000_000)
        done.set()
        thread.join()
        self.assertEqual(caught.exception.kind, "TIMEOUT")
        self.assertGreater(len(turns), 10)


class Pickled(unittest.TestCase):
    def test_programs_and_kernels_are_the_same_elsewhere(self):
        kernel = pickle.loads(pickle.dumps(saxpy()))
        self.assertEqual((kernel.signature, kernel.program.code), (saxpy().signature, saxpy().program.code))


class Together(unittest.TestCase):
    def test_threads_launch_on_one_device_at_once(self):
        device, kernel, wrong = leno.Device(), saxpy(), []

        def count(number):
            x, y = device.array(np.full(64, number, "f4")), device.zeros(64, "f4")
            for _ in range(20):
                kernel[2, 32](64, 1.0, x, y)
            if y.tolist() != [20 * number] * 64:
                wrong.append((number, y))
        threads = [threading.Thread(target=count, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_process_that_is_forked_after_launches_can_launch(self):
        device, kernel = leno.Device(), saxpy()
        x, y = device.array(np.ones(4096, "f4")), device.zeros(4096, "f4")
        stream = device.stream()
        kernel[64, 64](4096, 1.0, x, y)
        kernel[64, 64, stream](4096, 1.0, x, y)
        stream.synchronize()
        child = os.fork()
        if not child:
            status = 1
            try:
                fresh = leno.Device()
                a, b = fresh.array(np.ones(4096, "f4")), fresh.zeros(4096, "f4")
                kernel[64, 64](4096, 1.0, a, b)
                kernel[64, 64](4096, 1.0, x, y)  # the copy of the parent's
                status = 0 if (b == 1).all() and (y == 3).all() else 2
            finally:
                os._exit(status)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertTrue((y == 2).all())


class Debugging(unittest.TestCase):
    def test_results_come_back(self):
        x, y = np.arange(40, dtype="f4"), np.ones(40, "f4")
        debugger = leno.Debugger(saxpy(), 2, 32, 40, 2.0, x, y)
        self.assertEqual(debugger.step(3)["tick"], 3)
        np.testing.assert_array_equal(debugger.registers[2], np.arange(32))
        debugger.focus(warp=0, cta=1)
        np.testing.assert_array_equal(debugger.registers[2], np.zeros(32))
        self.assertEqual(debugger.go_on()["reason"], "finished")
        np.testing.assert_array_equal(y, 2 * x + 1)

    def test_divergence_is_shown(self):
        debugger = leno.Debugger(leno.assemble("""
        .kernel parts
        S2R     R0, SR_TID.X
        LOP.and R1, R0, 3
        ISETP.eq P0, R1, 0
        SSY     done
  @P0   BRA     four
        IADD    R2, R0, 1
        SYNC
four:   IADD    R2, R0, 2
        SYNC
done:   EXIT
        .endkernel
""").kernel(), 1, 48)
        debugger.step(5)
        self.assertEqual(debugger.lanes.tolist(), list(range(0, 32, 4)))
        self.assertEqual([(entry["Type"], entry["Mask"]) for entry in debugger.stack],
                         [("DIV", "0xeeeeeeee"), ("SYNC", "0xffffffff")])
        np.testing.assert_array_equal(debugger.predicates[0], np.arange(32) % 4 == 0)
        page = debugger._repr_html_()
        self.assertEqual((page.count('title="active"'), page.count('title="waiting"')), (8 + 32, 24 + 24))
        self.assertEqual(len(debugger.warps), 2)

    def test_a_walk_has_the_lanes_of_each_instruction(self):
        kernel, ones = saxpy(), np.ones(8, "f4")
        walk = leno.Debugger(kernel, 1, 8, 3, 2.0, ones, ones.copy()).walk()
        device = leno.Device()
        x, y = device.array(ones), device.array(ones)
        counts = kernel[1, 8](3, 2.0, x, y, statistics=True).statistics
        self.assertEqual((len(walk), int(walk.executed.sum())), (counts.warp_instructions, counts.lane_operations))
        self.assertEqual(walk._repr_html_().count("<tr>"), len(walk) + 1)


class Timelines(unittest.TestCase):
    def test_one_of_leno_run_is_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            file = folder + "/t.json"
            subprocess.run([leno.tool("leno-run"), EXAMPLES + "/saxpy/saxpy.s", "--grid", "2", "--block", "64", "--arg", "4", "--arg", "2",
                            "--arg", "zero:f32[4]", "--arg", "out:f32[4]:print:", "--timeline", file], check=True, capture_output=True)
            timeline = leno.Timeline(file)
        self.assertTrue(timeline.only("CTAs").tracks)
        picture = minidom.parseString(timeline._repr_svg_())
        self.assertEqual(len(picture.getElementsByTagName("rect")), sum(map(len, timeline.tracks.values())))
        with self.assertRaisesRegex(leno.Error, "holds no timeline"):
            leno.Timeline(EXAMPLES + "/saxpy/saxpy.s")


class AsAProgram(unittest.TestCase):
    def test_it_is_leno_run(self):
        program = EXAMPLES + "/saxpy/saxpy.s"
        arguments = [program, "--block", "4", "--arg", "4", "--arg", "2", "--arg", "zero:f32[4]", "--arg", "out:f32[4]:print:"]
        words = [subprocess.run([*command, *arguments], capture_output=True, text=True, check=True).stdout
                 for command in ([sys.executable, "-m", "leno"], [leno.tool("leno-run")])]
        self.assertEqual(words[0], words[1])
        self.assertIn("y: f32[4]", words[0])


unittest.main()

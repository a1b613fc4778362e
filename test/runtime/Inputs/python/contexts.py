"""Context files, and hosts on the machine's clock.  contexts.py EXAMPLES"""
import json
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np

import leno

ECHO = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + "/echo-service.s"  # replies with each word plus 1
EXAMPLES = os.path.abspath(sys.argv.pop(1))
SAXPY = EXAMPLES + "/saxpy/saxpy.s"
FILE = f"""
machine: {{ sm.count: 2 }}
contexts:
  - name: long
    buffers: {{ y: "inout:y.npy:z.npy" }}
    stream: [{{ launch: {SAXPY}, grid: 16, block: 64, args: [1024, 2.0, in:x.npy, y] }}]
  - name: short
    priority: 1
    stream: [{{ not-before: 300 }}, {{ launch: {SAXPY}, block: 32, args: [32, 1.0, "zero:f32[32]", "out:f32[32]:w.npy"] }}]
"""
CLOCK = dict(sm_count=2, timing_model="cycles", host_model="clock", l2_model="slices", timing_memoryLatency=25, l2_latency=5,
             host_link=25, host_memoryLatency=25, host_cache_latency=5)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.x, self.y = np.arange(1024, dtype="f4"), np.ones(1024, "f4")
        np.save(self.folder + "/x.npy", self.x)
        np.save(self.folder + "/y.npy", self.y)
        self.file = self.write("two.yaml", FILE)

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w", encoding="ascii") as file:
            file.write(text)
        return file.name

    def test_are_what_leno_run_tells(self):
        run = leno.Contexts(self.file).run(statistics=True)
        self.assertEqual(os.listdir(self.folder).count("z.npy"), 0)  # it writes no files
        told = json.loads(subprocess.run([leno.tool("leno-run"), "--contexts", self.file, "--json"], check=True, capture_output=True).stdout)
        self.assertEqual((run.status, run.cycles, list(run), run.why), ("finished", told["cycles"], ["long", "short"], ""))
        for one in told["contexts"]:
            self.assertEqual(run[one["name"]]["run_cycles"], one["runCycles"])
            self.assertEqual(run[one["name"]]["launches"][0]["statistics"]["warp_instructions"],
                             one["launches"][0]["statistics"]["warpInstructions"])
        np.testing.assert_array_equal(run.outputs["long.y"], 2 * self.x + 1)
        np.testing.assert_array_equal(run.outputs["long.y"], np.load(self.folder + "/z.npy"))
        self.assertEqual({name: (array.dtype.str, array.shape) for name, array in run.outputs.items()},
                         {"long.y": ("<f4", (1024,)), "short.saxpy.y": ("<f4", (32,))})

    def test_are_read_once_and_can_be_pickled(self):
        contexts = leno.Contexts(self.file)
        before = contexts.run()
        for name in ("x.npy", "y.npy", "two.yaml"):
            os.remove(f"{self.folder}/{name}")
        after = pickle.loads(pickle.dumps(contexts)).run()
        self.assertEqual(before.told, after.told)
        np.testing.assert_array_equal(before.outputs["long.y"], after.outputs["long.y"])

    def test_are_points_of_sweeps(self):
        contexts = leno.Contexts(self.file, keep=True)
        machines = {"sm.count": [1, 2, 4], "contexts.perSm": [1, 2]}
        table = leno.sweep(contexts, machines, workers=2, store=self.folder + "/store")
        self.assertEqual([row["status"] for row in table], ["ok"] * 6)
        self.assertTrue(table.same_as(leno.sweep(contexts, machines, workers=0)))
        self.assertTrue(table.same_as(leno.sweep(contexts, machines, store=self.folder + "/store", progress=self.fail_if_run(table))))
        for row in table:
            run = contexts.run(sm_count=row["sm.count"], contexts_perSm=row["contexts.perSm"])
            self.assertEqual((row["cycles"], row["short.run_cycles"]), (run.cycles, run["short"]["run_cycles"]))
        np.testing.assert_array_equal(table.outputs(5)["long.y"], 2 * self.x + 1)
        self.assertGreater(table[0]["long.run_cycles"], table[4]["long.run_cycles"])  # one SM, four
        bigger = leno.Contexts(self.write("other.yaml", FILE.replace("[1024, 2.0", "[1024, 3.0")))
        self.assertFalse(leno.sweep(bigger, machines, workers=0, store=self.folder + "/store").same_as(table))

    def fail_if_run(self, table):
        def progress(done, all, failed):
            self.assertEqual((all, failed), (len(table), 0))
        return progress

    def test_tell_traps_and_the_others_go_on(self):
        contexts = leno.Contexts(self.write("bad.yaml", FILE.replace("[1024, 2.0, in:x.npy", "[1024, 2.0, 'zero:f32[8]'")))
        run = contexts.run()
        self.assertEqual((run.status, run["long"]["status"], run["short"]["status"]), ("failed", "trapped", "finished"))
        self.assertRegex(run.why, r"(?s)context 'long'.*ADDRESS_OUT_OF_RANGE.*saxpy.s:\d+")
        self.assertEqual(run["long"]["trap"]["kind"], "ADDRESS_OUT_OF_RANGE")
        self.assertEqual(list(run.outputs), ["short.saxpy.y"])
        row = leno.sweep(contexts, workers=0)[0]
        self.assertEqual(row["status"], "trap")
        self.assertIn("ADDRESS_OUT_OF_RANGE", row["why"])

    def test_tell_who_waits_in_vain(self):
        contexts = leno.Contexts(self.write("waits.yaml", FILE.replace("not-before: 300", "acquire: done")))
        run = contexts.run()
        self.assertEqual((run.status, run["short"]["status"], list(run.outputs)), ("stuck", "unfinished", ["long.y"]))
        self.assertEqual(run.why, "context 'short' waits for semaphore 'done' to reach 1, and it is 0")
        self.assertEqual(leno.sweep(contexts, workers=0)[0]["status"], "error")

    def test_mistakes_have_their_places(self):
        with self.assertRaisesRegex(leno.Error, r"wrong.yaml:4:\d+: error: "):
            leno.Contexts(self.write("wrong.yaml", FILE.replace("name: long", "nam: long")))
        with self.assertRaisesRegex(leno.Error, "missing.yaml"):
            leno.Contexts(self.folder + "/missing.yaml")
        with self.assertRaisesRegex(leno.Error, "sm.count"):
            leno.Contexts(self.file).run(sm_count=0)
        with self.assertRaisesRegex(leno.Error, "there is no context 'lang'; there are long, short"):
            leno.Contexts(self.file).run()["lang"]


class Scripts(unittest.TestCase):
    def service(self, script=None, places=("core-cache", "cpu-cache"), slots=1, then=lambda channel: None):
        """The cycles that the machine takes, and the channel."""
        machine = leno.Device(**CLOCK)
        context = machine.context("service")
        channel = context.channel(slots, 4, requests=places[0], replies=places[1])
        if script is not None:
            channel.play(script)
        pending = leno.load(ECHO).kernel()[1, slots, context](channel, channel.slot_bytes, channel.slots, channel.words,
                                                              max_instructions=0)
        running = threading.Thread(target=pending.wait)  # who waits runs the machine
        running.start()
        then(channel)
        running.join()
        machine.run_until_idle()
        return machine.cycle, channel

    def test_take_s3s_cycles_and_the_same_in_each_run(self):
        script = leno.Script().wait(500)
        for i in range(10):
            script.send([1, i]).expect([2, i + 1, 1, 1])
        cycles, channel = self.service(script)
        channel.played()
        # S3's table for K = 4 and T = 25: 6T/5 + K + 1, T/5, KT/5, ten times.
        for counts in (channel.to_core, channel.to_host):
            self.assertEqual([counts[key] for key in ("messages", "write", "read_ready", "read_message")], [10, 350, 50, 200])
        self.assertEqual(self.service(pickle.loads(pickle.dumps(script)))[0], cycles)
        self.assertNotEqual(self.service(script, ("system-memory", "ppu-memory"))[0], cycles)

    def test_what_threads_send_is_recorded_and_played_again(self):
        def send(channel):
            self.assertEqual([channel.call(1, [20]), channel.call(1, [30])], [[2, 21, 1, 1], [2, 31, 1, 1]])
            channel.stop()
        cycles, channel = self.service(slots=4, then=send)
        script = channel.recorded()
        self.assertEqual([step for step, _ in script.steps if step != "at"], ["send", "send", "stop"])
        self.assertEqual(self.service(script, slots=4)[0], cycles)

    def test_replies_that_are_not_as_expected_are_told(self):
        _, channel = self.service(leno.Script().send([40, 20]).expect([42]))
        with self.assertRaisesRegex(leno.Error, r"step 2 of the script: the reply to message 1 is \[41"):
            channel.played()

    def test_mistakes_are_told(self):
        machine = leno.Device(**CLOCK)
        with self.assertRaisesRegex(leno.Error, "core-cache, ppu-memory, cpu-cache or system-memory, not in 'l2'"):
            machine.channel(1, 4, requests="l2")
        with self.assertRaisesRegex(leno.Error, "a message of 3 words does not fit"):
            machine.channel(1, 2).play(leno.Script().send([1, 2, 3]))
        with self.assertRaisesRegex(leno.Error, "step 2 of the script: a pair"):
            leno.Script([("send", [1]), ("receive", [1])])
        with self.assertRaisesRegex(leno.Error, "send: a word is within 0..4294967295, not -1"):
            leno.Script().send([-1])


unittest.main()

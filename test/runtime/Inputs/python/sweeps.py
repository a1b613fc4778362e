"""Sweeps on one's own processes and on a cluster, workers that go, sweeps that go on.  sweeps.py EXAMPLES [CLASS...]
LENO_TEST_EFFORT of 10 and more: 1,000 points on the cluster."""
import concurrent.futures
import csv
import functools
import os
import pickle
import signal
import sys
import tempfile
import unittest
import warnings

import numpy as np

import leno

EXAMPLES = sys.argv[1]  # left there: workers import this file, too
POINTS = 1000 if int(os.environ.get("LENO_TEST_EFFORT") or 1) >= 10 else 40
try:
    import dask
    import distributed
except ImportError:
    distributed = None


def machines(points):
    return {"timing.model": "cycles", "stack.model": "memory", "sm.count": [1, 2, 3, 4],
            "timing.memoryLatency": list(range(1, points // 4 + 1))}


def queens():
    return leno.load(EXAMPLES + "/queens/queens.s").kernel()


def work():
    """Six queens can stand in 4 ways."""
    return leno.Work(queens(), 6, 6, 6, 0b111111, np.zeros(1, "u4"), keep=True)


def logged(log, body=lambda device: {}):
    """A point that leaves a line in a file, and has its number among its figures."""
    def point(device):
        number = device.settings["sm.count"] * 1000 + device.settings["timing.memoryLatency"]
        with open(log, "a", encoding="ascii") as file:
            file.write(f"{number}\n")
        return {"point": number, **body(device)}
    return point


def divides_by(log, device):
    with open(log, "a", encoding="ascii") as file:
        file.write(f"{device.settings['sm.count']}\n")
    return {"quotient": 6 // (device.settings["sm.count"] - 2)}


def lines(log):
    with open(log, encoding="ascii") as file:
        return [int(line) for line in file]


def finished(store):
    file = leno.Store(store)
    return {file.get(key)["figures"]["point"] for key in file}


class Stop(Exception):
    pass


class Sweeping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.log, self.store = folder.name, folder.name + "/log", folder.name + "/store"

    def stop_at(self, count, then=None):
        def progress(done, all, failed):
            if done == count:
                if then:
                    then()
                raise Stop
        return progress


class OwnProcesses(Sweeping):
    def test_give_what_one_gives(self):
        serial = leno.sweep(work(), machines(40), workers=0)
        self.assertTrue(leno.sweep(work(), machines(40), workers=2).same_as(serial))
        self.assertGreater(len({row["cycles"] for row in serial}), 30)
        self.assertEqual({serial.outputs(number)["2"].item() for number in range(40)}, {4})

    def test_one_that_is_killed_takes_nothing_along(self):
        marker = self.log + "-killed"

        def dies_once(device):
            if device.settings["timing.memoryLatency"] == 3 and not os.path.exists(marker):
                open(marker, "w").close()
                os.kill(os.getpid(), signal.SIGKILL)
            return {}
        point = logged(self.log, dies_once)
        table = leno.sweep(point, machines(16), workers=2, store=self.store)
        self.assertTrue(os.path.exists(marker))
        self.assertEqual((len(table), table.failed), (16, []))
        self.assertEqual(finished(self.store), set(lines(self.log)))

    def test_a_stopped_sweep_does_the_rest_only(self):
        point = logged(self.log)
        with self.assertRaises(Stop):
            leno.sweep(point, machines(16), workers=2, store=self.store, progress=self.stop_at(7))
        before, begun = finished(self.store), len(lines(self.log))
        self.assertEqual(len(before), 7)
        table = leno.sweep(point, machines(16), workers=2, store=self.store)
        self.assertEqual((len(table), len(set(row["point"] for row in table))), (16, 16))
        self.assertEqual(sorted([*before, *lines(self.log)[begun:]]), sorted(row["point"] for row in table))

    def test_a_point_that_fails_says_why(self):
        table = leno.sweep(work(), {"sm.count": [1, 0], "memory.bytes": ["1MiB", "1KiB"]}, workers=2)
        self.assertEqual([row["status"] for row in table], ["ok", "error", "error", "error"])
        self.assertIn("sm.count", table[2]["why"])


    def test_a_function_that_fails_stops_no_other_point_and_is_done_again(self):
        divides = functools.partial(divides_by, self.log)
        for _ in range(2):
            table = leno.sweep(divides, {"sm.count": [1, 2, 3]}, workers=0, store=self.store)
            self.assertEqual([row["status"] for row in table], ["ok", "error", "ok"])
            self.assertRegex(table[1]["why"], r"ZeroDivisionError: .*\(sweeps.py:\d+\)")
        self.assertEqual(lines(self.log), [1, 2, 3, 2])
        for function, says in ((lambda device: None, "returns a Launch, or a dictionary .*, not None"),
                               (lambda device: {"a": {1}}, "no 'a': {1}")):
            self.assertRegex(leno.sweep(function, {"sm.count": 1}, workers=0)[0]["why"], says)
        device = leno.Device()
        with self.assertRaisesRegex(leno.Error, "the function cannot go to workers"):
            leno.sweep(lambda _: {"a": device.cycle}, {}, workers=0)

    def test_an_executor_that_loses_a_result_is_asked_again(self):
        class Loses(concurrent.futures.ThreadPoolExecutor):
            def __init__(self, times):
                super().__init__(1)
                self.times, self.given = times, 0

            def submit(self, function, *arguments):
                self.given += 1
                if 3 <= self.given < 3 + self.times:
                    return super().submit(dict.fromkeys, 5)  # raises
                return super().submit(function, *arguments)
        for times in (1, 2):
            table = leno.sweep(work(), {"sm.count": [1, 2, 3, 4]}, executor=Loses(times))
            self.assertTrue(table.same_as(leno.sweep(work(), {"sm.count": [1, 2, 3, 4]}, workers=0)))
        with self.assertRaisesRegex(leno.Error, "the executor has failed 3 times with job .*: TypeError: .*not iterable"):
            leno.sweep(work(), {"sm.count": [1, 2, 3, 4]}, executor=Loses(100))

    def test_a_function_with_other_values_is_another_one(self):
        def times(factor, log=self.log):
            def point(device, more=factor + 1):
                with open(log, "a", encoding="ascii") as file:
                    file.write("1\n")
                return {"product": factor * device.settings["sm.count"], "more": more}
            return point
        for factor in (2, 3, 2):
            table = leno.sweep(times(factor), {"sm.count": [1, 5]}, workers=0, store=self.store)
            self.assertEqual([(row["product"], row["more"]) for row in table], [(factor, factor + 1), (5 * factor, factor + 1)])
        self.assertEqual(len(lines(self.log)), 4)

    def test_a_table_can_be_pickled_and_written(self):
        table = leno.sweep(work(), {"sm.count": [1, 2], "memory.bytes": ["1MiB", "1KiB"]}, workers=0)
        again = pickle.loads(pickle.dumps(table))
        self.assertTrue(again.same_as(table))
        self.assertEqual(again.outputs(0)["2"].tolist(), [4])
        table.save(self.log)
        with open(self.log, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["memory.bytes"], row["status"], int(row["ctas"])) for row in rows],
                         [("1MiB", "ok", 6), ("1KiB", "error", -1)] * 2)
        self.assertEqual(rows[1]["why"], table[1]["why"])


@unittest.skipUnless(distributed, "python3-distributed is not installed")
class Cluster(Sweeping):
    # A busy machine is no reason to give a worker up: what it had would be done again, or the cluster would not start.
    PATIENT = {"distributed.comm.timeouts.connect": "900s", "distributed.comm.timeouts.tcp": "900s",
               "distributed.scheduler.worker-ttl": None, "distributed.deploy.lost-worker-timeout": "900s"}

    def setUp(self):
        super().setUp()
        warnings.filterwarnings("ignore", category=DeprecationWarning, module="tornado")
        self.enterContext(dask.config.set(self.PATIENT))

    def cluster(self):
        # Without Dask's shuffle, which nothing here does: a worker told twice to close trips over it, into standard error.
        cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, memory_limit=0, extensions={}, dashboard_address=None,
                                           local_directory=self.folder, silence_logs=50)
        client = distributed.Client(cluster, timeout=900)
        self.addCleanup(cluster.close)
        self.addCleanup(client.close)
        return cluster, client

    def test_gives_what_one_gives_and_repeats_nothing_when_a_worker_is_killed(self):
        kernel = queens()

        def launch(device):
            ways = device.zeros(1, "u4")
            return {**kernel[6, 6](6, 0b111111, ways, statistics=True).statistics, "ways": np.array(ways)}
        serial = leno.sweep(launch, machines(POINTS), workers=0)
        point = logged(self.log, launch)
        cluster, client = self.cluster()
        killed = []

        def kill_then_stop(done, all, failed):
            if done == all // 3 and not killed:
                killed.append(cluster.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)
            if done == 2 * all // 3:
                raise Stop
        with self.assertRaises(Stop):
            leno.sweep(point, machines(POINTS), executor=client.get_executor(), store=self.store, progress=kill_then_stop)
        self.assertTrue(killed)
        before = finished(self.store)
        self.assertEqual(len(before), 2 * POINTS // 3)
        client.close()
        cluster.close()
        cluster, client = self.cluster()
        begun = len(lines(self.log))
        table = leno.sweep(point, machines(POINTS), executor=client.get_executor(), store=self.store)
        self.assertEqual(sorted([*before, *lines(self.log)[begun:]]), sorted(row["point"] for row in table))
        self.assertEqual([{key: value for key, value in row.items() if key != "point"} for row in table], list(serial))
        self.assertEqual({table.outputs(number)["ways"].item() for number in range(POINTS)}, {4})
        # A Work goes there by content hash, and comes back the same.
        self.assertTrue(leno.sweep(work(), machines(16), executor=client.get_executor())
                        .same_as(leno.sweep(work(), machines(16), workers=0)))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])

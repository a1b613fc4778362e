"""Jobs on any executor of concurrent.futures; what workers need of content goes to each once."""
from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from typing import Any, Optional, Union

from leno import _leno
from leno._wants import described, integer

Job = dict[str, Any]
Progress = Union[bool, Callable[[int, int, int], object], None]
ATTEMPTS = 3  # of a job whose worker goes


class Told:
    """How far it is: a line on a terminal, or whatever a function makes of (done, all, failed)."""

    def __init__(self, progress: Progress, total: int) -> None:
        self.total, self.done, self.failed, self.found = total, 0, 0, 0
        self._start = time.monotonic()
        wanted = sys.stderr.isatty() if progress is None else progress
        self._tell = wanted if callable(wanted) else self._line if wanted else None
        self._last = 0.0

    def add(self, *, failed: bool, found: bool = False) -> None:
        self.done += 1
        self.failed += failed
        self.found += found
        if self._tell and (self._tell != self._line or self.done == self.total or time.monotonic() - self._last > 0.2):
            self._last = time.monotonic()
            self._tell(self.done, self.total, self.failed)

    def _line(self, done: int, total: int, failed: int) -> None:
        fresh = done - self.found
        left = (time.monotonic() - self._start) / fresh * (total - done) if fresh else 0
        print(f"\r{done} of {total}, {failed} failed, {left:.0f} s left \x1b[K", end="\n" if done == total else "",
              file=sys.stderr, flush=True)


def check_workers(who: str, executor: Any, workers: Any) -> None:
    """Of those that call work_off."""
    if executor is not None and not hasattr(executor, "submit"):
        raise _leno.Error(f"{who}: an executor of concurrent.futures is wanted, such as client.get_executor() of Dask, "
                          f"not {described(executor)}")
    if workers is not None:
        integer(workers, who, "a number of workers", 0, 1 << 16)


def work_off(jobs: Iterable[tuple[int, Job]], function: Callable[[Job], Any], executor: Optional[Executor],
             workers: Optional[int], done: Callable[[int, Job, Any], Optional[Job]]) -> None:
    """Runs function(job) for each, some at a time; what it raises is taken for the executor's failure. `done` gets each result and may give the job to do again. Without an
    executor: on processes of its own, which are made anew when one goes; 0 workers: here."""
    waiting = deque(jobs)
    if workers == 0 and executor is None:
        while waiting:
            number, job = waiting.popleft()
            again = done(number, job, function(job))
            if again is not None:
                waiting.appendleft((number, again))
        return
    count = workers or getattr(executor, "_max_workers", None) or os.cpu_count() or 1
    pool = executor or ProcessPoolExecutor(count)
    most = max(2 * count, 4) if executor is None or hasattr(executor, "_max_workers") else 64
    running: dict[Future[Any], tuple[int, Job]] = {}
    attempts: dict[int, int] = {}
    try:
        while waiting or running:
            try:
                while waiting and len(running) < most:
                    number, job = waiting[0]
                    running[pool.submit(function, job)] = (number, job)
                    waiting.popleft()
                ended = wait(running, return_when=FIRST_COMPLETED).done
                for future in ended:
                    number, job = running[future]
                    try:
                        result = future.result()
                    except BrokenExecutor:
                        raise
                    except Exception as error:  # of the executor: Dask's loses what a worker that goes has just done
                        del running[future]
                        attempts[number] = attempts.get(number, 0) + 1
                        if attempts[number] == ATTEMPTS:
                            raise _leno.Error(f"the executor has failed {ATTEMPTS} times with job {number}: {type(error).__name__}: {error}; "
                                              "what was finished is in the store, if there is one: the same call goes on from there") from error
                        waiting.appendleft((number, job))
                        continue
                    del running[future]
                    again = done(number, job, result)
                    if again is not None:
                        waiting.appendleft((number, again))
            except BrokenExecutor:
                if executor is not None:
                    raise _leno.Error("a worker of the executor has gone; what was finished is in the store, if there is "
                                      "one: the same call goes on from there") from None
                lost = sorted(running.values(), key=lambda one: one[0])
                running.clear()
                pool.shutdown(wait=False, cancel_futures=True)
                for number, _ in lost:
                    attempts[number] = attempts.get(number, 0) + 1
                    if attempts[number] == ATTEMPTS:
                        raise _leno.Error(f"workers went {ATTEMPTS} times while they had job {number}; what was finished is "
                                          "in the store, if there is one: the same call goes on from there") from None
                waiting.extendleft(reversed(lost))
                pool = ProcessPoolExecutor(count)
    except BaseException:
        for future in running:
            future.cancel()
        raise
    finally:
        if executor is None:
            pool.shutdown(wait=True, cancel_futures=True)


# On the workers.

_content: dict[str, bytes] = {}


class Missing(Exception):
    """Content that the worker has not."""

    def __init__(self, hash: str) -> None:
        super().__init__(hash)
        self.hash = hash


def content(hash: str, job: Job) -> bytes:
    """Content by its hash: had already, brought by the job, or in the store where the worker sees its file."""
    if hash not in _content:
        brought = job.get("content", {}).get(hash)
        if brought is None and job.get("store") and os.path.exists(job["store"]):
            file = sqlite3.connect(f"file:{job['store']}?mode=ro", uri=True, timeout=60)
            try:
                row = file.execute("select bytes from data where hash = ?", (hash,)).fetchone()
            except sqlite3.Error:
                row = None
            finally:
                file.close()
            brought = row[0] if row else None
        if brought is None:
            raise Missing(hash)
        _content[hash] = brought
    return _content[hash]

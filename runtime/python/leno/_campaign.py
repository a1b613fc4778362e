"""Campaigns of tests in shards."""
from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any, Optional, Union

from leno import _leno
from leno._pool import Job, Progress, Told, check_workers, work_off
from leno._store import Store, build, digest
from leno._wants import integer, texts

LONGEST = 20_000  # characters of what a shard has said that are kept


def _run(job: Job) -> dict[str, Any]:
    start = time.monotonic()
    environment = {**os.environ, "LENO_SEED": str(job["seed"])}
    try:
        done = subprocess.run(job["command"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, cwd=job["folder"])
        status, said = done.returncode, done.stdout.decode(errors="replace")
    except OSError as error:
        status, said = 127, f"{job['command'][0]}: {error.strerror}"
    return {"shard": job["shard"], "seed": job["seed"], "status": status, "output": said[-LONGEST:],
            "seconds": round(time.monotonic() - start, 3)}


def campaign(command: Sequence[str], shards: int = 1, *, seed: int = 0, executor: Optional[Executor] = None,
             workers: Optional[int] = None, store: Union[Store, str, os.PathLike[str], None] = None,
             folder: Optional[str] = None, again: bool = False, progress: Progress = None) -> list[dict[str, Any]]:
    """Runs a command once for each shard: {shard} (from 1), {shards} and {seed} in its words stand for these, and LENO_SEED
    in its environment is the seed. A shard's seed comes from `seed` and its number alone. For the suites of the tests:

        leno.campaign(["/usr/lib/llvm-22/bin/lit", "-q", "--num-shards={shards}", "--run-shard={shard}", ".build/release/test"], 20)

    Executors, workers, store and progress are as of leno.sweep; what is in the store is not run again, unless it failed
    and `again` is true. Gives each shard's number, seed, exit status, output (its end) and seconds.

    >>> [(shard["shard"], shard["output"]) for shard in leno.campaign(["echo", "-n", "{shard} of {shards}"], 2, workers=0)]
    [(1, '1 of 2'), (2, '2 of 2')]
    >>> [shard["status"] for shard in leno.campaign(["false"], 2, workers=0)]
    [1, 1]
    >>> leno.campaign(5)
    Traceback (most recent call last):
        ...
    leno.Error: campaign: a command's words are a list of words, not 5 (int)
    """
    command = texts(command, "campaign", "a command's words")
    if not command:
        raise _leno.Error("campaign: the command has no words")
    shards, seed = integer(shards, "campaign", "a number of shards", 1), integer(seed, "campaign", "a seed")
    check_workers("campaign", executor, workers)
    store = store if isinstance(store, Store) else Store(store if store is not None else ":memory:")
    jobs, keys = [], []
    for number in range(1, shards + 1):
        its = int(digest(f"{seed}:{number}:{shards}".encode())[:8], 16)
        words = [word.replace("{shards}", str(shards)).replace("{shard}", str(number)).replace("{seed}", str(its)) for word in command]
        jobs.append({"command": words, "shard": number, "seed": its, "folder": folder})
        keys.append(digest(json.dumps([build(), words, its, folder]).encode()))
    results = [store.get(key) for key in keys]
    if again:
        results = [None if one and one["status"] else one for one in results]
    told = Told(progress, shards)
    for one in results:
        if one is not None:
            told.add(failed=one["status"] != 0, found=True)

    def done(number: int, job: Job, result: dict[str, Any]) -> None:
        store.put(keys[number], result)
        results[number] = result
        told.add(failed=result["status"] != 0)

    work_off([(i, job) for i, job in enumerate(jobs) if results[i] is None], _run, executor, workers, done)
    return results  # type: ignore[return-value]

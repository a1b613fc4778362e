"""Sweeps over settings of machines."""
from __future__ import annotations

import csv
import inspect
import itertools
import json
import os
import pickle
import tempfile
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from leno import _html, _leno
from leno._devices import Device, Value, _keys, _plain, settings_of
from leno._launches import Launch, Size, Trap, size_of
from leno._contexts import Contexts
from leno._pool import Job, Missing, Progress, Told, check_workers, content, work_off
from leno._programs import Kernel, Program, Shared
from leno._store import Store, build, digest
from leno._wants import described, instance, integer, path

try:
    import cloudpickle as _pickle  # functions of notebooks too
except ImportError:
    _pickle = pickle


class Work:
    """A launch as a sweep repeats it: on a fresh device each time, with copies of these arguments. `keep`: what the
    kernel has written comes back too, and not only its hash. Options are those of a launch.

    >>> leno.Work(saxpy, 1, 4, 4, 2.0, np.ones(4, "f4"), np.ones(4, "f4"))
    <leno.Work saxpy[(1, 1, 1), (4, 1, 1)]>
    """

    def __init__(self, kernel: Kernel, grid: Size, block: Size, *arguments: Any, keep: bool = False, **options: Any) -> None:
        instance(kernel, Kernel, "Work", "a kernel")
        self.kernel, self.grid, self.block = kernel, size_of(grid), size_of(block)
        self.arguments = tuple(np.array(one) if isinstance(one, np.ndarray) else one for one in arguments)
        self.keep, self.options = keep, options

    def __repr__(self) -> str:
        return f"<leno.Work {self.kernel.name}[{self.grid}, {self.block}]>"

    def _described(self, put: Callable[[bytes], str]) -> dict[str, Any]:
        arguments: list[Any] = []
        for one in self.arguments:
            if isinstance(one, np.ndarray):
                one = np.ascontiguousarray(one)
                arguments.append(["array", put(one.tobytes()), one.dtype.str, list(one.shape)])
            elif isinstance(one, Shared):
                arguments.append(["shared", one.bytes])
            else:
                arguments.append(["value", one.item() if isinstance(one, np.generic) else one])
        return {"program": put(self.kernel.program.code), "name": self.kernel.program.name, "kernel": self.kernel.name,
                "grid": self.grid, "block": self.block, "arguments": arguments, "keep": self.keep, "options": self.options}


def _source(function: Any, seen: tuple[Any, ...] = ()) -> Any:
    """What makes a function another one: its source, its defaults, and what it has from where it was made. Pickled it
    may have other bytes in another process. Empty: there is no source."""
    try:
        parts: list[Any] = [digest(inspect.getsource(function).encode())]
    except (OSError, TypeError):
        return ""
    seen = (*seen, function)
    kept = [*(getattr(function, "__defaults__", None) or ()), *(getattr(function, "__kwdefaults__", None) or {}).values()]
    for cell in getattr(function, "__closure__", None) or ():
        try:
            kept.append(cell.cell_contents)
        except ValueError:  # nothing yet
            pass
    for value in kept:
        if not any(value is one for one in seen):
            parts.append(inspect.isfunction(value) and _source(value, seen) or digest(_pickle.dumps(value)))
    return parts


def _described(launch: Any, put: Callable[[bytes], str]) -> dict[str, Any]:
    if isinstance(launch, Work):
        return launch._described(put)
    if isinstance(launch, Contexts):
        name, settings, text, programs, limits, inputs = launch._native.state()
        return {"contexts": name, "settings": settings, "text": put(text.encode()), "programs": [put(one) for one in programs],
                "limits": limits, "inputs": [(type, shape, put(bytes)) for type, shape, bytes in inputs], "keep": launch.keep}
    if not callable(launch):
        raise _leno.Error(f"a sweep repeats a leno.Work, a leno.Contexts, a function that gets a device, or a mapping of names to these, not {launch!r}")
    try:
        code = _pickle.dumps(launch)
    except Exception as error:
        raise _leno.Error(f"sweep: the function cannot go to workers: {error}; it makes what it needs on the device that it gets") from None
    return {"function": put(code), "source": _source(launch),
            "called": f"{getattr(launch, '__module__', '')}.{getattr(launch, '__qualname__', '')}"}


# On the workers.

_programs: dict[str, Program] = {}


def _run_work(work: dict[str, Any], device: Device, job: Job, result: dict[str, Any]) -> None:
    hash = work["program"]
    if hash not in _programs:
        _programs[hash] = Program(content(hash, job), work["name"])
    kernel = _programs[hash].kernel(work["kernel"])
    arguments: list[Any] = []
    inputs: dict[int, NDArray[Any]] = {}
    for i, (kind, *about) in enumerate(work["arguments"]):
        if kind == "array":
            inputs[i] = np.frombuffer(content(about[0], job), about[1]).reshape(about[2])
            arguments.append(device.array(inputs[i], name=f"argument {i + 1}"))
        else:
            arguments.append(Shared(about[0]) if kind == "shared" else about[0])
    launch = kernel[work["grid"], work["block"], device](*arguments, statistics=True, **work["options"])
    assert launch.statistics is not None
    result["figures"] = dict(launch.statistics)
    if launch.findings:
        result["figures"]["findings"] = len(launch.findings)
    for i, before in inputs.items():
        if not np.array_equal(before.view(np.uint8), arguments[i].view(np.uint8)):
            _give(str(i), arguments[i], work["keep"], result)


def _run_contexts(work: dict[str, Any], job: Job, result: dict[str, Any]) -> None:
    state = (work["contexts"], work["settings"], content(work["text"], job).decode(), [content(one, job) for one in work["programs"]],
             work["limits"], [(type, shape, content(hash, job)) for type, shape, hash in work["inputs"]])
    run = Contexts._of(state, work["keep"]).run(settings=job["settings"])
    result["figures"] = run.figures
    for name, array in run.outputs.items():
        _give(name, array, work["keep"], result)
    if run.why:
        result.update(status="trap" if any("trap" in run[name] for name in run) else "error", why=run.why)


def _give(name: str, array: NDArray[Any], keep: bool, result: dict[str, Any]) -> None:
    bytes = np.ascontiguousarray(array).tobytes()
    hash = digest(bytes)
    result["outputs"][name] = [hash, array.dtype.str, list(array.shape)]
    if keep:
        result["content"][hash] = bytes


def _run_function(work: dict[str, Any], device: Device, job: Job, result: dict[str, Any]) -> None:
    function = pickle.loads(content(work["function"], job))
    takes = inspect.signature(function).parameters
    given = function(device, repeat=job["repeat"]) if "repeat" in takes else function(device)
    if isinstance(given, Launch):
        given = given.statistics or {"warp_instructions": given.instructions}
    if not isinstance(given, Mapping):
        raise _leno.Error(f"the function of a sweep returns a Launch, or a dictionary of figures and arrays, not {described(given)}")
    for name, value in given.items():
        if isinstance(value, np.ndarray):
            _give(name, value, True, result)
            continue
        value = value.item() if isinstance(value, np.generic) else value
        if not isinstance(name, str) or not isinstance(value, (int, float, str, type(None))):
            raise _leno.Error(f"the function of a sweep returns figures and arrays by name, and no {name!r}: {described(value)}")
        result["figures"][name] = value


def _run(job: Job) -> dict[str, Any]:
    """A point: what it has counted, or how it has failed."""
    result: dict[str, Any] = {"status": "ok", "why": "", "figures": {}, "outputs": {}, "content": {}}
    try:
        if "contexts" in job["work"]:
            _run_contexts(job["work"], job, result)
        else:
            device = Device(settings=job["settings"])
            (_run_work if "program" in job["work"] else _run_function)(job["work"], device, job, result)
    except Missing as missing:
        return {"missing": missing.hash}
    except Trap as trap:
        result.update(status="trap", why=str(trap), trap=trap._fault)
    except _leno.Error as error:
        result.update(status="error", why=str(error))
    except Exception as error:  # of the function's own: the same call may go well later
        place = traceback.extract_tb(error.__traceback__)[-1]
        result.update(status="error", why=f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}:{place.lineno})", again=True)
    return result


# Where the sweep is called.


class Sweep(Sequence[dict[str, Any]]):
    """The points of a sweep in their order, each a dictionary: its settings by key, `status` ("ok", "trap", "error"), and
    what was counted, or `why` it failed. `records` is a numpy table of them, `frame()` one of pandas.

    >>> table = leno.sweep(lambda device: {"sms": device.settings["sm.count"]}, {"sm.count": [2, 3]}, workers=0)
    >>> table[1]["sms"], len(table), [row["status"] for row in table]
    (3, 2, ['ok', 'ok'])
    """

    def __init__(self, axes: list[str], points: list[dict[str, Any]], results: list[dict[str, Any]], store: Store) -> None:
        self.axes = axes
        self._store = store
        self._results = results
        self._rows = [{**point, "status": result["status"], **result["figures"], "why": result["why"]}
                      for point, result in zip(points, results)]

    def __getitem__(self, number: Any) -> Any:
        return self._rows[number]

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<leno.Sweep of {len(self)} points over {', '.join(self.axes) or 'nothing'}, {len(self.failed)} failed>"

    @property
    def failed(self) -> list[dict[str, Any]]:
        """The points that failed, with `why`.

        >>> leno.sweep(lambda device: {"sms": device.settings["sm.count"]}, {"sm.count": [0, 1]}, workers=0).failed[0]["why"]
        '--set sm.count=0: sm.count is out of range: 0 is not in 1..1024'
        """
        return [row for row in self._rows if row["status"] != "ok"]

    @property
    def records(self) -> NDArray[Any]:
        """A numpy table: a field for each axis and each count. What a failed point has not is -1, nan or empty.

        >>> table = leno.sweep(lambda device: {"sms": device.settings["sm.count"]}, {"sm.count": [2, 3]}, workers=0).records
        >>> table["sms"].tolist()
        [2, 3]
        """
        names = list(dict.fromkeys(name for row in self._rows for name in row))
        fields, columns = [], []
        for name in names:
            found = [row[name] for row in self._rows if name in row]
            if all(isinstance(one, (bool, int)) for one in found):
                none, type = -1, np.int64
            elif all(isinstance(one, (bool, int, float)) for one in found):
                none, type = float("nan"), np.float64
            else:
                none, found = "", [str(one) for one in found]
                type = f"U{max(map(len, found), default=1) or 1}"
            column = [row.get(name, none) for row in self._rows]
            columns.append([str(one) for one in column] if isinstance(none, str) else column)
            fields.append((name, type))
        return np.array(list(zip(*columns)), fields) if self._rows else np.zeros(0, fields)

    def frame(self) -> Any:
        """The same as a DataFrame of pandas, where it is installed.

        >>> import importlib.util
        >>> if importlib.util.find_spec("pandas"):
        ...     assert len(leno.sweep(lambda device: {}, {"sm.count": [2, 3]}, workers=0).frame()) == 2
        """
        try:
            import pandas
        except ImportError:
            raise _leno.Error("pandas is not installed; records is a table of numpy's, and save writes one for any program") from None
        return pandas.DataFrame(self.records)

    def save(self, file: Union[str, os.PathLike[str]]) -> None:
        """Writes the table as CSV, its header first.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     leno.sweep(lambda device: {"a": 1}, {"sm.count": [2, 3]}, workers=0).save(folder + "/table.csv")
        ...     print(open(folder + "/table.csv").read())
        sm.count,status,a,why
        2,ok,1,
        3,ok,1,
        """
        try:
            with open(path(file, "save"), "w", newline="", encoding="utf-8") as out:
                rows = csv.writer(out, lineterminator="\n")
                rows.writerow(self.records.dtype.names or ())
                rows.writerows(self.records.tolist())
        except OSError as error:
            raise _leno.Error(f"{file}: {error.strerror}") from None

    def outputs(self, number: int) -> dict[str, Any]:
        """What the kernel of a point has written: by the argument's number from 0 an array (Work with `keep`), or its hash.

        >>> work = leno.Work(saxpy, 1, 4, 4, 2.0, np.ones(4, "f4"), np.ones(4, "f4"), keep=True)
        >>> leno.sweep(work, {"sm.count": [1]}, workers=0).outputs(0)
        {'3': array([3., 3., 3., 3.], dtype=float32)}
        """
        found: dict[str, Any] = {}
        for name, (hash, dtype, shape) in self._results[number]["outputs"].items():
            found[name] = np.frombuffer(self._store.data(hash), dtype).reshape(shape) if self._store.has_data(hash) else hash
        return found

    def same_as(self, other: Sweep) -> bool:
        """Every point has the same settings, counts and outputs.

        >>> one = leno.sweep(lambda device: {"sms": device.settings["sm.count"]}, {"sm.count": [2, 3]}, workers=0)
        >>> one.same_as(one)
        True
        """
        return self._rows == other._rows and [one["outputs"] for one in self._results] == [one["outputs"] for one in other._results]

    def _repr_html_(self) -> str:
        table = self.records
        several = [name for name in table.dtype.names or () if name in self.axes or len(set(table[name].tolist())) > 1]
        return _html.text(repr(self)) + _html.table(several, ([row[name] for name in several] for row in table))


Machine = Union[Mapping[str, Union[Value, Iterable[Value]]], Iterable[Mapping[str, Value]]]


def _points(machine: Optional[Machine]) -> list[dict[str, Value]]:
    if machine is None:
        return [{}]
    if not isinstance(machine, Mapping):
        machine = list(machine) if isinstance(machine, Iterable) else [machine]
        if not all(isinstance(one, Mapping) for one in machine):
            raise _leno.Error(f"sweep: machine is a mapping of keys to values, or a list of such mappings, not {described(machine)}")
        return [{_keys.get(_plain(key), key): _number(value) for key, value in one.items()} for one in machine]
    axes = [[(_keys.get(_plain(key), key), _number(value)) for value in
             (values if isinstance(values, Iterable) and not isinstance(values, str) else [values])] for key, values in machine.items()]
    return [dict(choice) for choice in itertools.product(*axes)]


def _number(value: Any) -> Value:
    return value.item() if isinstance(value, np.generic) else value


def sweep(launch: Union[Work, Contexts, Callable[..., Any], Mapping[str, Union[Work, Contexts, Callable[..., Any]]]],
          machine: Optional[Machine] = None, *, repeat: int = 1, executor: Optional[Executor] = None,
          workers: Optional[int] = None, store: Union[Store, str, os.PathLike[str], None] = None,
          progress: Progress = None) -> Sweep:
    """Runs a launch on every machine of some settings, and gives a table.

    `launch`: a leno.Work; or leno.Contexts; or a function that gets a device, launches what it wants and returns a Launch or a dictionary
    of figures and arrays (with a parameter `repeat` it gets the number of the repetition); or a mapping of names to
    these, which are the first axis then. `machine`: keys with the values that each shall have, all combinations, or the
    machines one by one, each a mapping. `repeat`: so often each.

    It runs on an `executor` of concurrent.futures: one's own, `client.get_executor()` of Dask, MPIPoolExecutor of
    mpi4py; without one on `workers` processes, as many as there are cores (0: in this process). Kernels and inputs go to a worker
    once. `store` is a file: what is finished is in it and is not done again by a call that comes later. A point that
    fails says why, and the others go on; one whose function has raised an error of its own is done again by a later call. Order and results do not depend on who runs what. `progress`: True for a line
    on standard error (None: where that is a terminal), or a function of (done, all, failed).

    >>> work = leno.Work(saxpy, 4, 32, 128, 2.0, np.ones(128, "f4"), np.ones(128, "f4"))
    >>> table = leno.sweep(work, {"sm.count": [1, 2], "timing.model": "cycles"}, workers=0)
    >>> table
    <leno.Sweep of 2 points over sm.count, timing.model, 0 failed>
    >>> table[0]["cycles"] > table[1]["cycles"]
    True
    """
    repeat = integer(repeat, "sweep", "repeat", 1)
    check_workers("sweep", executor, workers)
    scratch = None
    if not isinstance(store, Store):
        if store is None and workers != 0:
            scratch = tempfile.TemporaryDirectory(prefix="leno-")  # whence workers take what they need
        store = Store(store if store is not None else os.path.join(scratch.name, "store") if scratch else ":memory:")
    try:
        return _sweep(launch, machine, repeat, executor, workers, store, progress)
    finally:
        if scratch:
            scratch.cleanup()


def _sweep(launch: Any, machine: Optional[Machine], repeat: int, executor: Optional[Executor], workers: Optional[int],
           store: Store, progress: Progress) -> Sweep:
    works = launch if isinstance(launch, Mapping) else {"": launch}
    described = {name: _described(one, store.put_data) for name, one in works.items()}
    settings = _points(machine)
    points: list[dict[str, Any]] = []
    keys: list[str] = []
    jobs: list[Job] = []
    for (name, work), one, number in itertools.product(described.items(), settings, range(repeat)):
        point = {**({"launch": name} if name else {}), **one, **({"repeat": number} if repeat > 1 else {})}
        identity = {key: work[key] for key in ("source", "called")} if work.get("source") else work
        keys.append(digest(json.dumps([build(), identity, sorted(one.items(), key=str), number], sort_keys=True).encode()))
        points.append(point)
        jobs.append({"work": work, "settings": one, "repeat": number, "store": "" if store.path == ":memory:" else os.path.abspath(store.path)})
    results: list[Optional[dict[str, Any]]] = [store.get(key) for key in keys]
    told = Told(progress, len(points))
    for result in results:
        if result is not None:
            told.add(failed=result["status"] != "ok", found=True)

    def done(number: int, job: Job, result: dict[str, Any]) -> Optional[Job]:
        if "missing" in result:  # a worker that does not see the store
            hash = result["missing"]
            return {**job, "content": {**job.get("content", {}), hash: store.data(hash)}}
        for bytes in result.pop("content").values():
            store.put_data(bytes)
        if not result.pop("again", False):
            store.put(keys[number], result)
        results[number] = result
        told.add(failed=result["status"] != "ok")
        return None

    work_off([(i, job) for i, job in enumerate(jobs) if results[i] is None], _run, executor, workers, done)
    axes = list(dict.fromkeys(name for point in points for name in point))
    kept = Store()
    for result in results:
        for hash, *_ in result["outputs"].values():  # type: ignore[index]
            if store.has_data(hash) and not kept.has_data(hash):
                kept.put_data(store.data(hash))
    return Sweep(axes, points, results, kept)  # type: ignore[arg-type]

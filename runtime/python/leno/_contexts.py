"""Several contexts on one machine, as a file says."""
from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from leno import _html, _leno
from leno._devices import Value, settings_of
from leno._wants import path


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda upper: "_" + upper[1].lower(), key)


def _renamed(told: Any) -> Any:
    if isinstance(told, dict):
        return {_snake(key): _renamed(value) for key, value in told.items()}
    return [_renamed(one) for one in told] if isinstance(told, list) else told


class Contexts:
    """What a file for `leno-run --contexts` describes: several contexts, each with its programs, buffers and commands. The
    file, and all that it names, is read once; each run is on a fresh machine and writes no files. Settings are those of
    leno.Device, and win over the file's. A sweep can have it as its launch; `keep`: then outputs come back, too, and
    not only their hashes.

    >>> contexts = leno.Contexts(folder + "/two.yaml")
    >>> run = contexts.run(sm_count=2)
    >>> run
    <leno.ContextsRun of busy, urgent: finished, ... cycles>
    >>> run["urgent"]["warp_instructions"], run.outputs["urgent.y"].tolist()
    (16, [2.0, 2.0, 2.0, 2.0])
    >>> table = leno.sweep(contexts, {"sm.count": [1, 2], "contexts.perSm": 2}, workers=0)
    >>> table[0]["urgent.warp_instructions"], table[0]["cycles"] >= table[1]["cycles"]
    (16, True)
    """

    def __init__(self, file: Union[str, os.PathLike[str]], machine: Union[str, os.PathLike[str], None] = None,
                 settings: Optional[Mapping[str, Value]] = None, *, keep: bool = False, **keywords: Value) -> None:
        self._native = _leno.Contexts(path(file, "Contexts"), settings_of(machine, settings, keywords))
        self.keep = keep

    @classmethod
    def _of(cls, state: tuple[Any, ...], keep: bool) -> Contexts:
        made = cls.__new__(cls)
        made._native = _leno.Contexts(*state)
        made.keep = keep
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Contexts._of, (self._native.state(), self.keep)

    def __repr__(self) -> str:
        return f"<leno.Contexts of {self._native.state()[0]}>"

    @property
    def text(self) -> str:
        """What the file says.

        >>> leno.Contexts(folder + "/two.yaml").text.splitlines()[0]
        'contexts:'
        """
        return self._native.text

    def run(self, machine: Union[str, os.PathLike[str], None] = None, settings: Optional[Mapping[str, Value]] = None, *,
            statistics: bool = False, **keywords: Value) -> ContextsRun:
        """Runs all to their ends, on the machine's clock. `statistics`: those of each launch, too. Ctrl-C stops it. A
        context that traps ends, and says why; the others go on.

        >>> leno.Contexts(folder + "/two.yaml").run(statistics=True)["busy"]["launches"][0]["statistics"]["ctas"]
        4
        """
        return ContextsRun(*self._native.run(settings_of(machine, settings, keywords), statistics))


class ContextsRun(Mapping[str, dict[str, Any]]):
    """How the contexts of a file fared: by their names what `leno-run --contexts FILE --json` tells of each, with keys as
    warp_instructions. `status` is "finished", "failed" or "stuck"; `cycles` those of the machine; `told` all of the report.
    """

    def __init__(self, report: str, ends: list[tuple[str, str]], outputs: list[tuple[str, str, list[int], bytes]]) -> None:
        self.told: dict[str, Any] = _renamed(json.loads(report))
        self.status: str = self.told["status"]
        self.cycles: int = self.told["cycles"]
        self.outputs: dict[str, NDArray[Any]] = {
            name: np.frombuffer(bytes, "<" + code if np.dtype(code).itemsize > 1 else code).reshape(shape).copy()
            for name, code, shape, bytes in outputs}
        self._contexts = {one["name"]: one for one in self.told["contexts"]}
        self._why = {name: "\n".join(text for text in texts if text) for name, texts in zip(self._contexts, ends)}

    def __getitem__(self, name: str) -> dict[str, Any]:
        if name not in self._contexts:
            raise _leno.Error(f"there is no context {name!r}; there are {', '.join(self._contexts)}")
        return self._contexts[name]

    def __contains__(self, name: object) -> bool:
        return name in self._contexts

    def __iter__(self) -> Any:
        return iter(self._contexts)

    def __len__(self) -> int:
        return len(self._contexts)

    def __repr__(self) -> str:
        return f"<leno.ContextsRun of {', '.join(self)}: {self.status}, {self.cycles} cycles>"

    @property
    def why(self) -> str:
        """What went wrong, with the places in the sources; empty: nothing.

        >>> leno.Contexts(folder + "/two.yaml").run().why
        ''
        """
        told = [f"context '{name}': {why}" for name, why in self._why.items() if why]
        return "\n".join(told + ([self.told["waits"]] if self.told.get("waits") else []))

    @property
    def figures(self) -> dict[str, int]:
        """The cycles, and each context's counts as "context.count".

        >>> leno.Contexts(folder + "/two.yaml").run().figures["busy.saves"]
        0
        """
        all = {"cycles": self.cycles}
        for name, counts in self._contexts.items():
            all.update({f"{name}.{count}": value for count, value in counts.items() if isinstance(value, int) and count != "priority"})
        return all

    def _repr_html_(self) -> str:
        names = [key for key in next(iter(self._contexts.values()), {}) if isinstance(self._contexts[next(iter(self))][key], (int, str))]
        return _html.text(repr(self)) + _html.table(["", *self], [(key, *(one.get(key, "") for one in self._contexts.values()))
                                                                  for key in names if key != "name"])

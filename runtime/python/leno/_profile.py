"""Profiles that launches have written."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Union

from leno import _html, _leno
from leno._wants import path


class Profile:
    """The report in a folder, of `kernel[...](..., profile=folder)` once the device has written it
    (Device.write_profiles), of leno-run --profile, or of the debugger. `report.html` there has all of it.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> launch = saxpy[1, 4](4, 2.0, x, y, profile=folder)
    >>> device.write_profiles()
    >>> profile = leno.Profile(folder)
    >>> profile
    <leno.Profile of saxpy>
    """

    def __init__(self, folder: Union[str, os.PathLike[str]]) -> None:
        self.folder = path(folder, "Profile")
        try:
            self.data: dict[str, Any] = json.loads(Path(self.folder, "profile.json").read_text())
        except (OSError, ValueError) as error:
            raise _leno.Error(f"'{self.folder}' holds no profile: {error}; launches write one when their device goes, "
                              "or device.write_profiles() is called") from None

    def __repr__(self) -> str:
        return f"<leno.Profile of {', '.join(self.launches) or 'no launches'}>"

    @property
    def launches(self) -> list[str]:
        """The names of the launches that were counted.

        >>> profile.launches
        ['saxpy']
        """
        return [launch["name"] for launch in self.data["launches"]]

    def totals(self, launch: int = 0) -> dict[str, int]:
        """The counts of a launch.

        >>> profile.totals()["warps"]
        16
        """
        return self.data["launches"][launch]["counts"]

    def lines(self, launch: int = 0) -> list[dict[str, Any]]:
        """The source lines of a launch that have executed, each with its file, line, text and counts.

        >>> line = profile.lines()[0]
        >>> line["line"], line["counts"]["warps"], line["source"]
        (11, 1, 'S2R     R0, SR_CTAID.X;')
        """
        found = []
        for row in self.data["launches"][launch]["lines"]:
            source = self.data["sources"].get(row["file"], [])
            text = source[row["line"] - 1].strip() if row["line"] <= len(source) else ""
            found.append({**row, "source": text})
        return found

    def instructions(self, launch: int = 0) -> list[dict[str, Any]]:
        """The instructions of a launch: address, label, text, file, line and counts.

        >>> profile.instructions()[-1]["text"]
        'EXIT;'
        """
        return self.data["launches"][launch]["instructions"]

    def _repr_html_(self) -> str:
        parts = []
        for number, name in enumerate(self.launches):
            rows = self.lines(number)
            keys = [key for key in ("warps", "lanes", "divergences", "sectors", "memoryWait", "stackWait") if any(key in row["counts"] for row in rows)]
            most = max((row["counts"].get("warps", 0) for row in rows), default=0)
            hot = next((i for i, row in enumerate(rows) if row["counts"].get("warps", 0) == most), -1)
            parts.append(_html.text(name) + _html.table(
                ["line", *keys, "source"],
                [(row["line"], *(row["counts"].get(key, 0) for key in keys), row["source"]) for row in rows], hot))
        return "".join(parts)

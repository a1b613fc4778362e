"""Where the tools are: in the build folder, in an installation, in a wheel."""
from __future__ import annotations

import os
import shutil
from pathlib import Path

from leno import _leno
from leno._wants import instance


def tool(name: str) -> str:
    """The path of a tool, as leno-run: beside the package or in PATH.

    >>> os.path.basename(leno.tool("leno-run"))
    'leno-run'
    """
    instance(name, str, "tool", "a name")
    here = Path(__file__).resolve().parent
    for folder in (here / "bin", here.parents[1] / "bin", here.parents[3] / "bin"):
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    found = shutil.which(name)
    if not found:
        raise _leno.Error(f"there is no {name} beside the package leno in {here} or in PATH")
    return found


def tell_where_the_compiler_is() -> None:
    """What loads C asks the environment first; Python's own folder has no leno-cc."""
    if not os.environ.get("LENO_CC"):
        os.environ["LENO_CC"] = tool("leno-cc")

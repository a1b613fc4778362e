"""Tables for notebooks. No styles but those that colours of both themes need."""
from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any


def text(words: Any) -> str:
    return f"<div>{html.escape(str(words))}</div>"


def table(header: Sequence[Any], rows: Iterable[Sequence[Any]], marked: int = -1) -> str:
    """`marked`: a row that stands out."""
    head = "".join(f"<th>{html.escape(str(cell))}</th>" for cell in header)
    body = "".join(
        f"<tr{' style=font-weight:bold' if i == marked else ''}>"
        + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for i, row in enumerate(rows))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def lanes(rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Rows of 32 cells: a name, and a word for each lane: active, guarded, waiting, off."""
    colours = {"active": "#2a7", "guarded": "#2a75", "waiting": "#c83", "off": "#8883"}
    head = "".join(f"<th>{lane}</th>" for lane in range(32))
    body = "".join(
        f"<tr><th>{html.escape(name)}</th>"
        + "".join(f'<td title="{state}" style="background:{colours[state]}">&nbsp;</td>' for state in states) + "</tr>"
        for name, states in rows)
    return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"

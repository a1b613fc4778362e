"""Timelines, drawn."""
from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from leno import _leno
from leno._wants import instance, path

Slice = tuple[float, float, str]
WIDTH, LEFT, ROW = 760, 170, 16
MOST = 20000  # slices of a picture


class Timeline:
    """Tracks of slices over time: those of `leno-run --timeline FILE`, or one's own, as a mapping of names to lists of
    (start, end, name). Notebooks show it as a picture, one colour for each name.

    >>> timeline = leno.Timeline({"SM 0": [(0, 40, "first"), (45, 60, "second")], "SM 1": [(10, 60, "first")]})
    >>> timeline
    <leno.Timeline of 2 tracks, 60 long>
    """

    def __init__(self, tracks: Union[Mapping[str, Sequence[Slice]], str, os.PathLike[str]]) -> None:
        if isinstance(tracks, Mapping):
            for slices in tracks.values():
                instance(slices, Sequence, "Timeline", "a list of slices (begin, end, text)")
        self.tracks: dict[str, list[Slice]] = (
            {name: list(slices) for name, slices in tracks.items()} if isinstance(tracks, Mapping) else _load(path(tracks, "Timeline")))

    def __repr__(self) -> str:
        return f"<leno.Timeline of {len(self.tracks)} tracks, {self.end:g} long>"

    @property
    def end(self) -> float:
        """When the last slice ends.

        >>> timeline.end
        60
        """
        return max((end for slices in self.tracks.values() for _, end, _ in slices), default=0)

    def only(self, word: str) -> Timeline:
        """The tracks with this word in their names.

        >>> timeline.only("SM 1").tracks
        {'SM 1': [(10, 60, 'first')]}
        """
        return Timeline({name: slices for name, slices in self.tracks.items() if word in name})

    def _repr_svg_(self) -> str:
        scale = (WIDTH - LEFT - 10) / (self.end or 1)
        names = list(dict.fromkeys(name for slices in self.tracks.values() for _, _, name in slices))
        colours = {name: f"hsl({number * 137 % 360},55%,55%)" for number, name in enumerate(names)}
        height = ROW * len(self.tracks) + 24
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" '
                 'font-size="11" fill="#888">']
        count = 0
        for row, (track, slices) in enumerate(self.tracks.items()):
            y = ROW * row
            parts.append(f'<text x="{LEFT - 6}" y="{y + 12}" text-anchor="end">{html.escape(track)}</text>')
            for start, end, name in slices[:max(MOST - count, 0)]:
                width = max((end - start) * scale, 0.5)
                parts.append(f'<rect x="{LEFT + start * scale:.1f}" y="{y + 2}" width="{width:.1f}" height="{ROW - 3}" '
                             f'fill="{colours[name]}"><title>{html.escape(name)}: {start:g} to {end:g}</title></rect>')
                if width > 7 * len(name) + 4:
                    parts.append(f'<text x="{LEFT + start * scale + 3:.1f}" y="{y + 12}" fill="#fff">{html.escape(name)}</text>')
            count += len(slices)
        end = f"{self.end:g}" + (f", the first {MOST} slices" if count > MOST else "")
        parts.append(f'<text x="{LEFT}" y="{height - 6}">0</text><text x="{WIDTH - 10}" y="{height - 6}" '
                     f'text-anchor="end">{end}</text></svg>')
        return "".join(parts)


def _load(file: Union[str, os.PathLike[str]]) -> dict[str, list[Slice]]:
    """Of Chrome's trace events, as leno-run writes them; tracks in the order that they ask for."""
    try:
        events: list[dict[str, Any]] = json.loads(Path(file).read_text())["traceEvents"]
    except (OSError, ValueError, KeyError) as error:
        raise _leno.Error(f"'{os.fspath(file)}' holds no timeline: {error}; leno-run --timeline writes one") from None
    processes, threads, order, slices = {}, {}, {}, {}
    for event in events:
        place = event["pid"], event.get("tid", 0)
        if event["ph"] == "M" and event["name"] == "process_name":
            processes[place[0]] = event["args"]["name"]
        elif event["ph"] == "M" and event["name"] == "thread_name":
            threads[place] = event["args"]["name"]
        elif event["ph"] == "M" and event["name"] == "thread_sort_index":
            order[place] = event["args"]["sort_index"]
        elif event["ph"] == "X":
            slices.setdefault(place, []).append((event["ts"], event["ts"] + event["dur"], event["name"]))
    several = len({process for process, _ in slices}) > 1
    tracks: dict[str, list[Slice]] = {}
    for place in sorted(slices, key=lambda place: (place[0], order.get(place, place[1]))):
        name = threads.get(place, str(place[1]))
        if several:
            name = f"{processes.get(place[0], place[0])}, {name}"
        tracks.setdefault(name, []).extend(slices[place])
    return tracks

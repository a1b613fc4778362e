"""Finished work on disk, by what it is the result of."""
from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from typing import Any, Optional, Union

from leno import _leno
from leno._wants import path as path_of


def digest(*parts: bytes) -> str:
    """The name of content: SHA-256 of the parts, each with its length."""
    sum = hashlib.sha256()
    for part in parts:
        sum.update(len(part).to_bytes(8, "little"))
        sum.update(part)
    return sum.hexdigest()


_build: Optional[str] = None


def build() -> str:
    """The build that computes: another one may count otherwise."""
    global _build
    if _build is None:
        with open(_leno.__file__, "rb") as file:
            _build = hashlib.file_digest(file, "sha256").hexdigest()
    return _build


class Store:
    """A file (SQLite) of results by the hash of what they are the results of, and of data by the hash of their content.
    What is in it survives the process; a sweep or a campaign that was stopped goes on from there.

    >>> store = leno.Store()                   # in memory alone
    >>> store.put("key", {"cycles": 3})
    >>> store.get("key"), store.get("other"), len(store)
    ({'cycles': 3}, None, 1)
    >>> store.data(store.put_data(b"bytes"))
    b'bytes'
    """

    def __init__(self, path: Union[str, os.PathLike[str]] = ":memory:") -> None:
        self.path = path_of(path, "Store")
        try:
            self._file = sqlite3.connect(self.path, timeout=60, isolation_level=None)
            if self.path != ":memory:":
                self._file.execute("pragma journal_mode=wal")
                self._file.execute("pragma synchronous=normal")
            self._file.execute("create table if not exists results (key text primary key, value text not null)")
            self._file.execute("create table if not exists data (hash text primary key, bytes blob not null)")
        except sqlite3.Error as error:
            raise _leno.Error(f"the store '{self.path}' cannot be used: {error}") from None

    def __reduce__(self) -> tuple[Any, ...]:
        if self.path != ":memory:":
            return Store, (self.path,)
        return Store._of, tuple(self._file.execute(f"select * from {table}").fetchall() for table in ("results", "data"))

    @classmethod
    def _of(cls, results: list[tuple[str, str]], data: list[tuple[str, bytes]]) -> Store:
        made = cls()
        made._file.executemany("insert into results values (?, ?)", results)
        made._file.executemany("insert into data values (?, ?)", data)
        return made

    def __len__(self) -> int:
        return self._file.execute("select count(*) from results").fetchone()[0]

    def __iter__(self) -> Iterator[str]:
        return (row[0] for row in self._file.execute("select key from results order by rowid").fetchall())

    def get(self, key: str) -> Optional[dict[str, Any]]:
        """The result of that key, or None.

        >>> leno.Store().get("key") is None
        True
        """
        row = self._file.execute("select value from results where key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else None

    def put(self, key: str, value: dict[str, Any]) -> None:
        """Keeps a result: it is on disk when this returns.

        >>> store = leno.Store(); store.put("key", {}); list(store)
        ['key']
        """
        self._file.execute("insert or replace into results values (?, ?)", (key, json.dumps(value)))

    def data(self, hash: str) -> bytes:
        """The data of that hash.

        >>> leno.Store().data("none")
        Traceback (most recent call last):
            ...
        leno.Error: the store ':memory:' has no data of the hash none
        """
        row = self._file.execute("select bytes from data where hash = ?", (hash,)).fetchone()
        if not row:
            raise _leno.Error(f"the store '{self.path}' has no data of the hash {hash}")
        return row[0]

    def put_data(self, content: bytes) -> str:
        """Keeps data, once; their hash.

        >>> store = leno.Store(); store.put_data(b"a") == store.put_data(b"a")
        True
        """
        hash = digest(content)
        self._file.execute("insert or ignore into data values (?, ?)", (hash, content))
        return hash

    def has_data(self, hash: str) -> bool:
        """Whether it has data of that hash.

        >>> leno.Store().has_data("none")
        False
        """
        return self._file.execute("select 1 from data where hash = ?", (hash,)).fetchone() is not None

    def close(self) -> None:
        """Nothing can be put into it afterwards.

        >>> leno.Store().close()
        """
        self._file.close()

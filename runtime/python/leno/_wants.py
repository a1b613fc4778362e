"""What a call wants of its arguments: a mistake is a leno.Error that names it."""
from __future__ import annotations

import operator
import os
from collections.abc import Iterable
from typing import Any, Union

import numpy as np
from numpy.typing import DTypeLike, NDArray

from leno import _leno


def described(value: Any) -> str:
    """In a few words."""
    text = repr(value)
    return f"{text if len(text) <= 60 else text[:57] + '...'} ({type(value).__name__})"


def instance(value: Any, types: Any, who: str, what: str) -> None:
    if not isinstance(value, types):
        raise _leno.Error(f"{who}: {what} is wanted, not {described(value)}")


def integer(value: Any, who: str, what: str, least: int = 0, most: int = (1 << 64) - 1) -> int:
    """Python's integers and numpy's."""
    try:
        number = operator.index(value)
    except TypeError:
        raise _leno.Error(f"{who}: {what} is an integer, not {described(value)}") from None
    if not least <= number <= most:
        raise _leno.Error(f"{who}: {what} is within {least}..{most}, not {number}")
    return number


def words(values: Any, who: str, most: Union[int, None] = None) -> list[int]:
    """Words of 32 bits."""
    if isinstance(values, (str, bytes)) or not isinstance(values, (Iterable, np.ndarray)):
        raise _leno.Error(f"{who}: a message is a list of words of 32 bits, not {described(values)}")
    return [integer(one, who, "a word", 0, (1 << 32) - 1) for one in values]


def texts(values: Any, who: str, what: str) -> list[str]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise _leno.Error(f"{who}: {what} are a list of words, not {described(values)}")
    all = list(values)
    for one in all:
        instance(one, str, who, "a word")
    return all


def path(value: Any, who: str) -> str:
    """Of a file."""
    try:
        name = os.fspath(value)
    except TypeError:
        name = value
    if not isinstance(name, str):
        raise _leno.Error(f"{who}: the name of a file is wanted, not {described(value)}")
    return name


def element(dtype: DTypeLike, who: str) -> np.dtype[Any]:
    """A type of numpy whose bytes kernels can see."""
    try:
        type = np.dtype(dtype)
    except TypeError as error:
        raise _leno.Error(f"{who}: {error}") from None
    if type.hasobject:
        raise _leno.Error(f"{who}: Python's objects cannot be in a device's memory; say a dtype such as 'f4'")
    return type


def array(value: Any, who: str) -> NDArray[Any]:
    """Of a device."""
    instance(value, np.ndarray, who, "an array of a device")
    if _leno.place_of(value) is None:
        raise _leno.Error(f"{who}: this array is in the host's memory; device.array(x) makes one in the device's")
    return value


def like(data: Any, target: NDArray[Any], who: str) -> NDArray[Any]:
    """Data of the host as the array that they are copied to has them: its shape and type, without gaps."""
    try:
        return np.ascontiguousarray(np.broadcast_to(np.asarray(data, target.dtype), target.shape))
    except (TypeError, ValueError, OverflowError) as error:
        raise _leno.Error(f"{who}: {error}") from None


def constants(program: Any, bank: Any, offset: Any, data: Any) -> tuple[Any, int, int, NDArray[Any]]:
    """What writes constants."""
    from leno._programs import Program
    who = "write_constants"
    instance(program, Program, who, "a program")
    bytes = np.ascontiguousarray(data)
    element(bytes.dtype, who)
    return (program._native, integer(bank, who, "a bank", 0, 15), integer(offset, who, "an offset", 0, (1 << 32) - 1),
            bytes.reshape(-1).view(np.uint8))


def semaphore(number: Any, value: Any = 0) -> tuple[int, int]:
    """Its number and a value."""
    return integer(number, "semaphore", "its number", 0, (1 << 32) - 1), integer(value, "semaphore", "its value")

"""The examples in the documentation of the module leno, each run on its own; every function of the API has one.
   doctests.py EXAMPLES [NAME...]"""
import doctest
import inspect
import os
import sys
import tempfile

import numpy as np

import leno


def documented():
    """Name, object: of all that `leno` shows, and of the methods and properties of its classes."""
    for name in leno.__all__:
        thing = getattr(leno, name)
        yield name, thing
        if not inspect.isclass(thing):
            continue
        for base in (thing, *(one for one in thing.__mro__ if one.__module__.startswith("leno."))):
            for method, what in vars(base).items():
                if (not method.startswith("_") or method == "__getitem__" and base is leno.Kernel) and (inspect.isfunction(what) or isinstance(what, property)):
                    yield f"{name}.{method}", what


# Data, which others make.
WITHOUT = {"Error", "Answer", "ContextsRun", "Finding", "Walk"}
TWO = """contexts:
  - name: busy
    stream: [{ launch: SAXPY, grid: 4, block: 64, args: [256, 2.0, "zero:f32[256]", "zero:f32[256]"] }]
  - name: urgent
    priority: 1
    buffers: { y: "out:f32[4]:y.npy" }
    stream: [{ launch: SAXPY, block: 4, args: [4, 2.0, in:x.npy, y] }]
"""


def names_for(thing):
    device = leno.Device()
    names = {"leno": leno, "np": np, "device": device, "examples": sys.argv[1], "os": os,
             "saxpy": leno.load(sys.argv[1] + "/saxpy/saxpy.s").kernel(),
             "x": device.array(np.ones(4, "f4"), name="x"), "y": device.array(np.ones(4, "f4"), name="y")}
    name = thing.split(".")[0]
    if name == "Debugger":
        ones = np.ones(4, "f4")
        names["debugger"] = leno.Debugger(sys.argv[1] + "/saxpy/saxpy.s", 1, 4, 4, 2.0, ones, ones.copy())
    if name in ("Contexts", "ContextsRun"):
        names["folder"] = tempfile.mkdtemp()
        np.save(names["folder"] + "/x.npy", np.ones(4, "f4"))
        with open(names["folder"] + "/two.yaml", "w", encoding="ascii") as file:
            file.write(TWO.replace("SAXPY", os.path.abspath(sys.argv[1] + "/saxpy/saxpy.s")))
    if name == "Timeline":
        names["timeline"] = leno.Timeline({"SM 0": [(0, 40, "first"), (45, 60, "second")], "SM 1": [(10, 60, "first")]})
    if name == "Profile" and "." in thing:
        folder = tempfile.mkdtemp()
        names["saxpy"][1, 4](4, 2.0, names["x"], names["y"], profile=folder)
        device.write_profiles()
        names["profile"] = leno.Profile(folder)
    return names


def main():
    wanted, seen, failed, tried = sys.argv[2:], set(), 0, 0
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(
        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for name, thing in documented():
        if id(thing) in seen or wanted and name not in wanted:
            continue
        seen.add(id(thing))
        text = inspect.getdoc(thing) or ""
        test = parser.get_doctest(text, {}, name, None, 0)
        if not test.examples:
            if name not in WITHOUT:
                print(f"{name} has no example")
                failed += 1
            continue
        test.globs = names_for(name)
        failed += runner.run(test, clear_globs=True).failed
        tried += len(test.examples)
    print(f"{tried} examples, {failed} failed")
    return 1 if failed or not tried else 0


if __name__ == "__main__":
    sys.exit(main())

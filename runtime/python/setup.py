"""A wheel of the module leno with leno-run and leno-cc in it:

    pip wheel --no-build-isolation --no-deps runtime/python

It is made from the build folder .build/release, or the one that LENO_BUILD names; what is missing there is built first."""
import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

SOURCE = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LENO_BUILD") or SOURCE / ".build/release").resolve()
TOOLS = ["leno-run", "leno-cc"]


class Build(build_py):
    def run(self):
        if not (BUILD / "CMakeCache.txt").exists():
            subprocess.check_call(["cmake", "--preset", "release", "-B", BUILD], cwd=SOURCE)
        subprocess.check_call(["cmake", "--build", BUILD, "--target", "leno_python", *TOOLS])
        package = Path(self.build_lib) / "leno"
        shutil.copytree(BUILD / "python/leno", package, dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("__pycache__"))
        (package / "bin").mkdir(exist_ok=True)
        for tool in TOOLS:
            shutil.copy(BUILD / "bin" / tool, package / "bin")
        for binary in [*package.glob("_leno*.so"), *(package / "bin").iterdir()]:
            subprocess.check_call(["strip", "--strip-unneeded", binary])


class Compiled(Distribution):
    def has_ext_modules(self):
        return True  # a wheel of this platform and this Python


setup(
    name="leno",
    version=re.search(r"\(([^)]*)\)", (SOURCE / ".cmake/changelog").read_text())[1],
    description="SIMT toolchain: assembler, warp emulator, debugger and sweeps of machines",
    packages=["leno"],
    python_requires=">=3.11",
    cmdclass={"build_py": Build},
    distclass=Compiled,
    options={"build": {"build_base": str(BUILD / "wheel")}, "egg_info": {"egg_base": str(BUILD)}},
)

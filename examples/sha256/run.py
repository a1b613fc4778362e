#!/usr/bin/env python3
"""The SHA-256 of real files; the reference is sha256sum."""
import glob
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import arguments, expect, leno_examples

options = arguments(__doc__, ("folder", "/usr/share/common-licenses", "its files are hashed"))
files = sorted(path for path in glob.glob(os.path.join(options.folder, "*")) if os.path.isfile(path))
printed = leno_examples(options, "sha256", *files)
print(f"sha256: {len(files)} files, {sum(map(os.path.getsize, files))} bytes; the first is\n  {printed.splitlines()[0]}")
reference = subprocess.run(["sha256sum", *files], stdout=subprocess.PIPE, text=True, check=True).stdout
expect("sha256", printed == reference)
